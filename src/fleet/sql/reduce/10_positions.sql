-- The order of ranks, which decides between equals: by their index in the job, unknown ones last.
CREATE TABLE positions AS
SELECT id AS rank_id, row_number() OVER (ORDER BY rank NULLS LAST, id) - 1 AS position FROM ranks

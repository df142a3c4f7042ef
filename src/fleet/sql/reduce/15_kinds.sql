-- Numbers in the order of the texts, because an engine takes longer to compare texts.
CREATE TABLE kinds AS
SELECT kind, row_number() OVER (ORDER BY kind) AS number FROM (SELECT DISTINCT kind FROM collectives WHERE kind IS NOT NULL) AS known

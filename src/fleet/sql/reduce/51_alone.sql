-- What 77_captures needs of sums, which is the largest table and can go.
CREATE TABLE alone AS
SELECT coalesce(sum(ranks), 0) AS calls FROM sums WHERE ranks = 1

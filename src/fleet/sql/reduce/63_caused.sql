CREATE TABLE caused AS
SELECT m.last_rank_id AS rank_id, m.last_step AS step, g.axis, CAST(sum(m.waited) AS BIGINT) AS caused,
  CAST(sum(m.delay) AS BIGINT) AS delay, count(*) AS last, sum(CASE WHEN m.outlying THEN 1 ELSE 0 END) AS outlying
FROM matches m JOIN groups g ON g.group_id = m.group_id
WHERE m.last_step IS NOT NULL
GROUP BY m.last_rank_id, m.last_step, g.axis

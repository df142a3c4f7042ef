CREATE TABLE bandwidth AS
SELECT m.kind, g.about, coalesce(m.group_size, m.ranks) AS ranks, m.bytes, m.first_step_number AS step_number, count(*) AS collectives,
  sum(CASE WHEN m.transfer > 0 THEN 1 ELSE 0 END) AS timed, sum(m.transfer) AS transfer,
  min(CASE WHEN m.transfer > 0 THEN m.transfer END) AS fastest, sum(m.waited) AS waited, sum(m.ranks) AS members
FROM matches m JOIN groups g ON g.group_id = m.group_id
GROUP BY m.kind, g.about, coalesce(m.group_size, m.ranks), m.bytes, m.first_step_number

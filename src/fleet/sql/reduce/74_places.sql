CREATE TABLE places AS
SELECT m.rank_id, g.axis, m.group_id, row_number() OVER (PARTITION BY m.group_id ORDER BY p.position) - 1 AS place
FROM memberships m JOIN groups g ON g.group_id = m.group_id JOIN positions p ON p.rank_id = m.rank_id

-- Neighbours in a group, in the order of its ranks, that are on different hosts.
CREATE TABLE links AS
WITH of_groups AS (
  SELECT group_id, kind, bytes, count(*) AS collectives, sum(transfer) AS transfer, min(transfer) AS fastest
  FROM matches GROUP BY group_id, kind, bytes),
neighbours AS (
  SELECT l.group_id, r.host, lag(r.host) OVER (PARTITION BY l.group_id ORDER BY l.place) AS before
  FROM places l JOIN ranks r ON r.id = l.rank_id),
pairs AS (
  SELECT DISTINCT group_id, least(host, before) AS host_a, greatest(host, before) AS host_b FROM neighbours WHERE host <> before),
hosts AS (
  SELECT l.group_id, count(DISTINCT r.host) AS hosts FROM places l JOIN ranks r ON r.id = l.rank_id GROUP BY l.group_id)
SELECT p.host_a, p.host_b, o.kind, o.bytes, h.hosts, sum(o.collectives) AS collectives, sum(o.transfer) AS transfer,
  min(o.fastest) AS fastest
FROM pairs p JOIN hosts h ON h.group_id = p.group_id JOIN of_groups o ON o.group_id = p.group_id
GROUP BY p.host_a, p.host_b, o.kind, o.bytes, h.hosts

-- Sums of the calls of each rank, step and operation.
CREATE TABLE calls AS
SELECT c.rank_id, c.step, c.operation, c.group_id, c.apart, c.window_step, min(c.start) AS first_start, count(*) AS calls,
  CAST(sum(c.duration) AS BIGINT) AS latency, count(c.in_bytes) AS sized, CAST(sum(c.in_bytes) AS BIGINT) AS bytes,
  count(m.match_key) AS matched, CAST(coalesce(sum(m.transfer), 0) AS BIGINT) AS transfer,
  CAST(coalesce(sum(c.duration - m.transfer), 0) AS BIGINT) AS waiting
FROM collectives c LEFT JOIN matches m ON m.match_key = c.match_key AND m.group_id = c.group_id
GROUP BY c.rank_id, c.step, c.operation, c.group_id, c.apart, c.window_step

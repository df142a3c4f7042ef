-- A median is the smallest value that at least half of the ranks do not exceed.
CREATE TABLE kernel_ranks AS
WITH means AS (
  SELECT k.name, k.rank_id, k.calls, k.total, CAST((k.total - k.total % k.calls) / k.calls AS BIGINT) AS mean, p.position
  FROM kernels k JOIN positions p ON p.rank_id = k.rank_id WHERE k.calls > 0),
placed AS (
  SELECT m.*, row_number() OVER (PARTITION BY name ORDER BY mean) * 2 AS twice, count(*) OVER (PARTITION BY name) AS ranks FROM means m)
SELECT name, count(*) AS ranks, sum(calls) AS calls, sum(total) AS total, min(CASE WHEN twice >= ranks THEN mean END) AS mean_median,
  max(mean) AS mean_most, min(mean) AS mean_least, min_by(rank_id, position - mean * 1048576) AS slowest_rank_id
FROM placed GROUP BY name

CREATE TABLE kernel_ranks AS
WITH means AS (
  SELECT k.name, k.rank_id, k.calls, k.total, CAST(floor(k.total / k.calls) AS BIGINT) AS mean, p.position
  FROM kernels k JOIN positions p ON p.rank_id = k.rank_id)
SELECT name, count(*) AS ranks, sum(calls) AS calls, sum(total) AS total, quantile_disc(mean, 0.5) AS mean_median, max(mean) AS mean_most,
  min(mean) AS mean_least, arg_min(rank_id, position - mean * 1048576) AS slowest_rank_id
FROM means GROUP BY name

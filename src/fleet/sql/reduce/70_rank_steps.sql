CREATE TABLE rank_steps AS
WITH apart AS (
  SELECT rank_id, window_step AS step, sum(transfer) AS transfer, sum(transfer + waiting) AS matched
  FROM calls WHERE apart AND window_step IS NOT NULL GROUP BY rank_id, window_step),
of_caused AS (
  SELECT rank_id, step, sum(caused) AS caused, sum(delay) AS delay, sum(last) AS last, sum(outlying) AS outlying
  FROM caused GROUP BY rank_id, step),
all_parts AS (
  SELECT s.*, coalesce(a.transfer, 0) + coalesce(u.transfer, 0) AS transfer, coalesce(a.matched, 0) + coalesce(u.matched, 0) AS matched,
    coalesce(c.caused, 0) AS caused, coalesce(c.delay, 0) AS delay, coalesce(c.last, 0) AS last, coalesce(c.outlying, 0) AS outlying
  FROM steps s
    LEFT JOIN apart a ON a.rank_id = s.rank_id AND a.step = s.step
    LEFT JOIN unions u ON u.rank_id = s.rank_id AND u.step = s.step
    LEFT JOIN of_caused c ON c.rank_id = s.rank_id AND c.step = s.step)
SELECT rank_id, step, number, total, computation, overlap, communication, other, transfer, matched - transfer AS waiting,
  overlap + communication - matched AS unmatched, caused, delay, last, outlying
FROM all_parts

CREATE TABLE operation_sums AS
SELECT rank_id, step, operation, min(first_start) AS first_start, sum(calls) AS calls, sum(latency) AS latency, sum(sized) AS sized,
  sum(bytes) AS bytes, sum(matched) AS matched, sum(transfer) AS transfer, sum(waiting) AS waiting
FROM calls GROUP BY rank_id, step, operation

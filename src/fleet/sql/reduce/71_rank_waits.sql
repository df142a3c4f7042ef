CREATE TABLE rank_waits AS
WITH waits AS (
  SELECT c.rank_id, c.step, g.axis, sum(c.matched) AS calls, sum(c.transfer) AS transfer, sum(c.waiting) AS waited
  FROM calls c JOIN groups g ON g.group_id = c.group_id
  GROUP BY c.rank_id, c.step, g.axis)
SELECT w.rank_id, w.step, w.axis, w.calls, w.transfer, w.waited, coalesce(c.caused, 0) AS caused, coalesce(c.last, 0) AS last
FROM waits w LEFT JOIN caused c ON c.rank_id = w.rank_id AND c.step = w.step AND c.axis = w.axis

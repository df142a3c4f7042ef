-- Each collective of a part once, over its ranks. `code` is smallest on the rank that came last, and on the first of equals.
CREATE TABLE sums AS
SELECT s.*, l.rank_id AS last_rank_id, f.rank_id AS first_rank_id
FROM (
  SELECT match_key, group_id, min(kind) AS kind, max(kind) AS other_kind, min_by(kind, code) AS last_kind, max(sequence) AS sequence,
    max(in_order) AS in_order, count(*) AS ranks, min(duration) AS transfer, max(duration) AS longest,
    CAST(sum(duration) AS BIGINT) AS total, stddev_samp(duration) AS deviation, min(duration, 3) AS least, max(duration, 3) AS most,
    min(code) AS code, min_by(step, code) AS last_step, min_by(slice, code) AS last_slice, min(position) AS position,
    min_by(step, position) AS first_step, min_by(group_size, position) AS group_size, max(message_bytes) AS message_bytes,
    max(bytes_per_rank) AS bytes_per_rank
  FROM (SELECT c.match_key, c.group_id, k.number AS kind, c.sequence, CASE WHEN c.match_rule = 'order' THEN 1 ELSE 0 END AS in_order,
          c.duration, c.duration * 1048576 + p.position AS code, coalesce(c.step, -1) AS step, c.slice, p.position,
          coalesce(c.group_size, -1) AS group_size, c.message_bytes, c.bytes_per_rank
        FROM collectives c JOIN positions p ON p.rank_id = c.rank_id LEFT JOIN kinds k ON k.kind = c.kind
        WHERE $part
          AND (c.match_rule = 'sequence'
               OR (c.match_rule = 'order' AND c.match_key - c.occurrence NOT IN (SELECT stream FROM unequal)))) AS matchable
  GROUP BY match_key, group_id) AS s
  JOIN positions l ON l.position = s.code % 1048576
  JOIN positions f ON f.position = s.position

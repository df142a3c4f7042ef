-- Each collective of a part once, over its ranks. `code` is smallest on the rank that came last, and on the first of equals.
CREATE TABLE sums AS
SELECT match_key, group_id, min(kind) AS kind, max(kind) AS other_kind, min_by(kind, code) AS last_kind, max(sequence) AS sequence,
  min(match_rule) AS match_rule, count(*) AS ranks, min(duration) AS transfer, max(duration) AS longest,
  CAST(sum(duration) AS BIGINT) AS total, avg(duration) AS mean, stddev_samp(duration) AS deviation, min(duration, 3) AS least,
  max(duration, 3) AS most, min_by(rank_id, code) AS last_rank_id, min_by(coalesce(step, -1), code) AS last_step,
  min_by(slice, code) AS last_slice, min_by(rank_id, position) AS first_rank_id,
  min_by(coalesce(step, -1), position) AS first_step, min_by(coalesce(group_size, -1), position) AS group_size,
  max(message_bytes) AS message_bytes, max(bytes_per_rank) AS bytes_per_rank
FROM (SELECT c.*, p.position, c.duration * 1048576 + p.position AS code
      FROM collectives c JOIN positions p ON p.rank_id = c.rank_id
      WHERE $part
        AND (c.match_rule = 'sequence'
             OR (c.match_rule = 'order' AND c.match_key - c.occurrence NOT IN (SELECT stream FROM unequal)))) AS matchable
GROUP BY match_key, group_id

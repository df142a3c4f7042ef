-- Dixon's test says whether the shortest time is an outlier; with more than 100 ranks, three standard deviations do.
CREATE TABLE matches AS
WITH known AS (
  SELECT s.*, k.kind AS least_kind, l.kind AS kind_of_last, n.number AS step_number, f.number AS first_step_number,
    coalesce(s.group_size > s.ranks, FALSE) AS partial, CASE WHEN s.group_size < 0 THEN s.ranks ELSE s.group_size END AS message_ranks, d.critical
  FROM sums s
    LEFT JOIN steps n ON n.rank_id = s.last_rank_id AND n.step = s.last_step
    LEFT JOIN steps f ON f.rank_id = s.first_rank_id AND f.step = s.first_step
    LEFT JOIN kinds k ON k.number = s.kind
    LEFT JOIN kinds l ON l.number = s.last_kind
    LEFT JOIN dixon d ON d.ranks = s.ranks
  WHERE s.ranks > 1)
SELECT match_key, group_id, CASE WHEN kind = other_kind THEN least_kind ELSE 'send_receive' END AS kind, kind_of_last AS last_kind,
  sequence, CASE WHEN in_order = 1 THEN 'order' ELSE 'sequence' END AS match_rule, step_number, first_step_number, ranks,
  nullif(group_size, -1) AS group_size,
  CASE WHEN bytes_per_rank IS NULL OR bytes_per_rank > 9000000000000000000 / nullif(message_ranks, 0) THEN message_bytes
       ELSE greatest(coalesce(message_bytes, bytes_per_rank * message_ranks), bytes_per_rank * message_ranks) END AS bytes,
  transfer, longest, total - ranks * transfer AS waited, least[2] - least[1] AS delay, last_rank_id,
  nullif(last_step, -1) AS last_step, last_slice,
  CASE WHEN ranks < 3 OR partial OR least_kind IN ('send', 'receive', 'send_receive') THEN FALSE
       WHEN ranks > 100 THEN transfer < CAST(total AS DOUBLE) / ranks - 3 * deviation
       ELSE CASE WHEN ranks <= 7 THEN most[1] WHEN ranks <= 13 THEN most[2] ELSE most[3] END > transfer
            AND CAST((CASE WHEN ranks <= 10 THEN least[2] ELSE least[3] END) - transfer AS DOUBLE)
                / ((CASE WHEN ranks <= 7 THEN most[1] WHEN ranks <= 13 THEN most[2] ELSE most[3] END) - transfer) > critical
  END AS outlying,
  partial
FROM known

CREATE TABLE captures AS
SELECT $capture AS capture, (SELECT count(*) FROM ranks WHERE state <> 'failed') AS ranks,
  (SELECT count(*) FROM ranks WHERE state <> 'read') AS ranks_damaged, (SELECT max(world_size) FROM ranks) AS world_size,
  (SELECT sum(calls) FROM calls) AS collectives, (SELECT sum(matched) FROM calls) AS matched,
  (SELECT coalesce(sum(ranks), 0) FROM matches WHERE match_rule = 'order') AS matched_by_order,
  (SELECT count(*) FROM collectives WHERE match_rule = 'none') AS point_to_point,
  (SELECT count(*) FROM collectives WHERE match_rule = 'order' AND match_key - occurrence IN (SELECT stream FROM unequal)) AS unequal,
  (SELECT count(*) FROM alone) AS alone

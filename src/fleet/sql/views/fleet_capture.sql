-- id: fleet_capture
-- title: What was recorded
-- group: fleet
-- doc: Which ranks are in the capture, how their collectives were matched, and what was wrong with their traces.
-- needs: lake_files "this is not a capture of a lake"
-- rows: "rank" "ranks"
-- panel: table empty="Every rank was read completely, and every rank of the job is here." title="Ranks that are missing or damaged"
-- column: worker title="Worker" doc="From its file's name; unknown if no trace of the rank was listed."
-- column: rank title="Rank" unit=id doc="Index in the job." unknown="the file does not say"
-- column: state title="State" words doc="partial: not all of its trace could be read; failed: none; missing: no trace of the rank is here."
-- column: problem title="Problem" plain doc="The first problem of its trace."
-- column: matched_share unit=share title="Matched collectives" doc="Of all collectives of the capture, those known on two ranks or more."
-- column: by_order_share unit=share title="Matched by order" doc="Of these, those without a sequence number, which were matched by their order in the step."
WITH c AS (SELECT * FROM captures),
bad AS (
  SELECT r.worker, r.rank, r.state, arg_min(p.message, CASE p.severity WHEN 'error' THEN 0 ELSE 1 END) AS problem
  FROM ranks r LEFT JOIN problems p ON p.rank_id = r.id WHERE r.state <> 'read' GROUP BY r.worker, r.rank, r.state),
missing AS (
  SELECT w.role || ' ' || CAST(w.n AS VARCHAR) AS worker, w.n AS rank, 'missing' AS state, NULL AS problem
  FROM (SELECT role, unnest(range(coalesce(max(world_size), 0))) AS n FROM ranks GROUP BY role) w
  WHERE NOT EXISTS (SELECT 1 FROM ranks r WHERE r.rank = w.n AND r.role IS NOT DISTINCT FROM w.role))
SELECT b.worker, b.rank, b.state, b.problem, c.matched / nullif(c.collectives, 0) AS matched_share,
  c.matched_by_order / nullif(c.matched, 0) AS by_order_share
FROM (SELECT * FROM bad UNION ALL SELECT * FROM missing) b CROSS JOIN c
ORDER BY b.rank NULLS FIRST, b.worker
LIMIT 10000

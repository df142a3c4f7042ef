-- id: fleet
-- title: Fleet map
-- group: fleet
-- doc: Ranks by steps: how long each waited, and how long others waited for it.
-- parameter: show caused|waiting|total|computation|communication|overlap|other caused "Map shows" "What the map is coloured by" caused="Waiting caused" waiting="Synchronizing" total="Step time" computation="Computation" communication="Communication" overlap="Overlapped" other="Other"
-- parameter: rows rank|host|rack|switch|tp|pp|dp rank "Rows" "Ranks, or means over the ranks of a host, rack or switch, or of the same place in groups of this name" rank="Ranks" host="Hosts" rack="Racks" switch="Switches" tp="TP" pp="PP" dp="DP"
-- needs: lake_files "this is not a capture of a lake"
-- rows: "cell" "cells"
-- panel: heatmap x=step y=name value=value_ns empty="No step has a duration." title="Fleet by steps" doc="One cell for each row and step; with more than 2,000 rows, neighbours share a cell, which has their mean."
-- panel: table title="Cells"
-- column: name title="Row" doc="Worker, host, rack, switch, or place in the groups of this name." plain
-- column: step title="Step number" unit=id doc="As recorded."
-- column: value_ns title="Time" doc="What the map shows, mean over the ranks of the row."
-- column: most_ns title="Most" doc="The largest value among these ranks."
-- column: slowest title="Rank with the most" plain doc="Its worker."
-- column: ranks title="Ranks" unit=count doc="Ranks of the row in this step."
-- column: source title="Trace" plain hidden doc="Path or address of the trace of the rank with the most."
-- link: "Timeline of the rank with the most" timeline open=$source
WITH figures AS (
  SELECT s.rank_id, s.number AS step,
    CASE $show WHEN 'caused' THEN s.caused WHEN 'waiting' THEN s.waiting WHEN 'total' THEN s.total WHEN 'computation' THEN s.computation
      WHEN 'communication' THEN s.communication WHEN 'overlap' THEN s.overlap ELSE s.other END AS figure
  FROM rank_steps s WHERE s.total > 0),
named AS (
  SELECT r.id, r.worker, r.source, dense_rank() OVER (ORDER BY r.role NULLS FIRST, coalesce(r.rank, r.id)) AS sorted,
    CASE $rows WHEN 'rank' THEN r.worker WHEN 'host' THEN coalesce(r.host, 'unknown')
      WHEN 'rack' THEN coalesce(r.rack, 'unknown') WHEN 'switch' THEN coalesce(r.switch, 'unknown')
      ELSE coalesce($rows || ' ' || lpad(CAST(p.place AS VARCHAR), 5, '0'), 'not in such a group') END AS name
  FROM ranks r LEFT JOIN (SELECT rank_id, min(place) AS place FROM places WHERE axis = $rows GROUP BY rank_id) p ON p.rank_id = r.id),
binned AS (
  SELECT n.*, first_value(name) OVER (PARTITION BY bin ORDER BY sorted, name) AS cell
  FROM (SELECT named.*, floor((dense_rank() OVER (ORDER BY sorted_row, name) - 1) / (1 + floor((SELECT count(DISTINCT name) FROM named) / 2000))) AS bin
        FROM (SELECT named.*, min(sorted) OVER (PARTITION BY name) AS sorted_row FROM named) AS named) AS n)
SELECT b.cell AS name, f.step, CAST(avg(f.figure) AS BIGINT) AS value_ns, max(f.figure) AS most_ns, arg_max(b.worker, f.figure) AS slowest,
  count(*) AS ranks, arg_max(b.source, f.figure) AS source
FROM figures f JOIN binned b ON b.id = f.rank_id
GROUP BY b.cell, b.bin, f.step
ORDER BY b.bin, f.step

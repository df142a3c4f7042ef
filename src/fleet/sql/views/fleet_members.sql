-- id: fleet_members
-- title: Ranks of a collective
-- group: fleet
-- doc: How long each rank was in one collective: the shortest came last, and the others waited for it.
-- parameter: key text "" "Collective" "Its key in the view of the longest waits; else the one that was waited in longest"
-- needs: lake_files "this is not a capture of a lake"
-- rows: "rank" "ranks"
-- panel: table empty="No such collective."
-- column: worker title="Worker" doc="From its file's name."
-- column: rank title="Rank" unit=id doc="Index in the job, as recorded." unknown="the file does not say"
-- column: host title="Host" plain doc="As recorded, else from the worker's name." unknown="the file does not say"
-- column: duration unit=ns title="Time in it" doc="From its arrival to the end."
-- column: waited unit=ns title="Waited" doc="Time in it without the data transfer." bar=share
-- column: share unit=share title="Share of the longest wait" doc="Of the rank that arrived first." hidden
-- column: start unit=ns title="Start" doc="On the clock of its host."
-- column: slice unit=id title="Slice" hidden doc="Its row of slices in the rank's profile."
-- column: source title="Trace" plain hidden doc="Path or address of its trace."
-- link: "Timeline of the rank" timeline open=$source slice=$slice
WITH chosen AS (
  SELECT match_key, group_id, transfer, longest FROM matches
  WHERE match_key = TRY_CAST($key AS BIGINT) OR ($key = '' AND waited = (SELECT max(waited) FROM matches))
  ORDER BY match_key LIMIT 1)
SELECT r.worker, r.rank, r.host, e.duration, e.duration - c.transfer AS waited,
  (e.duration - c.transfer) / nullif(c.longest - c.transfer, 0) AS share, e.start, e.slice, r.source
FROM chosen c JOIN members e ON e.match_key = c.match_key AND e.group_id = c.group_id JOIN ranks r ON r.id = e.rank_id
ORDER BY e.duration, r.rank NULLS LAST, r.id

-- id: fleet_waits
-- title: Longest waits
-- group: fleet
-- doc: The collectives in which ranks waited longest, and for whom.
-- parameter: number text "" "Step" "Only the step of this number"
-- parameter: search text "" "Search" "Part of the name of a process group, in any letter case"
-- needs: lake_files "this is not a capture of a lake"
-- rows: "collective" "collectives"
-- panel: table empty="No rank waited for another in a collective."
-- column: kind title="Collective" words doc="What it does."
-- column: group title="Process group" plain doc="Its name."
-- column: sequence title="Sequence number" unit=id doc="Within the process group, as recorded." unknown="none was recorded: it was matched by its order in the step"
-- column: step title="Step number" unit=id doc="Step of the worker that arrived last."
-- column: worker title="Last worker" doc="The worker that the others waited for; on ties, the first."
-- column: waited unit=ns title="Waited" doc="Total wait of all other ranks."
-- column: longest unit=ns title="Longest wait" doc="Wait of the rank that arrived first."
-- column: delay unit=ns title="Delay" doc="How much later the last rank arrived than the rank before it."
-- column: transfer unit=ns title="Data transfer" doc="Time in which data moved: the shortest time that any rank was in it."
-- column: ranks unit=count title="Ranks seen" doc="Ranks that recorded it."
-- column: match_key title="Key" unit=none doc="Names the collective in the view of its members."
-- column: slice unit=id title="Slice" hidden doc="Its row of slices in the last worker's profile."
-- column: source title="Trace" plain hidden doc="Path or address of the last worker's trace."
-- link: "Its ranks" fleet_members key=$match_key
-- link: "Timeline of the last worker" timeline open=$source slice=$slice
-- The hundred longest are found first, by the columns that this takes; what else is shown of them is read after that.
WITH wanted AS (
  SELECT group_id, name FROM groups
  WHERE $search = '' OR contains(lower(coalesce(name, '')), lower($search)) OR contains(lower(coalesce(about, '')), lower($search))),
least AS (
  SELECT coalesce(min(waited), 1) AS waited
  FROM (SELECT m.waited FROM matches m JOIN wanted g ON g.group_id = m.group_id
        WHERE m.waited > 0 AND ($number = '' OR m.step_number = TRY_CAST($number AS BIGINT))
        ORDER BY m.waited DESC LIMIT 100) AS longest)
SELECT m.last_kind AS kind, g.name AS group, m.sequence, m.step_number AS step, r.worker, m.waited, m.longest - m.transfer AS longest,
  m.delay, m.transfer, m.ranks, CAST(m.match_key AS VARCHAR) AS match_key,
  m.last_slice AS slice, r.source
FROM matches m JOIN wanted g ON g.group_id = m.group_id JOIN ranks r ON r.id = m.last_rank_id
WHERE m.waited >= (SELECT waited FROM least) AND ($number = '' OR m.step_number = TRY_CAST($number AS BIGINT))
ORDER BY m.waited DESC, r.role NULLS FIRST, r.rank NULLS LAST, r.id, m.last_slice
LIMIT 100

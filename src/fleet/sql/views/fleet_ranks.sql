-- id: fleet_ranks
-- title: Ranks
-- group: fleet
-- doc: How each rank spends its steps, how long it waits for others, and how long others wait for it.
-- parameter: number text "" "Step" "Only the step of this number; else means over the steps of each rank"
-- parameter: search text "" "Search" "Part of the name of a worker or host, in any letter case"
-- needs: lake_files "this is not a capture of a lake"
-- rows: "rank" "ranks"
-- panel: table empty="No rank was read."
-- column: worker title="Worker" doc="From its file's name."
-- column: rank title="Rank" unit=id doc="Index in the job, as recorded." unknown="the file does not say"
-- column: role title="Role" plain doc="In a job whose folders are roles, such as actor and critic: the name of its folder." unknown="the folders name no roles"
-- column: host title="Host" plain doc="As recorded, else from the worker's name." unknown="the file does not say"
-- column: caused unit=ns title="Waiting caused" doc="How long others waited for this rank in collectives in which it arrived last." bar=caused_share
-- column: caused_share unit=share title="Share of the waiting caused" doc="Of all ranks." hidden
-- column: computation unit=ns title="Computation" doc="It computes, and no collective runs."
-- column: overlap unit=ns title="Overlapped" doc="It computes and communicates at the same time."
-- column: communication unit=ns title="Communication" doc="A collective runs, and nothing computes."
-- column: other unit=ns title="Other" doc="Neither."
-- column: total unit=ns title="Step time" doc="Length of the step: the sum of these four."
-- column: transfer unit=ns title="Data transfer" doc="Data moves in a collective: all its ranks have arrived." unknown="no other worker recorded a collective of this worker"
-- column: waiting unit=ns title="Synchronizing" doc="It waits in collectives for other ranks, and no data moves." unknown="no other worker recorded a collective of this worker"
-- column: unmatched unit=ns title="Not matched" doc="It is only in collectives that no other worker recorded."
-- column: delay unit=ns title="Delay caused" doc="How much earlier these collectives would have ended if it had arrived together with the rank before it."
-- column: last unit=count title="Times last" doc="Collectives in which it arrived last."
-- column: outlying unit=count title="Times last by far" doc="The part of these in which it arrived later than chance explains."
-- column: steps unit=count title="Steps" doc="Steps that the means cover."
-- column: source title="Trace" plain doc="Path or address of its trace."
-- link: "Timeline of the rank" timeline open=$source
WITH known AS (SELECT count(*) > 0 AS waits FROM matches),
means AS (
  SELECT rank_id, count(*) AS steps, sum(total) / count(*) AS total, sum(computation) / count(*) AS computation,
    sum(overlap) / count(*) AS overlap, sum(communication) / count(*) AS communication, sum(other) / count(*) AS other,
    sum(transfer) / count(*) AS transfer, sum(waiting) / count(*) AS waiting, sum(unmatched) / count(*) AS unmatched,
    sum(caused) / count(*) AS caused, sum(delay) / count(*) AS delay, sum(last) / count(*) AS last, sum(outlying) / count(*) AS outlying
  FROM rank_steps WHERE total > 0 AND ($number = '' OR number = TRY_CAST($number AS BIGINT))
  GROUP BY rank_id)
SELECT r.worker, r.rank, r.role, r.host, CASE WHEN waits THEN m.caused END AS caused,
  CASE WHEN waits THEN m.caused / nullif(sum(m.caused) OVER (), 0) END AS caused_share, m.computation, m.overlap,
  m.communication, m.other, m.total, CASE WHEN waits AND (m.transfer + m.waiting > 0 OR m.unmatched = 0) THEN m.transfer END AS transfer,
  CASE WHEN waits AND (m.transfer + m.waiting > 0 OR m.unmatched = 0) THEN m.waiting END AS waiting, m.unmatched,
  CASE WHEN waits THEN m.delay END AS delay, CASE WHEN waits THEN m.last END AS last, CASE WHEN waits THEN m.outlying END AS outlying,
  coalesce(m.steps, 0) AS steps, r.source
FROM ranks r CROSS JOIN known LEFT JOIN means m ON m.rank_id = r.id
WHERE r.state <> 'failed' AND (contains(lower(r.worker), lower($search)) OR contains(lower(coalesce(r.host, '')), lower($search)))
ORDER BY r.role NULLS FIRST, r.rank NULLS LAST, r.id

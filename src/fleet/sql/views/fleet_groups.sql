-- id: fleet_groups
-- title: Process groups
-- group: fleet
-- doc: How long the ranks of each process group waited for each other, and for whom most.
-- parameter: search text "" "Search" "Part of the name of a process group, in any letter case"
-- needs: lake_files "this is not a capture of a lake"
-- rows: "process group" "process groups"
-- panel: table empty="No process group was recorded."
-- column: axis title="Purpose" plain doc="What the program calls it, else its name."
-- column: name title="Process group" plain doc="Its name."
-- column: listed_ranks title="List of ranks" plain doc="As recorded."
-- column: group_size unit=count title="Ranks" doc="As recorded." unknown="the file does not say"
-- column: ranks unit=count title="Ranks seen" doc="Its ranks in this capture."
-- column: collectives unit=count title="Collectives" doc="Matched collectives; one on several ranks counts once."
-- column: waited unit=ns title="Waited" doc="Total wait of its ranks." bar=share
-- column: share unit=share title="Share of the waits" doc="Of all groups." hidden
-- column: worker title="Waited for most" doc="The worker that the others waited for longest."
-- column: caused unit=ns title="Waiting caused" doc="How long they waited for it."
WITH by_rank AS (
  SELECT group_id, last_rank_id, count(*) AS collectives, sum(waited) AS waited FROM matches GROUP BY group_id, last_rank_id),
by_group AS (
  SELECT group_id, sum(collectives) AS collectives, CAST(sum(waited) AS BIGINT) AS waited, arg_max(last_rank_id, waited) AS last_rank_id,
    CAST(max(waited) AS BIGINT) AS caused
  FROM by_rank GROUP BY group_id)
SELECT g.axis, g.name, g.listed_ranks, g.group_size, g.ranks, coalesce(b.collectives, 0) AS collectives, b.waited,
  b.waited / nullif(sum(b.waited) OVER (), 0) AS share, r.worker, b.caused
FROM groups g LEFT JOIN by_group b ON b.group_id = g.group_id LEFT JOIN ranks r ON r.id = b.last_rank_id
WHERE $search = '' OR contains(lower(coalesce(g.name, '')), lower($search)) OR contains(lower(g.axis), lower($search))
ORDER BY b.waited DESC NULLS LAST, g.group_id

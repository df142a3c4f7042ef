-- id: fleet_kernels
-- title: Kernels over ranks
-- group: fleet
-- doc: Which kernel is slow on which rank: the mean time of its calls there against the median over all ranks.
-- parameter: search text "" "Search" "Part of the name of a kernel, in any letter case"
-- needs: lake_files "this is not a capture of a lake"
-- rows: "kernel" "kernels"
-- panel: table empty="No kernel was recorded."
-- column: name title="Kernel" doc="Its name."
-- column: ranks unit=count title="Ranks" doc="Ranks that ran it."
-- column: calls unit=count title="Calls" doc="Calls on all ranks."
-- column: total unit=ns title="Time" doc="Sum of the durations on all ranks."
-- column: mean_median unit=ns title="Median of the ranks" doc="Median over ranks of the mean duration of a call."
-- column: mean_least unit=ns title="Fastest rank" doc="Smallest mean duration of a call."
-- column: mean_most unit=ns title="Slowest rank" doc="Largest mean duration of a call."
-- column: times unit=none title="Times the median" doc="Slowest rank / median of the ranks." unknown="fewer than three ranks ran it"
-- column: lost_ns title="Lost on the slowest" doc="(slowest rank - median of the ranks) x calls of a rank: what this kernel costs the ranks that wait." unknown="fewer than three ranks ran it"
-- column: worker title="Slowest worker" doc="The rank with the largest mean; the first of equals."
-- column: host title="Host" plain doc="Its host." unknown="the file does not say"
-- column: source title="Trace" plain hidden doc="Path or address of its trace."
-- link: "Timeline of the slowest worker" timeline open=$source search=$name
SELECT k.name, k.ranks, k.calls, k.total, k.mean_median, k.mean_least, k.mean_most,
  CASE WHEN k.ranks >= 3 THEN k.mean_most / nullif(k.mean_median, 0) END AS times,
  CASE WHEN k.ranks >= 3 THEN CAST((k.mean_most - k.mean_median) * (k.calls / k.ranks) AS BIGINT) END AS lost_ns, r.worker, r.host,
  r.source
FROM kernel_ranks k LEFT JOIN ranks r ON r.id = k.slowest_rank_id
WHERE $search = '' OR contains(lower(k.name), lower($search))
ORDER BY lost_ns DESC NULLS LAST, k.total DESC, k.name
LIMIT 1000

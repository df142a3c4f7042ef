-- id: launch_delays
-- title: Launch delays
-- group: where_time_went
-- doc: How long kernels waited from their launch to their start.
-- parameter: search text "" "Search" "Part of the kernel's name, in any letter case"
-- needs: launches kernels "no kernel with its launch was recorded"
-- rows: "kernel" "kernels"
-- panel: table empty="No kernel matches."
-- column: name title="Kernel" doc="Name of the kernel"
-- column: calls unit=count sums title="Calls" doc="Number of kernels whose launch is known"
-- column: mean_ns title="Mean delay" doc="Average time from the start of the launching call to the start of the kernel."
-- column: median_ns unit=ns title="Median delay" doc="Half of the kernels waited at most this long."
-- column: most_ns title="Longest delay" doc="The longest delay of one kernel"
-- column: slice unit=id hidden title="Longest on the timeline" doc="Row in slices of the kernel that waited longest"
-- link: "Longest on the timeline" timeline slice=$slice
SELECT name, count(*) AS calls, avg(delay) AS mean_ns, median(delay) AS median_ns, max(delay) AS most_ns,
  arg_max(id, (delay, -id)) AS slice -- the first of equal ones
FROM (SELECT id, name, start - launched_at AS delay FROM kernels WHERE launched_at IS NOT NULL)
GROUP BY name
HAVING contains(lower(any_value(name)), lower($search)) -- of a group, so that each name is searched once
ORDER BY mean_ns DESC, name

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
SELECT k.name, count(*) AS calls, avg(k.start - s.start) AS mean_ns, median(k.start - s.start) AS median_ns,
  max(k.start - s.start) AS most_ns, arg_max(k.id, k.start - s.start) AS slice
FROM kernels k JOIN slices s ON s.id = k.launched_by
WHERE contains(lower(k.name), lower($search))
GROUP BY k.name
ORDER BY mean_ns DESC, k.name

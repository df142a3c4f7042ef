-- id: gaps
-- title: Gaps
-- group: where_time_went
-- doc: Periods in which a stream or engine of a device was idle between two work items.
-- parameter: least integer 100000 "Shortest gap, ns" "Shorter gaps are left out"
-- needs: device_work "no device activity was recorded"
-- rows: "gap" "gaps"
-- panel: table empty="There is no gap of this length."
-- column: device unit=id title="Device" doc="Device number within the worker"
-- column: stream title="Stream" doc="Stream or engine, as named in the file"
-- column: gap_ns sums title="Gap" doc="From the end of all earlier work to the start of the next."
-- column: start_ns title="Start" doc="Start of the gap, since the run's origin"
-- column: before title="Work before" doc="The last work that started before the gap"
-- column: after title="Work after" doc="The first work that started after the gap"
-- column: slice unit=id hidden title="Work after on the timeline" doc="Row in slices of the work after the gap"
-- link: "On the timeline" timeline slice=$slice
SELECT device, stream, start - free_at AS gap_ns, free_at AS start_ns, before_name AS before, name AS after, id AS slice
FROM work
WHERE start - free_at >= $least
ORDER BY gap_ns DESC, start_ns

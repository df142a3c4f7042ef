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
SELECT device, stream, start - ended AS gap_ns, ended AS start_ns, before, name AS after, slice
FROM (SELECT w.device, l.track AS stream, s.name, s.start, s.id AS slice,
        lag(s.name) OVER ordered AS before,
        max(s.start + s.duration) OVER (ordered ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended
      FROM device_work w JOIN slices s ON s.id = w.slice JOIN threads l ON l.id = s.lane
      WINDOW ordered AS (PARTITION BY w.device, coalesce(l.overflow_of, l.id) ORDER BY s.start, s.id))
WHERE start - ended >= $least
ORDER BY gap_ns DESC, start_ns

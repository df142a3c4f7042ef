-- id: stream_waits
-- title: Waits by stream
-- group: where_time_went
-- doc: What each stream waited for between two work items, in the three categories of Holistic Trace Analysis.
-- parameter: short integer 30000 "Short wait, ns" "A shorter wait for queued work counts as the time between two kernels"
-- needs: device_work "no device activity was recorded"
-- rows: "category" "categories"
-- panel: table empty="No stream waited."
-- column: device unit=id title="Device" doc="Device number within the worker"
-- column: stream title="Stream" doc="Stream or engine, as named in the file"
-- column: waited_for title="Waited for" doc="host: the work was launched after the work before it had ended; kernel: it was launched before, and the wait is short; other: the rest"
-- column: gaps unit=count title="Gaps" doc="Number of gaps between two work items"
-- column: time_ns title="Time" doc="Sum of the gaps; work that overlaps the one before it has none."
SELECT device, stream, waited_for, count(*) AS gaps, sum(greatest(0, start - before_end)) AS time_ns
FROM (SELECT device, stream, start, before_end,
        CASE WHEN launched_at > before_end THEN 'host' WHEN start - before_end < $short THEN 'kernel' ELSE 'other' END AS waited_for
      FROM work
      WHERE before_end IS NOT NULL)
GROUP BY device, stream, waited_for
ORDER BY time_ns DESC, device, stream, waited_for

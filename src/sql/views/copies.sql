-- id: copies
-- title: Copies
-- group: memory
-- doc: How much data copies and fills of device memory moved, and how fast.
-- needs: copies "no copy or fill of device memory was recorded"
-- panel: breakdown label=name value=total_ns title="Time in copies"
-- panel: table
-- column: name title="Copy" doc="Direction and kind, as named in the file"
-- column: device unit=id title="Device" doc="Device number within the worker"
-- column: calls unit=count sums title="Calls" doc="Number of copies and fills"
-- column: total_bytes sums title="Bytes" doc="Sum of their sizes" unknown="the size of at least one copy is unknown"
-- column: total_ns sums title="Time" doc="Sum of their durations"
-- column: mean_bytes unit=bytes title="Mean size" doc="Average of the known sizes" unknown="no size is known"
-- column: bandwidth unit=bytes_per_second title="Bandwidth" doc="Bytes / time, over copies of known size" unknown="no size is known"
SELECT name, device, count(*) AS calls,
  CASE WHEN count(bytes) = count(*) THEN sum(bytes) END AS total_bytes, sum(duration) AS total_ns, avg(bytes) AS mean_bytes,
  sum(bytes) * 1e9 / nullif(sum(duration) FILTER (bytes IS NOT NULL), 0) AS bandwidth
FROM copies
GROUP BY name, device
ORDER BY total_ns DESC, name, device

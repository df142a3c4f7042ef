// Views and examples, in SQL. A view names the rows of other tables that people would otherwise join themselves.
#include "sharing/sql_schema.h"

namespace sightline {

namespace {

constexpr SqlView kViews[] = {
    {"kernels", "Kernels and collectives on devices, each with its stream and with the operator it is attributed to.",
     R"(SELECT s.id, s.name, s.kind, s.start, s.duration, w.device, l.track AS stream, o.name AS operator, w.core_type,
  w.grid, w.block, w.registers, w.shared_bytes, w.blocks_per_core, w.occupancy, c.slice AS launched_by, w.owner, s.lane
FROM device_work w JOIN slices s ON s.id = w.slice JOIN lanes l ON l.id = s.lane
LEFT JOIN slices o ON o.id = w.owner LEFT JOIN launches c ON c.id = w.launch
WHERE s.kind IN ('kernel', 'collective'))"},
    {"copies", "Copies and fills on devices.",
     R"(SELECT s.id, s.name, s.kind, s.start, s.duration, w.device, l.track AS stream, w.bytes, o.name AS operator,
  c.slice AS launched_by, w.owner, s.lane
FROM device_work w JOIN slices s ON s.id = w.slice JOIN lanes l ON l.id = s.lane
LEFT JOIN slices o ON o.id = w.owner LEFT JOIN launches c ON c.id = w.launch
WHERE s.kind IN ('memcpy', 'memset'))"},
    {"ops", "Framework operators on the host, each with its thread and with the slice that encloses it.",
     R"(SELECT s.id, s.name, s.start, s.duration, l.track AS thread, p.name AS parent_name, o.input_shapes, o.input_types,
  o.call_stack, s.depth, s.parent, s.lane
FROM operators o JOIN slices s ON s.id = o.slice JOIN lanes l ON l.id = s.lane LEFT JOIN slices p ON p.id = s.parent)"},
    {"threads", "Threads and streams, each with its process.",
     R"(SELECT l.id, p.pid, p.name AS process, p.label, l.kind, l.device, l.track, l.name, l.last - l.first AS slices, l.overflow_of
FROM lanes l LEFT JOIN processes p ON p.id = l.process)"},
};

constexpr SqlExample kExamples[] = {
    {"Kernels by total time",
     R"(SELECT name, count(*) AS calls, sum(duration) AS total_ns, avg(duration) AS mean_ns
FROM kernels
GROUP BY name
ORDER BY total_ns DESC
LIMIT 50)"},
    {"Gaps of more than 1 ms between kernels of a stream",
     R"(SELECT device, stream, before_gap, name AS after_gap, ended AS gap_start_ns, start - ended AS gap_ns
FROM (SELECT device, stream, name, start,
        lag(name) OVER (PARTITION BY device, stream ORDER BY start) AS before_gap,
        max(start + duration) OVER (PARTITION BY device, stream ORDER BY start
                                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended
      FROM kernels)
WHERE gap_ns > 1000000
ORDER BY gap_ns DESC)"},
    {"Operators of the slowest step",
     R"(WITH slowest AS (SELECT * FROM steps ORDER BY duration DESC LIMIT 1)
SELECT ops.name, count(*) AS calls, sum(ops.duration) AS total_ns
FROM slowest JOIN ops
  ON ops.start >= slowest.start AND ops.start < slowest.start + slowest.duration
GROUP BY ops.name
ORDER BY total_ns DESC
LIMIT 50)"},
    {"Peak memory of each device",
     R"(SELECT device_name, max(total_allocated) AS peak_allocated_bytes,
  max(total_reserved) AS peak_reserved_bytes, count(*) AS events
FROM memory_events
GROUP BY device_name)"},
    {"From launch to start, by kernel",
     R"(SELECT k.name, count(*) AS calls, avg(k.start - s.start) AS mean_delay_ns, max(k.start - s.start) AS most_delay_ns
FROM kernels k JOIN slices s ON s.id = k.launched_by
GROUP BY k.name
ORDER BY mean_delay_ns DESC
LIMIT 50)"},
    {"Copies by direction",
     R"(SELECT name, count(*) AS calls, sum(bytes) AS total_bytes, sum(duration) AS total_ns
FROM copies
GROUP BY name
ORDER BY total_ns DESC)"},
    {"The longest slice of every thread and stream",
     R"(SELECT t.process, t.track, t.kind, s.name, max(s.duration) AS longest_ns, count(*) AS slices
FROM slices s JOIN threads t ON t.id = s.lane
GROUP BY s.lane
ORDER BY longest_ns DESC)"},
};

}  // namespace

std::span<const SqlView> sql_views() { return kViews; }
std::span<const SqlExample> sql_examples() { return kExamples; }

}  // namespace sightline

// The curve, thinned by stretches of equal time: of each, the first event, the last, and the least and the most of each series.
#include "analyses/memory/memory_curve.h"

#include <algorithm>
#include <array>
#include <span>

#include "analyses/columns.h"
#include "analyses/thinned.h"

namespace sightline::analyses {

namespace {

struct CurvePoint {
  Time time;
  std::int64_t allocated;
  std::int64_t reserved;
};

// What is reserved and not allocated; unknown where the allocator keeps no reserve.
std::int64_t unused(const CurvePoint& point) {
  if (point.allocated == kUnknown || point.reserved == kUnknown || point.reserved < point.allocated) return kUnknown;
  return point.reserved - point.allocated;
}

CurvePoint point_at(const MemoryEvents& events, Row event) {
  return {events.time[event], events.total_allocated[event], events.total_reserved[event]};
}

bool has_total(const MemoryEvents& events, Row event) {
  return events.total_allocated[event] != kUnknown || events.total_reserved[event] != kUnknown;
}

// The last event with a total before the scope's window; kNoRow when there is none.
Row last_before(const MemoryScope& scope) {
  const MemoryEvents& events = scope.profile->memory_events;
  if (!scope.window) return kNoRow;
  Row row = static_cast<Row>(std::lower_bound(events.time.begin(), events.time.end(), scope.window->start) - events.time.begin());
  while (row-- > 0) {
    if (scope.records->device[row] == scope.device && has_total(events, row)) return row;
  }
  return kNoRow;
}

// What the allocator had given out before an event.
std::int64_t before(const MemoryEvents& events, Row event) {
  return events.total_allocated[event] == kUnknown ? kUnknown : events.total_allocated[event] - events.bytes[event];
}

std::vector<CurvePoint> points_of(const MemoryScope& scope) {
  const MemoryEvents& events = scope.profile->memory_events;
  std::vector<CurvePoint> points;
  for (const Row event : scope.events) {
    if (has_total(events, event)) points.push_back(point_at(events, event));
  }
  return points;
}

std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points) {
  std::vector<Time> time;
  std::array<std::vector<std::int64_t>, 3> totals;
  for (const CurvePoint& point : points) {
    time.push_back(point.time);
    totals[0].push_back(point.allocated);
    totals[1].push_back(point.reserved);
    totals[2].push_back(unused(point));
  }
  std::vector<CurvePoint> kept;
  for (const std::size_t row : thinned_rows(time, {totals.begin(), totals.end()})) kept.push_back(points[row]);
  return kept;
}

}  // namespace

MemoryPeaks memory_peaks(const MemoryScope& scope) {
  const MemoryEvents& events = scope.profile->memory_events;
  MemoryPeaks peaks;
  const auto raise = [](Row& peak, Row event, std::span<const std::int64_t> total) {
    if (total[event] != kUnknown && (peak == kNoRow || total[event] > total[peak])) peak = event;
  };
  for (const Row event : scope.events) {
    raise(peaks.allocated, event, events.total_allocated);
    raise(peaks.reserved, event, events.total_reserved);
    if (!has_total(events, event)) continue;
    if (peaks.last == kNoRow) peaks.before = before(events, event);
    peaks.last = event;
  }
  if (const Row earlier = last_before(scope); earlier != kNoRow) peaks.before = events.total_allocated[earlier];
  return peaks;
}

static TableOf<CurvePoint> curve_columns() {
  TableOf<CurvePoint> table({.key = "curve", .title = "Memory over time", .sort_column = "time", .sort_descending = false});
  constexpr std::string_view kTotals = "the allocator's totals after each event; they hold until the next";
  table.add(
      integer_column("time", "Time", Unit::ns, {"When, since the run's origin.", "time of the event", "the allocator's events"}),
      &CurvePoint::time);
  table.add(integer_column("allocated", "Allocated", Unit::bytes,
                           {"Allocated by the allocator, for example to tensors.", "total allocated", kTotals})
                .with_unknown("not known before the first event"),
            &CurvePoint::allocated);
  table.add(integer_column("reserved", "Reserved", Unit::bytes,
                           {"Held by the allocator, in use or kept for reuse.", "total reserved", kTotals})
                .with_unknown("not known before the first event"),
            &CurvePoint::reserved);
  table.add(integer_column("fragmentation", "Reserved, not allocated", Unit::bytes,
                           {"Held by the allocator and not allocated: kept for reuse, or too fragmented to be used.",
                            "total reserved - total allocated", kTotals, "Not in the TensorBoard plugin."})
                .with_unknown("this allocator keeps no reserve, or its total is not known yet"),
            unused);
  return table;
}

ReportTable blank_memory_curve() { return curve_columns().blank(); }

ReportTable memory_curve(const MemoryScope& scope) {
  const MemoryEvents& events = scope.profile->memory_events;
  std::vector<CurvePoint> points = thinned(points_of(scope));
  const Row earlier = last_before(scope);
  if (points.empty() && earlier == kNoRow) return blank_memory_curve();
  CurvePoint first = earlier == kNoRow ? CurvePoint{0, memory_peaks(scope).before, kUnknown} : point_at(events, earlier);
  const Time from = scope.window ? std::max(scope.window->start, scope.profile->span_start) : scope.profile->span_start;
  const Time to = scope.window ? std::min(scope.window->end, scope.profile->span_end) : scope.profile->span_end;
  const bool beside_slices = points.empty() || is_near_slices(*scope.profile, points.front().time);
  first.time = points.empty() ? from : std::min(from, points.front().time);
  if (points.empty() || (beside_slices && first.time < points.front().time)) points.insert(points.begin(), first);
  if (beside_slices && to > points.back().time) points.push_back({to, points.back().allocated, points.back().reserved});
  return curve_columns().of(points);
}

}  // namespace sightline::analyses

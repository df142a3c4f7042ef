// Curves have few enough rows for a chart: of each stretch of equal time the first event, the last, and the minimum and maximum
// of each series.
#include "analyses/memory/memory_curve.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "analyses/allocator/live_stacks.h"
#include "analyses/columns.h"
#include "base/sort.h"
#include "model/modules.h"

namespace sightline::analyses {

// ---- fewer rows for a chart, without losing a peak ----

std::vector<std::size_t> thinned_rows(std::span<const Time> time, const std::vector<std::span<const std::int64_t>>& series,
                                      std::size_t most) {
  std::vector<std::size_t> kept;
  if (time.size() <= most) {
    for (std::size_t row = 0; row < time.size(); ++row) kept.push_back(row);
    return kept;
  }
  const std::size_t per_stretch = 2 + 2 * series.size();
  const auto stretches = static_cast<Time>(std::max<std::size_t>(most / per_stretch, 2) - 1);
  const Time width = (time.back() - time.front()) / stretches + 1;
  std::vector<std::size_t> rows;
  for (std::size_t from = 0; from < time.size();) {
    const Time until = time.front() + ((time[from] - time.front()) / width + 1) * width;
    const auto rest = time.subspan(from);
    const auto count = static_cast<std::size_t>(std::lower_bound(rest.begin(), rest.end(), until) - rest.begin());
    const std::size_t to = from + count;
    rows = {from, to - 1};
    for (const auto& values : series) {
      const auto stretch = values.subspan(from, count);
      const auto bounds = std::minmax_element(stretch.begin(), stretch.end());
      rows.push_back(from + static_cast<std::size_t>(bounds.first - stretch.begin()));
      rows.push_back(from + static_cast<std::size_t>(bounds.second - stretch.begin()));
    }
    std::sort(rows.begin(), rows.end());
    kept.insert(kept.end(), rows.begin(), std::unique(rows.begin(), rows.end()));
    from = to;
  }
  return kept;
}

// ---- the curve ----

namespace {

struct CurvePoint {
  Time time;
  std::int64_t allocated;
  std::int64_t reserved;
};

// Reserved but not allocated bytes; unknown if the allocator keeps no reserve.
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

// The last event with a total before the scope's window; kNoRow if there is none.
Row last_before(const MemoryScope& scope) {
  const MemoryEvents& events = scope.profile->memory_events;
  if (!scope.window) return kNoRow;
  Row row = static_cast<Row>(std::lower_bound(events.time.begin(), events.time.end(), scope.window->start) - events.time.begin());
  while (row-- > 0) {
    if (scope.records->device[row] == scope.device && has_total(events, row)) return row;
  }
  return kNoRow;
}

// The allocated bytes before an event.
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
                            "total reserved - total allocated", kTotals, kNew})
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

// ---- what was allocated at one moment ----
// Every event of the device is passed once, whatever the window.

namespace {

constexpr std::string_view kLiveSource =
    "the allocator's events; blocks whose allocation was recorded, or whose release shows that they were there";

Row moment_of(const MemoryScope& scope, const MemoryPeaks& peaks) {
  if (!scope.at) return peaks.allocated;
  const auto& times = scope.profile->memory_events.time;
  Row row = static_cast<Row>(std::upper_bound(times.begin(), times.end(), *scope.at) - times.begin());
  while (row-- > 0) {
    if (scope.records->device[row] == scope.device) return row;
  }
  return kNoRow;
}

std::string_view name_of(const MemoryScope& scope, Row node) {
  return scope.profile->text(scope.profile->slices.name[scope.tree->slice[node]]);
}

// `module_of`: enclosing_modules of the profile, so that a backward operator's memory counts for the forward's module.
std::string module_words(const MemoryScope& scope, const std::vector<Row>& module_of, Row event) {
  const Row node = scope.records->node[event];
  const Row module = node == kNoRow || module_of.empty() ? kNoRow : module_of[scope.tree->slice[node]];
  return module == kNoRow ? "" : std::string(scope.profile->text(scope.profile->slices.name[module]));
}

// The recorded stack of the allocation or of the operator's call, else the names of the ranges around the allocation, outermost
// last.
std::string stack_around(const MemoryScope& scope, Row event) {
  if (const Row stack = scope.profile->memory_events.stack[event]; stack != kNoRow) return stack_words(*scope.profile, stack);
  std::string ranges;
  for (Row node = scope.records->node[event]; node != kNoRow; node = scope.tree->parent[node]) {
    const Row row = scope.tree->operator_row[node];
    if (row != kNoRow && scope.profile->operators.call_stack[row] != StringId::none) {
      return std::string(scope.profile->text(scope.profile->operators.call_stack[row]));
    }
    ranges.append(ranges.empty() ? "" : ";").append(name_of(scope, node));
  }
  return ranges;
}

std::string group_words(const MemoryScope& scope, const MemoryBlock& block, const MemoryJudge& judge, const std::string& group_by,
                        const std::vector<Row>& module_of) {
  if (group_by == "category") return std::string(category_name(judge.of(block)));
  if (block.allocation == kNoRow) return std::string(category_name(MemoryCategory::before_recording));
  if (group_by == "module") return module_words(scope, module_of, block.allocation);
  if (group_by == "stack") return stack_around(scope, block.allocation);
  return operator_words(*scope.profile, operator_name(scope, block.allocation));
}

// Blocks that have something in common.
struct LiveGroup {
  std::int64_t blocks = 0;  // 0: allocated before the recording
  std::int64_t size = 0;
  std::int64_t largest = 0;
  std::string name{};
  bool own_name = false;  // the name is a word of this program
  std::int64_t all = 0;   // bytes that shares are of
};

TableOf<LiveGroup> live_groups() {
  TableOf<LiveGroup> table({.key = "live", .title = "Live memory", .sort_column = "size"});
  const std::string no_blocks = "allocated before the recording, block by block unknown";
  table.add(label_column("name", "Allocated by", "What the blocks have in common")
                .with_unknown("not inside a range of this kind")
                .with_words("own_name"),
            &LiveGroup::name);
  table.add(integer_column("blocks", "Blocks", Unit::count,
                           {"Number of blocks that were allocated at that time.", "number of blocks", kLiveSource})
                .with_unknown(no_blocks),
            [](const LiveGroup& of) { return of.blocks > 0 ? of.blocks : kUnknown; });
  table.add(integer_column(
                "size", "Size", Unit::bytes,
                {"Their size.", "sum of their bytes; for memory allocated before the recording, total allocated - all others",
                 kLiveSource, kNew})
                .with_bar("share"),
            &LiveGroup::size);
  table.add(real_column("share", "Share", Unit::share,
                        {"Their share of the memory allocated at that time.",
                         "size / total allocated after the last event up to then", kLiveSource}),
            [](const LiveGroup& of) { return quotient(of.size, of.all); });
  table.add(integer_column("largest", "Largest", Unit::bytes, {"The largest of them.", "largest size of a block", kLiveSource})
                .with_unknown(no_blocks),
            [](const LiveGroup& of) { return of.blocks > 0 ? of.largest : kUnknown; });
  table.add(own_name_column(), &LiveGroup::own_name);
  return table;
}

// Blocks of a category, and the live ones among them.
struct CategorySums {
  MemoryCategory category{};
  std::int64_t blocks = 0, size = 0, live = 0;
};

TableOf<CategorySums> memory_categories() {
  TableOf<CategorySums> table({.key = "categories", .title = "Memory by category", .sort_column = "size"});
  const std::string rules = category_rules();
  table.add(label_column("category", "Category", "What the memory was most likely used for").with_words(kAllRows),
            [](const CategorySums& of) { return category_name(of.category); });
  table.add(integer_column("blocks", "Blocks", Unit::count,
                           {"How many blocks were allocated or released.", "number of blocks", rules, kNew}),
            &CategorySums::blocks);
  table.add(integer_column("size", "Size", Unit::bytes, {"Their size.", "sum of the bytes of the blocks", rules, kNew}),
            &CategorySums::size);
  table.add(integer_column("live", "Live", Unit::bytes,
                           {"How much of it was allocated at the peak, or at the chosen moment.",
                            "sum of the bytes of the live blocks", rules, kNew})
                .with_unknown("recorded without totals"),
            &CategorySums::live);
  return table;
}

}  // namespace

LiveMemory live_memory(const MemoryScope& scope, const MemoryPeaks& peaks) {
  const MemoryEvents& events = scope.profile->memory_events;
  LiveMemory live{.moment = moment_of(scope, peaks)};
  live.known = live.moment != kNoRow && scope.on().has_addresses && events.total_allocated[live.moment] != kUnknown;
  if (!live.known) return live;
  std::int64_t accounted = 0;
  for (Row event = 0; event < events.rows(); ++event) {
    if (scope.records->device[event] != scope.device) continue;
    const Row partner = scope.records->partner[event];
    const bool allocated = allocates(*scope.profile, event);
    const bool here = allocated ? event <= live.moment && (partner == kNoRow || partner > live.moment)
                                : partner == kNoRow && event > live.moment;
    if (!here) continue;
    live.blocks.push_back(allocated ? MemoryBlock{event, partner} : MemoryBlock{kNoRow, event});
    accounted += size_of(scope, live.blocks.back());
  }
  live.earlier = events.total_allocated[live.moment] - accounted;
  return live;
}

ReportTable blank_live_table() { return live_groups().blank(); }

ReportTable live_table(const MemoryScope& scope, const LiveMemory& live, const MemoryJudge& judge, const std::string& group_by) {
  if (!live.known) return blank_live_table();
  const std::vector<Row> module_of = group_by == "module" ? enclosing_modules(*scope.profile) : std::vector<Row>{};
  std::map<std::string, LiveGroup> groups;
  for (const MemoryBlock& block : live.blocks) {
    LiveGroup& group = groups[group_words(scope, block, judge, group_by, module_of)];
    ++group.blocks;
    group.size += size_of(scope, block);
    group.largest = std::max(group.largest, size_of(scope, block));
  }
  const std::string before(category_name(MemoryCategory::before_recording));
  if (live.earlier != 0) {
    groups[before].size += live.earlier;
    groups[before].blocks = 0;
  }
  std::vector<LiveGroup> sorted;
  for (auto& [name, group] : groups) {
    group.name = name;
    group.own_name = group_by == "category" || group.blocks == 0;
    group.all = scope.profile->memory_events.total_allocated[live.moment];
    sorted.push_back(std::move(group));
  }
  sort_down(sorted, &LiveGroup::size);
  return live_groups().of(sorted);
}

ReportTable blank_category_table() { return memory_categories().blank(); }

ReportTable category_table(const MemoryScope& scope, const std::vector<MemoryBlock>& blocks, const LiveMemory& live,
                           const MemoryJudge& judge) {
  // An allocation and its release could not be matched: both would count.
  if (!scope.on().has_addresses) return blank_category_table();
  std::vector<CategorySums> sums(kMemoryCategories);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i].category = static_cast<MemoryCategory>(i);
  const auto of = [&](MemoryCategory category) -> CategorySums& { return sums[static_cast<std::size_t>(category)]; };
  for (const MemoryBlock& block : blocks) {
    CategorySums& sum = of(judge.of(block));
    ++sum.blocks;
    sum.size += size_of(scope, block);
  }
  for (const MemoryBlock& block : live.blocks) of(judge.of(block)).live += size_of(scope, block);
  of(MemoryCategory::before_recording).live += live.earlier;
  std::erase_if(sums, [](const CategorySums& sum) { return sum.blocks == 0 && sum.live == 0; });
  for (CategorySums& sum : sums) sum.live = live.known ? sum.live : kUnknown;
  return memory_categories().of(sums);
}

}  // namespace sightline::analyses

// Memory difference: the memory of two recordings on one axis, and which lines hold more in one of them.
#include <algorithm>
#include <map>

#include "analyses/allocator/live_stacks.h"
#include "analyses/columns.h"
#include "analyses/diff/diff_sums.h"
#include "analyses/memory/memory_curve.h"
#include "analyses/memory/memory_records.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kDiffSource = "the allocator's events of both recordings";

std::vector<Parameter> diff_parameters() {
  return {{"moment",
           "Moment",
           ParameterType::choice,
           "peak",
           {{"peak", "The peak of each"}, {"end", "The end of each"}},
           "When live memory is compared: at the peak of each recording, or at its end"},
          {"rows",
           "Rows",
           ParameterType::choice,
           "line",
           {{"line", "Lines of the program"}, {"function", "Functions"}},
           "What is one row; functions are matched even if their lines have moved"}};
}

// One recording: its first device, and what was live.
struct Side {
  MemoryScope scope;
  MemoryPeaks peaks;
  LiveMemory live;
  LiveStacks stacks;
  Time origin = 0;  // start of its first step, or of the recording
};

Result<Side> side_of(const ProfilePtr& profile, bool at_end) {
  Side side{.scope = {.profile = profile, .tree = host_tree(profile), .records = memory_records(profile)},
            .peaks = {},
            .live = {},
            .stacks = {}};
  const auto& devices = side.scope.records->devices;
  const auto found =
      std::find_if(devices.begin(), devices.end(), [](const MemoryDevice& each) { return each.has_events && !each.host; });
  if (found == devices.end())
    return Error{ErrorCode::unavailable, "no allocations of a device were recorded in one of the two", ""};
  side.scope.device = static_cast<std::size_t>(found - devices.begin());
  for (Row row = 0; row < profile->memory_events.rows(); ++row) {
    if (side.scope.records->device[row] == side.scope.device) side.scope.events.push_back(row);
  }
  if (at_end) side.scope.at = profile->span_end;
  side.peaks = memory_peaks(side.scope);
  side.live = live_memory(side.scope, side.peaks);
  if (!side.live.known) return Error{ErrorCode::unavailable, "one of the two was recorded without addresses or totals", ""};
  side.stacks = live_stacks(side.scope, side.live);
  side.origin = profile->steps.rows() > 0 ? profile->steps.start[0] : profile->span_start;
  return side;
}

// ---- the curves on one axis ----

struct Point {
  Time time = 0;
  std::int64_t baseline = kUnknown, compared = kUnknown;
};

TableOf<Point> curve_columns() {
  TableOf<Point> table({.key = "curves", .title = "Memory over time", .sort_column = "time", .sort_descending = false});
  table.add(integer_column("time", "Time", Unit::ns,
                           {"When, since the first step or else the start of each recording.", "time of the event - that start",
                            kDiffSource, kNew}),
            &Point::time);
  const auto add = [&](std::string_view key, Message title, auto value) {
    table.add(integer_column(key, title, Unit::bytes, {"Allocated bytes.", "total allocated", kDiffSource, kNew})
                  .with_unknown("not recorded at that time"),
              value);
  };
  add("baseline", "Baseline", &Point::baseline);
  add("compared", "Compared", &Point::compared);
  return table;
}

// Events of one recording on the common axis, thinned.
std::vector<std::pair<Time, std::int64_t>> curve_of(const Side& side) {
  const MemoryEvents& events = side.scope.profile->memory_events;
  std::vector<Time> times;
  std::vector<std::int64_t> totals;
  for (const Row row : side.scope.events) {
    times.push_back(events.time[row] - side.origin);
    totals.push_back(events.total_allocated[row]);
  }
  std::vector<std::pair<Time, std::int64_t>> points;
  for (const std::size_t at : thinned_rows(times, {totals}, kMostCurveRows / 2)) points.emplace_back(times[at], totals[at]);
  return points;
}

// A total holds until the next event of its recording, and is unknown after the last.
ReportTable curves_table(const Side& baseline, const Side& compared) {
  const auto a = curve_of(baseline), b = curve_of(compared);
  std::vector<Point> points;
  for (std::size_t i = 0, k = 0; i < a.size() || k < b.size();) {
    const bool first = k == b.size() || (i < a.size() && a[i].first <= b[k].first);
    Point point = points.empty() ? Point{} : points.back();
    point.time = first ? a[i].first : b[k].first;
    if (first) {
      point.baseline = a[i++].second;
    } else {
      point.compared = b[k++].second;
    }
    points.push_back(point);
    if (i == a.size() && !first) points.back().baseline = kUnknown;
    if (k == b.size() && first) points.back().compared = kUnknown;
  }
  return curve_columns().of(points);
}

// ---- lines side by side ----

struct Line {
  std::string name;
  bool own_name = false;
  OnBothSides<std::int64_t> bytes{}, blocks{};
};

TableOf<Line> line_columns() {
  TableOf<Line> table({.key = "lines", .title = "Live memory by line", .sort_column = "change_size"});
  table.add(label_column("name", "Allocated at",
                         "The innermost line, or function, of the user's program; of a stack without one, the innermost frame")
                .with_words("own_name"),
            &Line::name);
  add_pair(table, "size", "", Unit::bytes,
           {"Live memory that it allocated.", "sum of the bytes of its live blocks", kDiffSource, kNew},
           [](const Line& line) { return line.bytes; });
  add_pair(table, "blocks", "Blocks", Unit::count, {"How many blocks.", "number of its live blocks", kDiffSource, kNew},
           [](const Line& line) { return line.blocks; });
  table.add(own_name_column(), &Line::own_name);
  return table;
}

std::string name_of(const Profile& profile, Row stack, bool by_function) {
  const Row frame = user_frame(profile, stack);
  if (!by_function) return frame_words(profile, frame);
  return std::string(profile.text(profile.stacks.name[frame]));
}

using Lines = std::map<std::pair<bool, std::string>, Line>;  // by whether the name is this program's, and the name

void add(Lines& lines, bool own_name, std::string name, std::size_t side, std::int64_t bytes, std::int64_t blocks) {
  if (bytes == 0 && blocks == 0) return;
  Line& line = lines[{own_name, name}];
  line.name = std::move(name);
  line.own_name = own_name;
  line.bytes[side] += bytes;
  line.blocks[side] += blocks;
}

void add_side(Lines& lines, const Side& of, std::size_t side, bool by_function) {
  const Profile& profile = *of.scope.profile;
  for (Row stack = 0; stack < of.stacks.by_stack.size(); ++stack) {
    const LiveSum& sum = of.stacks.by_stack[stack];
    if (sum.blocks > 0) add(lines, false, name_of(profile, stack, by_function), side, sum.bytes, sum.blocks);
  }
  add(lines, true, "no stack recorded", side, of.stacks.no_stack.bytes, of.stacks.no_stack.blocks);
  add(lines, true, "allocated before recording", side, of.stacks.unknown.bytes + of.stacks.rest, of.stacks.unknown.blocks);
}

ReportTable lines_table(const Side& baseline, const Side& compared, bool by_function) {
  Lines lines;
  add_side(lines, baseline, kBaseline, by_function);
  add_side(lines, compared, kCompared, by_function);
  std::vector<Line> rows;
  for (auto& [key, line] : lines) rows.push_back(std::move(line));
  const auto change = [](const Line& line) { return std::abs(line.bytes[kCompared] - line.bytes[kBaseline]); };
  sort_down(rows, [&](const Line& each) { return change(each); });
  return line_columns().of(rows);
}

// ---- the view ----

struct Total {
  std::string_view name;
  OnBothSides<std::int64_t> bytes{};
};

TableOf<Total> total_columns() {
  TableOf<Total> table({.key = "totals", .title = "Totals", .sort_column = ""});
  table.add(words_column("name", "Total", "What is compared").with_role(ColumnRole::label), &Total::name);
  add_pair(table, "bytes", "", Unit::bytes, {"The total on both sides.", "total allocated or reserved", kDiffSource, kNew},
           [](const Total& total) { return total.bytes; });
  return table;
}

ReportTable totals_table(const Side& baseline, const Side& compared) {
  const auto total = [](const Side& side, Row row, const Column<std::int64_t> MemoryEvents::*column) {
    return row == kNoRow ? kUnknown : (side.scope.profile->memory_events.*column)[row];
  };
  const auto both = [&](std::string_view name, Row MemoryPeaks::*row, const Column<std::int64_t> MemoryEvents::*column) {
    return Total{name, {total(baseline, baseline.peaks.*row, column), total(compared, compared.peaks.*row, column)}};
  };
  const std::vector<Total> rows{both("Peak allocated", &MemoryPeaks::allocated, &MemoryEvents::total_allocated),
                                both("Peak reserved", &MemoryPeaks::reserved, &MemoryEvents::total_reserved),
                                both("Allocated at the end", &MemoryPeaks::last, &MemoryEvents::total_allocated),
                                Total{"Allocated before recording", {baseline.peaks.before, compared.peaks.before}}};
  return total_columns().of(rows);
}

Result<Report> run_memory_diff(const AnalysisInput& input) {
  const bool at_end = input.parameters.text("moment") == "end";
  const Result<Side> baseline = side_of(input.profiles[0], at_end);
  if (!baseline) return baseline.error();
  const Result<Side> compared = side_of(input.profiles[1], at_end);
  if (!compared) return compared.error();
  Report report{.view = "memory_diff", .title = "Memory difference"};
  report.scope =
      say("{} against {}", Message::verbatim(compared->scope.device_name()), Message::verbatim(baseline->scope.device_name()));
  report.tables = {totals_table(*baseline, *compared), curves_table(*baseline, *compared),
                   lines_table(*baseline, *compared, input.parameters.text("rows") == "function")};
  report.panels.push_back(listed_panel("totals", "Totals"));
  Panel curves{.id = "curves",
               .title = "Memory over time",
               .content = LineChart{.table = "curves", .x = "time", .series = {"baseline", "compared"}, .step = true}};
  curves.doc = "Both recordings on one axis, which begins at the first step of each, or at its start if it has no steps.";
  report.panels.push_back(std::move(curves));
  Panel lines = listed_panel("lines", "Live memory by line");
  lines.scope = at_end ? "at the end of each" : "at the peak of each";
  report.panels.push_back(std::move(lines));
  return report;
}

std::optional<Message> memory_diff_unavailable(const Profile& profile) {
  if (profile.memory_events.rows() == 0) return "no allocations were recorded";
  if (profile.stacks.rows() == 0) return "the allocations were recorded without stacks";
  return std::nullopt;
}

std::vector<ReportTable> memory_diff_tables() {
  return {total_columns().blank(), curve_columns().blank(), line_columns().blank()};
}

}  // namespace

Analysis memory_diff_analysis() {
  return {.id = "memory_diff",
          .title = "Memory difference",
          .group = ViewGroup::compare,
          .doc = "The memory of two recordings on one axis, and which lines hold more in one of them.",
          .parameters = diff_parameters(),
          .unavailable = memory_diff_unavailable,
          .run = run_memory_diff,
          .tables = memory_diff_tables};
}

}  // namespace sightline::analyses

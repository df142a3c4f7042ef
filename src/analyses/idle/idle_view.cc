// Idle time: why the devices were idle, by cause and by what caused it.
#include <algorithm>
#include <map>
#include <tuple>

#include "analyses/advice/place.h"
#include "analyses/columns.h"
#include "analyses/idle/idle_causes.h"
#include "analyses/length_ranges.h"
#include "analyses/source_lines.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kSource = "device work, the calls that launched it, and the ranges of the launching thread";

// Parts of gaps with something in common.
struct IdleSum {
  std::int64_t gaps = 0;
  Time time = 0;
  Interval longest{};
  Interval last{};  // the parts added last, as far as they touch

  void add(const IdlePart& part) {
    if (gaps == 0 || part.gap != last_gap) ++gaps;
    const bool touches = gaps > 0 && part.gap == last_gap && part.time.start == last.end;
    last = {touches ? last.start : part.time.start, part.time.end};
    last_gap = part.gap;
    time += part.time.length();
    if (last.length() > longest.length()) longest = last;
  }

 private:
  std::uint32_t last_gap = 0;
};

struct IdleContext {
  const Profile& profile;
  const IdleTimes& times;
  Time gaps = 0;     // sum of all gaps
  Time unknown = 0;  // of it, what a graph may have been busy that was not recorded
  std::size_t steps = 1, devices = 1;
  std::array<bool, kIdleCauses> used{};  // by cause
};

struct CauseRow {
  IdleCause cause;
  IdleSum sum;
};

template <typename Row>
void add_sums(TableOf<Row, IdleContext>& table) {
  table.add(integer_column("gaps", "Gaps", Unit::count, {"Gaps with such a part.", "number of gaps", kSource}),
            [](const Row& row) { return row.sum.gaps; });
  table.add(integer_column("time", "Time", Unit::ns, {"Idle time with this cause.", "sum of the parts of gaps", kSource})
                .with_bar("share"),
            [](const Row& row) { return row.sum.time; });
  table.add(real_column("share", "Share of gaps", Unit::share,
                        {"Share of the time of all gaps in scope.", "time / sum of gaps", kSource}),
            [](const IdleContext& of, const Row& row) { return quotient(row.sum.time, of.gaps); });
  table.add(real_column("of_steps", "Share of the step", Unit::share,
                        {"How much shorter the step would be, at most, if the device never waited for this.",
                         "time / (length of the steps * devices)", kSource}),
            [](const IdleContext& of, const Row& row) { return quotient(row.sum.time, of.times.steps); });
  table.add(real_column("per_step", "Per step", Unit::ns, {"Mean of a step and a device.", "time / (steps * devices)", kSource}),
            [](const IdleContext& of, const Row& row) {
              return static_cast<double>(row.sum.time) / static_cast<double>(of.steps * of.devices);
            });
  table.add(integer_column("longest", "Longest", Unit::ns, {"Longest part of a gap.", "largest length", kSource}),
            [](const Row& row) { return row.sum.longest.length(); });
  table.add(code_column("range", "Range", "Start and end of the longest part").hide(),
            [](const Row& row) { return std::to_string(row.sum.longest.start) + "," + std::to_string(row.sum.longest.end); });
  table.add(code_column("window", "Window", "Start and end of what the timeline shows around it").hide(), [](const Row& row) {
    const Interval& time = row.sum.longest;
    return std::to_string(std::max(std::min<Time>(0, time.start), time.start - time.length())) + "," +
           std::to_string(time.end + time.length());
  });
}

TableOf<CauseRow, IdleContext> cause_table() {
  TableOf<CauseRow, IdleContext> table({.key = "causes", .title = "Idle time by cause", .sort_column = "time"});
  table.add(words_column("cause", "Cause", "Why the device was idle").with_role(ColumnRole::label),
            [](const CauseRow& row) { return info_of(row.cause).title; });
  add_sums(table);
  table.add(words_column("meaning", "Meaning", "What the cause means; what the host did, it did until it launched the next work"),
            [](const CauseRow& row) { return info_of(row.cause).meaning; });
  return table;
}

// ---- culprits ----

struct Culprit {
  IdleCause cause;
  StringId name = StringId::none;           // of the call, range or work
  StringId operator_name = StringId::none;  // the innermost operator around it
  std::string place = {};                   // the line of source, by kind_of_frame

  auto key() const { return std::tie(cause, name, operator_name, place); }
  bool operator<(const Culprit& other) const { return key() < other.key(); }
};

struct CulpritRow {
  Culprit culprit;
  IdleSum sum;
};

// The data loader's or the optimizer's range, whatever runs inside it; else the part's own.
Row range_of(const Profile& p, const IdlePart& part) {
  const bool loads = part.cause == IdleCause::data_loading;
  if (!loads && part.cause != IdleCause::optimizer) return part.slice;
  Row slice = part.slice;
  while (p.slices.kind[slice] != (loads ? SliceKind::data_loading : SliceKind::optimizer)) slice = p.slices.parent[slice];
  return slice;
}

Culprit culprit_of(const Profile& p, const IdlePart& part) {
  Culprit culprit{.cause = part.cause};
  if (part.slice == kNoRow) return culprit;
  culprit.name = p.slices.name[range_of(p, part)];
  const auto take = [&culprit](std::string_view frame) {
    if (!frame.empty() && (culprit.place.empty() || kind_of_frame(culprit.place) < kind_of_frame(frame))) culprit.place = frame;
  };
  for (Row slice = host_side(p, part.slice); slice != kNoRow; slice = p.slices.parent[slice]) {
    const SliceKind kind = p.slices.kind[slice];
    if (kind == SliceKind::op && culprit.operator_name == StringId::none) {
      culprit.operator_name = p.slices.name[slice];
      const auto row = std::lower_bound(p.operators.slice.begin(), p.operators.slice.end(), slice);
      if (row != p.operators.slice.end() && *row == slice) {
        const auto at = static_cast<std::size_t>(row - p.operators.slice.begin());
        take(line_of_stack(p.text(p.operators.call_stack[at])));
      }
    }
    if (kind == SliceKind::python || kind == SliceKind::module) take(p.text(p.slices.name[slice]));
  }
  return culprit;
}

TableOf<CulpritRow, IdleContext> culprit_table() {
  TableOf<CulpritRow, IdleContext> table({.key = "culprits", .title = "Idle time by what caused it", .sort_column = "time"});
  table.add(
      label_column("name", "What", "The call, range or work that the device waited for").with_unknown("no range was recorded"),
      [](const IdleContext& of, const CulpritRow& row) { return of.profile.text(row.culprit.name); });
  table.add(words_column("cause", "Cause", "Why the device was idle"),
            [](const CulpritRow& row) { return info_of(row.culprit.cause).title; });
  table.add(code_column("operator", "Operator", "The innermost operator around it").with_unknown("in no operator"),
            [](const IdleContext& of, const CulpritRow& row) { return of.profile.text(row.culprit.operator_name); });
  table.add(code_column("place", "Place",
                        "The innermost Python function around it: of the program's own files, else of a library, else built in")
                .with_unknown("no Python functions were recorded"),
            [](const CulpritRow& row) { return row.culprit.place; });
  add_sums(table);
  return table;
}

// ---- lengths of gaps ----

struct GapLengths {
  std::size_t range = 0;
  std::int64_t gaps = 0;
  Time time = 0;
  std::array<Time, kIdleCauses> of{};  // by cause
};

std::string cause_key(std::size_t cause) { return "cause_" + std::to_string(cause); }

TableOf<GapLengths, IdleContext> gap_length_table() {
  TableOf<GapLengths, IdleContext> table({.key = "lengths", .title = "Gaps by length"});
  table.add(
      words_column("length", "Length", "How long a gap is; the end of a range is not part of it").with_role(ColumnRole::label),
      [](const GapLengths& row) { return length_range_words(row.range); });
  table.add(integer_column("gaps", "Gaps", Unit::count, {"How many are this long.", "number of gaps", kSource}),
            &GapLengths::gaps);
  table.add(integer_column("time", "Time", Unit::ns, {"Their time.", "sum of lengths", kSource}).with_bar("share"),
            &GapLengths::time);
  table.add(real_column("share", "Share of gaps", Unit::share,
                        {"Share of the time of all gaps in scope.", "time / sum of gaps", kSource}),
            [](const IdleContext& of, const GapLengths& row) { return quotient(row.time, of.gaps); });
  for (std::size_t cause = 0; cause < kIdleCauses; ++cause) {
    const IdleCauseInfo& info = info_of(static_cast<IdleCause>(cause));
    table.add(integer_column(cause_key(cause), Message(info.title), Unit::ns,
                             {"Time of this cause in gaps that are this long.", "sum of the parts of gaps", kSource})
                  .with_category(std::string(info.hue)),
              [cause](const IdleContext& of, const GapLengths& row) { return of.used[cause] ? row.of[cause] : kUnknown; });
  }
  return table;
}

std::vector<GapLengths> gap_lengths(const IdleTimes& times) {
  std::vector<GapLengths> rows(kLengthRanges);
  for (std::size_t range = 0; range < rows.size(); ++range) rows[range].range = range;
  for (const IdleGap& gap : times.gaps) {
    GapLengths& row = rows[length_range(gap.time.length())];
    ++row.gaps;
    row.time += gap.time.length();
  }
  for (const IdlePart& part : times.parts)
    rows[length_range(times.gaps[part.gap].time.length())].of[static_cast<std::size_t>(part.cause)] += part.time.length();
  return within_used(std::move(rows), [](const GapLengths& row) { return row.gaps > 0; });
}

// ---- the report ----

std::vector<RowLink> links() {
  RowLink timeline{"Longest on the timeline",
                   "timeline",
                   {{"timeline.range", "$range"}, {"timeline.window", "$window"}, {"timeline.waits", "1"}}};
  timeline.direct = true;
  return {std::move(timeline)};
}

template <typename Key, typename KeyOf>
std::map<Key, IdleSum> sums_by(const IdleTimes& times, KeyOf&& key_of) {
  std::map<Key, IdleSum> sums;
  for (const IdlePart& part : times.parts) sums[key_of(part)].add(part);
  return sums;
}

// Gaps of at least the given length.
IdleTimes only_from(IdleTimes times, Time least) {
  if (least <= 0) return times;
  std::erase_if(times.parts, [&](const IdlePart& part) { return times.gaps[part.gap].time.length() < least; });
  std::erase_if(times.gaps, [&](const IdleGap& gap) { return gap.time.length() < least; });
  return times;
}

Panel facts_panel(const IdleContext& of) {
  Time longest = 0;
  for (const IdleGap& gap : of.times.gaps) longest = std::max(longest, gap.time.length());
  const Time idle = of.gaps - of.unknown;
  FactSheet sheet;
  const auto doc = [](const MetricDoc& each) { return each.text(); };
  const auto per = static_cast<double>(of.steps * of.devices);
  sheet.facts = {
      {"Idle per step", Cell{static_cast<double>(idle) / per}, Unit::ns,
       doc({"Time of a step in which nothing ran on a device: no kernel, copy, fill or collective. Mean over steps and devices.",
            "idle time / (steps * devices)", kSource})},
      {"Share of the step", share_cell(idle, of.times.steps), Unit::share,
       doc({"Idle share of the steps.", "idle time / (length of the steps * devices)", kSource})},
      {"Idle time", Cell{idle}, Unit::ns,
       doc({"All gaps in scope minus Not known. The causes below sum exactly to Idle time + Not known.",
            "sum of gaps - not known", kSource})},
      {"Gaps", Cell{std::ssize(of.times.gaps)}, Unit::count,
       doc({"Intervals without recorded work on a device.", "number of gaps", kSource})},
      {"Longest gap", Cell{longest}, Unit::ns, doc({"The longest of them.", "largest length", kSource})}};
  if (of.unknown > 0) {
    sheet.facts.push_back(
        {"Not known", Cell{of.unknown}, Unit::ns,
         doc({"Gaps in which the device may have done work that is not recorded.", "sum of the parts of gaps", kSource})});
  }
  return {.id = "facts", .title = "Idle time", .content = std::move(sheet)};
}

void add_panels(Report& report, const IdleContext& of) {
  report.panels.push_back(facts_panel(of));
  std::vector<CauseRow> causes;
  for (const auto& [cause, sum] : sums_by<IdleCause>(of.times, [](const IdlePart& part) { return part.cause; }))
    causes.push_back({cause, sum});
  std::stable_sort(causes.begin(), causes.end(), [](const CauseRow& a, const CauseRow& b) { return a.sum.time > b.sum.time; });
  std::vector<CulpritRow> culprits;
  for (const auto& [culprit, sum] :
       sums_by<Culprit>(of.times, [&](const IdlePart& part) { return culprit_of(of.profile, part); }))
    culprits.push_back({culprit, sum});
  std::stable_sort(culprits.begin(), culprits.end(),
                   [](const CulpritRow& a, const CulpritRow& b) { return a.sum.time > b.sum.time; });
  const auto put = [&](ReportTable table, std::string id, Message title) {
    hide_unknown_columns(table);
    const std::string key = table.key;
    report.tables.push_back(std::move(table));
    report.panels.push_back({.id = std::move(id), .title = std::move(title), .content = PlainTable{key}});
    report.panels.back().empty = "The device was never idle.";
  };
  put(cause_table().of(of, causes), "causes", "By cause");
  report.tables.back().row_links = links();
  BarChart bars{.table = "lengths", .x = "length", .stacked = true};
  for (std::size_t cause = 0; cause < kIdleCauses; ++cause) {
    if (of.used[cause]) bars.series.push_back(cause_key(cause));
  }
  if (!bars.series.empty())
    report.panels.push_back({.id = "histogram", .title = "Time of gaps by length and cause", .content = std::move(bars)});
  put(culprit_table().of(of, culprits), "culprits", "By what caused it");
  report.tables.back().row_links = links();
  put(gap_length_table().of(of, gap_lengths(of.times)), "lengths", "Gaps by length");
}

Result<Report> run_idle(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const auto step = chosen_step(*profile, input.parameters.text("step"));
  if (!step) return step.error();
  const auto device = optional_number("device", input.parameters.text("device"));
  if (!device) return device.error();
  const StepWindows steps = step_windows(*profile);
  std::vector<Interval> windows;
  for (const StepWindow& each : steps.kept) {
    if (!*step || each.number == (*step)->number) windows.push_back(each.window);
  }
  if (windows.empty() && *step) windows.push_back((*step)->window);
  std::vector<WorkInterval> work = *work_by_start(profile);
  if (*device) std::erase_if(work, [&](const WorkInterval& each) { return profile->device_work.device[each.work] != **device; });
  const IdleTimes times =
      only_from(find_idle_causes(*profile, merge(windows), work), static_cast<Time>(input.parameters.integer("least")));
  std::vector<std::int64_t> devices;
  for (const WorkInterval& each : work) devices.push_back(profile->device_work.device[each.work]);
  std::sort(devices.begin(), devices.end());
  devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
  IdleContext context{.profile = *profile, .times = times};
  context.steps = std::max<std::size_t>(1, windows.size());
  context.devices = std::max<std::size_t>(1, devices.size());
  for (const IdleGap& gap : times.gaps) context.gaps += gap.time.length();
  for (const IdlePart& part : times.parts) {
    context.used[static_cast<std::size_t>(part.cause)] = true;
    if (!is_known(part.cause)) context.unknown += part.time.length();
  }
  Report report{.view = "idle", .title = "Idle time"};
  report.parameters.push_back(step_parameter(*profile, input.parameters));
  report.scope = *step ? say("step {}", (*step)->number) : scope_words(steps);
  if (*device && devices.empty()) return Error{ErrorCode::invalid_argument, say("device {} did no work", **device), "device"};
  add_panels(report, context);
  return report;
}

std::optional<Message> idle_unavailable(const Profile& profile) {
  if (profile.device_work.rows() > 0) return std::nullopt;
  return "no device activity was recorded";
}

std::vector<ReportTable> idle_tables() { return {cause_table().blank(), culprit_table().blank(), gap_length_table().blank()}; }

}  // namespace

Analysis idle_analysis() {
  return {.id = "idle",
          .title = "Idle time",
          .group = ViewGroup::where_time_went,
          .doc = "Why the devices were idle: the cause of each gap, and the call or code that caused it.",
          .parameters = {{"step", "Step", ParameterType::text, "", {}, "Only the step of this number"},
                         {"device", "Device", ParameterType::text, "", {}, "Only the device of this number"},
                         {"least", "Shortest gap, ns", ParameterType::integer, "0", {}, "Shorter gaps are left out"}},
          .unavailable = idle_unavailable,
          .run = run_idle,
          .tables = idle_tables,
          .slow = true};
}

}  // namespace sightline::analyses

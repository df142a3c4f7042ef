// Idle time: why the devices were idle, by cause and by what caused it.
#include <algorithm>
#include <set>
#include <tuple>

#include "analyses/columns.h"
#include "analyses/idle/idle_culprits.h"
#include "analyses/length_ranges.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kSource = "device work, the calls that launched it, and the ranges of the launching thread";

// Parts of gaps with something in common.
struct IdleSum {
  std::int64_t gaps = 0;
  Time time = 0;
  Interval longest{};
  Interval last{};  // the parts added last, as far as they touch

  // `gap`: the number of the part's gap, from 1 on.
  void add(Interval part, std::int64_t gap) {
    if (gap != last_gap) ++gaps;
    last = {gap == last_gap && part.start == last.end ? last.start : part.start, part.end};
    last_gap = gap;
    time += part.length();
    if (last.length() > longest.length()) longest = last;
  }

 private:
  std::int64_t last_gap = 0;
};

struct GapLengths {
  std::size_t range = 0;
  std::int64_t gaps = 0;
  Time time = 0;
  std::array<Time, kIdleCauses> of{};  // by cause
};

// The chosen gaps, summed in one pass.
struct IdleContext {
  const Profile& profile;
  std::size_t steps = 1, devices = 1;
  Time step_time = 0;  // length of the steps, times the devices
  std::int64_t count = 0;
  Time gaps = 0;     // sum of all gaps
  Time unknown = 0;  // of it, what a graph may have been busy that was not recorded
  Time longest = 0;
  std::array<IdleSum, kIdleCauses> causes{};
  std::vector<IdleSum> culprits{};
  std::array<GapLengths, kLengthRanges> lengths{};

  bool is_used(std::size_t cause) const { return causes[cause].gaps > 0; }

  void add(const ExplainedGap& each) {
    const Time length = each.gap.time.length();
    ++count;
    gaps += length;
    longest = std::max(longest, length);
    GapLengths& of_length = lengths[length_range(length)];
    ++of_length.gaps;
    of_length.time += length;
    for (std::size_t i = 0; i < each.parts.size(); ++i) {
      const auto cause = static_cast<std::size_t>(each.parts[i].cause);
      causes[cause].add(each.parts[i].time, count);
      culprits[each.culprits[i]].add(each.parts[i].time, count);
      of_length.of[cause] += each.parts[i].time.length();
      if (!is_known(each.parts[i].cause)) unknown += each.parts[i].time.length();
    }
  }
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
            [](const IdleContext& of, const Row& row) { return quotient(row.sum.time, of.step_time); });
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

struct CulpritRow {
  Culprit culprit;
  IdleSum sum;
};

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
              [cause](const IdleContext& of, const GapLengths& row) { return of.is_used(cause) ? row.of[cause] : kUnknown; });
  }
  return table;
}

std::vector<GapLengths> length_rows(const IdleContext& of) {
  std::vector<GapLengths> rows(of.lengths.begin(), of.lengths.end());
  for (std::size_t range = 0; range < rows.size(); ++range) rows[range].range = range;
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

std::vector<CauseRow> cause_rows(const IdleContext& of) {
  std::vector<CauseRow> rows;
  for (std::size_t cause = 0; cause < kIdleCauses; ++cause) {
    if (of.is_used(cause)) rows.push_back({static_cast<IdleCause>(cause), of.causes[cause]});
  }
  sort_down(rows, [](const CauseRow& each) { return each.sum.time; });
  return rows;
}

std::vector<CulpritRow> culprit_rows(const IdleContext& of, const std::vector<Culprit>& culprits) {
  std::vector<CulpritRow> rows;
  for (std::size_t culprit = 0; culprit < culprits.size(); ++culprit) {
    if (of.culprits[culprit].gaps > 0) rows.push_back({culprits[culprit], of.culprits[culprit]});
  }
  std::sort(rows.begin(), rows.end(), [&](const CulpritRow& a, const CulpritRow& b) {
    const auto key = [&](const CulpritRow& row) {
      return std::tuple(-row.sum.time, row.culprit.cause, of.profile.text(row.culprit.name),
                        of.profile.text(row.culprit.operator_name), row.culprit.place);
    };
    return key(a) < key(b);
  });
  return rows;
}

Panel facts_panel(const IdleContext& of) {
  const Time idle = of.gaps - of.unknown;
  FactSheet sheet;
  const auto doc = [](const MetricDoc& each) { return each.text(); };
  const auto per = static_cast<double>(of.steps * of.devices);
  sheet.facts = {
      {"Idle per step", Cell{static_cast<double>(idle) / per}, Unit::ns,
       doc({"Time of a step in which nothing ran on a device: no kernel, copy, fill or collective. Mean over steps and devices.",
            "idle time / (steps * devices)", kSource})},
      {"Share of the step", share_cell(idle, of.step_time), Unit::share,
       doc({"Idle share of the steps.", "idle time / (length of the steps * devices)", kSource})},
      {"Idle time", Cell{idle}, Unit::ns,
       doc({"All gaps in scope minus Not known. The causes below sum exactly to Idle time + Not known.",
            "sum of gaps - not known", kSource})},
      {"Gaps", Cell{of.count}, Unit::count, doc({"Intervals without recorded work on a device.", "number of gaps", kSource})},
      {"Longest gap", Cell{of.longest}, Unit::ns, doc({"The longest of them.", "largest length", kSource})}};
  if (of.unknown > 0) {
    sheet.facts.push_back(
        {"Not known", Cell{of.unknown}, Unit::ns,
         doc({"Gaps in which the device may have done work that is not recorded.", "sum of the parts of gaps", kSource})});
  }
  return {.id = "facts", .title = "Idle time", .content = std::move(sheet)};
}

void add_panels(Report& report, const IdleContext& of, const std::vector<Culprit>& culprits) {
  report.panels.push_back(facts_panel(of));
  const auto put = [&](ReportTable table, std::string id, Message title) {
    hide_unknown_columns(table);
    const std::string key = table.key;
    report.tables.push_back(std::move(table));
    report.panels.push_back({.id = std::move(id), .title = std::move(title), .content = PlainTable{key}});
    report.panels.back().empty = "The device was never idle.";
  };
  put(cause_table().of(of, cause_rows(of)), "causes", "By cause");
  report.tables.back().row_links = links();
  BarChart bars{.table = "lengths", .x = "length", .stacked = true};
  for (std::size_t cause = 0; cause < kIdleCauses; ++cause) {
    if (of.is_used(cause)) bars.series.push_back(cause_key(cause));
  }
  if (!bars.series.empty())
    report.panels.push_back({.id = "histogram", .title = "Time of gaps by length and cause", .content = std::move(bars)});
  put(culprit_table().of(of, culprit_rows(of, culprits)), "culprits", "By what caused it");
  report.tables.back().row_links = links();
  put(gap_length_table().of(of, length_rows(of)), "lengths", "Gaps by length");
}

Result<Report> run_idle(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const auto step = chosen_step(profile, input.parameters.text("step"));
  if (!step) return step.error();
  const auto device = optional_number("device", input.parameters.text("device"));
  if (!device) return device.error();
  const std::shared_ptr<const StepWindows> all_steps = steps_of(profile);
  const StepWindows& steps = *all_steps;
  std::vector<Interval> windows;
  for (const StepWindow& each : steps.kept) {
    if (!*step || each.number == (*step)->number) windows.push_back(each.window);
  }
  // A step that means leave out is not among those that are explained already.
  const bool is_kept = !windows.empty();
  if (!is_kept && *step) windows.push_back((*step)->window);
  const std::shared_ptr<const ExplainedIdle> idle =
      is_kept || !*step ? explained_idle(profile) : std::make_shared<const ExplainedIdle>(explain_idle(profile, windows));
  std::set<std::int64_t> devices;
  for (const std::int64_t each : profile->device_work.device) {
    if ((!*device || each == **device) && (devices.empty() || each != *devices.rbegin())) devices.insert(each);
  }
  IdleContext context{.profile = *profile,
                      .steps = std::max<std::size_t>(1, windows.size()),
                      .devices = std::max<std::size_t>(1, devices.size()),
                      .step_time = total_length(merge(windows)) * std::ssize(devices)};
  context.culprits.resize(idle->culprits->size());
  const IdleChoice choice{.windows = is_kept && *step ? std::optional(merge(windows)) : std::nullopt,
                          .device = *device,
                          .least = static_cast<Time>(input.parameters.integer("least"))};
  each_gap(*idle, choice, [&](const ExplainedGap& gap) { context.add(gap); });
  Report report{.view = "idle", .title = "Idle time"};
  report.parameters.push_back(step_parameter(profile, input.parameters));
  report.scope = *step ? say("step {}", (*step)->number) : scope_words(steps);
  if (*device && devices.empty()) return Error{ErrorCode::invalid_argument, say("device {} did no work", **device), "device"};
  add_panels(report, context, *idle->culprits);
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

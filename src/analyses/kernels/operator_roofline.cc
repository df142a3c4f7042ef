// Operators by name, shapes and precision, or kernels by name: how fast they were, how fast they could be, and how much time that
// would save.
#include "analyses/kernels/operator_roofline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analyses/columns.h"
#include "analyses/costs/cost_columns.h"
#include "analyses/costs/costed_calls.h"
#include "analyses/devices/device_activity.h"
#include "analyses/devices/device_totals.h"
#include "analyses/group_index.h"
#include "analyses/peaks/device_peaks.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kFormulaSource = "shapes and types of the operators' inputs, by the formula of each operator";
constexpr std::string_view kCallTime = "durations of the device work that the calls caused";

// ---- groups of calls ----

struct CostGroup {
  StringId name, shapes, precision, family;
  CostSums costs;
  Row longest = kNoRow;  // row of slices: its device work
};

// What the groups of a report are compared with.
struct CostContext {
  Time device_time = 0;  // of all work of the device
};

bool ran_on(const Profile& profile, Row work, std::int64_t device) {
  return profile.lanes.device[profile.slices.lane[work]] == device;
}

enum class Grouping { operators, kernels, families };

CostGroup key_of_call(const Profile& profile, Row call, Grouping grouping) {
  const OperatorCosts& costs = profile.operator_costs;
  const Row cost = profile.costed_calls.cost[call];
  switch (grouping) {
    case Grouping::operators:
      return {costs.name[cost], costs.input_shapes[cost], costs.precision[cost], costs.family[cost], {}, kNoRow};
    case Grouping::kernels:
      return {profile.slices.name[profile.costed_calls.work[call]],
              StringId::none,
              costs.precision[cost],
              costs.family[cost],
              {},
              kNoRow};
    case Grouping::families: break;
  }
  return {costs.family[cost], StringId::none, StringId::none, costs.family[cost], {}, kNoRow};
}

void add_call(const Profile& profile, CostGroup& group, Row call, const CostSums& costs) {
  group.costs.add(costs);
  const Row work = profile.costed_calls.work[call];
  const auto& duration = profile.slices.duration;
  if (group.longest == kNoRow || duration[work] > duration[group.longest]) group.longest = work;
}

// The largest time to win first; without peaks, the longest.
std::vector<CostGroup> group_calls(const Profile& profile, std::int64_t device, Grouping grouping) {
  const CallCosts costs(profile);
  GroupIndex<3> keys;
  std::vector<CostGroup> groups;
  for (Row call = 0; call < profile.costed_calls.rows(); ++call) {
    if (!ran_on(profile, profile.costed_calls.work[call], device)) continue;
    CostGroup key = key_of_call(profile, call, grouping);
    const std::uint32_t group = keys.number_of({static_cast<std::uint32_t>(key.name), static_cast<std::uint32_t>(key.shapes),
                                                static_cast<std::uint32_t>(key.precision)});
    if (group == groups.size()) groups.push_back(std::move(key));
    add_call(profile, groups[group], call, costs.of(call));
  }
  std::stable_sort(groups.begin(), groups.end(), [](const CostGroup& a, const CostGroup& b) {
    return a.costs.to_win != b.costs.to_win ? a.costs.to_win > b.costs.to_win : a.costs.time > b.costs.time;
  });
  return groups;
}

// ---- tables ----

using CostTable = TableOf<CostGroup, Profile, CostContext>;

// A cell of the sums.
template <typename ValueOf>
auto of_costs(ValueOf value_of) {
  return [value_of](const Profile&, const CostContext&, const CostGroup& group) { return value_of(group.costs); };
}

void add_call_columns(CostTable& table) {
  table.add(integer_column("calls", "Calls", Unit::count,
                           {"How often it was called.", "number of calls that caused device work", "operators with a formula"}),
            of_costs([](const CostSums& of) { return of.calls; }));
  table.add(integer_column(
                "time", "Device time", Unit::ns,
                {"Device time that its calls caused; parallel work on several streams is added.", "sum of durations", kCallTime})
                .with_bar("share"),
            of_costs([](const CostSums& of) { return of.time; }));
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the device time.", "device time / sum of the durations of all work of the device", kCallTime}),
            [](const Profile&, const CostContext& context, const CostGroup& group) {
              return quotient(group.costs.time, context.device_time);
            });
}

void add_amount_columns(CostTable& table) {
  table.add(real_column("flops", "Operations", Unit::flops,
                        {"Floating-point operations.", "sum; a multiplication with an addition is two", kFormulaSource})
                .with_unknown("the formula gives no operations, or the inputs were not recorded"),
            of_costs([](const CostSums& of) { return of.flops_time > 0 ? of.flops : kUnknownNumber; }));
  table.add(real_column("bytes", "Bytes", Unit::bytes,
                        {"Bytes of the inputs and of the results.", "sum; each input is read once, each result written once",
                         kFormulaSource})
                .with_unknown("the formula gives no bytes, or the inputs were not recorded"),
            of_costs([](const CostSums& of) { return of.bytes_time > 0 ? of.bytes : kUnknownNumber; }));
  table.add(real_column("intensity", "Arithmetic intensity", Unit::flops_per_byte,
                        {"Operations per byte.", "operations / bytes", kFormulaSource})
                .with_unknown("its operations or its bytes are not known"),
            of_costs([](const CostSums& of) { return of.flops > 0 ? of.intensity() : kUnknownNumber; }));
}

void add_limit_columns(CostTable& table) {
  table.add(words_column("limit", "Limited by",
                         "What takes most of the attainable time: computing, memory, or latency where a call is so short (under "
                         "2 µs at the peaks) that starting it takes longer")
                .with_unknown("the device's peaks are not known"),
            of_costs([](const CostSums& of) { return limit_words(of.limit()); }));
  table.add(
      flag_column("at_least", "At least", {"Whether calls may need more operations or bytes than these.", "", kFormulaSource})
          .hide(),
      of_costs([](const CostSums& of) { return of.at_least; }));
}

CostTable roofline_points(bool by_kernel) {
  CostTable table({.key = "points", .title = "Time to win", .sort_column = "to_win", .row_links = timeline_links()});
  table.add(label_column("name", "Name", by_kernel ? "The longest kernel of the calls" : "Operator"),
            [](const Profile&, const CostContext&, const CostGroup& group) { return group.name; });
  if (!by_kernel) {
    table.add(code_column("input_shape", "Input shapes", "Shapes of the inputs; [] is a scalar or an absent tensor")
                  .with_unknown("recorded without shapes"),
              [](const Profile&, const CostContext&, const CostGroup& group) { return group.shapes; });
  }
  table.add(code_column("precision", "Precision", "Element type that it computes with").with_unknown("it is not known"),
            [](const Profile&, const CostContext&, const CostGroup& group) { return group.precision; });
  add_call_columns(table);
  table.add_all(cost_columns(), [](const Profile&, const CostContext&, const CostGroup& group) { return group.costs; });
  add_limit_columns(table);
  add_amount_columns(table);
  table.add(longest_slice_column("of its device work"),
            [](const Profile&, const CostContext&, const CostGroup& group) { return group.longest; });
  if (!by_kernel) table.add_link({"Reproduce", "reproduce", {{"name", "$name"}, {"input_shape", "$input_shape"}}});
  return table;
}

CostTable cost_families() {
  CostTable table({.key = "families", .title = "Operators by category", .sort_column = "time"});
  table.add(label_column("family", "Category", "Operators that share a formula").with_code(false),
            [](const Profile&, const CostContext&, const CostGroup& group) { return group.family; });
  add_call_columns(table);
  table.add_all(cost_columns(), [](const Profile&, const CostContext&, const CostGroup& group) { return group.costs; });
  add_limit_columns(table);
  return table;
}

// Device work without a cost: what caused it, and what ran.
struct WithoutCost {
  StringId owner, kernel;
  std::int64_t calls = 0;
  Time time = 0;
  Row longest = kNoRow;
};

TableOf<WithoutCost, Profile, CostContext> work_without_cost() {
  TableOf<WithoutCost, Profile, CostContext> table(
      {.key = "without_cost", .title = "Device work without a cost", .sort_column = "time", .row_links = timeline_links()});
  table.add(label_column("kernel", "Device work", "Name of the kernel, copy or fill"), &WithoutCost::kernel);
  table.add(code_column("operator", "Operator", "The host range that caused it: neither it nor a range around it has a formula")
                .with_unknown("not attributed to any host range"),
            &WithoutCost::owner);
  table.add(integer_column("calls", "Calls", Unit::count, {"How often it ran.", "number of slices", "device work"}),
            &WithoutCost::calls);
  table.add(integer_column("time", "Device time", Unit::ns, {"Their time.", "sum of durations", "device work"}).with_bar("share"),
            &WithoutCost::time);
  table.add(
      real_column("share", "Share", Unit::share,
                  {"Share of the device time.", "time / sum of the durations of all work of the device", "device work"}),
      [](const Profile&, const CostContext& context, const WithoutCost& row) { return quotient(row.time, context.device_time); });
  table.add(longest_slice_column("of them"), &WithoutCost::longest);
  return table;
}

std::vector<WithoutCost> gather_without_cost(const Profile& profile, std::int64_t device) {
  const std::vector<Row> calls = calls_of_work(profile);
  GroupIndex<2> keys;
  std::vector<WithoutCost> rows;
  for (Row work = 0; work < calls.size(); ++work) {
    const Row slice = profile.device_work.slice[work], owner = profile.device_work.owner[work];
    if (calls[work] != kNoRow || !ran_on(profile, slice, device)) continue;
    const StringId cause = owner == kNoRow ? StringId::none : profile.slices.name[owner], kernel = profile.slices.name[slice];
    const std::uint32_t group = keys.number_of({static_cast<std::uint32_t>(cause), static_cast<std::uint32_t>(kernel)});
    if (group == rows.size()) rows.push_back({.owner = cause, .kernel = kernel, .longest = slice});
    WithoutCost& row = rows[group];
    const Time duration = profile.slices.duration[slice];
    ++row.calls;
    row.time += duration;
    if (duration > profile.slices.duration[row.longest]) row.longest = slice;
  }
  sort_down(rows, [](const auto& each) { return each.time; });
  return rows;
}

// ---- panels ----

// The peaks of the precisions that take most of the time on matrix units, at most three, and the memory's.
std::vector<Ceiling> ceilings_of(const Profile& profile, const std::vector<CostGroup>& groups, const PeaksOf& peaks) {
  std::map<std::string_view, Time> times;
  for (const CostGroup& group : groups) {
    const std::string_view precision = profile.text(group.precision);
    if (group.costs.flops_time > 0 && !std::isnan(peaks.flops(precision, "matrix"))) times[precision] += group.costs.time;
  }
  std::vector<std::pair<Time, std::string_view>> order;
  for (const auto& [precision, time] : times) order.emplace_back(-time, precision);
  std::sort(order.begin(), order.end());
  constexpr std::size_t kMostLines = 3;
  order.resize(std::min(order.size(), kMostLines));
  std::vector<Ceiling> ceilings;
  for (const auto& [time, precision] : order) {
    Ceiling ceiling;
    ceiling.label = say("peak {}", precision);
    ceiling.flat = peaks.flops(precision, "matrix");
    ceilings.push_back(std::move(ceiling));
  }
  if (std::isnan(peaks.bandwidth())) return ceilings;
  Ceiling bandwidth;
  bandwidth.label = "peak bandwidth";
  bandwidth.slope = peaks.bandwidth();
  ceilings.push_back(std::move(bandwidth));
  return ceilings;
}

Panel roofline_chart(const Profile& profile, const std::vector<CostGroup>& groups, const PeaksOf& peaks) {
  ScatterChart chart{.table = "points", .label = "name", .value = "time", .x = "intensity", .y = "flops_rate"};
  chart.ceilings = ceilings_of(profile, groups, peaks);
  Panel panel{.id = "roofline", .title = "Roofline", .content = std::move(chart)};
  panel.doc =
      MetricDoc{
          "Operations per second of each, over its operations per byte. A point above a slope had its data in a "
          "cache; none can be above the flat line of its precision.",
          "y = operations / device time; x = operations / bytes", kFormulaSource}
          .text();
  panel.empty = "No work here has both known operations and known bytes.";
  return panel;
}

Panel facts_of_costs(const CostSums& all, const CostCoverage& coverage, const PeaksOf& peaks) {
  FactSheet sheet;
  const auto add = [&](Message label, double value, Unit unit, const MetricDoc& doc, Message unknown) {
    sheet.facts.push_back({std::move(label), cell(value), unit, doc.text(), std::move(unknown)});
  };
  add("Device time with a cost", coverage.share(), Unit::share,
      {"Share of the device time that operators with a formula caused; all figures here are of that part.",
       "sum of the durations of the device work of calls with a cost / sum of the durations of the device work that recorded "
       "ranges "
       "caused, without collectives and copies between host and device",
       kCallTime},
      "there is no device time");
  add("Of attainable", all.of_attainable(), Unit::share,
      {"Share of the speed that the peaks of the device allow, over all calls with a cost.",
       "sum of attainable times / sum of the durations of their device work", kFormulaSource},
      "the device's peaks are not known");
  add("Time to win", all.time_to_win(), Unit::ns,
      {"Device time that would be saved if each call took no longer than the peaks allow.",
       "sum over calls of max(0, duration of its device work - attainable time)", kFormulaSource},
      "the device's peaks are not known");
  for (const auto& [precision, flops] : peaks.all())
    add(say("Peak {}", precision), flops, Unit::flops_per_second, {"Dense operations per second.", "", "the data sheet"}, "");
  add("Peak bandwidth", peaks.bandwidth(), Unit::bytes_per_second,
      {"Bytes per second to and from device memory.", "", "the data sheet"},
      "no figure is known for this device: --peak bandwidth=3.35T gives one");
  for (const std::string& source : peaks.sources())
    sheet.facts.push_back({"Source of the peaks", Cell{source}, Unit::none, "Where the peaks come from", ""});
  return {.id = "costs", .title = "Costs", .content = std::move(sheet)};
}

void add_cost_notes(Report& report, const CostSums& all, const CostCoverage& coverage, const PeaksOf& peaks) {
  report.notes.push_back({Note::Level::info, say("{} of the device time that recorded ranges caused has a cost, collectives and "
                                                 "copies over the link left out; the rest is "
                                                 "below.",
                                                 share_words(coverage.share()))});
  constexpr double kWorthSaying = 0.001;
  const double without_range = quotient(coverage.without_range, coverage.device_time);
  if (without_range >= kWorthSaying)
    report.notes.push_back(
        {Note::Level::info,
         say("No recorded range caused {} of the device time, so the costs of that are unknown.", share_words(without_range))});
  if (!peaks.any()) {
    report.notes.push_back(
        {Note::Level::warning,
         "The peaks of this device are not known, so no limits are drawn: --peak bf16=989T --peak bandwidth=3.35T gives them."});
  }
  if (all.impossible > 0) {
    report.notes.push_back({Note::Level::warning, say("{} took less time than computing takes at the peak: a peak, a shape or a "
                                                      "precision is wrong.",
                                                      count_words(all.impossible, "{} call", "{} calls"))});
  }
  if (all.beyond_memory > 0) {
    report.notes.push_back({Note::Level::info, say("{} moved their bytes faster than the device's memory can: the data was in a "
                                                   "cache.",
                                                   count_words(all.beyond_memory, "{} call", "{} calls"))});
  }
}

void add_table(Report& report, ReportTable table, Message empty) {
  Panel panel{.id = table.key, .title = table.title, .content = PlainTable{table.key}};
  panel.empty = std::move(empty);
  report.panels.push_back(std::move(panel));
  report.tables.push_back(std::move(table));
}

void set_parameters(Report& report, const AnalysisInput& input, std::int64_t device) {
  const Profile& profile = *input.profiles.front();
  Parameter group_by = input.parameters.all()[0], of = input.parameters.all()[1];
  for (const std::int64_t each : devices_with_work(profile))
    of.choices.push_back({std::to_string(each), say("{} {}", device_words(profile).device, each)});
  of.value = std::to_string(device);
  report.parameters = {std::move(group_by), std::move(of)};
}

}  // namespace

bool has_formula_costs(const Profile& profile) { return profile.costed_calls.rows() > 0 && profile.work_costs.rows() == 0; }

Result<Report> run_operator_roofline(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const Result<std::int64_t> device = chosen_device(profile, input.parameters.text("device"));
  if (!device) return device.error();
  const bool by_kernel = input.parameters.text("group_by") == "kernel";
  const PeaksOf peaks(profile, *device);
  const CostCoverage coverage = cost_coverage(profile, *device);
  const std::vector<CostGroup> groups = group_calls(profile, *device, by_kernel ? Grouping::kernels : Grouping::operators);
  std::vector<CostGroup> families = group_calls(profile, *device, Grouping::families);
  sort_down(families, [](const auto& each) { return each.costs.time; });
  CostSums all;
  for (const CostGroup& group : families) all.add(group.costs);

  Report report{.view = "roofline", .title = "Roofline"};
  report.scope =
      say("{} of {}", count_words(all.calls, "{} call", "{} calls"), count_words(std::ssize(groups), "{} row", "{} rows"));
  set_parameters(report, input, *device);
  add_cost_notes(report, all, coverage, peaks);
  report.panels.push_back(facts_of_costs(all, coverage, peaks));
  report.panels.push_back(roofline_chart(profile, groups, peaks));
  const CostContext context{coverage.device_time};
  add_table(report, roofline_points(by_kernel).of(profile, context, groups), "No call on this device has a cost.");
  add_table(report, cost_families().of(profile, context, families), "No call on this device has a cost.");
  add_table(report, work_without_cost().of(profile, context, gather_without_cost(profile, *device)),
            "All device work has a cost.");
  return report;
}

std::vector<ReportTable> operator_roofline_tables() {
  return {roofline_points(false).blank(), cost_families().blank(), work_without_cost().blank()};
}

}  // namespace sightline::analyses

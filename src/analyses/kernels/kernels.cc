// Kernels: which kernels took the device's time (by name, by type and core, by launch properties and operator, or each call),
// which cores ran them, and counters by range where the profiler counted instead of timing.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analyses/columns.h"
#include "analyses/derived_data.h"
#include "analyses/devices/device_activity.h"
#include "analyses/facts.h"
#include "analyses/kernels/kernel_lengths.h"
#include "analyses/kernels/kernel_tables.h"
#include "analyses/programs/program_sums.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/stated_names.h"

namespace sightline::analyses {

// ---- counters inside ranges (SliceKind::measurement) ----
// Ranges by name, counters by name, both in the order of the file.

namespace {

constexpr std::string_view kCounterSource = "counters that the profiler read for each range";

struct Sum {
  double value = 0;
  std::int64_t ranges = 0;
};
constexpr Sum kNotCounted{kUnknownReal, 1};

struct MeasuredGroup {
  StringId name;
  std::int64_t ranges = 0;
  std::map<StringId, Sum> counters;

  Sum of(StringId counter) const { return counters.contains(counter) ? counters.at(counter) : kNotCounted; }
};

struct Counted {
  std::vector<MeasuredGroup> groups;
  std::vector<StringId> counters;
  std::map<StringId, bool> whole;  // by counter: all its values are whole numbers, so they count something
};

Counted count(const Profile& p, std::string_view search, bool single) {
  Counted counted;
  std::map<StringId, std::size_t> group_of;
  const WorkFacts& facts = p.work_facts;
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (p.slices.kind[slice] != SliceKind::measurement) continue;
    const StringId name = p.slices.name[slice];
    if (!contains_text(p.text(name), search)) continue;
    const auto [at, is_new] = group_of.try_emplace(name, counted.groups.size());
    if (is_new || single) {
      at->second = counted.groups.size();
      counted.groups.push_back({name, 0, {}});
    }
    MeasuredGroup& group = counted.groups[at->second];
    ++group.ranges;
    const auto [first, last] = std::equal_range(facts.slice.begin(), facts.slice.end(), slice);
    for (auto fact = first - facts.slice.begin(); fact != last - facts.slice.begin(); ++fact) {
      const auto row = static_cast<std::size_t>(fact);
      const double number = facts.number[row];
      if (std::isnan(number)) continue;
      const auto [known, is_first] = counted.whole.try_emplace(facts.name[row], true);
      if (is_first) counted.counters.push_back(facts.name[row]);
      known->second &= number == std::floor(number);
      Sum& sum = group.counters[facts.name[row]];
      sum.value += number;
      ++sum.ranges;
    }
  }
  return counted;
}

ReportColumn total_column(std::string_view counter) {
  const Message title = say("Total {}", counter);
  return real_column("total_" + fact_key(counter).substr(5), title, Unit::count,
                     {"What was counted in all ranges of the row.", "sum of values", kCounterSource})
      .with_unknown("not counted in these ranges");
}

ReportColumn counter_mean_column(std::string_view counter) {
  const Message title = say("Mean {}", counter);
  return real_column("mean_" + fact_key(counter).substr(5), title, Unit::none,
                     {"What was counted in a range, on average.", "sum of values / ranges that have one", kCounterSource})
      .with_unknown("not counted in these ranges");
}

using MeasuredTable = TableOf<MeasuredGroup, Profile>;

MeasuredTable measured_ranges() {
  MeasuredTable table({.key = "measurements", .title = "Counters by range"});
  table.add(label_column("name", "Name", "Name of the range, or of the kernel if each kernel was a range"), &MeasuredGroup::name);
  table.add(integer_column("ranges", "Ranges", Unit::count, {"Ranges of this name.", "number of ranges", kCounterSource}),
            &MeasuredGroup::ranges);
  return table;
}

// `with_total`: the counter counts something, so its values add up.
void add_counter(MeasuredTable& table, std::string_view title, StringId counter, bool with_total) {
  if (with_total) table.add(total_column(title), [counter](const MeasuredGroup& group) { return group.of(counter).value; });
  table.add(counter_mean_column(title), [counter](const MeasuredGroup& group) {
    const Sum sum = group.of(counter);
    return sum.value / static_cast<double>(sum.ranges);
  });
}

bool has_measurements(const Profile& profile) {
  const auto& kinds = profile.slices.kind;
  return std::find(kinds.begin(), kinds.end(), SliceKind::measurement) != kinds.end();
}

// The columns, with one example of a counter.
ReportTable blank_measurements() {
  MeasuredTable table = measured_ranges();
  add_counter(table, "(counter of the file)", StringId::none, true);
  return table.blank();
}

// One row per name of a range or, if `single`, per range. Only names that contain `search`, in the order of the file.
ReportTable measurement_table(const Profile& profile, std::string_view search, bool single) {
  const Counted counted = count(profile, search, single);
  MeasuredTable table = measured_ranges();
  for (const StringId counter : counted.counters) add_counter(table, profile.text(counter), counter, counted.whole.at(counter));
  return table.of(profile, counted.groups);
}

}  // namespace

// ---- the view ----

namespace {

// The view's parameters that every link within it keeps.
LinkParameters kept(const Parameters& given, std::initializer_list<std::string_view> keys) {
  LinkParameters parameters;
  for (const std::string_view key : keys) parameters.emplace_back(key, given.text(key));
  return parameters;
}

LinkParameters with(LinkParameters first, const LinkParameters& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

void add_links(ReportTable& table, const std::string& group_by, const Parameters& given) {
  const LinkParameters scope = kept(given, {"step", "device"});
  if (group_by == "source") {
    table.row_links.push_back({"Longest on the timeline", "timeline", {{"slice", "$longest_slice"}}});
    return;
  }
  if (group_by == "launch") {
    table.row_links.push_back({"All kernels of this operator", "kernels", with({{"operator", "$operator"}}, scope)});
  } else if (group_by == "name") {
    for (const auto& [title, grouping] : {std::pair{"Launches of this kernel", "launch"}, std::pair{"Every call", "call"}}) {
      table.row_links.push_back(
          {title, "kernels", with({{"search", "$name"}, {"group_by", grouping}, {"operator", given.text("operator")}}, scope)});
    }
  } else {
    table.row_links.push_back({"Kernels of this type", "kernels",
                               with({{"type", "$type"}, {"core", "$core"}, {"operator", given.text("operator")}}, scope)});
    table.row_links.push_back({"Longest on the timeline", "timeline", {{"slice", "$longest_slice"}}});
    return;
  }
  for (RowLink& link : timeline_links()) table.row_links.push_back(std::move(link));
}

// ---- the table of kernels ----

struct ChosenKernels {
  std::vector<Row> work;  // rows of device_work
  KernelFields fields;

  friend std::int64_t held_bytes(const ChosenKernels& kernels) { return analyses::held_bytes(kernels.work); }
};

ChosenKernels choose_kernels(const ProfilePtr& profile, const KernelFilter& filter) {
  std::vector<Row> work = kernels_that_pass(*profile, *host_tree(profile), filter);
  const KernelFields fields = kernel_fields(*profile, work);
  return {std::move(work), fields};
}

// All kernels of a profile, and their groups, are found once: a search needs no other sums.
std::shared_ptr<const ChosenKernels> chosen_kernels(const ProfilePtr& profile, const KernelFilter& filter) {
  if (!filter.includes_all()) return std::make_shared<const ChosenKernels>(choose_kernels(profile, filter));
  return derived<ChosenKernels>(profile, [](const ProfilePtr& of) { return choose_kernels(of, {}); });
}

std::shared_ptr<const KernelGroups> chosen_groups(const ProfilePtr& profile, const KernelFilter& filter,
                                                  const std::vector<Row>& kernels, const Facts& facts, KernelGrouping grouping) {
  if (!filter.includes_all())
    return std::make_shared<const KernelGroups>(group_kernels(*profile, *host_tree(profile), kernels, facts, grouping));
  return derived<KernelGroups>(
      profile,
      [](const ProfilePtr& of, KernelGrouping by) {
        return group_kernels(*of, *host_tree(of), chosen_kernels(of, {})->work, Facts(*of), by);
      },
      grouping);
}

// Which groups the search and the choice of matrix units leave.
std::vector<bool> shown_groups(const Profile& profile, const KernelGroups& groups, KernelGrouping grouping,
                               const Parameters& given) {
  const std::string& search = given.text("search");
  const std::string& use = given.text("tensor_cores");
  std::vector<bool> shown(groups.sums.size());
  for (std::size_t group = 0; group < shown.size(); ++group) {
    const auto has = [&](std::size_t word) { return contains_text(profile.text(groups.keys.text(group, word)), search); };
    const bool found =
        grouping == KernelGrouping::type ? has(1) || has(2) : has(0) || (grouping == KernelGrouping::launch && has(3));
    shown[group] = found && (use.empty() || use == matrix_use(groups.sums[group].core_type));
  }
  return shown;
}

// The same of single kernels.
std::vector<Row> shown_kernels(const Profile& profile, const std::vector<Row>& kernels, const Parameters& given) {
  const std::string& search = given.text("search");
  const std::string& use = given.text("tensor_cores");
  const DeviceWork& rows = profile.device_work;
  std::vector<Row> shown;
  for (const Row work : kernels) {
    const bool found = contains_text(profile.text(profile.slices.name[rows.slice[work]]), search) ||
                       (rows.owner[work] != kNoRow && contains_text(profile.text(profile.slices.name[rows.owner[work]]), search));
    if (found && (use.empty() || use == matrix_use(rows.core_type[work]))) shown.push_back(work);
  }
  return shown;
}

KernelGrouping grouping_of(const std::string& group_by) {
  return group_by == "launch"   ? KernelGrouping::launch
         : group_by == "type"   ? KernelGrouping::type
         : group_by == "source" ? KernelGrouping::source
                                : KernelGrouping::name;
}

// ---- words ----

Message attribution_words(const KernelGroups& groups) {
  const auto of = [&](OwnerRule rule) { return groups.by_rule[static_cast<std::size_t>(rule)]; };
  std::vector<Message> counts;
  const auto add = [&](OwnerRule rule, Template<1> text) {
    if (of(rule) > 0) counts.push_back(say(text, count_words(of(rule))));
  };
  add(OwnerRule::linked_id, "{} by a linked id");
  add(OwnerRule::containment, "{} by the range that was open when the launching call began");
  add(OwnerRule::device_id, "{} by an id on the kernel itself");
  add(OwnerRule::captured, "{} by the capture of the graph that ran them");
  add(OwnerRule::none, "{} not attributed");
  return say("Attributed to the host range that launched them: {}.", listed_messages(", ", std::move(counts)));
}

Message scope_of(const KernelGroups& groups, const KernelFilter& filter) {
  Message scope = count_words(groups.calls, "{} kernel", "{} kernels");
  if (!filter.operator_name.empty()) scope = say("{} of {}", scope, filter.operator_name);
  if (!filter.type.empty()) scope = say("{}, type {}", scope, filter.type);
  if (!filter.core.empty()) scope = say("{}, core {}", scope, filter.core);
  if (filter.step) scope = say("{}, step {}", scope, filter.step->number);
  if (filter.device) scope = say("{}, device {}", scope, *filter.device);
  return say("{}, with collectives, without copies", scope);
}

// ---- parameters ----

Result<KernelFilter> filter_of(const ProfilePtr& profile, const Parameters& given) {
  const auto device = optional_number("device", given.text("device"));
  if (!device) return device.error();
  const auto step = chosen_step(profile, given.text("step"));
  if (!step) return step.error();
  return KernelFilter{given.text("operator"), *device, *step, given.text("type"), given.text("core")};
}

// "All", and the different texts of the profile's kernels.
std::vector<ParameterChoice> choices_of(const Profile& profile, const Column<StringId>& texts) {
  std::set<std::string_view> known;
  StringId last = StringId::none;  // most kernels have the text of the one before
  for (Row work = 0; work < texts.size(); ++work) {
    if (texts[work] == last || !is_kernel(profile.slices.kind[profile.device_work.slice[work]])) continue;
    last = texts[work];
    known.insert(profile.text(last));
  }
  known.erase("");
  std::vector<ParameterChoice> choices{{"", "all"}};
  for (const std::string_view text : known) choices.push_back({std::string(text), std::string(text)});
  return choices;
}

// Adds the choices of this profile to the report.
void add_choices(Report& report, const Profile& profile, const Parameters& given) {
  const auto declared = [&](std::string_view key) {
    return *std::find_if(given.all().begin(), given.all().end(), [&](const Parameter& p) { return p.key == key; });
  };
  Parameter group_by = declared("group_by"), type = declared("type"), core = declared("core"), matrix = declared("tensor_cores");
  type.choices = choices_of(profile, profile.device_work.type);
  core.choices = choices_of(profile, profile.device_work.core);
  if (type.choices.size() == 1) std::erase_if(group_by.choices, [](const auto& choice) { return choice.value == "type"; });
  if (!FactName(profile, {stated::kSourceLine}).is_known())
    std::erase_if(group_by.choices, [](const auto& choice) { return choice.value == "source"; });
  matrix.title = title_word(device_words(profile).matrix);
  for (Parameter* parameter : {&group_by, &type, &core, &matrix}) report.parameters.push_back(std::move(*parameter));
}

// ---- panels ----

void add_donut(Report& report, std::string_view table, Message title, std::string_view label, std::string_view value, int top) {
  Panel panel{.id = table == "kernels" ? "total" : std::string(table),
              .title = title,
              .content = BreakdownChart{
                  .table = std::string(table), .label = std::string(label), .value = std::string(value), .top = top}};
  panel.doc = report.find_table(table)->find(value)->doc;
  panel.width = "half";
  panel.empty = "No kernel matches.";
  report.panels.push_back(std::move(panel));
}

void add_table_panel(Report& report, std::string_view table) {
  Panel panel{.id = std::string(table), .title = report.find_table(table)->title, .content = PlainTable{std::string(table)}};
  panel.empty = "No kernel matches.";
  report.panels.push_back(std::move(panel));
}

// Which cores ran the kernels: as the file names them, else whether they are matrix units.
void add_cores(Report& report, const Profile& profile, const KernelGroups& groups, const Parameters& given) {
  const bool named =
      std::any_of(groups.cores.begin(), groups.cores.end(), [](const CoreTime& of) { return of.core != StringId::none; });
  ReportTable table = named ? core_table(profile, groups.cores, groups.total) : matrix_table(profile, groups);
  LinkParameters kernels{named ? std::pair{"core", "$core"} : std::pair{"tensor_cores", "$use"}};
  RowLink link{"Kernels of this part", "kernels",
               with(std::move(kernels), kept(given, {"group_by", "operator", "step", "device"}))};
  link.direct = true;
  table.row_links.push_back(std::move(link));
  const std::string key = table.key, title = table.title;
  report.tables.push_back(std::move(table));
  add_donut(report, key, title, named ? "core" : "use", "time", 10);
}

// How long the kernels in scope are, as a chart and a table.
void add_lengths(Report& report, const Profile& profile, const std::vector<Row>& kernels) {
  report.tables.push_back(length_table(profile, kernels));
  Panel panel{.id = "length_chart",
              .title = "Kernels by length",
              .content = BarChart{.table = "lengths", .x = "length", .series = {"calls"}}};
  panel.doc = report.tables.back().find("calls")->doc;
  panel.width = "half";
  panel.empty = "No kernel matches.";
  report.panels.push_back(std::move(panel));
  add_table_panel(report, "lengths");
  report.panels.back().width = "half";
}

// ---- the view ----

// For a profile whose file states sums instead of kernels.
Report reported_report(const Profile& profile, const Parameters& given) {
  Report report{.view = "kernels", .title = "Kernels"};
  add_choices(report, profile, given);
  report.notes.push_back(
      {Note::Level::warning, "The file has only sums, no single kernels, so their names, operators and times are unknown."});
  report.tables.push_back(reported_kernels(profile, given.text("search")));
  const std::vector<CoreTime> cores = reported_cores(profile);
  Time total = 0;
  std::int64_t calls = 0;
  for (const CoreTime& core : cores) {
    total += core.total;
    calls += core.calls;
  }
  report.scope = say("{}, summed by the file itself", count_words(calls, "{} kernel", "{} kernels"));
  report.tables.push_back(core_table(profile, cores, total));
  add_donut(report, "reported_kernels", "Kernel time", "type", "total", static_cast<int>(given.integer("top")));
  add_donut(report, "cores", report.find_table("cores")->title, "core", "time", 10);
  add_table_panel(report, "reported_kernels");
  add_table_panel(report, "cores");
  return report;
}

// For a profile in which counters were measured in ranges. Profilers that measure counters do not time kernels.
void add_measurements(Report& report, const Profile& profile, const Parameters& given) {
  report.tables.push_back(measurement_table(profile, given.text("search"), given.text("group_by") == "call"));
  add_table_panel(report, "measurements");
  report.panels.back().empty = "No range matches.";
  report.notes.push_back(
      {Note::Level::info,
       "Counters were read for ranges. The start and end of a range were not measured, so no time includes it."});
}

Report measured_report(const Profile& profile, const Parameters& given) {
  Report report{.view = "kernels", .title = "Kernels"};
  const auto& kinds = profile.slices.kind;
  report.scope = say("{} with counters",
                     count_words(std::count(kinds.begin(), kinds.end(), SliceKind::measurement), "{} range", "{} ranges"));
  add_measurements(report, profile, given);
  return report;
}

Result<Report> run_kernels(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  const Result<KernelFilter> filter = filter_of(profile, given);
  if (!filter) return filter.error();
  if (!has_kernels(*profile)) {
    return has_measurements(*profile) ? measured_report(*profile, given) : reported_report(*profile, given);
  }
  const std::string& group_by = given.text("group_by");
  const KernelGrouping grouping = grouping_of(group_by);
  const auto chosen = chosen_kernels(profile, *filter);
  const std::vector<Row>& kernels = chosen->work;
  KernelFields fields = chosen->fields;
  if (grouping == KernelGrouping::type) fields.types = fields.cores = true;
  const Facts facts(*profile);
  const auto all_groups = chosen_groups(profile, *filter, kernels, facts, grouping);
  const KernelGroups& groups = *all_groups;

  Report report{.view = "kernels", .title = "Kernels"};
  report.parameters.push_back(step_parameter(profile, given));
  add_choices(report, *profile, given);
  report.scope = scope_of(groups, *filter);
  // If no host was recorded, nothing can have launched them.
  if (profile->launches.rows() > 0 || host_tree(profile)->nodes() > 0) {
    report.notes.push_back({Note::Level::info, attribution_words(groups)});
  }
  if (Message words = computed_fill_words(*profile); !words.empty())
    report.notes.push_back({Note::Level::info, std::move(words)});
  const bool single = group_by == "call";
  if (single) {
    report.tables.push_back(call_table(*profile, shown_kernels(*profile, kernels, given), facts, fields));
  } else {
    const KernelTableShape shape{grouping, fields, device_words(*profile)};
    report.tables.push_back(group_table(*profile, groups, facts, shape, shown_groups(*profile, groups, grouping, given)));
    add_links(report.tables.back(), group_by, given);
  }
  add_donut(report, "kernels", "Kernel time", grouping == KernelGrouping::type ? "type" : "name", single ? "duration" : "total",
            static_cast<int>(given.integer("top")));
  add_cores(report, *profile, groups, given);
  add_table_panel(report, "kernels");
  if (report.find_table("cores") != nullptr) add_table_panel(report, "cores");
  add_lengths(report, *profile, kernels);
  if (has_measurements(*profile)) add_measurements(report, *profile, given);
  return report;
}

std::optional<Message> kernels_unavailable(const Profile& profile) {
  if (has_kernels(profile) || has_reported_kernels(profile) || has_measurements(profile)) return std::nullopt;
  if (has_program_work(profile)) return "no kernels in this profile: the view HLO operators shows what its compiled programs ran";
  return "no kernels in this profile: record device activity as well";
}

// In the metrics page, one column represents all columns of facts.
std::vector<ReportTable> kernels_tables() {
  FactColumn any = fact_column("(figure of the file)");
  any.measure = true;
  ReportTable calls = blank_call_table(KernelFields{}, {any}, true);
  calls.title = "Every kernel";
  return {blank_group_table(KernelTableShape{}, {any}),
          std::move(calls),
          blank_core_table(),
          blank_matrix_table(),
          blank_length_table(),
          blank_reported_kernels(),
          blank_measurements()};
}

}  // namespace

Analysis kernels_analysis() {
  return {
      .id = "kernels",
      .title = "Kernels",
      .group = ViewGroup::where_time_went,
      .doc = "Which kernels took the device's time, on which cores, and how well they filled it.",
      .parameters =
          {{"group_by",
            "Group by",
            ParameterType::choice,
            "name",
            {{"name", "Kernel name"},
             {"type", "Type and core"},
             {"launch", "Kernel, operator and launch"},
             {"source", "Line of source"},
             {"call", "Nothing: every call"}},
            "Which calls are one row"},
           {"search", "Search", ParameterType::text, "", {}, "Part of the kernel's or the operator's name, in any letter case"},
           {"operator",
            "Operator",
            ParameterType::text,
            "",
            {},
            "Only kernels launched by a host range of this name, or inside one"},
           {"type", "Type", ParameterType::choice, "", {}, "Only kernels of this type, as the file names it"},
           {"core", "Core", ParameterType::choice, "", {}, "Only kernels that ran on this kind of core, as the file names it"},
           {"tensor_cores",
            "Matrix units",
            ParameterType::choice,
            "",
            {{"", "all"}, {"used", "used"}, {"not used", "not used"}, {"unknown", "unknown"}},
            "Only kernels that are known to run on matrix units, or not to, or for which this is unknown"},
           {"step", "Step", ParameterType::text, "", {}, "Only kernels launched in the step of this number"},
           {"device", "Device", ParameterType::text, "", {}, "Only kernels of the device of this number"},
           {"top", "Top", ParameterType::integer, "10", {}, "How many kernels the chart shows before the rest"}},
      .unavailable = kernels_unavailable,
      .run = run_kernels,
      .tables = kernels_tables};
}

}  // namespace sightline::analyses

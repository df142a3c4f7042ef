// Parameters, columns and cells of the views of compiled programs' operators.
#include "analyses/programs/program_columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analyses/columns.h"
#include "analyses/steps/step_windows.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kExecutions =
    "slices that execute an operator of a program, except those that only wait; or the file's own sums";
constexpr std::string_view kCostColumns = "what the file states for an execution, or its compiler for the operator";
constexpr std::string_view kPeakColumns = "peaks of the device that it ran on: devices.peak_flops, devices.peak_bandwidth";
constexpr std::string_view kNotStated = "the file does not state it";
constexpr std::string_view kNoPeaks = "its operations and bytes, or the device's peaks, are unknown";

std::string place_value(const Profile& profile, const WorkPlace& place) {
  const std::string device = place.device == kUnknown ? "-" : std::to_string(place.device);
  return place.core == StringId::none ? device : device + "/" + std::string(profile.text(place.core));
}

// By device and core, where known.
std::vector<WorkPlace> places_of(const Profile& profile, const std::vector<OperatorRun>& runs) {
  std::vector<WorkPlace> places;
  for (const OperatorRun& run : runs) {
    if (std::find(places.begin(), places.end(), run.place) == places.end()) places.push_back(run.place);
  }
  std::sort(places.begin(), places.end(), [&](const WorkPlace& a, const WorkPlace& b) {
    return std::pair(a.device, profile.text(a.core)) < std::pair(b.device, profile.text(b.core));
  });
  return places;
}

// A second.
double rate(double amount, Time time) { return quotient(amount * 1e9, static_cast<double>(time)); }

bool is_timed(const WorkSums& sums) { return !sums.untimed || sums.time > 0; }

// The time for which the wasted part is known.
double judged_time(const WorkSums& sums) { return sums.used + sums.wasted; }

double known_if(bool known, double value) { return known ? value : kUnknownNumber; }

}  // namespace

// ---- parameters ----

std::vector<Parameter> program_parameters() {
  return {{"device", "Device", ParameterType::choice, "", {}, "Only operators that ran on this device or core"},
          {"step", "Step", ParameterType::text, "", {}, "Only work that was launched, or began, in the step with this number"},
          {"times",
           "Times",
           ParameterType::choice,
           "",
           {{"", "The file's own sums, if it has any"}, {"computed", "Computed from slices"}, {"stated", "As the file states"}},
           "Where counts and times come from, when the profile has both"},
          {"search", "Search", ParameterType::text, "", {}, "Part of the operator's name, in any letter case"},
          {"top", "Top", ParameterType::integer, "10", {}, "How many parts the charts show before the rest"}};
}

void drop_single_choice(Parameter& parameter) {
  if (parameter.choices.size() == 2 && parameter.value.empty()) parameter.choices.pop_back();
}

Message with_step(const Message& scope, const Parameters& given) {
  return given.text("step").empty() ? scope : say("{}, step {}", scope, given.text("step"));
}

Result<ProgramChoice> choose_runs(Report& report, const ProfilePtr& of, const Parameters& given) {
  const Profile& profile = *of;
  const auto step = chosen_step(of, given.text("step"));
  if (!step) return step.error();
  const std::shared_ptr<const ProgramRuns> whole = program_runs(of);
  const auto declared = [&](std::string_view key) {
    return *std::find_if(given.all().begin(), given.all().end(), [&](const Parameter& p) { return p.key == key; });
  };
  ProgramChoice choice;
  choice.of = whole;
  const std::string& times = given.text("times");
  if (*step && !whole->computed.empty()) {
    choice.of = std::make_shared<const ProgramRuns>(runs_in_step(profile, **step));
    if (!whole->stated.empty()) {
      report.notes.push_back(
          {Note::Level::info, "The file's own sums cover the whole recording, so the sums of a step are computed from slices."});
    }
  } else if (*step) {
    report.notes.push_back({Note::Level::warning,
                            "No slice executes an operator, and the file's own sums cover the whole recording: they cannot be "
                            "divided among steps."});
  }
  const ProgramRuns& runs = *choice.of;
  const bool of_step = choice.of != whole;
  choice.stated = !of_step && (runs.computed.empty() || (!runs.stated.empty() && times != "computed"));
  choice.runs = choice.stated ? &runs.stated : &runs.computed;
  if (!of_step && ((times == "stated" && !choice.stated) || (times == "computed" && choice.stated))) {
    report.notes.push_back({Note::Level::info, choice.stated ? "No slice executes an operator: these are the file's own sums."
                                                             : "The file states no sums: these are computed from slices."});
  }
  Parameter of_times = declared("times");
  of_times.value = choice.stated ? "stated" : "computed";
  std::erase_if(of_times.choices, [&](const ParameterChoice& each) {
    return each.value.empty() || (each.value == "computed" ? runs.computed.empty() && !of_step : runs.stated.empty());
  });
  Parameter device = declared("device");
  device.choices = {{"", "all"}};
  for (const WorkPlace& place : places_of(profile, *choice.runs)) {
    const std::string value = place_value(profile, place);
    if (const Message title = place_title(profile, place); !title.empty()) device.choices.push_back({value, title});
    if (value == device.value) choice.place = place;
  }
  if (!device.value.empty() && !choice.place) {
    std::string known;
    for (const ParameterChoice& each : device.choices) known += each.value.empty() ? "" : " " + each.value;
    return Error{ErrorCode::invalid_argument, say("device: nothing ran on {}; available:{}", device.value, known), ""};
  }
  drop_single_choice(device);
  report.parameters.push_back(std::move(device));
  report.parameters.push_back(step_parameter(of, given));
  report.parameters.push_back(std::move(of_times));
  if (choice.stated) {
    report.notes.push_back({Note::Level::info,
                            "The file has only sums: it does not say when the operators ran, how they were nested, or how "
                            "long one execution took."});
  }
  if (std::any_of(choice.runs->begin(), choice.runs->end(), [](const OperatorRun& run) { return run.sums.untimed; })) {
    report.notes.push_back({Note::Level::warning, "The file does not state the time of some operators: they count as 0."});
  }
  return choice;
}

Message place_title(const Profile& profile, const WorkPlace& place) {
  const DeviceWords words = device_words(profile);
  const Message device = place.device == kUnknown ? Message() : say("{} {}", title_word(words.device), place.device);
  if (place.core == StringId::none) return device;
  const std::string_view name = profile.text(place.core);
  const bool is_number = name.find_first_not_of("0123456789") == std::string_view::npos;
  return sentences({device, is_number ? say("{} {}", title_word(words.core), name) : Message::verbatim(name)});
}

// ---- columns ----

TableOf<WorkPlace, Profile> place_columns(const DeviceWords& words) {
  const std::string unknown = "the file does not say where it ran";
  TableOf<WorkPlace, Profile> table;
  table.add(integer_column("device", title_word(words.device), Unit::id, {"Number of the device that it ran on", "", ""})
                .with_unknown(unknown),
            &WorkPlace::device);
  table.add(
      text_column("core", title_word(words.core), "Core or engine that it ran on, as the file names it").with_unknown(unknown),
      &WorkPlace::core);
  return table;
}

TableOf<WorkOfAll> occurrence_columns() {
  TableOf<WorkOfAll> table;
  table.add(integer_column("calls", "Occurrences", Unit::count,
                           {"How often it ran.", "number of slices that execute it, or as stated", kExecutions})
                .with_unknown(kNotStated),
            [](const WorkOfAll& of) { return of.sums.calls; });
  return table;
}

static void add_times(TableOf<WorkOfAll>& table) {
  table.add(integer_column("time", "Time", Unit::ns,
                           {"Time it took itself.",
                            "computed: sum over executions of: duration - durations of the program's operators right inside it; "
                            "stated: as the file states",
                            kExecutions})
                .with_unknown(kNotStated)
                .with_sums()
                .with_bar("share"),
            [](const WorkOfAll& of) { return is_timed(of.sums) ? of.sums.time : kUnknown; });
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the time of all operators in scope.", "time / sum of the times in scope", kExecutions})
                .with_unknown("no time")
                .with_sums(),
            [](const WorkOfAll& of) { return known_if(is_timed(of.sums), quotient(of.sums.time, of.all)); });
  table.add(integer_column("total", "Total", Unit::ns,
                           {"Time including what is nested in it.", "sum of the durations of its executions", kExecutions})
                .with_unknown("the file does not state how they are nested"),
            [](const WorkOfAll& of) { return of.sums.total; });
  table.add(real_column("mean", "Mean", Unit::ns, {"Average time of an execution.", "time / occurrences", kExecutions})
                .with_unknown(kNotStated),
            [](const WorkOfAll& of) {
              return known_if(is_timed(of.sums) && of.sums.calls > 0, quotient(of.sums.time, of.sums.calls));
            });
  table.add(integer_column("max", "Max", Unit::ns,
                           {"The longest execution, including what is nested in it.", "largest duration",
                            "slices that execute an operator of a program"})
                .with_unknown("the file states no single executions"),
            [](const WorkOfAll& of) { return of.sums.longest; });
}

static void add_costs(TableOf<WorkOfAll>& table) {
  const std::string no_flops = "its operations are unknown", no_bytes = "its bytes are unknown";
  table.add(real_column("flops", "FLOPs", Unit::flops,
                        {"Floating-point operations.", "sum over the executions with known values", kCostColumns})
                .with_unknown(no_flops),
            [](const WorkOfAll& of) { return known_if(of.sums.flops_time > 0, of.sums.flops); });
  table.add(real_column("bytes", "Bytes", Unit::bytes,
                        {"Bytes moved to and from device memory.", "sum over the executions with known values", kCostColumns})
                .with_unknown(no_bytes),
            [](const WorkOfAll& of) { return known_if(of.sums.bytes_time > 0, of.sums.bytes); });
  table.add(real_column("flop_rate", "FLOP rate", Unit::flops_per_second,
                        {"Floating-point operations per second.", "FLOPs / time; a lower bound if some executions have no value",
                         kCostColumns})
                .with_unknown(no_flops),
            [](const WorkOfAll& of) { return rate(of.sums.flops, of.sums.flops_time > 0 ? of.sums.time : 0); });
  table.add(real_column("bandwidth", "Bandwidth", Unit::bytes_per_second,
                        {"Bytes moved per second.", "bytes / time; a lower bound if some executions have no value", kCostColumns})
                .with_unknown(no_bytes),
            [](const WorkOfAll& of) { return rate(of.sums.bytes, of.sums.bytes_time > 0 ? of.sums.time : 0); });
  table.add(real_column("utilization", "Utilization", Unit::share,
                        {"How close it came to its device's peak, in the resource that it used most.",
                         "max(FLOP rate / peak FLOP rate, bandwidth / peak bandwidth), at most 1; of several operators the mean "
                         "weighted by time",
                         kPeakColumns})
                .with_unknown(kNoPeaks),
            [](const WorkOfAll& of) { return known_if(judged_time(of.sums) > 0, quotient(of.sums.used, judged_time(of.sums))); });
  table.add(real_column("wasted", "Wasted", Unit::ns,
                        {"Time that it would not have needed at the device's peak.", "time x (1 - utilization)", kPeakColumns})
                .with_unknown(kNoPeaks),
            [](const WorkOfAll& of) { return known_if(judged_time(of.sums) > 0, of.sums.wasted); });
}

TableOf<WorkOfAll> work_columns() {
  TableOf<WorkOfAll> table;
  add_times(table);
  add_costs(table);
  return table;
}

void hide_plain_total(ReportTable& table) {
  const ReportColumn* time = table.find("time");
  for (ReportColumn& column : table.columns) {
    if (column.key != "total") continue;
    bool differs = false;
    for (std::size_t row = 0; row < table.rows() && !differs; ++row) differs = column.values[row] != time->values[row];
    column.hidden |= !differs;
  }
}

TableOf<Row, Profile> about_columns() {
  TableOf<Row, Profile> table;
  const auto add = [&](ReportColumn column, Column<StringId> ProgramOperators::*texts) {
    table.add(std::move(column).with_unknown(kNotStated),
              [texts](const Profile& p, Row of) { return (p.program_operators.*texts)[of]; });
  };
  add(code_column("opcode", "Operation", "Its operation, such as dot or fusion"), &ProgramOperators::opcode);
  add(text_column("category", "Category", "Kind of operation, as the file or its compiler groups them"),
      &ProgramOperators::category);
  add(code_column("shape", "Shape", "Shape of its result"), &ProgramOperators::shape);
  add(code_column("framework", "Framework operator", "Path of the framework's operator that it was made from"),
      &ProgramOperators::framework_operator);
  add(code_column("source", "Source", "Line of the program's source, as file:line"), &ProgramOperators::source);
  return table;
}

// ---- the operators fused into one ----

std::vector<std::int64_t> fused_counts(const Profile& profile) {
  std::vector<std::int64_t> counts(profile.program_operators.rows(), 0);
  for (const Row into : profile.program_operators.fused_into) {
    if (into != kNoRow) ++counts[into];
  }
  return counts;
}

ReportColumn fused_column() {
  return integer_column(
      "fused", "Fused", Unit::count,
      {"Operators that were fused into it.", "number of operators fused into it", "the compiler, for each operator"});
}

TableOf<FusedDetail> detail_columns() {
  TableOf<FusedDetail> table;
  table.add(integer_column("row", "Row", Unit::id, {"Row of program_operators", "", ""}).hide(), &FusedDetail::program_operator);
  table.add(flag_column("has_fused", "Has fused", {"Whether operators were fused into it", "", ""}).hide(),
            &FusedDetail::has_fused);
  return table;
}

RowDetail fused_detail(const Parameters& given) {
  return {"Fused operators", "fused_operators", {{"operator", "$row"}, {"step", given.text("step")}}, "has_fused"};
}

// ---- time by device ----

namespace {

struct PlaceTime {
  WorkPlace place;
  Time time;
};

TableOf<PlaceTime, Profile, Time> places_table() {
  TableOf<PlaceTime, Profile, Time> table({.key = "places", .title = "Time by device", .sort_column = "time"});
  table.add(label_column("place", "Device", "Device, and core or engine of it")
                .with_code(false)
                .with_words(kAllRows)  // "Device 0", where the file has no word of its own
                .with_unknown("the file does not say where it ran"),
            [](const Profile& profile, Time, const PlaceTime& of) { return place_title(profile, of.place); });
  table.add(integer_column("time", "Time", Unit::ns, {"Time of the operators there.", "sum of their times", kExecutions})
                .with_bar("share"),
            &PlaceTime::time);
  table.add(
      real_column("share", "Share", Unit::share, {"Share of the time of all operators.", "time / sum of the times", kExecutions}),
      [](const Profile&, Time all, const PlaceTime& of) { return quotient(of.time, all); });
  table.add(text_column("value", "Value", "Value of the parameter that selects it").hide(),
            [](const Profile& profile, Time, const PlaceTime& of) { return place_value(profile, of.place); });
  return table;
}

}  // namespace

ReportTable blank_place_table() { return places_table().blank(); }

void add_places(Report& report, const Profile& profile, const std::vector<OperatorRun>& runs, std::string_view view,
                const LinkParameters& kept) {
  const std::vector<WorkPlace> places = places_of(profile, runs);
  if (places.size() < 2) return;
  std::map<WorkPlace, Time> times;
  Time all = 0;
  for (const OperatorRun& run : runs) {
    times[run.place] += run.sums.time;
    all += run.sums.time;
  }
  std::vector<PlaceTime> rows;
  for (const WorkPlace& place : places) rows.push_back({place, times[place]});
  ReportTable table = places_table().of(profile, all, rows);
  LinkParameters parameters{{"device", "$value"}};
  parameters.insert(parameters.end(), kept.begin(), kept.end());
  table.row_links.push_back(
      {.title = "Operators of this device", .view = std::string(view), .parameters = std::move(parameters)});
  table.row_links.back().direct = true;
  report.tables.push_back(std::move(table));
  report.panels.push_back(work_donut(report, "places", "Time by device", 10, "place"));
}

Panel work_donut(const Report& report, std::string_view table, Message title, int top, const char* label) {
  Panel panel{.id = std::string(table) + "_time",
              .title = title,
              .content = BreakdownChart{.table = std::string(table), .label = label, .value = "time", .top = top}};
  panel.width = "half";
  panel.doc = report.find_table(table)->find("time")->doc;
  panel.empty = "No operator took time here.";
  return panel;
}

}  // namespace sightline::analyses

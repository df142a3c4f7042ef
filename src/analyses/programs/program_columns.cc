// Parameters, columns and cells of the views of compiled programs' operators.
#include "analyses/programs/program_columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analyses/columns.h"
#include "analyses/steps/step_choice.h"

namespace sightline {

namespace {

constexpr std::string_view kExecutions =
    "slices that execute an operator of a program, those that only wait left out, or the file's own sums";
constexpr std::string_view kCostColumns = "what the file states for an execution, or its compiler for the operator";
constexpr std::string_view kPeakColumns = "peaks of the device that it ran on: devices.peak_flops, devices.peak_bandwidth";
constexpr std::string_view kNoPeaks = "its operations and bytes, or the device's peaks, are unknown";

std::string place_value(const Profile& profile, const WorkPlace& place) {
  const std::string device = place.device == kUnknown ? "-" : std::to_string(place.device);
  return place.core == StringId::none ? device : device + "/" + std::string(profile.text(place.core));
}

// By device and core, as far as any is known.
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

Cell rate(double amount, Time time) { return time == 0 ? Cell{} : Cell{amount * 1e9 / static_cast<double>(time)}; }

}  // namespace

// ---- parameters ----

std::vector<Parameter> program_parameters() {
  return {{"device", "Device", ParameterType::choice, "", {}, "Only what ran there: a device, or one core of it"},
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
  const auto step = chosen_step(profile, given.text("step"));
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
    return Error{ErrorCode::invalid_argument, say("device: nothing ran on {}; there is:{}", device.value, known), ""};
  }
  drop_single_choice(device);
  report.parameters.push_back(std::move(device));
  report.parameters.push_back(step_parameter(profile, given));
  report.parameters.push_back(std::move(of_times));
  if (choice.stated) {
    report.notes.push_back({Note::Level::info,
                            "These are the file's own sums: it does not say when the operators ran, how they were nested, or how "
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

std::vector<ReportColumn> place_columns(const DeviceWords& words) {
  std::vector<ReportColumn> columns{
      integer_column("device", title_word(words.device), Unit::id, {"Number of the device that it ran on", "", ""}),
      text_column("core", title_word(words.core), "Core or engine that it ran on, as the file names it")};
  for (ReportColumn& column : columns) column.unknown = "the file does not say where it ran";
  return columns;
}

void append_place_cells(std::vector<Cell>& cells, const Profile& profile, const WorkPlace& place) {
  cells.push_back(cell(place.device));
  cells.push_back(cell(profile.text(place.core)));
}

std::vector<ReportColumn> work_columns() {
  std::vector<ReportColumn> columns{
      integer_column("calls", "Occurrences", Unit::count,
                     {"How often it ran.", "number of slices that execute it, or as stated", kExecutions}),
      integer_column("time", "Time", Unit::ns,
                     {"Time it took itself.",
                      "computed: sum over executions of: duration - durations of the program's operators right inside it; "
                      "stated: as the file states",
                      kExecutions}),
      real_column("share", "Share", Unit::share,
                  {"Its part of the time of all operators in scope.", "time / sum of the times in scope", kExecutions}),
      integer_column("total", "Total", Unit::ns,
                     {"Time including what is nested in it.", "sum of the durations of its executions", kExecutions}),
      real_column("mean", "Mean", Unit::ns, {"Average time of an execution.", "time / occurrences", kExecutions}),
      integer_column("max", "Max", Unit::ns,
                     {"The longest execution, including what is nested in it.", "largest duration",
                      "slices that execute an operator of a program"}),
      real_column("flops", "FLOPs", Unit::flops,
                  {"Floating-point operations.", "sum over the executions of which they are known", kCostColumns}),
      real_column("bytes", "Bytes", Unit::bytes,
                  {"Bytes moved to and from device memory.", "sum over the executions of which they are known", kCostColumns}),
      real_column("flop_rate", "FLOP rate", Unit::flops_per_second,
                  {"Floating-point operations a second.", "FLOPs / time: at least that many where some executions do not say",
                   kCostColumns}),
      real_column("bandwidth", "Bandwidth", Unit::bytes_per_second,
                  {"Bytes moved a second.", "bytes / time: at least that many where some executions do not say", kCostColumns}),
      real_column("utilization", "Utilization", Unit::share,
                  {"How close it came to its device's peak, in the resource that it used most.",
                   "max(FLOP rate / peak FLOP rate, bandwidth / peak bandwidth), at most 1; of several operators the mean "
                   "weighted by time",
                   kPeakColumns}),
      real_column("wasted", "Wasted", Unit::ns,
                  {"Time that it would not have needed at the device's peak.", "time x (1 - utilization)", kPeakColumns})};
  const auto column = [&](std::string_view key) -> ReportColumn& {
    return *std::find_if(columns.begin(), columns.end(), [&](const ReportColumn& each) { return each.key == key; });
  };
  column("calls").unknown = column("time").unknown = column("mean").unknown = "the file does not state it";
  column("share").unknown = "no time";
  column("total").unknown = "the file does not state how they are nested";
  column("max").unknown = "the file states no single executions";
  column("flops").unknown = column("flop_rate").unknown = "its operations are unknown";
  column("bytes").unknown = column("bandwidth").unknown = "its bytes are unknown";
  column("utilization").unknown = column("wasted").unknown = kNoPeaks;
  column("time").bar = "share";
  return columns;
}

void append_work_cells(std::vector<Cell>& cells, const WorkSums& sums, Time all) {
  const bool timed = !sums.untimed || sums.time > 0;
  const auto known = sums.used + sums.wasted;
  cells.push_back(cell(sums.calls));
  cells.push_back(timed ? Cell{sums.time} : Cell{});
  cells.push_back(timed ? share_cell(sums.time, all) : Cell{});
  cells.push_back(cell(sums.total));
  cells.push_back(timed && sums.calls > 0 ? Cell{static_cast<double>(sums.time) / static_cast<double>(sums.calls)} : Cell{});
  cells.push_back(cell(sums.longest));
  cells.push_back(sums.flops_time > 0 ? Cell{sums.flops} : Cell{});
  cells.push_back(sums.bytes_time > 0 ? Cell{sums.bytes} : Cell{});
  cells.push_back(rate(sums.flops, sums.flops_time > 0 ? sums.time : 0));
  cells.push_back(rate(sums.bytes, sums.bytes_time > 0 ? sums.time : 0));
  cells.push_back(known > 0 ? Cell{sums.used / known} : Cell{});
  cells.push_back(known > 0 ? Cell{sums.wasted} : Cell{});
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

void add_about_columns(std::vector<ReportColumn>& columns) {
  const std::size_t first = columns.size();
  columns.push_back(code_column("opcode", "Operation", "Its operation, such as dot or fusion"));
  columns.push_back(text_column("category", "Category", "Kind of operation, as the file or its compiler groups them"));
  columns.push_back(code_column("shape", "Shape", "Shape of its result"));
  columns.push_back(code_column("framework", "Framework operator", "Path of the framework's operator that it was made from"));
  columns.push_back(code_column("source", "Source", "Line of the program's source, as file:line"));
  for (std::size_t i = first; i < columns.size(); ++i) columns[i].unknown = "the file does not state it";
}

void append_about_cells(std::vector<Cell>& cells, const Profile& profile, Row of) {
  const ProgramOperators& all = profile.program_operators;
  for (const StringId text : {all.opcode[of], all.category[of], all.shape[of], all.framework_operator[of], all.source[of]}) {
    cells.push_back(cell(profile.text(text)));
  }
}

// ---- what was fused into an operator ----

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

void add_detail_columns(std::vector<ReportColumn>& columns) {
  columns.push_back(integer_column("row", "Row", Unit::id, {"Row of program_operators", "", ""}));
  columns.back().hidden = true;
  columns.push_back(flag_column("has_fused", "Has fused", {"Whether operators were fused into it", "", ""}));
  columns.back().hidden = true;
}

void append_detail_cells(std::vector<Cell>& cells, Row of, const std::vector<std::int64_t>& fused) {
  cells.push_back(of == kNoRow ? Cell{} : Cell{std::int64_t{of}});
  cells.emplace_back(of != kNoRow && fused[of] > 0);
}

RowDetail fused_detail(const Parameters& given) {
  return {"Fused operators", "fused_operators", {{"operator", "$row"}, {"step", given.text("step")}}, "has_fused"};
}

// ---- time by device ----

ReportTable blank_place_table() {
  ReportTable table{.key = "places", .title = "Time by device"};
  table.columns = {label_column("place", "Device", "Device, and core or engine of it"),
                   integer_column("time", "Time", Unit::ns, {"Time of the operators there.", "sum of their times", kExecutions}),
                   real_column("share", "Share", Unit::share, {"Its part of all.", "time / sum of the times", kExecutions}),
                   text_column("value", "Value", "Value of the parameter that selects it")};
  table.columns[0].code = false;
  table.columns[0].words = kAllRows;  // "Device 0", where the file has no word of its own
  table.columns[0].unknown = "the file does not say where it ran";
  table.columns[1].bar = "share";
  table.columns[3].hidden = true;
  table.sort_column = "time";
  return table;
}

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
  ReportTable table = blank_place_table();
  for (const WorkPlace& place : places) {
    table.add_row({table.words(place_title(profile, place)), Cell{times[place]}, share_cell(times[place], all),
                   Cell{place_value(profile, place)}});
  }
  LinkParameters parameters{{"device", "$value"}};
  parameters.insert(parameters.end(), kept.begin(), kept.end());
  table.row_links.push_back(
      {.title = "Operators of this device", .view = std::string(view), .parameters = std::move(parameters)});
  table.row_links.back().direct = true;
  report.tables.push_back(std::move(table));
  report.panels.push_back(work_donut(report, "places", "Time by device", 10));
  report.panels.back().label = "place";
}

Panel work_donut(const Report& report, std::string_view table, Message title, int top) {
  Panel panel{.kind = PanelKind::breakdown, .id = std::string(table) + "_time", .title = title, .table = std::string(table)};
  panel.label = "name";
  panel.value = "time";
  panel.top = top;
  panel.width = "half";
  panel.doc = report.find_table(table)->find("time")->doc;
  panel.empty = "No operator took time here.";
  return panel;
}

}  // namespace sightline

// Panels about memory plans: the parameters that choose a plan and a place, the tables, and what is drawn of them.
#include "analyses/memory/memory_plan_panels.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "analyses/columns.h"
#include "analyses/memory/memory_curve.h"
#include "analyses/memory/memory_plans.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "base/text.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kPlanSource = "the buffer assignment that the compiler stored with the program";
constexpr const char* kNotStated = "the file does not say when temporary values are live";

// How the parameter that chooses a plan's program is spelt.
std::string_view program_value(const Profile& profile, const MemoryPlan& plan) {
  const std::string_view id = profile.text(plan.program_id);
  return id.empty() ? profile.text(plan.program) : id;
}

std::string program_title(const Profile& profile, const MemoryPlan& plan) {
  const std::string_view id = profile.text(plan.program_id), name = profile.text(plan.program);
  return id.empty() ? std::string(name) : fmt::format("{} ({})", name, id);
}

std::string_view space_value(const MemoryPlan& plan) { return plan.space.empty() ? "device memory" : plan.space; }

// Whether the peak is known: not if values come and go and the file states times for none of them, unless they are very small,
// such as a table of pointers beside the tensors that it points to.
bool knows_peak(const MemoryPlan& plan) { return !plan.timed.empty() || plan.unplaced_bytes <= plan.held() / 100; }

Cell peak_cell(const MemoryPlan& plan) { return knows_peak(plan) ? Cell{plan.peak_bytes()} : Cell{}; }

Cell temporaries_cell(const MemoryPlan& plan, std::size_t point) {
  return knows_peak(plan) ? Cell{plan.live_at(point) - plan.held()} : Cell{};
}

std::int64_t total_of(const MemoryPlan& plan) { return plan.held() + plan.set_aside; }

// The use of a value, without its place.
std::string_view use_words(const Profile& profile, Row row) {
  const std::string_view use = profile.text(profile.program_buffers.use[row]);
  return use.substr(0, use.find(", "));
}

struct Choice {
  std::vector<MemoryPlan> plans;
  std::size_t plan = 0;
  std::size_t point = 0;  // of its curve
  bool at_peak = true;

  const MemoryPlan& of() const { return plans[plan]; }
};

Parameter declared_plan(std::string_view key) {
  const std::vector<Parameter> all = memory_plan_parameters();
  return *std::find_if(all.begin(), all.end(), [&](const Parameter& each) { return each.key == key; });
}

// Adds the choices to the report.
Result<Choice> choose(Report& report, const Profile& profile, const Parameters& given) {
  Choice choice{.plans = memory_plans(profile)};
  std::vector<std::size_t> order(choice.plans.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  sort_down(order, [&](std::size_t each) { return choice.plans[each].peak_bytes(); });
  Parameter program = declared_plan("program"), space = declared_plan("space");
  std::string known;
  for (const std::size_t i : order) {
    const std::string value(program_value(profile, choice.plans[i]));
    const auto is_it = [&](const ParameterChoice& each) { return each.value == value; };
    if (std::any_of(program.choices.begin(), program.choices.end(), is_it)) continue;
    program.choices.push_back({value, program_title(profile, choice.plans[i])});
    known += " " + value;
  }
  const std::string& wanted = given.text("program");
  const auto of_program = [&](std::size_t i, std::string_view value) { return program_value(profile, choice.plans[i]) == value; };
  const auto first =
      std::find_if(order.begin(), order.end(), [&](std::size_t i) { return wanted.empty() || of_program(i, wanted); });
  if (first == order.end())
    return Error{ErrorCode::invalid_argument, say("program: no program '{}' has a memory plan; available:{}", wanted, known), ""};
  program.value = program_value(profile, choice.plans[*first]);
  choice.plan = *first;
  const std::string& wanted_space = given.text("space");
  const auto in_space = [&](const MemoryPlan& plan) { return space_value(plan) == wanted_space; };
  if (!wanted_space.empty() && std::none_of(choice.plans.begin(), choice.plans.end(), in_space))
    return Error{ErrorCode::invalid_argument, say("space: no program keeps anything in '{}'", wanted_space), ""};
  for (const std::size_t i : order) {
    if (!of_program(i, program.value)) continue;
    const std::string value(space_value(choice.plans[i]));
    space.choices.push_back({value, choice.plans[i].space.empty() ? Message(value) : own_title(value)});
    if (value == wanted_space) choice.plan = i;  // one that only other programs have is left alone
  }
  space.value = space_value(choice.of());

  const MemoryPlan& plan = choice.of();
  choice.point = plan.peak;
  Parameter place = declared_plan("place");
  place.value = given.text("place");
  if (!place.value.empty()) {
    const auto number = whole_number<std::int64_t>(place.value);
    if (!number) return Error{ErrorCode::invalid_argument, say("'place' must be a whole number, not '{}'", place.value), ""};
    if (!plan.places.empty()) {
      const auto after = std::upper_bound(plan.places.begin() + 1, plan.places.end(), *number);
      choice.point = static_cast<std::size_t>(after - plan.places.begin()) - 1;
      choice.at_peak = false;
    }
  }
  report.parameters.push_back(std::move(program));
  report.parameters.push_back(std::move(space));
  report.parameters.push_back(std::move(place));
  return choice;
}

// ---- tables ----

// Bytes as a number of a plan.
ReportColumn bytes_column(std::string_view key, Message title, Message meaning, Message formula) {
  return integer_column(key, title, Unit::bytes, {meaning, formula, kPlanSource});
}

// A place of the schedule.
struct PlanPoint {
  Time place;
  std::int64_t live, held;
  StringId value;
};

TableOf<PlanPoint, Profile> plan_curve() {
  TableOf<PlanPoint, Profile> table(
      {.key = "plan_curve", .title = "Planned memory", .sort_column = "place", .sort_descending = false});
  table.add(integer_column(
                "place", "Place", Unit::count,
                {"When, in the order in which operators run.", "place of the operator in the program's schedule", kPlanSource}),
            &PlanPoint::place);
  table.add(bytes_column("live", "Live", "Memory that the program holds from there on.",
                         "parameters + outputs + constants + bytes that hold at least one temporary value"),
            &PlanPoint::live);
  table.add(bytes_column("held", "Held throughout", "Parameters, results and constants, which are there all the time.",
                         "parameters + outputs + constants"),
            &PlanPoint::held);
  table.add(
      label_column("value", "Value", "The largest value that becomes live there; if there is none, the largest that was freed")
          .with_unknown("nothing is live yet"),
      &PlanPoint::value);
  return table;
}

std::vector<PlanPoint> plan_points(const Profile& profile, const MemoryPlan& plan) {
  std::vector<PlanPoint> points;
  if (!plan.places.empty() && plan.places.front() > 0) points.push_back({0, plan.held(), plan.held(), StringId::none});
  for (const std::size_t point : thinned_rows(plan.places, {plan.live})) {
    points.push_back({plan.places[point], plan.live_at(point), plan.held(), profile.program_buffers.value[plan.changed[point]]});
  }
  return points;
}

// A value that is live, of all bytes that are.
struct PlannedValue {
  LiveValue value;
  std::int64_t all;
  bool ran;  // the operator that makes it
};

TableOf<PlannedValue, Profile> planned_values() {
  TableOf<PlannedValue, Profile> table({.key = "plan_live",
                                        .title = "Live values",
                                        .sort_column = "size",
                                        .row_links = {{.title = "Executions of its operator",
                                                       .view = "program_operators",
                                                       .parameters = {{"program", "$program"}},
                                                       .when = "ran",
                                                       .find = "$operator"}}});
  const auto of_buffer = [](auto ProgramBuffers::*column) {
    return [column](const Profile& p, const PlannedValue& of) { return (p.program_buffers.*column)[of.value.buffer]; };
  };
  const auto of_operator = [](Column<StringId> ProgramOperators::*texts) {
    return [texts](const Profile& p, const PlannedValue& of) {
      const Row made_by = p.program_buffers.program_operator[of.value.buffer];
      return made_by == kNoRow ? StringId::none : (p.program_operators.*texts)[made_by];
    };
  };
  const std::string not_stated = "the file does not state it", no_schedule = "the program has no schedule";
  table.add(label_column("value", "Value",
                         "The value as the compiler names it: the operator that makes it, and which part of its result"),
            of_buffer(&ProgramBuffers::value));
  table.add(bytes_column("size", "Size", "Its size, including the compiler's padding.", "bytes of the value").with_bar("share"),
            of_buffer(&ProgramBuffers::bytes));
  table.add(bytes_column("counted", "Counted",
                         "What it adds to the live memory; less than its size if it shares its place with a larger value.",
                         "its bytes that hold no larger value: these sum to the live memory"),
            [](const PlannedValue& of) { return of.value.own; });
  table.add(real_column("share", "Share", Unit::share, {"Share of the live memory.", "counted / live memory there", kPlanSource}),
            [](const PlannedValue& of) { return quotient(of.value.own, of.all); });
  table.add(words_column("use", "Use", "What the piece of memory is for: parameter, output, constant, temporary"),
            [](const Profile& p, const PlannedValue& of) { return use_words(p, of.value.buffer); });
  table.add(code_column("opcode", "Operation", "Operation of the operator that makes it, such as dot or fusion")
                .with_unknown(not_stated),
            of_operator(&ProgramOperators::opcode));
  table.add(code_column("shape", "Shape", "Shape of that operator's result").with_unknown(not_stated),
            of_operator(&ProgramOperators::shape));
  table.add(code_column("framework", "Framework operator", "Path of the framework's operator that it was made from")
                .with_unknown(not_stated),
            of_operator(&ProgramOperators::framework_operator));
  table.add(code_column("source", "Source", "Line of the program's source, as file:line").with_unknown(not_stated),
            of_operator(&ProgramOperators::source));
  table.add(integer_column("first", "First", Unit::count,
                           {"When it becomes live, in the order in which operators run.",
                            "place of the operator that makes it in the program's schedule", kPlanSource})
                .with_unknown(no_schedule),
            of_buffer(&ProgramBuffers::first));
  table.add(
      integer_column("last", "Last", Unit::count,
                     {"When it is last live, in the order in which operators run.",
                      "place in the schedule of the last operator whose values were created before it was freed", kPlanSource})
          .with_unknown(no_schedule),
      of_buffer(&ProgramBuffers::last));
  table.add(integer_column("allocation", "Piece", Unit::id, {"Piece of memory that it is in", "", ""}).hide(),
            of_buffer(&ProgramBuffers::allocation));
  table.add(
      integer_column("offset", "Offset", Unit::bytes, {"Its offset in that piece.", "bytes from its beginning", kPlanSource})
          .hide(),
      of_buffer(&ProgramBuffers::offset));
  table.add(text_column("program", "Program", "Compiled program that it is part of").hide(), of_buffer(&ProgramBuffers::program));
  table.add(text_column("operator", "Operator", "Name of the operator that makes it").hide(),
            of_operator(&ProgramOperators::name));
  table.add(flag_column("ran", "Ran", {"Whether executions of that operator were recorded", "", ""}).hide(), &PlannedValue::ran);
  return table;
}

std::vector<PlannedValue> values_of(const Profile& profile, const Choice& choice) {
  std::vector<PlannedValue> rows;
  if (!knows_peak(choice.of())) return rows;
  const std::set<Row> ran(profile.program_work.program_operator.begin(), profile.program_work.program_operator.end());
  const std::int64_t all = choice.of().live_at(choice.point);
  for (const LiveValue& value : live_values(profile, choice.of(), choice.point)) {
    const Row made_by = profile.program_buffers.program_operator[value.buffer];
    rows.push_back({value, all, made_by != kNoRow && ran.contains(made_by)});
  }
  return rows;
}

// `one_space`: no program keeps anything but in the device's own memory.
TableOf<MemoryPlan, Profile> memory_plan_table(bool one_space) {
  TableOf<MemoryPlan, Profile> table({.key = "plans",
                                      .title = "Memory of programs",
                                      .sort_column = "peak",
                                      .row_links = {{.title = "Its memory plan",
                                                     .view = "memory",
                                                     .parameters = {{"program", "$value"}, {"space", "$space"}},
                                                     .direct = true}}});
  table.add(label_column("program", "Program", "Compiled program"), &MemoryPlan::program);
  table.add(text_column("id", "Id", "Id of the program as the file writes it"), &MemoryPlan::program_id);
  table.add(text_column("space", "Memory", "Which memory, as the compiler numbers them").hide(one_space), space_value);
  table.add(bytes_column("peak", "Peak", "The most memory that it holds at one time.",
                         "largest live memory over the places of its schedule")
                .with_unknown(kNotStated),
            peak_cell);
  table.add(bytes_column("parameters", "Parameters", "Values that its caller passes.",
                         "bytes that hold parameters; results in the same place are counted here"),
            &MemoryPlan::parameters);
  table.add(bytes_column("outputs", "Outputs", "Its results.", "bytes that hold results and no parameters"),
            &MemoryPlan::outputs);
  table.add(bytes_column("constants", "Constants", "Its constants.", "bytes that hold constants"), &MemoryPlan::constants);
  table.add(
      bytes_column("temporaries", "Temporaries", "Temporary values at the peak.", "bytes that hold at least one temporary value")
          .with_unknown(kNotStated),
      [](const MemoryPlan& plan) { return temporaries_cell(plan, plan.peak); });
  table.add(bytes_column("set_aside", "Set aside", "Memory held for temporary values, in use or not.",
                         "of each piece of memory for temporaries, the end of the last value in it"),
            &MemoryPlan::set_aside);
  table.add(bytes_column("total", "Total", "Memory that it needs to run.", "parameters + outputs + constants + set aside"),
            total_of);
  table.add(
      integer_column(
          "values", "Values", Unit::count,
          {"Values that have a place in memory.", "number of values, without those that a core keeps to itself", kPlanSource}),
      [](const MemoryPlan& plan) { return std::ssize(plan.throughout) + std::ssize(plan.timed) + std::ssize(plan.unplaced); });
  table.add(text_column("value", "Value", "Value of the parameter that selects it").hide(), program_value);
  return table;
}

ReportTable plans_table(const Profile& profile, const std::vector<MemoryPlan>& plans) {
  const bool one_space = std::all_of(plans.begin(), plans.end(), [](const MemoryPlan& plan) { return plan.space.empty(); });
  return memory_plan_table(one_space).of(profile, plans);
}

// ---- panels ----

Panel plan_facts_panel(const Profile& profile, const MemoryPlan& plan) {
  FactSheet sheet;
  const auto add = [&](std::string label, Cell value, Unit unit, Message doc, Message unknown = "") {
    sheet.facts.push_back({std::move(label), std::move(value), unit, std::move(doc), unknown});
  };
  add("Peak live", peak_cell(plan), Unit::bytes, "The most memory that the program holds at one time, by the compiler's plan.",
      kNotStated);
  add("Reached by", plan.changed.empty() ? Cell{} : cell(profile.text(profile.program_buffers.value[plan.changed[plan.peak]])),
      Unit::none, "The value with which the peak is first reached.",
      "there are no temporary values, or the file does not say when they are live");
  add("Parameters", Cell{plan.parameters}, Unit::bytes,
      "Values that the caller passes; a result in the same place is counted here.");
  add("Outputs", Cell{plan.outputs}, Unit::bytes, "Its results.");
  add("Constants", Cell{plan.constants}, Unit::bytes, "Its constants.");
  add("Temporaries at the peak", temporaries_cell(plan, plan.peak), Unit::bytes, "Temporary values at the peak.", kNotStated);
  add("Set aside for temporaries", Cell{plan.set_aside}, Unit::bytes,
      "Memory held for temporary values; the part that is not live at the peak is lost to gaps.");
  add("Total", Cell{total_of(plan)}, Unit::bytes,
      "Memory that the program needs to run: everything but temporaries, plus what is set aside for them.");
  Panel panel{.id = "plan_summary", .title = "Memory plan", .content = std::move(sheet)};
  panel.scope = program_title(profile, plan);
  if (!plan.unplaced.empty()) {
    panel.notes.push_back({Note::Level::info, say("Not in the curve, because the file does not say when they are live: {} ({}).",
                                                  count_words(std::ssize(plan.unplaced), "{} value", "{} values"),
                                                  bytes_words(static_cast<double>(plan.unplaced_bytes)))});
  }
  return panel;
}

Panel plan_curve_panel(const Profile& profile, const Choice& choice) {
  const MemoryPlan& plan = choice.of();
  LineChart chart{
      .table = "plan_curve", .x = "place", .series = {"live", "held"}, .step = true, .select = RangeSelect{"", "", "place"}};
  if (!plan.places.empty()) chart.marks.push_back({plan.places[plan.peak], "peak"});
  Panel panel{.id = "plan_curve", .title = "Planned memory", .content = std::move(chart)};
  panel.scope = program_title(profile, plan);
  panel.doc = plan_curve().blank().find("live")->doc;
  panel.empty = plan.unplaced.empty()
                    ? "There are no temporary values: the program holds the same memory from its start to its end."
                    : say("No curve: {}.", kNotStated);
  return panel;
}

}  // namespace

bool has_memory_plans(const Profile& profile) { return profile.program_buffers.rows() > 0; }

std::vector<Parameter> memory_plan_parameters() {
  return {{"program",
           "Program",
           ParameterType::choice,
           "",
           {},
           "The program whose memory plan is shown (default: the one with the most memory)"},
          {"space", "Memory", ParameterType::choice, "", {}, "Which memory: the device's own, or as the compiler numbers them"},
          {"place",
           "Place",
           ParameterType::text,
           "",
           {},
           "The place in the schedule whose live values are listed; empty is the peak"}};
}

std::optional<Error> add_memory_plans(Report& report, const Profile& profile, const Parameters& given) {
  const Result<Choice> choice = choose(report, profile, given);
  if (!choice) return choice.error();
  report.panels.push_back(plan_facts_panel(profile, choice->of()));
  report.panels.push_back(plan_curve_panel(profile, *choice));
  Panel live{.id = "plan_live", .title = "Live values", .content = PlainTable{"plan_live"}};
  live.scope = choice->at_peak ? "at the peak" : say("at place {}", choice->of().places[choice->point]);
  live.empty = knows_peak(choice->of()) ? "Nothing is in this memory." : say("Not known: {}.", kNotStated);
  report.panels.push_back(std::move(live));
  report.panels.push_back({.id = "plans", .title = "Memory of programs", .content = PlainTable{"plans"}});
  report.tables.push_back(plan_curve().of(profile, plan_points(profile, choice->of())));
  report.tables.push_back(planned_values().of(profile, values_of(profile, *choice)));
  report.tables.push_back(plans_table(profile, choice->plans));
  return std::nullopt;
}

std::vector<ReportTable> blank_memory_plan_tables() {
  return {plan_curve().blank(), planned_values().blank(), memory_plan_table(false).blank()};
}

}  // namespace sightline::analyses

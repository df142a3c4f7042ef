// Program graph: which operators of a compiled program give their results to which, around one of them.
#include <algorithm>
#include <set>
#include <utility>

#include "analyses/columns.h"
#include "analyses/programs/graph_layout.h"
#include "analyses/programs/program_columns.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kMostBoxes = 150;
constexpr std::string_view kOperands = "operands of the instructions of the compiled program";

// Operators of each operator: those whose results it reads, and those that read its result.
struct Links {
  std::vector<std::vector<Row>> inputs, readers;

  explicit Links(const Profile& profile) : inputs(profile.program_operators.rows()), readers(inputs.size()) {
    const ProgramInputs& all = profile.program_inputs;
    for (Row row = 0; row < all.rows(); ++row) {
      inputs[all.program_operator[row]].push_back(all.input[row]);
      readers[all.input[row]].push_back(all.program_operator[row]);
    }
  }
  bool any(Row of) const { return !inputs[of].empty() || !readers[of].empty(); }
};

// The id of the program, or its name where the file has no id.
StringId key_of(const Profile& profile, Row of) {
  const StringId id = profile.program_operators.program_id[of];
  return id == StringId::none ? profile.program_operators.program[of] : id;
}

// Sums over devices, by row of program_operators.
std::vector<WorkSums> sums_of(const Profile& profile, const ProgramChoice& choice) {
  std::vector<WorkSums> sums(profile.program_operators.rows());
  for (const OperatorRun& run : *choice.runs) {
    if (choice.shows(run.place)) sums[run.program_operator].add(run.sums);
  }
  return sums;
}

struct Box {
  Row row;  // of program_operators
  std::int64_t distance;
  bool here;
  GraphPlace at;
};

struct Neighbourhood {
  std::vector<Box> boxes;  // by distance, then by time
  std::vector<GraphEdge> edges;
  std::size_t left_out = 0;
};

// The operators whose results reach `centre`, or are reached from it, over at most `around` arrows in any direction.
Neighbourhood neighbourhood(const Links& links, const std::vector<WorkSums>& sums, Row centre, std::int64_t around) {
  std::vector<std::int64_t> box_of(links.inputs.size(), -1);
  std::vector<Row> shell{centre};
  std::set<Row> seen{centre};
  Neighbourhood result;
  for (std::int64_t distance = 0; distance <= around && !shell.empty(); ++distance) {
    sort_down(shell, [&](Row each) { return sums[each].time; });
    std::vector<Row> next;
    for (const Row row : shell) {
      if (result.boxes.size() == kMostBoxes) {
        ++result.left_out;
        continue;
      }
      box_of[row] = static_cast<std::int64_t>(result.boxes.size());
      result.boxes.push_back({row, distance, row == centre, {}});
      for (const auto* list : {&links.inputs[row], &links.readers[row]}) {
        for (const Row other : *list) {
          if (seen.insert(other).second) next.push_back(other);
        }
      }
    }
    shell = std::move(next);
  }
  for (std::size_t to = 0; to < result.boxes.size(); ++to) {
    for (const Row input : links.inputs[result.boxes[to].row]) {
      if (box_of[input] >= 0) result.edges.push_back({static_cast<std::size_t>(box_of[input]), to});
    }
  }
  const std::vector<GraphPlace> places = lay_out_graph(result.boxes.size(), result.edges);
  for (std::size_t i = 0; i < places.size(); ++i) result.boxes[i].at = places[i];
  return result;
}

struct BoxTotals {
  std::vector<WorkSums> sums;
  std::vector<std::int64_t> fused;
  Time all = 0;
};

TableOf<Box, Profile, BoxTotals> box_table() {
  TableOf<Box, Profile, BoxTotals> table(
      {.key = "graph_operators", .title = "Operators of the graph", .sort_column = "distance", .sort_descending = false});
  table.add(label_column("name", "Operator", "Name of the operator within its program"),
            [](const Profile& p, const BoxTotals&, const Box& box) { return p.program_operators.name[box.row]; });
  table.add(integer_column(
                "distance", "Distance", Unit::count,
                {"Arrows between it and the operator in the middle.", "least number of arrows, in any direction", kOperands}),
            &Box::distance);
  const auto work = [](const Profile&, const BoxTotals& totals, const Box& box) {
    const WorkSums& sums = totals.sums[box.row];
    return WorkOfAll{sums, sums.calls > 0 ? totals.all : 0};
  };
  table.add(
      integer_column("calls", "Occurrences", Unit::count,
                     {"How often it ran.", "as in the view HLO operators, summed over devices", "as in the view HLO operators"})
          .with_unknown("it did not run separately, or was not recorded"),
      [](const Profile&, const BoxTotals& totals, const Box& box) {
        const WorkSums& sums = totals.sums[box.row];
        return sums.calls > 0 ? sums.calls : kUnknown;
      });
  table.add(integer_column(
                "time", "Time", Unit::ns,
                {"Time it took itself.", "as in the view HLO operators, summed over devices", "as in the view HLO operators"})
                .with_unknown("it did not run separately, or was not recorded")
                .with_bar("share"),
            [](const Profile&, const BoxTotals& totals, const Box& box) {
              const WorkSums& sums = totals.sums[box.row];
              return sums.calls > 0 && !sums.untimed ? sums.time : kUnknown;
            });
  table.add_all(work_columns(), work, [](const ReportColumn& column) {
    return column.key == "share" || column.key == "flop_rate" || column.key == "bandwidth" || column.key == "utilization";
  });
  table.add(fused_column(), [](const Profile&, const BoxTotals& totals, const Box& box) { return totals.fused[box.row]; });
  table.add_all(about_columns(), &Box::row);
  table.add_all(detail_columns(), [](const Profile&, const BoxTotals& totals, const Box& box) {
    return FusedDetail{box.row, totals.fused[box.row] > 0};
  });
  table.add(integer_column("layer", "Layer", Unit::count, {"Layer in which the box is drawn", "", ""}).hide(),
            [](const Box& box) { return static_cast<std::int64_t>(box.at.layer); });
  table.add(real_column("place", "Place", Unit::none, {"Place of the box within its layer", "", ""}).hide(),
            [](const Box& box) { return box.at.place; });
  table.add(flag_column("here", "Here", {"Whether the graph is drawn around it", "", ""}).hide(), &Box::here);
  return table;
}

TableOf<GraphEdge, Profile, Neighbourhood> edge_table() {
  TableOf<GraphEdge, Profile, Neighbourhood> table({.key = "graph_arrows", .title = "Arrows of the graph"});
  const auto name = [](std::size_t GraphEdge::*end) {
    return [end](const Profile& p, const Neighbourhood& of, const GraphEdge& edge) {
      return p.program_operators.name[of.boxes[edge.*end].row];
    };
  };
  table.add(label_column("input", "Input", "Operator whose result is read"), name(&GraphEdge::from));
  table.add(code_column("reader", "Reader", "Operator that reads it"), name(&GraphEdge::to));
  table.add(integer_column("input_row", "Row of the input", Unit::id, {"Row of graph_operators", "", ""}).hide(),
            [](const GraphEdge& edge) { return static_cast<std::int64_t>(edge.from); });
  table.add(integer_column("reader_row", "Row of the reader", Unit::id, {"Row of graph_operators", "", ""}).hide(),
            [](const GraphEdge& edge) { return static_cast<std::int64_t>(edge.to); });
  return table;
}

// The programs that have a graph.
Parameter program_choices(const Profile& profile, const Links& links, const Parameters& given) {
  Parameter parameter =
      *std::find_if(given.all().begin(), given.all().end(), [](const Parameter& p) { return p.key == "program"; });
  std::set<StringId> known;
  for (Row row = 0; row < links.inputs.size(); ++row) {
    const StringId key = key_of(profile, row);
    if (!links.any(row) || !known.insert(key).second) continue;
    const StringId name = profile.program_operators.program[row];
    const std::string value(profile.text(key));
    parameter.choices.push_back({value, name == key ? Message::verbatim(value) : say("{} ({})", profile.text(name), value)});
  }
  return parameter;
}

// The operator given; without one, that of the most time.
Result<Row> centre_of(const Profile& profile, const Links& links, const std::vector<WorkSums>& sums, const Parameters& given) {
  const std::string& name = given.text("operator");
  const std::string& program = given.text("program");
  Row best = kNoRow;
  for (Row row = 0; row < links.inputs.size(); ++row) {
    if (!links.any(row) || (!program.empty() && profile.text(key_of(profile, row)) != program)) continue;
    if (!name.empty() && profile.text(profile.program_operators.name[row]) != name) continue;
    if (best == kNoRow || sums[row].time > sums[best].time) best = row;
  }
  if (best != kNoRow) return best;
  if (name.empty()) return Error{ErrorCode::not_found, say("no program {} with a graph in this profile", program), ""};
  return Error{ErrorCode::not_found,
               program.empty() ? say("no operator {} in the graph of a program", name)
                               : say("no operator {} in the graph of program {}", name, program),
               ""};
}

Result<Report> run_program_graph(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  const std::int64_t around = given.integer("around");
  if (around < 0) return Error{ErrorCode::invalid_argument, say("around: {} is negative", around), ""};
  Report report{.view = "program_graph", .title = "Program graph"};
  const auto choice = choose_runs(report, profile, given);
  if (!choice) return choice.error();
  const Links links(*profile);
  BoxTotals totals{sums_of(*profile, *choice), fused_counts(*profile)};
  for (const WorkSums& sums : totals.sums) totals.all += sums.time;
  const auto centre = centre_of(*profile, links, totals.sums, given);
  if (!centre) return centre.error();
  Parameter program = program_choices(*profile, links, given);
  program.value = std::string(profile->text(key_of(*profile, *centre)));
  const std::string name(profile->text(profile->program_operators.name[*centre]));
  const auto declared = [&](std::string_view key, std::string value) {
    Parameter parameter = *std::find_if(given.all().begin(), given.all().end(), [&](const Parameter& p) { return p.key == key; });
    parameter.value = std::move(value);
    report.parameters.push_back(std::move(parameter));
  };
  const LinkParameters kept{{"program", program.value}, {"around", std::to_string(around)}, {"step", given.text("step")}};
  report.parameters.push_back(std::move(program));
  declared("operator", name);
  declared("around", std::to_string(around));

  const Neighbourhood graph = neighbourhood(links, totals.sums, *centre, around);
  report.scope = with_step(say("around {}", name), given);
  if (graph.left_out > 0) {
    report.notes.push_back(
        {Note::Level::warning, say("The graph has the {} nearest operators, those of the most time first; {} more are as near. "
                                   "Choose a smaller distance to see all of them.",
                                   graph.boxes.size(), graph.left_out)});
  }
  ReportTable boxes = box_table().of(*profile, totals, graph.boxes);
  boxes.row_detail = fused_detail(given);
  RowLink around_it{.title = "The graph around this operator", .view = report.view, .parameters = {{"operator", "$name"}}};
  around_it.parameters.insert(around_it.parameters.end(), kept.begin(), kept.end());
  around_it.direct = true;
  boxes.row_links.push_back(std::move(around_it));
  report.tables.push_back(std::move(boxes));
  report.tables.push_back(edge_table().of(*profile, graph, graph.edges));
  Panel picture{.id = "graph",
                .title = "Graph",
                .content = GraphChart{.table = "graph_operators",
                                      .label = "name",
                                      .detail = "shape",
                                      .value = "time",
                                      .layer = "layer",
                                      .place = "place",
                                      .here = "here",
                                      .edges = "graph_arrows",
                                      .from = "input_row",
                                      .to = "reader_row"}};
  picture.doc = "An arrow leads from an operator to one that reads its result.";
  report.panels.push_back(std::move(picture));
  report.panels.push_back({.id = "operators", .title = "Operators of the graph", .content = PlainTable{"graph_operators"}});
  return report;
}

std::optional<Message> program_graph_unavailable(const Profile& profile) {
  if (profile.program_inputs.rows() > 0) return std::nullopt;
  return "the profile does not contain what the operators of its compiled programs read";
}

std::vector<ReportTable> program_graph_tables() { return {box_table().blank(), edge_table().blank()}; }

}  // namespace

Analysis program_graph_analysis() {
  std::vector<Parameter> parameters = program_parameters();
  std::erase_if(parameters, [](const Parameter& each) { return each.key == "search" || each.key == "top"; });
  parameters.push_back({"program", "Program", ParameterType::choice, "", {}, "The compiled program, by its id"});
  parameters.push_back({"operator",
                        "Operator",
                        ParameterType::text,
                        "",
                        {},
                        "Name of the operator in the middle; without one, the operator of the most time"});
  parameters.push_back({"around", "Distance", ParameterType::integer, "2", {}, "How many arrows away an operator may be"});
  return {.id = "program_graph",
          .title = "Program graph",
          .group = ViewGroup::where_time_went,
          .doc = "Which operators of a compiled program read which results, around one operator.",
          .parameters = std::move(parameters),
          .unavailable = program_graph_unavailable,
          .run = run_program_graph,
          .tables = program_graph_tables};
}

}  // namespace sightline::analyses

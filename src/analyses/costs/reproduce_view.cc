// Reproduce: the Python program that runs one recorded operator, as a view that rows of operators open.
#include <utility>

#include "analyses/columns.h"
#include "analyses/costs/recorded_call.h"
#include "analyses/costs/reproduce.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kNoShapes = "the shapes of inputs were not recorded: record with record_shapes=True";

FactSheet facts_of(const RecordedCall& found) {
  const auto text = [](std::string_view value) { return cell(value); };
  const auto recorded = [](std::string_view column) { return MetricDoc{"As recorded.", "", column}.text(); };
  FactSheet sheet;
  sheet.facts = {
      {"Operator", text(found.call.name), Unit::none, recorded("name of the operator")},
      {"Input shapes", text(found.call.input_shapes), Unit::none, recorded("Input Dims")},
      {"Input types", text(found.call.input_types), Unit::none, recorded("Input type")},
      {"Input strides", text(found.call.input_strides), Unit::none, recorded("Input Strides"), "recorded without strides"},
      {"Calls", Cell{found.calls}, Unit::count,
       MetricDoc{"Calls with these inputs.", "number of its ranges", "operator ranges of the host threads"}.text()},
      {"Calls with other inputs", Cell{found.others}, Unit::count,
       MetricDoc{"Calls of this operator with other inputs.", "number of its ranges", "operator ranges of the host threads"}
           .text()}};
  return sheet;
}

Result<Report> run_reproduce(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const std::string &name = input.parameters.text("name"), &shapes = input.parameters.text("input_shape");
  Report report{.view = "reproduce", .title = "Reproduce"};
  if (name.empty()) {
    Panel panel{.id = "program", .title = "Program", .content = CodeText{}};
    panel.empty = "No operator is chosen: open its row in Operators, or state its name.";
    report.panels.push_back(std::move(panel));
    return report;
  }
  const std::optional<RecordedCall> found = most_frequent_call(profile, name, shapes);
  if (!found) return Error{ErrorCode::not_found, say("no call of '{}' has these inputs", name), ""};
  report.scope = say("{}, {}", name, count_words(found->calls, "{} call", "{} calls"));
  report.panels.push_back({.id = "call", .title = "The recorded call", .content = facts_of(*found)});
  Panel panel{.id = "program", .title = "Program", .content = CodeText{}};
  panel.doc =
      "`python reproduce.py` times the operator: the median of many calls, each with a cold cache. `python reproduce.py "
      "--profile "
      "trace.json` records it with torch.profiler. Values of tensors are random; shapes, strides, types and scalars are as "
      "recorded.";
  if (found->call.input_shapes.empty()) {
    panel.empty = std::string(kNoShapes);
  } else {
    const Result<CostModel> model = CostModel::make();
    if (!model) return model.error();
    panel.content = CodeText{reproduction_of(found->call, model->cost(found->call)), "reproduce.py"};
  }
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<Message> reproduce_unavailable(const Profile& profile) {
  if (profile.operators.rows() > 0) return std::nullopt;
  return "no operators in this profile: record host activity as well";
}

}  // namespace

Analysis reproduce_analysis() {
  return {.id = "reproduce",
          .title = "Reproduce",
          .group = ViewGroup::none,
          .doc = "A Python program that runs an operator as it was recorded, to time it or to profile it alone.",
          .parameters = {{"name", "Operator", ParameterType::text, "", {}, "The operator's whole name"},
                         {"input_shape",
                          "Input shapes",
                          ParameterType::text,
                          "",
                          {},
                          "Only calls with these shapes; empty: the most frequent ones"}},
          .unavailable = reproduce_unavailable,
          .run = run_reproduce};
}

}  // namespace sightline::analyses

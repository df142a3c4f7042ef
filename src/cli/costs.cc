// sightline costs: what calls of operators cost by the formulas, for users who write their own.
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>

#include "analyses/costs/cost_functions.h"
#include "analyses/costs/cost_model.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/cost_file.h"
#include "formats/common/serving_steps.h"

namespace sightline::cli {

namespace {

struct CostsOptions {
  std::string name, shapes, types, strides, inputs, annotation;
  std::string file;
  bool formulas = false, functions = false;
};

void append_figure(std::string& row, double figure) {
  row += '\t';
  if (!std::isnan(figure)) base::append_csv_number(row, figure);
}

std::string cost_row(std::string_view name, const std::optional<OperatorCost>& cost) {
  std::string row(name);
  if (!cost) return row + "\t\t\t\t\t\t\t\n";
  for (const double figure : {cost->flops, cost->bytes_read, cost->bytes_written}) append_figure(row, figure);
  row.append("\t").append(cost->precision).append("\t").append(cost_unit_name(cost->unit));
  row.append(cost->at_least ? "\ttrue\t" : "\tfalse\t").append(cost->family).append("\n");
  return row;
}

// Unknown if the name is not that of an engine's step.
ServingStepSums sums_of(std::string_view annotation) {
  const std::optional<formats::ServingStep> step = formats::parse_serving_step(annotation);
  if (!step) return {};
  const auto sums = [](const formats::ServingStep::Part& part) { return part_sums(part.sq, part.sk, part.sqsq, part.sqsk); };
  return step_sums(sums(step->prefill), sums(step->decode));
}

// Lines of name, shapes, types, strides, inputs and annotation, separated by tabs; columns at the end may be missing.
std::string cost_rows(const CostModel& model) {
  std::string out, line;
  while (std::getline(std::cin, line)) {
    std::array<std::string_view, 6> cells;
    std::string_view rest = line;
    for (std::string_view& cell : cells) {
      cell = rest.substr(0, rest.find('\t'));
      rest.remove_prefix(std::min(cell.size() + 1, rest.size()));
    }
    out += cost_row(cells[0], model.cost({cells[0], cells[1], cells[2], cells[3], cells[4], sums_of(cells[5])}));
  }
  return out;
}

int run_costs(const CostsOptions& options) {
  if (options.formulas) return write_out(built_in_formulas());
  if (options.functions) {
    std::string text;
    for (const std::span<const CostFunction> functions : {cost_functions(), shape_functions()}) {
      for (const CostFunction& function : functions) text.append(function.doc).append("\n");
    }
    return write_out(text);
  }
  if (options.name.empty()) return fail({ErrorCode::invalid_argument, "expected the NAME of an operator, or - for a table"});
  const Result<CostModel> model = load_cost_model(options.file);
  if (!model) return fail(model.error());
  const std::string header = "name\tflops\tbytes_read\tbytes_written\tprecision\tunit\tat_least\tfamily\n";
  if (options.name == "-") return write_out(header + cost_rows(*model));
  const std::optional<OperatorCost> cost =
      model->cost({options.name, options.shapes, options.types, options.strides, options.inputs, sums_of(options.annotation)});
  if (!cost) return fail({ErrorCode::not_found, say("no formula for '{}' fits these arguments", options.name)});
  return write_out(header + cost_row(options.name, cost));
}

}  // namespace

void add_costs_option(CLI::App& command, std::string& file) {
  command.add_option("--costs", file, "File of cost formulas that come before the built-in ones");
}

Result<CostModel> load_cost_model(const std::string& path) {
  if (path.empty()) return CostModel::make();
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.good() && !in.eof()) return Error{ErrorCode::not_found, "the file of cost formulas cannot be read", path};
  return CostModel::make(text, path);
}

void add_costs_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("costs", "Operations and bytes of an operator's call");
  auto options = std::make_shared<CostsOptions>();
  command->add_option("NAME", options->name,
                      "Operator; -: lines of name, shapes, types, strides, inputs and annotation, separated by tabs");
  command->add_option("--shapes", options->shapes, "Shapes of its inputs: [[8, 512], [512]]");
  command->add_option("--types", options->types, "Types of its inputs: [float, float]");
  command->add_option("--strides", options->strides, "Strides of its inputs");
  command->add_option("--inputs", options->inputs, "Values of its scalar inputs: ['', '', 1]");
  command->add_option("--annotation", options->annotation, "Annotation of the step that states sums of lengths");
  add_costs_option(*command, options->file);
  command->add_flag("--formulas", options->formulas, "Print the built-in formulas");
  command->add_flag("--functions", options->functions, "Print the functions of formulas");
  command->callback([&run, options] { run = [options] { return run_costs(*options); }; });
}

}  // namespace sightline::cli

// Fuzzes the cost model: the input is a file of formulas, then, after a line of ---, calls as `sightline costs -` takes them:
// name, shapes, types, strides, inputs and annotation, separated by tabs. Whatever the texts are, a figure is unknown or a finite
// number that is not negative.
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "analyses/costs/cost_model.h"
#include "formats/common/serving_steps.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/require.h"

namespace {

using namespace sightline::tests;

std::string_view cut(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  const std::string_view piece = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  return piece;
}

ServingStepSums sums_of(std::string_view annotation) {
  const std::optional<ServingStep> step = parse_serving_step(annotation);
  if (!step) return {};
  const auto sums = [](const ServingStep::Part& part) { return part_sums(part.sq, part.sk, part.sqsq, part.sqsk); };
  return step_sums(sums(step->prefill), sums(step->decode));
}

void require_figures(const OperatorCost& cost) {
  for (const double figure : {cost.flops, cost.bytes_read, cost.bytes_written}) {
    require(std::isnan(figure) || (std::isfinite(figure) && figure >= 0), "a figure is infinite or negative");
  }
  require(!cost.family.empty(), "a cost has a family");
}

}  // namespace

FUZZ_TARGET(costs_fuzz, data, size) {
  std::string_view calls(reinterpret_cast<const char*>(data), size);
  const std::string_view formulas = cut(calls, "---\n");
  static const CostModel built_in = CostModel::make().value();
  std::optional<CostModel> own;
  if (const Result<std::vector<Formula>> parsed = parse_formulas(formulas, "fuzzed"); !parsed) {
    require(parsed.error().where.starts_with("fuzzed, line "), "an error names its line");
  } else if (!parsed->empty()) {
    own = CostModel::make(formulas, "fuzzed").value();
  }
  const CostModel& model = own ? *own : built_in;
  while (!calls.empty()) {
    std::string_view line = cut(calls, "\n");
    std::array<std::string_view, 6> cells;
    for (std::string_view& cell : cells) cell = cut(line, "\t");
    const std::optional<OperatorCost> cost = model.cost({cells[0], cells[1], cells[2], cells[3], cells[4], sums_of(cells[5])});
    if (cost) require_figures(*cost);
  }
  return 0;
}

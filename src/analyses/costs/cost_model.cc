#include "analyses/costs/cost_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"

namespace sightline::analyses {

namespace {

double sound(double figure) { return std::isfinite(figure) && figure >= 0 ? figure : kUnknownNumber; }

std::string_view precision_of(const Formula& formula, const CallArguments& arguments) {
  if (formula.precision_of < 0) return formula.precision;
  const CallArgument* argument = arguments.at(formula.precision_of);
  return argument == nullptr ? std::string_view{} : argument->type.name;
}

OperatorCost evaluate(const Formula& formula, const CallArguments& arguments) {
  const auto figure = [&](const Formula::Figure& of) { return sound(of.expression.value(arguments)); };
  OperatorCost cost{.flops = figure(formula.flops),
                    .bytes_read = figure(formula.bytes_read),
                    .bytes_written = figure(formula.bytes_written),
                    .precision = precision_of(formula, arguments),
                    .unit = formula.unit,
                    .at_least = false,
                    .family = formula.family};
  const auto bounds = [](const Formula::Figure& of, double value) { return of.at_least && !std::isnan(value); };
  cost.at_least = bounds(formula.flops, cost.flops) || bounds(formula.bytes_read, cost.bytes_read) ||
                  bounds(formula.bytes_written, cost.bytes_written);
  return cost;
}

// 0: nothing is known but zeros, as of an operator without arithmetic whose shapes are not recorded.
int known_figures(const OperatorCost& cost) {
  const int known = !std::isnan(cost.flops) + !std::isnan(cost.bytes_read) + !std::isnan(cost.bytes_written);
  return known == 3 || cost.flops > 0 || cost.bytes_read > 0 || cost.bytes_written > 0 ? known : 0;
}

}  // namespace

Result<CostModel> CostModel::make(std::string_view user_text, std::string_view user_path) {
  CostModel model;
  Result<std::vector<Formula>> own = parse_formulas(user_text, user_path);
  if (!own) return own.error();
  Result<std::vector<Formula>> built_in = parse_formulas(built_in_formulas(), "built-in formulas");
  CHECK(built_in.ok());
  model.formulas_ = std::move(*own);
  model.own_ = model.formulas_.size();
  std::move(built_in->begin(), built_in->end(), std::back_inserter(model.formulas_));
  model.index();
  return model;
}

void CostModel::index() {
  for (std::size_t i = 0; i < formulas_.size(); ++i) {
    for (const std::string& name : formulas_[i].names) {
      if (name.find('*') == std::string::npos) {
        by_name_[name].push_back(i);
      } else {
        patterns_.emplace_back(name, i);
      }
    }
  }
}

std::vector<std::size_t> CostModel::formulas_of(std::string_view name) const {
  std::vector<std::size_t> found;
  if (const auto exact = by_name_.find(name); exact != by_name_.end()) found = exact->second;
  for (const auto& [pattern, formula] : patterns_) {
    if (fits_pattern(name, pattern)) found.push_back(formula);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool CostModel::takes_step_sums(std::string_view name) const {
  const std::vector<std::size_t> formulas = formulas_of(name);
  return std::any_of(formulas.begin(), formulas.end(), [&](std::size_t i) {
    const Formula& formula = formulas_[i];
    return formula.flops.expression.takes_step_sums() || formula.bytes_read.expression.takes_step_sums() ||
           formula.bytes_written.expression.takes_step_sums();
  });
}

std::optional<OperatorCost> CostModel::cost(const OperatorCall& call) const {
  const std::vector<std::size_t> formulas = formulas_of(call.name);
  if (formulas.empty()) return std::nullopt;
  const CallArguments arguments(call);
  if (arguments.all.empty()) return std::nullopt;
  std::optional<OperatorCost> best;
  bool own = false;  // of the user
  for (const std::size_t i : formulas) {
    if (own && i >= own_) break;
    const OperatorCost cost = evaluate(formulas_[i], arguments);
    if (known_figures(cost) <= (best ? known_figures(*best) : 0)) continue;
    best = cost;
    own = i < own_;
  }
  return best;
}

}  // namespace sightline::analyses

// --costs: a user's file of cost formulas.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "analyses/costs/cost_model.h"
#include "base/result.h"

namespace sightline::cli {

void add_costs_option(CLI::App& command, std::string& file);

// The built-in formulas, after those of the file if it is named. not_found: it cannot be read; malformed: CostModel::make.
Result<CostModel> load_cost_model(const std::string& path);

}  // namespace sightline::cli

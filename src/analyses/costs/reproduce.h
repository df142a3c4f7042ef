// A Python program that runs one recorded operator: its shapes, strides, types and scalars (reproduce.py is its text with gaps).
#pragma once

#include <optional>
#include <string>

#include "analyses/costs/cost_model.h"

namespace sightline::analyses {

// The cost, if known, gives the rates that the program prints.
std::string reproduction_of(const OperatorCall& call, const std::optional<OperatorCost>& cost);

// reproduce.py.
std::string_view reproduction_template();

}  // namespace sightline::analyses

// The files of operators in the log of the TensorBoard plugin.
#pragma once

#include <string>

#include "base/result.h"
#include "formats/reader.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

enum class LogOperators { framework, hlo };

// Adds a row of program_operators per operator and per operator fused into it, and one of reported_program_work per row.
// Counts rows that cannot be used in the problems, and reports contradictions within the file. An Error says why nothing
// could be read.
Result<bool> add_log_operators(const std::string& file, LogOperators kind, ReadProgress* progress, Profile& profile);

}  // namespace sightline::formats::neuron

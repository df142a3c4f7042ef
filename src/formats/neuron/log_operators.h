// The operators' files of the TensorBoard plugin's log: {"ops": [{...}, ...], "total_time": N}, of the framework's operators or
// of those of the compiled program. What the members of a row are called is not documented, so each is accepted under the
// spellings that the plugin's columns suggest; a member that none of them fits is named in the problems.
#pragma once

#include <string>

#include "base/result.h"
#include "formats/reader.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

enum class LogOperators { framework, hlo };

// Adds a row of program_operators per operator, one per operator that was fused into it, and one of reported_program_work per
// row. Rows that cannot be used are counted in the problems, and so is what the file says against itself. An Error says why
// nothing of the file could be read.
Result<bool> add_log_operators(const std::string& file, LogOperators kind, ReadProgress* progress, Profile& profile);

}  // namespace sightline::formats::neuron

// The parameter `step` of views that can look at one step alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyses/analysis.h"
#include "analyses/steps/step_windows.h"
#include "base/result.h"

namespace sightline::analyses {

// A number, or nothing when `text` is empty; else an invalid_argument error that names the parameter `key`.
Result<std::optional<std::int64_t>> optional_number(std::string_view key, const std::string& text);

// The step of the number in `text`, kept or left out; nothing when `text` is empty. An unknown number is an error that
// lists the steps there are.
Result<std::optional<StepWindow>> chosen_step(const Profile& profile, const std::string& text);

// The parameter `step` as given, with the recorded steps to choose from; without recorded steps there is nothing to choose.
// REQUIRES: `step` is declared by the analysis.
Parameter step_parameter(const Profile& profile, const Parameters& given);

}  // namespace sightline::analyses

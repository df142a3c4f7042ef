// The parameter `step` of views that can look at one step alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyses/step_windows.h"
#include "base/result.h"

namespace sightline {

// A number, or nothing when `text` is empty; else an invalid_argument error that names the parameter `key`.
Result<std::optional<std::int64_t>> optional_number(std::string_view key, const std::string& text);

// The step of the number in `text`, kept or left out; nothing when `text` is empty. An unknown number is an error that
// lists the steps there are.
Result<std::optional<StepWindow>> chosen_step(const Profile& profile, const std::string& text);

}  // namespace sightline

// Text to number to step, with errors that say what there is.
#include "analyses/steps/step_choice.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace sightline::analyses {

Result<std::optional<std::int64_t>> optional_number(std::string_view key, const std::string& text) {
  if (text.empty()) return std::optional<std::int64_t>{};
  if (const auto number = whole_number<std::int64_t>(text)) return number;
  return Error{ErrorCode::invalid_argument, say("'{}' must be a number or empty, not '{}'", key, text), ""};
}

Result<std::optional<StepWindow>> chosen_step(const Profile& profile, const std::string& text) {
  const auto number = optional_number("step", text);
  if (!number) return number.error();
  if (!*number) return std::optional<StepWindow>{};
  const StepWindows steps = step_windows(profile);
  std::string known;
  for (const auto* list : {&steps.kept, &steps.dropped}) {
    for (const StepWindow& step : *list) {
      if (step.number == **number) return std::optional{step};
      known += (known.empty() ? "" : ", ") + std::to_string(step.number);
    }
  }
  return Error{ErrorCode::invalid_argument, say("no step {} in this profile; its steps are {}", **number, known), ""};
}

Parameter step_parameter(const Profile& profile, const Parameters& given) {
  const auto declared = std::find_if(given.all().begin(), given.all().end(), [](const Parameter& p) { return p.key == "step"; });
  CHECK(declared != given.all().end());
  Parameter parameter = *declared;
  parameter.choices = {{"", "all"}};
  const StepWindows steps = step_windows(profile);
  if (steps.source != StepSource::recorded) return parameter;
  for (const StepWindow& step : steps.kept) {
    const std::string number = std::to_string(step.number);
    parameter.choices.push_back({number, number});
  }
  for (const StepWindow& step : steps.dropped)
    parameter.choices.push_back({std::to_string(step.number), say("{}, cut off by the end", step.number)});
  return parameter;
}

}  // namespace sightline::analyses

#include "analyses/ranks/step_choice.h"

#include "analyses/steps/step_windows.h"
#include "base/text.h"

namespace sightline::analyses {

std::set<std::int64_t> step_numbers(std::span<const RankSummaryPtr> ranks) {
  std::set<std::int64_t> numbers;
  for (const RankSummaryPtr& rank : ranks) {
    for (const StatedStep& step : rank->stated.steps) {
      if (const auto number = whole_number<std::int64_t>(step.step)) numbers.insert(*number);
    }
    if (!rank->has_recorded_steps) continue;
    for (const RankStep& step : rank->steps) numbers.insert(step.number);
  }
  return numbers;
}

Parameter step_of_ranks() {
  return {"step", "Step", ParameterType::text, "", {}, "Only the step of this number; else means over the steps of each worker"};
}

Parameter step_parameter(std::span<const RankSummaryPtr> ranks, const Parameters& given) {
  Parameter parameter = step_of_ranks();
  parameter.value = given.text("step");
  parameter.choices = {{"", "all"}};
  for (const std::int64_t number : step_numbers(ranks))
    parameter.choices.push_back({std::to_string(number), std::to_string(number)});
  return parameter;
}

Result<std::optional<std::int64_t>> wanted_step(std::span<const RankSummaryPtr> ranks, const Parameters& given) {
  const auto number = optional_number("step", given.text("step"));
  if (!number || !*number) return number;
  const std::set<std::int64_t> known = step_numbers(ranks);
  if (known.contains(**number)) return number;
  std::string list;
  for (const std::int64_t each : known) list += (list.empty() ? "" : ", ") + std::to_string(each);
  return Error{ErrorCode::invalid_argument,
               list.empty() ? say("no step {} in any worker; no steps were recorded", **number)
                            : say("no step {} in any worker; its steps are {}", **number, list),
               ""};
}

}  // namespace sightline::analyses

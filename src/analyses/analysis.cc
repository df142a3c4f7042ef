// Parameters: declared defaults overridden by what the caller gave, checked once so that analyses need not.
#include "analyses/analysis.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace sightline::analyses {

namespace {

const Parameter& declared(const std::vector<Parameter>& values, std::string_view key) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const Parameter& p) { return p.key == key; });
  CHECK(found != values.end());
  return *found;
}

Error refused(Message message) { return {ErrorCode::invalid_argument, std::move(message), ""}; }

// "a, b, c".
template <typename List, typename Name>
std::string listed(const List& list, Name name) {
  std::string text;
  for (const auto& each : list) text += (text.empty() ? "" : ", ") + std::string(name(each));
  return text;
}

// The sum and the difference of two such times are in range. Some profiles have records of another clock, months from the origin.
constexpr Time kMostTime = Time{1} << 61;

bool is_time(std::string_view value) {
  const std::optional<Time> time = whole_number<Time>(value);
  return time && *time >= -kMostTime && *time <= kMostTime;
}

// Why `value` does not suit the parameter, or nothing.
std::optional<Message> misfit(const Parameter& parameter, const std::string& value) {
  switch (parameter.type) {
    case ParameterType::choice: {
      const auto& choices = parameter.choices;
      if (choices.empty()) return std::nullopt;  // the analysis knows
      if (std::any_of(choices.begin(), choices.end(), [&](const ParameterChoice& c) { return c.value == value; }))
        return std::nullopt;
      return say("one of {}", listed(choices, [](const ParameterChoice& choice) { return choice.value; }));
    }
    case ParameterType::integer:
      if (whole_number<std::int64_t>(value)) return std::nullopt;
      return "a whole number";
    case ParameterType::flag:
      if (value == "true" || value == "false") return std::nullopt;
      return "true or false";
    case ParameterType::text: return std::nullopt;
    case ParameterType::time:
      if (value.empty() || is_time(value)) return std::nullopt;
      return "a time in ns of at most 2^61, or empty";
  }
  return std::nullopt;
}

}  // namespace

const std::string& Parameters::text(std::string_view key) const { return declared(values_, key).value; }

std::int64_t Parameters::integer(std::string_view key) const { return *whole_number<std::int64_t>(text(key)); }

std::optional<std::int64_t> Parameters::time(std::string_view key) const { return whole_number<std::int64_t>(text(key)); }

Result<Parameters> bind_parameters(const Analysis& analysis, const std::vector<std::pair<std::string, std::string>>& given) {
  std::vector<Parameter> values = analysis.parameters;
  for (const auto& pair : given) {
    const std::string& key = pair.first;
    const std::string& value = pair.second;
    const auto found = std::find_if(values.begin(), values.end(), [&](const Parameter& p) { return p.key == key; });
    if (found == values.end()) {
      const std::string known = listed(values, [](const Parameter& p) { return p.key; });
      return refused(say("'{}' has no parameter '{}'; it takes {}", analysis.id, key, known.empty() ? "none" : known));
    }
    if (const auto wanted = misfit(*found, value)) return refused(say("'{}' must be {}, not '{}'", key, *wanted, value));
    found->value = value;
  }
  return Parameters(std::move(values));
}

}  // namespace sightline::analyses

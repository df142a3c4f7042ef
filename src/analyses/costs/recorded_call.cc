#include "analyses/costs/recorded_call.h"

#include <array>
#include <map>

namespace sightline::analyses {

namespace {

using Inputs = std::array<StringId, 4>;  // shapes, types, strides, values

struct Calls {
  Row first = kNoRow;
  std::int64_t count = 0;
};

Inputs inputs_of(const Operators& operators, Row row) {
  return {operators.input_shapes[row], operators.input_types[row], operators.input_strides[row], operators.concrete_inputs[row]};
}

}  // namespace

std::optional<RecordedCall> most_frequent_call(const Profile& profile, std::string_view name, std::string_view shapes) {
  const Operators& operators = profile.operators;
  std::map<Inputs, Calls> by_inputs;
  std::int64_t all = 0;
  for (Row row = 0; row < operators.rows(); ++row) {
    if (profile.text(profile.slices.name[operators.slice[row]]) != name) continue;
    ++all;
    if (!shapes.empty() && profile.text(operators.input_shapes[row]) != shapes) continue;
    Calls& calls = by_inputs[inputs_of(operators, row)];
    if (calls.count++ == 0) calls.first = row;
  }
  const std::pair<const Inputs, Calls>* best = nullptr;
  for (const auto& entry : by_inputs) {
    const bool more = best == nullptr || entry.second.count > best->second.count;
    if (more || (entry.second.count == best->second.count && entry.second.first < best->second.first)) best = &entry;
  }
  if (best == nullptr) return std::nullopt;
  const auto& [texts, calls] = *best;
  return RecordedCall{{profile.text(profile.slices.name[operators.slice[calls.first]]), profile.text(texts[0]),
                       profile.text(texts[1]), profile.text(texts[2]), profile.text(texts[3])},
                      calls.count,
                      all - calls.count};
}

}  // namespace sightline::analyses

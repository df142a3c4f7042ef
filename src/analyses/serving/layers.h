// The layers of a model, as the device work of a step repeats them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analyses/serving/served_steps.h"
#include "model/report.h"

namespace sightline::analyses {

// A list has the same `length` names `repeats` times in a row, from `first` on.
struct RepeatedNames {
  std::size_t first = 0, length = 0, repeats = 0;
};

// The run that covers most of the list, with at least three repeats of two or more names; of those that cover as much but for a
// twentieth, the shortest. Nothing: no run repeats, or the list has more than kMostRepeated.
inline constexpr std::size_t kMostRepeated = 5'000;
std::optional<RepeatedNames> repeated_names(std::span<const StringId> names);

ReportTable blank_layers_table();

// Of the step of median length. No rows: nothing repeats in it.
struct Layers {
  std::int64_t step = kUnknown;  // its number
  std::size_t works = 0;         // pieces of its device work
  RepeatedNames found{};
  ReportTable table;
};
Layers layers_of(const Profile& profile, std::span<const ServedStep> steps);

}  // namespace sightline::analyses

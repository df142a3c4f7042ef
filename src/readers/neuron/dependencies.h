// Which instruction had to come before which: one waits for a semaphore, and the change that let it go on was made by the other,
// or by a copy that the other started.
#pragma once

#include <vector>

#include "readers/neuron/notification_rows.h"

namespace sightline::neuron {

struct InstructionAt {
  std::uint32_t engine, row;  // of NotificationRows::instructions
  friend bool operator==(const InstructionAt&, const InstructionAt&) = default;
};

struct Dependency {
  InstructionAt from, to;
};

// By `to`, in the order of engines and rows. What cannot be told (the cause was not recorded, or lies too far back) is left out.
std::vector<Dependency> dependencies(const Graph& graph, const NotificationRows& rows);

}  // namespace sightline::neuron

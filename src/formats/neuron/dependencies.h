// Which instruction had to come before which: one waits for a semaphore, and the changes that let it go on were made by others,
// or by copies that others started. As the vendor's tool names them:
//   - A wait for a value takes what raised the semaphore above the highest lower value that any instruction waits for.
//   - LDWEIGHTS and the MATMUL behind it are one product: both wait for what either waits for, and who waits for one waits for
//   both.
//     A further MATMUL with the same weights waits for that as well.
//   - EVENT_SEMAPHORE precedes an instruction that has more to wait for than fits into it: that waits for what it waits for,
//   and
//     for itself.
//   - A barrier, an instruction that waits for the semaphore that it signals, is the runtime's and left out.
#pragma once

#include <vector>

#include "formats/neuron/notification_rows.h"

namespace sightline::formats::neuron {

struct InstructionAt {
  std::uint32_t engine, row;  // of NotificationRows::instructions
  friend bool operator==(const InstructionAt&, const InstructionAt&) = default;
};

struct Dependency {
  InstructionAt from, to;
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// By the engine of `to`, in the order in which instructions began. What cannot be told (the cause was not recorded, or lies too
// far back) is left out.
std::vector<Dependency> dependencies(const Graph& graph, const NotificationRows& rows);

}  // namespace sightline::formats::neuron

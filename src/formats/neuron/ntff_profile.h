// What a core executed, as the tables of a profile: a lane per engine and per DMA queue, semaphores and packets in flight as
// counters, and for each instruction its own facts and what it depended on.
#pragma once

#include <vector>

#include "formats/neuron/notifications.h"
#include "formats/neuron/ntff_header.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

// ---- dependencies ----
// Which instruction had to come before which: one waits for a semaphore, and other instructions, or copies that they started,
// made the changes that let it continue. As in the vendor's tool:
//   - A wait for a value depends on what raised the semaphore above the highest lower value that any instruction waits for.
//   - LDWEIGHTS and the MATMUL after it are one product: both wait for what either waits for, and instructions that wait for one
//     wait for both. A further MATMUL with the same weights waits for that as well.
//   - EVENT_SEMAPHORE precedes an instruction that has more to wait for than it has room for. That instruction waits for what the
//     EVENT_SEMAPHORE waits for, and for the EVENT_SEMAPHORE itself.
//   - A barrier, an instruction that waits for the semaphore that it signals, belongs to the runtime and is left out.

struct InstructionAt {
  std::uint32_t engine, row;  // of NotificationRows::instructions
  friend bool operator==(const InstructionAt&, const InstructionAt&) = default;
};

struct Dependency {
  InstructionAt from, to;
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// By the engine of `to`, in the order in which instructions began. Leaves out what is unknown because the cause was not
// recorded, or is too far back.
std::vector<Dependency> dependencies(const Graph& graph, const NotificationRows& rows);

// ---- tables ----

// Appends to the profile. Time 0 is the beginning of the program itself; what the runtime did before is left out, and
// counted. Frees the rows of a lane when the lane is made.
void add_graph(const NtffHeader& header, const Graph& graph, NotificationRows& rows, Profile& profile);

// The engine's name, as shown to people.
std::string_view engine_name(Engine engine);

}  // namespace sightline::formats::neuron

// What a core executed, as the tables of a profile: a lane per engine and per DMA queue, semaphores and packets in flight as
// counters, and of each instruction what only this kind of device says of it.
#pragma once

#include "formats/neuron/notification_rows.h"
#include "formats/neuron/ntff_header.h"
#include "model/profile.h"

namespace sightline::formats::neuron {

// Appends to the profile. Time 0 is where the program itself begins; what the runtime did before is left out, and counted. The
// rows of a lane are gone when it is made.
void add_graph(const NtffHeader& header, const Graph& graph, NotificationRows& rows, Profile& profile);

// The engine as people call it.
std::string_view engine_name(Engine engine);

}  // namespace sightline::formats::neuron

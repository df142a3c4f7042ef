// What a NeuronCore can do at most: as a file states it, else by the vendor's documents of its generation.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "model/profile.h"

namespace sightline::formats::neuron {

// What a file states of its core; NaN and empty: nothing.
struct CoreFacts {
  std::string instance_type;                                 // such as inf2.xlarge
  int generation = 0;                                        // 1: NeuronCore v1; 0: not stated
  double clock = kUnknownReal, matrix_clock = kUnknownReal;  // cycles a second
  double rows = kUnknownReal, columns = kUnknownReal;        // of the matrix unit
  double memory_bandwidth = kUnknownReal;                    // bytes a second, of this core's share of the memory
};

// What the members of a file's tables say of the core, by their names there.
CoreFacts stated_core(const std::map<std::string, std::string>& members, std::string_view instance_type);

// How long a floating-point operation on elements of a type takes, with 16-bit elements as 1; NaN: not known of this core.
double flops_scale(std::string_view element_type, const CoreFacts& facts);

// Appends the row of devices of a core.
void add_core(Profile& profile, std::int64_t ordinal, const CoreFacts& facts);

}  // namespace sightline::formats::neuron

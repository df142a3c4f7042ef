// Damage: what is wrong with the records of a recording, by what was done about it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/profile.h"

namespace sightline::formats::neuron {

// Things of one kind that went wrong: how often, and where first.
struct Tally {
  std::int64_t count = 0, first = 0;
  void add(std::int64_t at) { first = count++ == 0 ? at : std::min(first, at); }
  void add(const Tally& other);
};

struct Damage {
  Tally cut, errors, unfinished, unmatched, backwards, untimed, unknown, overlapping, uneven, foreign;
  void add(const Damage& other);
  // Each that occurred becomes a row of problems.
  void report(Profile& profile) const;
};

}  // namespace sightline::formats::neuron

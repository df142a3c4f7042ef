// Facts of slices on their way into the table work_facts, which is in the order of slices.
#pragma once

#include <vector>

#include "model/profile.h"

namespace sightline::formats::trace_events {

struct SliceFact {
  Row slice;
  StringId name;
  double number;  // NaN: a text
  StringId text;
};

// Adds the facts to those that the profile has; of one slice in the order given, behind those that it had.
void put_facts(std::vector<SliceFact> facts, Profile& profile);

}  // namespace sightline::formats::trace_events

// communication.json (how long each collective took, waited and moved data, and over which links) and
// communication_matrix.json (what moved between which ranks).
#pragma once

#include <string>

#include "model/profile.h"

namespace sightline::ascend {

// One collective, however it was stated: times in ns, `start` since 1970.
struct CommunicationSums {
  StringId step, name, group;
  std::int64_t start, elapsed, transit, wait, synchronization;
};

// Adds the operation with its slice, found by name, whose own start is exact. Returns its row.
Row add_communication(const CommunicationSums& sums, std::int64_t origin, Profile& profile);

void add_communications(const std::string& path, std::int64_t origin, Profile& profile);
void add_matrix(const std::string& path, Profile& profile);

// Brings communications into the order of their starts; transfers follow.
void sort_communications(Profile& profile);

// "hcom_allReduce__586_0_1" is a call of "hcom_allReduce": calls get the name of what they call.
void name_collectives(Profile& profile);

// What collectives do not say themselves: their group, from the communication that they are.
void name_groups(Profile& profile);

}  // namespace sightline::ascend

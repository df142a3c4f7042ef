// Attribution of device work to the host ranges that caused it. Rules, strongest first:
//   launches   linked_id     the writer's External id names an operator or annotation
//              containment   the innermost operator, annotation, module or step open on the launching thread when
//                            the call began (used where writers leave the id out, or write filler there)
//   device     as its launch, found by correlation id; without one, device_id: the event's own External id.
// docs/formats/pytorch.md, "Attribution".
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace sightline::formats {

// The ids by which a writer links launches and device work to host ranges. kUnknown: the row has none.
struct LinkIds {
  std::vector<std::pair<std::int64_t, Row>> ranges;  // (id, slice) of each host range that has one, in any order
  std::vector<std::int64_t> launches;                // by row of launches
  std::vector<std::int64_t> work;                    // by row of device_work
};

// Fills owner and rule of launches, and launch, owner and rule of device_work, with so many threads; 0: one for each core.
void attribute(Profile& profile, LinkIds ids, unsigned threads = 1);

}  // namespace sightline::formats

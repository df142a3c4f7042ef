// assemble: from batches of raw events to the tables of a Profile. Slices are scattered to their lanes, sorted,
// nested and, where they truly overlap, spread over overflow lanes; side tables follow their slices.
#pragma once

#include <memory>

#include "formats/trace_events/parse_events.h"
#include "formats/trace_events/root_members.h"

namespace sightline::formats::trace_events {

struct HostCommunication {  // a host range that stands for a collective, and what it was given
  Row slice;
  StringId shapes, types;
};

struct Assembled {
  std::unique_ptr<Profile> profile;
  std::int64_t origin = 0;  // what was subtracted from every time of the file
  // The ids that the writer put on host ranges, launches and device work.
  std::vector<std::pair<std::int64_t, Row>> external_ids;  // (id, slice) of every host range that has one, in no order
  std::vector<std::int64_t> launch_external_ids;           // by row of launches
  std::vector<std::int64_t> work_external_ids;             // by row of device_work
  std::vector<HostCommunication> communication;
  std::vector<std::pair<Row, Row>> device_flows;  // (host slice, slice on the device) that the writer's arrows connect
};

// Consumes `parsed`. `threads` is 0 for all cores. The profile still lacks attribution (see attribution.h) and collectives
// are only those that carry arguments (see collectives.h).
Assembled assemble(ParsedEvents parsed, const RootMembers& members, unsigned threads);

}  // namespace sightline::formats::trace_events

// Executions of compiled programs on threads of the host, and the calls that asked for them: a call returns before the program
// is done, or has begun.
#pragma once

#include <vector>

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

// The range of the host that asked for an execution, and when that was done.
struct Dispatch {
  Row call;
  Time end;
};

// Outermost calls of compiled functions (`PjitFunction(f)`), by lane and start.
std::vector<Row> outermost_calls(const Profile& profile);

// Calls whose execution is known, in no order.
std::vector<Dispatch> dispatches(const Builder& builder);

}  // namespace sightline::formats::xplane

// The clock of a device. A TPU states when an event was by its own clock (device_offset_ps, device_duration_ps) beside the time
// of the host that this was taken for, which may be late by a fifth of a second and then catch up within an operator: lengths
// come out wrong, and what ran one after the other overlaps.
#pragma once

#include <vector>

#include "formats/xplane/lines.h"

namespace sightline::formats::xplane {

// Whether events of the plane may say when they were by the device's clock.
bool has_device_clock(const Plane& plane);

// Places the events of all lines of one plane by its device's clock, which is matched with the host's. Those that do not state it
// go where events that do are beside them. Without any that do, nothing changes.
void place_by_device_clock(std::vector<Line>& lines);

}  // namespace sightline::formats::xplane

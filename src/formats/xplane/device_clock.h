// The clock of a device. A TPU states the time of an event by its own clock (device_offset_ps, device_duration_ps) and
// converted to the host's. The converted time may be late by a fifth of a second and then catch up within an operator:
// durations are then wrong, and consecutive operators overlap.
#pragma once

#include <vector>

#include "formats/xplane/lines.h"

namespace sightline::formats::xplane {

// Whether events of the plane may state times by the device's clock.
bool has_device_clock(const Plane& plane);

// Places the events of all lines of one plane by the device's clock, matched with the host's. Events without such times are
// placed relative to those beside them. If no event has them, nothing changes.
void place_by_device_clock(std::vector<Line>& lines);

}  // namespace sightline::formats::xplane

// Attribution of device work to the host ranges that caused it. Rules, strongest first:
//   launches   linked_id     the writer's External id names an operator or annotation
//              containment   the innermost operator, annotation, module or step open on the launching thread when
//                            the call began (used where writers leave the id out, or write filler there)
//   device     as its launch, found by correlation id; without one, device_id: the event's own External id.
// docs/formats/pytorch.md, "Attribution".
#pragma once

#include "formats/trace_events/assemble.h"

namespace sightline::formats::trace_events {

// Fills owner and rule of launches, and launch, owner and rule of device_work.
void attribute(Assembled& assembled);

}  // namespace sightline::formats::trace_events

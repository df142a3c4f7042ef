// What lanes and processes are called, in a timeline and in the sums of a range.
#pragma once

#include "base/message.h"
#include "model/profile.h"

namespace sightline::analyses {

// Whether the lane is one of a device: a stream, an engine, a queue, or what a device reports beside them.
inline bool is_device_lane(const Profile& profile, Row lane) { return profile.lanes.kind[lane] != LaneKind::host_thread; }

// A device by its word, number and product ("GPU 0 · NVIDIA H100"), even if the file calls its process "0"; a part of a device
// by its name first ("HBM · NPU 0"); a process of the host by name and id.
Message process_title(const Profile& profile, Row process);

// By its name, else by its thread or stream id.
Message lane_title(const Profile& profile, Row lane);

// Whether the process has no name, and its id is not that of a process: the writer used it to file events under.
bool is_unnamed_place(const Profile& profile, Row process);

}  // namespace sightline::analyses

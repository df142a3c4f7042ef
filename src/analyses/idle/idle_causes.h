// Why a device is idle: each nanosecond of a step in which nothing runs on a device has exactly one cause, so the sum over causes
// is the idle time.
//
// A gap is a stretch in which no work of a device runs, on any of its streams. The work that ends it was launched by a call. What
// lies in the gap before that call belongs to what the launching thread did; then come the call itself and the delay until the
// work starts. A gap that ends with a step, and not with work, belongs to the thread with most launches.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analyses/devices/device_activity.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

// Of several that apply at an instant, the first that is listed.
enum class IdleCause : std::uint8_t {
  profiler,         // the profiler itself worked
  missing_graph,    // a graph was launched whose work is not recorded: the device may have been busy
  earlier_work,     // no work is recorded before: the device may have been busy with what was launched before the recording
  no_launch,        // the call that launched the next work is not recorded
  in_graph,         // the work before and after belongs to one launch of a graph
  event,            // launched, but its stream waited for an event
  queued,           // launched before the gap began
  latency,          // after the launching call
  launch,           // in the launching call
  synchronization,  // the host waited for the device
  call,             // in another call of the runtime
  data_loading,
  optimizer,   // in an optimizer step
  operators,   // in an operator
  annotation,  // in a range that the user named
  python,      // in a Python function
  outside,     // the thread was in no recorded range
};
inline constexpr std::size_t kIdleCauses = 17;

struct IdleCauseInfo {
  std::string_view title, meaning;
  std::string_view hue;  // LaneClass::hue
};
const IdleCauseInfo& info_of(IdleCause cause);

// Whether the device was idle; else it may have done work that is not recorded.
constexpr bool is_known(IdleCause cause) { return cause != IdleCause::missing_graph && cause != IdleCause::earlier_work; }

struct IdlePart {
  Interval time;
  IdleCause cause;
  Row slice = kNoRow;  // the call, range or work that was waited for; in data loading and the optimizer the innermost range
  std::uint32_t gap;   // number in IdleTimes::gaps
};

struct IdleGap {
  Interval time;                   // inside the steps; a gap that extends over the border of two steps is two
  std::int64_t device = kUnknown;  // ordinal
};

struct IdleTimes {
  std::vector<IdleGap> gaps;    // by device, then start
  std::vector<IdlePart> parts;  // by gap, then start; the parts of a gap are disjoint and fill it
};

// `steps`: where gaps are looked for. `work` by start.
IdleTimes find_idle_causes(const Profile& profile, const IntervalSet& steps, const std::vector<WorkInterval>& work);

}  // namespace sightline::analyses

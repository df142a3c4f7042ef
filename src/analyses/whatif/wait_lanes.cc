// The lanes of what the steps waited for: pieces of the critical path, and parts of the gaps of each device.
#include <map>

#include "analyses/derived_lanes.h"
#include "analyses/idle/idle_culprits.h"
#include "analyses/whatif/critical_path.h"

namespace sightline::analyses {

namespace {

void add_path(DerivedLanes& lanes, const ProfilePtr& profile) {
  const std::size_t first = lanes.classes().size();
  for (std::size_t of = 0; of < kPathClasses; ++of)
    lanes.add_class({path_class_words(static_cast<PathClass>(of)), path_class_hue(static_cast<PathClass>(of))});
  const auto graph = dependency_graph(profile);
  const CriticalPath path(*profile, *graph);
  std::vector<DerivedSlice> slices;
  for (const GraphStep& step : graph->steps) {
    for (const PathPiece& piece : path.of(step))
      slices.push_back({piece.interval, first + static_cast<std::size_t>(piece.of), piece.slice});
  }
  lanes.add_lane(*profile, "Critical path", std::move(slices));
}

void add_idle_causes(DerivedLanes& lanes, const ProfilePtr& profile) {
  const std::size_t first = lanes.classes().size();
  for (std::size_t cause = 0; cause < kIdleCauses; ++cause) {
    const IdleCauseInfo& info = info_of(static_cast<IdleCause>(cause));
    lanes.add_class({info.title, info.hue});
  }
  const std::shared_ptr<const ExplainedIdle> idle = explained_idle(profile);
  const IdleTimes& times = idle->times;
  std::map<std::int64_t, std::vector<DerivedSlice>> devices;
  for (const IdlePart& part : times.parts)
    devices[times.gaps[part.gap].device].push_back({part.time, first + static_cast<std::size_t>(part.cause), part.slice});
  for (auto& [device, slices] : devices) {
    const Message title = device == kUnknown ? Message("Idle causes") : say("Idle causes, device {}", device);
    lanes.add_lane(*profile, title, std::move(slices));
  }
}

}  // namespace

bool has_wait_lanes(const Profile& profile) { return profile.device_work.rows() > 0 || profile.operators.rows() > 0; }

std::shared_ptr<const DerivedLanes> wait_lanes(const ProfilePtr& profile) {
  return derived<DerivedLanes>(profile, [](const ProfilePtr& of) {
    DerivedLanes lanes;
    if (!has_wait_lanes(*of)) return lanes;
    add_path(lanes, of);
    if (of->device_work.rows() > 0) add_idle_causes(lanes, of);
    return lanes;
  });
}

}  // namespace sightline::analyses

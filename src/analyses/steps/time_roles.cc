// Time roles: a running union per lane while scanning it, the lanes' unions merged pairwise, then what each
// role adds to the union of those before it.
#include "analyses/steps/time_roles.h"

namespace sightline::analyses {

Role role_of(SliceKind kind) {
  switch (kind) {
    case SliceKind::kernel: return Role::kernel;
    case SliceKind::memcpy: return Role::memcpy;
    case SliceKind::memset: return Role::memset;
    case SliceKind::collective:
    case SliceKind::host_communication: return Role::communication;
    case SliceKind::runtime: return Role::runtime;
    case SliceKind::data_loading: return Role::data_loading;
    case SliceKind::op:
    case SliceKind::annotation:
    case SliceKind::optimizer: return Role::host;
    default: return Role::other;
  }
}

std::string_view role_key(Role role) {
  constexpr std::array<std::string_view, kRoles> kKeys{"kernel",  "memcpy",     "memset", "communication",
                                                       "runtime", "dataloader", "host",   "other"};
  return kKeys[static_cast<std::size_t>(role)];
}

std::string_view role_title(Role role) {
  constexpr std::array<std::string_view, kRoles> kTitles{"Kernel",  "Memcpy",       "Memset", "Communication",
                                                         "Runtime", "Data loading", "Host",   "Other"};
  return kTitles[static_cast<std::size_t>(role)];
}

std::string_view role_doc(Role role) {
  constexpr std::array<std::string_view, kRoles> kDocs{
      "A kernel runs on at least one device.",
      "A device copies and no kernel runs.",
      "A device fills memory and neither computes nor copies.",
      "A collective runs (its kernel, or its range on the host) and no device computes, copies or fills.",
      "The host is in a call that enqueues or waits for device work, and none of the above happens.",
      "The host fetches the next batch, and none of the above happens.",
      "The host runs operators, the optimizer or annotated code, and none of the above happens.",
      "No recorded activity."};
  return kDocs[static_cast<std::size_t>(role)];
}

bool RoleSets::is_known(Role role) const {
  switch (role) {
    case Role::kernel:
    case Role::memcpy:
    case Role::memset: return device;
    case Role::runtime: return host && device;
    case Role::data_loading:
    case Role::host: return host;
    default: return true;
  }
}

// What a recording contains even if the host was not recorded.
static bool is_of_profiler(SliceKind kind) { return kind == SliceKind::span || kind == SliceKind::overhead; }

RoleSets role_sets(const Profile& profile) {
  RoleSets all;
  std::array<std::vector<IntervalSet>, kRoles> by_lane;
  const Slices& slices = profile.slices;
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    std::array<IntervalSet, kRoles> sets;
    const bool of_host = profile.lanes.kind[lane] == LaneKind::host_thread;
    for (Row row = profile.lanes.first[lane]; row < profile.lanes.last[lane]; ++row) {
      all.host |= of_host && !is_of_profiler(slices.kind[row]);
      const Role role = role_of(slices.kind[row]);
      if (role == Role::other) continue;
      extend(sets[static_cast<std::size_t>(role)], {slices.start[row], slices.start[row] + slices.duration[row]});
    }
    for (std::size_t role = 0; role < kRoles; ++role) {
      if (!sets[role].empty()) by_lane[role].push_back(std::move(sets[role]));
    }
  }
  for (std::size_t role = 0; role < kRoles; ++role) all.of[role] = unite_all(std::move(by_lane[role]));
  all.device = profile.device_work.rows() > 0 || all.any(Role::runtime);
  return all;
}

std::vector<Breakdown> break_down(const RoleSets& sets, const std::vector<Interval>& windows) {
  std::vector<Breakdown> steps(windows.size());
  std::vector<Time> counted(windows.size(), 0);
  IntervalSet covered;
  for (std::size_t role = 0; role + 1 < kRoles; ++role) {
    if (sets.of[role].empty()) continue;
    covered = covered.empty() ? sets.of[role] : unite(covered, sets.of[role]);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const Time now = length_within(covered, windows[i]);
      steps[i].part[role] = now - counted[i];
      counted[i] = now;
    }
  }
  for (std::size_t i = 0; i < windows.size(); ++i) {
    steps[i].part[static_cast<std::size_t>(Role::other)] = windows[i].length() - counted[i];
  }
  return steps;
}

}  // namespace sightline::analyses

// Time roles: what each instant of a step is charged to. Several things happen at once; each instant is counted once,
// for the first role in the order below that is active, so the parts of a step sum to the step.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

enum class Role : std::uint8_t { kernel, memcpy, memset, communication, runtime, data_loading, host, other };
inline constexpr std::size_t kRoles = 8;

// The key that columns and colours of a role carry, such as "dataloader", and its title.
std::string_view role_key(Role role);
std::string_view role_title(Role role);
// What falls in it, in one sentence.
std::string_view role_doc(Role role);

// The role of a kind of slice; Role::other for what is charged to nothing.
Role role_of(SliceKind kind);

// The instants at which anything of a role was active, on any thread, stream or device. `other` stays empty.
struct RoleSets {
  std::array<IntervalSet, kRoles> of;
  bool host = false;    // whether threads of the host were recorded
  bool device = false;  // whether work of devices was, or calls that enqueue it
  const IntervalSet& operator[](Role role) const { return of[static_cast<std::size_t>(role)]; }
  bool any(Role role) const { return !(*this)[role].empty(); }

  // Whether the recording could hold a role: where it could not, the role's time is unknown and not 0.
  bool is_known(Role role) const;
};

RoleSets role_sets(const Profile& profile);

// How one window is made up; the parts sum to its length.
struct Breakdown {
  std::array<Time, kRoles> part{};
  Time of(Role role) const { return part[static_cast<std::size_t>(role)]; }
};

std::vector<Breakdown> break_down(const RoleSets& sets, const std::vector<Interval>& windows);

}  // namespace sightline::analyses

// Kernels (collectives included, copies not) filtered and grouped: by name, or by name, launching operator and launch
// properties.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analyses/group_index.h"
#include "analyses/host_tree.h"
#include "analyses/step_windows.h"

namespace sightline {

// Which kernels are looked at. Unset members let all pass.
struct KernelFilter {
  std::string operator_name;           // launched by a range of this name, or inside one
  std::optional<std::int64_t> device;  // ordinal
  std::optional<StepWindow> step;      // launched inside it; without a launching call: started inside it
};

struct KernelSums {
  std::int64_t calls = 0;
  Time total = 0;
  Time max = 0;
  Time min = 0;
  Row longest = kNoRow;  // row of slices, the first of equals
  CoreType core_type = CoreType::unknown;
  bool operator_eligible = false;  // the launching operator's own name is a matrix operation
  bool owner_is_operator = false;
  // Sums of value x duration, and of duration, over the calls that have a value.
  double blocks_time = 0;
  double occupancy_time = 0;
  Time blocks_weight = 0;
  Time occupancy_weight = 0;
};

// Words of the key: name, operator, grid, block (string ids), registers, shared bytes (kNoNumber: unknown). Grouped by
// name alone, the others are 0.
using KernelKeys = GroupIndex<6>;
inline constexpr std::uint32_t kNoNumber = 0xFFFFFFFF;

struct KernelGroups {
  KernelKeys keys;
  std::vector<KernelSums> sums;           // by group
  std::array<std::int64_t, 4> by_rule{};  // kernels per OwnerRule
  Time total = 0;                         // of all kernels that passed the filter
  Time matrix = 0;                        // of those on matrix units
  Time unknown_core = 0;                  // of those whose core type is unknown
  std::int64_t calls = 0;
};

KernelGroups group_kernels(const Profile& profile, const HostTree& tree, const KernelFilter& filter, bool by_launch);

}  // namespace sightline

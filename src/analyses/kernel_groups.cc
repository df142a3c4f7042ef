// Kernels filtered and grouped in one pass over device work.
#include "analyses/kernel_groups.h"

#include <algorithm>

#include "analyses/device_activity.h"

namespace sightline {

namespace {

// By node: whether it, or a node around it, bears the name.
std::vector<std::uint8_t> nodes_inside(const Profile& profile, const HostTree& tree, std::string_view name) {
  const StringId wanted = profile.strings.find(name);
  std::vector<std::uint8_t> inside(tree.nodes(), 0);
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row parent = tree.parent[node];
    const bool bears = wanted != StringId::none && profile.slices.name[tree.slice[node]] == wanted;
    inside[node] = bears || (parent != kNoRow && inside[parent]);
  }
  return inside;
}

class Filter {
 public:
  Filter(const Profile& profile, const HostTree& tree, const KernelFilter& filter)
      : profile_(profile), tree_(tree), filter_(filter) {
    if (!filter.operator_name.empty()) inside_ = nodes_inside(profile, tree, filter.operator_name);
  }

  bool passes(Row work) const {
    const DeviceWork& rows = profile_.device_work;
    if (filter_.device && rows.device[work] != *filter_.device) return false;
    if (filter_.step && !in_step(profile_, *filter_.step, work)) return false;
    return filter_.operator_name.empty() || owned_inside(rows.owner[work]);
  }

 private:
  bool owned_inside(Row owner) const {
    if (owner == kNoRow) return false;
    if (profile_.text(profile_.slices.name[owner]) == filter_.operator_name) return true;
    const Row node = tree_.node_of_owner(owner);
    return node != kNoRow && inside_[node];
  }

  const Profile& profile_;
  const HostTree& tree_;
  const KernelFilter& filter_;
  std::vector<std::uint8_t> inside_;
};

std::uint32_t number_word(std::int64_t value) {
  return value < 0 || value >= kNoNumber ? kNoNumber : static_cast<std::uint32_t>(value);
}

KernelKeys::Key key_of(const Profile& profile, Row work, bool by_launch) {
  const DeviceWork& rows = profile.device_work;
  const auto word = [](StringId id) { return static_cast<std::uint32_t>(id); };
  const std::uint32_t name = word(profile.slices.name[rows.slice[work]]);
  if (!by_launch) return {name, 0, 0, 0, 0, 0};
  const Row owner = rows.owner[work];
  const StringId operator_name = owner == kNoRow ? StringId::none : profile.slices.name[owner];
  return {name,
          word(operator_name),
          word(rows.grid[work]),
          word(rows.block[work]),
          number_word(rows.registers[work]),
          number_word(rows.shared_bytes[work])};
}

void add_call(KernelSums& sums, const DeviceWork& rows, Row work, Time duration) {
  sums.min = sums.calls == 0 ? duration : std::min(sums.min, duration);
  if (sums.calls == 0 || duration > sums.max) sums.longest = rows.slice[work];
  sums.max = std::max(sums.max, duration);
  sums.total += duration;
  ++sums.calls;
  if (rows.blocks_per_core[work] >= 0) {  // false for unknown
    sums.blocks_time += static_cast<double>(rows.blocks_per_core[work]) * static_cast<double>(duration);
    sums.blocks_weight += duration;
  }
  if (rows.occupancy[work] >= 0) {
    sums.occupancy_time += static_cast<double>(rows.occupancy[work]) * static_cast<double>(duration);
    sums.occupancy_weight += duration;
  }
}

void describe(KernelSums& sums, const Profile& profile, const HostTree& tree, Row work) {
  sums.core_type = profile.device_work.core_type[work];
  const Row owner = profile.device_work.owner[work];
  if (!tree.owns_itself(owner)) return;
  const Row row = tree.operator_row[tree.node_of_slice[owner]];
  sums.owner_is_operator = row != kNoRow;
  sums.operator_eligible = row != kNoRow && profile.operators.matrix_eligible[row];
}

}  // namespace

KernelGroups group_kernels(const Profile& profile, const HostTree& tree, const KernelFilter& filter, bool by_launch) {
  KernelGroups groups;
  const Filter chosen(profile, tree, filter);
  const DeviceWork& rows = profile.device_work;
  for (Row work = 0; work < rows.rows(); ++work) {
    if (!is_kernel(profile.slices.kind[rows.slice[work]]) || !chosen.passes(work)) continue;
    const std::uint32_t group = groups.keys.number_of(key_of(profile, work, by_launch));
    if (group == groups.sums.size()) describe(groups.sums.emplace_back(), profile, tree, work);
    const Time duration = profile.slices.duration[rows.slice[work]];
    add_call(groups.sums[group], rows, work, duration);
    ++groups.by_rule[static_cast<std::size_t>(rows.rule[work])];
    ++groups.calls;
    groups.total += duration;
    if (rows.core_type[work] == CoreType::matrix) groups.matrix += duration;
    if (rows.core_type[work] == CoreType::unknown) groups.unknown_core += duration;
  }
  return groups;
}

}  // namespace sightline

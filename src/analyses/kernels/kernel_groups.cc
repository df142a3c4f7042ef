// Kernels filtered and grouped in one pass over device work.
#include "analyses/kernels/kernel_groups.h"

#include <algorithm>
#include <cmath>

#include "analyses/devices/device_activity.h"
#include "analyses/work_fact_index.h"
#include "model/stated_names.h"

namespace sightline::analyses {

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
    type_ = profile.strings.find(filter.type);
    core_ = profile.strings.find(filter.core);
    if (!filter.operator_name.empty()) inside_ = nodes_inside(profile, tree, filter.operator_name);
  }

  bool passes(Row work) const {
    const DeviceWork& rows = profile_.device_work;
    if (!filter_.type.empty() && (type_ == StringId::none || rows.type[work] != type_)) return false;
    if (!filter_.core.empty() && (core_ == StringId::none || rows.core[work] != core_)) return false;
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
  StringId type_, core_;
};

std::uint32_t number_word(std::int64_t value) {
  return value < 0 || value >= kNoNumber ? kNoNumber : static_cast<std::uint32_t>(value);
}

KernelKeys::Key key_of(const Profile& profile, Row work, KernelGrouping grouping, const FactName& source) {
  const DeviceWork& rows = profile.device_work;
  const auto word = [](StringId id) { return static_cast<std::uint32_t>(id); };
  if (grouping == KernelGrouping::source)
    return {word(profile.strings.find(text_of(profile, rows.slice[work], source))), 0, 0, 0, 0, 0, 0, 0};
  const std::uint32_t name = word(profile.slices.name[rows.slice[work]]);
  if (grouping == KernelGrouping::name) return {name, 0, 0, 0, 0, 0, 0, 0};
  const std::uint32_t type = word(rows.type[work]), core = word(rows.core[work]);
  if (grouping == KernelGrouping::type) return {0, type, core, 0, 0, 0, 0, 0};
  const Row owner = rows.owner[work];
  const StringId operator_name = owner == kNoRow ? StringId::none : profile.slices.name[owner];
  return {name,
          type,
          core,
          word(operator_name),
          word(rows.grid[work]),
          word(rows.block[work]),
          number_word(rows.registers[work]),
          number_word(rows.shared_bytes[work])};
}

void add_text(SharedText& shared, StringId text, bool first) {
  if (first) shared.text = text;
  shared.differs |= shared.text != text;
}

void add_call(KernelSums& sums, const DeviceWork& rows, Row work, Time duration) {
  sums.min = sums.calls == 0 ? duration : std::min(sums.min, duration);
  if (sums.calls == 0 || duration > sums.max) sums.longest = rows.slice[work];
  sums.max = std::max(sums.max, duration);
  sums.total += duration;
  ++sums.calls;
  if (rows.core_type[work] != sums.core_type) sums.core_type = CoreType::unknown;
  add_text(sums.type, rows.type[work], sums.calls == 1);
  add_text(sums.core, rows.core[work], sums.calls == 1);
  if (sums.calls == 1) sums.fill_source = rows.fill_source[work];
  sums.fill_differs |= sums.fill_source != rows.fill_source[work];
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

// Adds the facts of a kernel to the sums of its group, which begin at `sums`.
void add_facts(FactSum* sums, const Profile& profile, const Facts& facts, Row work, Time duration) {
  facts.visit(work, [&](std::uint32_t column, Row fact) {
    const FactColumn& of = facts.columns()[column];
    const double number = profile.work_facts.number[fact];
    if (!of.measure || std::isnan(number)) return;
    const double weight = of.weighted() ? static_cast<double>(duration) : 1.0;
    sums[column].sum += number * of.scale * weight;
    sums[column].weight += weight;
  });
}

void add_core(std::vector<CoreTime>& cores, StringId core, Time duration) {
  auto at = std::find_if(cores.begin(), cores.end(), [&](const CoreTime& known) { return known.core == core; });
  if (at == cores.end()) at = cores.insert(at, CoreTime{core});
  ++at->calls;
  at->total += duration;
}

}  // namespace

std::vector<Row> kernels_that_pass(const Profile& profile, const HostTree& tree, const KernelFilter& filter) {
  const Filter chosen(profile, tree, filter);
  const auto& slices = profile.device_work.slice;
  std::vector<Row> kernels;
  for (Row work = 0; work < slices.size(); ++work) {
    if (is_kernel(profile.slices.kind[slices[work]]) && chosen.passes(work)) kernels.push_back(work);
  }
  return kernels;
}

KernelGroups group_kernels(const Profile& profile, const HostTree& tree, const std::vector<Row>& kernels, const Facts& facts,
                           KernelGrouping grouping) {
  KernelGroups groups;
  const DeviceWork& rows = profile.device_work;
  const FactName source(profile, {stated::kSourceLine});
  for (const Row work : kernels) {
    const std::uint32_t group = groups.keys.number_of(key_of(profile, work, grouping, source));
    if (group == groups.sums.size()) {
      describe(groups.sums.emplace_back(), profile, tree, work);
      groups.facts.resize(groups.sums.size() * facts.columns().size());
    }
    const Time duration = profile.slices.duration[rows.slice[work]];
    add_call(groups.sums[group], rows, work, duration);
    add_facts(groups.facts.data() + group * facts.columns().size(), profile, facts, work, duration);
    add_core(groups.cores, rows.core[work], duration);
    ++groups.by_rule[static_cast<std::size_t>(rows.rule[work])];
    ++groups.calls;
    groups.total += duration;
    if (rows.core_type[work] == CoreType::matrix) groups.matrix += duration;
    if (rows.core_type[work] == CoreType::unknown) groups.unknown_core += duration;
  }
  std::stable_sort(groups.cores.begin(), groups.cores.end(), [](const auto& a, const auto& b) { return a.total > b.total; });
  return groups;
}

}  // namespace sightline::analyses

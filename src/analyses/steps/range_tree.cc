// Sums over a RangeTree: one pass each over nodes and device work, besides those of group_sums.
#include "analyses/steps/range_tree.h"

#include "analyses/group_sums.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kEvaluation = "autograd::engine::evaluate_function: ";
constexpr std::string_view kAccumulation = "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad";

class BackwardLinks {
 public:
  BackwardLinks(const Profile& profile, const HostTree& tree, const RangeTree& ranges)
      : profile_(profile), tree_(tree), group_(tree.nodes(), kNoRow) {
    for (std::size_t i = 0; i < profile.flows.rows(); ++i) {
      if (profile.flows.kind[i] != FlowKind::forward_backward) continue;
      any_ = true;
      const Row from = tree.node_of_owner(profile.flows.from[i]);
      const Row to = tree.node_of_owner(profile.flows.to[i]);
      if (from != kNoRow && to != kNoRow && ranges.group_around[from] != kNoRow) {
        group_[evaluation_around(to)] = ranges.group_around[from];
      }
    }
    if (any_) add_accumulations();
  }

  bool any() const { return any_; }
  // By node: the group whose backward pass begins there; kNoRow for most.
  const std::vector<Row>& groups() const { return group_; }

 private:
  std::string_view name_of(Row node) const { return profile_.text(profile_.slices.name[tree_.slice[node]]); }

  // The nearest evaluation at or around the node, else the node itself.
  Row evaluation_around(Row node) const {
    for (Row at = node; at != kNoRow; at = tree_.parent[at]) {
      if (name_of(at).starts_with(kEvaluation)) return at;
    }
    return node;
  }

  void add_accumulations() {
    enum Kind : std::uint8_t { other, evaluation, accumulation };
    std::vector<Kind> kinds(profile_.strings.size(), other);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const std::string_view text = profile_.text(static_cast<StringId>(i));
      if (text.starts_with(kEvaluation)) kinds[i] = text == kAccumulation ? accumulation : evaluation;
    }
    std::vector<Row> before(tree_.nodes(), kNoRow);  // by parent: the group of the evaluation before
    Row before_at_top = kNoRow, thread = kNoRow;
    for (Row node = 0; node < tree_.nodes(); ++node) {
      const Row slice = tree_.slice[node];
      const Kind kind = kinds[static_cast<std::size_t>(profile_.slices.name[slice])];
      if (kind == other || tree_.absorbed(node)) continue;
      const bool at_top = tree_.parent[node] == kNoRow;
      if (at_top && profile_.main_lane(profile_.slices.lane[slice]) != thread) {
        thread = profile_.main_lane(profile_.slices.lane[slice]);
        before_at_top = kNoRow;
      }
      Row& last = at_top ? before_at_top : before[tree_.parent[node]];
      if (kind == accumulation && group_[node] == kNoRow) group_[node] = last;
      last = group_[node];
    }
  }

  const Profile& profile_;
  const HostTree& tree_;
  std::vector<Row> group_;
  bool any_ = false;
};

}  // namespace

void finish_range_tree(const Profile& profile, const HostTree& tree, RangeTree& ranges) {
  const auto& duration = profile.slices.duration;
  ranges.longest.assign(ranges.groups(), kNoRow);
  ranges.group_around = ranges.group_of_node;
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row group = ranges.group_of_node[node];
    if (group == kNoRow) {
      if (tree.parent[node] != kNoRow) ranges.group_around[node] = ranges.group_around[tree.parent[node]];
      continue;
    }
    Row& longest = ranges.longest[group];
    if (longest == kNoRow || duration[tree.slice[node]] > duration[longest]) longest = tree.slice[node];
  }
}

std::vector<RangeSums> sum_ranges(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                                  const RangeTree& ranges) {
  std::vector<RangeSums> sums(ranges.groups());
  const std::vector<GroupSums> plain = sum_groups(profile, tree, work, ranges.group_of_node, ranges.groups());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = {.calls = plain[i].calls,
               .host_total = plain[i].host_total,
               .host_own = plain[i].host_total,
               .host_self = plain[i].host_self,
               .device_total = plain[i].device_total,
               .device_busy = plain[i].device_busy};
  }
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row parent = tree.parent[node];
    if (parent == kNoRow || tree.absorbed(node)) continue;
    if (tree.is_operator(node) && ranges.group_of_node[parent] != kNoRow) ++sums[ranges.group_of_node[parent]].operators;
    if (ranges.group_of_node[node] != kNoRow && ranges.group_around[parent] != kNoRow) {
      sums[ranges.group_around[parent]].host_own -= profile.slices.duration[tree.slice[node]];
    }
  }
  for (std::size_t i = 0; i < profile.device_work.rows(); ++i) {
    const Row node = tree.node_of_owner(profile.device_work.owner[i]);
    if (node == kNoRow || ranges.group_around[node] == kNoRow) continue;
    sums[ranges.group_around[node]].device_own += profile.slices.duration[profile.device_work.slice[i]];
  }
  return sums;
}

std::vector<BackwardSums> sum_backward(const Profile& profile, const HostTree& tree, const RangeTree& ranges) {
  const BackwardLinks links(profile, tree, ranges);
  if (!links.any()) return {};
  std::vector<BackwardSums> sums(ranges.groups());
  std::vector<Row> around = links.groups();  // by node: the group of the innermost linked evaluation at or around it
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row parent = tree.parent[node];
    const Row outside = parent == kNoRow ? kNoRow : around[parent];
    const Time duration = profile.slices.duration[tree.slice[node]];
    if (around[node] == kNoRow) {
      around[node] = outside;
    } else {
      sums[around[node]].host += duration;
      if (outside != kNoRow) sums[outside].host -= duration;
    }
  }
  for (std::size_t i = 0; i < profile.device_work.rows(); ++i) {
    const Row node = tree.node_of_owner(profile.device_work.owner[i]);
    if (node == kNoRow || around[node] == kNoRow) continue;
    sums[around[node]].device += profile.slices.duration[profile.device_work.slice[i]];
  }
  for (std::size_t group = sums.size(); group-- > 0;) {
    if (ranges.parent[group] == kNoRow) continue;
    sums[ranges.parent[group]].host += sums[group].host;
    sums[ranges.parent[group]].device += sums[group].device;
  }
  return sums;
}

}  // namespace sightline::analyses

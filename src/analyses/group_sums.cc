// Sums over groups of nodes, in one pass each over nodes, launches and device work. The busy time of a group is a
// union: device work is visited in order of start, and each group keeps only the end of its last busy stretch.
#include "analyses/group_sums.h"

#include <algorithm>
#include <limits>

namespace sightline::analyses {

namespace {

class Summer {
 public:
  Summer(const Profile& profile, const HostTree& tree, const std::vector<Row>& group_of_node, std::size_t groups)
      : profile_(profile), tree_(tree), group_of_node_(group_of_node), sums_(groups) {}

  std::vector<GroupSums> sum(const std::vector<WorkInterval>& work) {
    add_nodes();
    subtract_launches();
    add_device_work(work);
    return std::move(sums_);
  }

 private:
  Row group_of(Row node) const { return node == kNoRow ? kNoRow : group_of_node_[node]; }

  void add_nodes() {
    for (Row node = 0; node < tree_.nodes(); ++node) {
      if (tree_.absorbed(node)) continue;
      const Time duration = profile_.slices.duration[tree_.slice[node]];
      if (const Row outside = group_of(tree_.parent[node]); outside != kNoRow) sums_[outside].host_self -= duration;
      const Row group = group_of_node_[node];
      if (group == kNoRow) continue;
      ++sums_[group].calls;
      sums_[group].host_self += duration;
      sums_[group].host_total += duration;
      sums_[group].matrix_eligible |= tree_.matrix_eligible[node] != 0;
    }
  }

  // The time of a launching call is subtracted from the node that it ran in, whichever node owns it. One inside another call (a
  // driver call within a runtime call) is part of it and counts once.
  void subtract_launches() {
    const Launches& launches = profile_.launches;
    for (Row i = 0; i < launches.rows(); ++i) {
      const Row group = group_of(tree_.node_of_owner(launches.slice[i]));
      if (group == kNoRow) continue;
      const Row outer = profile_.slices.parent[launches.slice[i]];
      if (outer != kNoRow && profile_.slices.kind[outer] == SliceKind::runtime) continue;
      sums_[group].host_self -= profile_.slices.duration[launches.slice[i]];
    }
  }

  void add_device_work(const std::vector<WorkInterval>& work) {
    std::vector<Time> busy_until(sums_.size(), std::numeric_limits<Time>::min());
    for (const WorkInterval& interval : work) {
      const Row owner = profile_.device_work.owner[interval.work];
      const Time duration = interval.end - interval.start;
      const CoreType core = profile_.device_work.core_type[interval.work];
      const bool kernel = is_kernel(profile_.slices.kind[profile_.device_work.slice[interval.work]]);
      const Time matrix = core == CoreType::matrix ? duration : 0, unknown = kernel && core == CoreType::unknown ? duration : 0;
      Row node = tree_.node_of_owner(owner);
      if (const Row group = group_of(node); group != kNoRow && tree_.owns_itself(owner)) {
        sums_[group].device_self += duration;
        sums_[group].matrix_self += matrix;
        sums_[group].unknown_self += unknown;
      }
      for (; node != kNoRow; node = tree_.parent[node]) {
        const Row group = group_of_node_[node];
        if (group == kNoRow) continue;
        sums_[group].device_total += duration;
        sums_[group].matrix_total += matrix;
        sums_[group].unknown_total += unknown;
        sums_[group].device_busy += std::max<Time>(0, interval.end - std::max(interval.start, busy_until[group]));
        busy_until[group] = std::max(busy_until[group], interval.end);
      }
    }
  }

  const Profile& profile_;
  const HostTree& tree_;
  const std::vector<Row>& group_of_node_;
  std::vector<GroupSums> sums_;
};

}  // namespace

std::vector<GroupSums> sum_groups(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                                  const std::vector<Row>& group_of_node, std::size_t groups) {
  return Summer(profile, tree, group_of_node, groups).sum(work);
}

}  // namespace sightline::analyses

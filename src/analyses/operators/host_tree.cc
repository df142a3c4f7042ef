// Built in a few passes over rows, without recursion: parents precede children, so a forward pass hands values down and a
// backward pass hands them up.
#include "analyses/operators/host_tree.h"

#include <algorithm>
#include <limits>

#include "analyses/derived_data.h"
#include "base/parallel.h"

namespace sightline::analyses {

// ---- the tree ----

namespace {

class TreeBuilder {
 public:
  TreeBuilder(const Profile& profile, const std::function<bool(Row)>& also) : profile_(profile), also_(also) {}

  HostTree build() {
    number_nodes();
    absorb_duplicates();
    mark_eligible();
    return std::move(tree_);
  }

 private:
  void number_nodes() {
    const Lanes& lanes = profile_.lanes;
    tree_.node_of_slice.assign(profile_.slices.rows(), kNoRow);
    for (auto* column : {&tree_.slice, &tree_.parent, &tree_.operator_row}) column->reserve(most_nodes());
    children_.reserve(most_nodes());
    std::vector<std::vector<Row>> relief(lanes.rows());  // by lane: its overflow lanes
    for (Row lane = 0; lane < lanes.rows(); ++lane) {
      if (lanes.overflow_of[lane] != kNoRow) relief[lanes.overflow_of[lane]].push_back(lane);
    }
    for (Row lane = 0; lane < lanes.rows(); ++lane) {
      if (lanes.kind[lane] != LaneKind::host_thread || lanes.overflow_of[lane] != kNoRow) continue;
      if (relief[lane].empty()) {
        number_lane(lane);
      } else {
        relief[lane].push_back(lane);
        number_overlapping(relief[lane]);
      }
    }
  }

  std::size_t most_nodes() const {
    std::size_t slices = 0;
    for (Row lane = 0; lane < profile_.lanes.rows(); ++lane) {
      if (profile_.lanes.kind[lane] == LaneKind::host_thread) slices += profile_.lanes.last[lane] - profile_.lanes.first[lane];
    }
    return slices;
  }

  bool is_node(Row row) {
    switch (profile_.slices.kind[row]) {
      case SliceKind::op:
      case SliceKind::module:
      case SliceKind::step:
      case SliceKind::data_loading:
      case SliceKind::optimizer: return true;
      case SliceKind::host_communication:
        if (operator_of(row) != kNoRow) return true;  // else it only annotates
        [[fallthrough]];
      default: return also_ && also_(row);
    }
  }

  // On one lane the enclosing slices are known.
  void number_lane(Row lane) {
    const Slices& slices = profile_.slices;
    for (Row row = profile_.lanes.first[lane]; row < profile_.lanes.last[lane]; ++row) {
      const Row parent = slices.parent[row];
      number_slice(row, parent == kNoRow ? kNoRow : tree_.node_of_slice[parent]);
    }
  }

  // Slices of one thread that are on several lanes because some overlap: each is inside the most recently opened
  // node that contains it whole.
  void number_overlapping(const std::vector<Row>& lanes) {
    std::vector<Row> open;  // nodes, the most recently opened last
    for (const Row row : rows_by_start(lanes)) {
      if (is_replayed(profile_, row)) {  // an instant: only its parent shows what encloses it
        number_slice(row, tree_.node_of_slice[profile_.slices.parent[row]]);
        continue;
      }
      std::erase_if(open, [&](Row node) { return profile_.end_of(tree_.slice[node]) <= profile_.slices.start[row]; });
      const auto around = std::find_if(open.rbegin(), open.rend(),
                                       [&](Row node) { return profile_.end_of(tree_.slice[node]) >= profile_.end_of(row); });
      if (number_slice(row, around == open.rend() ? kNoRow : *around)) open.push_back(tree_.node_of_slice[row]);
    }
  }

  std::vector<Row> rows_by_start(const std::vector<Row>& lanes) const {
    const Slices& slices = profile_.slices;
    std::vector<Row> rows;
    for (const Row lane : lanes) {
      for (Row row = profile_.lanes.first[lane]; row < profile_.lanes.last[lane]; ++row) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(), [&](Row a, Row b) {
      if (slices.start[a] != slices.start[b]) return slices.start[a] < slices.start[b];
      return slices.duration[a] != slices.duration[b] ? slices.duration[a] > slices.duration[b] : a < b;
    });
    return rows;
  }

  // Whether it is a node.
  bool number_slice(Row row, Row outside) {
    if (!is_node(row)) {
      tree_.node_of_slice[row] = outside;
      return false;
    }
    const Row node = static_cast<Row>(tree_.nodes());
    tree_.node_of_slice[row] = node;
    tree_.slice.push_back(row);
    tree_.parent.push_back(outside);
    tree_.operator_row.push_back(operator_of(row));
    children_.push_back(0);
    if (outside != kNoRow && children_[outside] < 2) ++children_[outside];
    return true;
  }

  // Both tables are in the order of slices, so this is the next row except where the lanes of a thread interleave.
  Row operator_of(Row slice) {
    const auto& rows = profile_.operators.slice;
    if (next_operator_ > 0 && rows[next_operator_ - 1] >= slice) {
      next_operator_ = static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), slice) - rows.begin());
    }
    while (next_operator_ < rows.size() && rows[next_operator_] < slice) ++next_operator_;
    if (next_operator_ == rows.size() || rows[next_operator_] != slice) return kNoRow;
    return static_cast<Row>(next_operator_);
  }

  void absorb_duplicates() {
    tree_.merged_into.resize(tree_.nodes());
    for (Row node = 0; node < tree_.nodes(); ++node) {
      const Row parent = tree_.parent[node];
      if (parent == kNoRow) {
        tree_.merged_into[node] = node;
        continue;
      }
      tree_.parent[node] = tree_.merged_into[parent];
      tree_.merged_into[node] = children_[parent] == 1 && same_operator(node, parent) ? tree_.merged_into[parent] : node;
    }
  }

  bool same_operator(Row a, Row b) const {
    return tree_.operator_row[a] != kNoRow && tree_.operator_row[b] != kNoRow &&
           profile_.slices.name[tree_.slice[a]] == profile_.slices.name[tree_.slice[b]];
  }

  void mark_eligible() {
    tree_.matrix_eligible.assign(tree_.nodes(), 0);
    for (Row node = 0; node < tree_.nodes(); ++node) {
      const Row row = tree_.operator_row[node];
      if (row != kNoRow && profile_.operators.matrix_eligible[row]) tree_.matrix_eligible[tree_.merged_into[node]] = 1;
    }
    const DeviceWork& work = profile_.device_work;
    for (Row i = 0; i < work.rows(); ++i) {
      if (work.core_type[i] != CoreType::matrix || !tree_.owns_itself(work.owner[i])) continue;
      tree_.matrix_eligible[tree_.node_of_owner(work.owner[i])] = 1;
    }
    for (Row node = static_cast<Row>(tree_.nodes()); node-- > 0;) {
      const Row parent = tree_.parent[node];
      if (parent != kNoRow && !tree_.absorbed(node)) tree_.matrix_eligible[parent] |= tree_.matrix_eligible[node];
    }
  }

  const Profile& profile_;
  const std::function<bool(Row)>& also_;
  HostTree tree_;
  std::vector<std::uint8_t> children_;  // by node: 0, 1, or 2 for more
  std::size_t next_operator_ = 0;
};

}  // namespace

HostTree build_host_tree(const Profile& profile, const std::function<bool(Row)>& also) {
  return TreeBuilder(profile, also).build();
}

std::int64_t held_bytes(const HostTree& tree) {
  return held_bytes(tree.slice, tree.parent, tree.merged_into, tree.operator_row, tree.matrix_eligible, tree.node_of_slice);
}

std::shared_ptr<const HostTree> host_tree(const ProfilePtr& profile) {
  return derived<HostTree>(profile, [](const ProfilePtr& of) { return build_host_tree(*of); });
}

// ---- sums over groups of nodes ----
// One pass each over nodes, launches and device work; two threads compute the sums on the host and those of device work. The busy
// time of a group is a union: device work is visited in order of start, and each group keeps only the end of its last busy
// stretch.

namespace {

constexpr Row kFewNodes = Row{1} << 14;  // take less time than starting a thread

class Summer {
 public:
  Summer(const Profile& profile, const HostTree& tree, const std::vector<Row>& group_of_node, std::size_t groups)
      : profile_(profile), tree_(tree), group_of_node_(group_of_node), host_(groups), device_(groups) {}

  std::vector<GroupSums> sum(const std::vector<WorkInterval>& work) {
    const auto on_host = [this] {
      add_nodes();
      subtract_launches();
    };
    const auto on_device = [this, &work] {
      add_device_work(work);
      add_costs();
    };
    base::run_together({on_host, on_device}, tree_.nodes() < kFewNodes ? 1 : base::default_threads());
    std::vector<GroupSums> sums;
    sums.reserve(host_.size());
    for (std::size_t group = 0; group < host_.size(); ++group) sums.push_back({host_[group], device_[group]});
    return sums;
  }

 private:
  Row group_of(Row node) const { return node == kNoRow ? kNoRow : group_of_node_[node]; }

  void add_nodes() {
    for (Row node = 0; node < tree_.nodes(); ++node) {
      const Row group = group_of_node_[node], outside = group_of(tree_.parent[node]);
      if ((group == kNoRow && outside == kNoRow) || tree_.absorbed(node)) continue;
      const Time duration = profile_.slices.duration[tree_.slice[node]];
      if (outside != kNoRow) host_[outside].host_self -= duration;
      if (group == kNoRow) continue;
      ++host_[group].calls;
      if (is_replayed(profile_, tree_.slice[node])) ++host_[group].replays;
      host_[group].host_self += duration;
      host_[group].host_total += duration;
      host_[group].matrix_eligible |= tree_.matrix_eligible[node] != 0;
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
      host_[group].host_self -= profile_.slices.duration[launches.slice[i]];
    }
  }

  void add_device_work(const std::vector<WorkInterval>& work) {
    std::vector<Time> busy_until(device_.size(), std::numeric_limits<Time>::min());
    for (const WorkInterval& interval : work) {
      const Row owner = profile_.device_work.owner[interval.work];
      const Time duration = interval.end - interval.start;
      const CoreType core = profile_.device_work.core_type[interval.work];
      const bool kernel = is_kernel(profile_.slices.kind[profile_.device_work.slice[interval.work]]);
      const Time matrix = core == CoreType::matrix ? duration : 0, unknown = kernel && core == CoreType::unknown ? duration : 0;
      Row node = tree_.node_of_owner(owner);
      if (const Row group = group_of(node); group != kNoRow && tree_.owns_itself(owner)) {
        device_[group].device_self += duration;
        device_[group].matrix_self += matrix;
        device_[group].unknown_self += unknown;
      }
      for (; node != kNoRow; node = tree_.parent[node]) {
        const Row group = group_of_node_[node];
        if (group == kNoRow) continue;
        device_[group].device_total += duration;
        device_[group].matrix_total += matrix;
        device_[group].unknown_total += unknown;
        device_[group].device_busy += std::max<Time>(0, interval.end - std::max(interval.start, busy_until[group]));
        busy_until[group] = std::max(busy_until[group], interval.end);
      }
    }
  }

  void add_costs() {
    const CallCosts costs(profile_);
    const CostedCalls& calls = profile_.costed_calls;
    for (Row call = 0; call < calls.rows(); ++call) {
      const CostSums cost = costs.of(call);
      for (Row node = tree_.node_of_owner(calls.slice[call]); node != kNoRow; node = tree_.parent[node]) {
        if (const Row group = group_of_node_[node]; group != kNoRow) device_[group].costs.add(cost);
      }
    }
  }

  const Profile& profile_;
  const HostTree& tree_;
  const std::vector<Row>& group_of_node_;
  std::vector<HostSums> host_;
  std::vector<DeviceSums> device_;
};

}  // namespace

std::vector<GroupSums> sum_groups(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                                  const std::vector<Row>& group_of_node, std::size_t groups) {
  return Summer(profile, tree, group_of_node, groups).sum(work);
}

}  // namespace sightline::analyses

// HostTree: built in a few passes over rows, with no recursion: parents precede children, so a forward pass hands
// things down and a backward pass sums them up.
#include "analyses/host_tree.h"

#include "analyses/memo.h"

namespace sightline {

namespace {

class TreeBuilder {
 public:
  explicit TreeBuilder(const Profile& profile) : profile_(profile) {}

  HostTree build() {
    number_nodes();
    absorb_duplicates();
    subtract_children();
    subtract_launches();
    add_device_work();
    sum_up();
    return std::move(tree_);
  }

 private:
  void number_nodes() {
    const Slices& slices = profile_.slices;
    tree_.node_of_slice.assign(slices.rows(), kNoRow);
    next_operator_ = 0;
    for (Row lane = 0; lane < profile_.lanes.rows(); ++lane) {
      if (profile_.lanes.kind[lane] != LaneKind::host_thread) continue;
      for (Row row = profile_.lanes.first[lane]; row < profile_.lanes.last[lane]; ++row) number_slice(row);
    }
  }

  void number_slice(Row row) {
    const Slices& slices = profile_.slices;
    const Row outside = slices.parent[row] == kNoRow ? kNoRow : tree_.node_of_slice[slices.parent[row]];
    if (!is_tree_node(slices.kind[row])) {
      tree_.node_of_slice[row] = outside;
      return;
    }
    const Row node = static_cast<Row>(tree_.nodes());
    tree_.node_of_slice[row] = node;
    tree_.slice.push_back(row);
    tree_.parent.push_back(outside);
    tree_.operator_row.push_back(operator_of(row));
    children_.push_back(0);
    if (outside != kNoRow && children_[outside] < 2) ++children_[outside];
  }

  // Slices come in ascending order within a lane and lanes in order, and so do the rows of operators.
  Row operator_of(Row slice) {
    const auto& rows = profile_.operators.slice;
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

  void subtract_children() {
    tree_.host_self.assign(tree_.nodes(), 0);
    for (Row node = 0; node < tree_.nodes(); ++node) {
      if (tree_.absorbed(node)) continue;
      const Time duration = profile_.slices.duration[tree_.slice[node]];
      tree_.host_self[node] += duration;
      if (tree_.parent[node] != kNoRow) tree_.host_self[tree_.parent[node]] -= duration;
    }
  }

  // A launching call inside another one (a driver call within a runtime call) is part of it and counts once.
  void subtract_launches() {
    const Launches& launches = profile_.launches;
    for (Row i = 0; i < launches.rows(); ++i) {
      const Row owner = launches.owner[i];
      const Row node = tree_.node_of_owner(owner);
      if (node == kNoRow || !is_tree_node(profile_.slices.kind[owner])) continue;
      const Row outer = profile_.slices.parent[launches.slice[i]];
      if (outer != kNoRow && profile_.slices.kind[outer] == SliceKind::runtime) continue;
      tree_.host_self[node] -= profile_.slices.duration[launches.slice[i]];
    }
  }

  void add_device_work() {
    for (auto* column : {&tree_.device_self, &tree_.device_total, &tree_.matrix_self, &tree_.matrix_total}) {
      column->assign(tree_.nodes(), 0);
    }
    mark_eligible_by_name();
    const DeviceWork& work = profile_.device_work;
    for (Row i = 0; i < work.rows(); ++i) {
      const Row node = tree_.node_of_owner(work.owner[i]);
      if (node == kNoRow) continue;
      const Time duration = profile_.slices.duration[work.slice[i]];
      const bool matrix = work.core_type[i] == CoreType::matrix;
      tree_.device_total[node] += duration;
      if (matrix) tree_.matrix_total[node] += duration;
      if (!is_tree_node(profile_.slices.kind[work.owner[i]])) continue;
      tree_.device_self[node] += duration;
      if (matrix) tree_.matrix_self[node] += duration;
      if (matrix) tree_.matrix_eligible[node] = 1;
    }
  }

  void mark_eligible_by_name() {
    tree_.matrix_eligible.assign(tree_.nodes(), 0);
    for (Row node = 0; node < tree_.nodes(); ++node) {
      const Row row = tree_.operator_row[node];
      if (row != kNoRow && profile_.operators.matrix_eligible[row]) tree_.matrix_eligible[tree_.merged_into[node]] = 1;
    }
  }

  void sum_up() {
    for (Row node = static_cast<Row>(tree_.nodes()); node-- > 0;) {
      const Row parent = tree_.parent[node];
      if (parent == kNoRow || tree_.absorbed(node)) continue;
      tree_.device_total[parent] += tree_.device_total[node];
      tree_.matrix_total[parent] += tree_.matrix_total[node];
      tree_.matrix_eligible[parent] |= tree_.matrix_eligible[node];
    }
  }

  const Profile& profile_;
  HostTree tree_;
  std::vector<std::uint8_t> children_;  // by node: 0, 1, or 2 for more
  std::size_t next_operator_ = 0;
};

}  // namespace

HostTree build_host_tree(const Profile& profile) { return TreeBuilder(profile).build(); }

std::shared_ptr<const HostTree> host_tree(const ProfilePtr& profile) {
  static Memo<HostTree> memo([](const ProfilePtr& of) { return build_host_tree(*of); });
  return memo.of(profile);
}

}  // namespace sightline

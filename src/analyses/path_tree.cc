// Merging by path: one pass over the nodes, parents first, each looked up by its parent's row and its name.
#include "analyses/path_tree.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analyses/group_index.h"

namespace sightline::analyses {

namespace {

class PathBuilder {
 public:
  PathBuilder(const Profile& profile, const HostTree& tree, const PathChoice& choice)
      : profile_(profile), tree_(tree), choice_(choice) {}

  PathTree build(const std::vector<WorkInterval>& work) {
    name_threads();
    paths_.row_of_node.assign(tree_.nodes(), kNoRow);
    for (Row node = 0; node < tree_.nodes(); ++node) add_node(node);
    paths_.sums = sum_groups(profile_, tree_, work, paths_.row_of_node, paths_.rows());
    for (Row row = static_cast<Row>(paths_.rows()); row-- > 0;) {
      const Row parent = paths_.parent[row];
      if (parent == kNoRow || paths_.holder[parent] == PathTree::Holder::none) continue;
      paths_.sums[parent].host_total += paths_.sums[row].host_total;
      paths_.sums[parent].device_total += paths_.sums[row].device_total;
    }
    return std::move(paths_);
  }

 private:
  void name_threads() {
    const std::vector<Row> threads = threads_of(profile_, tree_);
    several_threads_ = choice_.thread == kNoRow && threads.size() > 1;
  }

  void add_node(Row node) {
    if (tree_.absorbed(node)) return;
    const Row slice = tree_.slice[node];
    const Row thread = profile_.main_lane(profile_.slices.lane[slice]);
    if (choice_.thread != kNoRow && thread != choice_.thread) return;
    if (choice_.step && !starts_in(*choice_.step, profile_.slices.start[slice])) return;
    Row outside = tree_.parent[node] == kNoRow ? kNoRow : paths_.row_of_node[tree_.parent[node]];
    if (choice_.by_stack) {
      const StringId stack = stack_of(node);
      if (stack == StringId::none) return;
      const bool goes_on = outside != kNoRow && stack_of(tree_.parent[node]) == stack;
      if (!goes_on) outside = row_of_stack(thread_row(thread), stack);
    } else if (outside == kNoRow) {
      outside = thread_row(thread);
    }
    const Row row = row_of(outside, static_cast<std::uint32_t>(profile_.slices.name[slice]), kCall);
    if (row == paths_.rows()) append(outside, profile_.text(profile_.slices.name[slice]), PathTree::Holder::none);
    Row& longest = paths_.longest[row];
    const auto& duration = profile_.slices.duration;
    if (longest == kNoRow || duration[slice] > duration[longest]) longest = slice;
    paths_.row_of_node[node] = row;
  }

  StringId stack_of(Row node) const {
    const Row row = tree_.operator_row[node];
    return row == kNoRow ? StringId::none : profile_.operators.call_stack[row];
  }

  Row thread_row(Row thread) {
    if (!several_threads_) return kNoRow;
    const Row row = row_of(kNoRow, thread, kThread);
    if (row == paths_.rows()) append(kNoRow, thread_words(profile_, thread), PathTree::Holder::thread);
    return row;
  }

  // Below `outside`, the outermost frame first.
  Row row_of_stack(Row outside, StringId stack) {
    const auto [known, is_new] = row_of_stack_.try_emplace({outside, stack}, outside);
    if (!is_new) return known->second;
    std::string_view frames = profile_.text(stack);
    Row row = outside;
    while (!frames.empty()) {
      const std::size_t cut = frames.rfind(';');
      const std::string_view frame = cut == std::string_view::npos ? frames : frames.substr(cut + 1);
      frames = cut == std::string_view::npos ? std::string_view() : frames.substr(0, cut);
      const std::uint32_t number =
          frame_numbers_.try_emplace(frame, static_cast<std::uint32_t>(frame_numbers_.size())).first->second;
      const Row above = row;
      row = row_of(above, number, kFrame);
      if (row == paths_.rows()) append(above, frame, PathTree::Holder::frame);
    }
    return known->second = row;
  }

  enum Space : std::uint32_t { kCall, kThread, kFrame };
  // The row of that path; paths_.rows() when it is new and has to be appended.
  Row row_of(Row outside, std::uint32_t what, Space space) { return keys_.number_of({outside + 1, what, space}); }

  void append(Row outside, std::string_view name, PathTree::Holder holder) {
    paths_.parent.push_back(outside);
    paths_.name.emplace_back(name);
    paths_.holder.push_back(holder);
    paths_.longest.push_back(kNoRow);
  }

  const Profile& profile_;
  const HostTree& tree_;
  const PathChoice& choice_;
  PathTree paths_;
  GroupIndex<3> keys_;
  std::map<std::pair<Row, StringId>, Row> row_of_stack_;
  std::map<std::string_view, std::uint32_t> frame_numbers_;
  bool several_threads_ = false;
};

}  // namespace

PathTree path_tree(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                   const PathChoice& choice) {
  return PathBuilder(profile, tree, choice).build(work);
}

std::vector<Row> threads_of(const Profile& profile, const HostTree& tree) {
  std::vector<bool> has_nodes(profile.lanes.rows(), false);
  for (const Row slice : tree.slice) has_nodes[profile.main_lane(profile.slices.lane[slice])] = true;
  std::vector<Row> threads;
  for (Row lane = 0; lane < has_nodes.size(); ++lane) {
    if (has_nodes[lane]) threads.push_back(lane);
  }
  return threads;
}

std::string thread_words(const Profile& profile, Row lane) {
  const Lanes& lanes = profile.lanes;
  std::string words(profile.text(lanes.name[lane]));
  const std::string track(profile.text(lanes.track[lane]));
  if (words.empty()) return "thread " + track;
  return words.find(track) == std::string::npos ? words + " (" + track + ")" : words;
}

std::vector<Row> largest_rows(const PathTree& paths, std::size_t most) {
  std::vector<Row> order(paths.rows());
  std::iota(order.begin(), order.end(), Row{0});
  if (order.size() <= most) return order;
  double host = 0, device = 0;
  for (Row row = 0; row < paths.rows(); ++row) {
    if (paths.parent[row] != kNoRow) continue;
    host += static_cast<double>(paths.sums[row].host_total);
    device += static_cast<double>(paths.sums[row].device_total);
  }
  // What encloses a row takes no less time than the row and is before it, so it is never left out in its stead.
  std::vector<double> share(paths.rows());
  for (Row row = 0; row < paths.rows(); ++row) {
    share[row] = static_cast<double>(paths.sums[row].host_total) / std::max(host, 1.0) +
                 static_cast<double>(paths.sums[row].device_total) / std::max(device, 1.0);
  }
  std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) { return share[a] > share[b]; });
  order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace sightline::analyses

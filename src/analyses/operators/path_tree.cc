// Paths of calls: built in one pass, and merged by function from the largest row on.
#include "analyses/operators/path_tree.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <utility>

#include "analyses/derived_data.h"
#include "analyses/group_index.h"
#include "base/sort.h"

namespace sightline::analyses {

std::int64_t held_bytes(const PathTree& paths) {
  return held_bytes(paths.parent, paths.name, paths.holder, paths.longest, paths.sums);
}

std::vector<Row> threads_of(const Profile& profile, const HostTree& tree) {
  const auto thread_of = [&](Row slice) { return profile.main_lane(profile.slices.lane[slice]); };
  std::vector<Row> threads;
  for (auto at = tree.slice.begin(); at != tree.slice.end();) {  // the nodes of a thread are together
    threads.push_back(thread_of(*at));
    at = std::partition_point(at, tree.slice.end(), [&](Row slice) { return thread_of(slice) == threads.back(); });
  }
  std::sort(threads.begin(), threads.end());
  return threads;
}

std::string thread_words(const Profile& profile, Row lane) {
  const Lanes& lanes = profile.lanes;
  std::string words(profile.text(lanes.name[lane]));
  const std::string track(profile.text(lanes.track[lane]));
  if (words.empty()) return "thread " + track;
  return words.find(track) == std::string::npos ? words + " (" + track + ")" : words;
}

// ---- paths ----
// One pass over the nodes, parents first, each found by its parent's row and its name.

namespace {

class PathBuilder {
 public:
  PathBuilder(const Profile& profile, const HostTree& tree, const PathChoice& choice)
      : profile_(profile), tree_(tree), choice_(choice) {}

  PathTree build(const std::vector<WorkInterval>& work) {
    name_threads();
    row_of_node_.assign(tree_.nodes(), kNoRow);
    for (Row node = 0; node < tree_.nodes(); ++node) add_node(node);
    paths_.sums = sum_groups(profile_, tree_, work, row_of_node_, paths_.rows());
    for (Row row = static_cast<Row>(paths_.rows()); row-- > 0;) {
      const Row parent = paths_.parent[row];
      if (parent == kNoRow || paths_.holder[parent] == PathTree::Holder::none) continue;
      paths_.sums[parent].host_total += paths_.sums[row].host_total;
      paths_.sums[parent].device_total += paths_.sums[row].device_total;
      paths_.sums[parent].costs.add(paths_.sums[row].costs);
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
    Row outside = tree_.parent[node] == kNoRow ? kNoRow : row_of_node_[tree_.parent[node]];
    if (choice_.by_stack) {
      const StringId stack = stack_of(node);
      if (stack == StringId::none) return;
      const bool goes_on = outside != kNoRow && stack_of(tree_.parent[node]) == stack;
      if (!goes_on) outside = row_of_stack(thread_row(thread), stack);
    } else if (outside == kNoRow) {
      outside = thread_row(thread);
    }
    const Row row = row_of_call(outside, slice);
    Row& longest = paths_.longest[row];
    const auto& duration = profile_.slices.duration;
    if (longest == kNoRow || duration[slice] > duration[longest]) longest = slice;
    row_of_node_[node] = row;
  }

  // Steps are one row: their names differ only in the number.
  Row row_of_call(Row outside, Row slice) {
    const bool is_step = profile_.slices.kind[slice] == SliceKind::step;
    const StringId name = profile_.slices.name[slice];
    const Row row = is_step ? row_of(outside, 0, kSteps) : row_of(outside, static_cast<std::uint32_t>(name), kCall);
    if (row < paths_.rows()) return row;
    std::string_view words = profile_.text(name);
    while (is_step && !words.empty() && kStepNumber.find(words.back()) != kStepNumber.npos) words.remove_suffix(1);
    append(outside, words.empty() ? "step" : words, PathTree::Holder::none);
    return row;
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

  enum Space : std::uint32_t { kCall, kThread, kFrame, kSteps };
  static constexpr std::string_view kStepNumber = "0123456789#_ ";
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
  std::vector<Row> row_of_node_;  // kNoRow: not in the tree
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
  // An enclosing row takes at least as long as the rows inside it and comes before them, so it is never left out while they
  // stay.
  std::vector<double> share(paths.rows());
  for (Row row = 0; row < paths.rows(); ++row) {
    share[row] = static_cast<double>(paths.sums[row].host_total) / std::max(host, 1.0) +
                 static_cast<double>(paths.sums[row].device_total) / std::max(device, 1.0);
  }
  sort_down(order, [&](Row each) { return share[each]; });
  order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

// ---- rows merged by function ----

namespace {

// A path in a merged row: the row of paths whose costs it has, and the one that the way has come to.
struct Member {
  Row costs;
  Row at;
};
using Members = std::vector<Member>;

class PathMerger {
 public:
  enum class Way : std::uint8_t { up, down };  // to the callers, or to the callees
  enum class Weight : std::uint8_t { self, total };

  PathMerger(const Profile& profile, const PathTree& paths, Way way, Weight weight)
      : profile_(profile), paths_(paths), way_(way), weight_(weight) {
    for (Row row = 0; row < paths.rows(); ++row) name_.push_back(number_of(paths.name[row]));
    if (way == Way::down) find_children();
  }

  // The outermost rows of that function.
  Members of_function(std::string_view function) const {
    Members members;
    std::vector<bool> inside(paths_.rows());  // a row of it, or inside one
    for (Row row = 0; row < paths_.rows(); ++row) {
      const Row parent = paths_.parent[row];
      inside[row] = parent != kNoRow && inside[parent];
      if (inside[row] || is_thread(row) || paths_.name[row] != function) continue;
      inside[row] = true;
      members.push_back({row, row});
    }
    return members;
  }

  Members of_all_calls() const {
    Members members;
    for (Row row = 0; row < paths_.rows(); ++row) {
      if (paths_.holder[row] == PathTree::Holder::none) members.push_back({row, row});
    }
    return members;
  }

  // The largest waiting row is taken, and those below it begin to wait: none of them is larger.
  MergedTree merge(const Members& start, std::size_t most) {
    for (const Member& member : start) {
      host_ += time_of(paths_.sums[member.costs], &GroupSums::host_self, &GroupSums::host_total);
      device_ += time_of(paths_.sums[member.costs], &GroupSums::device_self, &GroupSums::device_total);
    }
    wait(kNoRow, start);
    merged_.functions = waiting_.size();
    while (!waiting_.empty() && merged_.paths.rows() < most) {
      const std::size_t group = waiting_.top().group;
      waiting_.pop();
      const Members members = std::exchange(groups_[group].members, {});
      wait(append(groups_[group].parent, members), next(members));
    }
    merged_.has_more = !waiting_.empty();
    return std::move(merged_);
  }

 private:
  struct Group {
    Row parent;  // row of the merged tree
    Members members;
  };

  struct Waiting {
    double share;
    std::size_t group;
    // The largest share first, and of equals the one that came first.
    bool operator<(const Waiting& other) const { return share != other.share ? share < other.share : group > other.group; }
  };

  std::uint32_t number_of(std::string_view name) {
    return numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  void find_children() {
    children_.resize(paths_.rows());
    for (Row row = 0; row < paths_.rows(); ++row) {
      if (paths_.parent[row] != kNoRow) children_[paths_.parent[row]].push_back(row);
    }
  }

  bool is_thread(Row row) const { return paths_.holder[row] == PathTree::Holder::thread; }

  double time_of(const GroupSums& sums, Time GroupSums::*self, Time GroupSums::*total) const {
    return static_cast<double>(weight_ == Weight::self ? sums.*self : sums.*total);
  }

  double share_of(const Members& members) const {
    double host = 0, device = 0;
    for (const Member& member : members) {
      host += time_of(paths_.sums[member.costs], &GroupSums::host_self, &GroupSums::host_total);
      device += time_of(paths_.sums[member.costs], &GroupSums::device_self, &GroupSums::device_total);
    }
    return host / std::max(host_, 1.0) + device / std::max(device_, 1.0);
  }

  Members next(const Members& members) const {
    Members found;
    for (const auto& [costs, at] : members) {
      if (way_ == Way::down) {
        for (const Row child : children_[at]) found.push_back({child, child});
      } else if (const Row caller = paths_.parent[at]; caller != kNoRow && !is_thread(caller)) {
        found.push_back({costs, caller});
      }
    }
    return found;
  }

  // Begins a group for each name among the members.
  void wait(Row parent, const Members& members) {
    GroupIndex<1> names;
    const std::size_t first = groups_.size();
    for (const Member& member : members) {
      const std::size_t group = first + names.number_of({name_[member.at]});
      if (group == groups_.size()) groups_.push_back({parent, {}});
      groups_[group].members.push_back(member);
    }
    for (std::size_t group = first; group < groups_.size(); ++group) waiting_.push({share_of(groups_[group].members), group});
  }

  Row append(Row parent, const Members& members) {
    PathTree& out = merged_.paths;
    GroupSums sums;
    PathTree::Holder holder = PathTree::Holder::none;
    Row longest = kNoRow;
    const auto& duration = profile_.slices.duration;
    for (const Member& member : members) {
      const GroupSums& of = paths_.sums[member.costs];
      sums.calls += of.calls;
      sums.host_self += of.host_self;
      sums.host_total += of.host_total;
      sums.device_self += of.device_self;
      sums.device_total += of.device_total;
      sums.costs.add(of.costs);
      if (paths_.holder[member.costs] != PathTree::Holder::none) holder = PathTree::Holder::frame;
      const Row slice = paths_.longest[member.costs];
      if (slice != kNoRow && (longest == kNoRow || duration[slice] > duration[longest])) longest = slice;
    }
    sums.device_busy = kUnknown;
    out.parent.push_back(parent);
    out.name.push_back(paths_.name[members.front().at]);
    out.holder.push_back(holder);
    out.longest.push_back(longest);
    out.sums.push_back(sums);
    return static_cast<Row>(out.rows() - 1);
  }

  const Profile& profile_;
  const PathTree& paths_;
  const Way way_;
  const Weight weight_;
  double host_ = 0, device_ = 0;  // of all
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::vector<std::uint32_t> name_;         // by row of paths: equal names have one number
  std::vector<std::vector<Row>> children_;  // by row of paths; only on the way down
  std::vector<Group> groups_;
  std::priority_queue<Waiting> waiting_;
  MergedTree merged_;
};

}  // namespace

MergedTree callers_of_all(const Profile& profile, const PathTree& paths, std::size_t most) {
  PathMerger merger(profile, paths, PathMerger::Way::up, PathMerger::Weight::self);
  return merger.merge(merger.of_all_calls(), most);
}

MergedTree callers_of(const Profile& profile, const PathTree& paths, std::string_view function, std::size_t most) {
  PathMerger merger(profile, paths, PathMerger::Way::up, PathMerger::Weight::total);
  return merger.merge(merger.of_function(function), most);
}

MergedTree callees_of(const Profile& profile, const PathTree& paths, std::string_view function, std::size_t most) {
  PathMerger merger(profile, paths, PathMerger::Way::down, PathMerger::Weight::total);
  return merger.merge(merger.of_function(function), most);
}

}  // namespace sightline::analyses

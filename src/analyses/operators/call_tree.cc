// Call tree: which ranges ran inside which, on every thread, merged by path; as a flame graph and as a tree.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "analyses/columns.h"
#include "analyses/derived_data.h"
#include "analyses/group_index.h"
#include "analyses/operators/host_tree.h"
#include "analyses/operators/operator_columns.h"
#include "analyses/steps/range_columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

// ---- PathTree: the calls of a profile merged by path ----
// A million calls become a few thousand rows: calls by the same names from the top of a thread down are one row. One pass over
// the nodes, parents first, each found by its parent's row and its name.

namespace {

// A row represents calls, or holds them together: a thread, or a frame of the call stacks that were recorded.
struct PathTree {
  enum class Holder : std::uint8_t { none, thread, frame };

  // By row; parents precede their children.
  std::vector<Row> parent;  // row, kNoRow at the top
  std::vector<std::string> name;
  std::vector<Holder> holder;
  std::vector<Row> longest;     // row of slices, the first of equals; kNoRow for holders
  std::vector<GroupSums> sums;  // of a holder: the totals of the rows in it

  std::vector<Row> row_of_node;  // kNoRow: not in the tree
  std::size_t rows() const { return parent.size(); }
};

struct PathChoice {
  Row thread = kNoRow;  // its main lane; kNoRow: all threads, each below its own row if there are several
  std::optional<StepWindow> step;
  bool by_stack = false;  // below the frames of the call stacks that were recorded with the operators
};

// The threads that the tree has nodes on, as main lanes in their order, and how a thread is called.
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

PathTree path_tree(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                   const PathChoice& choice) {
  return PathBuilder(profile, tree, choice).build(work);
}

// At most `most` rows: those with the largest share of the time, and the rows around them. Old row numbers, ascending.
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
  std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) { return share[a] > share[b]; });
  order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

// ---- the view ----

namespace {

constexpr std::string_view kHolds = "a thread or a frame is not a call: it contains calls";

// With Python functions and annotations as nodes.
std::shared_ptr<const HostTree> full_tree(const ProfilePtr& profile) {
  return derived<HostTree>(profile, [](const ProfilePtr& of) {
    return build_host_tree(*of, [&](Row row) {
      const SliceKind kind = of->slices.kind[row];
      return kind == SliceKind::python || kind == SliceKind::annotation || kind == SliceKind::host_communication;
    });
  });
}

struct Totals {
  Time host = 0, device = 0;            // at the top of the tree
  Time host_left = 0, device_left = 0;  // in the rows that are left out
};

// A row that is shown, and its parent among those.
struct ShownPath {
  Row path;
  Row parent;
};

bool is_call(const PathTree& paths, const ShownPath& row) { return paths.holder[row.path] == PathTree::Holder::none; }

// Of a holder, only the totals are known.
GroupSums sums_of_path(const PathTree& paths, const Totals&, const ShownPath& row) {
  GroupSums sums = paths.sums[row.path];
  if (!is_call(paths, row)) sums.calls = sums.device_self = sums.device_busy = sums.host_self = kUnknown;
  return sums;
}

TableOf<ShownPath, PathTree, Totals> call_tree_table(bool has_device_work) {
  TableOf<ShownPath, PathTree, Totals> table({.key = "calls", .title = "Call tree"});
  table.add(label_column("name", "Name", "Name of the range, thread or Python function"),
            even_empty([](const PathTree& paths, const Totals&, const ShownPath& row) { return paths.name[row.path]; }));
  table.add_all(operator_columns(has_device_work), sums_of_path, [](ReportColumn& column) {
    const bool is_total = column.key == "host_total" || column.key == "device_total";
    if (column.unit == Unit::ns && !is_total) column.unknown = kHolds;
    if (column.key == "calls") column.unknown = kHolds;
    if (column.key == "device_busy") column.hidden = true;
    if (is_total) column.bar = column.key == "host_total" ? "host_share" : "device_share";
    return !column.key.starts_with("tc_");
  });
  table.add(real_column("device_share", "Device share", Unit::share,
                        {"Share of the device time of the tree.",
                         "device total / sum of the device totals at the top of the tree", "as device total", kNew})
                .hide(),
            [](const PathTree& paths, const Totals& totals, const ShownPath& row) {
              return quotient(paths.sums[row.path].device_total, totals.device);
            });
  table.add(real_column("host_share", "Host share", Unit::share,
                        {"Share of the host time of the tree.", "host total / sum of the host totals at the top of the tree",
                         "as host total", kNew})
                .hide(),
            [](const PathTree& paths, const Totals& totals, const ShownPath& row) {
              return quotient(paths.sums[row.path].host_total, totals.host);
            });
  table.add(flag_column("is_call", "Is a call", {"Whether the row represents calls, not a thread or frame", "", ""}).hide(),
            [](const PathTree& paths, const Totals&, const ShownPath& row) { return is_call(paths, row); });
  table.add(longest_slice_column("call").with_unknown(std::string(kHolds)),
            [](const PathTree& paths, const Totals&, const ShownPath& row) {
              return is_call(paths, row) ? paths.longest[row.path] : kNoRow;
            });
  table.add(integer_column("parent", "Parent", Unit::id, {"The row around it", "", ""}).hide(), &ShownPath::parent);
  return table;
}

// The paths `shown` (ascending), with their parents renumbered.
std::vector<ShownPath> shown_paths(const PathTree& paths, const std::vector<Row>& shown) {
  std::vector<Row> row_of(paths.rows(), kNoRow);
  std::vector<ShownPath> rows;
  for (const Row path : shown) {
    row_of[path] = static_cast<Row>(rows.size());
    rows.push_back({path, paths.parent[path] == kNoRow ? kNoRow : row_of[paths.parent[path]]});
  }
  return rows;
}

Totals totals_of(const PathTree& paths, const std::vector<Row>& shown) {
  Totals totals;
  std::vector<bool> kept(paths.rows(), false);
  for (const Row row : shown) kept[row] = true;
  for (Row row = 0; row < paths.rows(); ++row) {
    const Row parent = paths.parent[row];
    if (parent == kNoRow) {
      totals.host += paths.sums[row].host_total;
      totals.device += paths.sums[row].device_total;
    }
    if (kept[row] || (parent != kNoRow && !kept[parent])) continue;
    totals.host_left += paths.sums[row].host_total;
    totals.device_left += paths.sums[row].device_total;
  }
  return totals;
}

std::vector<Note> notes_of(const PathTree& paths, std::size_t shown, const Totals& totals) {
  if (shown == paths.rows()) return {};
  const auto share = [](Time part, Time whole) {
    return share_words(whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
  };
  return {
      {Note::Level::info, say("The {} largest of {} paths; the others hold {} of the host time and {} of the device time.",
                              count_words(static_cast<std::int64_t>(shown)), count_words(static_cast<std::int64_t>(paths.rows())),
                              share(totals.host_left, totals.host), share(totals.device_left, totals.device))}};
}

bool has_recorded_stacks(const Profile& profile) {
  const auto& stacks = profile.operators.call_stack;
  return std::any_of(stacks.begin(), stacks.end(), [](StringId stack) { return stack != StringId::none; });
}

// The kinds of tree that the profile can have.
Result<Parameter> tree_parameter(const Profile& profile, const std::string& chosen) {
  Parameter parameter{
      "tree", "Tree of", ParameterType::choice, chosen, {{"ranges", "Operators and modules"}}, "What the rows are"};
  if (profile.has_python_stacks) parameter.choices.push_back({"python", "Python functions too"});
  if (has_recorded_stacks(profile)) parameter.choices.push_back({"stacks", "Recorded call stacks"});
  for (const ParameterChoice& choice : parameter.choices) {
    if (choice.value == chosen) return parameter;
  }
  return Error{ErrorCode::invalid_argument,
               chosen == "python" || chosen == "stacks"
                   ? "tree: recorded without call stacks: with_stack=True of torch.profiler, or python_tracer_level of "
                     "jax.profiler, records them"
                   : "tree: one of ranges, python, stacks",
               ""};
}

// By track; where two processes have the same, by lane as well.
Result<Row> chosen_thread(const Profile& profile, const std::vector<Row>& threads, const std::string& chosen,
                          Parameter& parameter) {
  Row found = kNoRow;
  parameter.value = chosen;
  parameter.choices = {{"", "All threads"}};
  for (const Row thread : threads) {
    const std::string value = std::to_string(thread);
    parameter.choices.push_back({value, thread_words(profile, thread)});
    if (value == chosen) found = thread;
  }
  if (found == kNoRow && !chosen.empty())
    return Error{ErrorCode::invalid_argument, say("thread: no thread has the number {}", chosen), ""};
  return found;
}

Parameter thread_parameter() {
  return {"thread", "Thread", ParameterType::choice, "", {}, "Which thread's calls; empty: all threads"};
}

Result<Report> run_call_tree(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  const bool has_device_work = profile->device_work.rows() > 0;
  const auto step = chosen_step(*profile, given.text("step"));
  if (!step) return step.error();
  auto kind = tree_parameter(*profile, given.text("tree"));
  if (!kind) return kind.error();
  const std::int64_t most = given.integer("rows");
  if (most < 1) return Error{ErrorCode::invalid_argument, "rows: at least 1", ""};
  const auto tree = given.text("tree") == "python" ? full_tree(profile) : host_tree(profile);
  Parameter thread = thread_parameter();
  const auto lane = chosen_thread(*profile, threads_of(*profile, *tree), given.text("thread"), thread);
  if (!lane) return lane.error();
  const PathTree paths = path_tree(*profile, *tree, *work_by_start(profile),
                                   {.thread = *lane, .step = *step, .by_stack = given.text("tree") == "stacks"});
  const std::vector<Row> shown = largest_rows(paths, static_cast<std::size_t>(most));
  const Totals totals = totals_of(paths, shown);

  Report report{.view = "call_tree", .title = "Call tree"};
  report.parameters = {step_parameter(*profile, given), std::move(thread), std::move(*kind)};
  report.scope = count_words(std::ssize(paths.parent), "{} path", "{} paths");
  if (*step) report.scope = say("{}, step {}", report.scope, (*step)->number);
  report.tables.push_back(call_tree_table(has_device_work).of(paths, totals, shown_paths(paths, shown)));
  for (RowLink& link : timeline_links()) {
    link.when = "is_call";
    report.tables.back().row_links.push_back(std::move(link));
  }
  const bool device_time = choose_device_time(report, *profile, given);
  Panel flame{.id = "flame",
              .title = device_time ? "Device time by path" : "Host time by path",
              .content = FlameChart{
                  .table = "calls", .label = "name", .value = device_time ? "device_total" : "host_total", .parent = "parent"}};
  flame.empty = "None of these calls took this kind of time.";
  flame.doc = device_time ? "Flame graph over all calls, merged by path: width is the device total, not the order of time."
                          : "Flame graph over all calls, merged by path: width is the host total, not the order of time.";
  flame.notes = notes_of(paths, shown.size(), totals);
  report.panels.push_back(std::move(flame));
  Panel panel{.id = "calls", .title = "Call tree", .content = TreeTable{"calls", "parent"}};
  panel.empty = "No call matches.";
  panel.notes = notes_of(paths, shown.size(), totals);
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<Message> call_tree_unavailable(const Profile& profile) {
  if (profile.operators.rows() > 0 || profile.modules.rows() > 0 || profile.has_python_stacks) return std::nullopt;
  return "no operators in this profile: record host activity as well";
}

std::vector<ReportTable> call_tree_tables() { return {call_tree_table(true).blank()}; }

}  // namespace

Analysis call_tree_analysis() {
  return {.id = "call_tree",
          .title = "Call tree",
          .group = ViewGroup::where_time_went,
          .doc = "Which operators, modules and Python functions called which, on every thread, merged by path.",
          .parameters =
              {thread_parameter(),
               {"tree", "Tree of", ParameterType::choice, "ranges", {}, "What the rows are: ranges, python or stacks"},
               flame_parameters().front(),
               {"rows", "Most rows", ParameterType::integer, "5000", {}, "How many paths are shown; the largest come first"},
               {"step",
                "Step",
                ParameterType::text,
                "",
                {},
                "Only calls that start inside the host range of the step of this number"}},
          .unavailable = call_tree_unavailable,
          .run = run_call_tree,
          .tables = call_tree_tables};
}

}  // namespace sightline::analyses

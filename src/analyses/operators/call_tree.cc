// Call tree: which ranges ran inside which, on every thread, merged by path; as a flame graph and as a tree. Top down from the
// threads, bottom up from the functions to their callers, or the callers and the callees of one function.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "analyses/columns.h"
#include "analyses/derived_data.h"
#include "analyses/operators/operator_columns.h"
#include "analyses/operators/path_tree.h"
#include "analyses/steps/range_columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

// ---- tables ----

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

using PathTable = TableOf<ShownPath, PathTree, Totals>;

void add_shares(PathTable& table, const MetricDoc& device, const MetricDoc& host, Time GroupSums::*device_time,
                Time GroupSums::*host_time) {
  table.add(real_column("device_share", "Device share", Unit::share, device).hide(),
            [=](const PathTree& paths, const Totals& totals, const ShownPath& row) {
              return quotient(paths.sums[row.path].*device_time, totals.device);
            });
  table.add(real_column("host_share", "Host share", Unit::share, host).hide(),
            [=](const PathTree& paths, const Totals& totals, const ShownPath& row) {
              return quotient(paths.sums[row.path].*host_time, totals.host);
            });
}

// `barred`: whether a bar is of "total" or "self" time.
PathTable path_columns(ReportTable declaration, const std::string& barred, bool has_busy, bool has_device_work) {
  PathTable table(std::move(declaration));
  table.add(label_column("name", "Name", "Name of the range, thread or Python function"),
            even_empty([](const PathTree& paths, const Totals&, const ShownPath& row) { return paths.name[row.path]; }));
  table.add_all(operator_columns(has_device_work), sums_of_path, [&](ReportColumn& column) {
    const bool is_total = column.key == "host_total" || column.key == "device_total";
    if (column.unit == Unit::ns && !is_total && column.key != "to_win") column.unknown = kHolds;
    if (column.key == "calls") column.unknown = kHolds;
    if (column.key == "device_busy") column.hidden = true;
    if (column.key == "host_" + barred) column.bar = "host_share";
    if (column.key == "device_" + barred) column.bar = "device_share";
    return !column.key.starts_with("tc_") && (has_busy || column.key != "device_busy");
  });
  return table;
}

void add_links_of_rows(PathTable& table) {
  table.add(flag_column("is_call", "Is a call", {"Whether the row represents calls, not a thread or frame", "", ""}).hide(),
            [](const PathTree& paths, const Totals&, const ShownPath& row) { return is_call(paths, row); });
  table.add(longest_slice_column("call").with_unknown(kHolds), [](const PathTree& paths, const Totals&, const ShownPath& row) {
    return is_call(paths, row) ? paths.longest[row.path] : kNoRow;
  });
  table.add(integer_column("parent", "Parent", Unit::id, {"The row around it", "", ""}).hide(), &ShownPath::parent);
}

PathTable call_tree_table(bool has_device_work) {
  PathTable table = path_columns({.key = "calls", .title = "Call tree"}, "total", true, has_device_work);
  add_shares(table,
             {"Share of the device time of the tree.", "device total / sum of the device totals at the top of the tree",
              "as device total", kNew},
             {"Share of the host time of the tree.", "host total / sum of the host totals at the top of the tree",
              "as host total", kNew},
             &GroupSums::device_total, &GroupSums::host_total);
  add_links_of_rows(table);
  return table;
}

// Every function, and below it its callers.
PathTable functions_table(bool has_device_work) {
  PathTable table = path_columns({.key = "functions", .title = "Functions and their callers"}, "self", false, has_device_work);
  add_shares(table,
             {"Share of the device time of all functions.", "device self / sum of the device self times of all functions",
              "as device self", kNew},
             {"Share of the host time of all functions.", "host self / sum of the host self times of all functions",
              "as host self", kNew},
             &GroupSums::device_self, &GroupSums::host_self);
  add_links_of_rows(table);
  return table;
}

// The callers or the callees of one function.
PathTable around_table(std::string_view key, Message title, bool has_device_work) {
  PathTable table = path_columns({.key = std::string(key), .title = std::move(title)}, "total", false, has_device_work);
  add_shares(
      table,
      {"Share of the device time of the function.", "device total / device total of the function", "as device total", kNew},
      {"Share of the host time of the function.", "host total / host total of the function", "as host total", kNew},
      &GroupSums::device_total, &GroupSums::host_total);
  add_links_of_rows(table);
  return table;
}

PathTable callers_table(bool has_device_work) { return around_table("callers", "Callers", has_device_work); }
PathTable callees_table(bool has_device_work) { return around_table("callees", "Callees", has_device_work); }

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

Parameter function_parameter(const std::string& function = "") {
  return {"function", "Function", ParameterType::text, function, {}, "Its callers and its callees; empty: the whole tree"};
}

Parameter show_parameter(const std::string& shown = "callees") {
  return {"show",
          "Show",
          ParameterType::choice,
          shown,
          {{"callees", "Top down"}, {"callers", "Bottom up"}},
          "What is inside a row: the calls that it made, or those that made it"};
}

// ---- the view ----

enum class TreeKind { ranges, python, stacks };  // the choices of the parameter `tree`

TreeKind kind_of(std::string_view tree) {
  return tree == "python" ? TreeKind::python : tree == "stacks" ? TreeKind::stacks : TreeKind::ranges;
}

std::shared_ptr<const HostTree> nodes_of(const ProfilePtr& profile, TreeKind kind) {
  return kind == TreeKind::python ? full_tree(profile) : host_tree(profile);
}

PathTree paths_of(const ProfilePtr& profile, TreeKind kind, Row thread, const std::optional<StepWindow>& step) {
  return path_tree(*profile, *nodes_of(profile, kind), *work_by_start(profile),
                   {.thread = thread, .step = step, .by_stack = kind == TreeKind::stacks});
}

// Those of all threads in the whole run are found once for a profile: what a request shows of them needs no other sums.
std::shared_ptr<const PathTree> chosen_paths(const ProfilePtr& profile, TreeKind kind, Row thread,
                                             const std::optional<StepWindow>& step) {
  if (thread != kNoRow || step) return std::make_shared<const PathTree>(paths_of(profile, kind, thread, step));
  return derived<PathTree>(
      profile, [](const ProfilePtr& of, TreeKind which) { return paths_of(of, which, kNoRow, std::nullopt); }, kind);
}

// What a request chooses, and what all its panels need.
struct CallTree {
  const Profile& profile;
  const Parameters& given;
  std::shared_ptr<const PathTree> paths;
  std::size_t most;
  bool device_time;

  bool has_device_work() const { return profile.device_work.rows() > 0; }
  std::string value(std::string_view time) const { return (device_time ? "device_" : "host_") + std::string(time); }
};

RowLink function_link(const Parameters& given) {
  RowLink link{"Callers and callees", "call_tree", {{"function", "$name"}}};
  for (const char* key : {"thread", "tree", "time", "step"}) {
    if (!given.text(key).empty()) link.parameters.emplace_back(key, given.text(key));
  }
  return link;
}

void add_table(Report& report, const CallTree& tree, ReportTable table) {
  std::vector<RowLink> links = timeline_links();
  links.push_back(function_link(tree.given));
  for (RowLink& link : links) {
    link.when = "is_call";
    table.row_links.push_back(std::move(link));
  }
  report.tables.push_back(std::move(table));
}

Panel path_flame(std::string_view table, Message title, std::string value, Message doc, std::vector<Note> notes) {
  Panel panel{.id = fmt::format("{}_flame", table),
              .title = std::move(title),
              .content = FlameChart{.table = std::string(table), .label = "name", .value = std::move(value), .parent = "parent"}};
  panel.empty = "None of these calls took this kind of time.";
  panel.doc = std::move(doc);
  panel.notes = std::move(notes);
  return panel;
}

Panel tree_panel(const ReportTable& table, std::vector<Note> notes) {
  Panel panel{.id = table.key, .title = table.title, .content = TreeTable{table.key, "parent"}};
  panel.empty = "No call matches.";
  panel.notes = std::move(notes);
  return panel;
}

void add_top_down(Report& report, const CallTree& tree) {
  const PathTree& paths = *tree.paths;
  const std::vector<Row> shown = largest_rows(paths, tree.most);
  const Totals totals = totals_of(paths, shown);
  const std::vector<Note> notes = notes_of(paths, shown.size(), totals);
  report.scope = count_words(std::ssize(paths.parent), "{} path", "{} paths");
  add_table(report, tree, call_tree_table(tree.has_device_work()).of(paths, totals, shown_paths(paths, shown)));
  Panel flame = path_flame("calls", tree.device_time ? "Device time by path" : "Host time by path", tree.value("total"),
                           tree.device_time
                               ? "Flame graph over all calls, merged by path: width is the device total, not the order of time."
                               : "Flame graph over all calls, merged by path: width is the host total, not the order of time.",
                           notes);
  flame.id = "flame";
  report.panels.push_back(std::move(flame));
  report.panels.push_back(tree_panel(report.tables.back(), notes));
}

std::vector<ShownPath> all_rows(const PathTree& paths) {
  std::vector<ShownPath> rows;
  for (Row row = 0; row < paths.rows(); ++row) rows.push_back({row, paths.parent[row]});
  return rows;
}

std::vector<Note> notes_of(const MergedTree& merged) {
  if (!merged.has_more) return {};
  return {{Note::Level::info,
           say("The {} largest rows: there are smaller ones.", count_words(static_cast<std::int64_t>(merged.paths.rows())))}};
}

void add_bottom_up(Report& report, const CallTree& tree) {
  const MergedTree functions = callers_of_all(tree.profile, *tree.paths, tree.most);
  Totals totals;
  for (Row row = 0; row < tree.paths->rows(); ++row) {
    if (tree.paths->holder[row] != PathTree::Holder::none) continue;
    totals.host += tree.paths->sums[row].host_self;
    totals.device += tree.paths->sums[row].device_self;
  }
  report.scope = count_words(static_cast<std::int64_t>(functions.functions), "{} function", "{} functions");
  add_table(report, tree, functions_table(tree.has_device_work()).of(functions.paths, totals, all_rows(functions.paths)));
  Panel flame = path_flame("functions", tree.device_time ? "Device self time by function" : "Host self time by function",
                           tree.value("self"),
                           "Every function, and below it its callers: width is the self time of the function that these "
                           "callers caused.",
                           notes_of(functions));
  flame.id = "flame";
  report.panels.push_back(std::move(flame));
  report.panels.push_back(tree_panel(report.tables.back(), notes_of(functions)));
}

// The callers above, drawn upwards; the callees below.
Result<bool> add_around(Report& report, const CallTree& tree, const std::string& function) {
  const MergedTree callers = callers_of(tree.profile, *tree.paths, function, tree.most);
  if (callers.functions == 0) return Error{ErrorCode::invalid_argument, say("function: no call is named '{}'", function), ""};
  const MergedTree callees = callees_of(tree.profile, *tree.paths, function, tree.most);
  const Totals totals{callees.paths.sums[0].host_total, callees.paths.sums[0].device_total};
  report.trail = {{"All functions", {{"function", ""}}}, {function, {{"function", function}}}};
  const std::string value = tree.value("total");
  add_table(report, tree, callers_table(tree.has_device_work()).of(callers.paths, totals, all_rows(callers.paths)));
  add_table(report, tree, callees_table(tree.has_device_work()).of(callees.paths, totals, all_rows(callees.paths)));
  Panel up = path_flame("callers", tree.device_time ? "Callers, by device time" : "Callers, by host time", value,
                        "The function, and above it its callers: width is the total time of the function that these callers "
                        "caused.",
                        notes_of(callers));
  up.as<FlameChart>()->up = true;
  report.panels.push_back(std::move(up));
  report.panels.push_back(path_flame("callees", tree.device_time ? "Callees, by device time" : "Callees, by host time", value,
                                     "The function, and below it what it called: width is the total time.", notes_of(callees)));
  report.panels.push_back(tree_panel(report.tables[0], notes_of(callers)));
  report.panels.push_back(tree_panel(report.tables[1], notes_of(callees)));
  return true;
}

Result<Report> run_call_tree(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  const auto step = chosen_step(profile, given.text("step"));
  if (!step) return step.error();
  auto tree = tree_parameter(*profile, given.text("tree"));
  if (!tree) return tree.error();
  const TreeKind kind = kind_of(given.text("tree"));
  const std::int64_t most = given.integer("rows");
  if (most < 1) return Error{ErrorCode::invalid_argument, "rows: at least 1", ""};
  Parameter thread = thread_parameter();
  const auto lane = chosen_thread(*profile, threads_of(*profile, *nodes_of(profile, kind)), given.text("thread"), thread);
  if (!lane) return lane.error();

  Report report{.view = "call_tree", .title = "Call tree"};
  const std::string& function = given.text("function");
  report.parameters = {step_parameter(profile, given), std::move(thread), std::move(*tree), function_parameter(function)};
  report.parameters.push_back(show_parameter(given.text("show")));
  if (!function.empty()) report.parameters.back().choices.pop_back();  // both are shown
  const CallTree shown{.profile = *profile,
                       .given = given,
                       .paths = chosen_paths(profile, kind, *lane, *step),
                       .most = static_cast<std::size_t>(most),
                       .device_time = choose_device_time(report, *profile, given)};
  if (!function.empty()) {
    if (const auto added = add_around(report, shown, function); !added) return added.error();
  } else if (given.text("show") == "callers") {
    add_bottom_up(report, shown);
  } else {
    add_top_down(report, shown);
  }
  if (*step && !report.scope.empty()) report.scope = say("{}, step {}", report.scope, (*step)->number);
  return report;
}

std::optional<Message> call_tree_unavailable(const Profile& profile) {
  if (profile.operators.rows() > 0 || profile.modules.rows() > 0 || profile.has_python_stacks) return std::nullopt;
  return "no operators in this profile: record host activity as well";
}

std::vector<ReportTable> call_tree_tables() {
  return {call_tree_table(true).blank(), functions_table(true).blank(), callers_table(true).blank(), callees_table(true).blank()};
}

}  // namespace

Analysis call_tree_analysis() {
  return {.id = "call_tree",
          .title = "Call tree",
          .group = ViewGroup::where_time_went,
          .doc =
              "Which operators, modules and Python functions called which, on every thread, merged by path; who called a "
              "function, and what it called.",
          .parameters =
              {thread_parameter(),
               function_parameter(),
               show_parameter(),
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

// The call stacks of one operator (the detail of a row of `operators`), and the frames of one of them.
// A stack is the text that was recorded: frames joined by semicolons.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/operators/operator_columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

// By call: row of operators, or of reported_operators if the profile has only those.
const Column<StringId>& call_stacks(const Profile& profile) {
  return has_only_reported_operators(profile) ? profile.reported_operators.call_stack : profile.operators.call_stack;
}

std::optional<Message> no_stacks(const Profile& profile) {
  const auto& stacks = call_stacks(profile);
  if (std::any_of(stacks.begin(), stacks.end(), [](StringId stack) { return stack != StringId::none; })) return std::nullopt;
  return "no operator was recorded with its call stack: with_stack=True of torch.profiler records them";
}

std::string_view first_frame(std::string_view stack) { return stack.substr(0, stack.find(';')); }

// ---- the stacks of an operator ----

struct StackRow {
  std::string_view stack;
  GroupSums sums;
  Row first_call;
};

TableOf<StackRow> stacks_table(bool has_device_work, const DeviceWords& words = {}) {
  TableOf<StackRow> table({.key = "stacks",
                           .title = "Call stacks",
                           .sort_column = operator_sort_column(has_device_work),
                           .row_detail = RowDetail{"Frames", "call_stack", {{"call", "$call"}}, ""}});
  table.add(label_column("frame", "Innermost frame", "Where the operator was called"),
            [](const StackRow& row) { return first_frame(row.stack); });
  table.add_all(operator_columns(has_device_work, words), &StackRow::sums);
  table.add(code_column("stack", "Call stack", "Frames, outermost last, joined by ;").hide(), &StackRow::stack);
  table.add(integer_column("call", "First call", Unit::id, {"Row of the first call with this stack", "", ""}).hide(),
            &StackRow::first_call);
  return table;
}

struct Stacks {
  GroupIndex<1> keys;           // call stack
  std::vector<Row> first_call;  // by group: row of operators
  std::vector<Row> group_of_node;
};

// The calls of one operator; with these shapes, and in this step, when given.
Stacks group_stacks(const Profile& profile, const HostTree& tree, StringId name, std::optional<StringId> shapes,
                    const std::optional<StepWindow>& step) {
  Stacks stacks;
  stacks.group_of_node.assign(tree.nodes(), kNoRow);
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row slice = tree.slice[node];
    if (!tree.is_operator(node) || profile.slices.name[slice] != name) continue;
    if (step && !starts_in(*step, profile.slices.start[slice])) continue;
    const Row row = tree.operator_row[node];
    const StringId stack = profile.operators.call_stack[row];
    if (stack == StringId::none || (shapes && profile.operators.input_shapes[row] != *shapes)) continue;
    stacks.group_of_node[node] = stacks.keys.number_of({static_cast<std::uint32_t>(stack)});
    if (stacks.keys.size() > stacks.first_call.size()) stacks.first_call.push_back(row);
  }
  return stacks;
}

// The stacks by group, and their first calls.
struct StackTexts {
  std::vector<StringId> text;
  std::vector<Row> first_call;
};

ReportTable filled_stacks(const Profile& profile, const StackTexts& stacks, const std::vector<GroupSums>& sums,
                          bool has_device_work) {
  std::vector<StackRow> rows;
  for (const Row group : sorted_groups(sums, has_device_work))
    rows.push_back({profile.text(stacks.text[group]), sums[group], stacks.first_call[group]});
  return stacks_table(has_device_work, device_words(profile)).of(rows);
}

template <std::size_t kWords>
StackTexts texts_of(const GroupIndex<kWords>& keys, std::size_t word, std::vector<Row> first_call) {
  StackTexts texts{{}, std::move(first_call)};
  for (std::size_t group = 0; group < keys.size(); ++group) texts.text.push_back(keys.text(group, word));
  return texts;
}

// The stacks of the calls on the timeline.
ReportTable timed_stacks(const ProfilePtr& profile, StringId name, std::optional<StringId> shapes,
                         const std::optional<StepWindow>& step) {
  const auto tree = host_tree(profile);
  Stacks stacks;
  if (name != StringId::none) stacks = group_stacks(*profile, *tree, name, shapes, step);
  stacks.group_of_node.resize(tree->nodes(), kNoRow);
  const auto sums = sum_groups(*profile, *tree, *work_by_start(profile), stacks.group_of_node, stacks.keys.size());
  return filled_stacks(*profile, texts_of(stacks.keys, 0, std::move(stacks.first_call)), sums, profile->device_work.rows() > 0);
}

// Those of calls that the file states without their times.
ReportTable reported_stacks(const Profile& profile, StringId name, std::optional<StringId> shapes) {
  const ReportedGroups groups = group_reported_stacks(profile, name, shapes);
  return filled_stacks(profile, texts_of(groups.keys, 2, groups.first_call), groups.sums, true);
}

Result<Report> run_stacks(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  const StringId name = profile->strings.find(given.text("name"));
  std::optional<StringId> shapes;
  if (given.text("group_by") == "shape") shapes = profile->strings.find(given.text("input_shape"));
  const auto step = chosen_step(profile, given.text("step"));
  if (!step) return step.error();
  ReportTable table = has_only_reported_operators(*profile) ? reported_stacks(*profile, name, shapes)
                                                            : timed_stacks(profile, name, shapes, *step);

  Report report{.view = "operator_stacks", .title = "Call stacks"};
  report.scope = say("{} of {}", count_words(static_cast<std::int64_t>(table.rows()), "{} call stack", "{} call stacks"),
                     given.text("name"));
  report.tables.push_back(std::move(table));
  Panel panel{.id = "stacks", .title = "Call stacks", .content = PlainTable{"stacks"}};
  panel.empty = "No call of this operator has a call stack.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::vector<ReportTable> stacks_tables() { return {stacks_table(true).blank()}; }

// ---- the frames of a stack ----

struct StackFrame {
  std::int64_t depth;
  std::string_view text, file;
  std::int64_t line;
};

ReportTable frames_table(const std::vector<StackFrame>& frames) {
  TableOf<StackFrame> table({.key = "frames", .title = "Frames", .sort_column = "depth", .sort_descending = false});
  table.add(integer_column("depth", "Depth", Unit::count, {"0 is the innermost frame", "", ""}), &StackFrame::depth);
  table.add(label_column("frame", "Frame", "As recorded"), even_empty(&StackFrame::text));
  table.add(code_column("file", "File", "Source file, if the frame names it"), &StackFrame::file);
  table.add(integer_column("line", "Line", Unit::none, {"Line in the file", "", ""}), &StackFrame::line);
  return table.of(frames);
}

// "model.py(12): forward" -> "model.py", 12; nothing for other shapes.
std::optional<std::pair<std::string_view, std::int64_t>> place_of(std::string_view frame) {
  const std::size_t close = frame.find("): ");
  const std::size_t open = frame.rfind('(', close);
  if (close == std::string_view::npos || open == std::string_view::npos) return std::nullopt;
  std::int64_t line = 0;
  const auto [end, error] = std::from_chars(frame.data() + open + 1, frame.data() + close, line);
  if (error != std::errc{} || end != frame.data() + close) return std::nullopt;
  return std::pair{frame.substr(0, open), line};
}

std::vector<StackFrame> frames_of(std::string_view stack) {
  std::vector<StackFrame> frames;
  while (!stack.empty()) {
    const std::string_view frame = first_frame(stack);
    stack.remove_prefix(std::min(stack.size(), frame.size() + 1));
    const auto place = place_of(frame).value_or(std::pair(std::string_view{}, kUnknown));
    frames.push_back({std::ssize(frames), frame, place.first, place.second});
  }
  return frames;
}

Result<Report> run_frames(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const std::int64_t call = input.parameters.integer("call");
  const auto& stacks = call_stacks(profile);
  if (call < 0 || call >= static_cast<std::int64_t>(stacks.size())) {
    return Error{ErrorCode::not_found, say("no operator call {} in this profile", call), ""};
  }
  Report report{.view = "call_stack", .title = "Call stack"};
  report.tables.push_back(frames_table(frames_of(profile.text(stacks[static_cast<std::size_t>(call)]))));
  Panel panel{.id = "frames", .title = "Frames", .content = PlainTable{"frames"}};
  panel.empty = "This call has no call stack.";
  report.panels.push_back(std::move(panel));
  return report;
}

}  // namespace

Analysis operator_stacks_analysis() {
  return {.id = "operator_stacks",
          .title = "Call stacks",
          .group = ViewGroup::none,
          .doc = "What called an operator, and the cost of each caller's calls.",
          .parameters = {{"name", "Operator", ParameterType::text, "", {}, "The operator's whole name"},
                         {"group_by",
                          "Group by",
                          ParameterType::choice,
                          "name",
                          {{"name", "Operator"}, {"shape", "Operator and input shapes"}},
                          "Whether the input shapes must match too"},
                         {"input_shape",
                          "Input shapes",
                          ParameterType::text,
                          "",
                          {},
                          "The input shapes as shown; empty: no shapes were recorded"},
                         {"step",
                          "Step",
                          ParameterType::text,
                          "",
                          {},
                          "Only calls that start inside the host range of the step of this number"}},
          .unavailable = no_stacks,
          .run = run_stacks,
          .tables = stacks_tables};
}

Analysis call_stack_analysis() {
  return {.id = "call_stack",
          .title = "Call stack",
          .group = ViewGroup::none,
          .doc = "The frames of one call stack.",
          .parameters = {{"call", "Call", ParameterType::integer, "0", {}, "Row of the operator call whose stack it is"}},
          .unavailable = no_stacks,
          .run = run_frames,
          .tables = nullptr};
}

}  // namespace sightline::analyses

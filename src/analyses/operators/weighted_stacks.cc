// Weighted stacks: which functions and paths hold the samples (or what else was counted) of a file that states no times.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyses/allocator/live_stacks.h"
#include "analyses/columns.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kStackSource = "stacks with weights in the file";

// ---- tables ----

struct FrameRow {
  std::string name;
  bool own_name = false;
  std::int64_t parent = kUnknown;  // a row of this table
  double weight = 0, self = 0, all = 0;
};

template <typename Of>
void add_weights(TableOf<Of>& table, Message weight, Message self, Message share) {
  table.add(
      real_column("weight", "Weight", Unit::count, {std::move(weight), "sum of the weights of its stacks", kStackSource, kNew})
          .with_bar("share")
          .with_sums(false),
      &Of::weight);
  table.add(real_column("self", "Self weight", Unit::count,
                        {std::move(self), "sum of the weights of the stacks whose innermost frame it is", kStackSource, kNew}),
            &Of::self);
  table.add(real_column("share", "Share", Unit::share, {std::move(share), "weight / sum of all weights", kStackSource, kNew}),
            [](const Of& of) { return quotient(of.weight, of.all); });
}

TableOf<FrameRow> frame_columns() {
  TableOf<FrameRow> table({.key = "paths", .title = "Stacks", .sort_column = "weight"});
  table.add(label_column("name", "Frame", "Function, file and line").with_words("own_name"), &FrameRow::name);
  add_weights(table, "Samples, or what else the file counts, of the frame and what it called.",
              "The part of it that the frame has itself.", "Share of all weights.");
  table.add(integer_column("parent", "Parent", Unit::id, {"Row of the frame that called it", "", ""}).hide(), &FrameRow::parent);
  table.add(own_name_column(), &FrameRow::own_name);
  return table;
}

struct FunctionRow {
  std::string name;
  double weight = 0, self = 0, all = 0;
};

TableOf<FunctionRow> function_columns() {
  TableOf<FunctionRow> table({.key = "functions", .title = "Functions", .sort_column = "self"});
  table.add(label_column("name", "Function", "Function and file"), &FunctionRow::name);
  add_weights(table, "Samples, or what else the file counts, with the function anywhere on the stack; each counts once.",
              "The part of it in which the function was innermost.", "Share of all weights.");
  return table;
}

// ---- sums ----

// What is counted, and on which thread.
struct Choice {
  StringId counts = StringId::none, thread = StringId::none;
  bool all_threads = true;
};

// By row of stacks.
struct Weights {
  std::vector<double> self, total;
  double all = 0;
  std::int64_t stacks = 0;  // rows that count
};

Weights weights_of(const Profile& profile, const Choice& choice) {
  Weights sums;
  sums.self.resize(profile.stacks.rows());
  const WeightedStacks& from = profile.weighted_stacks;
  for (Row row = 0; row < from.rows(); ++row) {
    if (from.counts[row] != choice.counts || (!choice.all_threads && from.thread[row] != choice.thread)) continue;
    sums.self[from.stack[row]] += from.weight[row];
    sums.all += from.weight[row];
    ++sums.stacks;
  }
  sums.total = sums.self;
  for (Row row = static_cast<Row>(sums.total.size()); row-- > 0;) {
    if (const Row caller = profile.stacks.caller[row]; caller != kNoRow) sums.total[caller] += sums.total[row];
  }
  return sums;
}

// Callers come first: they have no less than what they called, and lower row numbers.
std::vector<FrameRow> largest_paths(const Profile& profile, const Weights& sums) {
  std::vector<Row> stacks;
  for (Row row = 0; row < sums.total.size(); ++row) {
    if (sums.total[row] > 0) stacks.push_back(row);
  }
  sort_down(stacks, [&](Row each) { return sums.total[each]; });
  if (stacks.size() > kMostFrames) stacks.resize(kMostFrames);
  std::vector<FrameRow> rows;
  std::unordered_map<Row, std::int64_t> place;
  for (const Row stack : stacks) {
    const Row caller = profile.stacks.caller[stack];
    place[stack] = std::ssize(rows);
    rows.push_back({.name = frame_words(profile, stack),
                    .parent = caller == kNoRow ? kUnknown : place.at(caller),
                    .weight = sums.total[stack],
                    .self = sums.self[stack],
                    .all = sums.all});
  }
  return rows;
}

// A function that calls itself counts once for each stack.
std::vector<FunctionRow> function_rows(const Profile& profile, const Weights& sums) {
  const auto& stacks = profile.stacks;
  std::map<std::pair<StringId, StringId>, FunctionRow> functions;
  const auto is_same = [&](Row a, Row b) { return stacks.name[a] == stacks.name[b] && stacks.file[a] == stacks.file[b]; };
  for (Row row = 0; row < sums.total.size(); ++row) {
    if (sums.total[row] <= 0) continue;
    FunctionRow& of = functions[{stacks.name[row], stacks.file[row]}];
    of.self += sums.self[row];
    Row around = stacks.caller[row];
    while (around != kNoRow && !is_same(around, row)) around = stacks.caller[around];
    if (around == kNoRow) of.weight += sums.total[row];
  }
  std::vector<FunctionRow> rows;
  for (auto& [key, of] : functions) {
    of.name = function_words(profile, key.first, key.second);
    of.all = sums.all;
    rows.push_back(std::move(of));
  }
  sort_down(rows, &FunctionRow::self);
  return rows;
}

// ---- the view ----

std::vector<Parameter> stack_parameters() {
  return {{"counts", "Weights", ParameterType::choice, "", {}, "What the weights count; empty: the first that the file has"},
          {"thread", "Thread", ParameterType::choice, "", {}, "Which thread's stacks; empty: all threads"}};
}

// The texts of a column, each once, in order.
std::vector<StringId> texts_of(const Column<StringId>& column) {
  std::vector<StringId> texts;
  std::set<StringId> known;
  for (const StringId text : column) {
    if (known.insert(text).second) texts.push_back(text);
  }
  return texts;
}

Result<Report> run_weighted_stacks(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  std::vector<Parameter> parameters = stack_parameters();
  Parameter &counts = parameters[0], &thread = parameters[1];
  counts.value = input.parameters.text("counts");
  thread.value = input.parameters.text("thread");
  Choice choice;
  bool known = false;
  const std::vector<StringId> all_counts = texts_of(profile.weighted_stacks.counts);
  for (const StringId text : all_counts) {
    const std::string value = text == StringId::none ? "weight" : std::string(profile.text(text));
    counts.choices.push_back({value, Message::verbatim(value)});
    if (counts.value != value && (known || !counts.value.empty())) continue;
    counts.value = value;
    choice.counts = text;
    known = true;
  }
  if (!known) return Error{ErrorCode::invalid_argument, say("counts: the file has no weights of {}", counts.value), ""};
  thread.choices.push_back({"", "All threads"});
  known = thread.value.empty();
  for (const StringId text : texts_of(profile.weighted_stacks.thread)) {
    if (text == StringId::none) continue;
    const std::string value(profile.text(text));
    thread.choices.push_back({value, Message::verbatim(value)});
    if (thread.value != value) continue;
    choice.thread = text;
    choice.all_threads = false;
    known = true;
  }
  if (!known) return Error{ErrorCode::invalid_argument, say("thread: no thread is called {}", thread.value), ""};
  const Weights sums = weights_of(profile, choice);
  const std::vector<FrameRow> paths = largest_paths(profile, sums);
  Report report{.view = "weighted_stacks", .title = "Weighted stacks"};
  report.parameters = std::move(parameters);
  report.scope = count_words(sums.stacks, "{} stack", "{} stacks");
  report.tables = {frame_columns().of(paths), function_columns().of(function_rows(profile, sums))};
  Panel flame{.id = "flame",
              .title = "Stacks",
              .content = FlameChart{.table = "paths", .label = "name", .value = "weight", .parent = "parent"}};
  flame.doc = "Outermost frame first: width is the weight that the file states, not time.";
  flame.empty = "No stack has a weight.";
  if (std::ranges::count_if(sums.total, [](double weight) { return weight > 0; }) > std::ssize(paths))
    flame.notes.push_back({Note::Level::info, say("The {} frames that hold most are drawn.", kMostFrames)});
  report.panels = {std::move(flame), listed_panel("functions", "Functions", "No stack has a weight.")};
  return report;
}

std::optional<Message> stacks_unavailable(const Profile& profile) {
  if (profile.weighted_stacks.rows() > 0) return std::nullopt;
  return "the file has no stacks with weights";
}

}  // namespace

Analysis weighted_stacks_analysis() {
  return {.id = "weighted_stacks",
          .title = "Weighted stacks",
          .group = ViewGroup::where_time_went,
          .doc = "Which functions and call paths hold the samples of a file that states stacks with weights and no times.",
          .parameters = stack_parameters(),
          .unavailable = stacks_unavailable,
          .run = run_weighted_stacks,
          .tables = [] {
            return std::vector<ReportTable>{frame_columns().blank(), function_columns().blank()};
          }};
}

}  // namespace sightline::analyses

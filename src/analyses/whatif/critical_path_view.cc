// Critical path: what the length of each step consists of, along the chain of what waited for what.
#include <array>

#include "analyses/columns.h"
#include "analyses/views.h"
#include "analyses/whatif/path_tables.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kChain = "chain of binding dependencies";

TableOf<PathPiece, Profile> piece_table() {
  TableOf<PathPiece, Profile> table({.key = "path", .title = "Path", .sort_column = "start", .sort_descending = false});
  table.add(integer_column("start", "Start", Unit::ns, {"Where the piece begins.", "", kChain}),
            [](const Profile&, const PathPiece& piece) { return piece.interval.start; });
  table.add(integer_column("length", "Length", Unit::ns, {"Its length.", "end - start", kChain}),
            [](const Profile&, const PathPiece& piece) { return piece.interval.length(); });
  table.add(words_column("kind", "Kind", "What the step waited for"),
            [](const Profile&, const PathPiece& piece) { return path_class_words(piece.of); });
  table.add(label_column("name", "Name", "Kernel, call, operator or other range of the host"),
            even_empty([](const Profile& p, const PathPiece& piece) {
              return piece.slice == kNoRow ? std::string_view{} : p.text(p.slices.name[piece.slice]);
            }));
  table.add(longest_slice_column("piece"), [](const Profile&, const PathPiece& piece) { return piece.slice; });
  return table;
}

struct StepPath {
  std::int64_t number;
  Time length;
  std::array<Time, kPathClasses> of{};
};

TableOf<StepPath> step_table() {
  TableOf<StepPath> table({.key = "steps", .title = "Steps", .sort_column = "step", .sort_descending = false});
  table.add(integer_column("step", "Step", Unit::id, {"Number of the step.", "", "the program"}).with_role(ColumnRole::label),
            &StepPath::number);
  table.add(integer_column("length", "Length", Unit::ns, {"Its length.", "end - start", "steps, with their device work"}),
            &StepPath::length);
  for (std::size_t i = 0; i < kPathClasses; ++i) {
    const std::string_view words = path_class_words(static_cast<PathClass>(i));
    std::string key(words);
    for (char& c : key) c = lower_letter(c) >= 'a' && lower_letter(c) <= 'z' ? lower_letter(c) : '_';
    table.add(integer_column(key, Message(words), Unit::ns,
                             {"Its time on the path of the step.", "sum of the lengths of pieces of the path", kChain}),
              [i](const StepPath& step) { return step.of[i]; });
  }
  return table;
}

// ---- the report ----

// The paths of the steps.
struct Paths {
  explicit Paths(const Profile& profile) : tables(false) { tables.add_rank(profile, ""); }

  PathTables tables;
  std::vector<StepPath> steps;
  std::vector<PathPiece> first;  // the path of the first step that has one
  std::int64_t first_step = 0;   // its number
  Time length = 0, on_path = 0;

  void add(const GraphStep& step, std::vector<PathPiece> pieces);
};

void Paths::add(const GraphStep& step, std::vector<PathPiece> pieces) {
  StepPath row{step.number, step.window.length()};
  for (const PathPiece& piece : pieces) {
    on_path += piece.interval.length();
    row.of[static_cast<std::size_t>(piece.of)] += piece.interval.length();
    tables.add(0, piece);
  }
  length += row.length;
  steps.push_back(row);
  if (!first.empty() || pieces.empty()) return;
  first = std::move(pieces);
  first_step = step.number;
}

FactSheet path_facts(const Paths& paths) {
  const auto doc = [](const MetricDoc& of) { return of.text(); };
  const double steps = static_cast<double>(paths.steps.size());
  return {{{"Step", cell(quotient(static_cast<double>(paths.length), steps)), Unit::ns,
            doc({"Mean length of the steps.", "sum of lengths / number of steps", "steps, with their device work"})},
           {"On the path", cell(quotient(static_cast<double>(paths.on_path), steps)), Unit::ns,
            doc({"Sum of the pieces of the path: exactly the step.", "sum of lengths / number of steps", std::string(kChain)})},
           {"Pieces, first step", Cell{std::ssize(paths.first)}, Unit::count,
            doc({"Pieces of the path of the first step shown.", "number of pieces", std::string(kChain)})}}};
}

Result<Report> run_critical_path(const AnalysisInput& input) {
  const ProfilePtr& of = input.profiles.front();
  const Profile& profile = *of;
  const auto chosen = chosen_step(of, input.parameters.text("step"));
  if (!chosen) return chosen.error();
  const auto graph = dependency_graph(of);
  const CriticalPath path(profile, *graph);
  Paths paths(profile);
  for (const GraphStep& step : graph->steps) {
    if (!*chosen || (*chosen)->number == step.number) paths.add(step, path.of(step));
  }
  if (paths.steps.empty()) {
    return Error{ErrorCode::invalid_argument, "the end of the recording cut this step off: it has no path"};
  }
  Report report{.view = "critical_path", .title = "Critical path"};
  report.scope = *chosen ? say("step {}", (*chosen)->number) : scope_words(*steps_of(of));
  report.parameters.push_back(step_parameter(of, input.parameters));
  report.panels.push_back({.id = "facts", .title = "Critical path", .content = path_facts(paths)});
  paths.tables.add_to(report, paths.steps.size(), paths.length);
  if (paths.steps.size() > 1) {
    report.tables.push_back(step_table().of(paths.steps));
    hide_unknown_columns(report.tables.back());
    report.panels.push_back({.id = "steps", .title = "Steps", .content = PlainTable{"steps"}});
  }
  report.tables.push_back(piece_table().of(profile, paths.first));
  report.tables.back().row_links = timeline_links();
  report.tables.back().row_links.front().parameters.emplace_back("timeline.waits", "1");
  report.panels.push_back({.id = "path", .title = "Path", .content = PlainTable{"path"}});
  report.panels.back().scope = say("step {}", paths.first_step);
  return report;
}

std::optional<Message> critical_path_unavailable(const Profile& profile) {
  if (profile.device_work.rows() > 0 || profile.operators.rows() > 0) return std::nullopt;
  return "no device work and no operators with times in this profile";
}

std::vector<ReportTable> critical_path_tables() {
  std::vector<ReportTable> tables = PathTables::blank(false);
  tables.push_back(step_table().blank());
  tables.push_back(piece_table().blank());
  return tables;
}

}  // namespace

Analysis critical_path_analysis() {
  return {.id = "critical_path",
          .title = "Critical path",
          .group = ViewGroup::where_time_went,
          .doc = "The chain of work and waits that makes each step as long as it is, by kind, name, operator, module and line.",
          .parameters = {{"step", "Step", ParameterType::text, "", {}, "Only the step of this number"}},
          .unavailable = critical_path_unavailable,
          .run = run_critical_path,
          .tables = critical_path_tables,
          .slow = true};
}

}  // namespace sightline::analyses

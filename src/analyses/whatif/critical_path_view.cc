// Critical path: what the length of each step consists of, along the chain of what waited for what.
#include <algorithm>
#include <array>

#include "analyses/advice/place.h"
#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/views.h"
#include "analyses/whatif/critical_path.h"
#include "analyses/words.h"
#include "model/modules.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kChain = "chain of binding dependencies";
constexpr std::string_view kPieces = "sum of the lengths of pieces of the path / number of steps";

// Pieces of one class, or of one class and name.
struct PathSum {
  PathClass of;
  StringId name = StringId::none;
  std::int64_t pieces = 0;
  Time time = 0;
  PathPiece longest{};
};

struct PathScope {
  double steps = 0;                   // number
  double all = 0;                     // sum of their lengths
  const StringPool* lines = nullptr;  // of source
};

double per_step(const PathScope& scope, const PathSum& sum) { return quotient(static_cast<double>(sum.time), scope.steps); }

// The columns of all tables of sums.
void add_sums(TableOf<PathSum, Profile, PathScope>& table) {
  table.add(real_column("time", "Time per step", Unit::ns,
                        {"Its time on the path, mean over the steps.", std::string(kPieces), std::string(kChain)})
                .with_bar("share"),
            [](const Profile&, const PathScope& scope, const PathSum& sum) { return per_step(scope, sum); });
  table.add(real_column("share", "Share", Unit::share,
                        {"Its share of the steps.", "time on the path / sum of the steps' lengths", std::string(kChain)}),
            [](const Profile&, const PathScope& scope, const PathSum& sum) {
              return quotient(static_cast<double>(sum.time), scope.all);
            });
  table.add(integer_column("pieces", "Pieces", Unit::count,
                           {"Stretches of the path, of all steps.", "number of pieces", std::string(kChain)}),
            &PathSum::pieces);
  table.add(integer_column("longest", "Longest", Unit::ns, {"The longest piece.", "end - start", std::string(kChain)}),
            [](const PathSum& sum) { return sum.longest.interval.length(); });
  table.add(longest_slice_column("piece"), [](const PathSum& sum) { return sum.longest.slice; });
}

std::string_view class_of(const PathSum& sum) { return path_class_words(sum.of); }

TableOf<PathSum, Profile, PathScope> class_table() {
  TableOf<PathSum, Profile, PathScope> table({.key = "classes", .title = "By kind", .sort_column = "time"});
  table.add(words_column("kind", "Kind", "What the step waited for").with_role(ColumnRole::label), class_of);
  table.add(words_column("hue", "Hue", "Category that gives its colour in the chart").with_role(ColumnRole::category).hide(),
            [](const PathSum& sum) { return path_class_hue(sum.of); });
  add_sums(table);
  return table;
}

TableOf<PathSum, Profile, PathScope> name_table() {
  TableOf<PathSum, Profile, PathScope> table({.key = "names", .title = "By name", .sort_column = "time"});
  table.add(words_column("kind", "Kind", "What the step waited for"), class_of);
  table.add(label_column("name", "Name", "Kernel, call, operator or other range of the host"),
            even_empty([](const Profile& p, const PathScope&, const PathSum& sum) { return p.text(sum.name); }));
  add_sums(table);
  return table;
}

TableOf<PathSum, Profile, PathScope> named_table(std::string_view key, Message title, Message column, Message doc) {
  TableOf<PathSum, Profile, PathScope> table({.key = std::string(key), .title = std::move(title), .sort_column = "time"});
  table.add(label_column("name", std::move(column), std::move(doc)),
            even_empty([](const Profile& p, const PathScope&, const PathSum& sum) { return p.text(sum.name); }));
  add_sums(table);
  return table;
}

TableOf<PathSum, Profile, PathScope> module_table() {
  return named_table("modules", "By module", "Module",
                     "The innermost module that a piece belongs to, on the host or by its launch");
}

TableOf<PathSum, Profile, PathScope> operator_table() {
  return named_table("operators", "By operator", "Operator",
                     "The innermost operator that a piece belongs to, on the host or by its launch");
}

TableOf<PathSum, Profile, PathScope> line_table() {
  TableOf<PathSum, Profile, PathScope> table({.key = "lines", .title = "By line", .sort_column = "time"});
  table.add(code_column("line", "Line",
                        "The innermost Python function of the user's code that a piece belongs to, on the host or by its launch")
                .with_role(ColumnRole::label),
            [](const Profile&, const PathScope& scope, const PathSum& sum) { return scope.lines->view(sum.name); });
  add_sums(table);
  return table;
}

// The innermost operator around a call or range, or of device work; none if there is none.
StringId operator_of(const Profile& p, Row slice) {
  for (Row around = host_side(p, slice); around != kNoRow; around = p.slices.parent[around]) {
    if (p.slices.kind[around] == SliceKind::op) return p.slices.name[around];
  }
  return StringId::none;
}

TableOf<PathPiece, Profile> piece_table() {
  TableOf<PathPiece, Profile> table({.key = "path", .title = "Path", .sort_column = "start", .sort_descending = false});
  table.add(integer_column("start", "Start", Unit::ns, {"Where the piece begins.", "", std::string(kChain)}),
            [](const Profile&, const PathPiece& piece) { return piece.interval.start; });
  table.add(integer_column("length", "Length", Unit::ns, {"Its length.", "end - start", std::string(kChain)}),
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
    table.add(
        integer_column(key, Message(words), Unit::ns,
                       {"Its time on the path of the step.", "sum of the lengths of pieces of the path", std::string(kChain)}),
        [i](const StepPath& step) { return step.of[i]; });
  }
  return table;
}

// ---- the report ----

class PathSums {
 public:
  void add(const PathPiece& piece, StringId name) {
    const std::uint32_t group = groups_.number_of({static_cast<std::uint32_t>(piece.of), static_cast<std::uint32_t>(name)});
    if (group == sums_.size()) sums_.push_back({.of = piece.of, .name = name});
    PathSum& sum = sums_[group];
    ++sum.pieces;
    sum.time += piece.interval.length();
    if (piece.interval.length() > sum.longest.interval.length()) sum.longest = piece;
  }
  bool empty() const { return sums_.empty(); }
  std::vector<PathSum> sorted() const {
    std::vector<PathSum> sums = sums_;
    std::stable_sort(sums.begin(), sums.end(), [](const PathSum& a, const PathSum& b) { return a.time > b.time; });
    return sums;
  }

 private:
  GroupIndex<2> groups_;
  std::vector<PathSum> sums_;
};

// The longest piece is shown below the path.
std::vector<RowLink> path_links() {
  std::vector<RowLink> links = timeline_links();
  links.front().parameters.emplace_back("timeline.waits", "1");
  return links;
}

void add_table(Report& report, ReportTable table, const char* title) {
  table.row_links = path_links();
  Panel panel{.id = table.key, .title = title, .content = PlainTable{table.key}};
  report.tables.push_back(std::move(table));
  report.panels.push_back(std::move(panel));
}

// Whether Python functions or stacks were recorded.
bool has_source_lines(const Profile& p) {
  return std::find(p.slices.kind.begin(), p.slices.kind.end(), SliceKind::python) != p.slices.kind.end() ||
         std::any_of(p.operators.call_stack.begin(), p.operators.call_stack.end(),
                     [](StringId stack) { return stack != StringId::none; });
}

// The paths of the steps, and what they consist of.
struct Paths {
  explicit Paths(const Profile& of) : profile(of), modules(enclosing_modules(of)), has_lines(has_source_lines(of)) {}

  const Profile& profile;
  std::vector<Row> modules;  // by slice; empty if there are none
  bool has_lines;
  PathSums classes, names, of_operators, of_modules, of_lines;
  StringPool lines;  // of the source
  std::vector<StepPath> steps;
  std::vector<PathPiece> first;  // the path of the first step
  Time on_path = 0;

  void add(const GraphStep& step, std::vector<PathPiece> pieces);
  PathScope scope() const;

 private:
  void add(const PathPiece& piece);
};

void Paths::add(const GraphStep& step, std::vector<PathPiece> pieces) {
  StepPath row{step.number, step.window.length()};
  for (const PathPiece& piece : pieces) {
    on_path += piece.interval.length();
    row.of[static_cast<std::size_t>(piece.of)] += piece.interval.length();
    add(piece);
  }
  steps.push_back(row);
  if (first.empty()) first = std::move(pieces);
}

void Paths::add(const PathPiece& piece) {
  classes.add(piece, StringId::none);
  names.add(piece, piece.slice == kNoRow ? StringId::none : profile.slices.name[piece.slice]);
  if (piece.slice == kNoRow) return;
  const PathPiece part{piece.interval, PathClass::host, piece.slice};  // whatever its class
  const StringId op = operator_of(profile, piece.slice);
  if (op != StringId::none) of_operators.add(part, op);
  if (has_lines) {
    const StringId line = lines.intern(source_line(profile, host_side(profile, piece.slice)));
    if (line != StringId::none) of_lines.add(part, line);
  }
  const Row module = modules.empty() ? kNoRow : modules[piece.slice];
  if (module != kNoRow) of_modules.add(part, profile.slices.name[module]);
}

PathScope Paths::scope() const {
  PathScope scope{.steps = static_cast<double>(steps.size()), .lines = &lines};
  for (const StepPath& step : steps) scope.all += static_cast<double>(step.length);
  return scope;
}

FactSheet path_facts(const Paths& paths) {
  const auto doc = [](const MetricDoc& of) { return of.text(); };
  const PathScope scope = paths.scope();
  return {{{"Step", cell(quotient(scope.all, scope.steps)), Unit::ns,
            doc({"Mean length of the steps.", "sum of lengths / number of steps", "steps, with their device work"})},
           {"On the path", cell(quotient(static_cast<double>(paths.on_path), scope.steps)), Unit::ns,
            doc({"Sum of the pieces of the path: exactly the step.", "sum of lengths / number of steps", std::string(kChain)})},
           {"Pieces", Cell{std::ssize(paths.first)}, Unit::count,
            doc({"Pieces of the path of the first step shown.", "number of pieces", std::string(kChain)})}}};
}

// A kind is not a name to search for, so its rows have no link that searches.
void add_classes(Report& report, const Paths& paths) {
  report.tables.push_back(class_table().of(paths.profile, paths.scope(), paths.classes.sorted()));
  report.tables.back().row_links = path_links();
  report.tables.back().row_links.pop_back();
  Panel table{.id = "classes", .title = "By kind", .content = PlainTable{"classes"}};
  table.doc = "The chain of work and waits, back from the end of the step. Only what is on it makes the step longer.";
  report.panels.push_back(std::move(table));
}

void add_path_sums(Report& report, const Paths& paths) {
  const PathScope scope = paths.scope();
  const auto add = [&](const TableOf<PathSum, Profile, PathScope>& table, const PathSums& sums, const char* title) {
    if (!sums.empty()) add_table(report, table.of(paths.profile, scope, sums.sorted()), title);
  };
  add_table(report, name_table().of(paths.profile, scope, paths.names.sorted()), "By name");
  add(operator_table(), paths.of_operators, "By operator");
  add(module_table(), paths.of_modules, "By module");
  add(line_table(), paths.of_lines, "By line");
  if (!paths.of_lines.empty()) report.tables.back().row_links.pop_back();  // a line is not a name to search for either
}

Result<Report> run_critical_path(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const auto chosen = chosen_step(profile, input.parameters.text("step"));
  if (!chosen) return chosen.error();
  const auto graph = dependency_graph(input.profiles.front());
  const CriticalPath path(profile, *graph);
  Paths paths(profile);
  for (const GraphStep& step : graph->steps) {
    if (!*chosen || (*chosen)->number == step.number) paths.add(step, path.of(step));
  }
  if (paths.steps.empty()) {
    return Error{ErrorCode::invalid_argument, "the end of the recording cut this step off: it has no path"};
  }
  Report report{.view = "critical_path", .title = "Critical path"};
  report.scope = *chosen ? say("step {}", (*chosen)->number) : scope_words(step_windows(profile));
  report.parameters.push_back(step_parameter(profile, input.parameters));
  report.panels.push_back({.id = "facts", .title = "Critical path", .content = path_facts(paths)});
  add_classes(report, paths);
  add_path_sums(report, paths);
  if (paths.steps.size() > 1) {
    report.tables.push_back(step_table().of(paths.steps));
    hide_unknown_columns(report.tables.back());
    report.panels.push_back({.id = "steps", .title = "Steps", .content = PlainTable{"steps"}});
  }
  add_table(report, piece_table().of(profile, paths.first), "Path");
  report.panels.back().scope = say("step {}", paths.steps.front().number);
  return report;
}

std::optional<Message> critical_path_unavailable(const Profile& profile) {
  if (profile.device_work.rows() > 0 || profile.operators.rows() > 0) return std::nullopt;
  return "no device work and no operators with times in this profile";
}

std::vector<ReportTable> critical_path_tables() {
  return {class_table().blank(), name_table().blank(), operator_table().blank(), module_table().blank(),
          line_table().blank(),  step_table().blank(), piece_table().blank()};
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

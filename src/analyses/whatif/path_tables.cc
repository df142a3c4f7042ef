// Each table is declared once: those of a job have a column for the rank, and else the same columns.
#include "analyses/whatif/path_tables.h"

#include <algorithm>

#include "analyses/advice/place.h"
#include "analyses/columns.h"
#include "base/sort.h"
#include "model/modules.h"
#include "model/table_of.h"

namespace sightline::analyses {

namespace {

struct PathScope {
  double steps = 0, length = 0;  // number of steps, and the sum of their lengths, ns
  const StringPool* texts = nullptr;
  const std::vector<std::string>* workers = nullptr;
};

using PathTable = TableOf<PieceSum, PathScope>;

std::string path_chain(bool over_ranks) {
  return over_ranks ? "chain of binding dependencies over all ranks" : "chain of binding dependencies";
}

std::string_view class_of(const PieceSum& sum) { return path_class_words(sum.of); }
std::string_view name_of(const PathScope& scope, const PieceSum& sum) { return scope.texts->view(sum.name); }
std::string_view worker_of(const PathScope& scope, const PieceSum& sum) { return (*scope.workers)[sum.rank]; }

void add_path_sums(PathTable& table, bool over_ranks) {
  table.add(real_column("time", "Time per step", Unit::ns,
                        {"Its time on the path, mean over the steps.",
                         "sum of the lengths of pieces of the path / number of steps", path_chain(over_ranks)})
                .with_bar("share"),
            [](const PathScope& scope, const PieceSum& sum) { return quotient(static_cast<double>(sum.time), scope.steps); });
  table.add(real_column("share", "Share", Unit::share,
                        {"Its share of the steps.", "time on the path / sum of the steps' lengths", path_chain(over_ranks)}),
            [](const PathScope& scope, const PieceSum& sum) { return quotient(static_cast<double>(sum.time), scope.length); });
  table.add(integer_column("pieces", "Pieces", Unit::count,
                           {"Stretches of the path, of all steps.", "number of pieces", path_chain(over_ranks)}),
            &PieceSum::pieces);
  table.add(integer_column("longest", "Longest", Unit::ns, {"The longest piece.", "end - start", path_chain(over_ranks)}),
            &PieceSum::longest);
  table.add(longest_slice_column("piece"), &PieceSum::slice);
}

std::vector<RowLink> path_links(bool over_ranks, bool has_name) {
  std::vector<RowLink> links = timeline_links();
  links.front().parameters.emplace_back("timeline.waits", "1");  // the longest piece is shown below the path
  if (!has_name) links.pop_back();
  if (!over_ranks) return links;
  for (RowLink& link : links) link.worker = "$worker";
  links.insert(links.begin(),
               {.title = "Critical path of this rank", .view = "critical_path", .parameters = {}, .worker = "$worker"});
  return links;
}

ReportColumn path_worker_column(ColumnRole role) {
  return label_column("worker", "Worker", "The rank that the piece is on").with_role(role);
}

PathTable path_rank_table() {
  PathTable table({.key = "ranks", .title = "By rank", .sort_column = "time", .row_links = path_links(true, false)});
  table.add(path_worker_column(ColumnRole::label), worker_of);
  add_path_sums(table, true);
  return table;
}

PathTable path_class_table(bool over_ranks) {
  PathTable table({.key = "classes",
                   .title = over_ranks ? "By rank and kind" : "By kind",
                   .sort_column = "time",
                   .row_links = path_links(over_ranks, false)});
  if (over_ranks) table.add(path_worker_column(ColumnRole::value), worker_of);
  table.add(words_column("kind", "Kind", "What the step waited for").with_role(ColumnRole::label), class_of);
  table.add(words_column("hue", "Hue", "Category that gives its colour in the chart").with_role(ColumnRole::category).hide(),
            [](const PieceSum& sum) { return path_class_hue(sum.of); });
  add_path_sums(table, over_ranks);
  return table;
}

PathTable path_name_table(bool over_ranks) {
  PathTable table({.key = "names",
                   .title = over_ranks ? "By rank and name" : "By name",
                   .sort_column = "time",
                   .row_links = path_links(over_ranks, true)});
  if (over_ranks) table.add(path_worker_column(ColumnRole::value), worker_of);
  table.add(words_column("kind", "Kind", "What the step waited for"), class_of);
  table.add(label_column("name", "Name", "Kernel, call, operator or other range of the host"), even_empty(name_of));
  add_path_sums(table, over_ranks);
  return table;
}

// Of a job: over all its ranks.
PathTable path_named_table(const char* key, Message title, ReportColumn&& name, bool over_ranks, bool has_name = true) {
  PathTable table({.key = key, .title = std::move(title), .sort_column = "time", .row_links = path_links(over_ranks, has_name)});
  table.add(std::move(name), even_empty(name_of));
  add_path_sums(table, over_ranks);
  if (over_ranks)
    table.add(label_column("worker", "Longest on", "The rank that the longest piece is on").with_role(ColumnRole::value),
              worker_of);
  return table;
}

PathTable path_operator_table(bool over_ranks) {
  return path_named_table(
      "operators", "By operator",
      label_column("name", "Operator", "The innermost operator that a piece belongs to, on the host or by its launch"),
      over_ranks);
}

PathTable path_module_table(bool over_ranks) {
  return path_named_table(
      "modules", "By module",
      label_column("name", "Module", "The innermost module that a piece belongs to, on the host or by its launch"), over_ranks);
}

// A line is not a name to search for.
PathTable path_line_table(bool over_ranks) {
  return path_named_table(
      "lines", "By line",
      code_column("line", "Line",
                  "The innermost Python function of the user's code that a piece belongs to, on the host or by its launch")
          .with_role(ColumnRole::label),
      over_ranks, false);
}

// The innermost operator around a call or range, or of device work; none if there is none.
StringId operator_of(const Profile& p, Row slice) {
  for (Row around = host_side(p, slice); around != kNoRow; around = p.slices.parent[around]) {
    if (p.slices.kind[around] == SliceKind::op) return p.slices.name[around];
  }
  return StringId::none;
}

// Whether Python functions or stacks were recorded.
bool has_source_lines(const Profile& p) {
  return std::find(p.slices.kind.begin(), p.slices.kind.end(), SliceKind::python) != p.slices.kind.end() ||
         std::any_of(p.operators.call_stack.begin(), p.operators.call_stack.end(),
                     [](StringId stack) { return stack != StringId::none; });
}

}  // namespace

void PieceSums::add(std::uint32_t split_by_rank, const PieceSum& piece) {
  const GroupIndex<3>::Key key{split_by_rank, static_cast<std::uint32_t>(piece.of), static_cast<std::uint32_t>(piece.name)};
  if (sums_.empty() || !groups_.same(key, groups_.key(last_))) {  // most often it is the one before
    last_ = groups_.number_of(key);
    if (last_ == sums_.size()) sums_.push_back({.rank = piece.rank, .of = piece.of, .name = piece.name});
  }
  PieceSum& sum = sums_[last_];
  sum.pieces += piece.pieces;
  sum.time += piece.time;
  if (piece.longest <= sum.longest) return;
  sum.longest = piece.longest;
  sum.rank = piece.rank;
  sum.slice = piece.slice;
}

std::vector<PieceSum> PieceSums::sorted() const {
  std::vector<PieceSum> sums = sums_;
  sort_down(sums, &PieceSum::time);
  return sums;
}

void PathTables::add_rank(const Profile& profile, std::string worker) {
  ranks_.push_back({&profile, enclosing_modules(profile), has_source_lines(profile),
                    std::vector<StringId>(profile.strings.size(), StringId::none)});
  workers_.push_back(std::move(worker));
}

StringId PathTables::text_of(Rank& rank, StringId text) {
  StringId& known = rank.texts[static_cast<std::size_t>(text)];
  if (known == StringId::none) known = texts_.intern(rank.profile->text(text));
  return known;
}

void PathTables::add(std::uint32_t rank, const PathPiece& piece) {
  Rank& of = ranks_[rank];
  const Profile& p = *of.profile;
  const Time length = piece.interval.length();
  // Operators, modules and lines are summed whatever the class of the piece is.
  const auto add_to = [&](PieceSums& sums, bool by_rank, bool by_class, StringId name) {
    sums.add(by_rank ? rank : 0, {.rank = rank,
                                  .of = by_class ? piece.of : PathClass::unknown,
                                  .name = name,
                                  .pieces = 1,
                                  .time = length,
                                  .longest = length,
                                  .slice = piece.slice});
  };
  add_to(of_ranks_, true, false, StringId::none);
  add_to(classes_, true, true, StringId::none);
  add_to(names_, true, true, piece.slice == kNoRow ? StringId::none : text_of(of, p.slices.name[piece.slice]));
  if (piece.slice == kNoRow) return;
  if (const StringId op = operator_of(p, piece.slice); op != StringId::none) add_to(operators_, false, false, text_of(of, op));
  if (of.has_lines) {
    const std::string line = source_line(p, host_side(p, piece.slice));
    if (!line.empty()) add_to(lines_, false, false, texts_.intern(line));
  }
  const Row module = of.modules.empty() ? kNoRow : of.modules[piece.slice];
  if (module != kNoRow) add_to(modules_, false, false, text_of(of, p.slices.name[module]));
}

void PathTables::add_to(Report& report, std::size_t steps, Time length) const {
  const PathScope scope{static_cast<double>(steps), static_cast<double>(length), &texts_, &workers_};
  const auto add = [&](const PathTable& table, const PieceSums& sums) {
    if (sums.empty()) return;
    report.tables.push_back(table.of(scope, sums.sorted()));
    const ReportTable& made = report.tables.back();
    report.panels.push_back({.id = made.key, .title = made.title, .content = PlainTable{made.key}});
  };
  const std::size_t first = report.panels.size();
  if (over_ranks_) add(path_rank_table(), of_ranks_);
  add(path_class_table(over_ranks_), classes_);
  if (report.panels.size() > first)
    report.panels[first].doc =
        "The chain of work and waits, back from the end of the step. Only what is on it makes the step longer.";
  add(path_name_table(over_ranks_), names_);
  add(path_operator_table(over_ranks_), operators_);
  add(path_module_table(over_ranks_), modules_);
  add(path_line_table(over_ranks_), lines_);
}

std::vector<ReportTable> PathTables::blank(bool over_ranks) {
  std::vector<ReportTable> tables;
  if (over_ranks) tables.push_back(path_rank_table().blank());
  for (const PathTable& table : {path_class_table(over_ranks), path_name_table(over_ranks), path_operator_table(over_ranks),
                                 path_module_table(over_ranks), path_line_table(over_ranks)})
    tables.push_back(table.blank());
  return tables;
}

}  // namespace sightline::analyses

// Operator hierarchy: the time of compiled programs as a tree, down to single operators: by the modules of the framework's
// program that they were made from, or by what kind of operation they are; and how much of it a device at its peak would
// not have needed.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>

#include "analyses/columns.h"
#include "analyses/programs/program_columns.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "model/modules.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kParts = "sums over the operators in it; see HLO operators";

// By row; parents precede their children.
struct Hierarchy {
  std::vector<Row> parent;
  std::vector<std::string> name;
  std::vector<std::string_view> level;
  std::vector<WorkSums> sums;
  std::vector<Row> program_operator;  // kNoRow: holds others

  std::size_t rows() const { return parent.size(); }
};

class Builder {
 public:
  // The row of that name and level below `parent`, a new one when it was not there.
  Row below(Row parent, std::string_view level, std::string_view name) {
    const std::string key = fmt::format("{}\n{}\n{}", parent, level, name);
    const auto [at, is_new] = rows_.try_emplace(key, static_cast<Row>(tree_.rows()));
    if (is_new) {
      tree_.parent.push_back(parent);
      tree_.name.emplace_back(name);
      tree_.level.push_back(level);
      tree_.sums.emplace_back();
      tree_.program_operator.push_back(kNoRow);
    }
    return at->second;
  }

  // Adds the sums to the row and to all around it.
  void add(Row row, const WorkSums& sums) {
    for (; row != kNoRow; row = tree_.parent[row]) tree_.sums[row].add(sums);
  }

  Hierarchy& tree() { return tree_; }

 private:
  Hierarchy tree_;
  std::unordered_map<std::string, Row> rows_;
};

// Operators of programs, unless only the file's sums of framework operators can be placed in the tree.
std::vector<OperatorRun> runs_in_tree(const Profile& profile, const ProgramChoice& choice, bool by_module) {
  const auto has_path = [&](const OperatorRun& run) {
    return profile.program_operators.framework_operator[run.program_operator] != StringId::none;
  };
  std::vector<OperatorRun> named, whole;
  for (const OperatorRun& run : *choice.runs) {
    if (!choice.shows(run.place)) continue;
    (is_whole_framework_operator(profile, run.program_operator) ? whole : named).push_back(run);
  }
  const bool placed = std::any_of(named.begin(), named.end(), has_path);
  return named.empty() || (by_module && !placed && !whole.empty()) ? whole : named;
}

Hierarchy build(const Profile& profile, const std::vector<OperatorRun>& runs, bool by_module) {
  const ProgramOperators& all = profile.program_operators;
  std::set<StringId> programs;
  for (const OperatorRun& run : runs) programs.insert(all.program[run.program_operator]);
  Builder builder;
  for (const OperatorRun& run : runs) {
    const Row of = run.program_operator;
    Row row = kNoRow;
    if (programs.size() > 1) row = builder.below(row, "program", profile.text(all.program[of]));
    const std::vector<std::string_view> path = path_parts(profile.text(all.framework_operator[of]));
    if (by_module) {
      for (std::size_t i = 0; i < path.size(); ++i) {
        row = builder.below(row, i + 1 < path.size() ? "module" : "framework operator", path[i]);
      }
    } else if (all.category[of] != StringId::none) {
      row = builder.below(row, "category", profile.text(all.category[of]));
    }
    if (is_whole_framework_operator(profile, of)) {
      if (row == kNoRow || path.empty()) continue;
      if (!by_module) row = builder.below(row, "framework operator", profile.text(all.framework_operator[of]));
    } else {
      row = builder.below(row, "operator", profile.text(all.name[of]));
      builder.tree().program_operator[row] = of;
    }
    builder.add(row, run.sums);
  }
  return std::move(builder.tree());
}

// At most `most` rows: those with the most time, ascending. An enclosing row takes at least as long as the rows inside it and
// comes before them, so it is never left out while they stay.
std::vector<Row> largest_rows(const Hierarchy& tree, std::size_t most) {
  std::vector<Row> order(tree.rows());
  std::iota(order.begin(), order.end(), Row{0});
  if (order.size() <= most) return order;
  sort_down(order, [&](Row each) { return tree.sums[each].time; });
  order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

// A row that is shown, and its parent among those.
struct ShownRow {
  Row row;
  Row parent;
};

double judged_of(const WorkSums& sums) { return sums.used + sums.wasted; }

TableOf<ShownRow, Profile, Hierarchy, Time> hierarchy_table() {
  TableOf<ShownRow, Profile, Hierarchy, Time> table({.key = "hierarchy", .title = "Operator hierarchy", .sort_column = "time"});
  table.add(label_column("name", "Name", "Program, category, module or operator"),
            [](const Profile&, const Hierarchy& tree, Time, const ShownRow& of) { return tree.name[of.row]; });
  table.add(words_column("level", "Level", "Kind of row"),
            [](const Profile&, const Hierarchy& tree, Time, const ShownRow& of) { return tree.level[of.row]; });
  const auto work = [](const Profile&, const Hierarchy& tree, Time all, const ShownRow& of) {
    return WorkOfAll{tree.sums[of.row], all};
  };
  table.add_all(occurrence_columns(), work);
  std::string no_waste;
  table.add_all(work_columns(), work, [&](ReportColumn& column) {
    if (column.key == "time") {
      column.doc =
          MetricDoc{"Time of the operators in it.", "sum of their times, each without what is nested in it", kParts}.text();
    }
    if (column.key == "wasted") {
      column.doc = MetricDoc{"Time that they would not have needed at the device's peak.",
                             "sum over operators of: time x (1 - utilization), where it is known", kParts}
                       .text();
      no_waste = column.unknown;
    }
    return column.key != "total" && column.key != "max" && column.key != "mean";
  });
  table.add(real_column("wasted_share", "Wasted share", Unit::share,
                        {"Wasted time as a share of the whole time.", "wasted / time of all operators in scope", kParts})
                .with_unknown(no_waste),
            [](const Profile&, const Hierarchy& tree, Time all, const ShownRow& of) {
              const WorkSums& sums = tree.sums[of.row];
              return judged_of(sums) > 0 && all > 0 ? sums.wasted / static_cast<double>(all) : kUnknownNumber;
            });
  table.add(real_column("judged", "Judged", Unit::share,
                        {"The part of its time for which utilization and waste are known.",
                         "time of operators with known costs and peaks / time", kParts})
                .with_unknown(no_waste),
            [](const Profile&, const Hierarchy& tree, Time, const ShownRow& of) {
              const WorkSums& sums = tree.sums[of.row];
              return judged_of(sums) > 0 && sums.time > 0 ? judged_of(sums) / static_cast<double>(sums.time) : kUnknownNumber;
            });
  table.add(code_column("source", "Source", "Line of the program's source, as file:line"),
            [](const Profile& profile, const Hierarchy& tree, Time, const ShownRow& of) {
              const Row known = tree.program_operator[of.row];
              return known == kNoRow ? StringId::none : profile.program_operators.source[known];
            });
  table.add(longest_slice_column("execution"), [](const Profile&, const Hierarchy& tree, Time, const ShownRow& of) {
    return tree.program_operator[of.row] == kNoRow ? kNoRow : tree.sums[of.row].longest_slice;
  });
  table.add(integer_column("row", "Row", Unit::id, {"Row of program_operators", "", ""}).hide(),
            [](const Profile&, const Hierarchy& tree, Time, const ShownRow& of) { return tree.program_operator[of.row]; });
  table.add(
      flag_column("is_operator", "Is operator", {"Whether it is an operator, not a group of operators", "", ""}).hide(),
      [](const Profile&, const Hierarchy& tree, Time, const ShownRow& of) { return tree.program_operator[of.row] != kNoRow; });
  table.add(integer_column("parent", "Parent", Unit::id, {"The row around it", "", ""}).hide(), &ShownRow::parent);
  return table;
}

// Rows of the tree (ascending), with their parents renumbered.
std::vector<ShownRow> renumbered(const Hierarchy& tree, const std::vector<Row>& shown) {
  std::vector<Row> row_of(tree.rows(), kNoRow);
  std::vector<ShownRow> rows;
  for (const Row row : shown) {
    row_of[row] = static_cast<Row>(rows.size());
    rows.push_back({row, tree.parent[row] == kNoRow ? kNoRow : row_of[tree.parent[row]]});
  }
  return rows;
}

Panel flame_panel(std::string_view value) {
  Panel flame{.id = "flame",
              .title = value == "time" ? "Operator time" : "Wasted time",
              .content = FlameChart{.table = "hierarchy", .label = "name", .value = std::string(value), .parent = "parent"}};
  flame.empty = "No operator took time here.";
  flame.doc = "Width is time over all executions, not the order of time.";
  return flame;
}

Result<Report> run_operator_hierarchy(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  const std::int64_t most = given.integer("rows");
  if (most < 1) return Error{ErrorCode::invalid_argument, "rows: at least 1", ""};
  Report report{.view = "operator_hierarchy", .title = "Operator hierarchy"};
  const auto choice = choose_runs(report, profile, given);
  if (!choice) return choice.error();
  const bool by_module = given.text("by") == "module";
  const Hierarchy tree = build(*profile, runs_in_tree(*profile, *choice, by_module), by_module);
  Time all = 0;
  for (Row row = 0; row < tree.rows(); ++row) {
    if (tree.parent[row] == kNoRow) all += tree.sums[row].time;
  }
  const std::vector<Row> shown = largest_rows(tree, static_cast<std::size_t>(most));
  ReportTable table = hierarchy_table().of(*profile, tree, all, renumbered(tree, shown));
  if (!choice->stated) {
    table.row_links.push_back(timeline_links().front());
    table.row_links.back().when = "is_operator";
  }
  hide_plain_total(table);
  report.scope = with_step(count_words(std::ssize(tree.parent), "{} row", "{} rows"), given);
  std::vector<Note> notes;
  if (shown.size() < tree.rows()) {
    notes.push_back({Note::Level::info, say("The {} largest of {} rows; the rows around the others include their time.",
                                            count_words(std::ssize(shown)), count_words(std::ssize(tree.parent)))});
  }
  const bool wastes = given.text("width") == "wasted";
  if (wastes && table.find("wasted")->hidden) {
    notes.push_back({Note::Level::info, "Wasted time is unknown: it needs costs of operators and peaks of the device."});
  }
  report.tables.push_back(std::move(table));
  report.panels.push_back(flame_panel(wastes ? "wasted" : "time"));
  report.panels.back().notes = notes;
  Panel panel{.id = "hierarchy", .title = "Operator hierarchy", .content = TreeTable{"hierarchy", "parent"}};
  panel.empty = "No operator ran there.";
  panel.notes = std::move(notes);
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<Message> operator_hierarchy_unavailable(const Profile& profile) {
  if (has_program_work(profile)) return std::nullopt;
  return "no operators of a compiled program in this profile";
}

std::vector<ReportTable> operator_hierarchy_tables() { return {hierarchy_table().blank()}; }

}  // namespace

Analysis operator_hierarchy_analysis() {
  std::vector<Parameter> parameters = program_parameters();
  std::erase_if(parameters, [](const Parameter& each) { return each.key == "search" || each.key == "top"; });
  parameters.insert(parameters.begin(), {{"by",
                                          "By",
                                          ParameterType::choice,
                                          "module",
                                          {{"module", "Module and framework operator"}, {"category", "Category"}},
                                          "How operators are grouped"},
                                         {"width",
                                          "Flame graph of",
                                          ParameterType::choice,
                                          "time",
                                          {{"time", "Time"}, {"wasted", "Wasted time"}},
                                          "What the width of a box means"}});
  parameters.push_back(
      {"rows", "Most rows", ParameterType::integer, "5000", {}, "How many rows are shown; those of the most time come first"});
  return {.id = "operator_hierarchy",
          .title = "Operator hierarchy",
          .group = ViewGroup::where_time_went,
          .doc = "Which modules, framework operators and HLO operators of compiled programs took the time, and what was wasted.",
          .parameters = std::move(parameters),
          .unavailable = operator_hierarchy_unavailable,
          .run = run_operator_hierarchy,
          .tables = operator_hierarchy_tables};
}

}  // namespace sightline::analyses

#include "analyses/losses/loss_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analyses/columns.h"
#include "analyses/words.h"

namespace sightline {

namespace {

constexpr std::string_view kNotANumber = "The log has no number here: no such iteration, or a loss of nan or inf.";

// The loss of each iteration; the last where the log has it more than once.
using LossByIteration = std::map<std::int64_t, double>;

LossByIteration by_iteration(const LossLog& log) {
  LossByIteration losses;
  for (const LossPoint& point : log.points) losses[point.iteration] = point.loss;
  return losses;
}

ReportColumn iteration_column() {
  return integer_column("iteration", "Iteration", Unit::none,
                        {.meaning = "The iteration that the log's line names.",
                         .formula = "the first whole number in the word after the iteration tag",
                         .source = "lines of the log that have both tags"});
}

ReportColumn loss_column(const std::string& key, Message title) {
  ReportColumn column =
      real_column(key, title, Unit::none,
                  {.meaning = "The loss that this log gives for the iteration; the last one if it gives several.",
                   .formula = "the first decimal number in the word after the loss tag",
                   .source = "lines of the log that have both tags"});
  column.unknown = kNotANumber;
  return column;
}

ReportTable logs_table() {
  const std::string_view source = "lines of the log that have both tags";
  ReportTable table{.key = "logs", .title = "Logs"};
  table.columns = {
      label_column("log", "Log", "The log's file name."),
      integer_column("points", "Points", Unit::count, {"Lines with an iteration and a loss.", "count", source}),
      integer_column("iterations", "Iterations", Unit::count,
                     {"Different iterations; fewer than points when the log has some more than once, as after a restart.",
                      "count of different iterations", source}),
      integer_column("not_numbers", "Not numbers", Unit::count,
                     {"Points whose loss is nan, inf or beyond a double's range.", "count", source}),
      integer_column("one_tag", "Lines with one tag", Unit::count,
                     {"Lines that were left out because a tag or the number after it is missing.", "count", "lines of the log"}),
      integer_column("first", "First iteration", Unit::none, {"The lowest iteration.", "min(iteration)", source}),
      integer_column("last", "Last iteration", Unit::none, {"The highest iteration.", "max(iteration)", source}),
      real_column("last_loss", "Last loss", Unit::none, {"The loss of the highest iteration.", "loss at max(iteration)", source}),
      real_column("least_loss", "Least loss", Unit::none, {"The lowest loss.", "min(loss)", source}),
  };
  return table;
}

ReportTable differences_table(const std::string& base, const std::string& compared) {
  const std::string_view source = "iterations that both logs have with a number";
  ReportTable table{.key = "differences", .title = "Differences", .sort_column = "iteration", .sort_descending = false};
  table.columns = {
      iteration_column(),
      loss_column("base", base),
      loss_column("compared", compared),
      real_column("difference", "Difference", Unit::none, {"How much higher the compared loss is.", "compared − base", source}),
      real_column("absolute", "Absolute difference", Unit::none, {"How far the two are apart.", "|compared − base|", source}),
      real_column("relative", "Relative difference", Unit::none,
                  {"How far the two are apart, as a share of the base.", "|compared − base| / |base|; unknown where base is 0",
                   source, "The Ascend edition of the plugin divides by the signed base, and shows 0 where it is 0."}),
  };
  table.columns.back().unknown = "The base is 0.";
  return table;
}

void fill_logs(std::span<const LossLog> logs, const std::vector<LossByIteration>& losses, ReportTable& table) {
  for (std::size_t i = 0; i < logs.size(); ++i) {
    std::int64_t not_numbers = 0;
    double least = NAN;
    for (const LossPoint& point : logs[i].points) {
      not_numbers += std::isnan(point.loss);
      least = std::fmin(least, point.loss);
    }
    const bool any = !losses[i].empty();
    table.add_row({logs[i].name, static_cast<std::int64_t>(logs[i].points.size()), static_cast<std::int64_t>(losses[i].size()),
                   not_numbers, logs[i].lines_with_one_tag, any ? Cell(losses[i].begin()->first) : Cell(),
                   any ? Cell(losses[i].rbegin()->first) : Cell(), any ? cell(losses[i].rbegin()->second) : Cell(), cell(least)});
  }
}

void fill_losses(const std::vector<LossByIteration>& losses, ReportTable& table) {
  std::map<std::int64_t, std::vector<Cell>> rows;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    for (const auto& [iteration, loss] : losses[i]) {
      std::vector<Cell>& row = rows[iteration];
      row.resize(losses.size() + 1);
      row[i + 1] = cell(loss);
    }
  }
  for (auto& [iteration, row] : rows) {
    row[0] = iteration;
    table.add_row(std::move(row));
  }
}

// The mean and the largest of what is known.
struct Spread {
  double sum = 0, largest = NAN;
  std::int64_t count = 0, at = kUnknown;

  void add(double value, std::int64_t iteration) {
    if (std::isnan(value)) return;
    sum += value;
    ++count;
    if (std::isnan(largest) || value > largest) largest = value, at = iteration;
  }
  Cell mean() const { return count == 0 ? Cell{} : Cell{sum / static_cast<double>(count)}; }
};

Panel fill_differences(const LossByIteration& base, const LossByIteration& compared, ReportTable& table) {
  Spread difference, absolute, relative;
  for (const auto& [iteration, loss] : base) {
    const auto other = compared.find(iteration);
    if (other == compared.end() || std::isnan(loss) || std::isnan(other->second)) continue;
    const double change = other->second - loss;
    const double share = loss == 0 ? NAN : std::abs(change) / std::abs(loss);
    difference.add(change, iteration);
    absolute.add(std::abs(change), iteration);
    relative.add(share, iteration);
    table.add_row({iteration, loss, other->second, change, std::abs(change), cell(share)});
  }
  const std::string why = "The two logs have no iteration with numbers in common.";
  Panel facts{.kind = PanelKind::facts, .id = "summary", .title = "Difference over the common iterations"};
  const auto fact = [&](std::string label, Cell value, Unit unit, const MetricDoc& doc) {
    facts.facts.push_back({std::move(label), std::move(value), unit, doc.text(), why});
  };
  const std::string_view source = "iterations that both logs have with a number";
  fact("Iterations compared", absolute.count, Unit::count, {"Iterations with a number in both logs.", "count", source});
  fact("Mean difference", difference.mean(), Unit::none,
       {"Whether the compared run is higher on average.", "mean(compared − base)", source});
  fact("Mean absolute error", absolute.mean(), Unit::none,
       {"How far the two are apart on average.", "mean(|compared − base|)", source});
  fact("Mean relative error", relative.mean(), Unit::none,
       {"The same as a share of the base.", "mean(|compared − base| / |base|), without iterations where base is 0", source});
  fact("Largest absolute error", cell(absolute.largest), Unit::none, {"The worst iteration.", "max(|compared − base|)", source});
  fact("Iteration of the largest error", cell(absolute.at), Unit::none,
       {"Where the largest absolute error is; the first of equals.", "argmax(|compared − base|)", source});
  return facts;
}

Panel line_panel(std::string id, Message title, std::string table, std::vector<std::string> series, std::string width) {
  return {.kind = PanelKind::lines,
          .id = std::move(id),
          .title = std::move(title),
          .table = std::move(table),
          .x = "iteration",
          .series = std::move(series),
          .width = std::move(width)};
}

void add_notes(std::span<const LossLog> logs, const std::vector<LossByIteration>& losses, Report& report) {
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (losses[i].empty()) {
      report.notes.push_back(
          {Note::Level::warning, sentences({say("{}: none of {} has both tags, each followed by a number.", logs[i].name,
                                                count_words(logs[i].lines, "{} line", "{} lines")),
                                            "Check the tags."})});
    } else if (losses[i].size() < logs[i].points.size()) {
      report.notes.push_back({Note::Level::info, say("{} has iterations more than once; the last line counts.", logs[i].name)});
    }
  }
}

}  // namespace

std::vector<ReportTable> loss_tables() {
  ReportTable losses{.key = "losses", .title = "Losses"};
  losses.columns = {iteration_column(), loss_column("log_1", "Loss")};
  return {logs_table(), losses, differences_table("Base", "Compared")};
}

Result<Report> loss_report(std::span<const LossLog> logs, std::size_t base, std::size_t compared) {
  if (logs.empty()) return Error{ErrorCode::invalid_argument, "no log to read losses from", ""};
  if (logs.size() > kMostLossLogs) {
    return Error{ErrorCode::invalid_argument, say("{} logs; at most {} are compared", logs.size(), kMostLossLogs), ""};
  }
  std::vector<LossByIteration> losses;
  for (const LossLog& log : logs) losses.push_back(by_iteration(log));

  Report report{.view = "losses", .title = "Losses"};
  add_notes(logs, losses, report);
  ReportTable table{.key = "losses", .title = "Losses", .sort_column = "iteration", .sort_descending = false};
  table.columns.push_back(iteration_column());
  std::vector<std::string> series;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    series.push_back("log_" + std::to_string(i + 1));
    table.columns.push_back(loss_column(series.back(), logs[i].name));
  }
  fill_losses(losses, table);
  ReportTable overview = logs_table();
  fill_logs(logs, losses, overview);

  std::vector<Panel> panels = {line_panel("losses", "Losses", "losses", series, "full")};
  std::vector<Panel> tables = {{.kind = PanelKind::table, .id = "logs_table", .title = "Logs", .table = "logs"},
                               {.kind = PanelKind::table, .id = "losses_table", .title = "Losses", .table = "losses"}};
  report.tables = {std::move(overview), std::move(table)};
  if (logs.size() > 1) {
    if (base >= logs.size() || compared >= logs.size()) {
      return Error{ErrorCode::invalid_argument, say("there is no such log: they are numbered 1 to {}", logs.size()), ""};
    }
    ReportTable differences = differences_table(logs[base].name, logs[compared].name);
    Panel facts = fill_differences(losses[base], losses[compared], differences);
    facts.scope = say("{} against {}", logs[compared].name, logs[base].name);
    panels.insert(panels.begin(), std::move(facts));
    panels.push_back(line_panel("difference", "Difference", "differences", {"difference"}, "third"));
    panels.push_back(line_panel("absolute", "Absolute difference", "differences", {"absolute"}, "third"));
    panels.push_back(line_panel("relative", "Relative difference", "differences", {"relative"}, "third"));
    tables.push_back({.kind = PanelKind::table, .id = "differences_table", .title = "Differences", .table = "differences"});
    report.tables.push_back(std::move(differences));
  }
  report.panels = std::move(panels);
  report.panels.insert(report.panels.end(), tables.begin(), tables.end());
  return report;
}

}  // namespace sightline

// Losses in training logs: the lines of a log, the tables, and the view.
#include "analyses/losses/loss_comparison.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "analyses/columns.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/input_file.h"

namespace sightline::analyses {

// ---- one log: what a job printed while it ran ----

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What is after the first `tag` of the line, from its first character that is neither blank nor an "=" or ":" between the
// two, up to the next blank. Nullopt when the line has no such tag.
std::optional<std::string_view> word_after(std::string_view line, std::string_view tag) {
  const std::size_t at = line.find(tag);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + tag.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t=:"), line.size()));
  return line.substr(0, line.find_first_of(" \t"));
}

// The first whole number in a word: 7 of "7/100".
std::optional<std::int64_t> integer_in(std::string_view word) {
  const char* const end = word.data() + word.size();
  for (const char* at = word.data(); at != end; ++at) {
    std::int64_t value = 0;
    if (is_digit(*at) && std::from_chars(at, end, value).ec == std::errc()) return value;
    if (is_digit(*at)) return std::nullopt;  // more digits than a number holds
  }
  return std::nullopt;
}

bool says_not_a_number(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  if (word.size() < 3) return false;
  std::string lower;
  for (const char c : word.substr(0, 3)) lower += static_cast<char>(c | 0x20);
  return lower == "nan" || lower == "inf";
}

// The first decimal number in a word: 6.25 of "6.25E+00,".
std::optional<double> real_in(std::string_view word) {
  if (says_not_a_number(word)) return kUnknownNumber;
  const char* const end = word.data() + word.size();
  const auto begins = [&](const char* at) {
    return at != end && (is_digit(*at) || (*at == '.' && at + 1 != end && is_digit(at[1])));
  };
  for (const char* at = word.data(); at != end; ++at) {
    double value = 0;
    if (!begins(at) && !(*at == '-' && begins(at + 1))) continue;
    if (std::from_chars(at, end, value).ec == std::errc()) return value;
    return kUnknownNumber;  // out of the range of a number
  }
  return std::nullopt;
}

}  // namespace

void LossLogReader::take_line(std::string_view line) {
  ++log_.lines;
  const std::optional<std::string_view> loss_word = word_after(line, tags_.loss);
  const std::optional<std::string_view> iteration_word = word_after(line, tags_.iteration);
  if (!loss_word && !iteration_word) return;
  const std::optional<double> loss = loss_word ? real_in(*loss_word) : std::nullopt;
  const std::optional<std::int64_t> iteration = iteration_word ? integer_in(*iteration_word) : std::nullopt;
  if (loss && iteration) {
    log_.points.push_back({*iteration, *loss});
  } else {
    ++log_.lines_with_one_tag;
  }
}

void LossLogReader::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view piece = text.substr(0, end);
    if (end == std::string_view::npos || !rest_.empty()) {
      rest_.append(piece.substr(0, kLongestLine - std::min(kLongestLine, rest_.size())));
      if (end == std::string_view::npos) return;
      take_line(rest_);
      rest_.clear();
    } else if (!piece.empty()) {  // not between CR and LF, and not for empty lines
      take_line(piece);
    }
    text.remove_prefix(end + 1);
  }
}

LossLog LossLogReader::finish() {
  if (!rest_.empty()) take_line(rest_);
  rest_.clear();
  return std::move(log_);
}

Result<LossLog> read_loss_log(const std::string& path, const LossTags& tags) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  LossLogReader reader(std::filesystem::path(path).filename().string(), tags);
  std::string piece(1 << 20, '\0');
  while (true) {
    const Result<std::size_t> size = (*source)->read(piece.data(), piece.size());
    if (!size) return size.error();
    reader.add(std::string_view(piece).substr(0, *size));
    if (*size < piece.size()) break;
  }
  if ((*source)->damage()) return Error{ErrorCode::malformed, *(*source)->damage(), path};
  return reader.finish();
}

// ---- several logs ----

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
  return real_column(key, title, Unit::none,
                     {.meaning = "The loss that this log gives for the iteration; the last one if it gives several.",
                      .formula = "the first decimal number in the word after the loss tag",
                      .source = "lines of the log that have both tags"})
      .with_unknown(kNotANumber);
}

// A log, and the loss of each of its iterations.
struct LogRow {
  const LossLog* log;
  LossByIteration losses;
};

std::int64_t not_numbers(const LogRow& row) {
  const auto& points = row.log->points;
  return std::count_if(points.begin(), points.end(), [](const LossPoint& point) { return std::isnan(point.loss); });
}

double least_loss(const LogRow& row) {
  double least = NAN;
  for (const LossPoint& point : row.log->points) least = std::fmin(least, point.loss);
  return least;
}

TableOf<LogRow> logs_table() {
  const std::string_view source = "lines of the log that have both tags";
  TableOf<LogRow> table({.key = "logs", .title = "Logs"});
  table.add(label_column("log", "Log", "The log's file name."), even_empty([](const LogRow& row) { return row.log->name; }));
  table.add(integer_column("points", "Points", Unit::count, {"Lines with an iteration and a loss.", "count", source}),
            [](const LogRow& row) { return std::ssize(row.log->points); });
  table.add(integer_column(
                "iterations", "Iterations", Unit::count,
                {"Different iterations; fewer than points if the log has some iterations more than once, as after a restart.",
                 "count of different iterations", source}),
            [](const LogRow& row) { return std::ssize(row.losses); });
  table.add(integer_column("not_numbers", "Not numbers", Unit::count,
                           {"Points whose loss is nan, inf or beyond a double's range.", "count", source}),
            not_numbers);
  table.add(
      integer_column("one_tag", "Lines with one tag", Unit::count,
                     {"Lines that were left out because a tag or the number after it is missing.", "count", "lines of the log"}),
      [](const LogRow& row) { return row.log->lines_with_one_tag; });
  table.add(integer_column("first", "First iteration", Unit::none, {"The lowest iteration.", "min(iteration)", source}),
            [](const LogRow& row) { return row.losses.empty() ? kUnknown : row.losses.begin()->first; });
  table.add(integer_column("last", "Last iteration", Unit::none, {"The highest iteration.", "max(iteration)", source}),
            [](const LogRow& row) { return row.losses.empty() ? kUnknown : row.losses.rbegin()->first; });
  table.add(
      real_column("last_loss", "Last loss", Unit::none, {"The loss of the highest iteration.", "loss at max(iteration)", source}),
      [](const LogRow& row) { return row.losses.empty() ? NAN : row.losses.rbegin()->second; });
  table.add(real_column("least_loss", "Least loss", Unit::none, {"The lowest loss.", "min(loss)", source}), least_loss);
  return table;
}

// An iteration that any log has; NaN where one does not have it.
struct LossRow {
  std::int64_t iteration;
  std::vector<double> losses;  // by log
};

// `titles`: by log.
TableOf<LossRow> losses_table(const std::vector<std::string>& titles) {
  TableOf<LossRow> table({.key = "losses", .title = "Losses", .sort_column = "iteration", .sort_descending = false});
  table.add(iteration_column(), &LossRow::iteration);
  for (std::size_t i = 0; i < titles.size(); ++i)
    table.add(loss_column("log_" + std::to_string(i + 1), titles[i]), [i](const LossRow& row) { return row.losses[i]; });
  return table;
}

std::vector<LossRow> loss_rows(const std::vector<LossByIteration>& losses) {
  std::map<std::int64_t, std::vector<double>> by_iteration;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    for (const auto& [iteration, loss] : losses[i])
      by_iteration.try_emplace(iteration, losses.size(), NAN).first->second[i] = loss;
  }
  std::vector<LossRow> rows;
  for (auto& [iteration, of_logs] : by_iteration) rows.push_back({iteration, std::move(of_logs)});
  return rows;
}

// An iteration that both logs have with a number.
struct DifferenceRow {
  std::int64_t iteration;
  double base, compared;

  double change() const { return compared - base; }
  double share() const { return base == 0 ? NAN : std::abs(change()) / std::abs(base); }
};

TableOf<DifferenceRow> differences_table(const std::string& base, const std::string& compared) {
  const std::string_view source = "iterations that both logs have with a number";
  TableOf<DifferenceRow> table(
      {.key = "differences", .title = "Differences", .sort_column = "iteration", .sort_descending = false});
  table.add(iteration_column(), &DifferenceRow::iteration);
  table.add(loss_column("base", base), &DifferenceRow::base);
  table.add(loss_column("compared", compared), &DifferenceRow::compared);
  table.add(
      real_column("difference", "Difference", Unit::none, {"How much higher the compared loss is.", "compared − base", source}),
      &DifferenceRow::change);
  table.add(real_column("absolute", "Absolute difference", Unit::none, {"Size of the difference.", "|compared − base|", source}),
            [](const DifferenceRow& row) { return std::abs(row.change()); });
  table.add(real_column("relative", "Relative difference", Unit::none,
                        {"Size of the difference, as a share of the base.", "|compared − base| / |base|; unknown where base is 0",
                         source, "The Ascend edition of the plugin divides by the signed base, and shows 0 where it is 0."})
                .with_unknown("The base is 0."),
            &DifferenceRow::share);
  return table;
}

std::vector<DifferenceRow> difference_rows(const LossByIteration& base, const LossByIteration& compared) {
  std::vector<DifferenceRow> rows;
  for (const auto& [iteration, loss] : base) {
    const auto other = compared.find(iteration);
    if (other != compared.end() && !std::isnan(loss) && !std::isnan(other->second))
      rows.push_back({iteration, loss, other->second});
  }
  return rows;
}

// The mean and the largest of the known values.
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

Panel difference_facts(const std::vector<DifferenceRow>& rows) {
  Spread difference, absolute, relative;
  for (const DifferenceRow& row : rows) {
    difference.add(row.change(), row.iteration);
    absolute.add(std::abs(row.change()), row.iteration);
    relative.add(row.share(), row.iteration);
  }
  const std::string why = "The two logs have no iteration with numbers in common.";
  FactSheet facts;
  const auto fact = [&](std::string label, Cell value, Unit unit, const MetricDoc& doc) {
    facts.facts.push_back({std::move(label), std::move(value), unit, doc.text(), why});
  };
  const std::string_view source = "iterations that both logs have with a number";
  fact("Iterations compared", absolute.count, Unit::count, {"Iterations with a number in both logs.", "count", source});
  fact("Mean difference", difference.mean(), Unit::none,
       {"Whether the compared run is higher on average.", "mean(compared − base)", source});
  fact("Mean absolute error", absolute.mean(), Unit::none,
       {"Average size of the difference.", "mean(|compared − base|)", source});
  fact("Mean relative error", relative.mean(), Unit::none,
       {"The same as a share of the base.", "mean(|compared − base| / |base|), without iterations where base is 0", source});
  fact("Largest absolute error", cell(absolute.largest), Unit::none, {"The worst iteration.", "max(|compared − base|)", source});
  fact("Iteration of the largest error", cell(absolute.at), Unit::none,
       {"Where the largest absolute error is; on ties, the first iteration.", "argmax(|compared − base|)", source});
  return {.id = "summary", .title = "Difference over the common iterations", .content = std::move(facts)};
}

Panel line_panel(std::string id, Message title, std::string table, std::vector<std::string> series, std::string width) {
  return {.id = std::move(id),
          .title = std::move(title),
          .content = LineChart{.table = std::move(table), .x = "iteration", .series = std::move(series)},
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
  return {logs_table().blank(), losses_table({"Loss"}).blank(), differences_table("Base", "Compared").blank()};
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
  std::vector<std::string> series, titles;
  std::vector<LogRow> rows;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    series.push_back("log_" + std::to_string(i + 1));
    titles.push_back(logs[i].name);
    rows.push_back({&logs[i], losses[i]});
  }
  std::vector<Panel> panels = {line_panel("losses", "Losses", "losses", series, "full")};
  std::vector<Panel> tables = {{.id = "logs_table", .title = "Logs", .content = PlainTable{"logs"}},
                               {.id = "losses_table", .title = "Losses", .content = PlainTable{"losses"}}};
  report.tables = {logs_table().of(rows), losses_table(titles).of(loss_rows(losses))};
  if (logs.size() > 1) {
    if (base >= logs.size() || compared >= logs.size()) {
      return Error{ErrorCode::invalid_argument, say("no such log: logs are numbered 1 to {}", logs.size()), ""};
    }
    const std::vector<DifferenceRow> differences = difference_rows(losses[base], losses[compared]);
    Panel facts = difference_facts(differences);
    facts.scope = say("{} against {}", logs[compared].name, logs[base].name);
    panels.insert(panels.begin(), std::move(facts));
    panels.push_back(line_panel("difference", "Difference", "differences", {"difference"}, "third"));
    panels.push_back(line_panel("absolute", "Absolute difference", "differences", {"absolute"}, "third"));
    panels.push_back(line_panel("relative", "Relative difference", "differences", {"relative"}, "third"));
    tables.push_back({.id = "differences_table", .title = "Differences", .content = PlainTable{"differences"}});
    report.tables.push_back(differences_table(logs[base].name, logs[compared].name).of(differences));
  }
  report.panels = std::move(panels);
  report.panels.insert(report.panels.end(), tables.begin(), tables.end());
  return report;
}

// ---- the view ----
// It is not about a profile: the page sends the logs to a route. The registry knows the view and its parameters in the address.

Analysis losses_analysis() {
  return {
      .id = "losses",
      .title = "Losses",
      .group = ViewGroup::data,
      .doc =
          "Whether two training runs computed the same losses: the losses in their logs, and the differences between two logs.",
      .parameters = {{"base", "Base", ParameterType::integer, "1", {}, "Number of the log that the other is compared with"},
                     {"compared", "Compared", ParameterType::integer, "2", {}, "Number of the other log"}},
      .unavailable = [](const Profile&) -> std::optional<Message> { return std::nullopt; },
      .run = nullptr,
      .tables = loss_tables,
      .instead = "sightline losses A.log B.log"};
}

}  // namespace sightline::analyses

#include "analyses/history/history.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "analyses/columns.h"
#include "analyses/percentile.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kNamedOperators = 3;  // in the row of a run
const char* const kSteps = "start and duration of steps, with their device work";

// ---- runs ----

struct RunRow {
  std::int64_t number;
  const RunFigures* figures;
  const RunFigures* before;  // null: it is the first
};

// "aten::mm 1.2 ms, aten::add 300 us"
std::string most_time(const RunFigures& run) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamedOperators, run.operators.size()); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", run.operators[i].name, time_words(run.operators[i].time));
  return text;
}

// Columns that name a profile, for links.
ReportColumn hidden_name(std::string_view whose, std::string_view part) {
  return code_column(std::string(whose) + "_" + std::string(part), "Profile", "The profile, for links").hide();
}

std::string part_of(const RunFigures* figures, std::string_view part) {
  if (figures == nullptr) return {};
  if (part == "run") return figures->place.run;
  return part == "worker" ? figures->place.worker : figures->place.span;
}

RowLink diff_link(Message title, const std::string& before, const std::string& after) {
  return {.title = std::move(title),
          .view = "diff",
          .parameters = {{"run", "$" + before + "_run"},
                         {"worker", "$" + before + "_worker"},
                         {"span", "$" + before + "_span"},
                         {"other_run", "$" + after + "_run"},
                         {"other_worker", "$" + after + "_worker"},
                         {"other_span", "$" + after + "_span"}}};
}

TableOf<RunRow> run_table() {
  TableOf<RunRow> table({.key = "runs", .title = "Runs", .sort_column = "number", .sort_descending = false});
  table.add(
      integer_column("number", "Number", Unit::id, {"Its place in the order of the runs, from 1.", "", "order of the runs"}),
      &RunRow::number);
  table.add(label_column("run", "Run", "Name of the run"), [](const RunRow& row) { return row.figures->run; });
  table.add(text_column("recorded", "Recorded", "When the recording began, where the file says it"), [](const RunRow& row) {
    return row.figures->recorded == kUnknown ? std::string() : unix_time_words(row.figures->recorded);
  });
  table.add(integer_column("steps", "Steps", Unit::count, {"Steps that were recorded completely.", "number of steps", kSteps}),
            [](const RunRow& row) { return static_cast<std::int64_t>(row.figures->steps.size()); });
  table.add(real_column("step", "Step", Unit::ns, {"Median length of a step.", "median over the kept steps", kSteps}),
            [](const RunRow& row) { return row.figures->step(0.5); });
  table.add(real_column("step_low", "Lower quartile", Unit::ns,
                        {"First quartile of the step lengths.", "first quartile over the kept steps, interpolated", kSteps}),
            [](const RunRow& row) { return row.figures->step(0.25); });
  table.add(real_column("step_high", "Upper quartile", Unit::ns,
                        {"Third quartile of the step lengths.", "third quartile over the kept steps, interpolated", kSteps}),
            [](const RunRow& row) { return row.figures->step(0.75); });
  ReportColumn change = real_column("change", "Change", Unit::share,
                                    {"How much longer a step is than in the run before.",
                                     "(median step - median step of the run before) / median step of the run before", kSteps});
  change.change = true;
  table.add(std::move(change), [](const RunRow& row) {
    return row.before == nullptr ? kUnknownNumber
                                 : quotient(row.figures->step(0.5) - row.before->step(0.5), row.before->step(0.5));
  });
  table.add(real_column("utilization", "MFU", Unit::share,
                        {"Model FLOPs utilization, as in the overview.", "as in the overview",
                         "shapes and types of the operators' inputs; peaks of the device"}),
            [](const RunRow& row) { return row.figures->utilization; });
  table.add(integer_column("peak_memory", "Peak memory", Unit::bytes,
                           {"The most that was allocated on a device at one time.",
                            "largest total of the allocator after an event", "totals that the allocator's events carry"}),
            [](const RunRow& row) { return row.figures->peak_memory; });
  for (const char* part : {"run", "worker", "span"}) {
    table.add(hidden_name("own", part), [part](const RunRow& row) { return part_of(row.figures, part); });
    table.add(hidden_name("before", part), [part](const RunRow& row) { return part_of(row.before, part); });
  }
  table.add_link(diff_link("Diff with the run before", "before", "own"));
  table.add_link({.title = "Overview of this run",
                  .view = "overview",
                  .parameters = {{"run", "$own_run"}, {"worker", "$own_worker"}, {"span", "$own_span"}}});
  table.add(code_column("most_time", "Most time", "The operators with most own time per step, on the device where there is one"),
            [](const RunRow& row) { return most_time(*row.figures); });
  return table;
}

std::vector<RunRow> run_rows(std::span<const RunFigures> runs) {
  std::vector<RunRow> rows;
  for (std::size_t i = 0; i < runs.size(); ++i)
    rows.push_back({static_cast<std::int64_t>(i + 1), &runs[i], i == 0 ? nullptr : &runs[i - 1]});
  return rows;
}

// ---- trends ----

struct TrendRow {
  std::string name;
  bool own_name = false;  // a figure of the run, and no operator
  std::vector<double> values;
  std::optional<ChangePoint> change;
  std::string at;  // the first run after the change
  const RunFigures *last_before = nullptr, *first_after = nullptr;

  double last_to_first() const {
    const auto known = [](double value) { return !std::isnan(value); };
    const auto first = std::find_if(values.begin(), values.end(), known);
    const auto last = std::find_if(values.rbegin(), values.rend(), known);
    return first == values.end() ? kUnknownNumber : quotient(*last - *first, *first);
  }
};

TableOf<TrendRow> trend_table() {
  const MetricDoc test{
      "How likely runs without any change would show one at least as clear by chance. Up to 0.05 it is a change; "
      "eight runs are the fewest that can show one.",
      "Pettitt's test: share of 9,999 random orders of the runs with as large a Mann-Whitney statistic, over all "
      "splits",
      "figures of the runs"};
  TableOf<TrendRow> table({.key = "trends", .title = "Trends"});
  table.add(label_column("name", "Figure", "A figure of a run, or an operator's own time per step").with_words("own_name"),
            even_empty(&TrendRow::name));
  table.add(own_name_column(), &TrendRow::own_name);
  table.add(real_column("total", "First to last", Unit::share,
                        {"How much more it is in the last run than in the first.", "(last - first) / first",
                         "figures of the first and last run that have it"}),
            [](const TrendRow& row) { return row.last_to_first(); });
  table.add(label_column("at", "Changed at", "The first run after the most likely change of its level"),
            [](const TrendRow& row) { return row.at; });
  table.add(
      real_column("size", "Change there", Unit::share,
                  {"How much more it is after the change than before.", "(median after - median before) / median before",
                   "figures of the runs before and after"}),
      [](const TrendRow& row) { return row.change && std::isfinite(row.change->size()) ? row.change->size() : kUnknownNumber; });
  table.add(real_column("p", "p-value", Unit::none, test),
            [](const TrendRow& row) { return row.change ? row.change->p : kUnknownNumber; });
  table.add(
      flag_column("significant", "Significant", {"Whether the p-value is at most 0.05.", "p <= 0.05", "figures of the runs"}),
      [](const TrendRow& row) { return row.change && row.change->significant(); });
  for (const char* part : {"run", "worker", "span"}) {
    table.add(hidden_name("before", part), [part](const TrendRow& row) { return part_of(row.last_before, part); });
    table.add(hidden_name("after", part), [part](const TrendRow& row) { return part_of(row.first_after, part); });
  }
  table.add_link(diff_link("Diff at the change", "before", "after"));
  return table;
}

TrendRow trend_of(std::string name, bool own_name, std::span<const RunFigures> runs, auto&& value_of) {
  TrendRow row{.name = std::move(name), .own_name = own_name, .values = {}, .change = {}, .at = {}};
  for (const RunFigures& run : runs) row.values.push_back(value_of(run));
  row.change = change_point(row.values);
  if (row.change) {
    row.first_after = &runs[row.change->first];
    row.last_before = &runs[row.change->first - 1];
    row.at = row.first_after->run;
  }
  return row;
}

// The operators with most time in any run.
std::vector<std::string> top_operators(std::span<const RunFigures> runs, std::size_t top) {
  std::map<std::string, double> most;
  for (const RunFigures& run : runs) {
    for (const OperatorTime& one : run.operators) most[one.name] = std::max(most[one.name], one.time);
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, time] : most) order.emplace_back(-time, name);
  std::sort(order.begin(), order.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(top, order.size()); ++i) names.push_back(order[i].second);
  return names;
}

std::vector<TrendRow> trend_rows(std::span<const RunFigures> runs, std::size_t top) {
  std::vector<TrendRow> rows;
  const auto add = [&](const char* name, auto&& value_of) {
    TrendRow row = trend_of(name, true, runs, value_of);
    const bool known = std::any_of(row.values.begin(), row.values.end(), [](double value) { return !std::isnan(value); });
    if (known) rows.push_back(std::move(row));
  };
  add("Step", [](const RunFigures& run) { return run.step(0.5); });
  add("MFU", [](const RunFigures& run) { return run.utilization; });
  add("Peak memory",
      [](const RunFigures& run) { return run.peak_memory == kUnknown ? kUnknownNumber : static_cast<double>(run.peak_memory); });
  for (const std::string& name : top_operators(runs, top))
    rows.push_back(trend_of(name, false, runs, [&](const RunFigures& run) { return run.time_of(name); }));
  return rows;
}

// ---- notes ----

Message change_words(const ChangePoint& change, std::span<const RunFigures> runs) {
  const Message from = Message::verbatim(runs[change.first].run);
  const std::string before = time_words(change.before), after = time_words(change.after);
  const std::string size = share_words(std::abs(change.size())), p = number_words(change.p, 4);
  if (!change.significant())
    return say("No change of the steps can be told from chance; the most likely one is at run {}: from {} to {} (p = {}).", from,
               before, after, p);
  return change.after > change.before
             ? say("From run {} on, a step is {} longer: {} instead of {} (p = {}).", from, size, after, before, p)
             : say("From run {} on, a step is {} shorter: {} instead of {} (p = {}).", from, size, after, before, p);
}

void add_notes(Report& report, std::span<const RunFigures> runs) {
  const StepVerdict verdict = judge_steps(runs);
  if (verdict.change) {
    const bool worse = verdict.change->significant() && verdict.change->after > verdict.change->before;
    report.notes.push_back({worse ? Note::Level::warning : Note::Level::info, change_words(*verdict.change, runs)});
  }
  const auto mixed = [&](auto&& of) {
    return std::any_of(runs.begin(), runs.end(), [&](const RunFigures& run) { return of(run) != of(runs.front()); });
  };
  if (mixed([](const RunFigures& run) { return run.on_device; }))
    report.notes.push_back(
        {Note::Level::warning, "Some runs have times of a device and others have none: their operators are not comparable."});
}

// ---- the diff ----

ReportTable rows_of(ReportTable table, const std::vector<std::size_t>& rows, const std::vector<std::string>& columns) {
  std::erase_if(table.columns, [&](const ReportColumn& column) {
    return std::find(columns.begin(), columns.end(), column.key) == columns.end();
  });
  for (ReportColumn& column : table.columns) {
    Cells values;
    for (const std::size_t row : rows) values.push_back(column.values[row]);
    column.values = std::move(values);
  }
  return {.key = {}, .title = {}, .columns = std::move(table.columns), .said = std::move(table.said)};
}

// The rows with the largest change, up or down.
std::vector<std::size_t> most_changed(const ReportColumn& change, std::size_t top) {
  std::vector<std::size_t> rows;
  const auto amount = [&](std::size_t row) { return std::abs(number_of(change.values[row])); };
  for (std::size_t row = 0; row < change.values.size(); ++row) {
    if (amount(row) > 0) rows.push_back(row);
  }
  sort_down(rows, [&](std::size_t each) { return amount(each); });
  rows.resize(std::min(top, rows.size()));
  return rows;
}

// ---- charts ----

// A row a run, a column an operator.
ReportTable operator_times_table(std::span<const RunFigures> runs, const std::vector<std::string>& names) {
  TableOf<RunRow> table({.key = "operators", .title = "Operators by run"});
  table.add(
      integer_column("number", "Number", Unit::id, {"Its place in the order of the runs, from 1.", "", "order of the runs"}),
      &RunRow::number);
  for (std::size_t i = 0; i < names.size(); ++i) {
    table.add(real_column(fmt::format("operator_{}", i + 1), Message::verbatim(names[i]), Unit::ns,
                          {"Own time of this operator per step, on the device where there is one.",
                           "sum of durations / number of steps", "operators, else kernels"}),
              [name = names[i]](const RunRow& row) { return row.figures->time_of(name); });
  }
  return table.of(run_rows(runs));
}

void add_charts(Report& report, std::span<const RunFigures> runs, std::size_t top) {
  const ReportTable& table = *report.find_table("runs");
  const auto add = [&](std::string id, Message title, std::string of, std::vector<std::string> series) {
    report.panels.push_back({.id = std::move(id),
                             .title = std::move(title),
                             .content = LineChart{.table = std::move(of), .x = "number", .series = std::move(series)}});
  };
  const auto is_known = [&](const char* key) {
    const ReportColumn* column = table.find(key);
    return column != nullptr && !column->hidden;
  };
  const bool has_use = is_known("utilization"), has_memory = is_known("peak_memory");
  add("step", "Step by run", "runs", {"step", "step_low", "step_high"});
  if (has_use) add("utilization", "MFU by run", "runs", {"utilization"});
  if (has_memory) add("peak_memory", "Peak memory by run", "runs", {"peak_memory"});
  const std::vector<std::string> names = top_operators(runs, top);
  if (names.empty()) return;
  std::vector<std::string> series;
  for (std::size_t i = 0; i < names.size(); ++i) series.push_back(fmt::format("operator_{}", i + 1));
  report.tables.push_back(operator_times_table(runs, names));
  add("operators", "Operators by run", "operators", std::move(series));
}

}  // namespace

StepVerdict judge_steps(std::span<const RunFigures> runs) {
  if (runs.empty()) return {.change = {}, .reference = kUnknownNumber, .last = kUnknownNumber};
  std::vector<double> steps;
  for (const RunFigures& run : runs) steps.push_back(run.step(0.5));
  StepVerdict verdict{.change = change_point(steps), .reference = kUnknownNumber, .last = steps.back()};
  const std::span<const double> earlier = std::span(steps).first(steps.size() - 1);
  verdict.reference = median_of(earlier);
  if (!verdict.change || !verdict.change->significant()) return verdict;
  verdict.reference = verdict.change->before;
  const double after = median_of(earlier.subspan(std::min(verdict.change->first, earlier.size())));
  if (after < verdict.reference) verdict.reference = after;
  return verdict;
}

std::vector<ReportTable> history_tables() { return {run_table().blank(), trend_table().blank()}; }

void name_runs(std::span<RunFigures> runs) {
  for (const int parts : {1, 2, 3}) {
    std::set<std::string> names;
    for (RunFigures& run : runs) {
      run.run = run.place.run + (parts > 1 ? " " + run.place.span : "") + (parts > 2 ? " " + run.place.worker : "");
      names.insert(run.run);
    }
    if (names.size() == runs.size()) return;
  }
}

Message sort_runs(std::vector<RunFigures>& runs) {
  const auto unknown = std::find_if(runs.begin(), runs.end(), [](const RunFigures& run) { return run.recorded == kUnknown; });
  if (unknown != runs.end()) return say("{} does not say when it was recorded", unknown->run);
  sort_up(runs, &RunFigures::recorded);
  return {};
}

Report history_report(std::span<const RunFigures> runs, std::size_t top) {
  Report report{.view = "history", .title = "History"};
  report.scope = count_words(std::ssize(runs), "{} run", "{} runs");
  add_notes(report, runs);
  report.tables.push_back(run_table().of(run_rows(runs)));
  report.tables.push_back(trend_table().of(trend_rows(runs, top)));
  for (ReportTable& table : report.tables) hide_unknown_columns(table);
  if (runs.size() > 1) add_charts(report, runs, top);
  report.panels.push_back({.id = "runs", .title = "Runs", .content = PlainTable{"runs"}});
  report.panels.push_back({.id = "trends", .title = "Trends", .content = PlainTable{"trends"}});
  return report;
}

void add_diff(Report& report, const Report& diff, std::size_t top) {
  const auto add = [&](ReportTable table, std::string_view key, Message title) {
    table.key = key;
    table.title = title;
    report.tables.push_back(std::move(table));
    report.panels.push_back({.id = std::string(key), .title = std::move(title), .content = PlainTable{std::string(key)}});
  };
  if (const ReportTable* steps = diff.find_table("step_time")) {
    std::vector<std::size_t> all(steps->rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    add(rows_of(*steps, all, {"name", "baseline_time", "compared_time", "change_time", "change_time_share"}), "diff_step",
        "The step before and after the change");
  }
  const ReportTable* operators = diff.find_table("operators");
  if (operators == nullptr) return;
  for (const std::string of : {"device_self", "host_self"}) {
    const ReportColumn* change = operators->find("change_" + of);
    const std::vector<std::size_t> rows = change == nullptr ? std::vector<std::size_t>{} : most_changed(*change, top);
    if (rows.empty()) continue;
    return add(rows_of(*operators, rows,
                       {"name", "baseline_" + of, "compared_" + of, "change_" + of, "change_" + of + "_share", "baseline_calls",
                        "compared_calls"}),
               "diff_operators", "Operators that changed most");
  }
}

}  // namespace sightline::analyses

// Both are derived from Analysis::tables.
#include "analyses/view_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "analyses/advice/rank_advice.h"
#include "analyses/advice/recommendations.h"
#include "analyses/analysis.h"

namespace sightline::analyses {

// ---- which tables the reports of a view can have, before any file is read ----
// Tables that are not metrics have a line here; registry_test.cc compares with the reports.

namespace {

struct PlainTables {
  std::string_view view;
  std::vector<std::string_view> keys;
};

// Tables that `Analysis::tables` leaves out, since they have no metric.
const std::vector<PlainTables>& plain_tables() {
  static const std::vector<PlainTables> all{{"metadata", {"metadata", "processes", "devices", "lanes", "columns"}},
                                            {"problems", {"problems"}},
                                            {"call_stack", {"frames"}},
                                            {"memory", {"components_reserved", "components_allocated"}}};
  return all;
}

}  // namespace

std::vector<std::string> possible_tables(std::string_view view) {
  const Analysis* analysis = find_analysis(view);
  std::vector<std::string> keys;
  const auto add = [&](std::string_view key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
  };
  if (analysis == nullptr || analysis->scope() == Scope::none) return keys;
  if (analysis->tables != nullptr) {
    for (const ReportTable& table : analysis->tables()) add(table.key);
  }
  for (const PlainTables& plain : plain_tables()) {
    if (plain.view == view) std::for_each(plain.keys.begin(), plain.keys.end(), add);
  }
  return keys;
}

bool always_has_several_tables(std::string_view view) {
  constexpr std::array<std::string_view, 5> kViews{"overview", "device_summary", "range", "distributed", "diff"};
  return std::find(kViews.begin(), kViews.end(), view) != kViews.end();
}

// ---- docs/metrics.md ----

namespace {

constexpr std::string_view kPreface = R"(# Metrics

`sightline metrics` prints this page from the declarations of the columns: edit these, not this page.
Times are nanoseconds, shares are 0 to 1, percents 0 to 100. Unknown is empty ("–"), never 0.

"The TensorBoard plugin" is torch-tb-profiler, which Sightline replaces. Where a number differs from the plugin's, the metric
gives the reason under *Differs*. Some differences apply everywhere:

- Times are exact nanoseconds; the plugin computes in floating microseconds, which round to 0.25 us in traces of early 2024.
- Device work is attributed to the host range that launched it: by the id that both have, else by the range that was open on the
  launching thread when the call began. The plugin uses the id only. It attributes calls without an id to the first range that
  has no id either.
- Launches through the driver, and launches of all kinds of devices, count like those through the runtime.
- Annotations own the work that they launch; the plugin loses this work. Ranges that overlap another range of their thread are kept.
- Collectives are recognised by the kernel, and are communication; the plugin counts their kernels as computation.
- Steps drawn on a device row by the profiler are not steps.

)";

// "First line.\nFormula: x" -> "First line.  \n*Formula:* x".
std::string doc_words(std::string_view doc) {
  std::string text;
  while (!doc.empty()) {
    const std::string_view line = doc.substr(0, doc.find('\n'));
    doc.remove_prefix(std::min(doc.size(), line.size() + 1));
    const std::size_t colon = line.find(": ");
    const bool headed = line.starts_with("Formula: ") || line.starts_with("Source: ") || line.starts_with("Differs: ");
    if (!text.empty()) text += "<br>";
    text += headed ? fmt::format("*{}* {}", line.substr(0, colon + 1), line.substr(colon + 2)) : std::string(line);
  }
  return text;
}

void add_table(std::string& page, const ReportTable& table) {
  page += fmt::format("### Table `{}`\n\n| column | title | unit | meaning |\n|---|---|---|---|\n", table.key);
  for (const ReportColumn& column : table.columns) {
    page += fmt::format("| `{}` | {} | {} | {} |\n", column.key, column.title, unit_name(column.unit), doc_words(column.doc));
  }
  page += "\n";
}

void add_advice(std::string& page) {
  page +=
      "## Advice\n\nWhat the overview recommends, when, and what it can win at most. Means are over the kept steps; the parts of "
      "the step are those of the table `bounds`. Advice is ranked by its gain, and its severity is the gain as a share of the "
      "step: high from 30%, medium from 15%, low from 1%, else a note. Several findings about one cause are one advice. "
      "[Verdicts](verdicts.md) compares both with what engineers say of real recordings.\n\n"
      "`at most` is a sum of times: a bound. The scenario is a [change](what-if.md) that predicts the real gain, because the "
      "step may then wait for something else. NAME is the name that the rule found. Advice has no scenario if the recording does "
      "not show what would shorten the time, or if it is not about time.\n\n"
      "| advice | when | at most | scenario | differs |\n|---|---|---|---|---|\n";
  for (const AdviceRule& rule : advice_rules()) {
    const std::string scenario = rule.scenario.empty() ? "\u2013" : fmt::format("`{}`", rule.scenario);
    page += fmt::format("| `{}` | {} | {} | {} | {} |\n", rule.id, rule.when, rule.gain.empty() ? "unknown" : rule.gain, scenario,
                        rule.differs);
  }
  page += "\nWhat the view across ranks recommends, and when.\n\n| advice | when |\n|---|---|\n";
  for (const RankAdviceRule& rule : rank_advice_rules()) page += fmt::format("| `{}` | {} |\n", rule.id, rule.when);
}

}  // namespace

std::string metrics_markdown() {
  std::string page(kPreface);
  for (const Analysis& analysis : all_analyses()) {
    if (analysis.tables == nullptr) continue;
    page += fmt::format("## {} (`{}`)\n\n{}\n\n", analysis.title, analysis.id, analysis.doc);
    for (const ReportTable& table : analysis.tables()) add_table(page, table);
  }
  add_advice(page);
  return page;
}

}  // namespace sightline::analyses

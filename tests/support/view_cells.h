// Single cells of a view of a profile, for unit tests of analyses.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/columns.h"
#include "analyses/history/run_figures.h"
#include "analyses/ranks/rank_summary.h"

namespace sightline::tests {

inline Report run_view_of(const std::vector<ProfilePtr>& profiles, std::string_view view,
                          const std::vector<std::pair<std::string, std::string>>& given = {}) {
  const Analysis* analysis = find_analysis(view);
  if (analysis == nullptr) throw std::invalid_argument("no such view");
  const Result<Parameters> parameters = bind_parameters(*analysis, given);
  if (!parameters) throw std::invalid_argument(parameters.error().to_string());
  const Scope scope = analysis->scope();
  AnalysisInput input{.profiles = profiles, .parameters = *parameters};
  std::vector<RankSummaryPtr> ranks;
  std::vector<RunFiguresPtr> runs;
  if (scope == Scope::ranks) {
    ranks.push_back(std::make_shared<const RankSummary>(summarise_rank(*profiles.front(), "worker")));
    input.profiles = {};
    input.ranks = ranks;
    input.open_ranks = [&] { return Result<std::vector<ProfilePtr>>(profiles); };
  } else if (scope == Scope::runs) {
    for (const ProfilePtr& profile : profiles) runs.push_back(std::make_shared<const RunFigures>(figures_of(profile, "run")));
    input.profiles = {};
    input.runs = runs;
  }
  Result<Report> report = analysis->run(input);
  if (!report) throw std::invalid_argument(report.error().to_string());
  for (ReportTable& table : report->tables) hide_unknown_columns(table);  // as the engine does
  return std::move(report).value();
}

// A view that compares gets the profile twice.
inline Report run_view(const ProfilePtr& profile, std::string_view view,
                       const std::vector<std::pair<std::string, std::string>>& given = {}) {
  const Analysis* analysis = find_analysis(view);
  const bool pair = analysis != nullptr && analysis->scope() == Scope::pair;
  return run_view_of(pair ? std::vector<ProfilePtr>{profile, profile} : std::vector<ProfilePtr>{profile}, view, given);
}

// The facts that a panel lists; none of another kind.
inline std::vector<Fact> panel_facts(const Panel& panel) {
  const auto* sheet = panel.as<FactSheet>();
  return sheet == nullptr ? std::vector<Fact>{} : sheet->facts;
}

inline std::string cell_text(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&cell)) {
    const std::string text = std::to_string(*real);  // six decimals
    return text.substr(0, text.find_last_not_of('0') + (text.ends_with(".000000") ? 0 : 1));
  }
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return "-";
}

// The rows of the named columns: cells joined by a space, rows by a line feed.
inline std::string rows_text(const Report& report, std::string_view table_key, const std::vector<std::string>& columns) {
  const ReportTable* table = report.find_table(table_key);
  if (table == nullptr) throw std::invalid_argument("no such table");
  std::string text;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const ReportColumn* column = table->find(columns[i]);
      if (column == nullptr) throw std::invalid_argument("no column " + columns[i]);
      text += (i == 0 ? "" : " ") + cell_text(column->values[row]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace sightline::tests

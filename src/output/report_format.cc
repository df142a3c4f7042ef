// Choosing what to write: format and table.
#include "output/report_format.h"

#include <algorithm>

#include "analyses/analysis.h"
#include "analyses/view_tables.h"

namespace sightline::output {

namespace {

std::string joined(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) text.append(text.empty() ? "" : ", ").append(key);
  return text.empty() ? "none" : text;
}

std::vector<std::string> table_keys(const Report& report) {
  std::vector<std::string> keys;
  for (const ReportTable& table : report.tables) keys.push_back(table.key);
  return keys;
}

Error several_tables(std::string_view view, const std::vector<std::string>& keys) {
  return {ErrorCode::invalid_argument, "CSV holds one table, so name one; view " + std::string(view) + " has: " + joined(keys),
          ""};
}

Error unknown_table(std::string_view table, std::string_view view, const std::vector<std::string>& keys) {
  return {ErrorCode::not_found,
          "no table '" + std::string(table) + "' in view " + std::string(view) + "; available: " + joined(keys), ""};
}

std::string format_table(const ReportTable& table, ReportFormat format, const TextStyle& style) {
  switch (format) {
    case ReportFormat::json: return table_json(table);
    case ReportFormat::csv: return table_csv(table);
    case ReportFormat::markdown: return table_markdown(table, style.most_rows);
    case ReportFormat::text: break;
  }
  return table_text(table, style);
}

}  // namespace

std::optional<Error> refuse_table(std::string_view view, ReportFormat format, std::string_view table) {
  if (find_analysis(view) == nullptr) return std::nullopt;  // a view of a file: its tables show once it has run
  const std::vector<std::string> keys = possible_tables(view);
  if (table.empty() && format == ReportFormat::csv && always_has_several_tables(view)) return several_tables(view, keys);
  if (table.empty() || std::find(keys.begin(), keys.end(), table) != keys.end()) return std::nullopt;
  return unknown_table(table, view, keys);
}

Error no_table(const Report& report, std::string_view table) { return unknown_table(table, report.view, table_keys(report)); }

std::optional<ReportFormat> report_format(std::string_view name) {
  if (name == "text") return ReportFormat::text;
  if (name == "json") return ReportFormat::json;
  if (name == "csv") return ReportFormat::csv;
  if (name == "markdown") return ReportFormat::markdown;
  return std::nullopt;
}

std::string_view content_type(ReportFormat format) {
  switch (format) {
    case ReportFormat::json: return "application/json";
    case ReportFormat::csv: return "text/csv; charset=utf-8";
    case ReportFormat::markdown: return "text/markdown; charset=utf-8";
    case ReportFormat::text: break;
  }
  return "text/plain; charset=utf-8";
}

Result<std::string> format_report(const Report& report, ReportFormat format, std::string_view table, const TextStyle& style) {
  if (!table.empty()) {
    const ReportTable* named = report.find_table(table);
    if (named != nullptr) return format_table(*named, format, style);
    return no_table(report, table);
  }
  switch (format) {
    case ReportFormat::json: return report_json(report);
    case ReportFormat::markdown: return report_markdown(report, style.most_rows);
    case ReportFormat::text: return report_text(report, style);
    case ReportFormat::csv: break;
  }
  const ReportTable* main = report.tables.size() == 1 ? &report.tables.front() : report.find_table(report.view);
  if (main != nullptr) return table_csv(*main);
  return several_tables(report.view, table_keys(report));
}

}  // namespace sightline::output

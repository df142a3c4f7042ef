// A report as JSON and as CSV, and the choice of a format and a table.
// CSV: quoting as in RFC 4180, one line feed per row. Values are exact and in base units, which the header names;
// unknown is empty. Cells are never altered, so a spreadsheet may take a text that starts with = as a formula:
// docs/cli.md says so.
#include "output/report_format.h"

#include <algorithm>
#include <cmath>

#include "analyses/analysis.h"
#include "analyses/view_tables.h"
#include "base/text.h"
#include "output/report_wire.h"

namespace sightline::output {

// ---- CSV ----

namespace {

std::string_view unit_in_header(Unit unit) {
  switch (unit) {
    case Unit::ns: return " (ns)";
    case Unit::bytes: return " (bytes)";
    case Unit::share: return " (0 to 1)";
    case Unit::percent: return " (%)";
    case Unit::per_second: return " (1/s)";
    case Unit::bytes_per_second: return " (bytes/s)";
    case Unit::hertz: return " (Hz)";
    case Unit::flops: return " (FLOP)";
    case Unit::flops_per_second: return " (FLOP/s)";
    case Unit::flops_per_byte: return " (FLOP/B)";
    case Unit::none:
    case Unit::count:
    case Unit::id: break;
  }
  return "";
}

void append_cell(std::string& out, const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    append_csv_text(out, *text);
  } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    append_csv_number(out, *integer);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    if (std::isfinite(*real)) append_csv_number(out, *real);
  } else if (const auto* flag = std::get_if<bool>(&cell)) {
    out += *flag ? "true" : "false";
  }
}

}  // namespace

std::string table_csv(const ReportTable& table) {
  std::string out;
  for (const ReportColumn& column : table.columns) {
    if (&column != &table.columns.front()) out += ',';
    append_csv_text(out, column.key + std::string(unit_in_header(column.unit)));
  }
  out += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const ReportColumn& column : table.columns) {
      if (&column != &table.columns.front()) out += ',';
      append_cell(out, column.values[row]);
    }
    out += '\n';
  }
  return out;
}

// ---- JSON ----

std::string table_json(const ReportTable& table) { return wire_json(SentTable{&table}); }

std::string report_json(const Report& report) { return wire_json(SentReport{&report}); }

std::string report_json(const KeptReport& kept) { return wire_json(SentReport{&kept.report(), &kept}); }

// ---- choosing ----

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
  return {ErrorCode::invalid_argument, say("CSV holds one table, so name one; view {} has: {}", view, joined(keys)), ""};
}

Error unknown_table(std::string_view table, std::string_view view, const std::vector<std::string>& keys) {
  return {ErrorCode::not_found, say("no table '{}' in view {}; available: {}", table, view, joined(keys)), ""};
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

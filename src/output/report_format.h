// The four ways a Report leaves the program: JSON (the wire), CSV (exact values in base units), and text and
// markdown (for people, in units chosen per column). docs/http.md describes the JSON, docs/cli.md the others.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/report.h"

namespace sightline::engine {
class KeptReport;
}

namespace sightline::output {

enum class ReportFormat { text, json, csv, markdown };

std::optional<ReportFormat> report_format(std::string_view name);
std::string_view content_type(ReportFormat format);

struct TextStyle {
  std::size_t width = 120;     // columns to fit into
  bool colour = false;         // bold titles and coloured warnings
  std::size_t most_rows = 20;  // per table; 0: all
};

// The whole report, or the one table that `table` names when it is not empty. CSV is always one table: unless
// named, the report's only one or the one that is called like the view. An unknown table is an error that lists the tables.
Result<std::string> format_report(const Report& report, ReportFormat format, std::string_view table, const TextStyle& style);

// Why no report of the view can be written so, before there is one: no report of it has that table, or it is to be CSV, always
// has several tables, and none was named.
std::optional<Error> refuse_table(std::string_view view, ReportFormat format, std::string_view table);

// The error of requesting a table that the report does not have.
Error no_table(const Report& report, std::string_view table);

std::string report_json(const Report& report);
std::string report_json(const KeptReport& kept);  // long tables by their first rows
std::string report_text(const Report& report, const TextStyle& style);
std::string report_markdown(const Report& report, std::size_t most_rows);

std::string table_json(const ReportTable& table);
std::string table_csv(const ReportTable& table);
std::string table_text(const ReportTable& table, const TextStyle& style);
std::string table_markdown(const ReportTable& table, std::size_t most_rows);

}  // namespace sightline::output

// CSV: quoting as in RFC 4180, one line feed per row. Values are exact and in base units, which the header names;
// unknown is empty. Cells are never altered, so a spreadsheet may take a text that starts with = as a formula:
// docs/cli.md says so.
#include <cmath>

#include "base/text.h"
#include "output/report_format.h"

namespace sightline::output {

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

}  // namespace sightline::output

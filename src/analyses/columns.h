// Columns of reports, declared in one line each. A metric's doc is made here from its parts, so that each has the same shape:
// what it is, "Formula:", "Source:", and "Differs:" where the number differs from that of the profiler plugin that Sightline
// replaces. metrics_markdown() prints the same texts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/report.h"
#include "model/table_of.h"
#include "model/tables.h"

namespace sightline::analyses {

inline constexpr std::string_view kNew = "Not in the TensorBoard plugin.";

// What a metric means. `differs` is empty when the replaced plugin computes the same. Like its parts, it lives as long as the
// call that it is written in.
struct MetricDoc {
  MessageArgument meaning;
  MessageArgument formula;
  MessageArgument source;
  MessageArgument differs = "";

  Message text() const;  // one line each
};

ReportColumn label_column(std::string_view key, MessageArgument title, MessageArgument doc);  // a row's name, as code
ReportColumn text_column(std::string_view key, MessageArgument title, MessageArgument doc);
ReportColumn words_column(std::string_view key, MessageArgument title, MessageArgument doc);  // never a name of the trace
ReportColumn code_column(std::string_view key, MessageArgument title, MessageArgument doc);   // shapes, stacks
ReportColumn flag_column(std::string_view key, MessageArgument title, const MetricDoc& doc);

// A column of numbers `sums` if it is an amount (a time, bytes, a count, FLOPs) whose formula begins with "sum" or "number of"
// and divides by nothing; with_sums() says otherwise.
ReportColumn integer_column(std::string_view key, MessageArgument title, Unit unit, const MetricDoc& doc);
ReportColumn real_column(std::string_view key, MessageArgument title, Unit unit, const MetricDoc& doc);

// Hidden: whether a row's name is this program's own and not one of the trace. The column of the names has its key as `words`.
ReportColumn own_name_column();

// Hidden: the row of slices of a group's longest member, and the links of its row to the timeline.
ReportColumn longest_slice_column(const char* of_what);
std::vector<RowLink> timeline_links();

// "start,end" of what a timeline shows around an interval of that length, as the page writes it into an address.
inline std::string window_around(std::int64_t start, std::int64_t end) {
  const std::int64_t beside = std::max<std::int64_t>(1, (end - start) / 4);
  return std::to_string(start - beside) + "," + std::to_string(end + beside);
}

// Hidden: that text, for a row's moment on the timeline.
ReportColumn moment_column();

// 0, 1, ...: tables that show all rows of a table of the profile.
inline std::vector<Row> all_rows(std::size_t rows) {
  std::vector<Row> all(rows);
  std::iota(all.begin(), all.end(), Row{0});
  return all;
}

// The cells of a column of names, which may be empty without being unknown.
template <typename NameOf>
auto even_empty(NameOf name_of) {
  return [name_of](const auto&... of) -> Cell requires std::is_invocable_v<const NameOf&, decltype(of)...> {
    return Cell{std::string(std::invoke(name_of, of...))};
  };
}

// Unknown values become unknown cells.
inline Cell cell(std::int64_t value) { return value == kUnknown ? Cell{} : Cell{value}; }
inline Cell cell(double value) { return std::isnan(value) ? Cell{} : Cell{value}; }
inline Cell cell(std::string_view text) { return text.empty() ? Cell{} : Cell{std::string(text)}; }

// Whether any value of the column is above 0; false if the table has no such column. Charts leave the others out.
bool is_ever_positive(const ReportTable& table, std::string_view key);

// part / whole; unknown when part or whole is unknown, and when whole is 0.
inline double quotient(double part, double whole) { return whole == 0 ? kUnknownNumber : part / whole; }
inline double quotient(std::int64_t part, std::int64_t whole) {
  if (part == kUnknown || whole == kUnknown) return kUnknownNumber;
  return quotient(static_cast<double>(part), static_cast<double>(whole));
}
inline double per_second(double amount, Time time) {
  return time > 0 ? amount / (static_cast<double>(time) * 1e-9) : kUnknownNumber;
}
inline Cell share_cell(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? Cell{} : Cell{static_cast<double>(part) / static_cast<double>(whole)};
}

// ---- columns without values ----

// Hides the columns without any known value, except the names of the rows; a table without rows keeps all columns.
inline void hide_unknown_columns(ReportTable& table) {
  for (ReportColumn& column : table.columns) {
    if (column.role == ColumnRole::label || table.rows() == 0) continue;
    bool known = false;
    for (std::size_t row = 0; row < table.rows() && !known; ++row) known = !is_unknown(column.values[row]);
    column.hidden |= !known;
  }
}

}  // namespace sightline::analyses

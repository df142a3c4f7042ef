// Metrics side by side.
#include "analyses/diff/diff_columns.h"

#include <fmt/core.h>

namespace sightline {

namespace {

constexpr std::string_view kBoth = "both profiles";

ReportColumn number_column(const std::string& key, Message title, Unit unit, const MetricDoc& doc, Message unknown,
                           CellType type) {
  ReportColumn column = integer_column(key, title, unit, doc);
  column.unknown = unknown;
  column.type = type;
  return column;
}

ReportColumn slice_column(std::string_view key, Message title, const char* of_what) {
  ReportColumn column = integer_column(key, title, Unit::id, {say("Row of the slice of its longest {}.", of_what), "", ""});
  column.hidden = true;
  column.unknown = "not in this profile";
  return column;
}

Cell slice_cell(Row slice) { return slice == kNoRow ? Cell{} : Cell{std::int64_t{slice}}; }

// "Host total: baseline"; of a table with one metric, "Baseline".
Message side_title(const Message& metric, const char* capital, const char* small) {
  return metric.empty() ? Message(capital) : say("{}: {}", metric, small);
}

}  // namespace

void add_pair_columns(std::vector<ReportColumn>& columns, std::string_view key, Message title, Unit unit, const MetricDoc& doc,
                      Message unknown, CellType type) {
  columns.push_back(
      number_column(fmt::format("baseline_{}", key), side_title(title, "Baseline", "baseline"), unit, doc, unknown, type));
  columns.push_back(
      number_column(fmt::format("compared_{}", key), side_title(title, "Compared", "compared"), unit, doc, unknown, type));
  columns.push_back(number_column(fmt::format("change_{}", key), side_title(title, "Change", "change"), unit,
                                  {"How much more it is in the compared profile.", "compared - baseline", kBoth}, unknown, type));
  columns.back().change = true;
  columns.push_back(real_column(fmt::format("change_{}_share", key), side_title(title, "Change", "change"), Unit::share,
                                {"The change as a share of the baseline.", "(compared - baseline) / baseline", kBoth,
                                 "Unknown where the baseline is 0; the TensorBoard plugin writes infinity."}));
  columns.back().change = true;
  columns.back().unknown = "the baseline is 0 or unknown";
}

void append_pair_cells(std::vector<Cell>& cells, const Cell& baseline, const Cell& compared) {
  cells.push_back(baseline);
  cells.push_back(compared);
  if (is_unknown(baseline) || is_unknown(compared)) {
    cells.insert(cells.end(), {Cell{}, Cell{}});
    return;
  }
  const auto* before = std::get_if<std::int64_t>(&baseline);
  const auto* after = std::get_if<std::int64_t>(&compared);
  const double change = number_of(compared) - number_of(baseline);
  cells.push_back(before != nullptr && after != nullptr ? Cell{*after - *before} : Cell{change});
  cells.push_back(number_of(baseline) == 0 ? Cell{} : Cell{change / number_of(baseline)});
}

void hide_pair(ReportTable& table, std::string_view key) {
  for (ReportColumn& column : table.columns) {
    const std::string_view of(column.key);
    const bool named = of.ends_with(fmt::format("_{}", key)) || of == fmt::format("change_{}_share", key);
    if (named) column.hidden = true;
  }
}

void add_slice_columns(ReportTable& table, const char* of_what) {
  table.columns.push_back(slice_column("baseline_slice", "Slice in the baseline", of_what));
  table.columns.push_back(slice_column("compared_slice", "Slice in the compared profile", of_what));
  table.row_links.push_back({"Baseline on the timeline", "timeline", {{"slice", "$baseline_slice"}}});
  table.row_links.push_back({"Compared on the timeline", "timeline", {{"slice", "$compared_slice"}}});
  table.row_links.back().other = true;
}

void append_slice_cells(std::vector<Cell>& cells, Row baseline, Row compared) {
  cells.push_back(slice_cell(baseline));
  cells.push_back(slice_cell(compared));
}

}  // namespace sightline

// From typed columns to columns of text.
#include "output/shown_table.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/sort.h"
#include "engine/kept_report.h"
#include "model/unit.h"
#include "output/terminal_text.h"

namespace sightline::output {

namespace {

constexpr std::size_t kBarColumns = 10;

bool is_numeric(const ReportColumn& column) { return column.type == CellType::integer || column.type == CellType::real; }

Scale scale_of(const ReportColumn& column, std::span<const OrderedRow> rows) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const OrderedRow& row : rows) values.push_back(number_of(column.values[row.row]));
  return choose_scale(column.unit, values);
}

std::string header_with(const std::string& title, const Scale& scale) {
  if (scale.label.empty()) return title;
  return title + " (" + std::string(scale.label) + ")";
}

std::string cell_text(const Cell& cell, const Scale& scale) {
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "yes" : "no";
  const auto* integer = std::get_if<std::int64_t>(&cell);
  if (integer != nullptr && !scale.grouped && scale.divisor == 1) return std::to_string(*integer);
  return number_in(number_of(cell), scale);
}

void append_column(ShownTable& shown, const ReportColumn& column, std::span<const OrderedRow> rows, bool indented) {
  const Scale scale = is_numeric(column) ? scale_of(column, rows) : Scale{};
  shown.columns.push_back(
      {header_with(column.title, scale), is_numeric(column) ? ShownColumn::Kind::number : ShownColumn::Kind::text});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Cell cell = column.values[rows[i].row];
    std::string text = cell_text(cell, scale);
    if (column.change && number_of(cell) > 0) text.insert(text.starts_with('<') ? 1 : 0, 1, '+');
    if (indented) text.insert(0, 2 * rows[i].depth, ' ');
    shown.rows[i].push_back(std::move(text));
  }
}

void append_bars(ShownTable& shown, const ReportColumn& shares, std::span<const OrderedRow> rows) {
  shown.columns.push_back({"", ShownColumn::Kind::bar});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double share = number_of(shares.values[rows[i].row]);
    shown.rows[i].push_back(share_bar(shares.unit == Unit::percent ? share / 100 : share, kBarColumns));
  }
}

std::vector<const ReportColumn*> chosen_columns(const ReportTable& table, const ShowOptions& options) {
  std::vector<const ReportColumn*> chosen;
  for (const std::string& key : options.columns) {
    const ReportColumn* column = table.find(key);
    if (column != nullptr && std::find(chosen.begin(), chosen.end(), column) == chosen.end()) chosen.push_back(column);
  }
  if (!options.columns.empty()) return chosen;
  for (const ReportColumn& column : table.columns) {
    if (!column.hidden && column.key != options.parent) chosen.push_back(&column);
  }
  return chosen;
}

// A share is drawn as a bar where the table says so: where some column names it as its bar.
bool has_bar(const ReportTable& table, const ReportColumn& column) {
  const bool share = column.unit == Unit::share || column.unit == Unit::percent;
  return share && std::any_of(table.columns.begin(), table.columns.end(),
                              [&](const ReportColumn& other) { return other.bar == column.key; });
}

std::vector<OrderedRow> limited(std::vector<OrderedRow> rows, std::size_t most) {
  if (most != 0 && rows.size() > most) rows.resize(most);
  return rows;
}

struct Slice {
  std::string label;
  double value = 0;
};

// By value; what is beyond the chart's top goes into one slice.
std::vector<Slice> slices_of(const ReportTable& table, const BreakdownChart& chart) {
  const ReportColumn& labels = *table.find(chart.label);
  const ReportColumn& values = *table.find(chart.value);
  std::vector<Slice> slices;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double value = number_of(values.values[row]);
    if (value > 0) slices.push_back({cell_text(labels.values[row], {}), value});
  }
  sort_down(slices, &Slice::value);
  const std::size_t most = static_cast<std::size_t>(std::max(chart.top, 1));
  if (slices.size() <= most + 1) return slices;
  Slice other{"other (" + std::to_string(slices.size() - most) + ")", 0};
  for (std::size_t i = most; i < slices.size(); ++i) other.value += slices[i].value;
  slices.resize(most);
  slices.push_back(std::move(other));
  return slices;
}

ShownTable show_breakdown(const ReportTable& table, const BreakdownChart& chart) {
  const std::vector<Slice> slices = slices_of(table, chart);
  std::vector<double> values;
  double total = 0;
  for (const Slice& slice : slices) {
    values.push_back(slice.value);
    total += slice.value;
  }
  const ReportColumn& value_column = *table.find(chart.value);
  const Scale scale = choose_scale(value_column.unit, values);
  const Scale share_scale = choose_scale(Unit::share, {});
  ShownTable shown{.columns = {{table.find(chart.label)->title, ShownColumn::Kind::text},
                               {header_with(value_column.title, scale), ShownColumn::Kind::number},
                               {header_with("Share", share_scale), ShownColumn::Kind::number},
                               {"", ShownColumn::Kind::bar}},
                   .rows = {},
                   .rows_left_out = 0};
  for (const Slice& slice : slices) {
    shown.rows.push_back({slice.label, number_in(slice.value, scale), number_in(slice.value / total, share_scale),
                          share_bar(slice.value / total, 2 * kBarColumns)});
  }
  return shown;
}

// The column of the parents, where the rows are a tree.
std::string parent_column(const Panel& panel) {
  if (const auto* flame = panel.as<FlameChart>()) return flame->parent;
  if (const auto* tree = panel.as<TreeTable>()) return tree->parent;
  return "";
}

bool is_table(const Panel& panel) { return panel.as<PlainTable>() != nullptr; }

// A chart whose table says the same, row by row.
bool is_chart(const Panel& panel) {
  return panel.as<BreakdownChart>() || panel.as<BarChart>() || panel.as<LineChart>() || panel.as<HeatmapChart>() ||
         panel.as<ScatterChart>() || panel.as<GraphChart>();
}

}  // namespace

ShownTable show_table(const ReportTable& table, const ShowOptions& options) {
  std::vector<OrderedRow> all = options.parent.empty() ? sorted_rows(table) : tree_rows(table, options.parent);
  if (const ReportColumn* known = table.find(options.known))
    std::erase_if(all, [&](const OrderedRow& row) { return is_unknown(known->values[row.row]); });
  const std::vector<OrderedRow> rows = limited(std::move(all), options.most_rows);
  ShownTable shown;
  shown.rows.resize(rows.size());
  shown.rows_left_out = table.rows() - rows.size();
  bool indented = !options.parent.empty();
  for (const ReportColumn* column : chosen_columns(table, options)) {
    append_column(shown, *column, rows, indented && column->type == CellType::text);
    if (column->type == CellType::text) indented = false;  // only the name shows the depth
    if (has_bar(table, *column)) append_bars(shown, *column, rows);
  }
  return shown;
}

ShownTable show_panel(const ReportTable& table, const Panel& panel, std::size_t most_rows) {
  const auto* breakdown = panel.as<BreakdownChart>();
  if (breakdown != nullptr && table.find(breakdown->label) && table.find(breakdown->value)) {
    return show_breakdown(table, *breakdown);
  }
  const auto* plain = panel.as<PlainTable>();
  return show_table(table, {.columns = panel.columns(),
                            .parent = parent_column(panel),
                            .known = plain == nullptr ? "" : plain->known,
                            .most_rows = most_rows});
}

std::vector<const Panel*> panels_as_text(const Report& report) {
  std::vector<const Panel*> panels;
  for (const Panel& panel : report.panels) {
    if (panel.as<GanttChart>()) continue;  // a picture; its table has too many rows
    const bool shown_by_table =
        is_chart(panel) && std::any_of(report.panels.begin(), report.panels.end(),
                                       [&](const Panel& other) { return is_table(other) && other.table() == panel.table(); });
    if (!shown_by_table) panels.push_back(&panel);
  }
  return panels;
}

std::vector<std::string> profile_lines(const Report& report) {
  std::vector<std::string> lines;
  for (const ProfilePlace& place : report.profiles) {
    lines.push_back((lines.empty() ? "baseline: " : "compared: ") + place.run + " > " + place.worker + " > " + place.span);
  }
  return lines;
}

std::string gain_text(const Advice& advice) {
  if (std::isnan(advice.gain)) return "";
  const std::string time = "at most -" + number_alone(advice.gain, Unit::ns);
  if (std::isnan(advice.share)) return time;
  const std::string share = number_alone(advice.share, Unit::share);
  return time + (share.starts_with("<") ? " (" : " (-") + share + ")";
}

std::string verdict_line(const VerdictStrip& strip) {
  std::string line;
  for (const VerdictItem& item : strip.items) {
    line += (line.empty() ? "" : " \u00b7 ") + item.label + ": " + item.value;
    if (!item.note.empty()) line += " (" + item.note + ")";
  }
  return line;
}

std::string fact_text(const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact.value)) return printable(*text);
  if (const auto* flag = std::get_if<bool>(&fact.value)) return *flag ? "yes" : "no";
  const double number = number_of(fact.value);
  if (!std::isnan(number)) return number_alone(number, fact.unit);
  return std::string(kUnknownText) + (fact.unknown.empty() ? "" : " (" + fact.unknown + ")");
}

}  // namespace sightline::output

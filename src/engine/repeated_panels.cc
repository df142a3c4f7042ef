#include "engine/repeated_panels.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sort.h"

namespace sightline::engine {

namespace {

constexpr std::size_t kMostPanels = 9;

struct Curve {
  std::string name;
  std::vector<std::size_t> rows;
};

std::string name_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return is_unknown(cell) ? "" : fmt::format("{}", number_of(cell));
}

// In the order of the first rows. Rows without a name, an x or a y are no points.
std::vector<Curve> find_curves(const Cells& names, const Cells& x, const Cells& y) {
  std::vector<Curve> curves;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t row = 0; row < names.size(); ++row) {
    const std::string name = name_of(names[row]);
    if (name.empty() || std::isnan(number_of(x[row])) || std::isnan(number_of(y[row]))) continue;
    const auto [place, is_new] = known.emplace(name, curves.size());
    if (is_new) curves.push_back({name, {}});
    curves[place->second].rows.push_back(row);
  }
  std::erase_if(curves, [](const Curve& curve) { return curve.rows.size() < 2; });
  return curves;
}

// Those with most points, still in their order.
void keep_longest(std::vector<Curve>& curves, std::size_t most) {
  if (curves.size() <= most) return;
  std::vector<std::size_t> sizes;
  for (const Curve& curve : curves) sizes.push_back(curve.rows.size());
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(most) - 1, sizes.end(), std::greater<>());
  const std::size_t least = sizes[most - 1];
  std::size_t of_least =
      most - static_cast<std::size_t>(std::count_if(sizes.begin(), sizes.end(), [=](std::size_t size) { return size > least; }));
  std::erase_if(curves, [&](const Curve& curve) {
    if (curve.rows.size() != least) return curve.rows.size() < least;
    if (of_least == 0) return true;
    --of_least;
    return false;
  });
}

ReportColumn picked(const ReportColumn& column, const std::vector<std::size_t>& rows) {
  ReportColumn made = column;
  made.hidden = false;
  made.values = {};
  for (const std::size_t row : rows) made.values.push_back(column.values[row]);
  return made;
}

}  // namespace

void repeat_panel(const Panel& panel, const std::string& each, const ReportTable& table, Report& report) {
  const LineChart& chart = *panel.as<LineChart>();
  const ReportColumn &x = *table.find(chart.x), &y = *table.find(chart.series.front());
  std::vector<Curve> curves = find_curves(table.find(each)->values, x.values, y.values);
  const std::size_t found = curves.size();
  keep_longest(curves, kMostPanels);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<std::size_t>& rows = curves[i].rows;
    sort_up(rows, [&](std::size_t row) { return number_of(x.values[row]); });
    Panel made = panel;
    made.id = fmt::format("{}_each_{}", panel.id, i + 1);
    made.title = Message::verbatim(curves[i].name);
    made.as<LineChart>()->table = made.id;
    if (i == 0 && found > curves.size())
      made.notes.push_back({Note::Level::info, say("{} of {} curves are drawn: those with most points.", curves.size(), found)});
    report.tables.push_back({.key = made.id, .title = made.title, .columns = {picked(x, rows), picked(y, rows)}});
    report.panels.push_back(std::move(made));
  }
}

}  // namespace sightline::engine

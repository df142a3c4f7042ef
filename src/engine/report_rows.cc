// Sorting rows and walking trees of rows.
#include "engine/report_rows.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace sightline {

namespace {

bool is_unknown(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

double number_of(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? 1 : 0;
  return 0;
}

bool cell_less(const Cell& a, const Cell& b) {
  const auto* left = std::get_if<std::string>(&a);
  const auto* right = std::get_if<std::string>(&b);
  if (left != nullptr && right != nullptr) return *left < *right;
  return number_of(a) < number_of(b);
}

std::vector<std::size_t> sorted_numbers(const ReportTable& table) {
  std::vector<std::size_t> order(table.rows());
  std::iota(order.begin(), order.end(), 0);
  const ReportColumn* key = table.find(table.sort_column);
  if (key == nullptr) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Cell& left = key->values[a];
    const Cell& right = key->values[b];
    if (is_unknown(left) || is_unknown(right)) return !is_unknown(left) && is_unknown(right);
    return table.sort_descending ? cell_less(right, left) : cell_less(left, right);
  });
  return order;
}

std::optional<std::size_t> parent_of(const ReportColumn& parents, std::size_t row) {
  const auto* parent = std::get_if<std::int64_t>(&parents.values[row]);
  if (parent == nullptr || *parent < 0 || static_cast<std::size_t>(*parent) >= parents.values.size()) return {};
  return static_cast<std::size_t>(*parent);
}

}  // namespace

std::vector<OrderedRow> sorted_rows(const ReportTable& table) {
  std::vector<OrderedRow> rows;
  rows.reserve(table.rows());
  for (const std::size_t row : sorted_numbers(table)) rows.push_back({row, 0});
  return rows;
}

std::vector<OrderedRow> tree_rows(const ReportTable& table, std::string_view parent) {
  const ReportColumn* parents = table.find(parent);
  if (parents == nullptr) return sorted_rows(table);
  const std::vector<std::size_t> order = sorted_numbers(table);
  std::vector<std::vector<std::size_t>> children(table.rows());
  std::vector<OrderedRow> pending, rows;  // pending: a stack, so its last row is the next
  for (auto row = order.rbegin(); row != order.rend(); ++row) {
    if (const auto above = parent_of(*parents, *row)) {
      children[*above].push_back(*row);
    } else {
      pending.push_back({*row, 0});
    }
  }
  while (!pending.empty()) {
    const OrderedRow next = pending.back();
    pending.pop_back();
    rows.push_back(next);
    for (const std::size_t child : children[next.row]) pending.push_back({child, next.depth + 1});
  }
  return rows;
}

}  // namespace sightline

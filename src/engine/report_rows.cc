// Sorting rows and walking trees of rows.
#include "engine/report_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "model/tables.h"

namespace sightline::engine {

namespace {

// By `value(row)`; `known(row)` says which rows have one.
template <typename Value, typename Known>
void sort_by(std::vector<std::uint32_t>& order, Value value, Known known, bool descending) {
  const auto middle = std::stable_partition(order.begin(), order.end(), known);
  std::stable_sort(order.begin(), middle,
                   [&](std::uint32_t a, std::uint32_t b) { return descending ? value(b) < value(a) : value(a) < value(b); });
}

// The place of each word among all words in order; equal words share one.
std::vector<std::uint32_t> ranks_of(const std::vector<std::string>& words) {
  std::vector<std::uint32_t> order(words.size()), rank(words.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return words[a] < words[b]; });
  for (std::uint32_t i = 1; i < order.size(); ++i) {
    rank[order[i]] = rank[order[i - 1]] + (words[order[i]] != words[order[i - 1]]);
  }
  return rank;
}

std::optional<std::size_t> parent_of(const ReportColumn& parents, std::size_t row) {
  const Cell cell = parents.values[row];
  const auto* parent = std::get_if<std::int64_t>(&cell);
  if (parent == nullptr || *parent < 0 || static_cast<std::size_t>(*parent) >= parents.values.size()) return {};
  return static_cast<std::size_t>(*parent);
}

}  // namespace

std::vector<std::uint32_t> sorted_order(const Cells& values, bool descending) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto sort_numbers = [&](const auto& numbers, auto known) {
    sort_by(
        order, [&](std::uint32_t row) { return numbers[row]; }, [&](std::uint32_t row) { return known(numbers[row]); },
        descending);
  };
  if (const auto* integers = std::get_if<Cells::Integers>(&values.storage())) {
    sort_numbers(*integers, [](std::int64_t value) { return value != kUnknown; });
  } else if (const auto* reals = std::get_if<Cells::Reals>(&values.storage())) {
    sort_numbers(*reals, [](double value) { return !std::isnan(value); });
  } else if (const auto* flags = std::get_if<Cells::Flags>(&values.storage())) {
    sort_numbers(*flags, [](std::int8_t value) { return value >= 0; });
  } else if (const auto* texts = std::get_if<WordCells>(&values.storage())) {
    const std::vector<std::uint32_t> rank = ranks_of(texts->words);
    const auto rank_of = [&](std::uint32_t row) { return rank[texts->word[row]]; };
    sort_by(
        order, rank_of, [&](std::uint32_t row) { return texts->word[row] != WordCells::kNone; }, descending);
  }
  return order;
}

std::vector<std::uint32_t> sorted_order(const ReportTable& table) {
  if (const ReportColumn* key = table.find(table.sort_column)) return sorted_order(key->values, table.sort_descending);
  std::vector<std::uint32_t> order(table.rows());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

std::vector<OrderedRow> sorted_rows(const ReportTable& table) {
  std::vector<OrderedRow> rows;
  rows.reserve(table.rows());
  for (const std::uint32_t row : sorted_order(table)) rows.push_back({row, 0});
  return rows;
}

std::vector<OrderedRow> tree_rows(const ReportTable& table, std::string_view parent) {
  const ReportColumn* parents = table.find(parent);
  if (parents == nullptr) return sorted_rows(table);
  const std::vector<std::uint32_t> order = sorted_order(table);
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

}  // namespace sightline::engine

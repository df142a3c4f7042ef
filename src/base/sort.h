// Stable sorting by a number. The sort is compiled once for all types of rows: std::stable_sort compiles to several kilobytes for
// each comparison.
//
//   sort_up(steps, &Step::start);
//   sort_down(rows, [&](Row each) { return total[each]; });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/layers.h"

namespace sightline::base {

// A row and the number that it is sorted by.
template <typename Number>
struct SortKey {
  Number number;
  std::size_t row;
};

// The least first; equal numbers keep their order. False if they were in that order.
bool sort_keys(std::vector<SortKey<std::int64_t>>& keys);
bool sort_keys(std::vector<SortKey<double>>& keys);

template <typename Value>
auto sort_number(Value value) {
  static_assert(std::is_arithmetic_v<Value> || std::is_enum_v<Value>);
  if constexpr (std::is_floating_point_v<Value>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {  // also those beyond 2^63 - 1
    return static_cast<std::int64_t>(value ^ std::uint64_t{1} << 63);
  } else {
    return static_cast<std::int64_t>(value);
  }
}

// Sorts `items` by `number_of(item)`, a whole number, a real number or an enumerator: the least first, equal ones in the order
// that they had. Moves each item once, into new memory. O(n log n).
template <typename Item, typename NumberOf>
void sort_up(std::vector<Item>& items, const NumberOf& number_of) {
  const auto key_of = [&](const Item& item) {
    const std::decay_t<std::invoke_result_t<const NumberOf&, const Item&>> value = std::invoke(number_of, item);
    return sort_number(value);
  };
  std::vector<SortKey<decltype(key_of(items[0]))>> keys(items.size());
  for (std::size_t row = 0; row < items.size(); ++row) keys[row] = {key_of(items[row]), row};
  if (!sort_keys(keys)) return;
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (const auto& key : keys) sorted.push_back(std::move(items[key.row]));
  items = std::move(sorted);
}

// The same, the greatest first.
template <typename Item, typename NumberOf>
void sort_down(std::vector<Item>& items, const NumberOf& number_of) {
  sort_up(items, [&](const Item& item) {
    const std::decay_t<std::invoke_result_t<const NumberOf&, const Item&>> value = std::invoke(number_of, item);
    const auto number = sort_number(value);
    if constexpr (std::is_floating_point_v<decltype(number)>) {
      return -number;
    } else {
      return ~number;
    }
  });
}

}  // namespace sightline::base

// What several files of a profile have in common: units of decimal figures, "none" among numbers, names of steps, orders of rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "formats/trace_events/decimal.h"
#include "model/profile.h"

namespace sightline::formats::ascend {

inline constexpr std::int64_t kNoNumber = 4294967295;                             // "none", as an unsigned 32-bit number
inline constexpr std::int64_t kKilobyte = 1 << 10, kMegabyte = 1 << 20;           // of memory
inline constexpr double kNsOfMs = 1e6, kNsOfUs = 1e3, kBytesOfTrafficMega = 1e6;  // MB of traffic are decimal

constexpr std::int64_t known_number(std::int64_t number) { return number == kNoNumber ? kUnknown : number; }

// Whether ns since 1970 may be a moment of a recording: times that are none would spoil the origin of all others.
constexpr bool usable(std::int64_t time) { return time > 0 && time < trace_events::kFarthestNs; }
inline std::int64_t usable_or_unknown(std::optional<std::int64_t> time) { return time && usable(*time) ? *time : kUnknown; }

// value * factor, rounded; kUnknown when it is no number or does not fit.
inline std::int64_t scaled(double value, double factor) {
  const double product = value * factor;
  return std::isfinite(product) && std::abs(product) < 9e18 ? std::llround(product) : kUnknown;
}

// "step50" and "50" as "50"; "step" alone and nothing at all: none.
inline StringId step_named(std::string_view key, StringPool& strings) {
  if (key.starts_with("step")) key.remove_prefix(4);
  return key.empty() ? StringId::none : strings.intern(key);
}

// Brings the rows of a table into an order; equal rows stay as they are. Returns the rows' former numbers.
template <typename Table, typename Before>
std::vector<Row> sort_rows(Table& table, Before&& before) {
  std::vector<Row> order(table.rows());
  std::iota(order.begin(), order.end(), Row{0});
  std::stable_sort(order.begin(), order.end(), before);
  table.for_each_column([&](const ColumnInfo&, auto& column) {
    std::decay_t<decltype(column)> sorted;
    sorted.reserve(order.size());
    for (const Row row : order) sorted.push_back(column[row]);
    column = std::move(sorted);
  });
  return order;
}

}  // namespace sightline::formats::ascend

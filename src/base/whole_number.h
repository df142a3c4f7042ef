// Whole numbers: from text, and as reals.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/layers.h"

namespace sightline::base {

// A double, which all numbers of JavaScript are, knows every whole number up to here, and not the next.
inline constexpr std::int64_t kMostExactReal = std::int64_t{1} << 53;

// The decimal number that all of `text` spells; nothing when it is empty, holds anything else or does not fit.
template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace sightline::base

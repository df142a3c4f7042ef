// Numbers from text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace sightline {

// The decimal number that all of `text` spells; nothing when it is empty, holds anything else or does not fit.
template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace sightline

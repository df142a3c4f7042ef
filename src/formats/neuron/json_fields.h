// Members of a row of the vendor's JSON. Whole numbers may stand in quotes.
#pragma once

#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "model/tables.h"

namespace sightline::formats::neuron {

// kUnknown: there is none, or it is no whole number.
inline std::int64_t integer(const simdjson::dom::object& row, std::string_view key) {
  std::int64_t number = 0;
  if (row[key].get(number) == simdjson::SUCCESS) return number;
  std::string_view text;
  if (row[key].get(text) != simdjson::SUCCESS) return kUnknown;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() && !text.empty() ? number : kUnknown;
}

// "": there is none, or it is no text.
inline std::string_view text(const simdjson::dom::object& row, std::string_view key) {
  std::string_view found;
  return row[key].get(found) == simdjson::SUCCESS ? found : std::string_view();
}

// NaN: there is none, or it is no number.
inline double real(const simdjson::dom::object& row, std::string_view key) {
  double number = 0;
  return row[key].get(number) == simdjson::SUCCESS ? number : static_cast<double>(kUnknownReal);
}

// A member as text: of a string its content, of anything else its JSON.
inline std::string shown(const simdjson::dom::element& value) {
  std::string_view found;
  return value.get(found) == simdjson::SUCCESS ? std::string(found) : simdjson::minify(value);
}

}  // namespace sightline::formats::neuron

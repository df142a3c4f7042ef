// How numbers are written for people: a column gets one Scale (unit, divisor, decimals) chosen from its values, so
// that its cells compare by eye. The page's units.ts follows the same rules; exact values are for CSV and JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/unit.h"

namespace sightline::model {

inline constexpr std::string_view kUnknownText = "–";

struct Scale {
  std::string_view label;  // what is in the header: "ms", "MiB", "%"; empty when the number stands alone
  double divisor = 1;
  int decimals = 0;
  bool grouped = true;  // thousands are separated, except in ids
};

// NaN among the values is unknown and does not count.
Scale choose_scale(Unit unit, std::span<const double> values);

// The number in the scale's unit, without the unit. What would round to nothing is written "<0.001".
std::string number_in(double value, const Scale& scale);

// One value with its unit: "12.5 ms", "41.0%".
std::string number_alone(double value, Unit unit);

}  // namespace sightline::model

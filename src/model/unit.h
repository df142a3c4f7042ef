// Units that a column can have, values that are not known, and numbers as text in a suitable unit.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "base/layers.h"

namespace sightline::model {

// ---- values that are not known ----

inline constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();
inline constexpr double kUnknownNumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr float kUnknownReal = std::numeric_limits<float>::quiet_NaN();

constexpr double real_of(std::int64_t value) { return value == kUnknown ? kUnknownNumber : static_cast<double>(value); }

// ---- units ----

enum class Unit : std::uint8_t {
  none,
  ns,                // nanoseconds
  bytes,             //
  count,             //
  share,             // 0..1
  percent,           // 0..100
  per_second,        //
  bytes_per_second,  //
  hertz,             //
  flops,             // floating-point operations
  flops_per_second,  //
  flops_per_byte,    // arithmetic intensity
  id,                // a row number or a name for a machine
};

// The unit's name on the wire and in documents.
constexpr std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::none: return "none";
    case Unit::ns: return "ns";
    case Unit::bytes: return "bytes";
    case Unit::count: return "count";
    case Unit::share: return "share";
    case Unit::percent: return "percent";
    case Unit::per_second: return "per_second";
    case Unit::bytes_per_second: return "bytes_per_second";
    case Unit::hertz: return "hertz";
    case Unit::flops: return "flops";
    case Unit::flops_per_second: return "flops_per_second";
    case Unit::flops_per_byte: return "flops_per_byte";
    case Unit::id: return "id";
  }
  return "none";
}

// ---- numbers as text ----

inline constexpr std::string_view kUnknownText = "–";

// How the numbers of a column are written: one scale, chosen from all
// its values, so that its cells are easy to compare. The page's
// units.ts has the same rules. CSV and JSON have exact values instead.
struct Scale {
  std::string_view label;  // in the header: "ms", "MiB", "%"; empty when the number has no unit
  double divisor = 1;
  int decimals = 0;
  bool grouped = true;  // thousands are separated, except in ids
};

// NaN among the values is unknown and does not count.
Scale choose_scale(Unit unit, std::span<const double> values);

// The number in the scale's unit, without the unit. A number that would round to 0 is written "<0.001".
std::string number_in(double value, const Scale& scale);

// One value with its unit: "12.5 ms", "41.0%".
std::string number_alone(double value, Unit unit);

}  // namespace sightline::model

// Units and types that a column can carry. They decide how a number is shown; nothing is converted on the way.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/layers.h"

namespace sightline::model {

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

}  // namespace sightline::model

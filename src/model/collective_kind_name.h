// The names of kinds of collectives, as they stand in tables and in text.
#pragma once

#include <array>
#include <string_view>

#include "model/tables.h"

namespace sightline::model {

// In the order of CollectiveKind.
inline constexpr std::array<std::string_view, 13> kCollectiveKindNames = {
    "other",  "all_reduce", "all_gather", "reduce_scatter", "all_to_all",   "broadcast", "reduce",
    "gather", "scatter",    "send",       "receive",        "send_receive", "barrier"};
static_assert(kCollectiveKindNames[static_cast<std::size_t>(CollectiveKind::barrier)] == "barrier");

constexpr std::string_view collective_kind_name(CollectiveKind kind) {
  return kCollectiveKindNames[static_cast<std::size_t>(kind)];
}

}  // namespace sightline::model

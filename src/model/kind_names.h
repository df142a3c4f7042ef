// The names of kinds of slices and collectives, on the wire and in text.
#pragma once

#include <array>
#include <string_view>

#include "model/tables.h"

namespace sightline::model {

// In the order of SliceKind.
inline constexpr std::array<std::string_view, 19> kSliceKindNames = {"other",
                                                                     "step",
                                                                     "op",
                                                                     "python",
                                                                     "module",
                                                                     "annotation",
                                                                     "data_loading",
                                                                     "optimizer",
                                                                     "host_communication",
                                                                     "runtime",
                                                                     "overhead",
                                                                     "sync",
                                                                     "span",
                                                                     "device_annotation",
                                                                     "measurement",
                                                                     "kernel",
                                                                     "memcpy",
                                                                     "memset",
                                                                     "collective"};
static_assert(kSliceKindNames[static_cast<std::size_t>(SliceKind::collective)] == "collective");
static_assert(kSliceKindNames[static_cast<std::size_t>(SliceKind::host_communication)] == "host_communication");

constexpr std::string_view slice_kind_name(SliceKind kind) { return kSliceKindNames[static_cast<std::size_t>(kind)]; }

// In the order of CollectiveKind.
inline constexpr std::array<std::string_view, 13> kCollectiveKindNames = {
    "other",  "all_reduce", "all_gather", "reduce_scatter", "all_to_all",   "broadcast", "reduce",
    "gather", "scatter",    "send",       "receive",        "send_receive", "barrier"};
static_assert(kCollectiveKindNames[static_cast<std::size_t>(CollectiveKind::barrier)] == "barrier");

constexpr std::string_view collective_kind_name(CollectiveKind kind) {
  return kCollectiveKindNames[static_cast<std::size_t>(kind)];
}

}  // namespace sightline::model

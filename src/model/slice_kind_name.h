// The names of slice kinds, as they stand on the wire and in text.
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

}  // namespace sightline::model

// The names of dumps: a prefix that the job chooses, then the rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/reader.h"

namespace sightline::formats::flight_recorder {

// Whether a file of this name is a dump: "nccl_trace_rank_3", or a known prefix with an ending, "nccl_trace_rank_3.json".
bool is_dump_name(std::string_view file_name);

// nullopt: the name has none.
std::optional<std::int64_t> rank_of(std::string_view file_name);

bool holds_dumps(const FolderEntries& folder);

}  // namespace sightline::formats::flight_recorder

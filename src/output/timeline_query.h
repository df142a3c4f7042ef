// What the timeline's requests have in common: lists of numbers and windows of time, from the texts of a query.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "timeline/timeline.h"

namespace sightline::output {

// "3,4" -> {3, 4}; empty -> {}. Every number must be below `limit`: `what` is the noun for errors, such as "lane".
Result<std::vector<std::uint32_t>> parse_numbers(std::string_view name, std::string_view text, std::size_t limit,
                                                 std::string_view what);

// An integer of ns that a JavaScript number holds exactly.
Result<Time> parse_time(std::string_view name, std::string_view text);

// REQUIRES nothing of the texts: start < end and pixel >= 1 are checked.
Result<Window> parse_window(std::string_view start, std::string_view end, std::string_view pixel);

}  // namespace sightline::output

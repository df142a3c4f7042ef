// The timeline's JSON answers: its lanes, one slice, a search. Shapes are in docs/http.md, "Timeline".
#pragma once

#include <string>
#include <vector>

#include "analyses/devices/counters.h"
#include "base/result.h"
#include "timeline/timeline.h"

namespace sightline::output {

std::string timeline_json(const Timeline& timeline, const std::vector<Counter>& counters);

// `event` is the slice's own text in the file, or empty. REQUIRES: `slice` is a row of slices.
std::string slice_json(const Timeline& timeline, Row slice, const std::string& event);

// The first `limit` slices, by time, whose name holds `text`, ignoring case; and how many there are.
std::string search_json(const Timeline& timeline, const std::string& text, std::size_t limit);

}  // namespace sightline::output

// trace_view.json: events without categories get theirs from the process they stand in, tasks of the device become device work,
// and after the tables are built arrows and threads are put right.
#pragma once

#include <map>
#include <string>

#include "formats/ascend/layers.h"
#include "formats/trace_events/assemble.h"
#include "formats/trace_events/parse_events.h"

namespace sightline::formats::ascend {

// Before assemble(): categories, devices of tracks, device work, launches and collectives.
// `threads` is 0 for all cores.
void give_categories(trace_events::ParsedEvents& parsed, unsigned threads);

// After assemble() and attribute(): lanes by layer, and the owners that the writer's arrows from operators to tasks name.
void finish_layers(trace_events::Assembled& assembled);

// "32,3;CRLF64" as "[[32,3], [64]]", names quoted: the shapes or the element types of an operator's inputs.
std::string operand_list(std::string_view cell, bool quote);

// Frames joined by ";" alone.
std::string call_stack(std::string_view cell);

}  // namespace sightline::formats::ascend

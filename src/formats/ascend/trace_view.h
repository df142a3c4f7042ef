// trace_view.json: the layers of an Ascend trace, and what its events become. Databases use the same names of layers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "formats/common/categories.h"
#include "formats/trace_events/assemble.h"
#include "formats/trace_events/parse_events.h"
#include "model/tables.h"

namespace sightline::formats::ascend {

// ---- layers ----
// Layers: the meaning of an event's process, and the kind of work of a device's task. Text exports and databases use the same
// names.

enum class Layer : std::uint8_t { host, driver, hardware, communication, analysis, other };

// By process name: "Python", "CANN", "Ascend Hardware", "HCCL" or "Communication", "Overlap Analysis".
Layer layer_of(std::string_view process_name);

// The category of a task on a device stream. Its type is the core or the engine that it ran on. Parts of a collective, which
// the collective replaces, and marks are not work: Category::unknown.
Category task_category(std::string_view name, std::string_view type);

// The kind of core, by the vendor's name.
CoreType core_type(std::string_view core);

// ---- events ----
// Events without categories get them from their process; tasks of the device become device work. After the tables are built,
// arrows and threads are corrected.

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

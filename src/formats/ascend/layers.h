// The layers of an Ascend trace: what the process that an event stands in says about it, and what kind of work a task of the
// device is. Text exports and databases use the same words.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/trace_events/categories.h"
#include "model/tables.h"

namespace sightline::formats::ascend {

enum class Layer : std::uint8_t { host, driver, hardware, communication, analysis, other };

// By process name: "Python", "CANN", "Ascend Hardware", "HCCL" or "Communication", "Overlap Analysis".
Layer layer_of(std::string_view process_name);

// What a task on a stream of the device is. Its type is the core or the engine it ran on; parts of a collective, which the
// collective itself stands for, and marks are no work of their own: Category::unknown.
trace_events::Category task_category(std::string_view name, std::string_view type);

// The kind of core by the vendor's name of it.
CoreType core_type(std::string_view core);

}  // namespace sightline::formats::ascend

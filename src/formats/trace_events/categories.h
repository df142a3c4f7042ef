// What the writers' category and event names mean: the one place that knows their vocabulary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/tables.h"

namespace sightline::formats::trace_events {

// The `cat` of an event, vendors folded together.
enum class Category : std::uint8_t {
  unknown,
  span,
  op,
  python_call,
  python_function,
  annotation,
  device_annotation,
  runtime,
  kernel,
  memcpy,
  memset,
  collective,
  engine_task,
  overhead,
  sync,
  measurement
};

// Case does not matter. An unknown category is Category::unknown.
Category classify_category(std::string_view text);

// Whether events of this category stand on a device row.
constexpr bool on_device(Category category) {
  return (category >= Category::kernel && category <= Category::engine_task) || category == Category::device_annotation ||
         category == Category::sync || category == Category::measurement;
}

// Whether the device event moves data to or computes for another rank, judged by its name.
bool is_collective_kernel(std::string_view name);

// The kind of an X event, by category and name.
SliceKind slice_kind(Category category, std::string_view name);

// The device of a memory event: "CPU", "GPU0", "XPU1", by the framework's device type number. Either can be kUnknown.
std::string memory_device_name(std::int64_t type, std::int64_t ordinal);

// Whether an op of this name is listed as an operator (some names only mark phases).
bool is_listed_operator(std::string_view name);

// N of "ProfilerStep#N", or kUnknown.
std::int64_t step_number(std::string_view name);

}  // namespace sightline::formats::trace_events

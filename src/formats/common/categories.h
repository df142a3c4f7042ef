// The meaning of the names that writers use: categories of events, names of operators and of kernels. Only this file knows
// that vocabulary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/tables.h"

namespace sightline::formats {

// ---- categories ----

// The `cat` of an event, the same for all vendors.
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

// Ignores case. An unknown category is Category::unknown.
Category classify_category(std::string_view text);

// The `cat` of a slice in a written trace; `is_operator`: it has a row in the table of operators.
std::string_view category_text(SliceKind kind, bool is_operator);

// Whether events of this category are on a device row.
constexpr bool on_device(Category category) {
  return (category >= Category::kernel && category <= Category::engine_task) || category == Category::device_annotation ||
         category == Category::sync || category == Category::measurement;
}

// Whether the name of the device event is that of work that sends data to another rank or computes for it.
bool is_collective_kernel(std::string_view name);

// The kind of an X event, by category and name.
SliceKind slice_kind(Category category, std::string_view name);

// The device of a memory event: "CPU", "GPU0", "XPU1", by the framework's device type number. Either can be kUnknown.
std::string memory_device_name(std::int64_t type, std::int64_t ordinal);

// Whether an op of this name is listed as an operator (some names only mark phases).
bool is_listed_operator(std::string_view name);

// N of "ProfilerStep#N", or kUnknown.
std::int64_t step_number(std::string_view name);

// ---- matrix units ----
// Which kernels run on matrix units (tensor cores, matrix cores), and which operators could, by name.

// CoreType::matrix if the kernel's name is that of a kernel family known to use matrix units, else general.
CoreType core_type(std::string_view kernel_name);

// Whether an operator of this name can be computed by matrix units (convolutions, matrix products, their cells
// and their gradients).
bool is_matrix_eligible(std::string_view operator_name);

}  // namespace sightline::formats

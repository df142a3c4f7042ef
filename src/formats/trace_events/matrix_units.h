// Which kernels run on matrix units (tensor cores, matrix cores) and which operators could, by name.
#pragma once

#include <string_view>

#include "model/tables.h"

namespace sightline::formats::trace_events {

// CoreType::matrix when the kernel's name is that of a kernel family known to use matrix units, else general.
CoreType core_type(std::string_view kernel_name);

// Whether an operator of this name can be computed by matrix units (convolutions, matrix products, their cells
// and their gradients).
bool is_matrix_eligible(std::string_view operator_name);

}  // namespace sightline::formats::trace_events

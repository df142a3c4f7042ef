// Sums that the files state: of steps, operators, kernels and calls of the vendor's software on the host.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "model/profile.h"

namespace sightline::formats::ascend {

// ---- steps and operators ----
// step_trace_time.csv (a row per step) and operator_details.csv (a row per operator call, without its time).

// Sums of a step: their columns in databases, and their titles in texts, which are their names in reported_steps.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kStepSums = {
    {{"computing", "Computing"},
     {"communication_not_overlapped", "Communication(Not Overlapped)"},
     {"overlapped", "Overlapped"},
     {"communication", "Communication"},
     {"free", "Free"},
     {"stage", "Stage"},
     {"bubble", "Bubble"},
     {"communication_not_overlapped_and_exclude_receive", "Communication(Not Overlapped and Exclude Receive)"},
     {"preparing", "Preparing"}}};

void add_step_sums(const std::string& path, Profile& profile);
void add_operator_details(const std::string& path, Profile& profile);

// ---- kernels and calls ----
// op_statistic.csv (kernels by type and core) and api_statistic.csv (calls of the vendor's software on the host, by layer and
// name): counts and total times as the vendor sums them. Slices of the same calls must give the same sums.

void add_kernel_statistics(const std::string& path, Profile& profile);
void add_call_statistics(const std::string& path, Profile& profile);

// Reports stated sums that differ from those of the slices by more than rounding, as notes. Kinds without slices cannot be
// compared. REQUIRES: slices and their facts are complete.
void compare_statistics(Profile& profile);

}  // namespace sightline::formats::ascend

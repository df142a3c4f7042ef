// Sums that the files themselves state: step_trace_time.csv (a row per step) and operator_details.csv (a row per operator call,
// without its time).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "model/profile.h"

namespace sightline::formats::ascend {

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

}  // namespace sightline::formats::ascend

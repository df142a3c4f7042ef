// The tables of the view Serving.
#pragma once

#include <span>
#include <vector>

#include "analyses/serving/served_steps.h"
#include "model/report.h"

namespace sightline::analyses {

inline constexpr std::string_view kServingSource =
    "the named ranges of the engine's steps, the calls in them, and the device work that these launched";

std::string_view phase_title(ServingPhase phase);

// One row per step; `time_prefill`, `time_decode` ... are columns for charts.
ReportTable served_steps_table(const Profile& profile, std::span<const ServedStep> steps);
// One row per phase.
ReportTable served_phases_table(const Profile& profile, std::span<const ServedStep> steps);
// One row per phase and range of numbers of tokens.
ReportTable served_buckets_table(const Profile& profile, std::span<const ServedStep> steps);

std::vector<ReportTable> blank_serving_tables();

// The columns of the parts of a step, as series of a chart of the table of buckets.
std::vector<std::string> part_columns(const ReportTable& buckets);

}  // namespace sightline::analyses

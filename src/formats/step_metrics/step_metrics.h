// Figures that the job logged for its steps (loss, learning rate), from TensorBoard's event files and MLflow's file store beside
// a profile. docs/formats/step-metrics.md has the rules by which they belong to steps.
#pragma once

#include <string>
#include <vector>

#include "formats/read_context.h"

namespace sightline::formats {

// The logs that are read together with the profile at `path`.
std::vector<std::string> step_metric_files(const std::string& path);

// `files` of a capture, and these logs; empty if the profile is read alone. `files`: empty if it is one file.
std::vector<std::string> with_step_metric_files(const std::string& path, std::vector<std::string> files);

// Fills step_metrics, and adds a counter for each figure. REQUIRES: the profile has its steps.
void read_step_metrics(const ReadContext& context, Profile& profile);

}  // namespace sightline::formats

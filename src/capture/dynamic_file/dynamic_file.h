// Recording torch_npu processes through their dynamic profiling file:
// profiler_config.json in a folder that they watch. They count steps, not
// time, and write the first recorded step into a log in the same folder.
#pragma once

#include <cstdint>
#include <string>

#include "capture/capture.h"

namespace sightline::capture {

DriverInfo dynamic_file_driver();

struct DynamicFileTarget {
  std::string folder;            // that PROF_CONFIG_PATH or dynamic_profile.init() names
  std::int64_t start_step = -1;  // -1: the next
};

// The results are the folders that the processes write, one per process, in CaptureOptions::out.
Result<Captured> capture_by_file(const DynamicFileTarget& target, const CaptureOptions& options, const CaptureWatch& watch);

// The text of the file. `start_step` 0: never.
std::string dynamic_config(const CaptureOptions& options, std::int64_t start_step);

}  // namespace sightline::capture

// Recording a compiled model: it is loaded onto the device's cores, given its inputs, run, and the device's own profiler writes
// what happened.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "capture/capture.h"

namespace sightline {

struct ModelRunTarget {
  std::string model;    // the compiled model
  std::string profile;  // the file to write; for several cores and executions with _rank_N, _exec_N
  std::vector<std::pair<std::string, std::string>> inputs;  // name, .npy file; those that are not named are zeros
  std::vector<std::int32_t> cores = {0};                    // all run at once
  std::int64_t executions = 1;                              // how often it runs
  std::int64_t every = 0;                                   // profiles each execution whose number this divides; 0: the last only
  bool ignore_execution_errors = false;
  std::string library = "libnrt.so.1";
};

// `options`: stop and limits only; what is recorded is the device's choice.
Result<Captured> capture_model_run(const ModelRunTarget& target, const CaptureWatch& watch);

}  // namespace sightline

// Recording a compiled model: it is loaded on the device's cores and run with its inputs, and the device's own profiler writes
// the profile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/capture.h"

namespace sightline::capture {

DriverInfo model_run_driver();
inline constexpr const char* kModelOption = "-n,--neff";  // of the command, as the device's own profiler calls it

using NamedFiles = std::vector<std::pair<std::string, std::string>>;  // an input and the file that holds it

enum class SavedOutputs : std::uint8_t { none, raw, npy };

struct ModelRunTarget {
  std::string model;                           // the compiled model
  std::string profile = "profile.ntff";        // the file to write; of several ranks and executions with _rank_N, _exec_N
  std::vector<NamedFiles> inputs;              // of all cores, or one of each; those that are not named are zeros
  std::vector<std::int32_t> cores = {0};       // all run at once, each as a separate rank
  std::uint32_t first_rank = 0;                // of the first core
  std::uint32_t ranks = 0;                     // on all hosts; 0: those of `cores`
  std::optional<std::uint32_t> profiled_rank;  // only this one is profiled
  std::int64_t executions = 1;                 // how often it runs
  std::int64_t every = 0;                      // profiles each execution whose number this divides; 0: the last only
  bool ignore_execution_errors = false;
  std::optional<std::uint64_t> shared_from;   // tensors of more bytes share one buffer, so their content is meaningless
  SavedOutputs outputs = SavedOutputs::none;  // after the last execution, in the profile's folder
  bool same_outputs = false;                  // each execution must have the outputs of the first
  bool label_dma = false;                     // label dynamic DMA
  std::string library = "libnrt.so.1";
};

// Uses of the options: out, the folder of the profile; start; limit, the longest time
// without progress of the runtime, whose calls cannot be interrupted. cancelled: the
// runtime made no progress and still uses a thread of this process, which should end.
Result<Captured> capture_model_run(const ModelRunTarget& target, const CaptureOptions& options, const CaptureWatch& watch);

}  // namespace sightline::capture

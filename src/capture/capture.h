// Recording a process that runs: what all drivers share. A driver (a folder of src/capture, or a file) is one way to reach a
// process: its input is what to record. It blocks until the files are there. The stop token makes it keep what has arrived and
// leave. No driver waits without a limit, and none leaves anything behind in the process, in its environment or on the disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace sightline::capture {

using Milliseconds = std::chrono::milliseconds;

// What to record. A driver refuses what its way cannot do.
struct CaptureOptions {
  Milliseconds duration{2000};
  std::int64_t iterations = 0;        // of the training loop; 0: by time
  std::string out;                    // folder of the results; made when it is missing
  bool shapes = false;                // of the operators' inputs
  bool stacks = false;                // of Python
  bool memory = false;                // allocations
  bool flops = false;                 // what operators compute
  std::optional<std::int64_t> start;  // ms since 1970: the same on many hosts; without it as soon as possible
  Milliseconds limit{0};              // longest time from the request to the last file; 0: the driver's own choice
};

// Whom to tell. `progress` replaces what it said before, a `note` stays: what a person must know of the result.
struct CaptureWatch {
  std::function<void(const std::string&)> progress;
  std::function<void(const std::string&)> note;
  std::stop_token stop;
};

struct Captured {
  std::vector<std::string> files{};   // whole, in CaptureOptions::out
  std::vector<std::string> others{};  // whole as well, but no profiles
  bool all = true;                    // false: something that was requested is missing, and a note says what
};

}  // namespace sightline::capture

// Recording a running process: the types and functions that all drivers share. A
// driver (a folder of src/capture) is one way to reach a process. Its input is what
// to record. It blocks until the files are complete; the stop token makes it keep
// the files that have arrived and return. No driver waits without a limit, and none
// leaves anything behind in the process, in its environment or on the disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sightline::capture {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

inline constexpr Milliseconds kGlance{50};  // between two looks at what a recording waits for

// What to record. A driver refuses options that it does not support.
struct CaptureOptions {
  Milliseconds duration{2000};
  std::int64_t iterations = 0;        // of the training loop; 0: by time
  std::string out;                    // folder of the results; made when it is missing
  bool shapes = false;                // of the operators' inputs
  bool stacks = false;                // of Python
  bool memory = false;                // allocations
  bool flops = false;                 // operations that operators compute
  std::optional<std::int64_t> start;  // ms since 1970: the same on many hosts; empty: as soon as possible
  Milliseconds limit{0};              // longest time from the request to the last file; 0: the driver's own choice
};

// Callbacks. A `progress` text replaces the one before; a `note` stays: the user must know it to understand the result.
struct CaptureWatch {
  std::function<void(const Message&)> progress;
  std::function<void(const Message&)> note;
  std::stop_token stop;
};

struct Captured {
  std::vector<std::string> files{};   // whole, in CaptureOptions::out
  std::vector<std::string> others{};  // whole as well, but no profiles
  bool all = true;                    // false: something that was requested is missing, and a note names it
};

// Options of other drivers that a driver does not support, separated by commas, and the reason.
using RefusedOptions = std::vector<std::pair<std::string, std::string>>;

// What a driver is called: its subcommand of `sightline capture`, and its name in requests of the page.
struct DriverInfo {
  std::string name;
  std::string help;  // what it records
  RefusedOptions refused = {};
};

std::int64_t unix_ms();

// Waits until the time has passed or a stop is requested; the progress shows the remaining seconds as `what` of them.
void wait_for(Milliseconds time, Message (*what)(std::int64_t seconds), const CaptureWatch& watch);

// Waits until CaptureOptions::start, if it is set. invalid_argument: it is in the past.
Result<bool> check_start(const CaptureOptions& options);
void wait_for_start(const CaptureOptions& options, const CaptureWatch& watch);

}  // namespace sightline::capture

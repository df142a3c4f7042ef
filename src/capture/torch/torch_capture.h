// Recording PyTorch processes on demand. We act as the daemon that each process
// polls. A process gets a configuration from us, records, and writes a Chrome
// trace; we wait for the trace, pack it and move it to the folder of the results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/capture.h"

namespace sightline::capture {

DriverInfo torch_driver();

struct TorchTarget {
  std::optional<std::int32_t> pid;   // the process or, if it does not poll, its child processes
  std::optional<std::int64_t> job;   // the SLURM job
  bool all = false;                  // all that poll; without any of these three: the only one that polls
  std::vector<std::string> command;  // not empty: start this and record it
  Milliseconds delay{0};             // of a command: from the first poll of a process to the recording
  bool end_command = false;          // after the recording; else wait for its end
  Milliseconds patience{15'000};     // until the first poll
};

// A process that polls, as a line of a list for the user.
struct TorchListing {
  std::int32_t pid = 0;
  std::int64_t job = 0;
  std::string user, command, devices, release;
  bool busy = false;  // records already
};

// Listens until every process has had time to poll once.
Result<std::vector<TorchListing>> list_torch(const CaptureWatch& watch);

// invalid_argument: the process does not exist or belongs to another user, or several
// processes poll and none was chosen. unavailable: no process polled in time, or another
// daemon has the name. A result without files: nothing could be recorded, and notes say why.
Result<Captured> capture_torch(const TorchTarget& target, const CaptureOptions& options, const CaptureWatch& watch);

}  // namespace sightline::capture

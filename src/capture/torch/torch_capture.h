// Recording PyTorch processes on demand. Each polls the daemon whose part we take; it is handed a configuration, records by
// itself, and writes a Chrome trace, which we wait for, pack and bring into the folder of the results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/capture.h"

namespace sightline::capture {

struct TorchTarget {
  std::optional<std::int32_t> pid;   // the process, or, where it is none itself, those that it started
  std::optional<std::int64_t> job;   // the SLURM job
  bool all = false;                  // all that poll; with none of these three: the only one that polls
  std::vector<std::string> command;  // not empty: start this and record what it becomes
  Milliseconds delay{0};             // of a command: from the first poll of a process to the recording
  bool end_command = false;          // once it is recorded; else it is waited for
  Milliseconds patience{15'000};     // until the first poll
};

// A process that requests configurations, for a person who chooses.
struct TorchListing {
  std::int32_t pid = 0;
  std::int64_t job = 0;
  std::string user, command, devices, release;
  bool busy = false;  // records already
};

// Listens for as long as it takes every process to poll once.
Result<std::vector<TorchListing>> list_torch(const CaptureWatch& watch);

// invalid_argument: no such process, another user's, more than one to choose from. unavailable: no process polled in time, or
// another daemon has the name. A result without files: nothing could be recorded, and notes said why.
Result<Captured> capture_torch(const TorchTarget& target, const CaptureOptions& options, const CaptureWatch& watch);

}  // namespace sightline::capture

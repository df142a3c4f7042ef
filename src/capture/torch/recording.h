// One recording of one process: from its configuration to the packed file, and the search for the file that the process writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "capture/capture.h"
#include "capture/torch/daemon.h"

namespace sightline::capture {

// ---- the file ----

struct TraceFile {
  std::string path;
  bool whole = false;
};

// Looks for the trace of one request. A process writes NAME.tmp
// and renames it; older releases write it in place, and newer ones
// write it to another place when they do not accept the path.
class TraceSearch {
 public:
  // `file`: as in the configuration; `own_pid`: as the process numbers itself.
  TraceSearch(const std::string& file, std::int32_t own_pid);

  // The file so far. It is whole when it ends like a trace and has not changed since the last call.
  std::optional<TraceFile> look();

  // Whether the process accepted the request: then it makes its file at once.
  bool begun() const;

  // The file of a process that has ended. It may be incomplete.
  std::optional<TraceFile> remains() const;

 private:
  std::string requested_path_, elsewhere_;
  std::string seen_;  // at the look before: which, and how large
  std::int64_t seen_size_ = -1;
  std::int64_t since_;  // ns since 1970: older files at the other place belong to other recordings
};

// Whether it contains an operator or a kernel. A process in which nothing ran, for example one that still imports, also writes
// a trace.
bool holds_operators(const std::string& trace);

// Whether it contains an allocation. Present releases record none on demand, although they accept the option.
bool holds_allocations(const std::string& trace);

// The rank in a distributed job, from the trace.
std::optional<std::int64_t> rank_in(const std::string& trace);

// ---- the recording ----

enum class RecordingState { requested, recording, whole, lost };

class TorchRecording {
 public:
  // `process`: its state before it gets the configuration; `file` as in torch_config.
  TorchRecording(const TorchProcess& process, const std::string& file);

  // Updates the state. The recording is lost when the process has ended, or got its configuration and does nothing.
  RecordingState look(const std::vector<TorchProcess>& polling);

  RecordingState state() const { return state_; }
  const TorchProcess& process() const { return process_; }
  const std::string& rank() const { return rank_; }          // the number that the launcher gave the process, or empty
  const Message& why() const { return why_; }                // lost: the reason, as the end of a sentence
  bool not_taken() const { return not_taken_; }              // lost: it did not accept the request, and would accept another
  bool waits_for_other() const { return waits_for_other_; }  // another program is recording it
  const std::optional<TraceFile>& trace() const { return trace_; }  // whole; lost: the part that was written

 private:
  RecordingState lose(Message why);

  TorchProcess process_;
  std::string rank_;
  TraceSearch search_;
  RecordingState state_ = RecordingState::requested;
  Message why_;
  bool not_taken_ = false, waits_for_other_ = false;
  std::optional<TraceFile> trace_;
};

// Packs the trace; returns its new path, FOLDER/WORKER.TIME.pt.trace.json.gz.
// REQUIRES: trace(). The worker is the rank that the trace or the process'
// environment names, else host and process.
Result<std::string> store_trace(const TorchRecording& recording, const std::string& folder);

}  // namespace sightline::capture

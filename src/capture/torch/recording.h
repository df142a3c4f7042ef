// One recording of one process: from the configuration it is handed to the packed file.
#pragma once

#include <optional>
#include <string>

#include "capture/capture.h"
#include "capture/torch/daemon.h"
#include "capture/torch/trace_file.h"

namespace sightline::capture {

enum class RecordingState { asked, recording, whole, lost };

class TorchRecording {
 public:
  // `process` as it is before it is handed anything; `file` as in torch_config.
  TorchRecording(const TorchProcess& process, const std::string& file);

  // Looks how far it is. A process that has ended, or was handed its configuration and does nothing, is lost.
  RecordingState look(const std::vector<TorchProcess>& asking);

  RecordingState state() const { return state_; }
  const TorchProcess& process() const { return process_; }
  const std::string& rank() const { return rank_; }                 // the number that the launcher gave the process; empty: none
  const std::string& why() const { return why_; }                   // lost: the reason, as the end of a sentence
  bool not_taken() const { return not_taken_; }                     // lost: it did not take the request, and would take another
  bool waits_for_other() const { return waits_for_other_; }         // another program is recording it
  const std::optional<TraceFile>& trace() const { return trace_; }  // whole; lost: what is left of it

 private:
  RecordingState lose(std::string why);

  TorchProcess process_;
  std::string rank_;
  TraceSearch search_;
  RecordingState state_ = RecordingState::asked;
  std::string why_;
  bool not_taken_ = false, waits_for_other_ = false;
  std::optional<TraceFile> trace_;
};

// FOLDER/WORKER.TIME.pt.trace.json.gz, where the trace stands afterwards. REQUIRES: trace(). The worker is the rank that the
// trace or the process' environment names, else host and process.
Result<std::string> store_trace(const TorchRecording& recording, const std::string& folder);

}  // namespace sightline::capture

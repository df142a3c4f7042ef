#include "capture/torch/recording.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "capture/packed_file.h"
#include "capture/process_facts.h"

namespace sightline::capture {

namespace {

// A process that was handed its configuration and polls idle this often without having made its file has not taken it. The first
// such poll may have crossed the answer; on a machine with more to do than it can, a second one does.
constexpr int kIdlePolls = 4;

// It makes its file before it starts, and does not start when the moment to do so has passed: then it polls idle beside a file
// that stays as it is. While it records or writes it polls busy.
constexpr int kIdlePollsBesideFile = 5;

std::string worker_name(const TorchRecording& recording) {
  if (const std::optional<std::int64_t> rank = rank_in(recording.trace()->path)) return "rank" + std::to_string(*rank);
  if (whole_number<std::int64_t>(recording.rank())) return "rank" + recording.rank();
  char host[256] = "host";
  ::gethostname(host, sizeof host - 1);
  std::string name = std::string(host) + "_" + std::to_string(recording.process().pid);
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

}  // namespace

TorchRecording::TorchRecording(const TorchProcess& process, const std::string& file)
    : process_(process), rank_(variable_of(process.pid, "RANK").value_or("")), search_(file, process.pids.front()) {}

RecordingState TorchRecording::lose(std::string why) {
  why_ = std::move(why);
  trace_ = search_.remains();
  return state_ = RecordingState::lost;
}

RecordingState TorchRecording::look(const std::vector<TorchProcess>& asking) {
  if (state_ == RecordingState::whole || state_ == RecordingState::lost) return state_;
  const bool runs = process_runs(process_.pid);  // before the file is looked for: it may end between the two
  std::optional<TraceFile> trace = search_.look();
  if (trace && !runs) trace = search_.look();  // no process writes to it any more: do not wait until it stops changing
  if (trace && trace->whole) {
    trace_ = trace;
    return state_ = RecordingState::whole;
  }
  if (!runs) return lose("it ended before its recording was complete");
  const auto now = std::find_if(asking.begin(), asking.end(), [&](const TorchProcess& p) { return p.pid == process_.pid; });
  if (now == asking.end()) return state_;
  const bool handed_out = now->handed_out != process_.handed_out;
  waits_for_other_ = !handed_out && now->busy;
  if (!handed_out) return state_;
  if (search_.begun()) {
    if (now->idle_polls >= kIdlePollsBesideFile) {
      return lose("it began but did not record: torch.profiler in it took over, or its own log has the reason");
    }
    return state_ = RecordingState::recording;
  }
  not_taken_ = now->idle_polls >= kIdlePolls;
  return not_taken_ ? lose("it received the request but did not start: its own log has the reason") : state_;
}

Result<std::string> store_trace(const TorchRecording& recording, const std::string& folder) {
  const std::int64_t now = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  const std::string name = worker_name(recording) + "." + std::to_string(now) + ".pt.trace.json.gz";
  const std::string path = (std::filesystem::path(folder) / name).string();
  const Result<bool> stored = store_packed(recording.trace()->path, path);
  if (!stored) return stored.error();
  std::error_code ignored;
  std::filesystem::remove(recording.trace()->path, ignored);
  return path;
}

}  // namespace sightline::capture

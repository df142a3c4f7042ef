// The trace of a process is complete when it ends like a trace and no longer grows; then it is packed.
#include "capture/torch/recording.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <initializer_list>

#include "base/text.h"
#include "capture/processes.h"
#include "capture/result_files.h"

namespace sightline::capture {

// ---- the file ----

namespace {

constexpr std::string_view kEnding = ".json";
constexpr std::size_t kBlock = 1 << 20;

std::int64_t size_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : -1;
}

std::int64_t changed(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return 0;
  return status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
}

std::string last_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(size - 64, 0));
  std::string bytes(64, '\0');
  file.read(bytes.data(), 64);
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  while (!bytes.empty() && std::isspace(static_cast<unsigned char>(bytes.back())) != 0) bytes.pop_back();
  return bytes;
}

std::int64_t now() { return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count(); }

// Whether one of the texts, of at most 64 bytes, is in the file.
bool holds_any(const std::string& path, std::initializer_list<std::string_view> texts) {
  std::ifstream file(path, std::ios::binary);
  std::string block;
  while (file) {
    block.erase(0, block.size() - std::min<std::size_t>(block.size(), 64));  // a text may cross two blocks
    const std::size_t kept = block.size();
    block.resize(kept + kBlock);
    file.read(block.data() + kept, kBlock);
    block.resize(kept + static_cast<std::size_t>(file.gcount()));
    for (const std::string_view text : texts) {
      if (block.find(text) != std::string::npos) return true;
    }
  }
  return false;
}

}  // namespace

TraceSearch::TraceSearch(const std::string& file, std::int32_t own_pid)
    : requested_path_(file.substr(0, file.size() - kEnding.size()) + "_" + std::to_string(own_pid) + std::string(kEnding)),
      elsewhere_("/tmp/libkineto_activities_" + std::to_string(own_pid) + std::string(kEnding)),
      since_(now()) {}

std::optional<TraceFile> TraceSearch::look() {
  std::string path = requested_path_;
  if (size_of(path) < 0 && changed(elsewhere_) > since_) path = elsewhere_;
  const std::int64_t size = size_of(path);
  if (size < 0) return std::nullopt;
  const bool same = path == seen_ && size == seen_size_;
  seen_ = path;
  seen_size_ = size;
  return TraceFile{.path = path, .whole = same && size > 0 && last_bytes(path).ends_with('}')};
}

bool TraceSearch::begun() const {
  return size_of(requested_path_) >= 0 || size_of(requested_path_ + ".tmp") >= 0 || changed(elsewhere_) > since_ ||
         changed(elsewhere_ + ".tmp") > since_;
}

std::optional<TraceFile> TraceSearch::remains() const {
  for (const std::string& path : {requested_path_, requested_path_ + ".tmp"}) {
    if (size_of(path) > 0) return TraceFile{.path = path, .whole = last_bytes(path).ends_with('}')};
  }
  return std::nullopt;
}

bool holds_operators(const std::string& trace) { return holds_any(trace, {"\"cat\": \"cpu_op\"", "\"cat\": \"kernel\""}); }

bool holds_allocations(const std::string& trace) { return holds_any(trace, {"\"name\": \"[memory]\""}); }

std::optional<std::int64_t> rank_in(const std::string& trace) {
  std::ifstream file(trace, std::ios::binary);
  std::string head(kBlock / 16, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t distributed = head.find("\"distributedInfo\"");
  constexpr std::string_view kRank = "\"rank\":";
  const std::size_t rank = distributed == std::string::npos ? distributed : head.find(kRank, distributed);
  if (rank == std::string::npos) return std::nullopt;
  std::string_view digits = std::string_view(head).substr(rank + kRank.size());
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  return whole_number<std::int64_t>(digits.substr(0, digits.find_first_not_of("0123456789")));
}

// ---- the recording ----

namespace {

// A process that got its configuration, and then polls idle this often without
// making its file, has not accepted it. The first of these polls may have been
// sent before the answer arrived; on an overloaded machine, also the second.
constexpr int kIdlePolls = 4;

// A process makes its file before it starts. It does not start when the moment has passed: then it polls idle, and the file
// does not change.
// While it records or writes, it polls busy.
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

RecordingState TorchRecording::lose(Message why) {
  why_ = std::move(why);
  trace_ = search_.remains();
  return state_ = RecordingState::lost;
}

RecordingState TorchRecording::look(const std::vector<TorchProcess>& polling) {
  if (state_ == RecordingState::whole || state_ == RecordingState::lost) return state_;
  const bool runs = process_runs(process_.pid);  // before the file is looked for: it may end between the two
  std::optional<TraceFile> trace = search_.look();
  if (trace && !runs) trace = search_.look();  // no process writes to it any more: do not wait until it stops changing
  if (trace && trace->whole) {
    trace_ = trace;
    return state_ = RecordingState::whole;
  }
  if (!runs) return lose("it ended before its recording was complete");
  const auto now = std::find_if(polling.begin(), polling.end(), [&](const TorchProcess& p) { return p.pid == process_.pid; });
  if (now == polling.end()) return state_;
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

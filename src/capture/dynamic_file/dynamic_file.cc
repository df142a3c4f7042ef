#include "capture/dynamic_file/dynamic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "base/json_writer.h"
#include "base/output_file.h"
#include "base/text.h"
#include "capture/result_files.h"

namespace sightline::capture {

namespace {

namespace fs = std::filesystem;

constexpr Milliseconds kLimit{600'000};        // steps are slow, and the analysis of the recording is slower
constexpr Milliseconds kResultSettled{3'000};  // a result that has not changed for so long is whole
constexpr std::int64_t kNever = 0;

// The steps that one process has written in its log since the capture began.
struct Progress {
  std::string started, stopped;  // steps
};

// Whole seconds, as the processes look at it.
std::int64_t second_of_change(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

// Number and total size of the files below a folder: these change while a process writes there.
std::pair<std::int64_t, std::uintmax_t> extent(const fs::path& folder) {
  std::pair<std::int64_t, std::uintmax_t> found;
  std::error_code failed;
  for (const auto& file : fs::recursive_directory_iterator(folder, failed)) {
    std::error_code gone;
    const auto size = file.is_regular_file(gone) ? file.file_size(gone) : 0;
    ++found.first;
    found.second += gone ? 0 : size;
  }
  return found;
}

// A lock on a folder, until the object is destroyed. Where the file system has no locks, it counts as locked.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder) : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    held_ = fd_ < 0 || ::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  }
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  bool held() const { return held_; }

 private:
  int fd_;
  bool held_ = false;
};

class DynamicFileCapture {
 public:
  DynamicFileCapture(const DynamicFileTarget& target, const CaptureOptions& options, const CaptureWatch& watch)
      : target_(target), options_(options), watch_(watch), config_((fs::path(target.folder) / "profiler_config.json").string()) {}

  Result<Captured> run();

 private:
  Result<bool> write_config(std::int64_t start_step);
  void look_at_logs();
  std::vector<std::string> results() const;
  bool settled();

  const DynamicFileTarget& target_;
  const CaptureOptions& options_;
  const CaptureWatch& watch_;
  const std::string config_;
  std::map<std::string, std::uintmax_t> logs_;  // where each ended when the capture began
  std::map<std::string, Progress> progress_;    // by log
  std::set<std::string> before_;                // results that existed before
  std::pair<std::int64_t, std::uintmax_t> extent_;
  Clock::time_point grown_ = Clock::now();
};

// The processes look at the file's time in whole seconds, so it must be another one than before.
Result<bool> DynamicFileCapture::write_config(std::int64_t start_step) {
  while (second_of_change(config_) >=
         std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count()) {
    std::this_thread::sleep_for(kGlance);
  }
  Result<OutputFile> file = OutputFile::create(config_);
  if (!file) return file.error();
  file->write(dynamic_config(options_, start_step));
  return file->finish();
}

void DynamicFileCapture::look_at_logs() {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(fs::path(target_.folder) / "log", failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("dp_") || !name.ends_with(".log")) continue;
    std::ifstream log(entry.path(), std::ios::binary);
    std::error_code gone;
    const auto end = entry.file_size(gone);
    const auto begun = logs_.find(name);
    if (begun != logs_.end() && begun->second <= end) log.seekg(static_cast<std::streamoff>(begun->second));  // else: a new one
    for (std::string line; std::getline(log, line);) {
      constexpr std::string_view kStart = "Start Dynamic Profiler at ", kStop = "Stop Dynamic Profiler at ";
      const auto step_after = [&](std::string_view mark) {
        const std::size_t at = line.find(mark);
        if (at == std::string::npos) return std::string();
        const std::string_view rest = std::string_view(line).substr(at + mark.size());
        return std::string(rest.substr(0, rest.find(' ')));
      };
      if (const std::string step = step_after(kStart); !step.empty()) {
        if (progress_[name].started.empty()) watch_.note(say("{}: recording from step {}", name, step));
        progress_[name].started = step;
      }
      if (const std::string step = step_after(kStop); !step.empty() && progress_.contains(name)) progress_[name].stopped = step;
    }
  }
}

std::vector<std::string> DynamicFileCapture::results() const {
  std::vector<std::string> found;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(options_.out, failed)) {
    const std::string path = entry.path().string();
    if (entry.is_directory() && path.ends_with("_ascend_pt") && !before_.contains(path)) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Whether every process that began has ended its recording and its result no longer changes.
bool DynamicFileCapture::settled() {
  const auto now = extent(options_.out);
  if (now != extent_) grown_ = Clock::now();
  extent_ = now;
  const bool ended = std::all_of(progress_.begin(), progress_.end(), [](const auto& p) { return !p.second.stopped.empty(); });
  const std::vector<std::string> found = results();
  return ended && !found.empty() && found.size() >= progress_.size() && Clock::now() - grown_ >= kResultSettled;
}

Result<Captured> DynamicFileCapture::run() {
  std::error_code failed;
  for (const auto& log : fs::directory_iterator(fs::path(target_.folder) / "log", failed)) {
    std::error_code gone;
    logs_[log.path().filename().string()] = log.file_size(gone);
  }
  for (const std::string& path : results()) before_.insert(path);
  if (const Result<bool> written = write_config(target_.start_step); !written) return written.error();
  const Milliseconds limit = options_.limit.count() > 0 ? options_.limit : kLimit;
  const Clock::time_point began = Clock::now();
  while (!watch_.stop.stop_requested() && Clock::now() - began < limit && !settled()) {
    look_at_logs();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began).count();
    const auto stopped =
        std::count_if(progress_.begin(), progress_.end(), [](const auto& p) { return !p.second.stopped.empty(); });
    watch_.progress(say("{} s: {} began, {} ended, {} results", seconds, progress_.size(), stopped, results().size()));
    std::this_thread::sleep_for(kGlance);
  }
  const bool whole = settled();
  if (const Result<bool> written = write_config(kNever); !written) watch_.note(written.error().to_string());
  Captured captured{.files = results(), .all = whole};
  if (captured.files.empty()) {
    watch_.note(target_.start_step > 0 ? say("{}: nothing was recorded. Does a process watch this folder (PROF_CONFIG_PATH, or "
                                             "dynamic_profile.init), and had it not yet passed step {}?",
                                             target_.folder, target_.start_step)
                                       : say("{}: nothing was recorded. Does a process watch this folder (PROF_CONFIG_PATH, or "
                                             "dynamic_profile.init), and does it call dynamic_profile.step()?",
                                             target_.folder));
  } else if (!whole) {
    watch_.note("the results may be incomplete: they were still being written");
  }
  return captured;
}

}  // namespace

DriverInfo dynamic_file_driver() {
  return {.name = "ascend",
          .help = "torch_npu processes that watch a dynamic profiling file",
          .refused = {{"--duration", "torch_npu counts steps: use --iterations"},
                      {"--at", "torch_npu counts steps: use --step"},
                      {"--pid,--all,--job", "all processes that watch the folder are recorded"}}};
}

std::string dynamic_config(const CaptureOptions& options, std::int64_t start_step) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("activities").begin_array().value("CPU").value("NPU").end_array();
  json.member("prof_dir", fs::absolute(options.out).lexically_normal().string());
  json.member("analyse", true);  // else only msprof can read the result
  json.member("record_shapes", options.shapes).member("profile_memory", options.memory).member("with_stack", options.stacks);
  json.member("with_flops", options.flops).member("with_modules", options.stacks);
  json.member("active", std::max<std::int64_t>(options.iterations, 1))
      .member("warmup", std::int64_t{0})
      .member("start_step", start_step);
  json.member("is_rank", false).key("rank_list").begin_array().end_array();
  json.key("experimental_config").begin_object();
  json.member("profiler_level", "Level1").member("aic_metrics", "PipeUtilization").member("export_type", "text");
  json.member("data_simplification", false);
  json.end_object().end_object();
  return text + "\n";
}

Result<Captured> capture_by_file(const DynamicFileTarget& target, const CaptureOptions& options, const CaptureWatch& watch) {
  if (target.start_step < -1 || target.start_step == 0) return Error{ErrorCode::invalid_argument, "steps count from 1", ""};
  std::error_code failed;
  if (!fs::is_directory(target.folder, failed)) return Error{ErrorCode::not_found, "no such folder", target.folder};
  const FolderLock lock(target.folder);  // a second request would take the place of the first
  if (!lock.held())
    return Error{ErrorCode::unavailable, "another capture uses this folder; only one can run at a time", target.folder};
  if (const Result<bool> made = make_result_folder(options.out); !made) return made.error();
  return DynamicFileCapture(target, options, watch).run();
}

}  // namespace sightline::capture

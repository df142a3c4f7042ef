#include "capture/torch/torch_capture.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "base/output_file.h"
#include "base/private_folder.h"
#include "capture/capture.h"
#include "capture/processes.h"
#include "capture/result_files.h"
#include "capture/torch/daemon.h"
#include "capture/torch/ipc.h"
#include "capture/torch/recording.h"

namespace sightline::capture {

namespace {

constexpr Milliseconds kPollInterval{5000};         // how often a process polls
constexpr Milliseconds kAllAsked{6000};             // after which every process has polled once
constexpr Milliseconds kCommandPollInterval{1000};  // of a command that we start
constexpr Milliseconds kStart{2000};  // from the configuration to the first slice, besides the warm-up: it starts on full seconds
// A process may take an answer one poll late: one that crossed its question is taken at the next. Two polls, then, until all have
// it.
constexpr int kPollsUntilTaken = 2;
constexpr Milliseconds kWriting{60'000};           // from the last slice to the whole file
constexpr Milliseconds kIterationsLimit{300'000};  // the length of an iteration is unknown
constexpr Milliseconds kYoung{60'000};             // a process that imports torch polls long before its first operator
constexpr int kTries = 2, kTriesOfYoung = 10;      // of a process in which nothing ran
constexpr const char* kTraceFolder = "/tmp";       // newer releases write only there, unless a variable names another folder
constexpr const char* kTraceFolderVariable = "KINETO_ONDEMAND_TRACE_DIR";

std::string seconds(Milliseconds time) {
  const std::int64_t tenths = (time.count() + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

// Time from the request to the start, so that no process that polls this often misses the start.
Milliseconds ahead_of_start(Milliseconds poll_interval) { return kPollsUntilTaken * poll_interval + kStart + kTorchWarmUp; }

Milliseconds since(Clock::time_point start) { return std::chrono::duration_cast<Milliseconds>(Clock::now() - start); }

Message about(std::int32_t pid, const Message& what) { return say("process {}: {}", pid, what); }

// In these releases two threads set up the connection to the daemon at once, and one may free what the other uses.
bool may_crash(const std::string& release) {
  for (const char* begin : {"2.7.", "2.8.", "2.9."}) {
    if (release.starts_with(begin)) return true;
  }
  return false;
}

void warn_of_crashes(std::int32_t pid, const std::string& release, const CaptureWatch& watch) {
  if (!may_crash(release)) return;
  watch.note(about(pid, say("torch {} can crash when it starts with KINETO_USE_DAEMON set; 2.10 does not", release)));
}

// Errors that are known before the daemon listens.
Result<bool> check_target(const TorchTarget& target, const CaptureOptions& options) {
  if (options.start && *options.start < unix_ms() + ahead_of_start(kPollInterval).count()) {
    return Error{ErrorCode::invalid_argument,
                 say("the start must be {} ahead: processes check for a request every {}, may start one check later, and warm up",
                     seconds(ahead_of_start(kPollInterval)), seconds(kPollInterval)),
                 ""};
  }
  if (options.start && options.iterations > 0) {
    return Error{ErrorCode::invalid_argument, "use either a start time or a number of iterations", ""};
  }
  if (!target.pid) return true;
  const std::optional<std::uint32_t> user = user_of(*target.pid);
  if (!user || !process_runs(*target.pid)) return Error{ErrorCode::not_found, about(*target.pid, "there is no such process"), ""};
  if (*user != ::geteuid()) {
    return Error{ErrorCode::unavailable,
                 about(*target.pid, say("it belongs to the user {}; only that user may record it", user_name(*user))), ""};
  }
  return true;
}

// The folder in which processes look for the daemon's socket; empty: the abstract name.
std::string socket_folder(const TorchTarget& target) {
  if (target.pid) {
    if (const std::optional<std::string> folder = variable_of(*target.pid, "KINETO_IPC_SOCKET_DIR")) return *folder;
  }
  const char* ours = std::getenv("KINETO_IPC_SOCKET_DIR");
  return ours == nullptr ? "" : ours;
}

// One capture: which processes poll, which of them to record, and the result of each.
class TorchCapture {
 public:
  TorchCapture(const TorchTarget& target, const CaptureOptions& options, const CaptureWatch& watch, TorchDaemon& daemon,
               ChildProcess* child)
      : target_(target), options_(options), watch_(watch), daemon_(daemon), child_(child), began_(Clock::now()) {}

  Result<Captured> run();

 private:
  bool stopped() const { return watch_.stop.stop_requested(); }
  bool meant(const TorchProcess& process) const;
  bool exactly_meant(const TorchProcess& process) const { return child_ == nullptr && target_.pid == process.pid; }
  Result<std::vector<TorchProcess>> choose();
  Error no_process_polled() const;
  Error too_many(const std::vector<TorchProcess>& found) const;
  Result<bool> record(const std::vector<TorchProcess>& chosen);
  Result<std::string> folder_for(const TorchProcess& process);
  Result<TorchRecording> request(const TorchProcess& process);
  void request_again(TorchRecording& recording, const std::vector<TorchProcess>& polling);
  void note_busy(const TorchRecording& recording);
  void follow(std::vector<TorchRecording>& recordings, Milliseconds limit);
  void collect(std::vector<TorchRecording>& recordings);
  void show_progress(const std::vector<TorchRecording>& recordings, Clock::time_point start) const;
  Result<bool> record_chosen();
  void wait_for_command(const Message& failure);

  const TorchTarget& target_;
  const CaptureOptions& options_;
  const CaptureWatch& watch_;
  TorchDaemon& daemon_;
  ChildProcess* child_;  // null: a process that already runs is recorded
  Clock::time_point began_;
  std::map<std::string, PrivateFolder> folders_;  // where processes write, by the folder above
  int requests_ = 0;                              // requests: each has a separate file
  std::optional<std::int64_t> start_;             // of all, ms since 1970
  std::set<std::int32_t> requested_again_, noted_busy_;
  Captured captured_;
  std::vector<std::int32_t> idle_;  // recorded, and nothing ran in them
};

bool TorchCapture::meant(const TorchProcess& process) const {
  if (target_.job && process.job != *target_.job) return false;
  if (!target_.pid || exactly_meant(process)) return true;
  const std::vector<std::int32_t> above = ancestry_of(process.pid);
  return std::find(above.begin(), above.end(), *target_.pid) != above.end();
}

Error TorchCapture::no_process_polled() const {
  if (child_ != nullptr && child_->ended()) {
    return {ErrorCode::unavailable, say("it ended ({}) before anything was recorded", *child_->ended()), target_.command.front()};
  }
  const std::string patience = seconds(target_.patience);
  if (target_.pid) {
    const bool set = variable_of(*target_.pid, "KINETO_USE_DAEMON").has_value();
    const std::string release = torch_release_of(*target_.pid);
    const Message why = !set              ? "it was started without KINETO_USE_DAEMON=1"
                        : release.empty() ? "it has not imported torch"
                                          : say("its torch is {}; releases before 2.7 may never check for a request", release);
    return {ErrorCode::unavailable, about(*target_.pid, say("it did not check for a request within {}: {}", patience, why)), ""};
  }
  std::vector<Message> why = {"was it started with KINETO_USE_DAEMON=1?"};
  for (const RefusedProcess& refused : daemon_.refused()) {
    why.push_back(say("(process {} of the user {} waits for a request, but belongs to another user)", refused.pid,
                      user_name(refused.user)));
  }
  const Message all = sentences(std::move(why));
  return {ErrorCode::unavailable,
          target_.job ? say("no PyTorch process of job {} checked for a request within {}: {}", *target_.job, patience, all)
                      : say("no PyTorch process checked for a request within {}: {}", patience, all),
          ""};
}

Error TorchCapture::too_many(const std::vector<TorchProcess>& found) const {
  std::string list;
  for (const TorchProcess& process : found) {
    list += (list.empty() ? "" : ", ") + std::to_string(process.pid) + " (" + command_of(process.pid, 40) + ")";
  }
  return {ErrorCode::invalid_argument, say("{} processes can be recorded: {}; use --pid N or --all", found.size(), list), ""};
}

// Waits for the processes to record: for a single process until it polls, else until all running processes have polled.
Result<std::vector<TorchProcess>> TorchCapture::choose() {
  std::vector<TorchProcess> found;
  while (!stopped()) {
    found.clear();
    for (TorchProcess& process : daemon_.processes()) {
      if (process_runs(process.pid) && meant(process)) found.push_back(std::move(process));
    }
    const auto exact = std::find_if(found.begin(), found.end(), [&](const auto& p) { return exactly_meant(p); });
    if (exact != found.end()) return std::vector{*exact};
    const bool settled = child_ != nullptr ? !found.empty() && since(found.front().first_poll) >= target_.delay
                                           : !found.empty() && since(began_) >= kAllAsked;
    if (settled) break;
    if (child_ != nullptr && child_->ended()) return no_process_polled();
    if (target_.pid && !process_runs(*target_.pid)) return Error{ErrorCode::unavailable, about(*target_.pid, "it ended"), ""};
    if (found.empty() && since(began_) >= target_.patience) return no_process_polled();
    const Message who = found.empty()       ? "no process found yet"
                        : found.size() == 1 ? "1 process found"
                                            : say("{} processes found", found.size());
    watch_.progress(say("listening for {}: {}", seconds(since(began_)), who));
    std::this_thread::sleep_for(kGlance);
  }
  const bool any = target_.all || target_.job || target_.pid || child_ != nullptr;
  if (!any && found.size() > 1) return too_many(found);
  return found;
}

// A private folder in a place where this process may write.
Result<std::string> TorchCapture::folder_for(const TorchProcess& process) {
  const std::string above = variable_of(process.pid, kTraceFolderVariable).value_or(kTraceFolder);
  const auto found = folders_.find(above);
  if (found != folders_.end()) return found->second.path();
  Result<PrivateFolder> made = PrivateFolder::make("capture", above);
  if (!made) return made.error();
  return folders_.emplace(above, std::move(*made)).first->second.path();
}

Result<TorchRecording> TorchCapture::request(const TorchProcess& process) {
  const Result<std::string> folder = folder_for(process);
  if (!folder) return folder.error();
  const std::string file = *folder + "/trace" + std::to_string(++requests_) + ".json";
  TorchRecording recording(process, file);
  daemon_.hand_out(process.pid, torch_config(options_, file, start_));
  return recording;
}

// On an overloaded machine, a request may be lost inside
// the process. It is repeated, except when all processes
// were to start at the same moment, which has passed.
void TorchCapture::request_again(TorchRecording& recording, const std::vector<TorchProcess>& polling) {
  const std::int32_t pid = recording.process().pid;
  if (!recording.not_taken() || start_ || !requested_again_.insert(pid).second) return;
  const auto now = std::find_if(polling.begin(), polling.end(), [&](const TorchProcess& process) { return process.pid == pid; });
  Result<TorchRecording> again = request(*now);
  if (!again) return;
  watch_.note(about(pid, say("{}; trying again", recording.why())));
  recording = *std::move(again);
}

void TorchCapture::note_busy(const TorchRecording& recording) {
  const std::int32_t pid = recording.process().pid;
  if (!recording.waits_for_other() || !noted_busy_.insert(pid).second) return;
  watch_.note(about(
      pid, "it is being recorded already, by torch.profiler in it or by another capture; waiting for the end of that recording"));
}

Result<bool> TorchCapture::record(const std::vector<TorchProcess>& chosen) {
  start_ = options_.start;
  const Milliseconds interval = child_ != nullptr ? kCommandPollInterval : kPollInterval;
  if (!start_ && chosen.size() > 1) start_ = unix_ms() + ahead_of_start(interval).count();  // all of them at once
  std::vector<TorchRecording> recordings;
  for (const TorchProcess& process : chosen) {
    const std::string release = torch_release_of(process.pid);
    warn_of_crashes(process.pid, release, watch_);
    Result<TorchRecording> requested = request(process);
    if (!requested) return requested.error();
    recordings.push_back(*std::move(requested));
  }
  const Milliseconds ahead{start_ ? std::max<std::int64_t>(*start_ - unix_ms(), 0) : 0};
  const Milliseconds length = options_.iterations > 0 ? kIterationsLimit : options_.duration;
  const Milliseconds limit =
      options_.limit.count() > 0 ? options_.limit : std::max(ahead, ahead_of_start(kPollInterval)) + length + kWriting;
  follow(recordings, limit);
  collect(recordings);
  return true;
}

void TorchCapture::show_progress(const std::vector<TorchRecording>& recordings, Clock::time_point start) const {
  const auto count = [&](RecordingState state) {
    return std::count_if(recordings.begin(), recordings.end(), [&](const auto& r) { return r.state() == state; });
  };
  const auto counted = [&](RecordingState state, Message (*words)(std::int64_t)) {
    const std::int64_t number = count(state);
    return number > 0 ? words(number) : "";
  };
  watch_.progress(say("{}: {}", seconds(since(start)),
                      listed_messages(", ", {counted(RecordingState::requested, [](auto n) { return say("{} requested", n); }),
                                             counted(RecordingState::recording, [](auto n) { return say("{} recording", n); }),
                                             counted(RecordingState::whole, [](auto n) { return say("{} done", n); }),
                                             counted(RecordingState::lost, [](auto n) { return say("{} lost", n); })})));
}

void TorchCapture::follow(std::vector<TorchRecording>& recordings, Milliseconds limit) {
  const Clock::time_point start = Clock::now();
  bool waits = true;
  while (waits && !stopped() && since(start) < limit) {
    waits = false;
    const std::vector<TorchProcess> polling = daemon_.processes();
    for (TorchRecording& recording : recordings) {
      recording.look(polling);
      note_busy(recording);
      request_again(recording, polling);
      const RecordingState state = recording.state();
      waits = waits || state == RecordingState::requested || state == RecordingState::recording;
    }
    show_progress(recordings, start);
    if (waits) std::this_thread::sleep_for(kGlance);
  }
}

// Keeps the files that arrived, and adds a note for each that is missing.
void TorchCapture::collect(std::vector<TorchRecording>& recordings) {
  idle_.clear();
  for (TorchRecording& recording : recordings) {
    const std::int32_t pid = recording.process().pid;
    daemon_.hand_out(pid, "");
    if (recording.trace() && recording.state() == RecordingState::whole && !holds_operators(recording.trace()->path)) {
      idle_.push_back(pid);
      continue;
    }
    if (recording.trace()) {
      if (options_.memory && !holds_allocations(recording.trace()->path)) {
        watch_.note(about(pid, "its torch recorded no allocations; releases so far do that in torch.profiler only"));
      }
      const Result<std::string> stored = store_trace(recording, options_.out);
      if (stored) {
        captured_.files.push_back(*stored);
      } else {
        watch_.note(say("{}; the recording of process {} stays in {}", stored.error().to_string(), pid, recording.trace()->path));
        for (auto& [above, folder] : folders_) folder.leave();
      }
      captured_.all = captured_.all && stored.ok() && recording.state() == RecordingState::whole;
    }
    if (recording.state() == RecordingState::lost) {
      watch_.note(about(pid, recording.trace() ? say("{}; what it had written is kept", recording.why()) : recording.why()));
    } else if (recording.state() != RecordingState::whole) {
      const bool begun = recording.state() == RecordingState::recording;
      const Message why = stopped()                     ? "stopped"
                          : recording.waits_for_other() ? "it was busy with another recording; gave up"
                                                        : "no result in time; gave up";
      watch_.note(about(pid, begun ? say("{}; its recording ends by itself, and the file is deleted", why) : why));
    }
    captured_.all = captured_.all && recording.state() == RecordingState::whole;
  }
}

// A command that we started is not ours to end just because it is recorded, or could not be.
void TorchCapture::wait_for_command(const Message& failure) {
  const bool waits = !target_.end_command && !stopped() && !child_->ended();
  if (waits) {
    const Message done = captured_.files.empty() ? "nothing was recorded" : say("recorded to {}", options_.out);
    watch_.note(say("{}; {} continues (Ctrl-C ends it)", failure.empty() ? done : failure, target_.command.front()));
  }
  while (waits && !stopped() && !child_->ended()) std::this_thread::sleep_for(kGlance);
  child_->end();
}

Result<bool> TorchCapture::record_chosen() {
  const Result<std::vector<TorchProcess>> chosen = choose();
  if (!chosen) return chosen.error();
  std::vector<TorchProcess> left = *chosen;
  for (int tries = 1; !stopped() && !left.empty(); ++tries) {
    if (const Result<bool> recorded = record(left); !recorded) return recorded.error();
    if (idle_.empty() || !captured_.files.empty()) break;
    const bool young =
        std::any_of(idle_.begin(), idle_.end(), [](std::int32_t pid) { return age_of(pid).value_or(kYoung) < kYoung; });
    const bool may_start = child_ != nullptr ? !child_->ended() : tries < (young ? kTriesOfYoung : kTries);
    const bool again = may_start && !stopped();
    if (!again || tries == 1) {
      const Message what =
          again ? "no operator ran while it was recorded; recording again" : "no operator ran while it was recorded";
      watch_.note(idle_.size() == 1 ? about(idle_.front(), what) : say("{} processes: {}", idle_.size(), what));
    }
    if (!again) break;
    left = daemon_.processes();
    std::erase_if(left, [&](const TorchProcess& process) {
      const bool chosen_before = std::find(idle_.begin(), idle_.end(), process.pid) != idle_.end();
      return !process_runs(process.pid) || (child_ == nullptr && !chosen_before);
    });
  }
  return true;
}

Result<Captured> TorchCapture::run() {
  const Result<bool> recorded = record_chosen();
  if (child_ != nullptr) wait_for_command(recorded ? "" : recorded.error().to_string());
  if (!recorded) return recorded.error();
  captured_.all = captured_.all && !captured_.files.empty();
  return captured_;
}

// Environment of a started command. With a private folder, it polls only our daemon and no other daemon on this machine.
Result<ChildProcess> start_command(const TorchTarget& target, const PrivateFolder& folder) {
  std::vector<std::pair<std::string, std::string>> added = {{"KINETO_USE_DAEMON", "1"}, {"KINETO_IPC_SOCKET_DIR", folder.path()}};
  if (std::getenv("KINETO_CONFIG") == nullptr && !std::filesystem::exists("/etc/libkineto.conf")) {
    const std::string config = folder.path() + "/libkineto.conf";
    Result<OutputFile> file = OutputFile::create(config);
    if (!file) return file.error();
    file->write("ON_DEMAND_CONFIG_UPDATE_INTERVAL_SECS=" + std::to_string(kCommandPollInterval.count() / 1000) + "\n");
    if (const Result<bool> written = file->finish(); !written) return written.error();
    added.emplace_back("KINETO_CONFIG", config);
  }
  return ChildProcess::start(target.command, added);
}

Result<Captured> capture_command(const TorchTarget& target, const CaptureOptions& options, const CaptureWatch& watch) {
  const char* above = std::getenv(kTraceFolderVariable);
  const Result<PrivateFolder> folder = PrivateFolder::make("capture", above == nullptr ? kTraceFolder : above);
  if (!folder) return folder.error();
  std::vector<IpcSocket> sockets;
  Result<IpcSocket> own = IpcSocket::bind(folder->path());
  if (!own) return own.error();
  sockets.push_back(std::move(*own));
  Result<IpcSocket> common = IpcSocket::bind("");  // for releases that know no folder; not having it is not a failure
  if (common) sockets.push_back(std::move(*common));
  const Result<std::unique_ptr<TorchDaemon>> daemon = TorchDaemon::start(std::move(sockets), ::geteuid());
  if (!daemon) return daemon.error();
  Result<ChildProcess> child = start_command(target, *folder);
  if (!child) return child.error();
  TorchTarget children = target;
  children.pid = child->pid();
  return TorchCapture(children, options, watch, **daemon, &*child).run();
}

}  // namespace

DriverInfo torch_driver() {
  return {.name = "torch", .help = "PyTorch processes that were started with KINETO_USE_DAEMON=1, or a command"};
}

Result<Captured> capture_torch(const TorchTarget& target, const CaptureOptions& options, const CaptureWatch& watch) {
  if (const Result<bool> fits = check_target(target, options); !fits) return fits.error();
  if (const Result<bool> made = make_result_folder(options.out); !made) return made.error();
  if (!target.command.empty()) return capture_command(target, options, watch);
  std::vector<IpcSocket> sockets;
  Result<IpcSocket> socket = IpcSocket::bind(socket_folder(target));
  if (!socket) return socket.error();
  sockets.push_back(std::move(*socket));
  const Result<std::unique_ptr<TorchDaemon>> daemon = TorchDaemon::start(std::move(sockets), ::geteuid());
  if (!daemon) return daemon.error();
  return TorchCapture(target, options, watch, **daemon, nullptr).run();
}

Result<std::vector<TorchListing>> list_torch(const CaptureWatch& watch) {
  std::vector<IpcSocket> sockets;
  Result<IpcSocket> socket = IpcSocket::bind(socket_folder({}));
  if (!socket) return socket.error();
  sockets.push_back(std::move(*socket));
  const Result<std::unique_ptr<TorchDaemon>> daemon = TorchDaemon::start(std::move(sockets), ::geteuid());
  if (!daemon) return daemon.error();
  const Clock::time_point began = Clock::now();
  while (!watch.stop.stop_requested() && since(began) < kAllAsked) {
    watch.progress(say("listening for {} of {}", seconds(since(began)), seconds(kAllAsked)));
    std::this_thread::sleep_for(kGlance);
  }
  std::vector<TorchListing> found;
  for (const TorchProcess& process : (*daemon)->processes()) {
    found.push_back({.pid = process.pid,
                     .job = process.job,
                     .user = user_name(user_of(process.pid).value_or(::geteuid())),
                     .command = command_of(process.pid),
                     .devices = devices_of(process.pid),
                     .release = torch_release_of(process.pid),
                     .busy = process.busy});
    warn_of_crashes(process.pid, found.back().release, watch);
  }
  for (const RefusedProcess& refused : (*daemon)->refused()) {
    watch.note(say("process {} of the user {} can be recorded by that user only", refused.pid, user_name(refused.user)));
  }
  return found;
}

}  // namespace sightline::capture

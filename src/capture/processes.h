// Processes: a command that we start to record it, and what the system reports about any process (/proc), for the list that a
// person chooses from and for the reason why a recording does not arrive.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sightline::capture {

// ---- facts ----

// Whether it exists and has not ended (a zombie has).
bool process_runs(std::int32_t pid);

// Since it was started; nullopt: it has ended.
std::optional<std::chrono::milliseconds> age_of(std::int32_t pid);

// Its user's number; nullopt: the process does not exist.
std::optional<std::uint32_t> user_of(std::int32_t pid);
std::string user_name(std::uint32_t user);  // the number where it has no name

// Its arguments, as one line of at most `most` bytes; empty when it has ended.
std::string command_of(std::int32_t pid, std::size_t most = 80);

// The process, its parent, and so on up to the first.
std::vector<std::int32_t> ancestry_of(std::int32_t pid);

// A variable of the environment it was started with; nullopt when it does not have the variable, or we may not read it.
std::optional<std::string> variable_of(std::int32_t pid, std::string_view name);

// The accelerators whose device files it has open, such as "nvidia0, nvidia1"; "CPU" when it has none open, "" when we may not
// see them.
std::string devices_of(std::int32_t pid);

// The release of torch that it has loaded, such as "2.8.0+cpu"; empty when it cannot be found out.
std::string torch_release_of(std::int32_t pid);

// ---- commands ----

// A command that we start. It has this program's input and output. It ends with this program, also when this program is killed.
class ChildProcess {
 public:
  // `added`: variables in addition to those of this program. not_found: the command does not exist or cannot be run.
  static Result<ChildProcess> start(const std::vector<std::string>& command,
                                    const std::vector<std::pair<std::string, std::string>>& added);
  ChildProcess(ChildProcess&& other) noexcept : pid_(std::exchange(other.pid_, 0)), ended_(other.ended_) {}
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess() { end(); }

  pid_t pid() const { return pid_; }

  // How it ended, in words ("exit code 1", "killed by signal 9"); nullopt while it runs.
  std::optional<std::string> ended();

  // Sends SIGTERM, after a while SIGKILL, and waits until it has ended.
  void end();

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  pid_t pid_;
  std::optional<int> ended_;  // as waitpid reports it
};

}  // namespace sightline::capture

// ChildProcess: a command that was started to be recorded. It takes this program's input and output, and ends with this program,
// however that ends.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sightline::capture {

class ChildProcess {
 public:
  // `added`: variables over those of this program. not_found: there is no such program, or it cannot be run.
  static Result<ChildProcess> start(const std::vector<std::string>& command,
                                    const std::vector<std::pair<std::string, std::string>>& added);
  ChildProcess(ChildProcess&& other) noexcept : pid_(std::exchange(other.pid_, 0)), ended_(other.ended_) {}
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess() { end(); }

  pid_t pid() const { return pid_; }

  // How it ended, in words ("exit code 1", "killed by signal 9"); nullopt while it runs.
  std::optional<std::string> ended();

  // Asks it to end, insists after a while, and waits until it has.
  void end();

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  pid_t pid_;
  std::optional<int> ended_;  // as waitpid reports it
};

}  // namespace sightline::capture

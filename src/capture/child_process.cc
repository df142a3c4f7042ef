#include "capture/child_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>

extern char** environ;

namespace sightline::capture {

namespace {

constexpr std::chrono::seconds kPatience{10};  // from the request to end until it is killed

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& added) {
  std::map<std::string, std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : added) variables[name] = value;
  std::vector<std::string> texts;
  texts.reserve(variables.size());
  for (const auto& [name, value] : variables) texts.push_back(fmt::format("{}={}", name, value));
  return texts;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// In the child, where only system calls are safe: other threads may have held any lock. Does not return.
void become(char* const* command, char* const* variables, pid_t parent, int failure) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvpe(command[0], command, variables);
  const int reason = errno;
  [[maybe_unused]] const ssize_t said = ::write(failure, &reason, sizeof reason);
  ::_exit(127);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command,
                                         const std::vector<std::pair<std::string, std::string>>& added) {
  const std::vector<std::string> variables = environment_with(added);
  const std::vector<char*> arguments = pointers_to(command);
  const std::vector<char*> settings = pointers_to(variables);
  int failure[2];  // closed by a successful exec; else it carries errno
  if (::pipe2(failure, O_CLOEXEC) != 0) return Error{ErrorCode::unavailable, std::string("no pipe: ") + std::strerror(errno), ""};
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), settings.data(), parent, failure[1]);
  ::close(failure[1]);
  int reason = child < 0 ? errno : 0;
  if (child > 0) {
    while (::read(failure[0], &reason, sizeof reason) < 0 && errno == EINTR) continue;
  }
  ::close(failure[0]);
  if (reason == 0) return ChildProcess(child);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return Error{ErrorCode::not_found, std::string("cannot be run: ") + std::strerror(reason), command.front()};
}

std::optional<std::string> ChildProcess::ended() {
  int status = 0;
  if (!ended_ && pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) == pid_) ended_ = status;
  if (!ended_) return std::nullopt;
  if (WIFSIGNALED(*ended_)) return "killed by signal " + std::to_string(WTERMSIG(*ended_));
  return "exit code " + std::to_string(WEXITSTATUS(*ended_));
}

void ChildProcess::end() {
  if (pid_ <= 0 || ended()) return;
  ::kill(pid_, SIGTERM);
  const auto patience = std::chrono::steady_clock::now() + kPatience;
  while (!ended()) {
    if (std::chrono::steady_clock::now() > patience) ::kill(pid_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace sightline::capture

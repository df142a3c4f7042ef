// Processes by /proc, fork and exec.
#include "capture/processes.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "base/text.h"

extern char** environ;

namespace sightline::capture {

// ---- facts ----

namespace {

std::string proc(std::int32_t pid, std::string_view file) { return "/proc/" + std::to_string(pid) + "/" + std::string(file); }

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// State and parent, which follow the name in parentheses, and that may hold anything.
struct Status {
  char state = 'X';
  std::int32_t parent = 0;
};

Status status_of(std::int32_t pid) {
  const std::string text = text_of(proc(pid, "stat"));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 4 > text.size()) return {};
  const std::size_t end = text.find(' ', name_end + 4);
  const auto parent = whole_number<std::int32_t>(std::string_view(text).substr(name_end + 4, end - name_end - 4));
  return {.state = text[name_end + 2], .parent = parent.value_or(0)};
}

// The 22nd word: ticks from the start of the machine to that of the process.
std::optional<std::int64_t> start_tick(std::int32_t pid) {
  const std::string text = text_of(proc(pid, "stat"));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream words(text.substr(name_end + 1));
  std::string word;
  for (int i = 3; i <= 22; ++i) words >> word;
  return whole_number<std::int64_t>(word);
}

// Device files of accelerators begin with one of these and end with a number.
constexpr std::array<std::string_view, 6> kDeviceFiles = {"nvidia", "renderD", "davinci", "neuron", "accel", "hl"};

bool names_device(std::string_view file) {
  return std::any_of(kDeviceFiles.begin(), kDeviceFiles.end(), [&](std::string_view begin) {
    return file.starts_with(begin) && whole_number<int>(file.substr(begin.size()));
  });
}

}  // namespace

bool process_runs(std::int32_t pid) {
  const char state = status_of(pid).state;
  return state != 'X' && state != 'Z';
}

std::optional<std::chrono::milliseconds> age_of(std::int32_t pid) {
  const std::optional<std::int64_t> tick = start_tick(pid);
  timespec now{};
  if (!tick || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return std::nullopt;
  const std::int64_t started_ms = *tick * 1000 / ::sysconf(_SC_CLK_TCK);
  return std::chrono::milliseconds(now.tv_sec * 1000 + now.tv_nsec / 1'000'000 - started_ms);
}

std::optional<std::uint32_t> user_of(std::int32_t pid) {
  struct stat status {};
  if (pid <= 0 || ::stat(proc(pid, "").c_str(), &status) != 0) return std::nullopt;
  return status.st_uid;
}

std::string user_name(std::uint32_t user) {
  passwd entry;
  passwd* found = nullptr;
  std::array<char, 4096> room;
  ::getpwuid_r(user, &entry, room.data(), room.size(), &found);
  return found != nullptr ? found->pw_name : std::to_string(user);
}

std::string command_of(std::int32_t pid, std::size_t most) {
  std::string command = text_of(proc(pid, "cmdline"));
  while (!command.empty() && command.back() == '\0') command.pop_back();
  std::replace_if(
      command.begin(), command.end(), [](unsigned char c) { return c < ' '; }, ' ');
  if (command.size() > most) command = command.substr(0, most - 3) + "...";
  return command;
}

std::vector<std::int32_t> ancestry_of(std::int32_t pid) {
  std::vector<std::int32_t> found;
  for (; pid > 0 && found.size() < 64; pid = status_of(pid).parent) found.push_back(pid);
  return found;
}

std::optional<std::string> variable_of(std::int32_t pid, std::string_view name) {
  const std::string all = text_of(proc(pid, "environ"));
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\0', at), all.size());
    const std::string_view variable = std::string_view(all).substr(at, end - at);
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('=')) {
      return std::string(variable.substr(name.size() + 1));
    }
    at = end + 1;
  }
  return std::nullopt;
}

std::string devices_of(std::int32_t pid) {
  std::set<std::string> devices;
  std::error_code hidden;
  for (const auto& file : std::filesystem::directory_iterator(proc(pid, "fd"), hidden)) {
    std::error_code gone;
    const std::filesystem::path target = std::filesystem::read_symlink(file.path(), gone);
    if (target.string().starts_with("/dev/") && names_device(target.filename().string()))
      devices.insert(target.filename().string());
  }
  if (hidden) return "";
  if (devices.empty()) return "CPU";
  std::string list;
  for (const std::string& device : devices) list += (list.empty() ? "" : ", ") + device;
  return list;
}

std::string torch_release_of(std::int32_t pid) {
  std::ifstream maps(proc(pid, "maps"));
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    const std::size_t library = line.find("/torch/lib/libtorch");
    if (path == std::string::npos || library == std::string::npos) continue;
    const std::string version = text_of(line.substr(path, library - path) + "/torch/version.py");
    constexpr std::string_view kMark = "__version__ = '";
    const std::size_t begin = version.find(kMark);
    if (begin == std::string::npos) return "";
    const std::size_t end = version.find('\'', begin + kMark.size());
    return end == std::string::npos ? "" : version.substr(begin + kMark.size(), end - begin - kMark.size());
  }
  return "";
}

// ---- commands ----

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
  [[maybe_unused]] const ssize_t written = ::write(failure, &reason, sizeof reason);
  ::_exit(127);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command,
                                         const std::vector<std::pair<std::string, std::string>>& added) {
  const std::vector<std::string> variables = environment_with(added);
  const std::vector<char*> arguments = pointers_to(command);
  const std::vector<char*> settings = pointers_to(variables);
  int failure[2];  // closed by a successful exec; else it carries errno
  if (::pipe2(failure, O_CLOEXEC) != 0) return Error{ErrorCode::unavailable, say("no pipe: {}", std::strerror(errno)), ""};
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
  return Error{ErrorCode::not_found, say("cannot be run: {}", std::strerror(reason)), command.front()};
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

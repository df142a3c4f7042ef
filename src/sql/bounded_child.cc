#include "sql/bounded_child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace sightline::sql {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLookMilliseconds = 50;
constexpr int kAnswerFile = 3;  // the child's end of the pipe

void limit(int of, std::int64_t most) {
  const rlimit value{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  ::setrlimit(static_cast<__rlimit_resource>(of), &value);
}

// Bytes of private writable memory of this process, as RLIMIT_DATA counts them; 0 when the system does not report them.
std::int64_t data_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  long long pages = 0;
  const int read = std::fscanf(file, "%*d %*d %*d %*d %*d %lld", &pages);
  std::fclose(file);
  return read == 1 ? pages * ::sysconf(_SC_PAGESIZE) : 0;
}

// Of this process' files only the pipe stays open: a client's connection must end when the parent ends it.
void keep_only(int answer) {
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int standard = 0; standard < kAnswerFile; ++standard) ::dup2(nothing, standard);
  if (answer != kAnswerFile) ::dup2(answer, kAnswerFile);
  if (::close_range(kAnswerFile + 1, ~0u, 0) == 0) return;
  const auto most = std::min<rlim_t>(65'536, static_cast<rlim_t>(::sysconf(_SC_OPEN_MAX)));
  for (int file = kAnswerFile + 1; file < static_cast<int>(most); ++file) ::close(file);
}

// If memory runs out for all, the kernel ends this one first.
void offer_to_kernel() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, "1000", 4);
  ::close(file);
}

void become_child(const ChildLimits& limits, pid_t parent, int answer) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  keep_only(answer);
  offer_to_kernel();
  limit(RLIMIT_CORE, 0);
  if (limits.file_size > 0) limit(RLIMIT_FSIZE, limits.file_size);
  if (const std::int64_t there = data_bytes(); limits.memory > 0 && there > 0) limit(RLIMIT_DATA, there + limits.memory);
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(kAnswerFile, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

[[noreturn]] void run_as_child(const ChildLimits& limits, pid_t parent, int answer,
                               const std::function<void(const ChildOutput&)>& work) {
  become_child(limits, parent, answer);
  try {
    work(write_all);
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

// Until the child has closed its end, or has to be ended.
ChildEnd follow(const ChildLimits& limits, int answer, const std::function<bool(std::string_view)>& take) {
  const auto begun = Clock::now();
  std::string piece(1 << 16, '\0');
  while (true) {
    pollfd wait{answer, POLLIN, 0};
    const int ready = ::poll(&wait, 1, kLookMilliseconds);
    if (limits.seconds > 0 && std::chrono::duration<double>(Clock::now() - begun).count() > limits.seconds) return ChildEnd::late;
    if (limits.stop && limits.stop()) return ChildEnd::stopped;
    if (ready <= 0) continue;
    const ssize_t size = ::read(answer, piece.data(), piece.size());
    if (size == 0) return ChildEnd::done;
    if (size < 0 && errno != EINTR && errno != EAGAIN) return ChildEnd::broken;
    if (size > 0 && !take({piece.data(), static_cast<std::size_t>(size)})) return ChildEnd::enough;
  }
}

Error unavailable(const char* what) {
  return {ErrorCode::unavailable, say("the system cannot create a {}: {}", what, std::strerror(errno)), ""};
}

}  // namespace

Result<ChildEnd> run_in_child(const ChildLimits& limits, const std::function<void(const ChildOutput&)>& work,
                              const std::function<bool(std::string_view)>& take) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return unavailable("pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) run_as_child(limits, parent, ends[1], work);
  const Error none = unavailable("process");
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return none;
  }
  ChildEnd end = ChildEnd::broken;
  try {
    end = follow(limits, ends[0], take);
  } catch (...) {  // no memory to take the answer
  }
  ::close(ends[0]);
  if (end != ChildEnd::done) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (end == ChildEnd::done && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) return ChildEnd::broken;
  return end;
}

}  // namespace sightline::sql

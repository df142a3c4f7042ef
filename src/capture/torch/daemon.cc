#include "capture/torch/daemon.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace sightline::capture {

Result<std::unique_ptr<TorchDaemon>> TorchDaemon::start(std::vector<IpcSocket> sockets, std::uint32_t user) {
  const auto failed = [](const char* why) {
    return Error{ErrorCode::unavailable, say("cannot answer PyTorch processes: {}", why), ""};
  };
  std::unique_ptr<TorchDaemon> daemon(new TorchDaemon(std::move(sockets), user));
  if (::pipe2(daemon->wake_, O_CLOEXEC) != 0) return failed(std::strerror(errno));
  try {
    daemon->thread_ = std::thread([serving = daemon.get()] { serving->serve(); });
  } catch (const std::system_error& refused) {
    return failed(refused.what());
  }
  return daemon;
}

TorchDaemon::~TorchDaemon() {
  if (wake_[1] >= 0) ::close(wake_[1]);
  if (thread_.joinable()) thread_.join();
  if (wake_[0] >= 0) ::close(wake_[0]);
}

std::vector<TorchProcess> TorchDaemon::processes() const {
  std::vector<TorchProcess> found;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [pid, entry] : entries_) found.push_back(entry.process);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first_poll < b.first_poll; });
  return found;
}

std::vector<RefusedProcess> TorchDaemon::refused() const {
  const std::lock_guard lock(mutex_);
  std::vector<RefusedProcess> found;
  for (const auto& [pid, process] : refused_) found.push_back(process);
  return found;
}

void TorchDaemon::hand_out(std::int32_t pid, std::string config) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(pid);
  if (found != entries_.end()) found->second.config = std::move(config);
}

void TorchDaemon::serve() {
  std::vector<pollfd> waited;
  for (const IpcSocket& socket : sockets_) waited.push_back({.fd = socket.descriptor(), .events = POLLIN, .revents = 0});
  waited.push_back({.fd = wake_[0], .events = POLLIN, .revents = 0});
  while (waited.back().revents == 0) {
    ::poll(waited.data(), waited.size(), -1);
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
      if ((waited[i].revents & POLLIN) == 0) continue;
      if (const std::optional<IpcDatagram> datagram = sockets_[i].receive()) answer(sockets_[i], *datagram);
    }
  }
}

// Clients of other users, and bad messages, get the answer "nothing to record": without an answer they would wait.
void TorchDaemon::answer(IpcSocket& socket, const IpcDatagram& datagram) {
  if (datagram.user != user_) {
    const std::lock_guard lock(mutex_);
    refused_[datagram.pid] = {.pid = datagram.pid, .user = datagram.user};
    socket.answer(datagram, poll_answer(""));
    return;
  }
  const Result<IpcMessage> message = parse_ipc_message(datagram.bytes);
  if (!message) {
    socket.answer(datagram, poll_answer(""));
  } else if (const IpcPoll* poll = std::get_if<IpcPoll>(&*message)) {
    answer_poll(socket, datagram, *poll);
  } else {
    const std::lock_guard lock(mutex_);
    socket.answer(datagram, hello_answer(static_cast<std::int32_t>(entries_.size()) + 1));
  }
}

void TorchDaemon::answer_poll(IpcSocket& socket, const IpcDatagram& datagram, const IpcPoll& poll) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[datagram.pid];
  TorchProcess& process = entry.process;
  const Clock::time_point now = Clock::now();
  if (process.pid == 0) {
    process.pid = datagram.pid;
    process.first_poll = now;
  }
  process.pids = poll.pids;
  process.job = poll.job;
  process.last_poll = now;
  process.busy = (poll.wants & kWantsActivities) == 0;
  if (process.handed_out && !process.busy) ++process.idle_polls;
  const bool hands_out = !process.busy && !entry.config.empty();
  const bool sent = socket.answer(datagram, poll_answer(hands_out ? entry.config : ""));
  if (!hands_out || !sent) return;
  entry.config.clear();
  process.handed_out = now;
  process.idle_polls = 0;
}

}  // namespace sightline::capture

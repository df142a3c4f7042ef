// TorchDaemon: answers the polls of PyTorch processes from a thread that does nothing
// else. A process waits 90 ms for its answer; it takes a later answer for the next
// one. The daemon remembers which processes polled, and gives each its configuration.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "capture/capture.h"
#include "capture/torch/ipc.h"

namespace sightline::capture {

// A process that has polled.
struct TorchProcess {
  std::int32_t pid = 0;            // in our namespace
  std::vector<std::int32_t> pids;  // itself, its parent, ... as it numbers them: in a container these are others
  std::int64_t job = 0;
  Clock::time_point first_poll, last_poll;
  bool busy = false;                            // it records, or is about to
  std::optional<Clock::time_point> handed_out;  // the last configuration
  int idle_polls = 0;                           // since then, while not busy: it should be recording, or have finished
};

// A process of another user that has polled; it got nothing.
struct RefusedProcess {
  std::int32_t pid = 0;
  std::uint32_t user = 0;
};

class TorchDaemon {
 public:
  // Answers from now on. `user`: the user whose processes it serves. unavailable: the system has no file or thread left for it.
  static Result<std::unique_ptr<TorchDaemon>> start(std::vector<IpcSocket> sockets, std::uint32_t user);
  ~TorchDaemon();
  TorchDaemon(const TorchDaemon&) = delete;
  TorchDaemon& operator=(const TorchDaemon&) = delete;

  // In the order of their first polls.
  std::vector<TorchProcess> processes() const;
  std::vector<RefusedProcess> refused() const;

  // The process gets the text at its next poll when it is not busy; an empty text cancels one that was not sent yet.
  void hand_out(std::int32_t pid, std::string config);

 private:
  struct Entry {
    TorchProcess process;
    std::string config;  // empty: nothing to hand out
  };

  TorchDaemon(std::vector<IpcSocket> sockets, std::uint32_t user) : sockets_(std::move(sockets)), user_(user) {}

  void serve();
  void answer(IpcSocket& socket, const IpcDatagram& datagram);
  void answer_poll(IpcSocket& socket, const IpcDatagram& datagram, const IpcPoll& poll);

  std::vector<IpcSocket> sockets_;
  std::uint32_t user_;
  int wake_[2] = {-1, -1};  // closing the second ends the thread
  mutable std::mutex mutex_;
  std::map<std::int32_t, Entry> entries_;  // by our pid
  std::map<std::int32_t, RefusedProcess> refused_;
  std::thread thread_;
};

}  // namespace sightline::capture

// The messages between libkineto and its daemon (libkineto's "IPC fabric"), the socket that carries them, and the configuration
// that an answer contains.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "capture/capture.h"

namespace sightline::capture {

// ---- messages ----
// A datagram is one message: 8 bytes with the size of
// the payload, 32 bytes with the type, padded with NULs,
// and the payload. All integers are little-endian.

inline constexpr std::size_t kIpcHead = 40;

// What a process polls for: bits of IpcPoll::wants. 0 while it records or is about to record.
inline constexpr std::int32_t kWantsActivities = 2;

// "req": the process polls for something to record, every few seconds.
struct IpcPoll {
  std::int32_t wants = 0;
  std::int64_t job = 0;            // SLURM_JOB_ID, or 0
  std::vector<std::int32_t> pids;  // the process, its parent, and so on, as the process itself numbers them
};

// "ctxt": older releases send it at start-up, and log the answer: how many processes share their device.
struct IpcHello {
  std::int32_t device = 0;
  std::int32_t pid = 0;
  std::int64_t job = 0;
};

using IpcMessage = std::variant<IpcPoll, IpcHello>;

// malformed: `where` is the byte inside the datagram.
Result<IpcMessage> parse_ipc_message(std::string_view datagram);

// Answers: the text of a configuration (empty: nothing to record), and a number of processes.
std::string poll_answer(std::string_view config);
std::string hello_answer(std::int32_t processes);

// ---- configurations ----

inline constexpr Milliseconds kTorchWarmUp{1000};  // tracing runs and is discarded, because switching it on is slow

// `file`: the process inserts _PID before its ending .json. `start`: ms since 1970.
std::string torch_config(const CaptureOptions& options, const std::string& file, std::optional<std::int64_t> start);

// ---- the socket ----

// One datagram, its sender, and the address for the answer. Pid and user come from the kernel; the pid is in our own namespace.
struct IpcDatagram {
  std::string bytes;
  sockaddr_un sender{};
  socklen_t sender_size = 0;
  std::int32_t pid = 0;
  std::uint32_t user = 0;
};

class IpcSocket {
 public:
  // In the folder that KINETO_IPC_SOCKET_DIR names for both sides; empty: the abstract name of this network namespace.
  static Result<IpcSocket> bind(const std::string& folder);
  IpcSocket(IpcSocket&& other) noexcept;
  IpcSocket& operator=(IpcSocket&&) = delete;
  ~IpcSocket();

  int descriptor() const { return fd_; }

  // The next datagram; nullopt when none waits, or its sender is unknown.
  std::optional<IpcDatagram> receive();

  // False when the sender has ended or cannot receive now. Never blocks.
  bool answer(const IpcDatagram& to, std::string_view bytes);

 private:
  IpcSocket(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;  // empty: abstract
};

}  // namespace sightline::capture

// IpcSocket: the daemon's end of libkineto's datagram socket, under the name that every process looks for. A name holds once: a
// second daemon (dynolog, or a second capture) is an Error that says who has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

#include <sys/socket.h>
#include <sys/un.h>

namespace sightline::capture {

// One datagram, its sender, and the address for the answer. The kernel vouches for pid and user; the pid is in our own namespace.
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

  // What waits to be read; nullopt: nothing, or nothing that tells who sent it.
  std::optional<IpcDatagram> receive();

  // False when the sender is gone or takes nothing just now. Never blocks.
  bool answer(const IpcDatagram& to, std::string_view bytes);

 private:
  IpcSocket(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;  // empty: abstract
};

}  // namespace sightline::capture

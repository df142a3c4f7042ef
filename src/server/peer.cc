// The connection is found among the process's open files, by the address of its other end, which no two of them share. A client
// that closes its sending side counts as gone: browsers close both at once.
#include "server/peer.h"

#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <filesystem>

#include "base/whole_number.h"

namespace sightline {

namespace {

bool is_peer(int fd, const std::string& address, const std::string& port) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  auto* const name = reinterpret_cast<sockaddr*>(&peer);
  if (getpeername(fd, name, &size) != 0) return false;
  char host[NI_MAXHOST], service[NI_MAXSERV];
  const int code = getnameinfo(name, size, host, sizeof host, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV);
  return code == 0 && address == host && port == service;
}

// -1: not found.
int socket_to(const std::string& address, const std::string& port) {
  std::error_code failed;
  std::filesystem::directory_iterator entry("/proc/self/fd", failed);
  for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    const auto fd = whole_number<int>(entry->path().filename().string());
    if (fd && is_peer(*fd, address, port)) return *fd;
  }
  return -1;
}

}  // namespace

std::function<bool()> client_has_left(const std::string& address, int port) {
  return [address, port = std::to_string(port), fd = -2]() mutable {
    if (fd == -2) fd = socket_to(address, port);
    if (fd < 0) return false;
    char byte;
    const ssize_t received = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return received == 0 || (received < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
  };
}

}  // namespace sightline

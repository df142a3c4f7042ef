// Datagrams of bytes, in the order of their fields, and the Unix socket that carries them.
#include "capture/torch/ipc.h"

#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.h"

namespace sightline::capture {

// ---- messages ----

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kTypeSize = 32;
constexpr std::size_t kPollFixed = 16;  // wants, number of pids, job
constexpr std::size_t kHelloSize = 16;
constexpr std::size_t kMostPids = 64;  // a process names itself and at most ten others

template <typename Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

Error malformed(TemplateMessage message, std::size_t at) {
  return {ErrorCode::malformed, std::move(message), "datagram:" + std::to_string(at)};
}

std::string message(std::string_view type, std::string_view payload) {
  std::string bytes(kIpcHead, '\0');
  const std::uint64_t size = payload.size();
  std::memcpy(bytes.data(), &size, sizeof size);
  std::memcpy(bytes.data() + sizeof size, type.data(), type.size());
  return bytes.append(payload);
}

Result<IpcMessage> parse_poll(std::string_view payload) {
  if (payload.size() < kPollFixed) return malformed("a poll is truncated", kIpcHead + payload.size());
  const auto count = number_at<std::int32_t>(payload, 4);
  if (count < 1 || static_cast<std::size_t>(count) > kMostPids) {
    return malformed(say("a poll names {} processes", count), kIpcHead + 4);
  }
  if (payload.size() < kPollFixed + 4 * static_cast<std::size_t>(count)) {
    return malformed("a poll is truncated", kIpcHead + payload.size());
  }
  IpcPoll poll{.wants = number_at<std::int32_t>(payload, 0), .job = number_at<std::int64_t>(payload, 8), .pids = {}};
  for (std::int32_t i = 0; i < count; ++i) {
    poll.pids.push_back(number_at<std::int32_t>(payload, kPollFixed + 4 * static_cast<std::size_t>(i)));
  }
  return IpcMessage(std::move(poll));
}

}  // namespace

Result<IpcMessage> parse_ipc_message(std::string_view datagram) {
  if (datagram.size() < kIpcHead) return malformed("shorter than the head of a message", datagram.size());
  const auto size = number_at<std::uint64_t>(datagram, 0);
  const std::string_view payload = datagram.substr(kIpcHead);
  if (size != payload.size()) {
    return malformed(say("the header gives {} bytes, {} follow", size, payload.size()), 0);
  }
  std::string_view type = datagram.substr(8, kTypeSize);
  type = type.substr(0, type.find('\0'));
  if (type == "req") return parse_poll(payload);
  if (type == "ctxt") {
    if (payload.size() < kHelloSize) return malformed("a greeting is truncated", kIpcHead + payload.size());
    return IpcMessage(IpcHello{.device = number_at<std::int32_t>(payload, 0),
                               .pid = number_at<std::int32_t>(payload, 4),
                               .job = number_at<std::int64_t>(payload, 8)});
  }
  return malformed("neither a poll nor a greeting", 8);
}

std::string poll_answer(std::string_view config) { return message("req", config); }

std::string hello_answer(std::int32_t processes) {
  char payload[sizeof processes];
  std::memcpy(payload, &processes, sizeof processes);
  return message("ctxt", {payload, sizeof payload});
}

// ---- configurations ----

std::string torch_config(const CaptureOptions& options, const std::string& file, std::optional<std::int64_t> start) {
  std::string text;
  const auto add = [&](const char* key, const std::string& value) { text += std::string(key) + "=" + value + "\n"; };
  const auto add_flag = [&](const char* key, bool value) { add(key, value ? "true" : "false"); };
  add("ACTIVITIES_LOG_FILE", file);
  // A process that counts no steps is recorded for this long, iterations or not.
  add("ACTIVITIES_DURATION_MSECS", std::to_string(options.duration.count()));
  add("ACTIVITIES_WARMUP_PERIOD_SECS", std::to_string(kTorchWarmUp.count() / 1000));
  if (options.iterations > 0) {
    add("PROFILE_START_ITERATION", "0");  // the next that leaves room for the warm-up
    add("ACTIVITIES_WARMUP_ITERATIONS", "1");
    add("ACTIVITIES_ITERATIONS", std::to_string(options.iterations));
  } else if (start) {
    add("PROFILE_START_TIME", std::to_string(*start));
  }
  add_flag("PROFILE_REPORT_INPUT_SHAPES", options.shapes);
  add_flag("PROFILE_PROFILE_MEMORY", options.memory);
  add_flag("PROFILE_WITH_STACK", options.stacks);
  add_flag("PROFILE_WITH_FLOPS", options.flops);
  add_flag("PROFILE_WITH_MODULES", options.stacks);
  return text;
}

// ---- the socket ----

namespace {

constexpr std::string_view kName = "dynolog";
constexpr std::size_t kMostBytes = 64 << 10;

struct Address {
  sockaddr_un address{};
  socklen_t size = 0;
};

// The abstract name ends with a NUL that belongs to it.
Address abstract_address() {
  Address made;
  made.address.sun_family = AF_UNIX;
  std::memcpy(made.address.sun_path + 1, kName.data(), kName.size());
  made.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + kName.size() + 1);
  return made;
}

Result<Address> address_in(const std::string& path) {
  Address made;
  if (path.size() >= sizeof made.address.sun_path) {
    return Error{ErrorCode::invalid_argument,
                 say("the path of a socket may have at most {} bytes", sizeof made.address.sun_path - 1), path};
  }
  made.address.sun_family = AF_UNIX;
  std::memcpy(made.address.sun_path, path.data(), path.size());
  made.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  return made;
}

// "process 12 (dynolog)" for the process that holds the socket whose line in /proc/net/unix ends with `path`, as far as this user
// may know it.
Message owner_of(const std::string& path) {
  std::ifstream sockets("/proc/net/unix");
  std::string inode;
  for (std::string line; inode.empty() && std::getline(sockets, line);) {
    std::istringstream words(line);
    std::string word, at, name;
    for (int i = 0; i < 7; ++i) words >> (i == 6 ? at : word);
    words >> name;
    if (name == path) inode = "socket:[" + at + "]";
  }
  std::error_code failed;
  for (const auto& process : std::filesystem::directory_iterator("/proc", failed)) {
    if (inode.empty() || !whole_number<int>(process.path().filename().string())) continue;
    std::error_code hidden;
    for (const auto& file : std::filesystem::directory_iterator(process.path() / "fd", hidden)) {
      if (std::filesystem::read_symlink(file.path(), hidden) != inode) continue;
      std::string command;
      std::getline(std::ifstream(process.path() / "comm"), command);
      return say("process {} ({command})", process.path().filename().string(), command);
    }
  }
  return "a process of another user";
}

Error taken(const std::string& path, const std::string& shown) {
  return {ErrorCode::unavailable,
          say("the socket through which PyTorch processes check for requests is in use by {}; only one program at a time can "
              "record: end it, or wait until it is done",
              owner_of(shown)),
          path};
}

Error system_error(const char* what, const std::string& where) {
  return {ErrorCode::unavailable, say("{}: {}", what, std::strerror(errno)), where};
}

// Whether a process listens at a socket's file. If none does, a killed daemon left the file behind.
bool answered(const Address& address) {
  const int probe = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const bool live = ::connect(probe, reinterpret_cast<const sockaddr*>(&address.address), address.size) == 0;
  ::close(probe);
  return live;
}

}  // namespace

Result<IpcSocket> IpcSocket::bind(const std::string& folder) {
  const std::string path = folder.empty() ? "" : folder + "/" + std::string(kName);
  const Result<Address> address = path.empty() ? Result<Address>(abstract_address()) : address_in(path);
  if (!address) return address.error();
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return system_error("cannot create a socket", path);
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
  if (!path.empty() && !answered(*address)) ::unlink(path.c_str());
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address->address), address->size) != 0) {
    const Error error =
        errno == EADDRINUSE ? taken(path, path.empty() ? "@dynolog@" : path) : system_error("cannot create a socket there", path);
    ::close(fd);
    return error;
  }
  if (!path.empty()) ::chmod(path.c_str(), 0600);
  return IpcSocket(fd, path);
}

IpcSocket::IpcSocket(IpcSocket&& other) noexcept : fd_(other.fd_), path_(std::move(other.path_)) { other.fd_ = -1; }

IpcSocket::~IpcSocket() {
  if (fd_ < 0) return;
  if (!path_.empty()) ::unlink(path_.c_str());
  ::close(fd_);
}

std::optional<IpcDatagram> IpcSocket::receive() {
  IpcDatagram got;
  got.bytes.resize(kMostBytes);
  iovec bytes{.iov_base = got.bytes.data(), .iov_len = got.bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
  msghdr message{};
  message.msg_name = &got.sender;
  message.msg_namelen = sizeof got.sender;
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t size = ::recvmsg(fd_, &message, MSG_CMSG_CLOEXEC);
  if (size < 0) return std::nullopt;
  got.bytes.resize(static_cast<std::size_t>(size));
  got.sender_size = message.msg_namelen;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS) continue;
    ucred who;
    std::memcpy(&who, CMSG_DATA(part), sizeof who);
    got.pid = who.pid;
    got.user = who.uid;
    return got;
  }
  return std::nullopt;
}

bool IpcSocket::answer(const IpcDatagram& to, std::string_view bytes) {
  return ::sendto(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to.sender),
                  to.sender_size) == static_cast<ssize_t>(bytes.size());
}

}  // namespace sightline::capture

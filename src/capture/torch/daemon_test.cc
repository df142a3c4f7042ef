// The daemon with a client that has libkineto's protocol, over real sockets in a folder of the test.
#include "capture/torch/daemon.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "tests/support/temporary_folder.h"

namespace sightline::capture {

using namespace tests;
namespace {

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

class Client {
 public:
  explicit Client(const std::string& folder) : folder_(folder), fd_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    const sockaddr_un own = address_of(folder + "/dynoconfigclient1");
    EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0) << std::strerror(errno);
  }
  ~Client() { ::close(fd_); }

  // The payload of the answer; "(none)" when none comes. A process waits 90 ms for it; a busy machine's tests wait longer.
  std::string exchange(const std::string& datagram) {
    const sockaddr_un daemon = address_of(folder_ + "/dynolog");
    EXPECT_GE(::sendto(fd_, datagram.data(), datagram.size(), 0, reinterpret_cast<const sockaddr*>(&daemon), sizeof daemon), 0);
    pollfd waited{.fd = fd_, .events = POLLIN, .revents = 0};
    if (::poll(&waited, 1, 10'000) != 1) return "(none)";
    char bytes[4096];
    const ssize_t size = ::recv(fd_, bytes, sizeof bytes, 0);
    return size < static_cast<ssize_t>(kIpcHead) ? "(short)"
                                                 : std::string(bytes + kIpcHead, static_cast<std::size_t>(size) - kIpcHead);
  }

  std::string poll(std::int32_t wants, std::int64_t job = 0) {
    std::string payload(20, '\0');
    const std::int32_t one = 1, pid = ::getpid();
    std::memcpy(payload.data(), &wants, 4);
    std::memcpy(payload.data() + 4, &one, 4);
    std::memcpy(payload.data() + 8, &job, 8);
    std::memcpy(payload.data() + 16, &pid, 4);
    return exchange(poll_answer(payload));  // a poll has the head of an answer
  }

 private:
  std::string folder_;
  int fd_;
};

std::vector<IpcSocket> sockets_in(const std::string& folder) {
  std::vector<IpcSocket> sockets;
  Result<IpcSocket> socket = IpcSocket::bind(folder);
  EXPECT_TRUE(socket.ok()) << socket.error().to_string();
  sockets.push_back(std::move(*socket));
  return sockets;
}

std::unique_ptr<TorchDaemon> daemon_in(const std::string& folder, std::uint32_t user) {
  Result<std::unique_ptr<TorchDaemon>> daemon = TorchDaemon::start(sockets_in(folder), user);
  EXPECT_TRUE(daemon.ok()) << daemon.error().to_string();
  return std::move(*daemon);
}

TEST(TorchDaemon, RemembersWhichProcessesPolledAndHandsOutOnce) {
  const TemporaryFolder folder{"/tmp"};
  const std::unique_ptr<TorchDaemon> daemon = daemon_in(folder.path(), ::geteuid());
  Client client(folder.path());
  EXPECT_EQ(client.poll(kWantsActivities, 77), "");
  const std::vector<TorchProcess> polled = daemon->processes();
  ASSERT_EQ(polled.size(), 1u);
  EXPECT_EQ(polled[0].pid, ::getpid());
  EXPECT_EQ(polled[0].job, 77);
  EXPECT_FALSE(polled[0].busy);
  EXPECT_FALSE(polled[0].handed_out);

  daemon->hand_out(::getpid(), "A=1\n");
  EXPECT_EQ(client.poll(0), "");  // busy: it would be lost
  EXPECT_TRUE(daemon->processes()[0].busy);
  EXPECT_EQ(client.poll(3), "A=1\n");  // older releases poll for two things at once
  EXPECT_TRUE(daemon->processes()[0].handed_out);
  EXPECT_EQ(client.poll(kWantsActivities), "");
  EXPECT_EQ(daemon->processes()[0].idle_polls, 1);
}

TEST(TorchDaemon, ACancelledConfigurationIsNotHandedOut) {
  const TemporaryFolder folder{"/tmp"};
  const std::unique_ptr<TorchDaemon> daemon = daemon_in(folder.path(), ::geteuid());
  Client client(folder.path());
  client.poll(kWantsActivities);
  daemon->hand_out(::getpid(), "A=1\n");
  daemon->hand_out(::getpid(), "");
  EXPECT_EQ(client.poll(kWantsActivities), "");
}

TEST(TorchDaemon, AnswersMessagesThatItCannotRead) {
  const TemporaryFolder folder{"/tmp"};
  const std::unique_ptr<TorchDaemon> daemon = daemon_in(folder.path(), ::geteuid());
  Client client(folder.path());
  EXPECT_EQ(client.exchange("nonsense"), "");
  EXPECT_TRUE(daemon->processes().empty());
}

TEST(TorchDaemon, RefusesOtherUsers) {
  const TemporaryFolder folder{"/tmp"};
  const std::unique_ptr<TorchDaemon> daemon = daemon_in(folder.path(), ::geteuid() + 1);  // so we are another user
  Client client(folder.path());
  EXPECT_EQ(client.poll(kWantsActivities), "");
  EXPECT_TRUE(daemon->processes().empty());
  ASSERT_EQ(daemon->refused().size(), 1u);
  EXPECT_EQ(daemon->refused()[0].user, ::geteuid());
  daemon->hand_out(::getpid(), "A=1\n");
  EXPECT_EQ(client.poll(kWantsActivities), "");
}

// Takes every file that this process may still open.
class NoFileLeft {
 public:
  NoFileLeft() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);
    ::close(next);
    const rlimit none{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoFileLeft() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST(TorchDaemon, WithoutAFileLeftItIsAnError) {
  const TemporaryFolder folder{"/tmp"};
  std::vector<IpcSocket> sockets = sockets_in(folder.path());
  const NoFileLeft limit;
  const Result<std::unique_ptr<TorchDaemon>> daemon = TorchDaemon::start(std::move(sockets), ::geteuid());
  ASSERT_FALSE(daemon.ok());
  EXPECT_EQ(daemon.error().to_string(), "cannot answer PyTorch processes: Too many open files");
}

TEST(IpcSocket, ANameIsUsedOnceAndIsFreeAfterwards) {
  const TemporaryFolder folder{"/tmp"};
  {
    const std::vector<IpcSocket> first = sockets_in(folder.path());
    const Result<IpcSocket> second = IpcSocket::bind(folder.path());
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::unavailable);
    EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid())), std::string::npos) << second.error().message;
  }
  EXPECT_NE(::access((folder.path() + "/dynolog").c_str(), F_OK), 0);
}

TEST(IpcSocket, ASocketWithoutAListenerIsReplaced) {
  const TemporaryFolder folder{"/tmp"};
  const int killed = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  const sockaddr_un address = address_of(folder.path() + "/dynolog");
  ASSERT_EQ(::bind(killed, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(killed);
  EXPECT_TRUE(IpcSocket::bind(folder.path()).ok());
}

TEST(IpcSocket, PathsThatAreTooLongAreRefused) {
  const Result<IpcSocket> socket = IpcSocket::bind("/tmp/" + std::string(120, 'x'));
  ASSERT_FALSE(socket.ok());
  EXPECT_EQ(socket.error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace sightline::capture

// Messages of libkineto's daemon, byte by byte.
#include "capture/torch/ipc.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace sightline::capture {

namespace {

// A poll as a real process sent it: it wants activities, SLURM job 77, six processes from itself up.
std::string real_poll() {
  constexpr unsigned char kPayload[] = {0x02, 0,    0, 0, 0x06, 0,    0, 0, 0x4d, 0,    0, 0, 0,    0,    0, 0, 0x55, 0x21, 0, 0,
                                        0x54, 0x21, 0, 0, 0xc2, 0x20, 0, 0, 0xc1, 0x20, 0, 0, 0x11, 0x28, 0, 0, 0x0e, 0x28, 0, 0};
  std::string bytes("\x28\0\0\0\0\0\0\0req", 11);
  bytes.resize(kIpcHead);
  return bytes.append(reinterpret_cast<const char*>(kPayload), sizeof kPayload);
}

TEST(IpcMessage, PollOfARealProcess) {
  const Result<IpcMessage> message = parse_ipc_message(real_poll());
  ASSERT_TRUE(message.ok()) << message.error().to_string();
  const auto& poll = std::get<IpcPoll>(*message);
  EXPECT_EQ(poll.wants, kWantsActivities);
  EXPECT_EQ(poll.job, 77);
  EXPECT_EQ(poll.pids, (std::vector<std::int32_t>{8533, 8532, 8386, 8385, 10257, 10254}));  // 0x2155 = 8533, ...
}

TEST(IpcMessage, GreetingOfOlderReleases) {
  std::string bytes("\x10\0\0\0\0\0\0\0ctxt", 12);
  bytes.resize(kIpcHead);
  bytes.append("\x03\0\0\0\x39\x05\0\0\x07\0\0\0\0\0\0\0", 16);
  const Result<IpcMessage> message = parse_ipc_message(bytes);
  ASSERT_TRUE(message.ok()) << message.error().to_string();
  const auto& hello = std::get<IpcHello>(*message);
  EXPECT_EQ(hello.device, 3);
  EXPECT_EQ(hello.pid, 1337);
  EXPECT_EQ(hello.job, 7);
}

TEST(IpcMessage, ATruncatedMessageIsRefused) {
  const std::string whole = real_poll();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Result<IpcMessage> message = parse_ipc_message(whole.substr(0, size));
    ASSERT_FALSE(message.ok()) << size;
    EXPECT_EQ(message.error().code, ErrorCode::malformed);
    EXPECT_TRUE(message.error().where.starts_with("datagram:")) << message.error().where;
  }
}

TEST(IpcMessage, CountsThatDoNotFitAreRefused) {
  for (const int count : {0, -1, 7, 65, 0x7fffffff}) {
    std::string bytes = real_poll();
    std::memcpy(bytes.data() + kIpcHead + 4, &count, sizeof count);
    EXPECT_FALSE(parse_ipc_message(bytes).ok()) << count;
  }
}

TEST(IpcMessage, AnyBytesAreReadOrRefused) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = real_poll();
    for (int changes = static_cast<int>(random() % 6); changes >= 0; --changes)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    bytes.resize(random() % (bytes.size() + 1));
    const Result<IpcMessage> message = parse_ipc_message(bytes);
    if (!message.ok()) continue;
    if (const auto* poll = std::get_if<IpcPoll>(&*message)) {
      EXPECT_FALSE(poll->pids.empty());
    }
  }
}

TEST(IpcMessage, Answers) {
  const std::string answer = poll_answer("A=1\n");
  ASSERT_EQ(answer.size(), kIpcHead + 4);
  EXPECT_EQ(answer.substr(0, 12), std::string("\x04\0\0\0\0\0\0\0req\0", 12));
  EXPECT_EQ(answer.substr(12, 28), std::string(28, '\0'));
  EXPECT_EQ(answer.substr(kIpcHead), "A=1\n");
  EXPECT_EQ(poll_answer("").size(), kIpcHead);
  EXPECT_EQ(hello_answer(2).substr(8), "ctxt" + std::string(28, '\0') + std::string("\x02\0\0\0", 4));
}

}  // namespace

}  // namespace sightline::capture

// Messages of the ProfilerService, byte by byte.
#include "capture/profiler_service/profiler_call.h"

#include <gtest/gtest.h>

#include <random>

namespace sightline::capture {

namespace {

TEST(ProfilerMessages, Request) {
  CaptureOptions options;
  options.duration = Milliseconds(300);
  const std::string bytes =
      profile_request(options, {.host = "h:1", .repository_root = "/r", .session = "s", .start = std::nullopt});
  // By hand: duration_ms 300 = ac 02; max_events 1,000,000 = c0 84 3d; tools "xplane.pb"; options of 13 bytes; root, session,
  // host; emit_xspace.
  const std::string expected(
      "\x08\xac\x02"
      "\x10\xc0\x84\x3d"
      "\x1a\x09xplane.pb"
      "\x22\x0d"
      "\x10\x02\x18\x01\x20\x00\x28\x01\x38\x01\x48\xac\x02"
      "\x2a\x02/r"
      "\x32\x01s"
      "\x3a\x03h:1"
      "\x48\x01",
      47);
  EXPECT_EQ(bytes, expected);
}

TEST(ProfilerMessages, StartIsInNanoseconds) {
  CaptureOptions options;
  options.stacks = true;
  const std::string bytes = profile_request(options, {.host = "", .repository_root = "", .session = "", .start = 1});
  EXPECT_NE(bytes.find("\x20\x01\x28\x01\x38\x01\x40\x01\x48"), std::string::npos);
}

TEST(ProfilerMessages, AnswerWithAProfile) {
  const std::string bytes(
      "\x32\x03\x0a\x01x"
      "\x42\x02\x0a\x00"
      "\x38\x00",
      11);  // tool_data, xspace, empty_trace
  const Result<ProfilerAnswer> answer = parse_profile_answer(bytes);
  ASSERT_TRUE(answer.ok()) << answer.error().to_string();
  EXPECT_EQ(answer->xspace, std::string_view("\x0a\x00", 2));
  EXPECT_FALSE(answer->empty_trace);
}

TEST(ProfilerMessages, AnswerOfAnOlderServer) {
  EXPECT_TRUE(parse_profile_answer("")->xspace.empty());
  EXPECT_TRUE(parse_profile_answer("\x38\x01")->empty_trace);
}

TEST(ProfilerMessages, DamagedAnswers) {
  for (const std::string& bytes :
       {std::string("\x42\x05\x0a"), std::string("\x38"), std::string("\x43"), std::string(11, '\xff')}) {
    const Result<ProfilerAnswer> answer = parse_profile_answer(bytes);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::malformed);
  }
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 24, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const Result<ProfilerAnswer> answer = parse_profile_answer(bytes);  // any bytes are read or refused
    if (answer.ok()) {
      EXPECT_LE(answer->xspace.size(), bytes.size());
    }
  }
}

}  // namespace

}  // namespace sightline::capture

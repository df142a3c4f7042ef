// CaptureService with drivers of the test's own: whatever a driver does, the server continues and reports the result of the
// capture.
#include "server/capture_service.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <thread>

namespace sightline::server {

namespace {

class CaptureServiceTest : public testing::Test {
 protected:
  // What the captures says once nothing runs any more.
  std::string ended() {
    for (;;) {
      const Result<std::string> state = captures.answer({});
      EXPECT_TRUE(state.ok());
      if (state->find("\"running\":true") == std::string::npos) return *state;
      std::this_thread::yield();
    }
  }

  // What the captures says after this work.
  std::string after(const CaptureService::Work& work) {
    EXPECT_TRUE(captures.start(work, {}).ok());
    return ended();
  }

  std::vector<std::string> recorded;
  bool recording_is_shown = true;
  CaptureService captures{testing::TempDir() + "captures", [this](const std::string& folder) {
                            if (!recording_is_shown) throw std::bad_alloc();
                            recorded.push_back(folder);
                          }};
};

Result<Captured> one_file(const CaptureOptions& options, const CaptureWatch&) {
  return Captured{.files = {options.out + "/a.json"}};
}

TEST_F(CaptureServiceTest, AnExceptionOfADriverIsTheErrorOfTheCapture) {
  const auto no_memory = [](const CaptureOptions&, const CaptureWatch&) -> Result<Captured> { throw std::bad_alloc(); };
  const auto broken = [](const CaptureOptions&, const CaptureWatch&) -> Result<Captured> {
    throw std::runtime_error("the library threw");
  };
  EXPECT_NE(after(no_memory).find("\"error\":\"not enough memory to record\""), std::string::npos);
  EXPECT_NE(after(broken).find("\"error\":\"recording failed: the library threw\""), std::string::npos);
  EXPECT_TRUE(recorded.empty());
  EXPECT_NE(after(one_file).find("\"error\":\"\""), std::string::npos) << "the next one succeeds";
  EXPECT_EQ(recorded.size(), 1u);
}

TEST_F(CaptureServiceTest, AnExceptionWhileShowingARecordingIsItsError) {
  recording_is_shown = false;
  EXPECT_NE(after(one_file).find("\"error\":\"not enough memory to record\""), std::string::npos);
}

TEST_F(CaptureServiceTest, RunsOneCaptureAtATime) {
  std::atomic<bool> go_on = false;
  const auto waiting = [&](const CaptureOptions&, const CaptureWatch&) -> Result<Captured> {
    while (!go_on) std::this_thread::yield();
    return Captured{};
  };
  EXPECT_TRUE(captures.start(waiting, {}).ok());
  const Result<bool> second = captures.start(one_file, {});
  go_on = true;
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::unavailable);
  ended();
  EXPECT_TRUE(captures.start(one_file, {}).ok());
  ended();
}

}  // namespace
}  // namespace sightline::server

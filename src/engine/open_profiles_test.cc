// Memory of open profiles, without a loader.
#include "engine/open_profiles.h"

#include <gtest/gtest.h>

#include "engine/fake_reader_test.h"

namespace sightline::engine {

namespace {

class OpenProfilesTest : public testing::Test {
 protected:
  // A capture that is ready, with a profile of one problem.
  CapturePtr capture(OpenProfiles& open, const std::string& worker) {
    const auto made = std::make_shared<Capture>(
        FoundFile{
            .path = worker, .shown = worker, .directory = "r", .run = "r", .reader = &fake_readers()[0], .name = {worker, ""}},
        "");
    made->set_name({"r", worker, "default"}, {});
    auto profile = std::make_unique<Profile>();
    profile->add_problem(Severity::warning, "torn", "the end is missing", 1, 5);
    made->set_ready(std::make_shared<LoadedProfile>(std::move(profile)), {});
    open.add(made);
    return made;
  }
};

TEST_F(OpenProfilesTest, ClosesTheLeastRecentlyUsedAndKeepsWhatRanksNeed) {
  OpenProfiles open(1, 1);  // a byte: so one profile at a time
  const CapturePtr a = capture(open, "a"), b = capture(open, "b"), c = capture(open, "c");
  EXPECT_NE(open.use(*a), nullptr);
  open.stay_within_memory_after_answer();
  EXPECT_NE(open.use(*a), nullptr);
  EXPECT_EQ(open.use(*b), nullptr);
  EXPECT_EQ(open.use(*c), nullptr);
  EXPECT_EQ(b->rank()->worker, "b");
}

TEST_F(OpenProfilesTest, NothingIsClosedWhileAllFits) {
  OpenProfiles open(std::int64_t{1} << 30, std::int64_t{1} << 30);
  const CapturePtr a = capture(open, "a"), b = capture(open, "b");
  open.stay_within_memory_after_answer();
  EXPECT_NE(a->opened(), nullptr);
  EXPECT_NE(b->opened(), nullptr);
}

TEST_F(OpenProfilesTest, ReportsAreDroppedBeforeAProfileIsClosed) {
  OpenProfiles open(std::int64_t{1} << 20, std::int64_t{1} << 20);
  const CapturePtr a = capture(open, "a"), b = capture(open, "b");
  const std::weak_ptr<const KeptReport> large =
      open.reports_of_ranks().keep({}, "a", Report{.view = "a", .title = std::string(std::size_t{2} << 20, 't')});
  open.stay_within_memory_after_answer();
  EXPECT_TRUE(large.expired());
  EXPECT_NE(a->opened(), nullptr);
  EXPECT_NE(b->opened(), nullptr);
}

TEST_F(OpenProfilesTest, MakesRoomForAFile) {
  constexpr std::int64_t kMemory = std::int64_t{1} << 30;
  OpenProfiles open(kMemory, kMemory);
  const CapturePtr a = capture(open, "a");
  const std::int64_t room = open.make_room_to_read(nullptr, 1000);
  EXPECT_LT(room, kMemory);
  EXPECT_NE(a->opened(), nullptr);
  EXPECT_EQ(open.make_room_to_read(nullptr, kMemory), kMemory);  // it may take all
  EXPECT_EQ(a->opened(), nullptr);
}

}  // namespace
}  // namespace sightline::engine

// Marker sets: stored by content, complete or absent, and refused when they are not valid.
#include "store/marker_store.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temporary_folder.h"

namespace sightline::store {

using namespace tests;
namespace {

const std::string kKey = std::string(32, 'a') + "-123";
const std::string kOther = std::string(32, 'b') + "-123";

class Markers : public testing::TestWithParam<bool> {
 protected:
  TemporaryFolder folder_;
  MarkerStore store_{GetParam() ? folder_.path() : ""};
};

TEST_P(Markers, AreKeptBySetAndContent) {
  EXPECT_EQ(store_.saved(), GetParam());
  EXPECT_TRUE(store_.read(kKey, "default")->empty());
  ASSERT_TRUE(store_.write(kKey, "default", {{20, "later"}, {-5, ""}}).ok());
  ASSERT_TRUE(store_.write(kKey, "../x/%é \n", {}).ok());
  EXPECT_EQ(*store_.read(kKey, "default"), (std::vector<Marker>{{-5, ""}, {20, "later"}})) << "by time";
  EXPECT_EQ(store_.sets(kKey), (std::vector<std::string>{"../x/%é \n", "default"}));
  EXPECT_TRUE(store_.sets(kOther).empty());
  ASSERT_TRUE(store_.remove(kKey, "default").ok());
  ASSERT_TRUE(store_.remove(kKey, "never there").ok());
  EXPECT_EQ(store_.sets(kKey), (std::vector<std::string>{"../x/%é \n"}));
}

TEST_P(Markers, InvalidMarkersAreRefused) {
  EXPECT_FALSE(store_.write(kKey, "", {}).ok());
  EXPECT_FALSE(store_.write(kKey, "\xff", {}).ok());
  EXPECT_FALSE(store_.write(kKey, std::string(61, 'x'), {}).ok());
  EXPECT_FALSE(store_.write(kKey, "x", {{0, std::string(201, 'x')}}).ok());
  EXPECT_FALSE(store_.write(kKey, "x", std::vector<Marker>(1001)).ok());
  EXPECT_TRUE(store_.sets(kKey).empty());
  std::string longest;
  for (int i = 0; i < 60; ++i) longest += "\xf0\x9f\x98\x80";
  std::string name;
  for (int i = 0; i < 50; ++i) name += longest.substr(0, 16);
  EXPECT_TRUE(store_.write(kKey, longest, std::vector<Marker>(1000, {0, name})).ok());
  EXPECT_EQ(store_.read(kKey, longest)->size(), 1000u);
  EXPECT_EQ(store_.sets(kKey), std::vector<std::string>{longest});
}

INSTANTIATE_TEST_SUITE_P(InAFolderAndInMemory, Markers, testing::Bool());

TEST(MarkerFiles, ADamagedFileIsAnError) {
  const TemporaryFolder folder;
  MarkerStore store(folder.path());
  ASSERT_TRUE(store.write(kKey, "set", {{1, "one"}}).ok());
  const std::string file = folder.path() + "/" + kKey + "/set.json";
  std::filesystem::resize_file(file, 10);
  EXPECT_EQ(store.read(kKey, "set").error().code, ErrorCode::malformed);
  ASSERT_TRUE(store.write(kKey, "set", {{2, "two"}}).ok());
  EXPECT_EQ(*MarkerStore(folder.path()).read(kKey, "set"), (std::vector<Marker>{{2, "two"}}));
}

TEST(MarkerJson, ErrorsNameTheCause) {
  EXPECT_EQ(parse_markers(R"({"markers": [{"time": 3, "name": "a"}]})")->front(), (Marker{3, "a"}));
  for (const char* bad : {"", "[]", "{}", R"({"markers": {}})", R"({"markers": [1]})", R"({"markers": [{"time": 1}]})",
                          R"({"markers": [{"time": 1.5, "name": ""}]})", R"({"markers": [{"time": "1", "name": ""}]})",
                          R"({"markers": [{"time": 1, "name": 1}]})", R"({"markers": [{"time": 1e30, "name": ""}]})",
                          R"({"markers": [{"time": 9007199254740993, "name": ""}]})",
                          R"({"markers": [{"time": -9223372036854775808, "name": ""}]})"}) {
    EXPECT_EQ(parse_markers(bad).error().code, ErrorCode::invalid_argument) << bad;
  }
}

}  // namespace
}  // namespace sightline::store

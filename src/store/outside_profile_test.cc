// Profile files of others: columns that no reader makes are refused, whatever their checksums are.
#include "store/outside_profile.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>

#include "tests/support/temporary_folder.h"
#include "tests/support/text_profile.h"

namespace sightline::store {

using namespace tests;

namespace {

constexpr char kProfile[] = R"(
thread 1: 0-100 op a, 10-15 op b
stream 7: 20-30 kernel k
)";

const std::atomic<bool> kNeverCancelled{false};

class OutsideProfile : public testing::Test {
 protected:
  std::string write(const Profile& profile) {
    const std::string path = folder_.path() + "/rank" + std::to_string(written_++) + ".arrow";
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    EXPECT_TRUE(write_profile_file(fd, profile, {{"worker", "w"}}, profile_fingerprint(), kNeverCancelled).ok());
    ::close(fd);
    return path;
  }
  Result<std::string> keep(const std::string& path) {
    return keep_outside_profile(cache_, path, [](const Record& about) -> Result<Record> { return about; });
  }

  TemporaryFolder folder_;
  int written_ = 0;
  ProfileCache cache_{{.folder = folder_.path() + "/cache"}};
};

TEST_F(OutsideProfile, ASoundOneIsKeptUnderItsContent) {
  const std::string path = write(*text_profile(kProfile));
  const Result<std::string> key = keep(path);
  ASSERT_TRUE(key.ok()) << key.error().to_string();
  EXPECT_EQ(*key, *content_key(path, kNeverCancelled));
  const auto kept = cache_.open_key(*key);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->profile->slices.rows(), 3u);
  EXPECT_EQ(record_value(kept->about, "worker"), "w");
  EXPECT_EQ(*keep(path), *key) << "a second time";
  EXPECT_EQ(cache_.keys().size(), 1u);
}

TEST_F(OutsideProfile, OneThatIsNotThereIsNotFound) { EXPECT_EQ(keep("/no/such").error().code, ErrorCode::not_found); }

TEST_F(OutsideProfile, ValuesThatNoReaderWritesAreRefused) {
  const std::pair<const char*, std::function<void(Profile&)>> changes[] = {
      {"slices: kind has a value that it cannot have", [](Profile& p) { p.slices.kind[0] = static_cast<SliceKind>(200); }},
      {"lanes: kind has a value that it cannot have", [](Profile& p) { p.lanes.kind[0] = static_cast<LaneKind>(6); }},
      {"slices: start has a value that it cannot have", [](Profile& p) { p.slices.start[1] = std::int64_t{1} << 62; }},
      {"a fact has a value that it cannot have", [](Profile& p) { p.span_end = std::int64_t{1} << 62; }},
      {"slices row 0: name names no string", [](Profile& p) { p.slices.name[0] = static_cast<StringId>(1 << 20); }},
      {"slices row 1: lane is not a row of lanes", [](Profile& p) { p.slices.lane[1] = 99; }},
      {"its texts are not as a reader writes them", [](Profile& p) { p.strings.intern("\xff"); }},
      {"it names other files",
       [](Profile& p) {
         add_unknown_row(p.lake_files);
         p.lake_files.path[0] = p.strings.intern("/etc/x");
       }},
  };
  for (const auto& [why, change] : changes) {
    const std::unique_ptr<Profile> profile = parse_text_profile(kProfile);
    change(*profile);
    const Result<std::string> kept = keep(write(*profile));
    ASSERT_FALSE(kept.ok()) << why;
    EXPECT_EQ(kept.error().code, ErrorCode::malformed);
    EXPECT_EQ(std::string(kept.error().message), why);
  }
  EXPECT_TRUE(cache_.keys().empty());
}

}  // namespace
}  // namespace sightline::store

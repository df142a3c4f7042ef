// Profiles as Arrow files: a file is read as it was written, or refused.
#include "store/profile_file.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/random_profile.h"
#include "tests/support/temporary_folder.h"

namespace sightline::store {

using namespace tests;
namespace {

const std::atomic<bool> kNotCancelled{false};

class ProfileFile : public testing::Test {
 protected:
  std::string write(const Profile& profile, const Record& about = {}, const std::string& fingerprint = profile_fingerprint(),
                    const Derived& derived = {}) {
    const std::string path = folder_.path() + "/" + std::to_string(written_++);
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    EXPECT_TRUE(write_profile_file(fd, profile, about, fingerprint, kNotCancelled, derived).ok());
    ::close(fd);
    return path;
  }
  Result<StoredProfile> open(const std::string& path, Trust trust = Trust::nothing) {
    const auto file = MappedFile::open(path);
    if (file == nullptr) return Error{ErrorCode::not_found, "not mapped", path};
    return open_profile_file(file, profile_fingerprint(), trust);
  }

  TemporaryFolder folder_;
  int written_ = 0;
};

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::filesystem::permissions(path, std::filesystem::perms(0600));
}

TEST_F(ProfileFile, AnyProfileComesBackEqual) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Profile profile = random_profile(seed, seed < 15 ? 50 : 5000);
    const Record about{{"path", "a\nb"}, {"empty", ""}};
    const std::string path = write(profile, about);
    for (const Trust trust : {Trust::nothing, Trust::unchanged}) {
      const Result<StoredProfile> stored = open(path, trust);
      ASSERT_TRUE(stored.ok()) << seed << ": " << stored.error().message;
      EXPECT_EQ(difference(profile, *stored->profile), "") << seed;
      EXPECT_EQ(stored->about, about);
    }
    EXPECT_EQ(*read_about(*MappedFile::open(path), profile_fingerprint()), about);
  }
}

TEST_F(ProfileFile, DerivedDataComeBackEqualOrAreRefused) {
  const Profile profile = random_profile(2, 30);
  Derived derived{.version = "5", .sections = {}};
  add_section(derived.sections, "empty", "");
  add_section(derived.sections, "report.overview", std::string(5000, 'r'));
  const std::string path = write(profile, {}, profile_fingerprint(), derived);
  const Result<StoredProfile> stored = open(path);
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ(difference(profile, *stored->profile), "");
  EXPECT_EQ(stored->derived.version, "5");
  ASSERT_EQ(stored->derived.sections.size(), 2u);
  for (const Section& section : derived.sections) {
    const Section* const found = find_section(stored->derived.sections, section.name);
    ASSERT_NE(found, nullptr) << section.name;
    EXPECT_TRUE(std::ranges::equal(found->bytes, section.bytes)) << section.name;
  }
  std::string changed = bytes_of(path);
  changed[changed.find("rrrr")] = 'x';
  put_bytes(path, changed);
  EXPECT_EQ(open(path).error().code, ErrorCode::malformed);
}

TEST_F(ProfileFile, AStoredProfileTakesNewStringsAndRows) {
  const Profile profile = random_profile(3, 100);
  Result<StoredProfile> stored = open(write(profile));
  ASSERT_TRUE(stored.ok());
  const StringId added = stored->profile->strings.intern("a text that no random profile has");
  EXPECT_EQ(static_cast<std::size_t>(added), profile.strings.size());
  stored->profile->add_problem(Severity::note, "code", "message", 1, kUnknown);
  EXPECT_EQ(stored->profile->problems.rows(), profile.problems.rows() + 1);
  for (std::size_t i = 0; i < profile.strings.size(); ++i) {
    EXPECT_EQ(stored->profile->strings.find(profile.text(static_cast<StringId>(i))), static_cast<StringId>(i));
  }
}

TEST_F(ProfileFile, AnIncompleteFileIsRefused) {
  constexpr std::size_t kSchemaBytes = 72'000;  // at most: about 64,000, at the beginning of the file
  const Profile profile = random_profile(7, 1000);
  const std::string whole = bytes_of(write(profile));
  ASSERT_GT(whole.size(), 100'000u);
  const std::string path = folder_.path() + "/torn";
  for (std::size_t size = 4096; size < whole.size(); size += 4096) {
    put_bytes(path, std::string_view(whole).substr(0, size));
    EXPECT_FALSE(open(path).ok()) << size;
    std::string hole = whole;  // the last pages never reached the disk
    std::fill(hole.begin() + static_cast<std::ptrdiff_t>(size), hole.end(), '\0');
    put_bytes(path, hole);
    EXPECT_FALSE(open(path).ok()) << size;
    hole = whole;  // or one in the middle did not
    std::fill_n(hole.begin() + static_cast<std::ptrdiff_t>(size - 4096), 4096, '\0');
    put_bytes(path, hole);
    const Result<StoredProfile> stored = open(path);
    if (stored.ok()) {
      ASSERT_EQ(difference(profile, *stored->profile), "") << size;  // the end of the file repeats the schema
    }
    EXPECT_TRUE(!stored.ok() || hole == whole || size < kSchemaBytes) << size;
  }
}

TEST_F(ProfileFile, AChangedByteIsRefusedOrChangesNothing) {
  const Profile profile = random_profile(11, 60);
  const std::string whole = bytes_of(write(profile));
  const std::string path = folder_.path() + "/changed";
  std::mt19937_64 random(1);
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string changed = whole;
    changed[random() % changed.size()] ^= static_cast<char>(1 + random() % 255);
    put_bytes(path, changed);
    const Result<StoredProfile> stored = open(path);
    refused += !stored.ok();
    if (stored.ok()) {
      ASSERT_EQ(difference(profile, *stored->profile), "") << round;  // a byte of padding
    }
  }
  EXPECT_GT(refused, 150);
}

TEST_F(ProfileFile, ForeignFilesAreRefused) {
  const Profile profile = random_profile(1, 10);
  EXPECT_EQ(open(write(profile, {}, "0123456789abcdef")).error().code, ErrorCode::unsupported);
  const std::string path = folder_.path() + "/foreign";
  for (const std::string& bytes :
       {std::string(""), std::string("x"), std::string("ARROW1"), std::string("ARROW1\0\0ARROW1", 14), std::string(10'000, '\0'),
        std::string(10'000, '\xff'), std::string(R"({"traceEvents": []})")}) {
    put_bytes(path, bytes);
    EXPECT_FALSE(open(path).ok()) << bytes.size();
  }
  const std::string own = write(profile);
  std::filesystem::permissions(own, std::filesystem::perms(0666));
  EXPECT_EQ(MappedFile::open(own), nullptr) << "others may have written to it";
}

TEST_F(ProfileFile, AnyArrowReaderFindsTheColumns) {
  const Profile profile = random_profile(5, 200);
  const auto file = arrow::io::ReadableFile::Open(write(profile)).ValueOrDie();
  const auto batch = arrow::ipc::RecordBatchFileReader::Open(file).ValueOrDie()->ReadRecordBatch(0).ValueOrDie();
  ASSERT_TRUE(batch->ValidateFull().ok());
  const auto starts = batch->GetColumnByName("slices.start");
  ASSERT_NE(starts, nullptr);
  EXPECT_EQ(starts->type()->ToString(), "large_list<item: int64 not null>");
}

TEST_F(ProfileFile, CancelledInTheMiddle) {
  const std::atomic<bool> stop{true};
  const int fd = ::open((folder_.path() + "/x").c_str(), O_WRONLY | O_CREAT, 0600);
  EXPECT_EQ(write_profile_file(fd, random_profile(1, 10), {}, profile_fingerprint(), stop).error().code, ErrorCode::cancelled);
  ::close(fd);
}

}  // namespace
}  // namespace sightline::store

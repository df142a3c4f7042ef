// The cache: a profile that is found equals the one
// that was kept, even after damage to the files;
// making room does not remove profiles in use.
#include "store/profile_cache.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "store/content_key.h"
#include "tests/support/random_profile.h"
#include "tests/support/temporary_folder.h"

namespace sightline::store {

using namespace tests;
namespace {

namespace fs = std::filesystem;
const std::atomic<bool> kGoOn{false};

class Cache : public testing::Test {
 protected:
  // A file that changed long enough ago to be remembered.
  std::string source(const std::string& name, const std::string& bytes) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path) << bytes;
    while (changed_just_now(*identity_of(path))) ::usleep(5000);
    return path;
  }
  Result<bool> keep(ProfileCache& cache, const std::string& path, const Profile& profile) {
    return cache.keep(*content_key(path, kGoOn), profile, {{"path", path}}, path, *identity_of(path), kGoOn);
  }
  std::string file_of(const std::string& source_path, const std::string& extension = ".arrow") {
    return cache_folder_ + "/profiles/" + *content_key(source_path, kGoOn) + extension;
  }

  TemporaryFolder folder_;
  std::string cache_folder_ = folder_.path() + "/cache";
  ProfileCache cache_{{.folder = cache_folder_}};
};

TEST_F(Cache, FindsAProfileByItsFileAndByItsContent) {
  const std::string path = source("a", "some bytes");
  const Profile profile = random_profile(1, 100);
  EXPECT_EQ(cache_.open(path, kGoOn), std::nullopt);
  ASSERT_TRUE(*keep(cache_, path, profile));
  EXPECT_EQ(difference(profile, *cache_.open(path, kGoOn)->profile), "");
  const std::string copy = source("b", "some bytes");
  EXPECT_EQ(difference(profile, *cache_.open(copy, kGoOn)->profile), "");
  fs::remove(path);
  fs::rename(copy, folder_.path() + "/moved");
  EXPECT_EQ(difference(profile, *cache_.open(folder_.path() + "/moved", kGoOn)->profile), "");
  const std::string other = source("c", "same bytes");
  EXPECT_EQ(cache_.open(other, kGoOn), std::nullopt) << "of the same size only";
  ProfileCache newer({.folder = cache_folder_, .fingerprint = "another"});
  EXPECT_EQ(newer.open(folder_.path() + "/moved", kGoOn), std::nullopt);
  EXPECT_TRUE(newer.list().empty());
  EXPECT_EQ(fs::status(cache_folder_).permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(file_of(other.substr(0, other.size() - 1) + "moved")).permissions(), fs::perms(0600));
}

TEST_F(Cache, AFileThatChangedIsNotFound) {
  const std::string path = source("a", "before");
  ASSERT_TRUE(*keep(cache_, path, random_profile(1, 10)));
  std::ofstream(path) << "later!";
  EXPECT_EQ(cache_.open(path, kGoOn), std::nullopt);
}

TEST_F(Cache, AnAlteredFileIsNotUsed) {
  const std::string path = source("a", "bytes");
  const Profile profile = random_profile(1, 1000);
  ASSERT_TRUE(*keep(cache_, path, profile));
  while (changed_just_now(*identity_of(file_of(path)))) ::usleep(5000);
  ASSERT_TRUE(cache_.open(path, kGoOn).has_value());
  ASSERT_TRUE(fs::exists(file_of(path, ".seal"))) << "compared once, and believed from then on";
  {
    std::fstream file(file_of(path), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(fs::file_size(file_of(path)) / 2));
    file.put('\x55');
    file.put('\xaa');
  }
  EXPECT_EQ(cache_.open(path, kGoOn), std::nullopt);
  ASSERT_TRUE(*keep(cache_, path, profile)) << "it is made anew";
  EXPECT_EQ(difference(profile, *cache_.open(path, kGoOn)->profile), "");
  fs::resize_file(file_of(path), fs::file_size(file_of(path)) / 2);
  EXPECT_EQ(cache_.open(path, kGoOn), std::nullopt);
}

TEST_F(Cache, DamagedRecordsCostOnlyTime) {
  const std::string path = source("a", "bytes");
  const Profile profile = random_profile(1, 100);
  ASSERT_TRUE(*keep(cache_, path, profile));
  for (const auto& entry : fs::recursive_directory_iterator(cache_folder_)) {
    if (entry.is_regular_file() && entry.path().extension() != ".arrow") std::ofstream(entry.path()) << "size 3\nxyz";
  }
  EXPECT_EQ(difference(profile, *cache_.open(path, kGoOn)->profile), "");
}

TEST_F(Cache, RemovesTheLeastRecentlyUsedFirstAndNoneInUse) {
  ProfileCache small({.folder = cache_folder_, .limit_bytes = 5'000'000});
  const Profile profile = random_profile(2, 500);
  std::vector<std::string> paths;
  for (const char* name : {"a", "b", "c"}) {
    paths.push_back(source(name, name));
    ASSERT_TRUE(*keep(small, paths.back(), profile));
    while (changed_just_now(*identity_of(file_of(paths.back())))) ::usleep(5000);
    small.open(paths.back(), kGoOn);  // sealed
  }
  const std::int64_t each = identity_of(file_of(paths[0]))->size;
  ASSERT_EQ(small.list().size(), 3u);
  ::usleep(20'000);  // more than a tick
  small.touch(*content_key(paths[0], kGoOn));
  ProfileCache tight({.folder = cache_folder_, .limit_bytes = 2 * each});
  tight.make_room();
  EXPECT_FALSE(fs::exists(file_of(paths[1]))) << "b was used longest ago";
  EXPECT_TRUE(fs::exists(file_of(paths[0])) && fs::exists(file_of(paths[2])));
  EXPECT_EQ(tight.list().front().key, *content_key(paths[0], kGoOn));
  {
    const auto held = tight.open(paths[2], kGoOn);
    ProfileCache none({.folder = cache_folder_, .limit_bytes = 0});
    none.make_room();
    EXPECT_TRUE(fs::exists(file_of(paths[2])));
    EXPECT_FALSE(fs::exists(file_of(paths[0])));
    ASSERT_TRUE(*none.remove(held->key)) << "asked for by name, it goes";
    EXPECT_EQ(difference(profile, *held->profile), "") << "and stays readable for those who have it";
  }
  EXPECT_TRUE(small.list().empty());
  ProfileCache none({.folder = cache_folder_, .limit_bytes = 0});
  EXPECT_FALSE(*keep(none, paths[0], profile)) << "longer than all the room";
}

TEST_F(Cache, UnfinishedFilesAreRemoved) {
  const std::string path = source("a", "bytes");
  ASSERT_TRUE(*keep(cache_, path, random_profile(1, 10)));
  const std::string left = unfinished_name(file_of(path));
  std::ofstream(left) << "half";
  cache_.make_room();
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(Cache, WithoutAFolderNothingIsKept) {
  const std::string path = source("a", "bytes");
  ProfileCache nowhere({.folder = "/proc/nowhere"});
  EXPECT_FALSE(keep(nowhere, path, random_profile(1, 10)).ok());
  EXPECT_EQ(nowhere.open(path, kGoOn), std::nullopt);
  EXPECT_TRUE(nowhere.list().empty());
  ProfileCache none({.folder = ""});
  EXPECT_FALSE(*keep(none, path, random_profile(1, 10)));
}

TEST_F(Cache, AFullDiskLeavesNothingBehind) {
  const std::string path = source("a", "bytes");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit short_of{.rlim_cur = 100'000, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &short_of);
  const Result<bool> kept = keep(cache_, path, random_profile(1, 5000));
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(kept.error().code, ErrorCode::unreadable);
  EXPECT_TRUE(fs::is_empty(cache_folder_ + "/profiles"));
}

TEST_F(Cache, SeveralMayKeepTheSameAtOnce) {
  const std::string path = source("a", "bytes");
  const Profile profile = random_profile(4, 2000);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      ProfileCache cache({.folder = cache_folder_});
      for (int round = 0; round < 5; ++round) {
        if (!keep(cache, path, profile).ok()) ++wrong;
        const auto found = cache.open(path, kGoOn);
        if (found && !difference(profile, *found->profile).empty()) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(difference(profile, *cache_.open(path, kGoOn)->profile), "");
}

TEST(Size, IsANumberWithAUnit) {
  EXPECT_EQ(parse_size("0"), 0);
  EXPECT_EQ(parse_size("500M"), 500'000'000);
  EXPECT_EQ(parse_size("2T"), 2'000'000'000'000);
  for (const char* text : {"", "G", "-1", "1GB", "1g", "1.5G", "9223372036854775807T"})
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
}

}  // namespace
}  // namespace sightline::store

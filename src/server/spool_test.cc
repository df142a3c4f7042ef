#include "server/spool.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/temporary_folder.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;
using tests::TemporaryFolder;

BodyReader body(std::string text, bool whole = true) {
  return [text = std::move(text), whole](const auto& bytes) { return bytes(text) && whole; };
}

std::string text_in(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Spool, PathsThatLeaveTheUploadAreRefused) {
  for (const char* path : {"a.json", "run/worker0.pt.trace.json.gz", "a b/c+d/é中.json", "a..b/c"}) {
    EXPECT_EQ(path_misfit(path), "") << path;
  }
  const std::string nul("a\0b", 3), control("a\nb"), latin("caf\xe9");
  for (const std::string& path :
       {std::string(), std::string("/etc/passwd"), std::string(".."), std::string("../a"), std::string("a/../../b"),
        std::string("a/./b"), std::string("a//b"), std::string("a/"), std::string(".ssh/config"), std::string("a/.b"),
        std::string("C:\\a"), nul, control, latin, std::string(201, 'a'), std::string(1025, 'a')}) {
    EXPECT_NE(path_misfit(path), "") << path;
  }
  std::string deep = "a";
  for (int i = 0; i < 31; ++i) deep += "/a";
  EXPECT_EQ(path_misfit(deep), "");
  EXPECT_NE(path_misfit(deep + "/a"), "");
}

TEST(Spool, FilesThatCannotLieBesideEachOtherAreRefused) {
  EXPECT_NE(files_misfit({}), "");
  EXPECT_EQ(files_misfit({{"a/b", 1}, {"a/c", 0}}), "");
  EXPECT_NE(files_misfit({{"a", 1}, {"a", 1}}), "");
  EXPECT_NE(files_misfit({{"a/b/c", 1}, {"a/b", 1}}), "");
  EXPECT_NE(files_misfit({{"a", -1}}), "");
  EXPECT_NE(files_misfit(std::vector<UploadFile>(10'001, {"a", 1})), "");
}

TEST(Spool, FilesAreStoredForTheUserAloneAndRemoved) {
  const TemporaryFolder folder;
  const std::string shared = folder.path() + "/uploads";
  std::string root;
  {
    Spool spool({.folder = shared});
    EXPECT_FALSE(fs::exists(shared)) << "nothing is created before it is needed";
    const Result<UploadPtr> upload = spool.begin("run", {{"run/a", 3}, {"run/b", 0}});
    ASSERT_TRUE(upload.ok());
    root = (*upload)->root();
    EXPECT_FALSE(*spool.store(*upload, 0, body("one")));
    EXPECT_TRUE(*spool.store(*upload, 1, {})) << "the last file";
    EXPECT_EQ(text_in(root + "/run/a"), "one");
    struct stat status {};
    EXPECT_EQ(::stat((root + "/run/a").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    EXPECT_EQ(::stat(shared.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    EXPECT_FALSE(spool.store(*upload, 0, body("one")).ok()) << "it is whole";
    const Result<UploadPtr> other = spool.begin("other", {{"a", 1}});
    ASSERT_TRUE(other.ok());
    EXPECT_TRUE(spool.remove((*other)->id));
    EXPECT_FALSE(spool.remove((*other)->id));
    EXPECT_EQ(spool.store(*other, 0, body("x")).error().code, ErrorCode::cancelled);
    EXPECT_TRUE(fs::exists(root));
  }
  EXPECT_TRUE(fs::is_empty(shared)) << "the server has ended";
}

TEST(Spool, ABodyHasTheAnnouncedSizeAndCanBeSentAgain) {
  const TemporaryFolder folder;
  Spool spool({.folder = folder.path()});
  const UploadPtr upload = *spool.begin("a", {{"a", 3}});
  EXPECT_EQ(spool.store(upload, 0, body("four")).error().message, "more than the announced 3 bytes were sent");
  EXPECT_EQ(spool.store(upload, 0, body("no")).error().message, "2 of 3 bytes arrived");
  EXPECT_EQ(spool.store(upload, 0, body("yes", false)).error().message, "the connection ended after 3 of 3 bytes");
  EXPECT_EQ(spool.store(upload, 1, body("yes")).error().code, ErrorCode::not_found);
  EXPECT_EQ(upload->arrived(), 0);
  EXPECT_FALSE(fs::exists(upload->root() + "/a"));
  EXPECT_TRUE(*spool.store(upload, 0, body("yes")));
}

TEST(Spool, ALinkInTheFolderIsNotFollowed) {
  const TemporaryFolder folder;
  Spool spool({.folder = folder.path() + "/spool"});
  const UploadPtr upload = *spool.begin("a", {{"a", 3}});
  fs::create_symlink(folder.path() + "/target", upload->root() + "/a");
  EXPECT_FALSE(spool.store(upload, 0, body("yes")).ok());
  EXPECT_FALSE(fs::exists(folder.path() + "/target"));
}

TEST(Spool, TheLimitIsForAllUploadsTogether) {
  const TemporaryFolder folder;
  Spool spool({.folder = folder.path(), .limit_bytes = 100});
  EXPECT_EQ(spool.room(), 100);
  EXPECT_EQ(spool.begin("a", {{"a", 60}, {"b", 41}}).error().code, ErrorCode::unavailable);
  const UploadPtr upload = *spool.begin("a", {{"a", 60}});
  EXPECT_EQ(spool.room(), 40);
  EXPECT_FALSE(spool.begin("b", {{"b", 41}}).ok());
  spool.remove(upload->id);
  EXPECT_TRUE(spool.begin("b", {{"b", 100}}).ok());
  EXPECT_FALSE(Spool({.folder = folder.path()}).begin("b", {{"b", std::int64_t{1} << 48}}).ok()) << "no disk has this";
}

TEST(Spool, OnlyAServerThatHasEndedIsCleanedUp) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() + "/killed/upload/name");
  std::ofstream(folder.path() + "/killed.lock");
  std::ofstream(folder.path() + "/killed/upload/name/a") << "left behind";
  Spool running({.folder = folder.path()});
  EXPECT_TRUE(fs::is_empty(folder.path()));
  const UploadPtr upload = *running.begin("a", {{"a", 3}});
  { const Spool next({.folder = folder.path()}); }
  EXPECT_TRUE(fs::exists(upload->root()));
  EXPECT_TRUE(*running.store(upload, 0, body("yes")));
}

TEST(Spool, AnUploadThatStopsArrivingIsRemoved) {
  const TemporaryFolder folder;
  Spool spool({.folder = folder.path(), .abandoned_after = std::chrono::milliseconds(2)});
  const UploadPtr upload = *spool.begin("a", {{"a", 3}});
  while (spool.find(upload->id) != nullptr) std::this_thread::yield();
  EXPECT_FALSE(spool.store(upload, 0, body("yes")).ok());
}

}  // namespace
}  // namespace sightline::server

// Records and replaced files are either complete or absent.
#include "store/file_io.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "store/content_key.h"
#include "tests/support/temporary_folder.h"

namespace sightline::store {

using namespace tests;
namespace {

TEST(Record, AnyCutOrChangedByteIsNoticed) {
  Record record{{"path", "a b\nc \n9\n"}, {"empty", ""}, {"size", "-12"}};
  add_identity(record, {.device = 1, .inode = 2, .size = 3, .modified = 4, .changed = 5});
  const std::string text = record_text(record);
  EXPECT_EQ(parse_record(text), record);
  EXPECT_EQ(record_value(record, "path"), "a b\nc \n9\n");
  EXPECT_EQ(record_number(record, "absent", 7), 7);
  EXPECT_EQ(identity_in(record).changed, 5);
  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_EQ(parse_record(std::string_view(text).substr(0, i)), std::nullopt) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_EQ(parse_record(changed), std::nullopt) << i;
    }
  }
}

TEST(ReplaceFile, LeavesOneWholeFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(make_folder(folder.path() + "/a/b").ok());
  const std::string path = folder.path() + "/a/b/file";
  ASSERT_TRUE(replace_file(path, "one").ok());
  const auto before = identity_of(path);
  ASSERT_TRUE(replace_file(path, "two").ok());
  EXPECT_NE(identity_of(path), before);
  EXPECT_EQ(read_small_file(path, 3), "two");
  EXPECT_EQ(read_small_file(path, 2), std::nullopt);
  EXPECT_FALSE(replace_file(folder.path() + "/absent/file", "x").ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path() + "/a/b"), {}), 1);
  EXPECT_EQ(identity_of(folder.path()), std::nullopt) << "a folder is no file";
}

TEST(ContentKey, DependsOnlyOnTheBytes) {
  const TemporaryFolder folder;
  const std::atomic<bool> go{false}, stop{true};
  const std::string a = folder.path() + "/a", b = folder.path() + "/b";
  ASSERT_TRUE(replace_file(a, std::string(3'000'000, 'x')).ok());
  ASSERT_TRUE(replace_file(b, std::string(3'000'000, 'x')).ok());
  const Result<std::string> key = content_key(a, go);
  ASSERT_TRUE(key.ok());
  EXPECT_TRUE(is_content_key(*key));
  EXPECT_TRUE(key->ends_with("-3000000"));
  EXPECT_EQ(*content_key(b, go), *key);
  ASSERT_TRUE(replace_file(b, std::string(2'999'999, 'x') + "y").ok());
  EXPECT_NE(*content_key(b, go), *key);
  EXPECT_EQ(content_key(a, stop).error().code, ErrorCode::cancelled);
  EXPECT_EQ(content_key(folder.path() + "/c", go).error().code, ErrorCode::not_found);
  EXPECT_FALSE(content_key(folder.path(), go).ok());
  for (const char* text : {"", "..", "/", "-", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/1"}) {
    EXPECT_FALSE(is_content_key(text)) << text;
  }
}

}  // namespace
}  // namespace sightline::store

// StringPool against a map: equal texts have equal ids, ids keep their texts, merging translates.
#include "model/string_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace sightline::model {

namespace {

std::string random_text(std::mt19937& random) {
  std::string text(random() % 50, 'a');  // of the long ones, some differ in one place only
  for (std::size_t i = 0; i < text.size(); i += 1 + text.size() / 4)
    text[(i + random() % 3) % text.size()] = static_cast<char>('a' + random() % 2);
  return text;
}

TEST(StringPool, IdZeroIsTheEmptyText) {
  StringPool pool;
  EXPECT_EQ(pool.size(), 1u);
  EXPECT_EQ(pool.intern(""), StringId::none);
  EXPECT_EQ(pool.view(StringId::none), "");
}

TEST(StringPool, FindDoesNotIntern) {
  StringPool pool;
  EXPECT_EQ(pool.find("gemm"), StringId::none);
  EXPECT_EQ(pool.size(), 1u);
  const StringId id = pool.intern("gemm");
  EXPECT_EQ(pool.find("gemm"), id);
}

TEST(StringPool, TextsMayHoldZeroBytesAndBeLongerThanABlock) {
  StringPool pool;
  const std::string zero("a\0b", 3);
  const std::string huge(1 << 20, 'x');
  const StringId first = pool.intern(zero);
  const StringId second = pool.intern(huge);
  EXPECT_NE(pool.intern("a"), first);
  EXPECT_EQ(pool.view(first), zero);
  EXPECT_EQ(pool.view(second), huge);
  EXPECT_GE(pool.bytes(), huge.size());
}

TEST(StringPool, AgreesWithAMap) {
  std::mt19937 random(2);
  StringPool pool;
  std::map<std::string, StringId> known{{"", StringId::none}};
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random_text(random);
    const StringId id = pool.intern(text);
    const auto [place, is_new] = known.try_emplace(text, id);
    ASSERT_EQ(place->second, id);
    ASSERT_EQ(static_cast<std::size_t>(id), is_new ? known.size() - 1 : static_cast<std::size_t>(id));
  }
  EXPECT_EQ(pool.size(), known.size());
  for (const auto& [text, id] : known) {
    ASSERT_EQ(pool.view(id), text);
    ASSERT_EQ(pool.find(text), id);
  }
}

TEST(StringPool, MergeTranslatesIds) {
  StringPool mine;
  StringPool other;
  mine.intern("a");
  mine.intern("b");
  const StringId b = other.intern("b");
  const StringId c = other.intern("c");
  const std::vector<StringId> map = mine.merge(other);
  EXPECT_EQ(mine.view(map[static_cast<std::size_t>(b)]), "b");
  EXPECT_EQ(mine.view(map[static_cast<std::size_t>(c)]), "c");
  EXPECT_EQ(map[0], StringId::none);
  EXPECT_EQ(mine.size(), 4u);
}

TEST(StringPool, ViewsOutliveLaterInterning) {
  StringPool pool;
  const std::string_view early = pool.view(pool.intern("early"));
  for (int i = 0; i < 100000; ++i) pool.intern(std::to_string(i));
  EXPECT_EQ(early, "early");
}

}  // namespace
}  // namespace sightline::model

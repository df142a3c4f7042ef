// GroupIndex against a map.
#include "analyses/group_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sightline::analyses {

namespace {

TEST(GroupIndex, NumbersKeysInOrderOfAppearance) {
  GroupIndex<2> index;
  EXPECT_EQ(index.number_of({7, 1}), 0u);
  EXPECT_EQ(index.number_of({1, 7}), 1u);
  EXPECT_EQ(index.number_of({7, 1}), 0u);
  EXPECT_EQ(index.size(), 2u);
  EXPECT_EQ(index.key(1), (GroupIndex<2>::Key{1, 7}));
}

TEST(GroupIndex, AgreesWithAMap) {
  std::mt19937 random(3);
  GroupIndex<3> index;
  std::map<GroupIndex<3>::Key, std::uint32_t> known;
  for (int round = 0; round < 50000; ++round) {
    const GroupIndex<3>::Key key{static_cast<std::uint32_t>(random() % 20), static_cast<std::uint32_t>(random() % 20),
                                 0xFFFFFFFFu - static_cast<std::uint32_t>(random() % 20)};
    const auto next = static_cast<std::uint32_t>(known.size());
    ASSERT_EQ(index.number_of(key), known.try_emplace(key, next).first->second);
  }
  EXPECT_EQ(index.size(), known.size());
}

}  // namespace
}  // namespace sightline::analyses

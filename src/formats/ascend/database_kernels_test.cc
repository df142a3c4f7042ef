// IdTable, and with it partition_point_near, against a multimap.
#include "formats/ascend/database_kernels.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sightline::formats::ascend {

namespace {

TEST(IdTable, AgreesWithAMultimap) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const int many = static_cast<int>(random() % 60), widest = 1 + static_cast<int>(random() % 100);
    IdTable<int> table;
    std::multimap<std::int64_t, int> known;  // keeps the order of equal ids
    for (int i = 0; i < many; ++i) {
      const std::int64_t id = round % 2 == 0 ? i / 2 : static_cast<int>(random()) % widest;
      table.add(id, i);
      known.emplace(id, i);
    }
    table.settle();
    IdTable<int>::Place place;
    for (int question = 0; question < 100; ++question) {
      const std::int64_t id = static_cast<int>(random()) % (widest + 2);
      const auto [first, last] = known.equal_range(id);
      std::vector<int> expected, found;
      for (auto at = first; at != last; ++at) expected.push_back(at->second);
      for (const auto& entry : table.all(id, place)) found.push_back(entry.value);
      ASSERT_EQ(found, expected) << id;
      const int *begin = table.first(id, place), *end = table.last(id, place);
      ASSERT_EQ(begin == nullptr, expected.empty());
      ASSERT_EQ(end == nullptr, expected.empty());
      if (expected.empty()) continue;
      EXPECT_EQ(*begin, expected.front());
      EXPECT_EQ(*end, expected.back());
    }
  }
}

}  // namespace
}  // namespace sightline::formats::ascend

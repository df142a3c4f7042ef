// sort_up and sort_down against std::stable_sort.
#include "base/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace sightline::base {
namespace {

struct Item {
  std::int64_t number;
  std::string name;
};

std::string names(const std::vector<Item>& items) {
  std::string all;
  for (const Item& item : items) all += item.name;
  return all;
}

TEST(Sort, EqualNumbersKeepTheirOrder) {
  std::vector<Item> items = {{2, "a"}, {1, "b"}, {2, "c"}, {1, "d"}, {3, "e"}};
  sort_up(items, &Item::number);
  EXPECT_EQ(names(items), "bdace");
  items = {{2, "a"}, {1, "b"}, {2, "c"}, {1, "d"}, {3, "e"}};
  sort_down(items, &Item::number);
  EXPECT_EQ(names(items), "eacbd");
}

TEST(Sort, IsStableSort) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<Item> items;
    for (int i = 0; i < round * 3; ++i) items.push_back({static_cast<std::int64_t>(random() % 9) - 4, std::to_string(i) + " "});
    std::vector<Item> up = items, down = items;
    sort_up(up, &Item::number);
    sort_down(down, [](const Item& item) { return item.number; });
    std::vector<Item> wanted = items;
    std::stable_sort(wanted.begin(), wanted.end(), [](const Item& a, const Item& b) { return a.number < b.number; });
    EXPECT_EQ(names(up), names(wanted));
    wanted = items;
    std::stable_sort(wanted.begin(), wanted.end(), [](const Item& a, const Item& b) { return a.number > b.number; });
    EXPECT_EQ(names(down), names(wanted));
  }
}

TEST(Sort, TheLimitsOfEachType) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(), kMost = std::numeric_limits<std::int64_t>::max();
  const auto itself = [](auto value) { return value; };
  std::vector<std::int64_t> integers = {0, kMost, kLeast, -1};
  sort_down(integers, itself);
  EXPECT_EQ(integers, (std::vector<std::int64_t>{kMost, 0, -1, kLeast}));
  std::vector<std::uint64_t> unsigned_integers = {~std::uint64_t{0}, 0, std::uint64_t{1} << 63, 5};
  sort_up(unsigned_integers, itself);
  EXPECT_EQ(unsigned_integers, (std::vector<std::uint64_t>{0, 5, std::uint64_t{1} << 63, ~std::uint64_t{0}}));
  std::vector<double> reals = {0.5, -1e300, 1e300, -0.5};
  sort_down(reals, itself);
  EXPECT_EQ(reals, (std::vector<double>{1e300, 0.5, -0.5, -1e300}));
  std::vector<std::uint32_t> rows = {4'000'000'000, 3, 0};
  sort_up(rows, itself);
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{0, 3, 4'000'000'000}));
}

TEST(Sort, Enumerators) {
  enum class Level : std::uint8_t { low, high };
  std::vector<Level> levels = {Level::low, Level::high, Level::low};
  sort_down(levels, [](Level level) { return level; });
  EXPECT_EQ(levels, (std::vector<Level>{Level::high, Level::low, Level::low}));
}

TEST(Sort, OfNothing) {
  std::vector<Item> items;
  sort_up(items, &Item::number);
  EXPECT_TRUE(items.empty());
}

}  // namespace
}  // namespace sightline::base

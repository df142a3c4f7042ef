// longest_common: against a recursive definition on short random sequences, and bounded on long ones.
#include "analyses/diff/diff_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sightline::analyses {

namespace {

using Numbers = std::vector<std::uint32_t>;

// The length by definition: drop the first of either, or match both.
std::size_t length_by_definition(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.empty() || b.empty()) return 0;
  if (a[0] == b[0]) return 1 + length_by_definition(a.subspan(1), b.subspan(1));
  return std::max(length_by_definition(a.subspan(1), b), length_by_definition(a, b.subspan(1)));
}

void expect_common(const Numbers& a, const Numbers& b, const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_LT(pairs[i].first, a.size());
    ASSERT_LT(pairs[i].second, b.size());
    EXPECT_EQ(a[pairs[i].first], b[pairs[i].second]);
    if (i == 0) continue;
    EXPECT_LT(pairs[i - 1].first, pairs[i].first);
    EXPECT_LT(pairs[i - 1].second, pairs[i].second);
  }
}

Numbers random_numbers(std::mt19937& random, std::size_t most, std::uint32_t values) {
  Numbers numbers(random() % (most + 1));
  for (auto& number : numbers) number = random() % values;
  return numbers;
}

TEST(LongestCommon, HasTheLengthOfTheDefinition) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const Numbers a = random_numbers(random, 9, 4), b = random_numbers(random, 9, 4);
    const auto pairs = longest_common(a, b);
    expect_common(a, b, pairs);
    EXPECT_EQ(pairs.size(), length_by_definition(a, b));
  }
}

TEST(LongestCommon, WindowsGiveACommonSubsequence) {
  std::mt19937 random(8);
  for (int i = 0; i < 500; ++i) {
    const Numbers a = random_numbers(random, 60, 5), b = random_numbers(random, 60, 5);
    const auto pairs = longest_common(a, b, 64);
    expect_common(a, b, pairs);
    EXPECT_LE(pairs.size(), longest_common(a, b).size());
  }
}

// 20,000 elements; each side lacks one in a thousand: a window is far longer than the differences.
TEST(LongestCommon, WindowsLoseNothingWhileChangesAreFew) {
  std::mt19937 random(9);
  Numbers a, b;
  std::size_t both = 0;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const auto chance = random() % 2000;
    if (chance != 0) a.push_back(i);
    if (chance != 1) b.push_back(i);
    both += chance > 1 ? 1 : 0;
  }
  const auto pairs = longest_common(a, b);
  expect_common(a, b, pairs);
  EXPECT_EQ(pairs.size(), both);
}

TEST(LongestCommon, NothingInCommon) {
  EXPECT_TRUE(longest_common({}, {}).empty());
  EXPECT_TRUE(longest_common(Numbers{1, 2}, Numbers{3}).empty());
  const Numbers left(5000, 1), right(5000, 2);
  EXPECT_TRUE(longest_common(left, right, 10'000).empty());
}

}  // namespace
}  // namespace sightline::analyses

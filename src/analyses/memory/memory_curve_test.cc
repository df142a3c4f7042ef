// Thinning keeps the least and the most of every stretch.
#include "analyses/memory/memory_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sightline::analyses {

namespace {

TEST(Thinned, FewRowsStayAsTheyAre) {
  const std::vector<Time> time{0, 5, 5};
  const std::vector<std::int64_t> values{3, 1, 2};
  EXPECT_EQ(thinned_rows(time, {values}, 3), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Thinned, AStretchKeepsItsEndsAndBounds) {
  // Two series and 12 rows make 12 / 6 - 1 = 1 stretch: row 0 and 12 are its ends, 3 and 7 bound one series, 5 and 9 the other.
  std::vector<Time> time(13);
  std::vector<std::int64_t> a(13, 10), b(13, 20);
  for (std::size_t i = 0; i < time.size(); ++i) time[i] = static_cast<Time>(i);
  a[3] = 0, a[7] = 99, b[5] = 0, b[9] = 99;
  EXPECT_EQ(thinned_rows(time, {a, b}, 12), (std::vector<std::size_t>{0, 3, 5, 7, 9, 12}));
}

TEST(Thinned, KeepsEveryPeakAndTheLimitOnRows) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<Time> time;
    std::vector<std::int64_t> values;
    Time now = 0;
    for (int i = 0; i < 3000; ++i) {
      time.push_back(now += static_cast<Time>(random() % 50));
      values.push_back(static_cast<std::int64_t>(random() % 100'000));
    }
    const auto kept = thinned_rows(time, {values}, 200);
    EXPECT_LE(kept.size(), 200u);
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    std::vector<std::int64_t> left;
    for (const std::size_t row : kept) left.push_back(values[row]);
    EXPECT_EQ(std::ranges::max(left), std::ranges::max(values));
    EXPECT_EQ(std::ranges::min(left), std::ranges::min(values));
    EXPECT_EQ(kept.front(), 0u);
    EXPECT_EQ(kept.back(), values.size() - 1);
  }
}

}  // namespace
}  // namespace sightline::analyses

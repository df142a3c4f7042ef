// Outliers: by hand, and the critical values against samples.
#include "analyses/ranks/collectives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sightline::analyses {

namespace {

TEST(Outliers, DixonByHand) {
  // 8 figures: (x2 - x1) / (x7 - x1) = (9 - 1) / (11 - 1) = 0.8 > 0.725.
  EXPECT_TRUE(is_least_outlying(std::vector<double>{1, 9, 10, 10, 10, 11, 11, 30}));
  // (9 - 3) / (12 - 3) = 0.667.
  EXPECT_FALSE(is_least_outlying(std::vector<double>{3, 9, 10, 10, 10, 11, 12, 30}));
}

TEST(Outliers, FewOrEqualFiguresAreNeverOutlying) {
  EXPECT_FALSE(is_least_outlying(std::vector<double>{1, 1000}));
  EXPECT_FALSE(is_least_outlying(std::vector<double>{5, 5, 5, 5}));
  EXPECT_TRUE(is_least_outlying(std::vector<double>{1, 1000, 1001}));  // 0.999 > 0.994
}

TEST(Outliers, ManyFiguresByTheirDeviation) {
  std::vector<double> figures(200, 10);
  for (std::size_t i = 0; i < figures.size(); i += 2) figures[i] = 12;  // mean 11, deviation 1
  figures[0] = 9;
  std::sort(figures.begin(), figures.end());
  EXPECT_FALSE(is_least_outlying(figures));
  figures[0] = 7;
  EXPECT_TRUE(is_least_outlying(figures));
}

// Of samples of one normal distribution, 0.5% are taken for outliers.
TEST(Outliers, HalfAPercentOfNormalSamples) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {3U, 7U, 8U, 10U, 11U, 13U, 14U, 30U, 35U, 65U, 100U}) {
    constexpr int kSamples = 20'000;
    int outliers = 0;
    std::vector<double> figures(n);
    for (int i = 0; i < kSamples; ++i) {
      for (double& figure : figures) figure = normal(random);
      std::sort(figures.begin(), figures.end());
      outliers += is_least_outlying(figures);
    }
    EXPECT_NEAR(static_cast<double>(outliers) / kSamples, 0.005, 0.0025) << n;
  }
}

}  // namespace
}  // namespace sightline::analyses

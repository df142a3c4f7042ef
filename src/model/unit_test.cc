
#include "model/unit.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace sightline::model {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> column(Unit unit, const std::vector<double>& values) {
  const Scale scale = choose_scale(unit, values);
  std::vector<std::string> texts{std::string(scale.label)};
  for (const double value : values) texts.push_back(number_in(value, scale));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(NumberText, OneUnitPerColumn) {
  EXPECT_EQ(column(Unit::ns, {1'500'000, 20'000, kNaN, 0}), (Texts{"ms", "1.500", "0.020", "–", "0.000"}));
  EXPECT_EQ(column(Unit::ns, {1, 999}), (Texts{"ns", "1", "999"}));
  EXPECT_EQ(column(Unit::bytes, {1024.0 * 1024 * 512, 1024.0 * 1024}), (Texts{"MiB", "512.00", "1.00"}));
  EXPECT_EQ(column(Unit::count, {1234567, 5}), (Texts{"", "1,234,567", "5"}));
  EXPECT_EQ(column(Unit::id, {1234567}), (Texts{"", "1234567"}));
  EXPECT_EQ(column(Unit::share, {0.4213, 1}), (Texts{"%", "42.1", "100.0"}));
}

TEST(NumberText, ASmallerUnitWhenMostRowsWouldBeAlmostZero) {
  EXPECT_EQ(column(Unit::ns, {2'000'000, 1'000, 1'000, 1'000, 1'000}).front(), "µs");
}

TEST(NumberText, ANumberThatRoundsToZeroIsNotWrittenAsZero) {
  EXPECT_EQ(column(Unit::share, {0.5, 0.00001, -0.00001, 0}), (Texts{"%", "50.0", "<0.1", ">-0.1", "0.0"}));
}

TEST(NumberText, OneValueAlone) {
  EXPECT_EQ(number_alone(12'345'678, Unit::ns), "12.346 ms");
  EXPECT_EQ(number_alone(0.41, Unit::share), "41.0%");
  EXPECT_EQ(number_alone(75'718, Unit::count), "75,718");
  EXPECT_EQ(number_alone(-1234.5, Unit::none), "-1,234.50");
  EXPECT_EQ(number_alone(0.0001234, Unit::none), "0.000123");
  EXPECT_EQ(number_alone(kNaN, Unit::ns), "–");
}

}  // namespace

}  // namespace sightline::model

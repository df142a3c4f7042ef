// Natural order.
#include "base/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sightline::base {

namespace {

TEST(NaturalOrder, NumbersCountAsNumbers) {
  std::vector<std::string> names{"rank10", "rank2", "rank", "rank02", "rank2a", "Rank3", "12345678901234567890123", "9"};
  std::sort(names.begin(), names.end(), natural_less);
  const std::vector<std::string> expected{"9", "12345678901234567890123", "Rank3", "rank", "rank02", "rank2", "rank2a", "rank10"};
  EXPECT_EQ(names, expected);
}

TEST(NaturalOrder, NothingIsLessThanItself) {
  for (const char* name : {"", "a", "1", "01", "a1b02"}) EXPECT_FALSE(natural_less(name, name)) << name;
}

TEST(NaturalOrder, NumbersOfAnyLength) {
  EXPECT_LT(compare_numbers("9", "10"), 0);
  EXPECT_EQ(compare_numbers("007", "7"), 0);
  EXPECT_GT(compare_numbers("100000000000000000000", "99999999999999999999"), 0);
  EXPECT_TRUE(is_number("0"));
  EXPECT_FALSE(is_number(""));
  EXPECT_FALSE(is_number("1a"));
}

}  // namespace

}  // namespace sightline::base

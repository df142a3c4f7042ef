// Times and ids are exact.
#include "formats/common/decimal.h"

#include <gtest/gtest.h>

namespace sightline::formats {

namespace {

TEST(Decimal, MicrosecondsBecomeNanosecondsExactly) {
  EXPECT_EQ(parse_us_as_ns("0"), 0);
  EXPECT_EQ(parse_us_as_ns("12"), 12'000);
  EXPECT_EQ(parse_us_as_ns("12.3"), 12'300);
  EXPECT_EQ(parse_us_as_ns("12.034"), 12'034);
  // As a double this time has a step of 256 ns.
  EXPECT_EQ(parse_us_as_ns("1712195495508487.739"), 1'712'195'495'508'487'739);
  EXPECT_EQ(parse_us_as_ns("-1.5"), -1'500);
  EXPECT_EQ(parse_us_as_ns("\"7.25\""), 7'250);
}

TEST(Decimal, MoreThanThreeDecimalsRoundHalfAwayFromZero) {
  EXPECT_EQ(parse_us_as_ns("1.0004"), 1'000);
  EXPECT_EQ(parse_us_as_ns("1.0005"), 1'001);
  EXPECT_EQ(parse_us_as_ns("-1.0005"), -1'001);
  EXPECT_EQ(parse_us_as_ns("0.99999999999999999999"), 1'000);
}

TEST(Decimal, ExponentsAreExact) {
  EXPECT_EQ(parse_us_as_ns("1.5e3"), 1'500'000);
  EXPECT_EQ(parse_us_as_ns("25e-1"), 2'500);
  EXPECT_EQ(parse_us_as_ns("1E+2"), 100'000);
}

TEST(Decimal, RefusesOtherTexts) {
  for (const char* text :
       {"", "NaN", "N/A", "null", "1.2.3", "--1", "1e", "inf", "true", "1e300", "3000000000000001", "99999999999999999999"}) {
    EXPECT_EQ(parse_us_as_ns(text), std::nullopt) << text;
  }
}

TEST(Decimal, Keeps64BitIds) {
  EXPECT_EQ(parse_integer("9007199254740993"), 9'007'199'254'740'993);  // 2^53 + 1
  EXPECT_EQ(parse_integer("-5"), -5);
  EXPECT_EQ(parse_integer("\"42\""), 42);
  EXPECT_EQ(parse_integer("3.0"), 3);
  EXPECT_NE(parse_integer("18446744073709551615"), parse_integer("18446744073709551614"));
  EXPECT_EQ(parse_integer("x"), std::nullopt);
}

}  // namespace
}  // namespace sightline::formats

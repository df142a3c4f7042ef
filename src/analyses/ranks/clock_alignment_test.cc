// Clocks of ranks: copies of one recording whose clocks are shifted by a known time are put back by it; and what is refused.
#include "analyses/ranks/clock_alignment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/ranks.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// A rank as text. Its collectives end `early[k]` ns before those of the others do (noise), on a clock that is `ahead` ns, and
// `drift` ns per ms, ahead of the true time.
struct Made {
  std::int64_t rank = 0, ahead = 0, drift = 0;
  std::vector<std::int64_t> noise = {};
  bool numbered = true;
  std::size_t skip = 0;  // collectives at the beginning that it did not record
  std::string head = {};
  std::string kind = "all_reduce";
  std::string group = "group=0 ranks=all n=2";
  Time every = 1'000'000;
  std::size_t count = 12;
  Time length = 100'000;
  bool regular = false;
};

std::string text_of(const Made& made) {
  std::string text = made.head + "\nrank " + std::to_string(made.rank) + " of 4\nstream 7: ";
  for (std::size_t k = made.skip; k < made.count; ++k) {
    // True ends: not at equal distances, so that no other order of them fits.
    const auto i = static_cast<Time>(k);
    const Time end = made.every * (i + 1) + (made.regular ? 0 : (i * i * 7919 % 97) * 3000);
    const Time own = end + made.ahead + end / 1'000'000 * made.drift + (k < made.noise.size() ? made.noise[k] : 0);
    if (k > made.skip) text += ", ";
    text += std::to_string(own - made.length) + "-" + std::to_string(own) + " collective c [coll=" + made.kind + " " +
            made.group + (made.numbered ? " seq=" + std::to_string(k) : "") + " in=64]";
  }
  return text;
}

std::vector<RankSummaryPtr> ranks_of(const std::vector<Made>& made) {
  std::vector<RankSummaryPtr> ranks;
  for (const Made& one : made) ranks.push_back(rank_of("r" + std::to_string(one.rank), text_of(one)));
  return ranks;
}

std::vector<RankClock> clocks_of(const std::vector<Made>& made, std::uint32_t reference = 0) {
  const std::vector<RankSummaryPtr> ranks = ranks_of(made);
  return align_clocks(ranks, match_collectives(ranks), reference);
}

TEST(ClockAlignment, AShiftedCopyIsPutBackExactly) {
  const auto clocks = clocks_of({{.rank = 0}, {.rank = 1, .ahead = 11'560'000'000}});
  ASSERT_EQ(clocks[1].rule, ClockRule::collective_ends);
  EXPECT_EQ(clocks[1].offset, 11'560'000'000);
  EXPECT_EQ(clocks[1].spread, 0);
  EXPECT_EQ(clocks[1].ends, 12);
  EXPECT_TRUE(std::isnan(clocks[1].drift)) << "12 ms are too short for a drift";
  EXPECT_EQ(clocks[1].on_axis(11'560'000'123), 123);
}

TEST(ClockAlignment, NoiseIsTheSpreadAndTheMedianIsInIt) {
  // Noise -20, 0, 20, 0, -20 ... us: median 0, quartiles at -5 and 5 by interpolation or nearer.
  const auto clocks =
      clocks_of({{.rank = 0},
                 {.rank = 1, .ahead = 5'000'000, .noise = {-20'000, 0, 20'000, 0, 900'000, -20'000, 0, 20'000, 0, 0, 20'000}}});
  ASSERT_TRUE(clocks[1].is_known());
  EXPECT_LE(std::abs(clocks[1].offset - 5'000'000), clocks[1].spread);
  EXPECT_LE(clocks[1].spread, 40'000) << "one late end of 900 us does not matter";
}

TEST(ClockAlignment, TheReferenceMayBeAnyRank) {
  const auto clocks = clocks_of({{.rank = 0}, {.rank = 1, .ahead = 700}}, 1);
  EXPECT_EQ(clocks[1].rule, ClockRule::reference);
  EXPECT_EQ(clocks[0].offset, -700);
}

TEST(ClockAlignment, ADriftOverALongSpanIsRecovered) {
  // 12 s; the clock gains 20 ns each ms (20 ppm), so its ends differ by 0 to 240 us: without the slope they would be refused.
  const Made base{.rank = 0, .every = 300'000'000, .count = 40};
  Made drifting = base;
  drifting.rank = 1;
  drifting.ahead = 40'000'000;
  drifting.drift = 20;
  const auto clocks = clocks_of({base, drifting});
  ASSERT_EQ(clocks[1].rule, ClockRule::collective_ends) << std::string(clocks[1].why);
  EXPECT_NEAR(clocks[1].drift * 1e6, 20, 0.1);
  for (const Time end : std::vector<Time>{300'000'000, 3'000'000'000, 11'000'000'000}) {
    const Time own = end + 40'000'000 + end / 1'000'000 * 20;
    EXPECT_NEAR(static_cast<double>(clocks[1].on_axis(own) - end), 0, 1000);
  }
}

TEST(ClockAlignment, RanksWithoutACommonCollectiveAreReachedThroughOthers) {
  // 0 and 1 are a group, 1 and 2 are another one.
  const std::vector<RankSummaryPtr> ranks = {
      rank_of("r0", text_of({.rank = 0, .group = "group=a ranks=01 n=2"})),
      rank_of("r1", text_of({.rank = 1, .ahead = 1000, .group = "group=a ranks=01 n=2"}) +
                        text_of({.rank = 1, .ahead = 1000, .group = "group=b ranks=12 n=2"}).substr(12)),
      rank_of("r2", text_of({.rank = 2, .ahead = 5000, .group = "group=b ranks=12 n=2"}))};
  const auto clocks = align_clocks(ranks, match_collectives(ranks));
  ASSERT_TRUE(clocks[2].is_known()) << std::string(clocks[2].why);
  EXPECT_EQ(clocks[2].offset, 5000);
  EXPECT_EQ(clocks[2].through, 1u);
}

// ---- one host ----

TEST(ClockAlignment, RanksOfAHostHaveOneClockWhenTheirCollectivesAgree) {
  const std::string host = "host node7\norigin 1000000000";
  // Their Time 0 differ by 5 us, which the Unix times state; ends differ by 20 us, within 50 us.
  const auto clocks =
      clocks_of({{.rank = 0, .head = host}, {.rank = 1, .ahead = 15'000, .head = "host node7\norigin 1000005000"}});
  EXPECT_EQ(clocks[1].rule, ClockRule::one_clock);
  EXPECT_EQ(clocks[1].offset, 0);
  EXPECT_EQ(clocks[1].origin, 5'000);
  EXPECT_EQ(clocks[1].on_axis(100), 5'100);
}

TEST(ClockAlignment, ClearEndsWinOverTheHostName) {
  const std::string host = "host node7\norigin 1000000000";
  const auto clocks = clocks_of({{.rank = 0, .head = host}, {.rank = 1, .ahead = 3'000'000, .head = host}});
  EXPECT_EQ(clocks[1].rule, ClockRule::collective_ends);
  EXPECT_EQ(clocks[1].offset, 3'000'000);
}

TEST(ClockAlignment, WithoutACollectiveTheHostIsEnough) {
  const std::string host = "host node7\norigin 1000000000";
  const std::vector<RankSummaryPtr> ranks = {rank_of("a", host + "\nstream 7: 0-5 k"), rank_of("b", host + "\nstream 7: 0-5 k")};
  const auto clocks = align_clocks(ranks, match_collectives(ranks));
  EXPECT_EQ(clocks[1].rule, ClockRule::one_clock);
  EXPECT_TRUE(std::isnan(clocks[1].spread)) << "nothing measures it";
}

// ---- refusals ----

std::string why(const std::vector<RankClock>& clocks) {
  EXPECT_FALSE(clocks[1].is_known());
  EXPECT_TRUE(std::isnan(clocks[1].offset));
  return clocks[1].why;
}

TEST(ClockAlignment, FewerThanFiveEndsAreRefused) {
  EXPECT_EQ(why(clocks_of({{.rank = 0, .count = 4}, {.rank = 1, .count = 4}})),
            "4 of the collectives that end together are matched with another rank; 5 are needed");
}

TEST(ClockAlignment, EndsThatDifferTooMuchAreRefused) {
  // Differences of 0 and 80 us alternate: quartiles 0 and 80 us; the limit is 50 us, as 5% of 100 us are less.
  std::vector<std::int64_t> noise;
  for (int i = 0; i < 12; ++i) noise.push_back(i % 2 * 80'000);
  EXPECT_EQ(why(clocks_of({{.rank = 0}, {.rank = 1, .noise = noise}})),
            "the ends of 12 matched collectives differ by 80.0 µs (interquartile range), more than the limit of 50.0 µs");
  // Of collectives of 2 ms, 5% are 100 us.
  EXPECT_TRUE(clocks_of({{.rank = 0, .every = 5'000'000, .length = 2'000'000},
                         {.rank = 1, .noise = noise, .every = 5'000'000, .length = 2'000'000}})[1]
                  .is_known());
}

TEST(ClockAlignment, BroadcastsDoNotSay) {
  EXPECT_EQ(why(clocks_of({{.rank = 0, .kind = "broadcast"}, {.rank = 1, .kind = "broadcast"}})),
            "no collective that ends on all its ranks together is matched with another rank");
}

// ---- without numbers: the k-th of one rank may be the (k+1)-th of another ----

TEST(ClockAlignment, ARecordingThatBeganLaterIsMatchedByTheShiftThatFits) {
  const auto clocks = clocks_of({{.rank = 0, .numbered = false}, {.rank = 1, .ahead = 4000, .numbered = false, .skip = 1}});
  ASSERT_EQ(clocks[1].rule, ClockRule::order_of_ends) << std::string(clocks[1].why);
  EXPECT_EQ(clocks[1].offset, 4000);
  EXPECT_EQ(clocks[1].ends, 11);
}

TEST(ClockAlignment, EquallyManyWithoutNumbersMayStillBeOffByOne) {
  // Both have 11: one lacks the first, the other the last. The k-th of one is not the k-th of the other.
  const auto clocks =
      clocks_of({{.rank = 0, .numbered = false, .count = 11}, {.rank = 1, .ahead = 4000, .numbered = false, .skip = 1}});
  ASSERT_TRUE(clocks[1].is_known()) << std::string(clocks[1].why);
  EXPECT_EQ(clocks[1].offset, 4000);
}

TEST(ClockAlignment, RegularCollectivesWithoutNumbersAreRefused) {
  EXPECT_EQ(why(clocks_of(
                {{.rank = 0, .numbered = false, .regular = true}, {.rank = 1, .numbered = false, .skip = 1, .regular = true}})),
            "its collectives carry no number, and more than one order of them fits those of the reference");
}

// ---- transfers only check ----

TEST(ClockAlignment, ATransferThatEndsBeforeItBeginsContradicts) {
  const auto with_transfer = [](const Made& made, const char* transfer) {
    return rank_of("r" + std::to_string(made.rank), text_of(made) + "\nstream 9: " + transfer);
  };
  const std::vector<RankSummaryPtr> ranks = {
      with_transfer({.rank = 0},
                    "500000-600000 collective s [coll=send group=p ranks=01 n=2 seq=1], 700000-800000 collective s "
                    "[coll=send group=p ranks=01 n=2 seq=2]"),
      with_transfer({.rank = 1},
                    "300000-400000 collective r [coll=receive group=p ranks=01 n=2 seq=1], 700000-810000 collective r "
                    "[coll=receive group=p ranks=01 n=2 seq=2]")};
  const auto clocks = align_clocks(ranks, match_collectives(ranks));
  EXPECT_EQ(clocks[1].checked, 2);
  EXPECT_EQ(clocks[1].violated, 1);
}

TEST(ClockAlignment, TheTableOfDistributed) {
  const Report report = run_ranks(ranks_of({{.rank = 0}, {.rank = 1, .ahead = 2500}}));
  EXPECT_EQ(rows_text(report, "clocks", {"worker", "offset", "spread", "ends", "rule", "through"}),
            "r0 0 0 0 Reference -\n"
            "r1 2500 0 12 Ends of collectives r0\n");
}

}  // namespace
}  // namespace sightline::analyses

// Advice from several ranks: each rule on both sides of its threshold.
#include "analyses/advice/rank_advice.h"

#include <gtest/gtest.h>

#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::vector<Advice> rank_advice(const std::vector<std::string>& texts) {
  std::vector<RankSummaryPtr> ranks;
  for (const std::string& text : texts) {
    ranks.push_back(std::make_shared<const RankSummary>(summarise_rank(*text_profile(text), "w" + std::to_string(ranks.size()))));
  }
  Distributed all{.ranks = ranks, .match = match_collectives(ranks), .times = {}, .step = {}};
  all.times = times_of_ranks(ranks, all.match);
  return advise_ranks(all);
}

std::string advised(std::string_view id, const std::vector<std::string>& texts) {
  for (const Advice& advice : rank_advice(texts)) {
    if (advice.id == id) return advice.evidence;
  }
  return "";
}

TEST(RankAdvice, SlowRanks) {
  // Steps of 100: computing 50 and 55 (5 of 100), communicating 20 and 20, neither 30 and 25.
  const std::string a = "thread 1: 0-100 step 1\nstream 7: 0-50 k\nstream 8: 50-70 collective r [coll=all_reduce seq=1]";
  const auto b = [](int end) {
    return "thread 1: 0-100 step 1\nstream 7: 0-" + std::to_string(end) +
           " k\nstream 8: 70-90 collective r [coll=all_reduce seq=1]";
  };
  EXPECT_EQ(advised("slow_computing", {a, b(55)}), "");
  EXPECT_EQ(advised("slow_computing", {a, b(56)}),
            "w1 takes 56 ns a step, w0 takes 50 ns: 6 ns more, 6.0% of the mean step (100 ns).");
  EXPECT_EQ(advised("slow_host", {a, b(56)}),
            "w0 takes 30 ns a step, w1 takes 24 ns: 6 ns more, 6.0% of the mean step (100 ns).");
  EXPECT_EQ(advised("slow_communicating", {a, b(56)}), "");
  EXPECT_EQ(advised("slow_computing", {b(56)}), "");
}

TEST(RankAdvice, SlowRanksAsStatedWhereThereAreNoSlices) {
  const auto of = [](int computing) {
    return "sums 5: Computing " + std::to_string(computing) + ", Overlapped 0, Communication(Not Overlapped) 30, Free 10";
  };
  EXPECT_EQ(advised("slow_computing", {of(60), of(66)}),
            "w1 takes 66 ns a step, w0 takes 60 ns: 6 ns more, 5.8% of the mean step (103 ns), by the sums in the files.");
}

TEST(RankAdvice, UnevenComputingThatIsASmallPartOfTheStep) {
  // Steps of 1000: computing 100 and 110 (9.5% of the mean), or 100 and 112 (11.3% of the mean, 1.2% of the step).
  const auto of = [](int computing) { return "thread 1: 0-1000 step 1\nstream 7: 0-" + std::to_string(computing) + " k"; };
  EXPECT_EQ(advised("slow_computing", {of(100), of(110)}), "");
  EXPECT_EQ(advised("slow_computing", {of(100), of(112)}),
            "w1 takes 112 ns a step, w0 takes 100 ns: 12 ns more, 1.2% of the mean step (1.00 \u00b5s).");
  EXPECT_EQ(advised("slow_host", {of(100), of(112)}), "");
}

TEST(RankAdvice, WaitingInCollectives) {
  const auto of = [](int start, const char* also = "") {
    return "thread 1: 0-100 step 1\nstream 8: " + std::to_string(start) +
           "-60 collective r [coll=all_reduce group=g n=2 seq=1]\n" + also;
  };
  EXPECT_EQ(advised("waiting_in_collectives", {of(45), of(50)}), "");
  EXPECT_EQ(advised("waiting_in_collectives", {of(44), of(50)}),
            "w0 waits in collectives for 6 ns a step (6.0% of the step). All of this waiting is for w1, which arrives last. A "
            "rank idles longer "
            "than the others: w1 takes 90 ns a step, w0 takes 84 ns: 6 ns more, 6.0% of the mean step (100 ns).");
  EXPECT_EQ(advised("slow_host", {of(44), of(50)}), "") << "the same cause";
  EXPECT_EQ(
      advised("waiting_in_collectives", {of(45, "communication r_1 [step=1 elapsed=15 transit=9]"), of(50)}),
      "w0 is in collectives for 15 ns a step; data moves for only 9 ns of it, by the sums in its files. It waits 5 ns of that "
      "for w1, which comes last.");
  EXPECT_EQ(
      advised("waiting_in_collectives", {"rank 0 of 8\n" + of(44), "rank 1 of 8\n" + of(50)}),
      "w0 waits in collectives for 6 ns a step (6.0% of the step). All of this waiting is for w1, which arrives last. 2 of the "
      "job's 8 ranks were recorded. A rank idles longer than the others: w1 takes 90 ns a step, w0 takes 84 ns: 6 ns more, 6.0% "
      "of "
      "the mean step (100 ns).");
}

// Four ranks in one all-reduce for 100, 101, 102, and rank 0 for `length`.
std::vector<std::string> four(int length) {
  std::vector<std::string> texts;
  for (const int time : {length, 100, 101, 102}) {
    texts.push_back("thread 1: 0-300 step 1\nstream 7: " + std::to_string(200 - time) +
                    "-200 collective r [coll=all_reduce group=g n=4 seq=1]");
  }
  return texts;
}

TEST(RankAdvice, LateRank) {
  // (100 - 40) / (102 - 40) = 0.968 > 0.926; (100 - 90) / (102 - 90) = 0.83.
  EXPECT_EQ(advised("late_rank", four(90)), "");
  EXPECT_EQ(advised("late_rank", four(40)),
            "w0 arrived later than chance explains in 1 collective (some rank did in 1): its time in these is an outlier below "
            "the times of the other ranks.");
  std::vector<std::string> three = four(40);
  three.pop_back();
  EXPECT_EQ(advised("late_rank", three), "");  // not all ranks of the group
}

TEST(RankAdvice, SlowLink) {
  const auto of = [](int bytes) {
    return "communication ar_1 [elapsed=9]\ntransfer RDMA [of=ar_1 bytes=" + std::to_string(bytes) + " time=1000]";
  };
  EXPECT_EQ(advised("slow_link", {of(20000), of(20500)}), "");
  EXPECT_EQ(advised("slow_link", {of(20000), of(22000)}),
            "Between nodes (RDMA): 21.00 GB/s on average, 22.00 GB/s for w1 and 20.00 GB/s for w0, 9.5% of the average apart.");
}

TEST(RankAdvice, Retransmission) {
  const auto of = [](const char* elapsed, const char* transit) {
    return std::string("communication ar_1 [step=5 group=g elapsed=") + elapsed + " transit=" + transit +
           "]\ntransfer RDMA [of=ar_1 bytes=1 time=1]";
  };
  EXPECT_EQ(advised("retransmission", {of("4000000001", "4000000001"), of("4000000000", "1")}), "");
  EXPECT_EQ(advised("retransmission", {of("4000000001", "4000000000"), of("4000000001", "1")}), "");
  EXPECT_EQ(advised("retransmission", {of("5000000000", "4200000000"), of("4000000001", "1")}),
            "ar_1 took 5.00 s on every available rank, 4.20 s of that to move data: above the 4.00 s after which a network card "
            "sends a "
            "packet again.");
}

// That a rank comes late has a medium severity and no known gain: it is below a low one with a gain.
TEST(RankAdvice, TheLargestGainIsFirst) {
  std::vector<std::string> texts = four(40);
  for (std::string& text : texts) text.replace(text.find("0-300"), 5, "0-900");
  const std::vector<Advice> found = rank_advice(texts);
  ASSERT_GE(found.size(), 2);
  EXPECT_EQ(found.front().severity, Advice::Level::low);
  EXPECT_EQ(found.back().id, "late_rank");
  EXPECT_EQ(found.back().severity, Advice::Level::medium);
}

TEST(RankAdvice, EveryRuleHasItsCondition) {
  for (const RankAdviceRule& rule : rank_advice_rules()) EXPECT_FALSE(rule.when.empty()) << rule.id;
}

}  // namespace
}  // namespace sightline::analyses

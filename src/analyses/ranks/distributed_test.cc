// The view across ranks: the collectives of a worker, which belong together, which rank waits for which; two ranks by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "analyses/ranks/collectives.h"
#include "analyses/ranks/distributed_tables.h"
#include "analyses/ranks/rank_summary.h"
#include "analyses/ranks/roles.h"
#include "tests/support/ranks.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::string notes_text(const Report& report) {
  std::string text;
  for (const Note& note : report.notes) text += note.text + "\n";
  return text;
}

// Two ranks of two steps. Rank 0 is in the first all-reduce for 40 (40-80), rank 1 for 20 (its clock runs 1000 ahead):
// data moves for 20, rank 0 waits 20, for rank 1. In the second it is the other way round: 30 and 50, rank 1 waits 20.
const char* const kRank0 = R"(
  rank 0 of 2
  device 0: Big GPU [memory=16000 cc=9.0 cores=132]
  thread 1: 0-100 step 1, 5-10 runtime l [corr=1], 25-30 runtime l [corr=2], 100-200 step 2, 105-110 runtime l [corr=3], 115-120 runtime l [corr=4]
  stream 7: 20-60 gemm [corr=1], 110-130 gemm [corr=3]
  stream 13: 40-80 collective ar [corr=2 coll=all_reduce group=0 about=world ranks=01 n=2 seq=7 in=4000 out=4000], 150-180 collective ar [corr=4 coll=all_reduce group=0 about=world ranks=01 n=2 seq=8 in=4000 out=4000]
)";
const char* const kRank1 = R"(
  rank 1 of 2
  device 0: Big GPU [memory=16000 cc=9.0 cores=132]
  thread 1: 1000-1100 step 1, 1005-1010 runtime l [corr=1], 1025-1030 runtime l [corr=2], 1100-1200 step 2, 1105-1110 runtime l [corr=3], 1115-1120 runtime l [corr=4]
  stream 7: 1020-1070 gemm [corr=1], 1110-1120 gemm [corr=3]
  stream 13: 1060-1080 collective ar [corr=2 coll=all_reduce group=0 about=world ranks=01 n=2 seq=7 in=4000 out=4000], 1130-1180 collective ar [corr=4 coll=all_reduce group=0 about=world ranks=01 n=2 seq=8 in=4000 out=4000]
)";

std::vector<RankSummaryPtr> two_ranks() { return {rank_of("node_11", kRank1), rank_of("node_10", kRank0)}; }

RankSummaryPtr in_role(const char* role, const RankSummaryPtr& rank) {
  RankSummary made = *rank;
  made.role = role;
  return std::make_shared<const RankSummary>(std::move(made));
}

// The same two ranks in two roles: each all-reduce is one of two ranks, and not of four.
TEST(Collectives, AreMatchedInsideARole) {
  std::vector<RankSummaryPtr> ranks;
  for (const char* role : {"rollout", "actor"}) {
    for (const RankSummaryPtr& rank : two_ranks()) ranks.push_back(in_role(role, rank));
  }
  ranks = by_rank(ranks);
  const CollectiveMatch match = match_collectives(ranks);
  EXPECT_EQ(match.matched.size(), 4U);
  EXPECT_EQ(match.members.size(), 8U);
  for (const MatchedCollective& one : match.matched) {
    const auto members = match.of(one);
    ASSERT_EQ(members.size(), 2U);
    EXPECT_EQ(ranks[members[0].rank]->role, ranks[members[1].rank]->role);
  }
  EXPECT_EQ(roles_of(ranks), (std::vector<std::string>{"actor", "rollout"}));
  EXPECT_EQ(ranks[1]->role, "actor");
  EXPECT_EQ(ranks[1]->rank, 1);
  EXPECT_EQ(world_size_of(ranks), 4);
}

TEST(Distributed, PartsOfAStepSumToIt) {
  // Step 1 of rank 0: computing 20-60, communicating 40-80: 20 alone, 20 both, 20 alone, 40 neither.
  const Report report = run_ranks(two_ranks(), {{"step", "1"}});
  EXPECT_EQ(rows_text(report, "workers", {"worker", "rank", "computation", "overlap", "communication", "other", "total"}),
            "node_10 0 20 20 20 40 100\n"
            "node_11 1 40 10 10 40 100\n");
  EXPECT_EQ(report.scope, "2 workers, step 1");
}

TEST(Distributed, WithoutAStepShowsMeansOverSteps) {
  // Step 2: rank 0 computes 110-130, communicates 150-180; rank 1 1110-1120 and 1130-1180.
  const Report report = run_ranks(two_ranks());
  EXPECT_EQ(rows_text(report, "workers", {"worker", "computation", "overlap", "communication", "other", "total", "steps"}),
            "node_10 20 10 25 45 100 2\n"
            "node_11 25 5 30 40 100 2\n");
  EXPECT_EQ(report.scope, "2 workers, mean over steps 1-2");
}

TEST(Distributed, OthersWaitForTheRankWithTheShortestTimeInACollective) {
  const Report report = run_ranks(two_ranks());
  EXPECT_EQ(rows_text(report, "worker_steps", {"worker", "step", "transfer", "waiting", "unmatched", "caused", "delay", "last"}),
            "node_10 1 20 20 0 0 0 0\n"
            "node_10 2 30 0 0 20 20 1\n"
            "node_11 1 20 0 0 20 20 1\n"
            "node_11 2 30 20 0 0 0 0\n");
  EXPECT_EQ(rows_text(report, "waits",
                      {"kind", "group", "sequence", "step", "worker", "waited", "longest", "delay", "transfer", "ranks"}),
            "all_reduce 0 8 2 node_10 20 20 20 30 2\n"
            "all_reduce 0 7 1 node_11 20 20 20 20 2\n");
}

TEST(Distributed, CollectivesByWorkerAndBandwidthBySize) {
  // Sizes 2 x 4000; latency 40 + 30 and 20 + 50; transfer 20 + 30 on both.
  const Report report = run_ranks(two_ranks());
  EXPECT_EQ(rows_text(report, "operations",
                      {"name", "worker", "group", "calls", "size", "size_mean", "latency", "latency_mean", "transfer",
                       "transfer_mean", "waiting", "matched"}),
            "all_reduce node_10 world 2 8000 4000 70 35 50 25 20 2\n"
            "all_reduce node_11 world 2 8000 4000 70 35 50 25 20 2\n");
  // 8000 bytes in 50 ns: 160 GB/s; of two ranks the bus carries 2 x (2-1)/2 = 1 of that. The fastest: 4000 in 20: 200 GB/s.
  EXPECT_EQ(rows_text(report, "bandwidth",
                      {"kind", "group", "ranks", "size", "collectives", "transfer_mean", "waited_mean", "algorithm_bandwidth",
                       "bus_bandwidth", "best_bus_bandwidth"}),
            "all_reduce world 2 4000 2 25 10 160000000000 160000000000 200000000000\n");
}

TEST(Distributed, NodesProcessesAndDevices) {
  const Report report = run_ranks(two_ranks());
  EXPECT_EQ(
      rows_text(report, "hierarchy", {"name", "parent", "worker", "rank", "device", "memory", "compute_capability", "cores"}),
      "node - - - - - - -\n"
      "Process 10 0 node_10 0 - - - -\n"
      "Device 0 1 node_10 0 Big GPU 16000 9.0 132\n"
      "Process 11 0 node_11 1 - - - -\n"
      "Device 0 3 node_11 1 Big GPU 16000 9.0 132\n");
}

TEST(Distributed, OneWorkerReportsWhatIsMissing) {
  const Report report = run_ranks({rank_of("w", kRank0)});
  EXPECT_EQ(rows_text(report, "workers", {"computation", "overlap", "transfer", "waiting", "unmatched", "caused"}),
            "20 10 - - 35 -\n");
  EXPECT_EQ(rows_text(report, "bandwidth", {"kind"}), "");
  EXPECT_EQ(notes_text(report).substr(0, 24), "This span has one worker");
}

TEST(Distributed, TheErrorForAnUnknownStepListsTheKnownOnes) {
  EXPECT_EQ(try_ranks(two_ranks(), {{"step", "9"}}).error().message, "no step 9 in any worker; its steps are 1, 2");
  EXPECT_EQ(try_ranks(two_ranks(), {{"step", "x"}}).error().message, "'step' must be a number or empty, not 'x'");
}

// ---- the collectives of a worker ----

std::string collectives_text(std::string_view text) {
  const RankSummary rank = summarise_rank(*text_profile(text), "w");
  std::string all;
  for (const RankCollective& one : rank.collectives) {
    all += std::to_string(one.interval.start) + "-" + std::to_string(one.interval.end) + " " + rank.texts[one.name] + "\n";
  }
  return all;
}

TEST(RankSummary, HostRangesCountOnlyForGroupsThatAreNotOnTheDevice) {
  EXPECT_EQ(collectives_text("thread 1: 0-10 comm a [coll=barrier], 2-8 comm b [coll=broadcast]"), "0-10 barrier\n");
  EXPECT_EQ(collectives_text(R"(
    thread 1: 0-10 comm a [coll=barrier group=cpu], 12-20 comm b [coll=all_reduce group=0]
    stream 7: 15-40 collective k [coll=all_reduce group=0]
  )"),
            "0-10 barrier\n15-40 all_reduce\n");
  EXPECT_EQ(collectives_text(R"(
    thread 1: 0-10 comm a [coll=barrier], 12-20 comm b [coll=all_reduce group=0]
    stream 7: 15-40 collective k [coll=all_reduce]
  )"),
            "15-40 all_reduce\n");
}

TEST(RankSummary, WithoutKernelsTheHostComputes) {
  const RankSummary rank = summarise_rank(*text_profile("thread 1: 0-100 op a\nthread 2: 50-80 comm c [coll=all_reduce]"), "w");
  ASSERT_EQ(rank.steps.size(), 1u);
  EXPECT_EQ(rank.steps[0].computation, 70);
  EXPECT_EQ(rank.steps[0].overlap, 30);
  EXPECT_FALSE(rank.has_recorded_steps);
}

// ---- which belong together ----

// "0:40 1:20 | ..." by matched collective: rank and time in it.
std::string match_text(const std::vector<RankSummaryPtr>& ranks) {
  const CollectiveMatch match = match_collectives(ranks);
  std::string text;
  for (const MatchedCollective& one : match.matched) {
    text += text.empty() ? "" : " | ";
    for (const CollectiveMember& m : match.of(one)) {
      text += (text.empty() || text.ends_with("| ") ? "" : " ") + std::to_string(m.rank) + ":" +
              std::to_string(ranks[m.rank]->collectives[m.index].interval.length());
    }
  }
  return text + (match.unmatched() == 0 ? ""
                                        : " alone " + std::to_string(match.alone) + " unequal " + std::to_string(match.unequal) +
                                              " p2p " + std::to_string(match.point_to_point));
}

TEST(CollectiveMatch, BySequenceNumberThoughOneRankBeganEarlier) {
  const auto a = rank_of(
      "a", "stream 7: 0-1 collective k [coll=all_reduce group=0 seq=1], 10-12 collective k [coll=all_reduce group=0 seq=2]");
  const auto b = rank_of("b", "stream 7: 0-3 collective k [coll=all_reduce group=0 seq=2]");
  EXPECT_EQ(match_text({a, b}), "0:2 1:3 alone 1 unequal 0 p2p 0");
}

TEST(CollectiveMatch, GroupsOfOneNameButOtherRanksStaySeparate) {
  const auto of = [](const char* ranks, int length) {
    return rank_of("w",
                   "stream 7: 0-" + std::to_string(length) + " collective k [coll=all_reduce group=1 seq=1 ranks=" + ranks + "]");
  };
  EXPECT_EQ(match_text({of("01", 1), of("01", 2), of("23", 3), of("23", 4)}), "0:1 1:2 | 2:3 3:4");
}

TEST(CollectiveMatch, ByOrderAmongEqualKindsAndSizesOfAStep) {
  const auto a = rank_of("a", R"(
    thread 1: 0-50 step 1, 50-100 step 2
    stream 7: 0-1 collective k [coll=all_reduce in=8], 2-4 collective k [coll=all_reduce in=16], 10-13 collective k [coll=broadcast in=8], 60-64 collective k [coll=all_reduce in=8]
  )");
  const auto b = rank_of("b", R"(
    thread 1: 0-50 step 1, 50-100 step 2
    stream 7: 0-5 collective k [coll=all_reduce in=16], 6-12 collective k [coll=all_reduce in=8], 20-27 collective k [coll=broadcast in=8], 60-68 collective k [coll=all_reduce in=8], 70-79 collective k [coll=all_reduce in=8]
  )");
  EXPECT_EQ(match_text({a, b}), "0:1 1:6 | 0:2 1:5 | 0:3 1:7 alone 0 unequal 3 p2p 0");
}

TEST(CollectiveMatch, SendsAndReceivesInPairsOnly) {
  const auto a =
      rank_of("a", "stream 7: 0-1 collective k [coll=send group=p n=2 seq=1], 5-7 collective k [coll=send group=w n=4 seq=1]");
  const auto b = rank_of("b", "stream 7: 0-3 collective k [coll=receive group=p n=2 seq=1]");
  EXPECT_EQ(match_text({a, b}), "0:1 1:3 alone 0 unequal 0 p2p 1");
}

TEST(CollectiveMatch, ReportsMissingRanks) {
  const auto of = [] { return rank_of("w", "stream 7: 0-5 collective k [coll=all_reduce group=0 n=4 seq=1]"); };
  const CollectiveMatch match = match_collectives(std::vector{of(), of()});
  ASSERT_EQ(match.matched.size(), 1u);
  EXPECT_TRUE(match.matched[0].partial);
}

TEST(CollectiveMatch, BusFactorsAndMessageSizes) {
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_reduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::broadcast, 8), 1);
  EXPECT_TRUE(std::isnan(bus_factor(CollectiveKind::barrier, 8)));
  EXPECT_TRUE(std::isnan(bus_factor(CollectiveKind::all_reduce, 1)));
  RankCollective one{.interval = {}, .kind = CollectiveKind::all_gather};
  one.in_bytes = 10;
  EXPECT_EQ(message_bytes(one, 4), 40);
  one.out_bytes = 44;
  EXPECT_EQ(message_bytes(one, 4), 44);
  one.kind = CollectiveKind::reduce_scatter;
  EXPECT_EQ(message_bytes(one, 4), 10);
}

}  // namespace
}  // namespace sightline::analyses

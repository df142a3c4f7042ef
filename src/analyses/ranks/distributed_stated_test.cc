// Stated figures across ranks: two ranks by hand, without slices.
#include "analyses/ranks/distributed_stated.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyses/ranks/rank_summary.h"
#include "tests/support/ranks.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// Two steps. In step 5, rank 0 is in ar_1 for 100: 40 moving data, 50 waiting (10 of them before any moved), so 10 idle.
const char* const kStatedRank0 = R"(
  rank 0 of 2
  sums 5: Computing 60, Overlapped 20, Communication(Not Overlapped) 30, Communication 50, Free 10
  sums 6: Computing 40, Overlapped 0, Communication(Not Overlapped) 50, Communication 50, Free 10
  communication ar_1 [step=5 group=g start=0 elapsed=100 transit=40 wait=50 sync=10]
  communication ar_2 [step=6 group=g start=200 elapsed=50 transit=50 wait=0 sync=0]
  transfer HCCS [of=ar_1 bytes=40000000 time=40 packets=2x16000000=32;1x8000000=8]
  transfer RDMA [of=ar_1 bytes=2000000 time=2 packets=2x1000000=2]
  transfer HCCS [of=ar_2 bytes=20000000 time=40]
  transfer HCCS [of=ar-total step=5 group=g ranks=[4,12] from=0 to=1 bytes=40 time=40]
  transfer HCCS [of=ar-top1 step=5 group=g ranks=[4,12] from=0 to=1 bytes=30 time=10]
  transfer LOCAL [of=ar-total step=5 group=g ranks=[4,12] from=0 to=0 bytes=40 time=1]
  transfer RDMA [of=send_1 step=5 group=h from=0 to=3 bytes=7 time=7]
)";
const char* const kStatedRank1 = R"(
  rank 1 of 2
  sums 5: Computing 64, Overlapped 20, Communication(Not Overlapped) 10, Communication 30, Free 6
  communication ar_1 [step=5 group=g start=0 elapsed=60 transit=40 wait=0 sync=0]
  transfer HCCS [of=ar_1 bytes=40000000 time=80]
  transfer HCCS [of=ar-total step=5 group=g ranks=[4,12] from=1 to=0 bytes=80 time=40]
)";

std::vector<RankSummaryPtr> two_stated_ranks() { return {rank_of("w0", kStatedRank0), rank_of("w1", kStatedRank1)}; }

TEST(DistributedStated, TimesOfAStep) {
  const Report report = run_ranks(two_stated_ranks(), {{"step", "5"}});
  EXPECT_EQ(rows_text(report, "stated",
                      {"worker", "computation", "overlap", "communication", "free", "transit", "synchronization", "waiting",
                       "idle", "elapsed", "transfer", "steps"}),
            "w0 40 20 30 10 40 10 40 10 100 - 1\n"
            "w1 44 20 10 6 40 0 0 20 60 - 1\n");
}

TEST(DistributedStated, MeansOverTheStepsThatAreStated) {
  const Report report = run_ranks(two_stated_ranks());
  EXPECT_EQ(rows_text(report, "stated", {"worker", "computation", "communication", "transit", "elapsed", "steps"}),
            "w0 40 40 45 75 2\n"
            "w1 44 10 40 60 1\n");
}

TEST(DistributedStated, OperationsCountEachLinkOnce) {
  const Report report = run_ranks(two_stated_ranks());
  EXPECT_EQ(rows_text(report, "stated_operations",
                      {"name", "worker", "group", "calls", "size", "size_mean", "elapsed", "elapsed_mean", "transit", "wait",
                       "synchronization", "idle"}),
            "ar_ w0 g 2 62000000 31000000 150 75 90 50 10 10\n"
            "ar_ w1 g 1 40000000 40000000 60 60 40 0 0 20\n");
}

TEST(DistributedStated, LinksByKind) {
  // HCCS of w0: 60 MB in 80 ns; of 40 MB in packets, 32 MB are in packets of 16 MB or more.
  const Report report = run_ranks(two_stated_ranks());
  EXPECT_EQ(rows_text(report, "links", {"worker", "transport", "bytes", "duration", "packets", "large_share"}),
            "w0 HCCS 60000000 80 3 0.8\n"
            "w0 RDMA 2000000 2 2 1\n"
            "w1 HCCS 40000000 80 - -\n");
  EXPECT_EQ(rows_text(report, "slow_links", {"transports", "workers", "most_worker", "least_worker", "share"}),
            "RDMA 1 w0 w0 0\n"
            "HCCS 2 w0 w1 0.4\n");
}

TEST(DistributedStated, RoutesHaveRanksOfTheJobIfTheGroupsRanksAreKnown) {
  const Report report = run_ranks(two_stated_ranks());
  EXPECT_EQ(rows_text(report, "routes", {"group", "from", "to", "transport", "bytes", "duration"}),
            "the job 4 12 HCCS 40 40\n"
            "the job 4 4 LOCAL 40 1\n"
            "h 0 3 RDMA 7 7\n"
            "the job 12 4 HCCS 80 40\n");
  EXPECT_EQ(rows_text(report, "route_map", {"from", "to", "bytes"}), "4 4 -\n4 12 40\n12 4 80\n");
  EXPECT_EQ(rows_text(run_ranks(two_stated_ranks(), {{"group", "h"}}), "route_map", {"from", "to", "bytes"}), "0 3 7\n");
  EXPECT_EQ(try_ranks(two_stated_ranks(), {{"group", "x"}}).error().message, "no links of a group x; there are \"\", h");
}

// Four ranks; 0 and 2, and 1 and 3, are groups: no file lists them, but each rank states the links that start at it.
const char* route_of(bool first, const char* group, std::int64_t rank) {
  static std::vector<std::string> kept;
  kept.reserve(64);
  kept.push_back(fmt::format("rank {} of 4\ntransfer HCCS [of=ar step=5 group={} from={} to={} bytes={} time=1]", rank, group,
                             first ? 0 : 1, first ? 1 : 0, rank + 1));
  return kept.back().c_str();
}

TEST(DistributedStated, MembersOfAGroupAreTheRanksWhoseFoldersHoldIt) {
  const Report report = run_ranks({rank_of("w0", route_of(true, "a", 0)), rank_of("w1", route_of(true, "b", 1)),
                                   rank_of("w2", route_of(false, "a", 2)), rank_of("w3", route_of(false, "b", 3))});
  EXPECT_EQ(rows_text(report, "routes", {"group", "from", "to", "bytes"}),
            "the job 0 2 1\nthe job 1 3 2\nthe job 2 0 3\nthe job 3 1 4\n");
  EXPECT_EQ(rows_text(report, "route_map", {"from", "to", "bytes"}), "0 0 -\n0 1 -\n0 2 1\n0 3 -\n1 3 2\n2 0 3\n3 1 4\n");
}

TEST(DistributedStated, AGroupWithMissingFoldersKeepsItsNumbers) {
  const Report report = run_ranks({rank_of("w2", route_of(true, "a", 2)), rank_of("w3", "rank 3 of 4")});
  EXPECT_EQ(rows_text(report, "routes", {"group", "from", "to", "bytes"}), "a 0 1 3\n");
}

TEST(DistributedStated, GroupsOfOneNameAreNotAdded) {
  const Report report = run_ranks({rank_of("w0", route_of(true, "a", 0)), rank_of("w1", route_of(false, "a", 1)),
                                   rank_of("w2", route_of(true, "a", 2)), rank_of("w3", route_of(false, "a", 3))});
  EXPECT_EQ(rows_text(report, "routes", {"group", "from", "to", "bytes"}),
            "a, as w0 counts 0 1 1\na, as w1 counts 1 0 2\na, as w2 counts 0 1 3\na, as w3 counts 1 0 4\n");
}

TEST(DistributedStated, SlowRanksByTheirSpread) {
  // Step 5: computing 60 and 64, communicating 50 and 30, free 10 and 6; mean step (120 + 100) / 2 = 110.
  const Report report = run_ranks(two_stated_ranks(), {{"step", "5"}});
  EXPECT_EQ(rows_text(report, "slow_ranks", {"part", "source", "most", "most_worker", "least", "difference", "slow"}),
            "Computing as stated 64 w1 60 4 no\n"
            "Communicating as stated 50 w0 30 20 yes\n"
            "Neither as stated 10 w0 6 4 no\n");
}

TEST(DistributedStated, SlicesThatAreLessThanTheStatedSumsAreReported) {
  const auto notes_of = [](const char* stated) {
    const Report report = run_ranks({rank_of("w", "stream 7: 0-95 k, 95-99 collective c [coll=all_reduce]\nsums all: Computing " +
                                                      std::string(stated) + ", Overlapped 0")});
    return report.notes.front().text;
  };
  EXPECT_EQ(notes_of("101").substr(0, 90),
            "Slices are missing: by its slices, w computes for 95 ns per step, by its files for 101 ns.");
  EXPECT_EQ(notes_of("100").substr(0, 24), "This span has one worker");
}

TEST(DistributedStated, IsEmptyWithoutStatedFigures) {
  const Report report = run_ranks({rank_of("w", "stream 7: 0-10 collective k [coll=all_reduce]")});
  EXPECT_EQ(rows_text(report, "stated", {"worker"}), "");
  for (const Panel& panel : report.panels) EXPECT_NE(panel.table(), "stated") << panel.id;
  for (const Parameter& parameter : report.parameters) {
    const bool of_links = parameter.key == "group" || parameter.key == "links";
    EXPECT_TRUE(!of_links || parameter.choices.size() == 1) << parameter.key;
  }
}

TEST(LinkKinds, Reach) {
  EXPECT_EQ(link_reach("HCCS"), LinkReach::node);
  EXPECT_EQ(link_reach("RDMA"), LinkReach::network);
  EXPECT_EQ(link_reach("LOCAL"), LinkReach::device);
  EXPECT_EQ(link_reach("?"), LinkReach::unknown);
  EXPECT_EQ(small_packet_limit(LinkReach::unknown), 0);
}

}  // namespace
}  // namespace sightline::analyses

// Ranks joined at their collectives: worked by hand, and properties on random jobs.
#include "analyses/whatif/rank_graph.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <random>

#include "analyses/whatif/rank_path.h"
#include "analyses/whatif/rank_scenario.h"
#include "tests/support/ranks.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

struct RankJob {
  std::vector<ProfilePtr> profiles;
  std::vector<RankSummaryPtr> ranks;
};

RankJob job_of(const std::vector<std::string>& texts) {
  RankJob job;
  for (const std::string& text : texts) {
    job.profiles.push_back(text_profile(text));
    job.ranks.push_back(
        std::make_shared<const RankSummary>(summarise_rank(*job.profiles.back(), fmt::format("w{}", job.ranks.size()))));
  }
  return job;
}

RankGraph graph_of(const RankJob& job) {
  Result<RankGraph> graph = join_ranks_of(job.ranks, job.profiles);
  if (!graph) throw std::invalid_argument(graph.error().to_string());
  return std::move(graph).value();
}

// On the axis, both ranks launch k at 10,000 and the collective c at 20,000, and wait from 30,000 on. k takes 20,000 on rank 0
// and 50,000 on rank 1, so rank 0 is in c from 40,000 on, and rank 1 from 70,000 on. c ends at 90,000 on both: its transfer takes
// 20,000. The clock of rank 1 is 5,000 ahead.
RankJob two_graph_ranks() {
  return job_of({R"(
    rank 0 of 2
    host node7
    origin 1000000
    thread 1: 0-100000 step 1, 10000-15000 runtime launch [corr=1], 20000-25000 runtime launch [corr=2], 30000-95000 runtime deviceSynchronize
    stream 7: 20000-40000 k [corr=1], 40000-90000 collective c [corr=2 coll=all_reduce group=0 ranks=all n=2 seq=0 in=64]
  )",
                 R"(
    rank 1 of 2
    host node7
    origin 995000
    thread 1: 5000-105000 step 1, 15000-20000 runtime launch [corr=1], 25000-30000 runtime launch [corr=2], 35000-100000 runtime deviceSynchronize
    stream 7: 25000-75000 k [corr=1], 75000-95000 collective c [corr=2 coll=all_reduce group=0 ranks=all n=2 seq=0 in=64]
  )"});
}

double job_step_if(const RankGraph& graph, std::string_view changes) {
  const Result<RankScenario> scenario = make_rank_scenario(graph, changes);
  if (!scenario) throw std::invalid_argument(scenario.error().message);
  return replay(graph, scenario->change).mean;
}

TEST(RankGraph, JoinsACollective) {
  const RankGraph graph = graph_of(two_graph_ranks());
  ASSERT_EQ(graph.collectives.size(), 1u);
  EXPECT_EQ(graph.collectives[0].arrival, 70'000);
  EXPECT_EQ(graph.members[graph.collectives[0].last].rank, 1u);
  for (const JoinedMember& member : graph.members) EXPECT_EQ(member.transfer, 20'000);
  ASSERT_EQ(graph.steps.size(), 1u);
  EXPECT_EQ(graph.steps[0].window, (Interval{0, 100'000}));
  EXPECT_EQ(waiting_of(graph, 0), 30'000);
  EXPECT_EQ(waiting_of(graph, 1), 0);
}

TEST(RankScenario, ByHand) {
  const RankGraph graph = graph_of(two_graph_ranks());
  EXPECT_EQ(job_step_if(graph, ""), 100'000);
  // k of rank 1 takes 20,000, like that of rank 0: both come at 40,000, c ends at 60,000, the wait 5,000 and the step 10,000
  // later.
  EXPECT_EQ(job_step_if(graph, "rank:1 as-median"), 70'000);
  EXPECT_EQ(job_step_if(graph, "rank:w1 as-median"), 70'000);
  // k of rank 1 takes 40,000: it comes at 60,000.
  EXPECT_EQ(job_step_if(graph, "rank:1 kernel:k*0.8"), 90'000);
  // Rank 0 comes earlier, and waits longer.
  EXPECT_EQ(job_step_if(graph, "rank:0 kernel:k free"), 100'000);
  // k of rank 0 takes 60,000: it comes last, at 80,000.
  EXPECT_EQ(job_step_if(graph, "rank:0 kernel:k*3"), 110'000);
  // The transfer takes half as long, or no time; the last rank comes at 70,000 all the same.
  EXPECT_EQ(job_step_if(graph, "category:communication*0.5"), 90'000);
  EXPECT_EQ(job_step_if(graph, "collective:c free"), 80'000);
  // Rank 0 ends its step at 70,000, rank 1 as before: so does the job.
  EXPECT_EQ(job_step_if(graph, "no-waiting"), 100'000);
  EXPECT_EQ(job_step_if(graph, "no-waiting; rank:1 kernel:k*0.4"), 70'000);
}

TEST(RankScenario, TheMedianIsThatOfTheSameRole) {
  RankGraph graph = graph_of(two_graph_ranks());
  RankSummary critic = *graph.ranks[1].summary;
  critic.role = "critic";
  graph.ranks[1].summary = std::make_shared<const RankSummary>(std::move(critic));
  EXPECT_EQ(job_step_if(graph, R"(rank:"critic 1" as-median)"), 100'000);  // no other rank does what it does
}

TEST(RankScenario, WhatIsRefused) {
  const RankGraph graph = graph_of(two_graph_ranks());
  const auto refusal = [&](std::string_view changes) { return std::string(make_rank_scenario(graph, changes).error().message); };
  EXPECT_EQ(refusal("rank:7 as-median"), "no rank '7' here; ranks with comparable clocks: 0, 1");
  EXPECT_EQ(refusal("as-median"), "'as-median' needs a rank: rank:N as-median");
  EXPECT_NE(refusal("kernel:nothing*0.5").find("nothing"), std::string::npos);
  EXPECT_TRUE(is_about_ranks("host*0.5; rank:1 as-median"));
  EXPECT_TRUE(is_about_ranks("no-waiting"));
  EXPECT_FALSE(is_about_ranks("host*0.5; no-sync"));
}

TEST(RankPath, GoesOverToTheRankThatCameLast) {
  const RankGraph graph = graph_of(two_graph_ranks());
  std::string text;
  Time sum = 0;
  for (const RankPiece& piece : RankPath(graph).of(graph.steps[0])) {
    text += fmt::format("{}: {} {}-{}\n", piece.rank, path_class_words(piece.of), piece.interval.start, piece.interval.end);
    sum += piece.interval.length();
  }
  EXPECT_EQ(sum, 100'000);
  EXPECT_EQ(text,
            "1: Other host code 0-10000\n1: Runtime calls 10000-15000\n1: Launch latency 15000-20000\n1: Kernels 20000-70000\n"
            "0: Collectives 70000-90000\n0: Synchronization 90000-95000\n0: Other host code 95000-100000\n");
}

Result<Report> run_view_of_ranks(const RankJob& job, std::string_view view, const GivenParameters& given = {}) {
  const Analysis& analysis = *find_analysis(view);
  const Result<Parameters> parameters = bind_parameters(analysis, given);
  return analysis.run(
      {.profiles = {}, .parameters = *parameters, .ranks = job.ranks, .open_ranks = [&] { return job.profiles; }});
}

TEST(RankViews, ShowTheSame) {
  const Result<Report> what_if = run_view_of_ranks(two_graph_ranks(), "what_if_ranks", {{"change", "rank:1 as-median"}});
  ASSERT_TRUE(what_if);
  // Rank 0 waits 30,000 for rank 1. As rank 1, rank 0 would come at 70,000 as well: nothing changes.
  EXPECT_EQ(rows_text(*what_if, "ranks", {"worker", "waiting", "caused", "gain"}), "w0 30000 0 0\nw1 0 30000 0.3\n");
  EXPECT_EQ(rows_text(*what_if, "steps", {"recorded", "predicted", "gain"}), "100000 70000 0.3\n");
  // k of rank 1 takes 20,000 instead of 50,000, and c of rank 0 its transfer alone.
  const std::string drawn = rows_text(*what_if, "before_after", {"times", "lane", "name", "start", "length"});
  EXPECT_TRUE(drawn.starts_with("As recorded w0, thread 1  10000 20000\n")) << drawn;
  for (const char* row : {"As recorded w0, stream 7 c 40000 50000\n", "As recorded w1, stream 7 k 20000 50000\n",
                          "As recorded w1, stream 7 c 70000 20000\n", "Predicted w0, thread 1  30000 35000\n",
                          "Predicted w0, stream 7 c 40000 20000\n", "Predicted w1, stream 7 k 20000 20000\n",
                          "Predicted w1, stream 7 c 40000 20000\n"})
    EXPECT_NE(drawn.find(row), std::string::npos) << row << drawn;
  const Result<Report> path = run_view_of_ranks(two_graph_ranks(), "critical_path_ranks");
  ASSERT_TRUE(path);
  EXPECT_EQ(rows_text(*path, "ranks", {"worker", "time"}), "w1 70000\nw0 30000\n");
}

// ---- what is refused or left out ----

std::string head(int rank, const std::string& host, int origin) {
  return fmt::format("rank {} of 3\nhost {}\norigin {}\n", rank, host, origin);
}

const std::string kThread = "thread 1: 0-100 step 1, 10-15 runtime launch [corr=1]\n";

TEST(RankGraph, ClocksThatCannotBeCompared) {
  const std::string stream = "stream 7: 20-90 collective c [corr=1 coll=all_reduce group=0 ranks=all n=3 seq=0 in=64]";
  const RankJob apart = job_of({head(0, "a", 1'000'000) + kThread + stream, head(1, "b", 1'000'000) + kThread + stream});
  const Result<RankGraph> refused = join_ranks_of(apart.ranks, apart.profiles);
  ASSERT_FALSE(refused);
  EXPECT_NE(std::string(refused.error().message).find("the clocks of the ranks cannot be compared"), std::string::npos);
  // A third rank on the first one's host: the second is left out, with the reason, and the collective has a rank that is not
  // here.
  const RankJob three = job_of({head(0, "a", 1'000'000) + kThread + stream, head(1, "b", 1'000'000) + kThread + stream,
                                head(2, "a", 1'000'000) + kThread + stream});
  const RankGraph graph = graph_of(three);
  EXPECT_EQ(graph.ranks.size(), 2u);
  ASSERT_EQ(graph.left_out.size(), 1u);
  EXPECT_EQ(graph.left_out[0].first->worker, "w1");
  EXPECT_TRUE(graph.collectives[0].partial);
}

TEST(RankGraph, ACollectiveThatEndsBeforeTheLastRankComes) {
  const auto stream = [](int start, int end, const char* kind) {
    return fmt::format("stream 7: {}-{} collective c [corr=1 coll={} group=0 ranks=all n=2 seq=0 in=64]", start, end, kind);
  };
  const auto error_of = [&](const char* kind, int start, int end) {
    const RankJob job = job_of(
        {head(0, "a", 1'000'000) + kThread + stream(20, 90, kind), head(1, "a", 1'000'000) + kThread + stream(start, end, kind)});
    const Result<RankGraph> graph = join_ranks_of(job.ranks, job.profiles);
    return graph ? std::string("joined") : std::string(graph.error().message);
  };
  EXPECT_EQ(error_of("all_reduce", 30, 90), "joined");
  EXPECT_NE(error_of("all_reduce", 100'000'000, 100'000'090), "joined");
  EXPECT_NE(error_of("broadcast", 30, 90), "joined") << "the root does not wait for the other ranks";
}

// ---- who waits for whom ----

// A rank of a job on one host with clocks that agree. It launches k at 10 and the collective c at 20, with a range of the host
// around that states `facts` of it, and waits from 30 until the end of c, which begins when k ends. Times are us.
std::string rank_in(int rank, int ranks, int come, int end, const std::string& kind, const std::string& facts) {
  std::string list;
  for (int i = 0; i < ranks; ++i) list += fmt::format("{}{}", i == 0 ? "" : ",", i);
  return fmt::format(R"(
    rank {0} of {1}
    host node7
    origin 1000000
    thread 1: 0-{6}000 step 1, 10000-15000 runtime launch [corr=1], 20000-28000 op call, 21000-25000 runtime launch [corr=2], 30000-{5}000 runtime deviceSynchronize
    stream 7: 20000-{2}000 k [corr=1], {2}000-{3}000 collective c [corr=2 coll={4} group=0 ranks=[{7}] n={1} seq=0 in=64]
    {8}
  )",
                     rank, ranks, come, end, kind, end + 5, end + 10, list, facts.empty() ? "" : "fact call: " + facts);
}

struct RankIn {
  int come, end;
  std::string kind, facts;
};

RankJob job_in(const std::vector<RankIn>& ranks) {
  std::vector<std::string> texts;
  for (const RankIn& one : ranks)
    texts.push_back(
        rank_in(static_cast<int>(texts.size()), static_cast<int>(ranks.size()), one.come, one.end, one.kind, one.facts));
  return job_of(texts);
}

// For each rank, when c ends with the changes, us.
std::string ends_if(const RankJob& job, std::string_view changes) {
  const RankGraph graph = graph_of(job);
  const Result<RankScenario> scenario = make_rank_scenario(graph, changes);
  if (!scenario) throw std::invalid_argument(scenario.error().message);
  const RankReplay found = replay(graph, scenario->change);
  std::string text;
  for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank)  // the wait ends 5 us after c, and the step 5 us after that
    text += fmt::format("{}{}", rank == 0 ? "" : " ", found.steps[rank].front().end / 1000 - 10);
  return text;
}

TEST(RankRoles, ReceiversOfABroadcastWaitForTheRoot) {
  // The root, rank 1, comes at 100. Rank 2 comes later than that, and does not make the others wait.
  const RankJob job =
      job_in({{40, 110, "broadcast", "Rank = 1"}, {100, 105, "broadcast", "Rank = 1"}, {150, 160, "broadcast", "Rank = 1"}});
  EXPECT_EQ(ends_if(job, ""), "110 105 160");
  EXPECT_EQ(ends_if(job, "rank:1 kernel:k*0.5"), "70 65 160");  // the root comes at 60
  EXPECT_EQ(ends_if(job, "rank:1 kernel:k*2"), "190 185 190");  // at 180: rank 2 takes 10 from then on
  EXPECT_EQ(ends_if(job, "rank:2 kernel:k*2"), "110 105 290");  // nobody waits for rank 2, which comes at 280
  EXPECT_EQ(ends_if(job, "rank:0 kernel:k free"), "110 105 160");
  EXPECT_EQ(ends_if(job, "no-waiting"), "50 105 160");
  const RankGraph graph = graph_of(job);
  EXPECT_EQ(waiting_of(graph, 0), 60'000);
  EXPECT_EQ(waiting_of(graph, 1), 0);
  EXPECT_EQ(waiting_of(graph, 2), 0);
}

TEST(RankRoles, TheRootOfAReductionWaitsForAll) {
  for (const char* kind : {"reduce", "gather"}) {
    const RankJob job = job_in({{40, 115, kind, "Rank = 0"}, {100, 105, kind, "Rank = 0"}, {50, 60, kind, "Rank = 0"}});
    EXPECT_EQ(ends_if(job, ""), "115 105 60");
    EXPECT_EQ(ends_if(job, "rank:1 kernel:k*0.5"), "75 65 60") << kind;   // rank 1 comes at 60
    EXPECT_EQ(ends_if(job, "rank:2 kernel:k*4"), "155 105 150") << kind;  // rank 2 comes last, at 140
    EXPECT_EQ(ends_if(job, "rank:0 kernel:k*10"), "235 105 60") << kind;  // the root comes last, at 220
  }
}

TEST(RankRoles, AScatterIsLikeABroadcast) {
  const RankJob job = job_in({{40, 110, "scatter", "Rank = 1"}, {100, 105, "scatter", "Rank = 1"}});
  EXPECT_EQ(ends_if(job, "rank:1 kernel:k*0.5"), "70 65");
}

TEST(RankRoles, AllToAllAndBarrierAreLikeAllReduce) {
  for (const char* kind : {"all_to_all", "barrier"}) {
    const RankJob job = job_in({{40, 110, kind, ""}, {100, 110, kind, ""}});
    EXPECT_EQ(ends_if(job, "rank:1 kernel:k*0.5"), "70 70") << kind;
  }
}

TEST(RankRoles, AReceiverWaitsForItsSender) {
  const RankJob two = job_in({{40, 110, "receive", ""}, {100, 105, "send", ""}});
  EXPECT_EQ(ends_if(two, "rank:1 kernel:k*0.5"), "70 65");
  EXPECT_EQ(ends_if(two, "rank:0 kernel:k*8"), "190 105");  // the receiver comes at 180
  // In a larger group the calls have to state the other rank.
  const RankJob three =
      job_in({{40, 110, "receive", "Src Rank = 2"}, {50, 55, "all_reduce", ""}, {100, 105, "send", "Dst Rank = 0"}});
  EXPECT_EQ(ends_if(three, "rank:2 kernel:k*0.5"), "70 55 65");
  const RankGraph graph = graph_of(three);
  EXPECT_EQ(graph.collectives.size(), 1u);
  EXPECT_EQ(graph.unmatched, 1);  // the all-reduce, which only rank 1 has
}

TEST(RankRoles, WhatIsNotJoinedIsCounted) {
  const auto error_of = [](const RankJob& job) {
    const Result<RankGraph> graph = join_ranks_of(job.ranks, job.profiles);
    return graph ? std::string("joined") : std::string(graph.error().message);
  };
  EXPECT_NE(error_of(job_in({{40, 110, "broadcast", ""}, {100, 105, "broadcast", ""}})).find("does not state the root"),
            std::string::npos);
  // The root of the group, rank 2, is not here.
  RankJob job =
      job_in({{40, 110, "broadcast", "Rank = 2"}, {100, 105, "broadcast", "Rank = 2"}, {50, 60, "broadcast", "Rank = 2"}});
  job.profiles.pop_back();
  job.ranks.pop_back();
  EXPECT_NE(error_of(job), "joined");
  // A receiver that has ended before the root began: by more than the clocks can be wrong.
  EXPECT_NE(error_of(job_in({{40, 50, "broadcast", "Rank = 1"}, {300, 305, "broadcast", "Rank = 1"}})), "joined");
}

// The root goes on before the receivers have come, and a receiver comes only after it has heard from the root in another way: a
// collective that all ranks wait for comes first on rank 1, and second on rank 0.
TEST(RankRoles, TheRootDoesNotWaitForReceivers) {
  const auto rank = [](int number, const char* stream) {
    return fmt::format(R"(
      rank {} of 2
      host node7
      origin 1000000
      thread 1: 0-200000 step 1, 10000-18000 op first, 11000-15000 runtime launch [corr=1], 20000-28000 op second, 21000-25000 runtime launch [corr=2], 30000-195000 runtime deviceSynchronize
      {}
      fact first: Rank = 0
      fact second: Rank = 0
    )",
                       number, stream);
  };
  const std::string all = "coll=all_reduce group=0 ranks=[0,1] n=2 seq=1 in=64",
                    from_root = "coll=broadcast group=0 ranks=[0,1] n=2 seq=0 in=64";
  const RankJob job = job_of(
      {rank(0,
            fmt::format("stream 7: 20000-40000 collective b [corr=1 {}], 50000-100000 collective a [corr=2 {}]", from_root, all)
                .c_str()),
       rank(1,
            fmt::format("stream 7: 90000-100000 collective a [corr=1 {}], 110000-120000 collective b [corr=2 {}]", all, from_root)
                .c_str())});
  const RankGraph graph = graph_of(job);
  EXPECT_EQ(graph.contradicting, 0);
  EXPECT_EQ(graph.collectives.size(), 2u);
  const RankReplay same = replay(graph, unchanged(graph));
  for (std::size_t i = 0; i < graph.ranks.size(); ++i) EXPECT_EQ(same.times[i], graph.ranks[i].graph->time);
}

// ---- properties ----

constexpr const char* kKinds[] = {"all_reduce", "reduce", "broadcast"};

// Ranks that run kernels of random length between collectives, of which rank 0 is the root; steps that end with a wait.
RankJob random_job(std::mt19937_64& random) {
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  const int ranks = 2 + below(3), steps = 1 + below(3);
  std::vector<std::string> threads, streams;
  std::vector<int> now, busy, shift;
  std::string list = "[0";
  for (int rank = 1; rank < ranks; ++rank) list += fmt::format(",{}", rank);
  list += ']';
  for (int rank = 0; rank < ranks; ++rank) {
    shift.push_back(below(1'000'000));
    threads.push_back("thread 1: ");
    streams.push_back("stream 7: ");
    now.push_back(below(5'000));
    busy.push_back(0);
  }
  int id = 0, sequence = 0;
  const auto launch = [&](int rank) {
    now[rank] += 500 + below(8'000);
    threads[rank] += fmt::format("{0}-{1} op call, {0}-{1} runtime launch [corr={2}], ", now[rank] + shift[rank],
                                 now[rank] + shift[rank] + 400, ++id);
    busy[rank] = std::max(busy[rank], now[rank] + 1'000 + below(2'000));
  };
  for (int step = 0; step < steps; ++step) {
    std::vector<int> begin = now;
    std::vector<std::string> before = threads;
    for (std::string& thread : threads) thread.clear();
    for (int operation = 2 + below(6); operation > 0; --operation) {
      const bool together = operation == 1 || below(3) == 0;
      for (int rank = 0; rank < ranks; ++rank) {
        launch(rank);
        if (together) continue;
        const int length = 1 + below(30'000);
        streams[rank] +=
            fmt::format("{}-{} k{} [corr={}], ", busy[rank] + shift[rank], busy[rank] + length + shift[rank], below(3), id);
        busy[rank] += length;
      }
      if (!together) continue;
      const int last = *std::max_element(busy.begin(), busy.end());
      const int kind = below(3), root_came = busy[0];
      for (int rank = 0; rank < ranks; ++rank) {
        const int from = kind == 0 || (kind == 1 && rank == 0) ? last : kind == 2 ? std::max(root_came, busy[rank]) : busy[rank];
        const int end = from + 1 + below(10'000);
        streams[rank] +=
            fmt::format("{}-{} collective c [corr={} coll={} group=0 ranks={} n={} seq={} in=64], ", busy[rank] + shift[rank],
                        end + shift[rank], id - ranks + 1 + rank, kKinds[kind], list, ranks, sequence);
        busy[rank] = end;
      }
      ++sequence;
    }
    for (int rank = 0; rank < ranks; ++rank) {
      now[rank] += 1'000;
      const int end = std::max(now[rank], busy[rank]) + 2'000 + below(2'000);
      threads[rank] += fmt::format("{}-{} runtime deviceSynchronize", now[rank] + shift[rank], end + shift[rank]);
      now[rank] = end + 1'000 + below(3'000);
      threads[rank] = fmt::format("{}{}-{} step {}, {}{}", before[rank], begin[rank] + shift[rank], now[rank] + shift[rank], step,
                                  threads[rank], step + 1 < steps ? ", " : "");
    }
  }
  std::vector<std::string> texts;
  for (int rank = 0; rank < ranks; ++rank) {
    streams[rank].resize(streams[rank].size() - 2);
    texts.push_back(fmt::format("rank {} of {}\nhost a\norigin {}\n{}\n{}\nfact call: Rank = 0", rank, ranks,
                                2'000'000 - shift[rank], threads[rank], streams[rank]));
  }
  return job_of(texts);
}

TEST(RankGraph, PropertiesOfRandomJobs) {
  std::mt19937_64 random(27);
  std::size_t joined = 0, over = 0;
  for (int round = 0; round < 150; ++round) {
    const RankGraph graph = graph_of(random_job(random));
    ASSERT_EQ(graph.contradicting, 0);
    joined += graph.collectives.size();
    // Unchanged, nothing moves, on any rank.
    const RankReplay same = replay(graph, unchanged(graph));
    for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) ASSERT_EQ(same.times[rank], graph.ranks[rank].graph->time);
    for (std::size_t step = 0; step < graph.steps.size(); ++step) ASSERT_EQ(same.job[step], graph.steps[step].window);
    // Shorter lengths make nothing later, longer ones nothing earlier.
    RankChange shorter = unchanged(graph), longer = unchanged(graph);
    for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) {
      const DependencyGraph& own = *graph.ranks[rank].graph;
      for (Node node = 0; node < own.nodes(); ++node) {
        if (own.kind[node] == NodeKind::wait) continue;
        shorter.ranks[rank].length[node] = own.length[node] * static_cast<Time>(random() % 5) / 4;
        longer.ranks[rank].length[node] = own.length[node] * (1 + static_cast<Time>(random() % 3));
      }
    }
    const RankReplay less = replay(graph, shorter), more = replay(graph, longer);
    shorter.no_waiting = true;
    const RankReplay least = replay(graph, shorter);
    for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) {
      for (Node node = 0; node < graph.ranks[rank].graph->nodes(); ++node) {
        ASSERT_LE(less.times[rank][node], same.times[rank][node]);
        ASSERT_LE(least.times[rank][node], less.times[rank][node]);
        ASSERT_GE(more.times[rank][node], same.times[rank][node]);
      }
    }
    // The path covers each step of the job.
    const RankPath paths(graph);
    for (const JobStep& step : graph.steps) {
      Time at = step.window.start;
      std::uint32_t before = kNoMember;
      for (const RankPiece& piece : paths.of(step)) {
        ASSERT_EQ(piece.interval.start, at);
        at = piece.interval.end;
        over += before != kNoMember && before != piece.rank;
        before = piece.rank;
      }
      ASSERT_EQ(at, step.window.end);
    }
  }
  EXPECT_GT(joined, 300u);
  EXPECT_GT(over, 100u);
}

}  // namespace
}  // namespace sightline::analyses

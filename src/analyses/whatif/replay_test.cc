// The dependency graph and its replay: worked by hand, and properties on random recordings.
#include "analyses/whatif/replay.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <random>

#include "analyses/whatif/scenario.h"
#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

Node node_of(const ProfilePtr& profile, const DependencyGraph& graph, std::string_view name, NodeKind kind = NodeKind::work) {
  for (Node node = 0; node < graph.nodes(); ++node) {
    const bool same = graph.slice[node] != kNoRow && profile->text(profile->slices.name[graph.slice[node]]) == name;
    if (same && graph.kind[node] == kind) return node;
  }
  throw std::invalid_argument("no such node");
}

// How long each step lasts when the lengths of device work of these names are multiplied.
std::vector<Time> steps_if(const ProfilePtr& profile, const std::vector<std::pair<std::string, double>>& factors) {
  const DependencyGraph graph = build_dependency_graph(*profile);
  GraphChange change = unchanged(graph);
  for (const auto& [name, factor] : factors) {
    const Node node = node_of(profile, graph, name);
    change.length[node] = static_cast<Time>(static_cast<double>(change.length[node]) * factor);
  }
  std::vector<Time> lengths;
  for (const Interval& step : step_intervals(graph, change, replay(graph, change))) lengths.push_back(step.length());
  return lengths;
}

using Times = std::vector<Time>;

ProfilePtr waiting_training() {
  return text_profile(R"(
    thread 1: 0-100000 step 1, 10000-15000 runtime launch [corr=1], 20000-25000 runtime launch [corr=2], 30000-85000 runtime deviceSynchronize
    stream 7: 20000-50000 a [corr=1], 50000-80000 b [corr=2]
  )");
}

TEST(Replay, OfStepsWithAWait) {
  EXPECT_EQ(steps_if(waiting_training(), {}), Times{100'000});
  // Without a, b may start 10,000 after its launch, like a: at 30,000. It ends at 60,000, the wait 5,000 later, and the step
  // 15,000 after that.
  EXPECT_EQ(steps_if(waiting_training(), {{"a", 0}}), Times{80'000});
  // b begins at 50,000 and ends then; the wait ends at 55,000.
  EXPECT_EQ(steps_if(waiting_training(), {{"b", 0}}), Times{70'000});
  // Without both, b ends at 30,000, and the wait at 35,000.
  EXPECT_EQ(steps_if(waiting_training(), {{"a", 0}, {"b", 0}}), Times{50'000});
  EXPECT_EQ(steps_if(waiting_training(), {{"a", 2}}), Times{130'000});
}

TEST(Replay, TheBindingEdgeIsTheFirst) {
  const ProfilePtr profile = waiting_training();
  const DependencyGraph graph = build_dependency_graph(*profile);
  const Node a = node_of(profile, graph, "a"), b = node_of(profile, graph, "b");
  EXPECT_EQ(graph.edge_kind[*graph.binding(a)], EdgeKind::launch);
  EXPECT_EQ(graph.edge_kind[*graph.binding(b)], EdgeKind::stream);
  EXPECT_EQ(graph.from[*graph.binding(b)], a);
  const Node wait = node_of(profile, graph, "deviceSynchronize", NodeKind::wait);
  EXPECT_EQ(graph.edge_kind[*graph.binding(wait)], EdgeKind::finished);
  EXPECT_EQ(graph.from[*graph.binding(wait)], b);
  EXPECT_EQ(graph.waits, 1);
  EXPECT_EQ(graph.unrecorded_waits, 0);
  EXPECT_EQ(graph.nodes(), 8u);  // two marks, two launches, begin and end of the wait, two kernels
}

// It ends 30,000 after the last device work: more than 20,000.
TEST(Replay, AWaitForSomethingElseKeepsItsLength) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100000 step 1, 10000-15000 runtime launch [corr=1], 20000-90000 runtime streamSynchronize
    stream 7: 20000-60000 a [corr=1]
  )");
  EXPECT_EQ(build_dependency_graph(*profile).unrecorded_waits, 1);
  EXPECT_EQ(steps_if(profile, {{"a", 0}}), Times{100'000});
}

// 40,000 after it are 4 % of a wait of 1,010,000.
TEST(Replay, ALongWaitMayEndLater) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-1050000 step 1, 10000-15000 runtime launch [corr=1], 30000-1040000 runtime deviceSynchronize
    stream 7: 20000-1000000 a [corr=1]
  )");
  EXPECT_EQ(build_dependency_graph(*profile).waits, 1);
  // a ends at 20,000, the wait 40,000 later, and the step 10,000 after that.
  EXPECT_EQ(steps_if(profile, {{"a", 0}}), Times{70'000});
  // A wait for one event ends at most 20,000 later.
  const ProfilePtr event = text_profile(R"(
    thread 1: 0-1050000 step 1, 10000-15000 runtime launch [corr=1], 30000-1040000 runtime eventSynchronizeEvent
    stream 7: 20000-1000000 a [corr=1]
  )");
  EXPECT_EQ(build_dependency_graph(*event).unrecorded_waits, 1);
}

// A call that copies, takes more than 30,000 and ends right after its copy waits for it.
TEST(Replay, ACopyThatItsCallWaitsFor) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100000 step 1, 10000-60000 runtime copy [corr=1]
    stream 7: 15000-55000 memcpy DtoH [corr=1]
  )");
  // The copy ends at 15,000, the call 5,000 later, the step 40,000 after that.
  EXPECT_EQ(steps_if(profile, {{"DtoH", 0}}), Times{60'000});
}

// The backward pass runs on another thread, while the first one waits.
TEST(Replay, ForwardAndBackwardThreadsAreOneChain) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100000 step 1, 10000-15000 runtime launch [corr=1], 20000-45000 runtime deviceSynchronize
    thread 2: 50000-80000 op autograd::engine::evaluate_function:_AddBackward, 60000-65000 runtime launch [corr=2]
    stream 7: 20000-40000 a [corr=1], 70000-95000 b [corr=2]
  )");
  // a ends at 20,000 instead of 40,000: everything after it moves, on both threads.
  EXPECT_EQ(steps_if(profile, {{"a", 0}}), Times{80'000});
}

// An event of stream 7, recorded after a, holds c back.
TEST(Replay, EventsBetweenStreams) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100000 step 1, 10000-11000 runtime launch [corr=1], 12000-13000 runtime eventRecord [corr=5], 20000-21000 runtime launch [corr=2]
    stream 7: 15000-60000 a [corr=1]
    stream 8: 25000-60500 sync waits [fact.wait_on_stream=7], 61000-99000 c [corr=2]
    row flows [kind=2 from=2 to=5]
  )");
  const DependencyGraph graph = build_dependency_graph(*profile);
  EXPECT_EQ(graph.edge_kind[*graph.binding(node_of(profile, graph, "c"))], EdgeKind::event);
  // c begins 1,000 after a, or 5,000 after its launch, like a: at 25,000. It ends at 63,000. The host ends the step later.
  EXPECT_EQ(steps_if(profile, {{"a", 0}}), Times{100'000});
  EXPECT_EQ(steps_if(profile, {{"a", 2}}), Times{144'000});  // c begins at 106,000
}

// Device work without a launch follows the work before it, and what the file links it to.
TEST(Replay, EnginesWithSemaphores) {
  const ProfilePtr profile = text_profile(R"(
    engine Tensor: 0-1000 MATMUL, 1200-2000 MATMUL2
    engine Vector: 1100-1500 ADD, 2100-2200 MUL
    row flows [kind=2 from=0 to=2]
    row flows [kind=2 from=1 to=3]
  )");
  EXPECT_EQ(steps_if(profile, {}), Times{2'200});
  EXPECT_EQ(steps_if(profile, {{"MATMUL", 0}}), Times{1'200});
  EXPECT_EQ(steps_if(profile, {{"ADD", 0}}), Times{2'200});
}

// ---- properties ----

// Launches, waits and copies on two threads, and works of two streams that may start a little before their launch.
ProfilePtr random_recording(std::mt19937_64& random) {
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  std::string threads[2] = {"thread 1: 0-900000 step 1", "thread 2: 0-1 op other"},
              streams[2] = {"stream 7: 0-1 first", "stream 8: 0-1 first"};
  int busy_until[2] = {10, 10};
  for (int thread = 0; thread < 2; ++thread) {
    int now = 100 + below(2000), id = 1000 * thread;
    for (int call = below(12); call > 0 && now < 700'000; --call) {
      const int length = below(4) == 0 ? below(60'000) : below(3'000);
      const bool waits = below(4) == 0;
      threads[thread] +=
          fmt::format(", {}-{} runtime {} [corr={}]", now, now + length, waits ? "streamSynchronize" : "launch", ++id);
      if (!waits && below(6) != 0) {
        const int stream = below(2), start = std::max(busy_until[stream], now - 50 + below(5'000)), work = below(20'000);
        streams[stream] +=
            fmt::format(", {}-{} {} k{} [corr={}]", start, start + work, below(4) == 0 ? "memcpy" : "kernel", below(3), id);
        busy_until[stream] = start + work + below(3) * below(500);
      }
      now += length + below(2) * below(30'000);
    }
  }
  return text_profile(threads[0] + "\n" + threads[1] + "\n" + streams[0] + "\n" + streams[1]);
}

TEST(Replay, PropertiesOfRandomRecordings) {
  std::mt19937_64 random(19);
  for (int round = 0; round < 300; ++round) {
    const ProfilePtr profile = random_recording(random);
    const DependencyGraph graph = build_dependency_graph(*profile);
    const GraphChange none = unchanged(graph);
    // Unchanged, nothing moves.
    ASSERT_EQ(replay(graph, none), graph.time);
    const auto windows = step_intervals(graph, none, graph.time);
    for (std::size_t i = 0; i < windows.size(); ++i) ASSERT_EQ(windows[i], graph.steps[i].window);
    // Shorter lengths make nothing later.
    GraphChange shorter = none, free = none;
    for (Node node = 0; node < graph.nodes(); ++node) {
      if (graph.kind[node] == NodeKind::wait) continue;
      shorter.length[node] = graph.length[node] * static_cast<Time>(random() % 5) / 4;
      free.length[node] = 0;
    }
    const std::vector<Time> times = replay(graph, shorter), least = replay(graph, free);
    shorter.ignore_waits = true;
    const std::vector<Time> without_waits = replay(graph, shorter);
    for (Node node = 0; node < graph.nodes(); ++node) {
      ASSERT_LE(times[node], graph.time[node]);
      ASSERT_LE(least[node], times[node]);
      ASSERT_LE(without_waits[node], times[node]);
    }
  }
}

// The same with other figures: a piece of device work that is longer makes nothing earlier.
TEST(Replay, LongerWorkShortensNothing) {
  std::mt19937_64 random(20);
  for (int round = 0; round < 100; ++round) {
    const ProfilePtr profile = random_recording(random);
    const DependencyGraph graph = build_dependency_graph(*profile);
    GraphChange longer = unchanged(graph);
    for (Time& length : longer.length) length *= 1 + static_cast<Time>(random() % 3);
    const std::vector<Time> times = replay(graph, longer);
    for (Node node = 0; node < graph.nodes(); ++node) ASSERT_GE(times[node], graph.time[node]);
  }
}

// The mean step with these changes; nothing if they select nothing.
std::optional<double> mean_step_if(const ProfilePtr& profile, std::string_view changes) {
  const DependencyGraph graph = build_dependency_graph(*profile);
  const auto scenario = make_scenario(profile, graph, WorkSelection(profile, graph), changes);
  if (!scenario) return std::nullopt;
  return predict(graph, scenario->change).mean;
}

// Of whatever a change selects, a larger factor makes no step shorter.
TEST(Scenario, IsMonotone) {
  std::mt19937_64 random(21);
  int compared = 0;
  for (int round = 0; round < 100; ++round) {
    const ProfilePtr profile = random_recording(random);
    for (const char* subject : {"kernel:k0", "category:copy", "category:other kernels", "host", "host:launch"}) {
      double before = 0;
      for (const char* factor : {"0", "0.3", "0.9", "1", "1.5", "20"}) {
        const auto step = mean_step_if(profile, fmt::format("{}*{}", subject, factor));
        if (!step) continue;
        ASSERT_GE(*step, before) << subject << "*" << factor;
        before = *step;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1'000);
}

// Two steps, each of which ends with a wait for all of its work: kernels `a` of the first, `b` of the second.
ProfilePtr two_independent_steps(std::mt19937_64& random) {
  std::string thread = "thread 1: ", stream = "stream 7: ";
  int now = 0, busy_until = 0, id = 0;
  for (const char* name : {"a", "b"}) {
    std::string calls;
    const int begin = now;
    for (auto works = 1 + random() % 6; works > 0; --works) {
      now += 1'000 + static_cast<int>(random() % 9'000);
      calls += fmt::format("{}-{} runtime launch [corr={}], ", now, now + 900, ++id);
      const int start = std::max(busy_until, now + 2'000), length = 1 + static_cast<int>(random() % 30'000);
      stream += fmt::format("{}-{} {} [corr={}], ", start, start + length, name, id);
      busy_until = start + length;
    }
    now = std::max(now + 1'000, busy_until - static_cast<int>(random() % 500));
    calls += fmt::format("{}-{} runtime deviceSynchronize, ", now, busy_until + 4'000);
    now = busy_until + 9'000;
    thread += fmt::format("{}-{} step {}, {}", begin, now, name[0] - 'a', calls);
  }
  thread.resize(thread.size() - 2), stream.resize(stream.size() - 2);
  return text_profile(thread + "\n" + stream);
}

// What two changes win together is the sum of what each wins, where nothing that one changes runs beside what the other does.
TEST(Scenario, IsAdditiveWhereIndependent) {
  std::mt19937_64 random(22);
  for (int round = 0; round < 200; ++round) {
    const ProfilePtr profile = two_independent_steps(random);
    const double recorded = *mean_step_if(profile, ""), a = *mean_step_if(profile, "kernel:a*0.3"),
                 b = *mean_step_if(profile, "kernel:b*1.7");
    ASSERT_LE(a, recorded);
    ASSERT_GE(b, recorded);
    ASSERT_EQ(*mean_step_if(profile, "kernel:a*0.3; kernel:b*1.7") - recorded, (a - recorded) + (b - recorded));
  }
}

// It is not where they run side by side: either kernel alone hides the other.
TEST(Scenario, IsNotAdditiveOnTwoStreams) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-11000 step 1, 1000-2000 runtime launch [corr=1], 3000-4000 runtime launch [corr=2]
    stream 7: 5000-90000 a [corr=1]
    stream 8: 5000-90000 b [corr=2]
  )");
  EXPECT_EQ(mean_step_if(profile, "kernel:a*0.5"), 90'000);
  EXPECT_EQ(mean_step_if(profile, "kernel:b*0.5"), 90'000);
  EXPECT_EQ(mean_step_if(profile, "kernel:a*0.5; kernel:b*0.5"), 47'500);
}

}  // namespace
}  // namespace sightline::analyses

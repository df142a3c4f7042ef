// HostTree and sums over its nodes: self and total times worked by hand, then properties over random trees.
#include "analyses/operators/host_tree.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <random>

#include "analyses/derived_data.h"
#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// The only node of a name that was not absorbed.
Row node_named(const Profile& profile, const HostTree& tree, std::string_view name) {
  Row found = kNoRow;
  for (Row node = 0; node < tree.nodes(); ++node) {
    if (tree.absorbed(node) || profile.text(profile.slices.name[tree.slice[node]]) != name) continue;
    EXPECT_EQ(found, kNoRow) << name << " is not alone";
    found = node;
  }
  EXPECT_NE(found, kNoRow) << name;
  return found;
}

// The costs of each node: one group per node.
std::vector<GroupSums> node_sums(const Profile& profile, const HostTree& tree) {
  std::vector<Row> groups(tree.nodes());
  for (Row node = 0; node < tree.nodes(); ++node) groups[node] = tree.absorbed(node) ? kNoRow : node;
  return sum_groups(profile, tree, work_by_start(profile), groups, tree.nodes());
}

struct Times {
  Time host_self, device_self, device_total;
  friend bool operator==(const Times&, const Times&) = default;
  friend void PrintTo(const Times& t, std::ostream* out) {
    *out << "host self " << t.host_self << ", device self " << t.device_self << ", device total " << t.device_total;
  }
};

Times times_of(const ProfilePtr& profile, std::string_view name) {
  const HostTree tree = build_host_tree(*profile);
  const GroupSums sums = node_sums(*profile, tree)[node_named(*profile, tree, name)];
  return {sums.host_self, sums.device_self, sums.device_total};
}

TEST(HostTree, SelfAndTotal) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 step 1, 10-60 op a, 20-40 op b, 25-30 runtime launch [corr=1], 50-55 runtime launch [corr=2]
    stream 7: 31-38 k1 [corr=1], 60-70 k2 [corr=2]
  )");
  // b: 20 - 5 (its launch) = 15 on the host; k1 = 7.
  EXPECT_EQ(times_of(profile, "b"), (Times{15, 7, 7}));
  // a: 50 - 20 (b) - 5 (its launch) = 25; k2 = 10 itself, 17 with b.
  EXPECT_EQ(times_of(profile, "a"), (Times{25, 10, 17}));
  // step: 100 - 50 (a).
  EXPECT_EQ(times_of(profile, "step 1"), (Times{50, 0, 17}));
}

TEST(HostTree, AnnotationsAreTransparentOnTheHostAndOwnWhatTheyLaunch) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 op a, 10-90 annotation n, 20-40 op b, 50-60 runtime launch [corr=1]
    stream 7: 60-75 k [corr=1]
  )");
  // a: 100 - 20 (b, through n) - 10 (the call, through n); k belongs to n: in a's total, and in no self time.
  EXPECT_EQ(times_of(profile, "a"), (Times{70, 0, 15}));
  EXPECT_EQ(times_of(profile, "b"), (Times{20, 0, 0}));
}

TEST(HostTree, PythonFunctionsAreTransparentButModulesAreNot) {
  const ProfilePtr profile = text_profile("thread 1: 0-100 op a, 10-90 python f, 20-80 module m, 30-50 op b");
  EXPECT_EQ(times_of(profile, "a").host_self, 100 - 60);
  EXPECT_EQ(times_of(profile, "m").host_self, 60 - 20);
}

TEST(HostTree, AnOnlyChildOfTheSameNameIsAbsorbed) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 op mm, 10-90 op mm, 20-60 op mm, 30-40 op x, 45-50 runtime launch [corr=1], 82-85 runtime launch [corr=2]
    stream 7: 50-57 k [corr=1], 90-99 k [corr=2]
  )");
  // One mm: 100 - 10 (x) - 5 - 3 (its own and absorbed launches) = 82; 7 + 9 on the device.
  EXPECT_EQ(times_of(profile, "mm"), (Times{82, 16, 16}));
  const HostTree tree = build_host_tree(*profile);
  EXPECT_EQ(tree.parent[node_named(*profile, tree, "x")], node_named(*profile, tree, "mm"));
}

TEST(HostTree, OneOfSeveralChildrenIsNotAbsorbed) {
  const ProfilePtr profile = text_profile("thread 1: 0-100 op mm, 10-40 op mm, 50-60 op x");
  const HostTree tree = build_host_tree(*profile);
  for (Row node = 0; node < tree.nodes(); ++node) EXPECT_FALSE(tree.absorbed(node));
}

TEST(HostTree, OnlyOperatorsAreAbsorbed) {
  const ProfilePtr profile = text_profile("thread 1: 0-100 module mm, 10-40 op mm");
  const HostTree tree = build_host_tree(*profile);
  EXPECT_FALSE(tree.absorbed(1));
}

TEST(HostTree, ACollectiveIsANodeOnlyAsAnOperator) {
  // Thread 1 has the operator; on thread 2 the annotation of the same name is transparent.
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 op a, 10-60 comm nccl:all_reduce
    thread 2: 0-100 op b, 10-60 comm nccl:broadcast [annotation], 20-30 op c
  )");
  EXPECT_EQ(times_of(profile, "a").host_self, 50);
  EXPECT_EQ(times_of(profile, "b").host_self, 90);
}

TEST(HostTree, ACallTakesItsTimeFromTheNodeItRanIn) {
  // The call is a's by id but ran in b: a = 100 - 60 (b), b = 60 - 40.
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 op a [id=5], 20-80 op b, 30-70 runtime launch [corr=1 ext=5]
    stream 7: 80-85 k [corr=1]
  )");
  EXPECT_EQ(times_of(profile, "a"), (Times{40, 5, 5}));
  EXPECT_EQ(times_of(profile, "b"), (Times{20, 0, 0}));
}

TEST(HostTree, LaunchesOnAnotherThreadTakeNoTime) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-10 op a [id=5]
    thread 2: 0-30 runtime launch [corr=1 ext=5]
    stream 7: 30-35 k [corr=1]
  )");
  EXPECT_EQ(times_of(profile, "a"), (Times{10, 5, 5}));
}

TEST(HostTree, ALaunchInsideALaunchCountsOnce) {
  const ProfilePtr profile = text_profile("thread 1: 0-100 op a, 10-50 runtime launch [corr=1], 20-30 runtime driver [corr=1]");
  EXPECT_EQ(times_of(profile, "a").host_self, 60);
}

TEST(HostTree, EligibilityComesFromTheNameTheChildrenAndTheKernels) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 op outer, 10-40 module m, 20-30 op mm [eligible], 50-90 op fused, 60-70 runtime launch [corr=1]
    thread 2: 0-10 op plain
    stream 7: 70-80 k [corr=1 matrix]
  )");
  const HostTree tree = build_host_tree(*profile);
  const auto eligible = [&](std::string_view name) { return tree.matrix_eligible[node_named(*profile, tree, name)] != 0; };
  EXPECT_TRUE(eligible("mm"));
  EXPECT_TRUE(eligible("fused"));
  EXPECT_TRUE(eligible("outer"));
  EXPECT_FALSE(eligible("plain"));
  const GroupSums outer = node_sums(*profile, tree)[node_named(*profile, tree, "outer")];
  EXPECT_EQ(outer.matrix_total, 10);
  EXPECT_EQ(outer.matrix_self, 0);
}

TEST(HostTree, ASliceIsInsideTheLatestNodeThatContainsItWhole) {
  // f and n overlap, so n and b are on a lane of their own; both are inside a as well. c overlaps b and is inside a.
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 op a, 10-50 python f, 55-70 op c
    thread 1+: 20-90 annotation n, 30-60 op b, 40-45 runtime launch [corr=1]
    stream 7: 50-57 k [corr=1]
  )");
  EXPECT_EQ(times_of(profile, "a"), (Times{100 - 30 - 15, 0, 7}));
  EXPECT_EQ(times_of(profile, "b"), (Times{25, 7, 7}));
  EXPECT_EQ(times_of(profile, "c"), (Times{15, 0, 0}));
}

TEST(HostTree, IsBuiltOncePerProfile) {
  const ProfilePtr profile = share_profile(parse_text_profile("thread 1: 0-100 op a"));
  EXPECT_EQ(host_tree(profile), host_tree(profile));
  EXPECT_NE(host_tree(profile), host_tree(text_profile("thread 1: 0-100 op a")));
}

// ---- properties ----

// Splits [start, end) at random into nested ranges.
void add_random_ranges(std::mt19937& random, Time start, Time end, int depth, std::string& line) {
  static constexpr std::array<std::string_view, 5> kKinds{"op a", "op b", "module m", "annotation n", "runtime launch"};
  for (Time at = start; at + 2 < end && depth < 5;) {
    const Time from = at + static_cast<Time>(random() % 5);
    const Time to = from + 1 + static_cast<Time>(random() % 40);
    if (to > end) break;
    const std::string_view kind = kKinds[random() % kKinds.size()];
    line += fmt::format("{}{}-{} {}", line.empty() ? "" : ", ", from, to, kind);
    if (kind == "runtime launch") {
      line += fmt::format(" [corr={}]", from);
    } else {
      add_random_ranges(random, from, to, depth + 1, line);
    }
    at = to;
  }
}

std::string random_profile_text(std::mt19937& random) {
  std::string host;
  add_random_ranges(random, 0, 300, 0, host);
  std::string device;
  for (Time at = 0; at < 300; at += 7) device += fmt::format("{}{}-{} k [corr={}]", device.empty() ? "" : ", ", at, at + 5, at);
  return fmt::format("thread 1: {}\nstream 7: {}", host, device);
}

TEST(HostTree, SelfTimesSumToTotals) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const ProfilePtr profile = text_profile(random_profile_text(random));
    const HostTree tree = build_host_tree(*profile);
    const std::vector<GroupSums> sums = node_sums(*profile, tree);
    Time host_self = 0;
    Time device_self = 0;
    Time host_top = 0;
    Time device_top = 0;
    for (Row node = 0; node < tree.nodes(); ++node) {
      ASSERT_GE(sums[node].host_self, 0);
      host_self += sums[node].host_self;
      device_self += sums[node].device_self;
      if (tree.parent[node] != kNoRow || tree.absorbed(node)) continue;
      host_top += profile->slices.duration[tree.slice[node]];
      device_top += sums[node].device_total;
    }
    Time launches_in_nodes = 0;
    for (Row i = 0; i < profile->launches.rows(); ++i) {
      const Row slice = profile->launches.slice[i];
      if (tree.node_of_owner(slice) != kNoRow) launches_in_nodes += profile->slices.duration[slice];
    }
    Time by_nodes = 0;
    Time inside_nodes = 0;
    for (Row i = 0; i < profile->device_work.rows(); ++i) {
      const Row owner = profile->device_work.owner[i];
      const Time duration = profile->slices.duration[profile->device_work.slice[i]];
      if (tree.node_of_owner(owner) != kNoRow) inside_nodes += duration;
      if (tree.owns_itself(owner)) by_nodes += duration;
    }
    ASSERT_EQ(host_self + launches_in_nodes, host_top);
    ASSERT_EQ(device_self, by_nodes);
    ASSERT_EQ(device_top, inside_nodes);
  }
}

}  // namespace
}  // namespace sightline::analyses

// Time roles: every role in one step by hand, then random profiles against a slow oracle that looks at each instant.
#include "analyses/steps/step_summary.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <random>

#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::string text_of(const Breakdown& breakdown) {
  std::string text;
  for (std::size_t role = 0; role < kRoles; ++role) {
    text += fmt::format("{}{} {}", role == 0 ? "" : ", ", role_key(static_cast<Role>(role)), breakdown.part[role]);
  }
  return text;
}

std::vector<Breakdown> parts(const ProfilePtr& profile, const std::vector<Interval>& windows) {
  return break_down(role_sets(*profile), windows);
}

TEST(TimeRoles, EachInstantGoesToTheFirstActiveRole) {
  // 0-100: loader 0-30 (operator aten::cat inside hidden), op 30-90, launches 35-45 and 50-55, comm 60-70,
  // kernel 40-50, memcpy 45-52 (2 visible), memset 51-54 (2 visible), collective 65-75.
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-100 step 1, 0-30 data next, 5-10 op cat, 30-90 op a, 35-45 runtime l, 50-55 runtime l
    thread 2: 60-70 comm all_reduce
    stream 7: 40-50 k, 51-54 memset z
    stream 8: 45-52 memcpy HtoD, 65-75 collective ring
  )");
  // kernel 40-50 = 10; memcpy 50-52 = 2; memset 52-54 = 2; communication 60-75 = 15; runtime 35-40 + 54-55 = 6;
  // loader 0-30 = 30; host 30-35 + 55-60 + 75-90 = 25; other 90-100 = 10.
  EXPECT_EQ(text_of(parts(profile, {{0, 100}}).front()),
            "kernel 10, memcpy 2, memset 2, communication 15, runtime 6, dataloader 30, host 25, other 10");
}

TEST(TimeRoles, StepsFullyBusyDoNotCountTwice) {
  // The replaced plugin starts again when no steps are left; here a full step stays full.
  const ProfilePtr profile = text_profile("thread 1: 0-100 step 1, 0-90 op a, 10-20 runtime l\nstream 7: 0-100 k");
  EXPECT_EQ(text_of(parts(profile, {{0, 100}}).front()),
            "kernel 100, memcpy 0, memset 0, communication 0, runtime 0, dataloader 0, host 0, other 0");
}

TEST(TimeRoles, SomeKindsHaveNoRole) {
  const ProfilePtr profile = text_profile(
      "thread 1: 0-100 step 1, 0-90 module m, 0-80 python f, 0-70 overhead o, 10-30 annotation n\nstream 7: 0-50 mark n, 50-60 "
      "sync s");
  EXPECT_EQ(text_of(parts(profile, {{0, 100}}).front()),
            "kernel 0, memcpy 0, memset 0, communication 0, runtime 0, dataloader 0, host 20, other 80");
}

TEST(TimeRoles, StepsAreCutFromTheSameSets) {
  const ProfilePtr profile = text_profile("thread 1: 0-60 op a\nstream 7: 40-120 k");
  const auto steps = parts(profile, {{0, 50}, {50, 130}, {130, 130}});
  EXPECT_EQ(steps[0].of(Role::kernel), 10);
  EXPECT_EQ(steps[0].of(Role::host), 40);
  EXPECT_EQ(steps[1].of(Role::kernel), 70);
  EXPECT_EQ(steps[1].of(Role::host), 0);
  EXPECT_EQ(steps[1].of(Role::other), 10);
  EXPECT_EQ(steps[2].part, Breakdown{}.part);
}

// ---- against the slow oracle ----

std::string random_lane(std::mt19937& random, const std::vector<std::string_view>& kinds) {
  std::string line;
  for (Time at = static_cast<Time>(random() % 10); at < 120;) {
    const Time end = at + static_cast<Time>(random() % 15);
    line += fmt::format("{}{}-{} {} x", line.empty() ? "" : ", ", at, end, kinds[random() % kinds.size()]);
    at = end + static_cast<Time>(random() % 8);
  }
  return line;
}

Breakdown slow_breakdown(const Profile& profile, Interval window) {
  Breakdown breakdown;
  for (Time t = window.start; t < window.end; ++t) {
    Role role = Role::other;
    for (Row row = 0; row < profile.slices.rows(); ++row) {
      const bool active = profile.slices.start[row] <= t && t < profile.end_of(row);
      if (active) role = std::min(role, role_of(profile.slices.kind[row]));
    }
    ++breakdown.part[static_cast<std::size_t>(role)];
  }
  return breakdown;
}

TEST(TimeRoles, AgreesWithTheSlowOracleAndSumsToTheWindow) {
  const std::vector<std::string_view> host{"op", "annotation", "runtime", "data", "comm", "optimizer", "python"};
  const std::vector<std::string_view> device{"kernel", "memcpy", "memset", "collective", "sync"};
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int lane = 0; lane < 3; ++lane) text += fmt::format("thread {}: {}\n", lane, random_lane(random, host));
    for (int lane = 0; lane < 3; ++lane) text += fmt::format("stream {}: {}\n", lane, random_lane(random, device));
    const ProfilePtr profile = text_profile(text);
    const std::vector<Interval> windows{{0, 37}, {37, 90}, {95, 140}};
    const auto steps = parts(profile, windows);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      ASSERT_EQ(text_of(steps[i]), text_of(slow_breakdown(*profile, windows[i]))) << text;
      Time sum = 0;
      for (const Time part : steps[i].part) sum += part;
      ASSERT_EQ(sum, windows[i].length());
    }
  }
}

}  // namespace
}  // namespace sightline::analyses

// flows_in against its definition, on random profiles; and Relations against scans.
#include "timeline/flows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "tests/support/text_profile.h"

namespace sightline::timeline {

using namespace tests;
namespace {

// Two threads that launch work on two streams, and forward-backward flows between their operators.
ProfilePtr random_profile(std::mt19937_64& random) {
  std::string text;
  const std::size_t launches = random() % 40;
  Time now = 0;
  std::vector<Time> device(2, 0);
  std::string thread[2];
  std::string stream[2];
  for (std::size_t i = 0; i < launches; ++i) {
    now += static_cast<Time>(random() % 8);
    const std::string corr = " [corr=" + std::to_string(i + 1) + "]";
    std::string& host = thread[random() % 2];
    host += (host.empty() ? "" : ", ") + std::to_string(now) + "-" + std::to_string(now + 4) + " op mm, " +
            std::to_string(now + 1) + "-" + std::to_string(now + 3) + " runtime launch" + (random() % 8 == 0 ? "" : corr);
    const std::size_t which = random() % 2;
    device[which] = std::max(device[which], now + 2) + static_cast<Time>(random() % 9);
    const Time end = device[which] + static_cast<Time>(random() % 5);
    stream[which] +=
        (stream[which].empty() ? "" : ", ") + std::to_string(device[which]) + "-" + std::to_string(end) + " kernel k" + corr;
    device[which] = end;
    now += 4;
  }
  for (int i = 0; i < 2; ++i) {
    if (!thread[i].empty()) text += "thread " + std::to_string(i) + ": " + thread[i] + "\n";
  }
  for (int i = 0; i < 2; ++i) {
    if (!stream[i].empty()) text += "stream " + std::to_string(i) + ": " + stream[i] + "\n";
  }
  std::unique_ptr<Profile> profile = parse_text_profile(text);
  for (std::size_t i = 0; profile->slices.rows() != 0 && i < random() % 30; ++i) {
    profile->flows.kind.push_back(random() % 3 == 0 ? FlowKind::other : FlowKind::forward_backward);
    profile->flows.from.push_back(static_cast<Row>(random() % profile->slices.rows()));
    profile->flows.to.push_back(static_cast<Row>(random() % profile->slices.rows()));
  }
  return profile;
}

std::vector<Flow> all_flows(const Profile& p) {
  std::vector<Flow> flows;
  for (std::size_t w = 0; w < p.device_work.rows(); ++w) {
    if (p.device_work.launch[w] == kNoRow) continue;
    flows.push_back({FlowKind::launch, p.launches.slice[p.device_work.launch[w]], p.device_work.slice[w]});
  }
  for (std::size_t f = 0; f < p.flows.rows(); ++f) flows.push_back({p.flows.kind[f], p.flows.from[f], p.flows.to[f]});
  return flows;
}

TEST(Flows, FollowTheDefinitionOnRandomProfiles) {
  std::mt19937_64 random(17);
  std::uint64_t counted = 0;
  for (int round = 0; round < 150; ++round) {
    const ProfilePtr profile = random_profile(random);
    const Timeline timeline(profile, 1);
    const auto& start = profile->slices.start;
    for (int q = 0; q < 10; ++q) {
      FlowRequest request;
      for (const DrawnLane& lane : timeline.lanes()) {
        if (random() % 4 != 0) request.lanes.push_back(lane.lane);
      }
      request.window.start = static_cast<Time>(random() % 200) - 20;
      request.window.end = request.window.start + 1 + static_cast<Time>(random() % 200);
      request.window.pixel = 1 << (random() % 7);
      for (bool& kind : request.kinds) kind = random() % 4 != 0;
      using Group = std::tuple<FlowKind, std::uint32_t, std::uint32_t, Time, Time>;
      const auto group_of = [&](const Flow& f) {
        return Group{f.kind, timeline.place_of(f.from).lane, timeline.place_of(f.to).lane, start[f.from] / request.window.pixel,
                     start[f.to] / request.window.pixel};
      };
      std::map<Group, std::vector<Flow>> expected;
      std::uint64_t count = 0;
      const auto is_requested = [&](Row slice) {
        return std::count(request.lanes.begin(), request.lanes.end(), timeline.place_of(slice).lane) != 0;
      };
      const auto inside = [&](Row slice) { return request.window.start <= start[slice] && start[slice] < request.window.end; };
      for (const Flow& f : all_flows(*profile)) {
        if (!request.kinds[static_cast<std::size_t>(f.kind)] || !is_requested(f.from) || !is_requested(f.to)) continue;
        if (!inside(f.from) && !inside(f.to)) continue;
        ++count;
        expected[group_of(f)].push_back(f);
      }
      const FlowsInWindow found = flows_in(timeline, request);
      EXPECT_EQ(found.count, count);
      EXPECT_EQ(found.shown.size(), expected.size());
      std::set<Group> groups;
      for (const Flow& f : found.shown) {
        EXPECT_TRUE(groups.insert(group_of(f)).second);
        const auto& members = expected[group_of(f)];
        EXPECT_NE(std::find(members.begin(), members.end(), f), members.end());
      }
      counted += count;
    }
  }
  EXPECT_GT(counted, 5000u);
}

TEST(Relations, AreTheColumnsReadBackwards) {
  std::mt19937_64 random(23);
  for (int round = 0; round < 50; ++round) {
    const ProfilePtr profile = random_profile(random);
    const Relations relations(*profile);
    const auto expect_rows = [](std::span<const Row> rows, const auto& column, Row wanted) {
      std::vector<Row> expected;
      for (Row i = 0; i < column.size(); ++i) {
        if (column[i] == wanted) expected.push_back(i);
      }
      EXPECT_EQ(std::vector<Row>(rows.begin(), rows.end()), expected);
    };
    for (Row launch = 0; launch < profile->launches.rows(); ++launch) {
      expect_rows(relations.launched_by(launch), profile->device_work.launch, launch);
    }
    for (Row slice = 0; slice < profile->slices.rows(); ++slice) {
      expect_rows(relations.owned_by(slice), profile->device_work.owner, slice);
      expect_rows(relations.flows_from(slice), profile->flows.from, slice);
      expect_rows(relations.flows_to(slice), profile->flows.to, slice);
    }
  }
}

}  // namespace
}  // namespace sightline::timeline

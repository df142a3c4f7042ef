// match_flows through a reader: arrows in any order, compared with a map that is filled in the order of the file.
#include "formats/trace_events/slice_layout.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "formats/registry.h"
#include "tests/support/temporary_file.h"

namespace sightline::formats::trace_events {

using namespace tests;
namespace {

using Arrows = std::vector<std::pair<std::string, std::string>>;  // names of both slices

Arrows arrows_of(const std::string& events) {
  const TemporaryFile file("{\"traceEvents\":[" + events + "]}");
  ReadOptions options;
  options.threads = 2;
  options.window_bytes = 4096;
  const Result<std::unique_ptr<Profile>> read = kineto_reader().read(file.path(), options);
  EXPECT_TRUE(read.ok());
  Arrows arrows;
  const Profile& p = **read;
  for (Row i = 0; i < p.flows.rows(); ++i) {
    arrows.emplace_back(p.text(p.slices.name[p.flows.from[i]]), p.text(p.slices.name[p.flows.to[i]]));
  }
  return arrows;
}

std::string end_of(bool begins, int id, int thread, int time) {
  return fmt::format(R"(,{{"ph":"{}","cat":"fwdbwd","id":{},"pid":1,"tid":{},"ts":{}}})", begins ? 's' : 'f', id, thread, time);
}

TEST(FlowMatching, ConnectsTheLastBeginningAndTheLastEnd) {
  std::string events = R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":10,"dur":5})"
                       R"(,{"ph":"X","cat":"cpu_op","name":"b","pid":1,"tid":1,"ts":20,"dur":5})"
                       R"(,{"ph":"X","cat":"cpu_op","name":"c","pid":1,"tid":2,"ts":30,"dur":5})";
  EXPECT_EQ(arrows_of(events + end_of(true, 4, 1, 10) + end_of(true, 4, 1, 20) + end_of(false, 4, 2, 30)), (Arrows{{"b", "c"}}));
  EXPECT_EQ(arrows_of(events + end_of(false, 4, 2, 30) + end_of(false, 4, 1, 20) + end_of(true, 4, 1, 10)), (Arrows{{"a", "b"}}));
  // No slice starts there, so there is no end.
  EXPECT_EQ(arrows_of(events + end_of(true, 4, 1, 10) + end_of(false, 4, 2, 30) + end_of(false, 4, 2, 31)), Arrows{});
}

TEST(FlowMatching, AgreesWithAMap) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::string events;
    for (int i = 0; i < 60; ++i) {
      events += fmt::format(R"({}{{"ph":"X","cat":"cpu_op","name":"{}","pid":1,"tid":{},"ts":{},"dur":4}})", i > 0 ? "," : "", i,
                            i % 3, 10 * i);
    }
    std::map<int, std::pair<std::string, std::string>> expected;  // by id
    for (int i = 0; i < 200; ++i) {
      const int slice = static_cast<int>(random() % 60), id = static_cast<int>(random() % 40);
      const bool begins = random() % 2 == 0, on_slice = random() % 8 != 0;
      events += end_of(begins, id, slice % 3, 10 * slice + (on_slice ? 0 : 1));
      const std::string name = on_slice ? std::to_string(slice) : "";
      (begins ? expected[id].first : expected[id].second) = name;
    }
    Arrows arrows;
    for (const auto& [id, ends] : expected) {
      if (!ends.first.empty() && !ends.second.empty()) arrows.push_back(ends);
    }
    ASSERT_EQ(arrows_of(events), arrows);
  }
}

}  // namespace
}  // namespace sightline::formats::trace_events

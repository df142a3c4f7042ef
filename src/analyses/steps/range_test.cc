// The sums of a range: a case by hand, and random profiles against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "analyses/steps/range_sums.h"
#include "tests/support/random_lanes.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// ns:      0    10   20   30   40   50   60
// thread   |aten::mm 10-40         |  mm 50-60    range: 20-55
//            |launch 15-25
//          frame f 0-45 (its own lane)
// stream 7           gemm 25-45
const char* const kText = R"(
thread 1: 0-45 python f, 10-40 op mm, 15-25 runtime launch [corr=1], 50-60 op mm, 52-52 op instant
stream 7: 25-45 gemm [corr=1]
)";

TEST(Range, SumsThePartsInside) {
  const Report report = run_view(text_profile(kText), "range", {{"start", "20"}, {"end", "55"}});
  // mm: 20-40 and 50-55, 25 in all; the launch covers 20-25 of it, so its self time is 20. f is on another lane: neither covers
  // the other. The instant counts and takes no time.
  EXPECT_EQ(rows_text(report, "names", {"name", "category", "count", "total", "self", "mean", "min", "max", "longest_slice"}),
            "mm op 2 25 20 12.5 5 20 1\n"
            "f python 1 25 25 25 25 25 0\n"
            "gemm kernel 1 20 20 20 20 20 5\n"
            "launch runtime 1 5 5 5 5 5 2\n"
            "instant op 1 0 0 0 0 0 4\n");
  EXPECT_EQ(rows_text(report, "categories", {"category", "count", "total", "self", "wall"}),
            "op 3 25 20 25\n"
            "python 1 25 25 25\n"
            "kernel 1 20 20 20\n"
            "runtime 1 5 5 5\n");
  std::string facts;
  for (const Fact& fact : panel_facts(report.panels.front())) facts += fact.label + " " + cell_text(fact.value) + "\n";
  EXPECT_EQ(facts, "Start 20\nLength 35\nLanes 3\nSlices 6\nBusy 0.857143\n");  // 20-45 and 50-55 of 35
}

// Times of at most 2^61 ns, the farthest that the parameters take: 0-45 and 50-60 of 2^62 ns.
TEST(Range, TheLongestRangeHasALength) {
  const Report report =
      run_view(text_profile(kText), "range", {{"start", "-2305843009213693952"}, {"end", "2305843009213693952"}});
  const std::vector<Fact> facts = panel_facts(report.panels.front());
  EXPECT_EQ(cell_text(facts[1].value), "4611686018427387904") << facts[1].label;
  EXPECT_DOUBLE_EQ(std::get<double>(facts[4].value), 55.0 / 4611686018427387904.0) << facts[4].label;
}

TEST(Range, SumsByLaneAndByExecutedOperator) {
  const ProfilePtr profile = text_profile(R"(
    program p: dot.3 [framework=Net/fc], add.4
    engine Tensor: 0-10 MATMUL [does=dot.3], 20-30 MATMUL [does=dot.3], 30-50 WAIT
    engine Vector: 5-25 ADD [does=add.4]
  )");
  const Report report = run_view(profile, "range", {{"start", "5"}, {"end", "25"}});
  // Tensor: 5-10 and 20-25. Vector: all of the range.
  EXPECT_EQ(rows_text(report, "lanes", {"lane", "count", "total", "max", "wall", "share"}),
            "engine Tensor 2 10 5 10 0.5\nengine Vector 1 20 20 20 1\n");
  EXPECT_EQ(rows_text(report, "operators", {"name", "count", "total"}), "add.4 1 20\ndot.3 2 10\n");
  EXPECT_EQ(rows_text(report, "layers", {"name", "count", "total"}), "Net/fc 2 10\n");
  EXPECT_EQ(run_view(text_profile(kText), "range").find_table("operators"), nullptr);
}

TEST(Range, LanesAndCategoriesAreATreeWithDevicesFirst) {
  const Report report = run_view(text_profile(kText), "range", {{"start", "20"}, {"end", "55"}});
  EXPECT_EQ(rows_text(report, "sums", {"name", "parent", "wall", "self", "count"}),
            "stream 7 - 20 20 1\n"
            "kernel 0 20 20 1\n"
            "thread 1 - 25 25 4\n"
            "op 2 25 20 3\n"
            "runtime 2 5 5 1\n"
            "Python, thread 1 - 25 25 1\n"
            "python 5 25 25 1\n");
  EXPECT_EQ(rows_text(report, "device_names", {"name", "total"}), "gemm 20\n");
  EXPECT_EQ(rows_text(report, "host_names", {"name", "self"}), "f 25\nmm 20\nlaunch 5\ninstant 0\n");
}

// Two streams at once: together they were busy from 0 to 30.
// The range that the device repeats from the host does not make it busy.
TEST(Range, AnnotationsOfADeviceAreNotItsWork) {
  const Report report = run_view(text_profile("stream 7: 0-30 mark forward, 5-15 a"), "range");
  EXPECT_EQ(rows_text(report, "sums", {"name", "wall", "count"}), "stream 7 10 1\ndevice_annotation 30 1\nkernel 10 1\n");
  EXPECT_EQ(rows_text(report, "device_names", {"name", "self"}), "a 10\n");
}

TEST(Range, DeviceLanesAreSummedTogether) {
  const Report report = run_view(text_profile("stream 7: 0-20 a, 20-25 b\nstream 8: 10-30 c"), "range");
  EXPECT_EQ(rows_text(report, "sums", {"name", "parent", "wall", "count"}),
            "All device lanes - 30 3\nkernel 0 30 3\n"
            "stream 7 - 25 2\nkernel 2 25 2\n"
            "stream 8 - 20 1\nkernel 4 20 1\n");
}

TEST(Range, SlicesAreMergedByPathAndByCaller) {
  const Report report = run_view(text_profile(kText), "range", {{"start", "20"}, {"end", "55"}, {"lanes", "0,2"}});
  EXPECT_EQ(rows_text(report, "paths", {"name", "parent", "total", "self", "count"}),
            "stream 7 - 20 0 1\n"
            "gemm 0 20 20 1\n"
            "thread 1 - 25 0 4\n"
            "mm 2 25 20 2\n"
            "launch 3 5 5 1\n"
            "instant 3 0 0 1\n");
  // Bottom-up: the launch took 5 ns, all of them inside mm.
  EXPECT_EQ(rows_text(report, "callers", {"name", "parent", "self", "count"}),
            "gemm - 20 1\nmm - 20 2\nlaunch - 5 1\nmm 2 5 1\n");
}

TEST(Range, APartOfTheReportHasItsTablesOnly) {
  const Report report = run_view(text_profile(kText), "range", {{"part", "sums"}});
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0].key, "sums");
  ASSERT_EQ(report.panels.size(), 1u);
  EXPECT_THROW(run_view(text_profile(kText), "range", {{"part", "all"}}), std::invalid_argument);
}

TEST(Range, LanesAreThoseOfTheTimeline) {
  const ProfilePtr profile = text_profile(kText);
  EXPECT_EQ(rows_text(run_view(profile, "range", {{"lanes", "1"}}), "names", {"name"}), "f\n");
  EXPECT_EQ(rows_text(run_view(profile, "range", {{"lanes", "2,1"}}), "names", {"name", "total"}), "f 45\ngemm 20\n");
  EXPECT_THROW(run_view(profile, "range", {{"lanes", "3"}}), std::invalid_argument);
  EXPECT_THROW(run_view(profile, "range", {{"lanes", "x"}}), std::invalid_argument);
  EXPECT_THROW(run_view(profile, "range", {{"start", "50"}, {"end", "50"}}), std::invalid_argument);
}

// ---- the definition, slice by slice ----

constexpr SliceKind kHostKinds[] = {SliceKind::op, SliceKind::python, SliceKind::annotation};

using Key = std::pair<StringId, SliceKind>;

std::map<Key, RangeSum> by_definition(const Profile& p, Interval range, const std::vector<DrawnLaneSource>& lanes) {
  std::map<Key, RangeSum> sums;
  for (const DrawnLaneSource& lane : lanes) {
    std::vector<Row> inside;
    for (Row i = 0; i < p.slices.rows(); ++i) {
      if (std::count(lane.lanes.begin(), lane.lanes.end(), p.slices.lane[i]) == 0 || !lane.holds(p, i)) continue;
      const bool instant = p.slices.duration[i] == 0 && p.slices.start[i] >= range.start && p.slices.start[i] < range.end;
      if (instant || std::min(p.end_of(i), range.end) > std::max(p.slices.start[i], range.start)) inside.push_back(i);
    }
    std::stable_sort(inside.begin(), inside.end(), [&](Row a, Row b) {
      return std::pair(p.slices.start[a], -p.slices.duration[a]) < std::pair(p.slices.start[b], -p.slices.duration[b]);
    });
    std::vector<Time> start;
    std::vector<Time> duration;
    for (const Row i : inside) {
      start.push_back(p.slices.start[i]);
      duration.push_back(p.slices.duration[i]);
    }
    std::vector<Row> parent(inside.size());
    std::vector<std::uint16_t> depth(inside.size());
    nest(start, duration, 0, parent, depth);
    for (std::size_t k = 0; k < inside.size(); ++k) {
      const Row i = inside[k];
      const Time part = std::min(p.end_of(i), range.end) - std::max(p.slices.start[i], range.start);
      RangeSum& sum = sums[{p.slices.name[i], p.slices.kind[i]}];
      sum.least = sum.count == 0 ? part : std::min(sum.least, part);
      sum.most = std::max(sum.most, part);
      ++sum.count;
      sum.total += part;
      sum.self += part;
      if (parent[k] != kNoRow) sums[{p.slices.name[inside[parent[k]]], p.slices.kind[inside[parent[k]]]}].self -= part;
    }
  }
  return sums;
}

// Instants [t, t + 1) of the range at which a slice of the kind is open on a lane.
Time wall_by_definition(const Profile& p, Interval range, const std::vector<DrawnLaneSource>& lanes, SliceKind kind) {
  Time wall = 0;
  for (Time t = range.start; t < range.end; ++t) {
    bool open = false;
    for (Row i = 0; i < p.slices.rows() && !open; ++i) {
      if (p.slices.kind[i] != kind || p.slices.start[i] > t || p.end_of(i) <= t) continue;
      for (const DrawnLaneSource& lane : lanes) {
        open |= std::count(lane.lanes.begin(), lane.lanes.end(), p.slices.lane[i]) != 0 && lane.holds(p, i);
      }
    }
    wall += open ? 1 : 0;
  }
  return wall;
}

TEST(Range, EqualsTheDefinitionOnRandomProfiles) {
  std::mt19937_64 random(31);
  std::int64_t slices = 0;
  for (int round = 0; round < 150; ++round) {
    const ProfilePtr profile = random_lanes(random, 40, kHostKinds);
    const Profile& p = *profile;
    std::vector<DrawnLaneSource> lanes = drawn_lanes(p);
    std::erase_if(lanes, [&](const auto&) { return random() % 4 == 0; });
    const Time start = static_cast<Time>(random() % 120) - 10;
    const Interval range{start, start + 1 + static_cast<Time>(random() % 80)};
    const WindowSums sums = range_sums(p, range, lanes);
    std::map<Key, RangeSum> expected = by_definition(p, range, lanes);
    ASSERT_EQ(sums.by_name.size(), expected.size());
    for (const RangeSum& sum : sums.by_name) {
      const RangeSum& wanted = expected[{sum.name, sum.kind}];
      EXPECT_EQ(std::tuple(sum.count, sum.total, sum.self, sum.least, sum.most),
                std::tuple(wanted.count, wanted.total, wanted.self, wanted.least, wanted.most));
      const Time longest = std::min(p.end_of(sum.longest), range.end) - std::max(p.slices.start[sum.longest], range.start);
      EXPECT_EQ(longest, sum.most);
      EXPECT_EQ(p.slices.name[sum.longest], sum.name);
    }
    for (const RangeSum& sum : sums.by_kind) EXPECT_EQ(sum.wall, wall_by_definition(p, range, lanes, sum.kind));
    slices += sums.slices;
  }
  EXPECT_GT(slices, 2000);
}

}  // namespace
}  // namespace sightline::analyses

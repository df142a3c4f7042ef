// The memory view: every metric worked by hand.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// GPU0: 1,000 bytes are there before the recording. +100 outside of operators, +64 by aten::empty inside linear, +32 by mm,
// which also releases the 64; then the 100, and 500 that were allocated before. The host uses one of the same addresses.
ProfilePtr recorded() {
  return text_profile(R"(
    device 0: A [memory=8000]
    thread 1: 0-100 step 1, 10-60 op linear, 20-30 op aten::empty, 35-50 op mm
    memory 0: 5 100 1100 [at=1 reserved=2000 thread=1], 22 64 1164 [at=2 reserved=2000 thread=1]
    memory 0: 40 32 1196 [at=3 reserved=4000 thread=1], 45 -64 1132 [at=2 reserved=4000 thread=1]
    memory 0: 70 -100 1032 [at=1 reserved=4000 thread=1], 80 -500 532 [at=9 reserved=1500 thread=1]
    memory host: 41 8 8 [at=3 reserved=0 thread=1], 43 -8 0 [at=3 reserved=0 thread=1]
  )");
}

std::string facts_text(const Report& report) {
  std::string text;
  for (const Fact& fact : panel_facts(report.panels.front())) text += fact.label + ": " + cell_text(fact.value) + "\n";
  return text;
}

const Parameter& parameter_of(const Report& report, std::string_view key) {
  for (const Parameter& parameter : report.parameters) {
    if (parameter.key == key) return parameter;
  }
  throw std::invalid_argument("no such parameter");
}

TEST(Memory, Summary) {
  const Report report = run_view(recorded(), "memory");
  EXPECT_EQ(report.scope, "6 events of GPU0");
  EXPECT_EQ(facts_text(report),
            "Peak allocated: 1196\n"
            "Peak at: 40\n"
            "Peak reserved: 4000\n"
            "Device memory: 8000\n"
            "Allocated before recording: 1000\n"
            "Allocated at the end: 532\n"
            "Bytes allocated: 196\n"
            "Bytes released: 664\n"
            "Events: 6\n"
            "Not attributed: 3\n");
}

TEST(Memory, CurveHasEveryEventAndBothEnds) {
  const Report report = run_view(recorded(), "memory");
  EXPECT_EQ(rows_text(report, "curve", {"time", "allocated", "reserved", "fragmentation"}),
            "0 1000 - -\n"
            "5 1100 2000 900\n"
            "22 1164 2000 836\n"
            "40 1196 4000 2804\n"
            "45 1132 4000 2868\n"
            "70 1032 4000 2968\n"
            "80 532 1500 968\n"
            "100 532 1500 968\n");
  const LineChart& curve = *report.panels[1].as<LineChart>();
  ASSERT_EQ(curve.marks.size(), 1u);
  EXPECT_EQ(curve.marks.front().x, 40);
}

TEST(Memory, EachOperatorsSixMeasures) {
  EXPECT_EQ(rows_text(run_view(recorded(), "memory"), "operators",
                      {"name", "calls", "size_increase", "self_size_increase", "allocations", "self_allocations",
                       "allocation_size", "self_allocation_size"}),
            "aten::empty 1 64 64 1 1 64 64\n"
            "linear 1 32 0 2 0 96 0\n"
            "mm 1 -32 -32 1 1 32 32\n");
}

TEST(Memory, BlocksHaveBothEndsWhereBothWereRecorded) {
  EXPECT_EQ(rows_text(run_view(recorded(), "memory"), "events",
                      {"operator", "size", "allocated_at", "released_at", "duration", "has_call"}),
            "- 500 - 80 - no\n"
            "- 100 5 70 65 no\n"
            "linear (aten::empty) 64 22 45 23 yes\n"
            "mm 32 40 - - yes\n");
}

TEST(Memory, TheHostIsASeparateDevice) {
  const Report report = run_view(recorded(), "memory", {{"device", "CPU"}});
  EXPECT_EQ(rows_text(report, "events", {"operator", "size", "allocated_at", "released_at"}), "mm 8 41 43\n");
  EXPECT_EQ(rows_text(report, "operators", {"name", "size_increase", "self_allocation_size"}), "linear 0 0\nmm 0 8\n");
  EXPECT_EQ(rows_text(report, "curve", {"time", "allocated", "fragmentation"}), "0 0 -\n41 8 -\n43 0 0\n100 0 0\n");
}

TEST(Memory, TheReportNamesTheDevices) {
  const Report report = run_view(recorded(), "memory");
  const Parameter& device = parameter_of(report, "device");
  EXPECT_EQ(device.value, "GPU0");
  ASSERT_EQ(device.choices.size(), 2u);
  EXPECT_EQ(device.choices[1].value, "CPU");
  try {
    run_view(recorded(), "memory", {{"device", "GPU7"}});
    FAIL();
  } catch (const std::invalid_argument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("no memory recorded on a device 'GPU7'; there are some on: GPU0, CPU"),
              std::string::npos);
  }
}

TEST(Memory, AWindowKeepsItsEventsAndTheOtherEndsOfTheirBlocks) {
  const Report report = run_view(recorded(), "memory", {{"start", "30"}, {"end", "50"}});
  EXPECT_EQ(facts_text(report).substr(0, 101),
            "Peak allocated: 1196\nPeak at: 40\nPeak reserved: 4000\nDevice memory: 8000\nAllocated at the start: 1164");
  EXPECT_EQ(rows_text(report, "events", {"operator", "size", "allocated_at", "released_at"}),
            "linear (aten::empty) 64 22 45\nmm 32 40 -\n");
  // linear was open; aten::empty was not.
  EXPECT_EQ(rows_text(report, "operators", {"name", "calls", "size_increase", "allocations"}), "linear 1 -32 1\nmm 1 -32 1\n");
  EXPECT_EQ(rows_text(report, "curve", {"time", "allocated"}), "30 1164\n40 1196\n45 1132\n50 1132\n");
}

TEST(Memory, WithoutTotalsAndAddressesTheCurveIsUnknownAndBlocksAreHalves) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-100 op f
    memory 0: 10 64 - [thread=1], 20 -64 - [thread=1]
  )"),
                                 "memory");
  EXPECT_EQ(facts_text(report).substr(0, 49), "Peak allocated: -\nPeak at: -\nPeak reserved: -\nDev");
  EXPECT_EQ(rows_text(report, "curve", {"time"}), "");
  EXPECT_EQ(rows_text(report, "events", {"operator", "allocated_at", "released_at"}), "f 10 -\n- - 20\n");
  EXPECT_EQ(rows_text(report, "operators", {"name", "size_increase", "allocation_size"}), "f 0 64\n");
}

TEST(Memory, ACurveOfManyEventsKeepsEveryPeak) {
  std::string events;
  for (int i = 0; i < 40'000; ++i) {
    const int total = i == 12'345 ? 999'999 : i == 12'346 ? 1 : 1000 + i % 7;
    events += (i == 0 ? "" : ", ") + std::to_string(i * 10) + " 1 " + std::to_string(total) + " [reserved=2000000]";
  }
  const Report report = run_view(text_profile("thread 1: 0-400000 op f\nmemory 0: " + events), "memory");
  const ReportTable& curve = *report.find_table("curve");
  EXPECT_LT(curve.rows(), 10'000u);
  const std::string rows = rows_text(report, "curve", {"time", "allocated"});
  EXPECT_NE(rows.find("123450 999999\n123460 1\n"), std::string::npos);
}

// At the peak (40): the 100, the 64 and the 32 are there, and the 500 that is released later; 500 more of 1,196 are not accounted
// for.
TEST(Memory, LiveAtThePeak) {
  EXPECT_EQ(rows_text(run_view(recorded(), "memory"), "live", {"name", "blocks", "size", "share", "largest"}),
            "allocated before recording - 1000 0.83612 -\n"
            "- 1 100 0.083612 100\n"
            "linear (aten::empty) 1 64 0.053512 64\n"
            "mm 1 32 0.026756 32\n");
}

TEST(Memory, LiveAtAMoment) {
  const Report report = run_view(recorded(), "memory", {{"at", "71"}, {"group_by", "stack"}});
  EXPECT_EQ(rows_text(report, "live", {"name", "size"}), "allocated before recording 1000\nmm;linear;step 1 32\n");
  ASSERT_EQ(report.panels[1].as<LineChart>()->marks.size(), 2u);
  EXPECT_EQ(report.panels[1].as<LineChart>()->marks.back().x, 71);
}

// One training step, one block of each category. In the forward pass 10 die at once and 20 live until the backward pass; there 30
// live until the optimizer's step and 40 do not; there 50 stay and 60 do not; 70 come from nowhere, and 80 were there before.
ProfilePtr memory_training() {
  return text_profile(R"(
    thread 1: 0-100 step 1, 5-30 module M, 10-20 op mm, 40-60 op MulBackward0, 45-55 op mul, 70-80 optimizer Optimizer.step, 72-78 op zeros
    memory 0: 12 10 1010 [at=1 thread=1], 13 20 1030 [at=2 thread=1], 15 -10 1020 [at=1 thread=1], 46 30 1050 [at=3 thread=1]
    memory 0: 47 40 1090 [at=4 thread=1], 50 -20 1070 [at=2 thread=1], 65 -40 1030 [at=4 thread=1], 73 50 1080 [at=5 thread=1]
    memory 0: 74 60 1140 [at=6 thread=1], 75 -30 1110 [at=3 thread=1], 79 -60 1050 [at=6 thread=1], 90 70 1120 [at=7 thread=1]
    memory 0: 95 -80 1040 [at=8 thread=1]
  )");
}

TEST(Memory, Categories) {
  // Live at the peak, 74: the 30, 50 and 60; the other 1,000 were there before.
  EXPECT_EQ(rows_text(run_view(memory_training(), "memory"), "categories", {"category", "blocks", "size", "live"}),
            "activation 1 20 0\n"
            "gradient 1 30 30\n"
            "optimizer state 1 50 50\n"
            "temporary 3 110 60\n"
            "allocated before recording 1 80 1000\n"
            "unknown 1 70 0\n");
}

TEST(Memory, LiveByModule) {
  EXPECT_EQ(rows_text(run_view(memory_training(), "memory", {{"at", "14"}, {"group_by", "module"}}), "live",
                      {"name", "blocks", "size"}),
            "allocated before recording - 1000\nM 2 30\n");
}

TEST(Memory, AStepsEvents) {
  const Report report = run_view(recorded(), "memory", {{"step", "1"}});
  EXPECT_EQ(report.scope, "6 events of GPU0, step 1");
}

// PTA holds 100 from 10 on and 300 from 40 on, of which it hands out 60, then 250; what APP hands out is unknown. IDLE never
// holds anything, OTHER belongs to another device.
ProfilePtr with_components() {
  return text_profile(R"(
    thread 1: 0-100 step 1, 30-60 op f
    held NPU0 PTA: 10 60 100 [active=70], 40 250 300
    held NPU0 APP: 20 - 500, 50 - 400, 60 - -
    held NPU0 IDLE: 0 0 0
    held NPU1 OTHER: 5 1 1
  )");
}

TEST(Memory, ComponentsOverTime) {
  const Report report = run_view(with_components(), "memory");
  EXPECT_EQ(report.scope, "NPU0");
  EXPECT_EQ(rows_text(report, "components_reserved", {"time", "by APP", "by PTA"}),
            "0 - -\n10 - 100\n20 500 100\n40 500 300\n50 400 300\n60 - 300\n100 - 300\n");
  EXPECT_EQ(rows_text(report, "components_allocated", {"time", "by PTA"}), "0 -\n10 60\n40 250\n100 250\n");
  EXPECT_EQ(
      rows_text(report, "components", {"component", "peak_reserved", "peak_at", "peak_allocated", "peak_active", "records"}),
      "APP 500 20 - - 3\nPTA 300 40 250 70 2\nIDLE 0 0 0 - 1\n");
  const Report other = run_view(with_components(), "memory", {{"device", "NPU1"}});
  EXPECT_EQ(rows_text(other, "components", {"component", "peak_reserved"}), "OTHER 1\n");
  EXPECT_EQ(other.panels.size(), 1u) << "one record is no curve";
}

TEST(Memory, AWindowBeginsWithTheComponentsLastValues) {
  const Report report = run_view(with_components(), "memory", {{"start", "30"}, {"end", "50"}});
  EXPECT_EQ(rows_text(report, "components_reserved", {"time", "by APP", "by PTA"}), "30 500 100\n40 500 300\n50 500 300\n");
  EXPECT_EQ(rows_text(report, "components", {"component", "peak_reserved", "peak_at", "records"}),
            "APP 500 30 0\nPTA 300 40 1\nIDLE 0 30 0\n");
}

TEST(Memory, ComponentsAreShownBesideTheAllocatorsEvents) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-100 op f
    memory 0: 10 64 64 [thread=1]
    held GPU0 driver: 5 - 1000, 6 - 1100
  )"),
                                 "memory");
  std::string ids;
  for (const Panel& panel : report.panels) ids += panel.id + " ";
  EXPECT_EQ(ids, "summary curve components_reserved live categories operators components events ");
}

TEST(Memory, RecordsOfAnotherDayAreListedButNotDrawn) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-100 op f
    held NPU0 PTA: 10 - 100, 200000000000000 - 900
  )"),
                                 "memory");
  EXPECT_EQ(rows_text(report, "components_reserved", {"time", "by PTA"}), "0 -\n10 100\n100 100\n");
  EXPECT_EQ(rows_text(report, "components", {"peak_reserved", "peak_at"}), "900 200000000000000\n");
  ASSERT_EQ(report.panels.front().notes.size(), 1u);
  EXPECT_EQ(report.panels.front().notes.front().text, "Not drawn: 1 record more than a day away from the rest of the recording.");
}

TEST(Memory, ComponentsWithAllocatedBytesAloneShowOnlyThose) {
  const Report report = run_view(text_profile("held core act: 0 5 -, 10 7 -\nheld core pool: 0 9 -, 10 8 -"), "memory");
  ASSERT_EQ(report.panels.size(), 2u);
  EXPECT_EQ(report.panels[0].id, "components_allocated");
  EXPECT_EQ(report.panels[0].width, "full");
  const ReportTable& table = *report.find_table("components");
  EXPECT_EQ(rows_text(report, "components", {"component", "peak_allocated", "allocated_at"}), "pool 9 0\nact 7 10\n");
  EXPECT_TRUE(table.find("peak_reserved")->hidden && table.find("peak_at")->hidden && table.find("peak_active")->hidden);
  EXPECT_FALSE(table.find("allocated_at")->hidden);
  EXPECT_EQ(table.sort_column, "peak_allocated");
}

// The slow oracle: at each ns of the window, a component holds what its last record up to then states.
TEST(Memory, ComponentsHoldTheirLastRecordAtEachNanosecond) {
  std::mt19937 random(5);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  for (int round = 0; round < 60; ++round) {
    std::string text = "thread 1: 0-100 op f";
    std::vector<std::vector<std::pair<int, int>>> records(3);
    for (std::size_t c = 0; c < records.size(); ++c) {
      for (int i = 0, at = below(30); i < 8 && at < 100; ++i, at += below(25)) {
        records[c].emplace_back(at, 1 + below(50));
        text += fmt::format("{} {} - {}", i == 0 ? fmt::format("\nheld N c{}:", c) : ",", at, records[c].back().second);
      }
    }
    const int start = below(50), end = start + 1 + below(60);
    const Report report =
        run_view(text_profile(text), "memory", {{"start", std::to_string(start)}, {"end", std::to_string(end)}});
    const ReportTable* table = report.find_table("components");
    const ReportTable* curve = report.find_table("components_reserved");
    for (std::size_t c = 0; c < records.size(); ++c) {
      std::optional<int> carried, most;
      for (const auto& [at, bytes] : records[c]) {
        if (at < start) carried = bytes;
        if (at >= start && at < end) most = std::max(most.value_or(0), bytes);
      }
      if (carried) most = std::max(most.value_or(0), *carried);
      std::optional<std::size_t> row;
      for (std::size_t i = 0; table != nullptr && i < table->rows(); ++i) {
        if (cell_text(table->columns[0].values[i]) == fmt::format("c{}", c)) row = i;
      }
      ASSERT_EQ(row.has_value(), most.has_value()) << text;
      if (!most) continue;
      EXPECT_EQ(cell_text(table->find("peak_reserved")->values[*row]), std::to_string(*most)) << text;
      const ReportColumn* column = curve == nullptr ? nullptr : curve->find(fmt::format("by c{}", c));
      if (column == nullptr) continue;
      for (int t = start; t < std::min(end, 100); ++t) {
        std::string wanted = "-", found = "-";
        for (const auto& [at, bytes] : records[c]) wanted = at <= t ? std::to_string(bytes) : wanted;
        for (std::size_t i = 0; i < curve->rows(); ++i) {
          if (std::stoi(cell_text(curve->columns[0].values[i])) <= t) found = cell_text(column->values[i]);
        }
        EXPECT_EQ(found, wanted) << t << " of " << start << "-" << end << "\n" << text;
      }
    }
  }
}

TEST(Memory, ACurveOfAnotherDayDoesNotReachTheSlices) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-100 op f
    memory 0: 200000000000000 64 64, 200000000000010 -64 0
  )"),
                                 "memory");
  EXPECT_EQ(rows_text(report, "curve", {"time", "allocated"}), "200000000000000 64\n200000000000010 0\n");
  EXPECT_EQ(report.panels[1].notes.size(), 1u);
}

TEST(Memory, IsUnavailableWithoutEvents) {
  EXPECT_EQ(find_analysis("memory")->unavailable(*text_profile("thread 1: 0-1 op f")),
            "neither allocations nor plans of compiled programs were recorded: profile_memory=True of torch.profiler records the "
            "first, enable_hlo_proto of XLA's profilers the second");
}

// The allocation and the release of one block, which only an address can match, would count as two.
TEST(Memory, CategoriesAreUnknownWithoutAddresses) {
  const auto rows = [](std::string_view text) { return run_view(text_profile(text), "memory").find_table("categories")->rows(); };
  EXPECT_EQ(rows("thread 1: 0-9 op a\nmemory 0: 5 64 64, 6 -64 0"), 0u);
  EXPECT_EQ(rows("thread 1: 0-9 op a\nmemory 0: 5 64 64 [at=1], 6 -64 0 [at=1]"), 1u);
}

TEST(Memory, ReservedBytesAreDrawnOnlyIfKnown) {
  const auto series = [](std::string_view text) {
    return run_view(text_profile(text), "memory").panels[1].as<LineChart>()->series;
  };
  EXPECT_EQ(series("thread 1: 0-9 op a\nmemory 0: 5 64 64").size(), 1u);
  EXPECT_EQ(series("thread 1: 0-9 op a\nmemory 0: 5 64 64 [reserved=100]").size(), 3u);
}

}  // namespace
}  // namespace sightline::analyses

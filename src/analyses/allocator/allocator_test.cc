// Views of memory snapshots, worked by hand.
#include <gtest/gtest.h>

#include "analyses/allocator/allocator_rules.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;

namespace {

// Stacks: 0 main, 1 main > forward of the user, 2 the same inside the framework, 3 main > load.
constexpr std::string_view kStacks = R"(
    row stacks [name=main file=/p/train.py line=3]
    row stacks [caller=0 name=forward file=/p/nets/model.py line=7 part=forward]
    row stacks [caller=1 name=linear file=/l/torch/nn.py line=9 part=forward library=1]
    row stacks [caller=0 name=load file=/p/data.py line=5]
)";

// Allocated before the recording: 50 whose release is recorded, 40 that are kept and whose stack is known, and 10 more.
// At the peak (40): 50 + 40 + 10 + 300 (forward) + 200 (forward, in the framework) + 60 (load).
ProfilePtr snapshot() {
  return text_profile(std::string(kStacks) + R"(
    row memory_events [time=10 device_type=1 device=0 device_name=GPU0 address=1 bytes=300 total_allocated=400 total_reserved=2000 stack=1]
    row memory_events [time=20 device_type=1 device=0 device_name=GPU0 address=2 bytes=200 total_allocated=600 total_reserved=2000 stack=2]
    row memory_events [time=40 device_type=1 device=0 device_name=GPU0 address=3 bytes=60 total_allocated=660 total_reserved=2000 stack=3]
    row memory_events [time=50 device_type=1 device=0 device_name=GPU0 address=2 bytes=-200 total_allocated=460 total_reserved=2000 stack=2]
    row memory_events [time=60 device_type=1 device=0 device_name=GPU0 address=9 bytes=-50 total_allocated=410 total_reserved=2000]
    row memory_segments [device=0 device_name=GPU0 address=100 bytes=440 allocated=340 active=340 kind=large stream=0 pool=0.0]
    row memory_segments [device=0 device_name=GPU0 address=9000 bytes=700 allocated=60 active=160 kind=large stream=0 pool=0.0 stack=3]
    row memory_segments [device=0 device_name=GPU0 address=20000 bytes=512 allocated=0 active=0 kind=small stream=7 pool=0.0]
    row memory_blocks [segment=0 address=100 bytes=300 requested=290 state=allocated stack=1 allocation=0]
    row memory_blocks [segment=0 address=400 bytes=40 requested=40 state=allocated stack=3]
    row memory_blocks [segment=0 address=440 bytes=100 state=free]
    row memory_blocks [segment=1 address=9000 bytes=60 requested=50 state=allocated stack=3 allocation=2]
    row memory_blocks [segment=1 address=9060 bytes=500 state=free]
    row memory_blocks [segment=1 address=9560 bytes=100 state=awaiting_free]
    row memory_blocks [segment=1 address=9660 bytes=40 state=free]
    row memory_blocks [segment=2 address=20000 bytes=512 state=free]
    row memory_failures [time=45 device=0 device_name=GPU0 requested=1400 device_free=64 stack=2]
  )");
}

std::string facts_of(const Report& report, std::string_view panel_id) {
  std::string text;
  for (const Panel& panel : report.panels) {
    if (panel.id != panel_id) continue;
    for (const Fact& fact : panel_facts(panel)) text += fact.label + ": " + cell_text(fact.value) + "\n";
  }
  return text;
}

TEST(MemoryStacks, LinesAtThePeak) {
  const Report report = run_view(snapshot(), "memory_stacks");
  // The kept 40 are in segment 0, whose blocks add up to its size: they belong to load. 50 + 10 remain without a stack.
  EXPECT_EQ(rows_text(report, "live_stacks", {"line", "part", "size", "blocks", "largest", "oldest"}),
            "forward (nets/model.py:7) forward 500 2 300 10\n"
            "load (p/data.py:5) - 100 2 60 -\n"
            "allocated before recording - 60 - - -\n");
  EXPECT_EQ(facts_of(report, "summary"),
            "Moment: 40\nAllocated: 660\nWith a stack: 600\nBlocks with a stack: 4\nAllocated before recording: 60\n");
}

TEST(MemoryStacks, FramesHoldWhatTheyCalled) {
  const Report report = run_view(snapshot(), "memory_stacks");
  EXPECT_EQ(rows_text(report, "frames", {"name", "size", "self", "parent"}),
            "main (p/train.py:3) 600 0 -\n"
            "forward (nets/model.py:7) 500 300 0\n"
            "linear (torch/nn.py:9) 200 200 1\n"
            "load (p/data.py:5) 100 100 0\n"
            "allocated before recording 60 60 -\n");
}

TEST(MemoryStacks, WholeStacksAndAnotherMoment) {
  const Report report = run_view(snapshot(), "memory_stacks", {{"rows", "stack"}, {"at", "55"}});
  EXPECT_EQ(rows_text(report, "live_stacks", {"line", "size", "stack"}),
            "forward (nets/model.py:7) 300 forward (/p/nets/model.py:7);main (/p/train.py:3)\n"
            "load (p/data.py:5) 100 load (/p/data.py:5);main (/p/train.py:3)\n"
            "allocated before recording 60 -\n");
}

TEST(MemoryStacks, CategoriesFollowTheFrames) {
  const Report report = run_view(snapshot(), "memory_stacks");
  EXPECT_EQ(rows_text(report, "categories", {"category", "blocks", "live"}),
            "activation 2 500\nallocated before recording 1 100\nunknown 1 60\n");
}

// Six steps of 100. Line 1 leaves 10 in each; line 3 leaves 7 in the first two only; what steps 4 and 5 leave is too young.
TEST(MemoryStacks, LeakSuspects) {
  std::string text(kStacks);
  for (int step = 0; step < 6; ++step) {
    const std::string at = std::to_string(step * 100 + 1), address = std::to_string(step + 1);
    text += "row steps [number=" + std::to_string(step) + " start=" + std::to_string(step * 100) + " duration=100]\n";
    text += "row memory_events [time=" + at + " device_type=1 device=0 device_name=GPU0 address=" + address +
            " bytes=10 total_allocated=" + std::to_string(step * 10 + 10) + " stack=1]\n";
    if (step < 2)
      text += "row memory_events [time=" + at + " device_type=1 device=0 device_name=GPU0 address=10" + address +
              " bytes=7 total_allocated=99 stack=3]\n";
  }
  const Report report = run_view(text_profile(text), "memory_stacks");
  // Steps 1 to 3 count: 30 bytes in three steps.
  EXPECT_EQ(rows_text(report, "kept", {"line", "per_period", "periods", "size", "blocks"}),
            "forward (nets/model.py:7) 10 3 30 3\n");
}

TEST(MemorySegments, SumsAndFragmentation) {
  const Report report = run_view(snapshot(), "memory_segments");
  EXPECT_EQ(facts_of(report, "summary"),
            "Reserved: 1652\nAllocated: 400\nAwaiting free: 100\nActive, as stated: 500\nFree: 1152\nLargest free block: "
            "512\nFree blocks: 4\n"
            "Fragmentation: 0.555556\nIn unused segments: 512\nLost to rounding: 20\n");
  EXPECT_EQ(rows_text(report, "pools",
                      {"kind", "stream", "pool", "segments", "reserved", "allocated", "awaiting", "free", "largest_free"}),
            "large 0 0.0 2 1140 400 100 640 500\n"
            "small 7 0.0 1 512 0 0 512 512\n");
  EXPECT_EQ(rows_text(report, "segments", {"address", "reserved", "free", "line"}),
            "0x2328 700 540 load (p/data.py:5)\n0x4e20 512 512 -\n0x64 440 100 -\n");
}

TEST(MemorySegments, BlocksHaveTheirPlace) {
  const Report report = run_view(snapshot(), "memory_segments");
  EXPECT_EQ(rows_text(report, "blocks", {"label", "offset", "size", "state"}),
            "forward (nets/model.py:7) 0 300 allocated\n"
            "load (p/data.py:5) 300 40 allocated\n"
            "free 340 100 free\n"
            "load (p/data.py:5) 0 60 allocated\n"
            "free 60 500 free\n"
            "awaiting_free 560 100 awaiting_free\n"
            "free 660 40 free\n"
            "free 0 512 free\n");
}

TEST(MemorySegments, WouldItFit) {
  // 1 byte becomes 512: the free block of the small segment.
  EXPECT_EQ(
      rows_text(run_view(snapshot(), "memory_segments", {{"fit", "1"}}), "fits", {"kind", "rounded", "fits", "block", "address"}),
      "small 512 yes 512 0x4e20\n");
  EXPECT_EQ(
      rows_text(run_view(snapshot(), "memory_segments", {{"fit", "1MiB"}}), "fits", {"kind", "fits", "from_device", "released"}),
      "small no 2097152 512\n");
  EXPECT_EQ(rows_text(run_view(snapshot(), "memory_segments", {{"fit", "11.5 MiB"}}), "fits",
                      {"kind", "stream", "fits", "from_device"}),
            "large 0 no 12582912\n");
  EXPECT_THROW(run_view(snapshot(), "memory_segments", {{"fit", "big"}}), std::invalid_argument);
}

TEST(MemorySegments, AFailureNamesWhatHeldTheMemory) {
  const Report report = run_view(snapshot(), "memory_segments");
  EXPECT_EQ(facts_of(report, "failure"),
            "Failed at: 45\nRequested: 1400\nRounded: 1536\nFree on the device: 64\nAllocated: 660\nReserved: 2000\nReserved, "
            "not allocated: 1340\n");
  EXPECT_EQ(rows_text(report, "live_stacks", {"line", "size"}),
            "forward (nets/model.py:7) 500\nload (p/data.py:5) 100\nallocated before recording 60\n");
  EXPECT_EQ(rows_text(report, "failures", {"line", "time", "requested"}), "forward (nets/model.py:7) 45 1400\n");
  EXPECT_THROW(run_view(snapshot(), "memory_segments", {{"failure", "2"}}), std::invalid_argument);
}

TEST(MemoryDiff, LinesOfBoth) {
  const ProfilePtr other = text_profile(std::string(kStacks) + R"(
    row memory_events [time=5 device_type=1 device=0 device_name=GPU0 address=1 bytes=900 total_allocated=900 stack=2]
  )");
  const Report report = run_view_of({snapshot(), other}, "memory_diff");
  EXPECT_EQ(rows_text(report, "lines", {"name", "baseline_size", "compared_size", "change_size"}),
            "forward (nets/model.py:7) 500 900 400\n"
            "load (p/data.py:5) 100 0 -100\n"
            "allocated before recording 60 0 -60\n");
  EXPECT_EQ(rows_text(report, "totals", {"name", "baseline_bytes", "compared_bytes"}),
            "Peak allocated 660 900\nPeak reserved 2000 -\nAllocated at the end 410 900\nAllocated before recording 100 0\n");
  EXPECT_EQ(rows_text(report, "curves", {"time", "baseline", "compared"}),
            "5 - 900\n10 400 -\n20 600 -\n40 660 -\n50 460 -\n60 410 -\n");
}

TEST(AllocatorRules, SizesOfRequestsAndSegments) {
  EXPECT_EQ(rounded_request(1), 512);
  EXPECT_EQ(rounded_request(512), 512);
  EXPECT_EQ(rounded_request(513), 1024);
  EXPECT_EQ(segment_kind(kMiB), "small");
  EXPECT_EQ(segment_kind(kMiB + 512), "large");
  EXPECT_EQ(new_segment_bytes(512), 2 * kMiB);
  EXPECT_EQ(new_segment_bytes(kMiB), 2 * kMiB);
  EXPECT_EQ(new_segment_bytes(kMiB + 512), 20 * kMiB);
  EXPECT_EQ(new_segment_bytes(10 * kMiB - 512), 20 * kMiB);
  EXPECT_EQ(new_segment_bytes(10 * kMiB), 10 * kMiB);
  EXPECT_EQ(new_segment_bytes(10 * kMiB + 512), 12 * kMiB);
}

TEST(AllocatorRules, AnExpandableSegmentGrowsByWhatItLacks) {
  const ProfilePtr p = text_profile(R"(
    row memory_segments [device=0 device_name=GPU0 address=0 bytes=20971520 kind=large stream=0 pool=0.0 expandable=1]
    row memory_blocks [segment=0 address=0 bytes=10485760 state=allocated]
    row memory_blocks [segment=0 address=10485760 bytes=10485760 state=free]
  )");
  const std::vector<SegmentGroup> groups = segment_groups(*p, p->strings.find("GPU0"));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(fit(*p, groups[0], 10 * kMiB).block, 1u);
  EXPECT_EQ(fit(*p, groups[0], 25 * kMiB).from_device, 20 * kMiB);  // 15 MiB are lacking
  EXPECT_EQ(fit(*p, groups[0], 31 * kMiB).from_device, 40 * kMiB);
}

TEST(AllocatorRules, Sizes) {
  EXPECT_EQ(parse_size("4096"), 4096);
  EXPECT_EQ(parse_size("1.5GiB"), 1536 * kMiB);
  EXPECT_EQ(parse_size("2 MB"), 2'000'000);
  EXPECT_EQ(parse_size("0"), std::nullopt);
  EXPECT_EQ(parse_size("-1"), std::nullopt);
  EXPECT_EQ(parse_size("5 bananas"), std::nullopt);
  EXPECT_EQ(parse_size("nan"), std::nullopt);
  EXPECT_EQ(parse_size("9e99"), std::nullopt);
}

}  // namespace

}  // namespace sightline::analyses

// Profiles of TPUs through the reader's front door: two clocks, runs of programs, allocators without names, counters.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "formats/registry.h"
#include "formats/xplane/space_text_test.h"
#include "model/kind_names.h"
#include "model/profile.h"
#include "tests/support/temporary_file.h"

namespace sightline::formats {

using namespace tests;
namespace {

using xplane::SpaceText;
using Lines = std::vector<std::string>;

std::unique_ptr<Profile> read_tpu(const std::string& text) {
  const TemporaryFile file(SpaceText(text).bytes());
  Result<std::unique_ptr<Profile>> result = xplane_reader().read(file.path(), {});
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
  if (!result) return std::make_unique<Profile>();
  EXPECT_EQ(check_profile(**result), Lines{});
  return *std::move(result);
}

// "kind name start+duration" of the lane and its overflow lanes.
Lines slices(const Profile& p, std::string_view lane) {
  Lines lines;
  for (Row i = 0; i < p.slices.rows(); ++i) {
    if (p.text(p.lanes.name[p.slices.lane[i]]) != lane) continue;
    lines.push_back(fmt::format("{} {} {}+{}", slice_kind_name(p.slices.kind[i]), p.text(p.slices.name[i]), p.slices.start[i],
                                p.slices.duration[i]));
  }
  return lines;
}

// "operator xCALLS", by operator.
Lines executed(const Profile& p) {
  std::map<std::string, int> calls;
  for (const Row of : p.program_work.program_operator) ++calls[std::string(p.text(p.program_operators.name[of]))];
  Lines lines;
  for (const auto& [name, count] : calls) lines.push_back(fmt::format("{} x{}", name, count));
  return lines;
}

// The device's clock is 1000 ns behind the host's. The file states "b" longer than it was, so "c" to "d" come too late and
// "c" seems to be inside "d".
constexpr const char* kTwoClocks = R"x(plane "/device:TPU:0"
line 2 "XLA Modules" @0
event "jit_f(3)" 999000+701000
line 3 "XLA Ops" @0
event "a" 1000000+100000 device_offset_ps=0u device_duration_ps=100000u
event "b" 1100000+400000 device_offset_ps=100000u device_duration_ps=200000u
event "d" 1500000+100000 device_offset_ps=400000u device_duration_ps=200000u
event "c" 1500000+0 device_offset_ps=300000u device_duration_ps=100000u
event "e" 1600000+100000 device_offset_ps=600000u device_duration_ps=100000u
line 6 "XLA TraceMe" @0
event "wait" 1300000+100000
)x";

TEST(Tpu, OperatorsArePlacedByTheDevicesClock) {
  const auto p = read_tpu(kTwoClocks);
  EXPECT_EQ(slices(*p, "XLA Ops"),
            (Lines{"kernel a 1000+100", "kernel b 1100+200", "kernel c 1300+100", "kernel d 1400+200", "kernel e 1600+100"}));
  // The file's 1300 to 1400 is the middle quarter of "b" from 1100 to 1500, which was from 1100 to 1300: 1200 to 1250.
  EXPECT_EQ(slices(*p, "XLA TraceMe"), Lines{"device_annotation wait 1200+50"});
  EXPECT_EQ(slices(*p, "XLA Modules"), Lines{"device_annotation jit_f(3) 999+701"});
}

TEST(Tpu, ALoopContainsOthersByTheDevicesClock) {
  const auto p = read_tpu(R"x(plane "/device:TPU:0"
line 3 "XLA Ops" @0
event "while.1" 1000+1000000 hlo_category="while" flops=70u device_offset_ps=0u device_duration_ps=1000000u program_id=3
event "fusion.2" 3000+200000 hlo_category="loop fusion" flops=70u device_offset_ps=2000u device_duration_ps=200000u program_id=3
)x");
  EXPECT_EQ(slices(*p, "XLA Ops"), (Lines{"device_annotation while.1 1+1000", "kernel fusion.2 3+200"}));
  // The loop is executed too, and costs nothing except what is inside.
  EXPECT_EQ(executed(*p), (Lines{"fusion.2 x1", "while.1 x1"}));
  ASSERT_EQ(p->work_costs.rows(), 1u);
  EXPECT_EQ(p->text(p->slices.name[p->work_costs.slice[0]]), "fusion.2");
  EXPECT_EQ(p->device_work.rows(), 1u);
}

// Without a clock of the device, times jitter: only operators that run others can contain one.
TEST(Tpu, AnOperatorWithoutOthersInsideIsNotALoop) {
  const auto p = read_tpu(R"x(plane "/device:TPU:0"
line 3 "XLA Ops" @0
event "fusion.1" 1000+5000 hlo_category="loop fusion"
event "copy.2" 1000+0 hlo_category="copy"
event "%conditional.3 = ..." 10000+5000
event "copy.4" 11000+1000 hlo_category="copy"
)x");
  EXPECT_EQ(slices(*p, "XLA Ops"), (Lines{"kernel fusion.1 1+5", "kernel copy.2 1+0",
                                          "device_annotation %conditional.3 = ... 10+5", "kernel copy.4 11+1"}));
}

TEST(Tpu, AsynchronousRangesAreNotExecutions) {
  const auto p = read_tpu(R"x(plane "/device:TPU:0"
line 3 "XLA Ops" @0
event "copy-start.1" 1000+1000 bytes_accessed=64u
event "copy-done.1" 9000+2000 bytes_accessed=64u
line 4 "Async XLA Ops" @0
event "async-copy" 1000+10000 hlo_op="copy-done.1" bytes_accessed=64u
)x");
  EXPECT_EQ(slices(*p, "Async XLA Ops"), Lines{"device_annotation async-copy 1+10"});
  EXPECT_EQ(executed(*p), (Lines{"copy-done.1 x1", "copy-start.1 x1"}));
  EXPECT_EQ(p->device_work.rows(), 2u);
}

// Of the two programs jit_f ran longer: its runs are the steps. A pool enqueued the first run, for the call of f, which had
// ended.
constexpr const char* kRuns = R"x(plane "/device:TPU:1"
line 2 "XLA Modules" @0
event "jit_g(4)" 15000+1000
event "jit_f(3)" 20000+5000 _ct=12 _c=77
event "jit_f(3)" 26000+4000
line 3 "XLA Ops" @0
event "fusion.1" 20000+4000
event "fusion.1" 26000+4000
plane "/host:CPU"
line 1 "main" @0
event "PjitFunction(f)" 0+10000
event "Execute" 1000+1000 _pt=5 _p=1
line 2 "pool" @0
event "Do" 12000+2000 _ct=5 _c=1
event "DoEnqueueProgram" 13000+500 _pt=12 _p=77
)x";

TEST(Tpu, WorkOfARunBelongsToItsCaller) {
  const auto p = read_tpu(kRuns);
  const auto name = [&](Row slice) { return slice == kNoRow ? "" : std::string(p->text(p->slices.name[slice])); };
  ASSERT_EQ(p->launches.rows(), 1u);
  EXPECT_EQ(name(p->launches.slice[0]), "DoEnqueueProgram");
  EXPECT_EQ(p->slices.kind[p->launches.slice[0]], SliceKind::runtime);
  EXPECT_EQ(p->launches.correlation[0], 77);
  EXPECT_EQ(name(p->launches.owner[0]), "PjitFunction(f)");
  ASSERT_EQ(p->device_work.rows(), 2u);
  EXPECT_EQ(p->device_work.launch[0], Row{0});
  EXPECT_EQ(name(p->device_work.owner[0]), "PjitFunction(f)");
  EXPECT_EQ(p->device_work.rule[0], OwnerRule::linked_id);
  EXPECT_EQ(p->device_work.launch[1], kNoRow);  // of a run whose request is unknown
}

TEST(Tpu, StepsAreTheRunsOfTheProgramThatTookMostTime) {
  const auto p = read_tpu(kRuns);
  ASSERT_EQ(p->steps.rows(), 2u);
  EXPECT_EQ(p->steps.start[0], 20);
  EXPECT_EQ(p->steps.duration[0], 5);
  EXPECT_EQ(p->steps.start[1], 26);
  EXPECT_EQ(p->steps.duration[1], 4);
  ASSERT_EQ(p->problems.rows(), 1u);
  EXPECT_EQ(p->text(p->problems.message[0]), "the program marked no steps: each run of jit_f on TPU 1 counts as a step");
}

TEST(Tpu, AllocatorsReportTheirDeviceAndStacks) {
  const auto p = read_tpu(R"x(plane "/device:TPU:0" device_type_string="TPU v6"
line 3 "XLA Ops" @0
event "a" 1000+1000
plane "/host:CPU"
line 1 "main" @0
event "MemoryAllocation" 1000+0 index_on_host=0 bytes_reserved=0 bytes_allocated=100 bytes_available=900 allocation_bytes=100 addr=4096
event "MemoryAllocation" 2000+0 index_on_host=1 bytes_reserved=0 bytes_allocated=10 bytes_available=990 allocation_bytes=10 addr=4096
event "MemoryAllocation" 3000+0 index_on_host=0 bytes_reserved=500 bytes_allocated=150 bytes_available=350 allocation_bytes=50 addr=8192
event "MemoryDeallocation" 4000+0 index_on_host=0 bytes_reserved=500 bytes_allocated=50 bytes_available=450 addr=4096
event "MemoryDeallocation" 5000+0 index_on_host=1 bytes_reserved=0 bytes_allocated=3 bytes_available=997 addr=12288
event "MemoryDeallocation" 6000+0 index_on_host=2 addr=4096
)x");
  Lines events;
  const MemoryEvents& m = p->memory_events;
  for (Row i = 0; i < m.rows(); ++i)
    events.push_back(fmt::format("{} {} {:+} = {}", m.time[i], p->text(m.device_name[i]), m.bytes[i], m.total_allocated[i]));
  // At 3 the stacks grow to 500: 100 + 500 = 600 in use, then 650. The release at 4 is of the 100 bytes at 4096; that at 5
  // is of a block from before the recording, and the total fell by 7; the size of that at 6 is unknown.
  EXPECT_EQ(events, (Lines{"1 TPU0 +100 = 100", "2 TPU1 +10 = 10", "3 TPU0 +500 = 600", "3 TPU0 +50 = 650", "4 TPU0 -100 = 550",
                           "5 TPU1 -7 = 3"}));
  EXPECT_EQ(m.device[0], 0);
  EXPECT_EQ(p->devices.memory[0], 1000);
  EXPECT_EQ(slices(*p, "main"), Lines{});
  ASSERT_EQ(p->problems.rows(), 1u);
  EXPECT_EQ(p->text(p->problems.code[0]), "releases_of_unknown_size");
}

// "dot.1" reads 10 bytes of memory 1, and 15 and 5 of memory 3; "copy.2" reads 7 of memory 3; nothing is stated of "sort.3".
// The bytes of "copy-start.4" move after it.
TEST(Tpu, BytesByMemory) {
  const auto p = read_tpu(
      R"x(plane "/device:TPU:0" peak_teraflops_per_second=2.0 peak_hbm_bw_gigabytes_per_second=3.0 peak_cmem_rd_bw_gigabytes_per_second=0.0 peak_vmem_rd_bw_gigabytes_per_second=20.0 peak_vmem_wr_bw_gigabytes_per_second=10.0
line 3 "XLA Ops" @0
event "dot.1" 1000+1000
event "copy.2" 3000+1000
event "sort.3" 5000+1000
event "copy-start.4" 6000+1
about "dot.1" flops=8u bytes_accessed=65u memory_access_breakdown=#0a0608011001180a0a0608011003180f0a06080110031805 hlo_category="dot"
about "copy.2" bytes_accessed=7u memory_access_breakdown=#0a06080110031807
about "sort.3" bytes_accessed=9u memory_access_breakdown=#
about "copy-start.4" bytes_accessed=7u memory_access_breakdown=#0a06080110031807 hlo_category="copy-start"
)x");
  Lines traffic;
  const ProgramTraffic& t = p->program_traffic;
  const auto bytes = [](std::int64_t count) { return count == kUnknown ? std::string("-") : std::to_string(count); };
  for (Row i = 0; i < t.rows(); ++i) {
    traffic.push_back(fmt::format("{} {} {} {} {}", p->text(p->program_operators.name[t.program_operator[i]]),
                                  p->text(t.memory[i]), bytes(t.bytes[i]), bytes(t.bytes_read[i]), bytes(t.bytes_written[i])));
  }
  EXPECT_EQ(traffic, (Lines{"dot.1 HBM 10 10 -", "dot.1 VMEM 20 20 -", "copy.2 VMEM 7 7 -"}));
  // Only the bytes of the device's memory count as such, where the file tells them apart.
  ASSERT_EQ(p->work_costs.rows(), 4u);
  EXPECT_EQ(p->work_costs.bytes[0], 10);
  EXPECT_EQ(p->work_costs.bytes[1], 0);
  EXPECT_EQ(p->work_costs.bytes[2], 9);
  Lines memories;
  const DeviceMemories& m = p->device_memories;
  for (Row i = 0; i < m.rows(); ++i)
    memories.push_back(fmt::format("{} {:g} {:g} {:g}", p->text(m.name[i]), m.peak[i], m.peak_read[i], m.peak_written[i]));
  EXPECT_EQ(memories, (Lines{"HBM 3e+09 nan nan", "VMEM nan 2e+10 1e+10"}));
}

TEST(Tpu, CountersTakeAnyNumber) {
  const auto p = read_tpu(R"x(plane "/device:TPU:0"
line 9 "_counters_" @0
event "MXU" 1000+0 "% util"=50.0
event "Vector Fills" 1000+0 "Vector Fills"=12u
event "Vector Fills" 2000+0 "Vector Fills"=14u
event "HBM" 2000+0 read=3 written=4
event "empty" 2000+0 source="a.py"
)x");
  Lines samples;
  for (Row i = 0; i < p->counters.rows(); ++i) {
    samples.push_back(
        fmt::format("{} {} = {}", p->counters.time[i], p->text(p->lanes.name[p->counters.lane[i]]), p->counters.value[i]));
  }
  EXPECT_EQ(samples,
            (Lines{"1 MXU = 50", "1 Vector Fills = 12", "2 Vector Fills = 14", "2 HBM (read) = 3", "2 HBM (written) = 4"}));
  ASSERT_EQ(p->problems.rows(), 1u);
  EXPECT_EQ(p->text(p->problems.code[0]), "counters_without_values");
}

}  // namespace
}  // namespace sightline::formats

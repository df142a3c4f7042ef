// The reader of XLA profiles through its front door: profiles as text in, tables out.
#include "formats/registry.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "formats/xplane/space_text_test.h"
#include "model/kind_names.h"
#include "model/profile.h"
#include "tests/support/temporary_file.h"

namespace sightline::formats {

using namespace tests;
namespace {

using xplane::SpaceText;
using Lines = std::vector<std::string>;

std::unique_ptr<Profile> read_bytes(const std::string& bytes) {
  const TemporaryFile file(bytes);
  Result<std::unique_ptr<Profile>> result = xplane_reader().read(file.path(), {});
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
  if (!result) return std::make_unique<Profile>();
  EXPECT_EQ(check_profile(**result), Lines{});
  return *std::move(result);
}

std::unique_ptr<Profile> read_planes(const std::string& text) { return read_bytes(SpaceText(text).bytes()); }

// "lane: kind name start+duration", by lane and time.
Lines plane_slices(const Profile& p) {
  Lines lines;
  for (Row i = 0; i < p.slices.rows(); ++i) {
    lines.push_back(std::string(p.text(p.lanes.name[p.slices.lane[i]])) + ": " + std::string(slice_kind_name(p.slices.kind[i])) +
                    " " + std::string(p.text(p.slices.name[i])) + " " + std::to_string(p.slices.start[i]) + "+" +
                    std::to_string(p.slices.duration[i]));
  }
  return lines;
}

// "code xcount"
Lines plane_problems(const Profile& p) {
  Lines codes;
  for (Row i = 0; i < p.problems.rows(); ++i)
    codes.push_back(std::string(p.text(p.problems.code[i])) + " x" + std::to_string(p.problems.count[i]));
  return codes;
}

std::string name_of(const Profile& p, Row slice) { return slice == kNoRow ? "none" : std::string(p.text(p.slices.name[slice])); }

TEST(XplaneReader, TimesAreNsBothEndsRoundedDown) {
  // 1000 ns + 2.9 ns -> 1002; its end 1000 + 3.1 -> 1003: 1 ns long. The second ends where the third begins, also after
  // rounding.
  const auto p = read_planes(R"(plane "/host:CPU"
line -7 "python" @1000
event "a" 2900+200
event "b" 4500+1000
event "c" 5500+600
event "d" -1500+100
)");
  EXPECT_EQ(plane_slices(*p), (Lines{"python: annotation d 998+0", "python: annotation a 1002+1", "python: annotation b 1004+1",
                                     "python: annotation c 1005+1"}));
  EXPECT_EQ(p->text(p->lanes.track[0]), "-7");
  EXPECT_EQ(p->events, 4);
  EXPECT_EQ(p->origin_unix_ns, kUnknown);
}

TEST(XplaneReader, TheTaskEnvironmentGivesTheStart) {
  const auto p = read_planes(R"(plane "/host:CPU"
line 1 "relative" @5
event "a" 0+1000
line 2 "since 1970" @1700000000000000005
event "b" 0+1000
plane "Task Environment" profile_start_time=1700000000000000000u
host "vm"
)");
  EXPECT_EQ(plane_slices(*p), (Lines{"relative: annotation a 5+1", "since 1970: annotation b 5+1"}));
  EXPECT_EQ(p->origin_unix_ns, 1700000000000000000);
  EXPECT_EQ(p->host, "vm");
}

TEST(XplaneReader, KindsOfHostRanges) {
  const auto p = read_planes(R"x(plane "/host:CPU"
line 1 "main" @0
event "train" 0+9000 _r=1 step_num=4u
event "PjitFunction(f)" 1000+1000
event "$api.py:3 f" 3000+1000
event "dot.1" 4000+1000 hlo_op=&"dot.1" hlo_module=&"jit_f" program_id=3
event "cuLaunchKernel" 5000+1000 correlation_id=9u
event "Client::Execute" 6000+1000
event "mine" 7000+500
event "end: dot.1" 7500+500
event "Iterator::Map" 8000+1000
)x");
  EXPECT_EQ(plane_slices(*p),
            (Lines{"main: step train 0+9", "main: op PjitFunction(f) 1+1", "main: python $api.py:3 f 3+1", "main: op dot.1 4+1",
                   "main: runtime cuLaunchKernel 5+1", "main: other Client::Execute 6+1", "main: other end: dot.1 7+1",
                   "main: annotation mine 7+0", "main: data_loading Iterator::Map 8+1"}));
  EXPECT_EQ(p->operators.rows(), 2u);
  ASSERT_EQ(p->steps.rows(), 1u);
  EXPECT_EQ(p->steps.number[0], 4);
}

constexpr const char* kTraining =
    R"x(plane "/device:GPU:1" device_vendor="Nvidia" core_count=10 clock_rate=1000000 compute_cap_major=9 compute_cap_minor=0
line 13 "Stream #13(Compute)" @0
event "gemm" 20000+5000 correlation_id=1u hlo_op=&"dot.1" kernel_details=&"regs:32 static_shared:16 dynamic_shared:8 grid:4,2,1 block:64,1,1 occ_pct:12.5"
event "MemcpyD2D" 30000+1000 correlation_id=2u memcpy_details=&"kind_src:device size:4096 dest:0 async:1"
event "Memset" 32000+1000 memset_details=&"kind:device size:64 async:1"
event "ncclDevKernel_AllReduce_Sum" 40000+1000 kernel_details=&"regs:3000000 grid:1,1,1 occ_pct:0"
plane "/host:CPU"
line 7 "python" @0
event "mine" 0+9000
event "dot.1" 1000+3000
line 99 "Host Threads/99" @0
event "cuLaunchKernel" 2000+1000 correlation_id=1u hlo_op=&"dot.1"
event "cuMemcpyDtoDAsync" 6000+1000 correlation_id=2u
)x";

// The tracer's own time on a thread is not a call of the program, so it cannot be improved.
TEST(XplaneReader, TheTracersOwnTimeIsOverhead) {
  const auto p = read_planes(R"(plane "/host:CPU"
line 99 "Host Threads/99" @0
event "BUFFER_FLUSH" 0+5000
event "<UNKNOWN>" 5000+5000
event "cuGraphLaunch" 10000+5000
line 7 "python" @0
event "RESOURCE" 0+1000
)");
  EXPECT_EQ(plane_slices(*p), (Lines{"Host Threads/99: overhead BUFFER_FLUSH 0+5", "Host Threads/99: overhead <UNKNOWN> 5+5",
                                     "Host Threads/99: runtime cuGraphLaunch 10+5", "python: annotation RESOURCE 0+1"}));
  EXPECT_EQ(p->launches.rows(), 1u);
}

// Starting and stopping the profiler takes seconds, in which nothing of the program is recorded.
TEST(XplaneReader, TheSpanExcludesTheProfilersStart) {
  const auto span = [](const std::string& more) {
    const auto p = read_planes(
        "plane \"/host:CPU\"\nline 7 \"python\" @0\nevent \"pool\" 0+1000\n"
        "event \"$profiler.py:91 start_trace\" 1000+9000000\nevent \"f\" 9002000+3000\n" +
        more);
    return std::pair(p->span_start, p->span_end);
  };
  const std::string stop = "event \"$profiler.py:193 stop_trace\" 9010000+5000000\n";
  EXPECT_EQ(span(stop), std::pair(Time{9001}, Time{9010}));
  EXPECT_EQ(span(""), std::pair(Time{9001}, Time{9005}));
  EXPECT_EQ(span(stop + "event \"step\" 9008000+8000 step_num=1\n"), std::pair(Time{9001}, Time{9016}));
  EXPECT_EQ(span(stop + "plane \"/device:GPU:0\"\nline 14 \"Stream #14(Compute)\" @0\nevent \"k\" 8000000+5000\n"),
            std::pair(Time{8000}, Time{9010}));
}

TEST(XplaneReader, DeviceWork) {
  const auto p = read_planes(kTraining);
  ASSERT_EQ(p->device_work.rows(), 4u);
  const DeviceWork& w = p->device_work;
  EXPECT_EQ(plane_slices(*p)[1], "Stream #13(Compute): memcpy MemcpyD2D 30+1");
  EXPECT_EQ(plane_slices(*p)[2], "Stream #13(Compute): memset Memset 32+1");
  EXPECT_EQ(plane_slices(*p)[3], "Stream #13(Compute): collective ncclDevKernel_AllReduce_Sum 40+1");
  EXPECT_EQ(w.device[0], 1);
  EXPECT_EQ(p->text(w.grid[0]), "[4, 2, 1]");
  EXPECT_EQ(p->text(w.block[0]), "[64, 1, 1]");
  EXPECT_EQ(w.registers[0], 32);
  EXPECT_EQ(w.shared_bytes[0], 24);
  EXPECT_EQ(w.occupancy[0], 12.5f);
  EXPECT_EQ(w.bytes[0], kUnknown);
  EXPECT_EQ(w.bytes[1], 4096);
  EXPECT_EQ(w.bytes[2], 64);
  // More registers than there are, and an occupancy of 0, are unknown.
  EXPECT_EQ(w.registers[3], -1);
  EXPECT_NE(w.occupancy[3], w.occupancy[3]);
  EXPECT_EQ(plane_problems(*p), Lines{"implausible_details x1"});
  ASSERT_EQ(p->collectives.rows(), 1u);
  EXPECT_EQ(p->collectives.kind[0], CollectiveKind::all_reduce);
  // 10 cores x 1 GHz x 4096 operations.
  ASSERT_EQ(p->devices.rows(), 1u);
  EXPECT_EQ(p->devices.peak_flops[0], 4096e10);
  EXPECT_EQ(p->device_word, "GPU");
}

TEST(XplaneReader, ACallBelongsToTheRangeOfItsOperator) {
  const auto p = read_planes(kTraining);
  ASSERT_EQ(p->launches.rows(), 2u);
  // The thread 99 is known only by number; "dot.1" is open on "python" when the call for dot.1 begins.
  EXPECT_LT(p->lanes.sort_key[1], p->lanes.sort_key[2]);
  EXPECT_EQ(name_of(*p, p->launches.owner[0]), "dot.1");
  EXPECT_EQ(p->launches.rule[0], OwnerRule::linked_id);
  EXPECT_EQ(p->slices.kind[p->launches.owner[0]], SliceKind::op);
  EXPECT_EQ(name_of(*p, p->device_work.owner[0]), "dot.1");
  EXPECT_EQ(p->device_work.launch[1], Row{1});
  EXPECT_EQ(p->device_work.owner[1], kNoRow);  // its owner is not in the file
}

TEST(XplaneReader, ArrowsBetweenThreadsLeadToTheOwner) {
  const auto p = read_planes(R"(plane "/host:CPU"
line 1 "main" @0
event "mine" 0+9000
event "Send::it" 1000+1000 _pt=5 _p=77
line 2 "worker" @0
event "Do::it" 3000+4000 _ct=5 _c=77
event "cuLaunchKernel" 4000+1000 correlation_id=1u
)");
  ASSERT_EQ(p->flows.rows(), 1u);
  EXPECT_EQ(name_of(*p, p->flows.from[0]), "Send::it");
  EXPECT_EQ(name_of(*p, p->flows.to[0]), "Do::it");
  ASSERT_EQ(p->launches.rows(), 1u);
  EXPECT_EQ(name_of(*p, p->launches.owner[0]), "mine");
}

// A call of a compiled function makes each device's thread launch its part later, inside ranges of that thread.
TEST(XplaneReader, TheCallingOperatorWinsOverAnnotationsOfTheThread) {
  const auto p = read_planes(R"x(plane "/host:CPU"
line 1 "main" @0
event "PjitFunction(f)" 0+2000
event "Execute::it" 1000+500 _pt=5 _p=77
event "PjitFunction(f)" 3000+2000
line 2 "pool" @0
event "Enqueue::it" 1500+9000 _ct=5 _c=77
event "hand over" 1600+8000
event "Send::it" 1700+10 _pt=5 _p=78
line 3 "executor" @0
event "Do::it" 4000+4000 _ct=5 _c=78
event "module" 4000+3000
event "cuLaunchKernel" 4000+1000 correlation_id=1u
)x");
  ASSERT_EQ(p->launches.rows(), 1u);
  EXPECT_EQ(name_of(*p, p->launches.owner[0]), "PjitFunction(f)");
  EXPECT_EQ(p->slices.start[p->launches.owner[0]], 0);
}

// "from > to", in the order of the table.
Lines arrows(const Profile& p) {
  Lines lines;
  for (Row i = 0; i < p.flows.rows(); ++i) lines.push_back(name_of(p, p.flows.from[i]) + " > " + name_of(p, p.flows.to[i]));
  return lines;
}

// The id 7 is used twice, and a context of another kind, or another process, has a separate 7. Nothing consumes what comes
// later.
TEST(XplaneReader, ArrowsGoForwardInTime) {
  const auto p = read_planes(R"(plane "/host:CPU"
line 1 "main" @0
event "early::c" 500+100 _ct=5 _c=7
event "first::p" 1000+100 _pt=5 _p=7
event "second::p" 4000+100 _pt=5 _p=7
event "third::p" 4200+100 _pt=5 _p=7
event "other::p" 4400+100 _pt=6 _p=7
event "elsewhere::p" 4600+100 _pt=5 _p=7 _pid=3
line 2 "worker" @0
event "a::c" 2000+100 _ct=5 _c=7
event "b::c" 3000+100 _ct=5 _c=7
event "c::c" 5000+100 _ct=5 _c=7
event "d::c" 6000+100 _ct=5 _c=7 process_id=3
)");
  EXPECT_EQ(arrows(*p),
            (Lines{"first::p > a::c", "first::p > b::c", "second::p > c::c", "third::p > c::c", "elsewhere::p > d::c"}));
}

// Bits 0-1 of `flow` are the direction (1 in, 2 out, 3 both), 2-57 the id, 58-63 the context: 9 is a GPU launch. Out with id
// 5: 9 << 58 | 5 << 2 | 2; in: | 1; both: | 3. The same id in context 1 is another, and so is an id of _p.
TEST(XplaneReader, FlowsHaveADirection) {
  const std::uint64_t id = std::uint64_t{9} << 58 | 5 << 2, other = std::uint64_t{1} << 58 | 5 << 2;
  const auto p = read_planes(fmt::format(R"(plane "/host:CPU"
line 1 "main" @0
event "out" 1000+100 flow={}u
event "both" 2000+100 flow={}u
event "in" 3000+100 flow={}u
event "stranger" 4000+100 flow={}u
event "other kind" 5000+100 _ct=9 _c=5
)",
                                         id | 2, id | 3, id | 1, other | 1));
  EXPECT_EQ(arrows(*p), (Lines{"out > both", "both > in"}));
}

TEST(XplaneReader, ARangeThatContinuesElsewhereContainsNothing) {
  const auto p = read_planes(R"(plane "/host:CPU"
line 1 "main" @0
event "transfer" 0+9000 _a=1
event "mine" 1000+1000
)");
  EXPECT_EQ(plane_slices(*p), (Lines{"main: annotation mine 1+1", "main (async): annotation transfer 0+9"}));
}

TEST(XplaneReader, WithoutMarksTheCallsOfOneFunctionAreSteps) {
  const auto p = read_planes(R"x(plane "/host:CPU"
line 1 "main" @0
event "PjitFunction(small)" 0+1000
event "PjitFunction(train)" 2000+3000
event "PjitFunction(train)" 2000+2900
event "PjitFunction(train)" 6000+3000
)x");
  ASSERT_EQ(p->steps.rows(), 2u);
  EXPECT_EQ(p->steps.start[0], 2);
  EXPECT_EQ(p->steps.duration[1], 3);
  EXPECT_EQ(p->steps.number[1], 1);
  EXPECT_EQ(plane_problems(*p), Lines{"no_step_marks x2"});
}

// "number: start+duration"
Lines steps(const Profile& p) {
  Lines lines;
  for (Row i = 0; i < p.steps.rows(); ++i)
    lines.push_back(fmt::format("{}: {}+{}", p.steps.number[i], p.steps.start[i], p.steps.duration[i]));
  return lines;
}

// Three calls at 10, 20 and 30, each of 5. The pool works on their requests from 12 to 28, 28 to 50 and 50 to 60; the arrow
// shows which execution the first call began. One more was requested before the recording. The last is of another
// compilation, whose executions are counted separately.
constexpr std::string_view kQueued = R"x(plane "/host:CPU"
line 1 "main" @0
event "PjitFunction(<lambda>)" 10000+5000
event "Record" 11000+0 _pt=15 _p=1
event "PjitFunction(<lambda>)" 20000+5000
event "PjitFunction(<lambda>)" 30000+5000
line 2 "pool" @0
event "dot" 0+9000 hlo_op="dot" hlo_module="jit__lambda_" run_id=6
event "StartRegion" 11500+0 _ct=15 _c=1
event "Execute" 12000+16000 run_id=7
event "dot" 13000+9000 hlo_op="dot" hlo_module="jit__lambda_" run_id=7
event "dot" 28000+22000 hlo_op="dot" hlo_module="jit__lambda_" run_id=8
event "dot" 50000+9000 hlo_op="dot" hlo_module="jit__lambda_" run_id=-5
event "tanh" 59000+1000 hlo_op="tanh" hlo_module="jit__lambda_" run_id=-5
)x";

TEST(XplaneReader, AStepOnTheHostLastsUntilItsWorkIsDone) {
  const auto p = read_planes(std::string(kQueued));
  EXPECT_EQ(steps(*p), (Lines{"0: 10+18", "1: 28+22", "2: 50+10"}));
  EXPECT_EQ(plane_problems(*p), Lines{"no_step_marks x3"});
}

TEST(XplaneReader, AMarkedStepLastsUntilItsCallsAreDone) {
  std::string text(kQueued);
  const std::string call = "event \"PjitFunction(<lambda>)\" 20000+5000\n";
  text.replace(text.find(call), call.size(),
               "event \"train\" 20000+6000 step_num=4\n" + call + "event \"train\" 29000+7000 step_num=5\n");
  EXPECT_EQ(steps(*read_planes(text)), (Lines{"4: 20+30", "5: 50+10"}));
}

// Calls without an arrow are paired by order, and no program begins before its call.
TEST(XplaneReader, ExecutionsFollowTheirCallsInOrder) {
  std::string text(kQueued);
  text.erase(text.find("event \"Record\""), std::string("event \"Record\" 11000+0 _pt=15 _p=1\n").size());
  EXPECT_EQ(steps(*read_planes(text)), (Lines{"0: 10+18", "1: 28+22", "2: 50+10"}));
}

TEST(XplaneReader, StepsWithUnknownWorkMayEndEarly) {
  std::string text(kQueued);
  for (std::size_t at; (at = text.find("run_id")) != std::string::npos;) text.replace(at, 6, "said");
  const auto p = read_planes(text);
  EXPECT_EQ(steps(*p), (Lines{"0: 10+5", "1: 20+5", "2: 30+5"}));
  EXPECT_EQ(plane_problems(*p), (Lines{"no_step_marks x3", "steps_may_end_early x3"}));
}

// Threads are recorded from 0 on, the device from 25 on.
TEST(XplaneReader, StepsBeforeTheDeviceWasRecordedAreLeftOut) {
  const auto p = read_planes(R"x(plane "/host:CPU"
line 1 "main" @0
event "train" 0+9000 step_num=7
event "train" 10000+9000 step_num=8
event "train" 20000+9000 step_num=9
event "cuLaunchKernel" 25000+1000 correlation_id=1u
plane "/device:GPU:0"
line 13 "Stream #13" @0
event "gemm" 27000+1000 correlation_id=1u
)x");
  EXPECT_EQ(steps(*p), Lines{"9: 20+9"});
  EXPECT_EQ(plane_problems(*p), Lines{"steps_left_out x2"});
}

// A program that the calling thread runs itself ends inside the call; small ones do so.
TEST(XplaneReader, WorkInsideACallEndsWithIt) {
  const auto p = read_planes(R"x(plane "/host:CPU"
line 1 "main" @0
event "PjitFunction(f)" 0+9000
event "add" 1000+2000 hlo_op="add" hlo_module="jit_f" run_id=3
event "PjitFunction(f)" 10000+9000
event "add" 11000+2000 hlo_op="add" hlo_module="jit_f" run_id=4
)x");
  EXPECT_EQ(steps(*p), (Lines{"0: 0+9", "1: 10+9"}));
}

TEST(XplaneReader, UnitsOfATpu) {
  const auto p = read_planes(
      R"x(plane "/device:TPU:0" device_type_string="TPU v6" peak_teraflops_per_second=900.0 peak_hbm_bw_gigabytes_per_second=1600.0
line 1 "Steps" @0
event "5" 0+50000
event "6" 50000+50000
line 2 "XLA Modules" @0
event "jit_f(17342868964687645945)" 1000+40000
line 3 "XLA Ops" @0
event "%while.1 = ..." 2000+9000
event "%fusion.2 = f32[8] fusion(...)" 3000+2000
event "%all-reduce.3 = ..." 6000+1000
about "%fusion.2 = f32[8] fusion(...)" display="fusion.2" flops=100u bytes_accessed=64u hlo_category="fusion"
line 4 "_counters_" @0
event "MXU" 1000+1 "% util"=50.0
event "MXU" 2000+1 "% util"=25.0
)x");
  EXPECT_EQ(plane_slices(*p), (Lines{"Steps: device_annotation 5 0+50", "Steps: device_annotation 6 50+50",
                                     "XLA Modules: device_annotation jit_f(17342868964687645945) 1+40",
                                     "XLA Ops: device_annotation %while.1 = ... 2+9", "XLA Ops: kernel fusion.2 3+2",
                                     "XLA Ops: collective %all-reduce.3 = ... 6+1"}));
  ASSERT_EQ(p->steps.rows(), 2u);
  EXPECT_EQ(p->steps.number[0], 5);
  EXPECT_EQ(p->steps.number[1], 6);
  ASSERT_EQ(p->counters.rows(), 2u);
  EXPECT_EQ(p->counters.value[0], 50);
  EXPECT_EQ(p->counters.value[1], 25);
  EXPECT_EQ(p->devices.peak_flops[0], 900e12);
  EXPECT_EQ(p->devices.peak_bandwidth[0], 1600e9);
  EXPECT_EQ(p->text(p->device_work.type[0]), "fusion");
}

// The file of an MI300X counts two transfers per clock of 1.3 GHz over 8,192 bits, 2,662.4 GB/s; its memory makes four: 5,324.8,
// the data sheet's 5.3 TB/s. 304 cores x 2.1 GHz x 2,048 operations: its 1,307.4 TFLOP/s.
TEST(XplaneReader, PeaksAreThoseOfTheDataSheets) {
  const auto p = read_planes(
      R"(plane "/device:GPU:0" device_vendor="AMD" core_count=304 clock_rate=2100000 memory_bandwidth=2662400000000u compute_cap_major=9 compute_cap_minor=4
plane "/device:GPU:1" device_vendor="AMD" core_count=110 clock_rate=1700000 memory_bandwidth=1638400000000u compute_cap_major=9 compute_cap_minor=0
plane "/host:CPU"
)");
  ASSERT_EQ(p->devices.rows(), 2u);
  EXPECT_EQ(p->devices.peak_bandwidth[0], 5324.8e9);
  EXPECT_NEAR(p->devices.peak_flops[0], 1307.4e12, 0.1e12);
  EXPECT_EQ(p->devices.peak_bandwidth[1], 1638.4e9);  // one of the two dies of an MI250X: half of 3.2768 TB/s
  EXPECT_NEAR(p->devices.peak_flops[1], 383.0e12 / 2, 0.1e12);
  EXPECT_TRUE(p->text(p->devices.peak_source[0]).starts_with("bandwidth: twice the value in the file"));
}

TEST(XplaneReader, AllocatorsReport) {
  const auto p = read_planes(R"(plane "/host:CPU"
line 1 "main" @100
event "MemoryAllocation" 2000+0 allocator_name=&"GPU_3_bfc" allocation_bytes=512 bytes_allocated=1536 bytes_available=500 fragmentation=0.25 addr=4096
event "MemoryDeallocation" 1000+0 allocator_name=&"GPU_3_bfc" allocation_bytes=256 bytes_allocated=1024 addr=8192
)");
  const MemoryEvents& m = p->memory_events;
  ASSERT_EQ(m.rows(), 2u);
  EXPECT_EQ(m.time[0], 101);  // 100 ns + 1000 ps
  EXPECT_EQ(m.bytes[0], -256);
  EXPECT_EQ(m.bytes[1], 512);
  EXPECT_EQ(m.total_allocated[0], 1024);
  EXPECT_EQ(p->text(m.device_name[0]), "GPU3");
  EXPECT_EQ(m.total_reserved[0], kUnknown);
  EXPECT_EQ(p->slices.rows(), 0u);
  EXPECT_EQ(p->text(p->lanes.name[m.lane[0]]), "main");
  // What is left, and in how many pieces: of the device, which did nothing else. The release states neither.
  Lines samples;
  for (Row i = 0; i < p->counters.rows(); ++i) {
    const Row lane = p->counters.lane[i];
    samples.push_back(fmt::format("{}, {}: {}={}", p->text(p->processes.label[p->lanes.process[lane]]),
                                  p->text(p->lanes.name[lane]), p->counters.time[i], p->counters.value[i]));
  }
  EXPECT_EQ(samples, (Lines{"GPU 3, GPU_3_bfc available (B): 102=500", "GPU 3, GPU_3_bfc fragmentation (share): 102=0.25"}));
}

TEST(XplaneReader, SumsWithoutTimes) {
  const auto p = read_planes(R"(plane "/device:TPU:2"
line 3 "XLA Ops" @0
event "fusion.2" x40+2000000 program_id=3
plane "/host:CPU"
line 1 "main" @0
event "call" x7+9000 min_duration_ps=1000
)");
  const ReportedProgramWork& w = p->reported_program_work;
  ASSERT_EQ(w.rows(), 1u);
  EXPECT_EQ(p->text(p->program_operators.name[w.program_operator[0]]), "fusion.2");
  EXPECT_EQ(p->text(p->program_operators.program_id[w.program_operator[0]]), "3");
  EXPECT_EQ(w.device[0], 2);
  EXPECT_EQ(w.calls[0], 40);
  EXPECT_EQ(w.total[0], 2000);
  ASSERT_EQ(p->reported_calls.rows(), 1u);
  EXPECT_EQ(p->reported_calls.calls[0], 7);
  EXPECT_EQ(p->reported_calls.total[0], 9);
  EXPECT_EQ(p->reported_calls.shortest[0], 1);
  EXPECT_EQ(p->slices.rows(), 0u);
}

TEST(XplaneReader, MetadataOfTheRecording) {
  const auto p = read_planes(R"(plane "/host:metadata" jax_version="0.10.2"
error "lost a buffer"
warning "dropped 3 events"
)");
  EXPECT_EQ(plane_problems(*p), (Lines{"recorded_error x1", "recorded_warning x1"}));
  EXPECT_EQ(metadata_value(*p, "jax_version"), "0.10.2");
}

// By hand: 08 01 include_dataset_ops, 10 02 host level 2, 18 01 device level 1, 28 01 version, 30 02 a GPU, 38 01 programs;
// 62 10 an entry of 16 bytes: 0a 0a the key "gpu_buffer", 12 02 its value of two bytes, 18 07 the number 7. The level of
// Python is missing, which means 0.
TEST(XplaneReader, OptionsOfTheProfiler) {
  const auto p =
      read_planes(R"(plane "Task Environment" profile_options=#08011002180128013002380162100a0a6770755f62756666657212021807
)");
  EXPECT_EQ(metadata_value(*p, "profile_options.host_tracer_level"), "2");
  EXPECT_EQ(metadata_value(*p, "profile_options.device_tracer_level"), "1");
  EXPECT_EQ(metadata_value(*p, "profile_options.python_tracer_level"), "0");
  EXPECT_EQ(metadata_value(*p, "profile_options.device_type"), "GPU");
  EXPECT_EQ(metadata_value(*p, "profile_options.enable_hlo_proto"), "true");
  EXPECT_EQ(metadata_value(*p, "profile_options.advanced_configuration.gpu_buffer"), "7");
  EXPECT_EQ(metadata_value(*p, "profile_options.session_id"), "");
}

TEST(XplaneReader, ATruncatedFileIsReadUpToTheCut) {
  const std::string whole = SpaceText(kTraining).bytes();
  const auto damage = [](const Profile& p) {
    const Row last = static_cast<Row>(p.problems.rows()) - 1;
    return plane_problems(p).back() + " at " + std::to_string(p.problems.offset[last]);
  };
  // In the names of the host: its slices are there, and only the name that was read before is known.
  const std::size_t names = whole.find("cuMemcpyDtoDAsync");
  const auto nameless = read_bytes(whole.substr(0, names));
  EXPECT_EQ(nameless->slices.rows(), 9u);  // the last is the operator of the device's work
  EXPECT_EQ(plane_slices(*nameless)[7], "Host Threads/99: runtime event 4 (its name is lost) 6+1");
  EXPECT_EQ(damage(*nameless), "damaged_file x1 at " + std::to_string(names));
  // In the name of the host's first line: only the device is left.
  const std::size_t line = whole.find("python") + 3;
  const auto device = read_bytes(whole.substr(0, line));
  EXPECT_EQ(device->slices.rows(), 5u);
  EXPECT_EQ(damage(*device), "damaged_file x1 at " + std::to_string(line));
}

TEST(XplaneReader, DamageIsAnErrorWithItsPlace) {
  const auto error_of = [](const std::string& bytes) {
    const TemporaryFile file(bytes);
    const auto result = xplane_reader().read(file.path(), {});
    EXPECT_FALSE(result.ok());
    if (result) return std::string();
    return result.error().where.substr(result.error().where.rfind(':')) + " " + result.error().message;
  };
  EXPECT_EQ(error_of(""), ":0 the file contains no plane of a profile");
  EXPECT_EQ(error_of("\x0f\x01"), ":1 a field has a type that protocol buffers do not have");
}

TEST(XplaneReader, APlaneThatWrapsAFileIsNamed) {
  const TemporaryFile file(SpaceText(R"(
plane "/host:Neuron-runtime:profile//ab_0/model1/node2/plugins/neuron/1690000000/neuron_trace.json"
line 1 "0" @0
event "0" 0+1 record="{\"ph\":1}"
plane "/host:CPU"
line 1 "main" @0
event "a" 0+1000
)")
                               .bytes());
  const Result<std::unique_ptr<Profile>> p = xplane_reader().read(file.path(), {});
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->slices.rows(), 1u) << "records are no events of a host";
  ASSERT_EQ((*p)->problems.rows(), 1u);
  EXPECT_EQ((*p)->text((*p)->problems.message[0]),
            "a plane that contains neuron_trace.json of Neuron's older profiler is not read; open the log that its tool writes "
            "(plugins/neuron/TIME) instead");
}

TEST(XplaneReader, AnEventIsFoundAgain) {
  const TemporaryFile file(SpaceText(R"(plane "/host:CPU"
line 1 "main" @0
event "a" 0+1
event "b" 5+7 id=9007199254740993 text=&"said"
about "b" display="B" more=18446744073709551615u
)")
                               .bytes());
  const Result<std::unique_ptr<Profile>> p = xplane_reader().read(file.path(), {});
  ASSERT_TRUE(p.ok());
  const Result<std::string> text = xplane_reader().event_text(file.path(), (*p)->slices.source[1]);
  ASSERT_TRUE(text.ok()) << text.error().to_string();
  EXPECT_EQ(*text, R"({"name":"b","display_name":"B","plane":"/host:CPU","line":"main","offset_ps":5,"duration_ps":7,)"
                   R"("stats":{"id":"9007199254740993","text":"said","more":"18446744073709551615"}})");
  EXPECT_FALSE(xplane_reader().event_text(file.path(), (*p)->slices.source[1] + 1).ok());
}

TEST(XplaneReader, EndsOfArrowsAreShownInWords) {
  const TemporaryFile file(SpaceText(R"(plane "/host:CPU"
line 1 "main" @0
event "a" 0+1 _pt=14 flow=2594073385365405718u
)")
                               .bytes());  // 9 << 58 | 5 << 2 | 2
  const Result<std::unique_ptr<Profile>> p = xplane_reader().read(file.path(), {});
  ASSERT_TRUE(p.ok());
  const Result<std::string> text = xplane_reader().event_text(file.path(), (*p)->slices.source[0]);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find(R"("_pt":14,"_pt in words":"PJRT library call")"), std::string::npos) << *text;
  EXPECT_NE(text->find(R"("flow in words":"out, id 5, GPU launch")"), std::string::npos) << *text;
}

TEST(XplaneReader, LeavesOutValuesThatAreTooLong) {
  const std::string more((16 << 20) + 1, 'x');
  ProtoWriter space, plane, line, shorter, longer, stat, entry, name;
  stat.integer(1, 1);
  stat.bytes(5, more);
  longer.integer(1, 1);
  longer.message(4, stat);
  shorter.integer(1, 1);
  shorter.integer(2, 4000);
  shorter.integer(3, 1000);
  line.bytes(2, "main");
  line.message(4, longer);
  line.message(4, shorter);
  name.bytes(2, more);
  entry.integer(1, 1);
  entry.message(2, name);
  plane.bytes(2, "/host:CPU");
  plane.message(3, line);
  plane.message(4, entry);
  plane.message(6, stat);
  space.message(1, plane);
  space.bytes(3, more);
  space.bytes(3, "short");
  const TemporaryFile file(space.data());
  const Result<std::unique_ptr<Profile>> p = xplane_reader().read(file.path(), {});
  ASSERT_TRUE(p.ok()) << p.error().to_string();
  EXPECT_EQ(check_profile(**p), Lines{});
  // An event, the name of both, the plane's stat and a warning; the other event is named by its number.
  EXPECT_EQ(plane_problems(**p), (Lines{"recorded_warning x1", "long_value x4"}));
  EXPECT_EQ(plane_slices(**p), (Lines{"main: annotation event 1 (its name is lost) 4+1"}));
  EXPECT_TRUE(xplane_reader().event_text(file.path(), (*p)->slices.source[0]).ok());
}

TEST(XplaneReader, NamesAndContent) {
  const Reader reader = xplane_reader();
  EXPECT_TRUE(reader.claims("host0.xplane.pb"));
  EXPECT_TRUE(reader.claims("host0.xplane.pb.gz"));
  EXPECT_FALSE(reader.claims("module.hlo_proto.pb"));
  EXPECT_EQ(reader.name("host0.xplane.pb.gz").worker, "host0");
  EXPECT_TRUE(reader.sniff("x", SpaceText(kTraining).bytes().substr(0, 64)));
  EXPECT_FALSE(reader.sniff("x", "{\"traceEvents\": []}"));
  const auto refused = reader.read("host0.xplane.riegeli", {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace sightline::formats

// Advice about programs of a device: each rule just beyond and just within its threshold.
#include <gtest/gtest.h>

#include "tests/support/advice_of.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// A device of 2 FLOP a ns.
std::string program(std::string_view lines) { return "device 0: Big [flops=2e9 bandwidth=4e9]\n" + std::string(lines); }

TEST(ProgramAdvice, UsefulFlops) {
  // 10 ns of the matrix units: 20 FLOP were possible.
  const std::string work = "engine Tensor: 0-10 MATMUL [matrix cost.flops=20]\n";
  EXPECT_FALSE(is_advised("useful_flops", program("meta summary.model_flops = 10\n" + work)));
  const Advice advice = advice_of("useful_flops", program("meta summary.model_flops = 9\n" + work));
  EXPECT_EQ(
      advice.evidence,
      "The model's operations are 45.0% of what the matrix units could have done in the 10 ns in which their engine was active.");
  EXPECT_EQ(advice.link_view, "device_summary");
  EXPECT_FALSE(is_advised("useful_flops", program(work)));  // not known
}

TEST(ProgramAdvice, Throttling) {
  const std::string work = "engine Tensor: 0-100 MATMUL [matrix]\n";
  EXPECT_FALSE(is_advised("throttling", program(work + "engine limits: 0-40 mark limit [fact.k=4 fact.n=4]")));
  EXPECT_EQ(advice_of("throttling", program(work + "engine limits: 0-40 mark limit [fact.k=3 fact.n=4]")).evidence,
            "For 40 ns (40.0% of the recording) the device was limited to 75.0% of its full speed.");
}

TEST(ProgramAdvice, Transposes) {
  const auto of = [](int turning) {
    return program("engine Tensor: 0-10 MATMUL [matrix cost.flops=" + std::to_string(100 - turning) +
                   " fact.instruction_type=REGULAR], 10-20 MATMUL [matrix cost.flops=" + std::to_string(turning) +
                   " fact.instruction_type=TRANSPOSE]");
  };
  EXPECT_FALSE(is_advised("transposes", of(10)));
  EXPECT_EQ(advice_of("transposes", of(11)).evidence, "11.0% of the operations that ran only transpose matrices.");
}

TEST(ProgramAdvice, SpillReloads) {
  const auto of = [](int bytes) {
    return program("engine Sync: 0-10 LOAD [cost.read=100 fact.spill_reload_bytes=" + std::to_string(bytes) + "]");
  };
  EXPECT_FALSE(is_advised("spill_reloads", of(25)));
  EXPECT_EQ(advice_of("spill_reloads", of(26)).evidence, "26.0% of the 100 B read from device memory were spilled before.");
}

TEST(ProgramAdvice, RepeatedLoads) {
  const std::string work = "engine Sync: 0-10 LOAD\n";
  EXPECT_FALSE(is_advised("repeated_loads", program(work + "row tensors [name=w bytes=10 loaded_bytes=20]")));
  EXPECT_EQ(
      advice_of("repeated_loads",
                program(work + "row tensors [name=w bytes=10 loaded_bytes=25]\nrow tensors [name=v bytes=10 loaded_bytes=30]"))
          .evidence,
      "2 tensors were loaded more than 2 times over; v was loaded 3.0 times, 30 B in all.");
}

TEST(ProgramAdvice, KernelCoverage) {
  const std::string by_hand = "[fact.kernel_instruction_name=I-1]";
  EXPECT_FALSE(is_advised("kernel_coverage", program("engine Tensor: 0-10 MATMUL, 10-20 MATMUL")));  // none is by hand
  EXPECT_FALSE(is_advised("kernel_coverage", program("engine Tensor: 0-10 MATMUL " + by_hand + ", 10-20 MATMUL")));
  const Advice advice = advice_of("kernel_coverage", program("engine Tensor: 0-10 MATMUL " + by_hand +
                                                             ", 10-20 MATMUL, 20-30 MATMUL\nengine Vector: 0-10 ADD"));
  EXPECT_EQ(advice.evidence, "They account for 33.3% of the instructions of Tensor; the compiler made the others.");
}

TEST(ProgramAdvice, SmallCopies) {
  const std::string work = "engine Sync: 0-10 LOAD\n";
  const std::string large = "queue Q0: 0-5 memcpy in [bytes=512], 10-20 memcpy in [bytes=511], 20-30 memcpy flag [bytes=4]";
  EXPECT_FALSE(is_advised("small_copies", program(work + large)));  // one of two
  EXPECT_EQ(advice_of("small_copies", program(work + large + ", 30-40 memcpy in [bytes=8]")).evidence,
            "2 of 3 copies carry less than 512 B; copies are active in 87.5% of the active time.");  // 35 of 40 ns
}

TEST(ProgramAdvice, SlowCollective) {
  const auto of = [](int end) {
    return program(
        "engine CC: 0-10 collective ar [coll=all_reduce in=64], 10-20 collective ar [coll=all_reduce in=64], 20-30 "
        "collective ar [coll=all_reduce in=64], 30-" +
        std::to_string(end) + " collective ar [coll=all_reduce in=64]");
  };
  EXPECT_FALSE(is_advised("slow_collective", of(50)));
  EXPECT_EQ(advice_of("slow_collective", of(51)).evidence,
            "ar took 21 ns, 2.1 times the median of 10 ns of those of its name and size.");
}

TEST(ProgramAdvice, HasNoAdviceAboutLaunchesAndBatches) {
  std::string lines = "engine Tensor: ";
  for (int i = 0; i < 120; ++i)
    lines += (i == 0 ? "" : ", ") + std::to_string(100 * i) + "-" + std::to_string(100 * i + 10) + " MATMUL";
  const ProfilePtr profile = text_profile(program(lines));
  const auto found = recommend(profile);
  for (const Advice& advice : found->advice) {
    EXPECT_EQ(advice.action.find("batch"), std::string::npos) << advice.id;
    EXPECT_NE(advice.id, "small_kernels");
  }
  EXPECT_TRUE(is_advised("low_utilization", program(lines)));
  // The same work on streams that a host feeds is spoken of as before.
  EXPECT_TRUE(is_advised("launch_bound", "thread 1: 0-12000 op f\n" + std::string("stream 7: ") + lines.substr(15)));
}

}  // namespace
}  // namespace sightline::analyses

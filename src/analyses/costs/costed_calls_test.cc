// Which call device work belongs to, and what calls cost beside the peaks: every figure worked by hand.
#include "analyses/costs/costed_calls.h"

#include <gtest/gtest.h>

#include "analyses/costs/cost_model.h"
#include "analyses/costs/cost_sums.h"
#include "analyses/peaks/device_peaks.h"
#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// f(x, y) needs 2 x 100 x 100 x 100 = 2,000,000 operations and reads 2 x 20,000 bytes, writes 20,000; g moves 3,000 bytes. Each
// is inside an operator without a formula; h has none at all.
constexpr std::string_view kFormulas =
    "t::f | product | matrix | 0 | 2 * numel(0) * dim(1, 1) | bytes(0) + bytes(1) | bytes(0)\n"
    "t::g | copy | memory | - | - | 2000 | 1000\n";

// f runs 5,000 + 1,000 ns on the device (its own kernel and that of an annotation in it), g 4,000, h 2,000.
std::unique_ptr<Profile> costed_profile(std::string_view kernel = "gemm") {
  auto profile = parse_text_profile(
      "device 0: Big GPU\n"
      R"(
    thread 1: 0-50 op outer, 0-40 op t::f [shapes=[[100,100],[100,100]] types=["c10::BFloat16","c10::BFloat16"]], 5-8 runtime l [corr=1], 10-20 annotation part, 12-15 runtime l [corr=2], 60-70 op t::g [shapes=[[10]] types=["float"]], 62-64 runtime l [corr=3], 80-90 op t::h, 82-84 runtime l [corr=4]
    stream 7: 100-5100 )" +
      std::string(kernel) +
      R"( [corr=1], 6000-7000 reduce [corr=2], 8000-12000 memcpy DtoD [corr=3], 13000-15000 sort [corr=4]
  )");
  const Result<CostModel> model = CostModel::make(kFormulas, "test");
  EXPECT_TRUE(model.ok());
  add_costed_calls(*profile, *model);
  EXPECT_EQ(check_profile(*profile), std::vector<std::string>{});
  return profile;
}

TEST(CostedCalls, WorkBelongsToTheInnermostOperatorWithAFormula) {
  const auto p = costed_profile();
  ASSERT_EQ(p->costed_calls.rows(), 2u);
  const auto name_of = [&](Row slice) { return p->text(p->slices.name[slice]); };
  EXPECT_EQ(name_of(p->costed_calls.slice[0]), "t::f");
  EXPECT_EQ(p->costed_calls.device_time[0], 6000);
  EXPECT_EQ(name_of(p->costed_calls.work[0]), "gemm");
  EXPECT_EQ(name_of(p->costed_calls.slice[1]), "t::g");
  EXPECT_EQ(p->costed_calls.device_time[1], 4000);
  const std::vector<Row> calls = calls_of_work(*p);
  EXPECT_EQ(calls, (std::vector<Row>{0, 0, 1, kNoRow}));
  const CostCoverage coverage = cost_coverage(*p);
  EXPECT_EQ(coverage.device_time, 12000);
  EXPECT_EQ(coverage.caused, 12000);
  EXPECT_EQ(coverage.with_cost, 10000);
}

// The speed of a copy from the host is that of the link, and a collective waits for others.
TEST(CostedCalls, CopiesOverTheLinkAndCollectivesHaveNone) {
  auto p = parse_text_profile(R"(
    thread 1: 0-30 op t::g [shapes=[[10]]], 2-4 runtime l [corr=1], 40-60 op t::g [shapes=[[10]]], 42-44 runtime l [corr=2]
    stream 7: 50-60 memcpy "Memcpy HtoD" [corr=1], 70-90 collective ar [corr=2], 95-99 lost
  )");
  add_costed_calls(*p, *CostModel::make(kFormulas, "test"));
  EXPECT_EQ(p->costed_calls.rows(), 0u);
  EXPECT_EQ(cost_coverage(*p).device_time, 34);
  EXPECT_EQ(cost_coverage(*p).caused, 0) << "the last kernel has no recorded cause";
}

TEST(CostedCalls, EqualCallsAreCostedOnce) {
  auto p = costed_profile();
  EXPECT_EQ(p->operator_costs.rows(), 2u);
  EXPECT_EQ(p->operator_costs.flops[0], 2e6);
  EXPECT_EQ(p->operator_costs.bytes_read[0], 40000);
  EXPECT_EQ(p->operator_costs.bytes_written[0], 20000);
  EXPECT_EQ(p->text(p->operator_costs.precision[0]), "bf16");
  EXPECT_EQ(p->text(p->operator_costs.unit[1]), "memory");
}

TEST(CostedCalls, ANarrowProductOfFp32IsKnownByItsKernel) {
  for (const auto& [kernel, precision] : {std::pair{"sgemm", "fp32"}, std::pair{"xmma_gemm_f32f32_tf32f32", "tf32"}}) {
    auto p =
        parse_text_profile(std::string("thread 1: 0-40 op t::f [shapes=[[2,2],[2,2]] types=[\"float\",\"float\"]], 5-8 runtime "
                                       "l [corr=1]\nstream 7: 10-20 ") +
                           kernel + " [corr=1]\n");
    add_costed_calls(*p, *CostModel::make(kFormulas, "test"));
    ASSERT_EQ(p->costed_calls.rows(), 1u);
    EXPECT_EQ(p->text(p->operator_costs.precision[p->costed_calls.cost[0]]), precision);
  }
}

// At 1,000 operations and 20 bytes a ns, f takes max(2,000, 3,000) ns of its 6,000 and g 150 of its 4,000, which starting it
// takes longer than.
TEST(CostSums, AreComparedWithThePeaks) {
  auto p = costed_profile();
  const std::vector<GivenPeak> peaks{{"bf16", 1e12}, {"bandwidth", 20e9}};
  add_device_peaks(*p, peaks);
  const CallCosts costs(*p);
  const CostSums f = costs.of(0), g = costs.of(1);
  EXPECT_EQ(f.attainable, 3000);
  EXPECT_EQ(f.time_to_win(), 3000);
  EXPECT_EQ(f.of_attainable(), 0.5);
  EXPECT_EQ(f.limit(), CostLimit::memory);
  EXPECT_NEAR(f.flops_per_second(), 2e6 / 6e-6, 1);
  EXPECT_NEAR(f.bytes_per_second(), 6e4 / 6e-6, 1);
  EXPECT_EQ(g.attainable, 150);
  EXPECT_EQ(g.limit(), CostLimit::latency);
  EXPECT_NE(g.flops_per_second(), g.flops_per_second()) << "a copy has no operations";
  const CostSums all = all_costs(*p);
  EXPECT_EQ(all.time_to_win(), 3000 + 3850);
  EXPECT_EQ(all.impossible, 0);
  EXPECT_EQ(all.products, 2000) << "at the peak of the matrix units";
}

TEST(CostSums, WithoutPeaksNothingIsAttainable) {
  auto p = costed_profile();
  add_device_peaks(*p, {});
  const CostSums all = all_costs(*p);
  EXPECT_NE(all.of_attainable(), all.of_attainable());
  EXPECT_NE(all.time_to_win(), all.time_to_win());
  EXPECT_NEAR(all.flops_per_second(), 2e6 / 6e-6, 1);
  EXPECT_EQ(all.unknown_products, 1);
}

}  // namespace
}  // namespace sightline::analyses

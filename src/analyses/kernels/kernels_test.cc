// The kernels view: every column by hand, both groupings, filters, and unknown values.
#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

ProfilePtr kernels_training() {
  return text_profile(R"(
    thread 1: 0-100 step 1, 0-90 op conv [eligible], 10-50 op conv2d [id=9], 20-25 runtime l [corr=1], 30-35 runtime l [corr=2 ext=9], 100-200 step 2, 110-120 op relu, 112-114 runtime l [corr=3]
    stream 7: 30-40 gemm [corr=1 matrix blocks=2 occ=50 grid=[1,2,3] block=[64,1,1] registers=32 shared=1024], 40-70 gemm [corr=2 matrix blocks=1 grid=[1,2,3] block=[64,1,1] registers=32 shared=1024], 120-130 relu_kernel [corr=3 occ=10], 140-150 memcpy HtoD
    stream 8 of 1: 50-90 collective ring
  )");
}

TEST(Kernels, ByName) {
  const Report report = run_view(kernels_training(), "kernels");
  // gemm: 10 + 30; blocks (2x10 + 1x30) / 40; occupancy 50 over the one call that has it. 90 in all.
  EXPECT_EQ(rows_text(report, "kernels",
                      {"name", "tensor_cores", "calls", "total", "mean", "max", "min", "blocks_per_sm", "occupancy", "share"}),
            "gemm yes 2 40 20 30 10 1.25 50 0.444444\n"
            "ring no 1 40 40 40 40 - - 0.444444\n"
            "relu_kernel no 1 10 10 10 10 - 10 0.111111\n");
  EXPECT_EQ(rows_text(report, "tensor_cores", {"use", "time", "share"}), "used 40 0.444444\nnot used 50 0.555556\n");
  EXPECT_EQ(
      report.notes.front().text,
      "Attributed to the host range that launched them: 1 by a linked id, 2 by the range that was open when the launching call "
      "began, 1 not attributed.");
  EXPECT_EQ(report.scope, "4 kernels, with collectives, without copies");
}

TEST(Kernels, ByLaunch) {
  const Report report = run_view(kernels_training(), "kernels", {{"group_by", "launch"}});
  EXPECT_EQ(rows_text(report, "kernels",
                      {"name", "operator", "grid", "block", "registers", "shared_memory", "op_tc_eligible", "calls", "total"}),
            "gemm conv2d [1,2,3] [64,1,1] 32 1024 no 2 40\n"
            "ring - - - - - - 1 40\n"
            "relu_kernel relu - - - - no 1 10\n");
}

TEST(Kernels, AnOperatorsKernelsIncludeThoseOfItsChildren) {
  const auto names = [](std::string_view name) {
    return rows_text(run_view(kernels_training(), "kernels", {{"operator", std::string(name)}}), "kernels",
                     {"name", "calls", "share"});
  };
  EXPECT_EQ(names("conv"), "gemm 2 1\n");
  EXPECT_EQ(names("conv2d"), "gemm 2 1\n");
  EXPECT_EQ(names("relu"), "relu_kernel 1 1\n");
  EXPECT_EQ(names("step 1"), "gemm 2 1\n");
  EXPECT_EQ(names("nothing"), "");
}

TEST(Kernels, OfAStepOrADevice) {
  const auto names = [](std::string_view key, std::string_view value) {
    return rows_text(run_view(kernels_training(), "kernels", {{std::string(key), std::string(value)}}), "kernels", {"name"});
  };
  EXPECT_EQ(names("step", "1"), "gemm\nring\n");  // ring: no launching call known, started inside
  EXPECT_EQ(names("step", "2"), "relu_kernel\n");
  EXPECT_EQ(names("device", "1"), "ring\n");
  EXPECT_EQ(names("device", ""), "gemm\nring\nrelu_kernel\n");
  EXPECT_THROW(names("step", "3"), std::invalid_argument);
  EXPECT_THROW(names("device", "one"), std::invalid_argument);
}

TEST(Kernels, SearchLooksAtOperatorsWhenTheyAreShown) {
  const auto names = [](std::string_view group_by) {
    return rows_text(run_view(kernels_training(), "kernels", {{"search", "CONV2"}, {"group_by", std::string(group_by)}}),
                     "kernels", {"name"});
  };
  EXPECT_EQ(names("name"), "");
  EXPECT_EQ(names("launch"), "gemm\n");
}

TEST(Kernels, ColumnsWithoutValuesAreAbsent) {
  const Report report = run_view(text_profile("stream 7: 0-10 k [blocks=0]"), "kernels");
  EXPECT_EQ(report.tables.front().find("blocks_per_sm"), nullptr);
  EXPECT_EQ(report.tables.front().find("occupancy"), nullptr);
}

TEST(Kernels, UnknownCoresAreASeparatePart) {
  const Report report = run_view(text_profile("stream 7: 0-10 a [matrix], 10-40 b [unknown_core]"), "kernels");
  EXPECT_EQ(rows_text(report, "tensor_cores", {"use", "time", "share"}), "used 10 0.25\nnot used 0 0\nunknown 30 0.75\n");
  EXPECT_EQ(rows_text(report, "kernels", {"name", "tensor_cores"}), "b -\na yes\n");
}

TEST(Kernels, OfAPartOfTheTensorCores) {
  const Report report = run_view(kernels_training(), "kernels", {{"tensor_cores", "not used"}, {"step", "1"}});
  EXPECT_EQ(rows_text(report, "kernels", {"name"}), "ring\n");
  // The chart still shows all parts, and each leads to its kernels of the same step.
  const ReportTable& cores = *report.find_table("tensor_cores");
  EXPECT_EQ(rows_text(report, "tensor_cores", {"use", "time"}), "used 40\nnot used 40\n");
  ASSERT_EQ(cores.row_links.size(), 1u);
  const LinkParameters expected{{"tensor_cores", "$use"}, {"group_by", "name"}, {"operator", ""}, {"step", "1"}, {"device", ""}};
  EXPECT_EQ(cores.row_links.front().parameters, expected);
}

TEST(Kernels, StepsAreChoices) {
  const auto choices = [](const Report& report) {
    std::string text;
    for (const ParameterChoice& choice : report.parameters.front().choices) text += choice.value + "=" + choice.title + " ";
    return text;
  };
  EXPECT_EQ(choices(run_view(kernels_training(), "kernels")), "=all 1=1 2=2, cut off by the end ");
  EXPECT_EQ(choices(run_view(text_profile("stream 7: 0-10 k"), "kernels")), "=all ");
}

TEST(Kernels, AnnotationsOwnKernelsButAreNotOperators) {
  const Report report = run_view(text_profile("thread 1: 0-50 annotation n, 5-6 runtime l [corr=1]\nstream 7: 10-20 k [corr=1]"),
                                 "kernels", {{"group_by", "launch"}});
  EXPECT_EQ(rows_text(report, "kernels", {"name", "operator", "op_tc_eligible"}), "k n -\n");
}

TEST(Kernels, AreUnavailableWithCopiesOnly) {
  EXPECT_TRUE(find_analysis("kernels")->unavailable(*text_profile("stream 7: 0-10 memcpy HtoD")).has_value());
  EXPECT_FALSE(find_analysis("kernels")->unavailable(*kernels_training()).has_value());
}

// Two products on the matrix cores, one cast on the vector cores, one collective; the profiler counted what the cores did.
ProfilePtr counted() {
  return text_profile(R"(
    words NPU, AI cores, AI core
    thread 1: 0-100 step 3, 0-90 op mm, 5-6 runtime l [corr=1], 7-8 runtime l [corr=2], 9-10 runtime l [corr=3]
    stream 2: 10-40 MatMul [corr=1 type=MatMulV2 core=AI_CORE matrix grid=8 fact.mac_ratio=0.5 fact.Wait(us)=2 fact.Task_id=7], 40-50 MatMul [corr=2 type=MatMulV2 core=AI_CORE matrix grid=12 fact.mac_ratio=0.9 fact.Wait(us)=1 fact.Task_id=8], 60-80 Cast [corr=3 type=Cast core=AI_VECTOR_CORE fact.Format=ND]
    stream 9: 50-90 collective hcom [core=HCCL]
  )");
}

TEST(Kernels, CountersAreAveraged) {
  const Report report = run_view(counted(), "kernels");
  // Of 40 ns of MatMul 30 had a ratio of 0.5 and 10 one of 0.9: 24 / 40. Waits count once per call: (2 + 1) us / 2.
  EXPECT_EQ(rows_text(report, "kernels", {"name", "type", "core", "calls", "total", "mean_mac_ratio", "mean_wait"}),
            "MatMul MatMulV2 AI_CORE 2 40 0.6 1500\n"
            "hcom - HCCL 1 40 - -\n"
            "Cast Cast AI_VECTOR_CORE 1 20 - -\n");
  const ReportTable& table = report.tables.front();
  EXPECT_EQ(table.find("mean_mac_ratio")->unit, Unit::share);
  EXPECT_EQ(table.find("mean_wait")->unit, Unit::ns);
  EXPECT_TRUE(table.find("mean_wait")->hidden);
  EXPECT_EQ(table.find("mean_task_id"), nullptr);  // a number of a thing has no mean
  EXPECT_EQ(table.find("mean_format"), nullptr);
  EXPECT_EQ(table.find("tensor_cores")->title, "AI cores");
}

TEST(Kernels, CoresHaveTheNamesOfTheFile) {
  const Report report = run_view(counted(), "kernels");
  EXPECT_EQ(rows_text(report, "cores", {"core", "calls", "time", "share"}),
            "AI_CORE 2 40 0.4\nHCCL 1 40 0.4\nAI_VECTOR_CORE 1 20 0.2\n");
  EXPECT_EQ(report.find_table("tensor_cores"), nullptr);
  EXPECT_EQ(rows_text(run_view(counted(), "kernels", {{"core", "AI_CORE"}}), "kernels", {"name", "calls"}), "MatMul 2\n");
  EXPECT_EQ(rows_text(run_view(counted(), "kernels", {{"core", "none such"}}), "kernels", {"name"}), "");
  EXPECT_EQ(rows_text(run_view(counted(), "kernels", {{"group_by", "type"}}), "kernels", {"type", "core", "calls", "total"}),
            "MatMulV2 AI_CORE 2 40\n- HCCL 1 40\nCast AI_VECTOR_CORE 1 20\n");
}

TEST(Kernels, EachCall) {
  const Report report = run_view(counted(), "kernels", {{"group_by", "call"}});
  EXPECT_EQ(rows_text(report, "kernels",
                      {"name", "core", "step", "start", "duration", "operator", "stream", "grid", "fact_mac_ratio", "fact_wait",
                       "fact_task_id", "fact_format"}),
            "hcom HCCL 3 50 40 - stream 9 - - - - -\n"
            "MatMul AI_CORE 3 10 30 mm stream 2 8 0.5 2000 7 -\n"
            "Cast AI_VECTOR_CORE 3 60 20 mm stream 2 - - - - ND\n"
            "MatMul AI_CORE 3 40 10 mm stream 2 12 0.9 1000 8 -\n");
  const ReportTable& table = report.tables.front();
  EXPECT_EQ(table.find("grid")->title, "Blocks");
  EXPECT_EQ(table.find("block"), nullptr);
  EXPECT_TRUE(table.find("fact_task_id")->hidden);
  EXPECT_EQ(rows_text(run_view(kernels_training(), "kernels", {{"group_by", "call"}, {"search", "gemm"}}), "kernels",
                      {"name", "step", "start", "duration", "operator", "grid", "blocks_per_sm", "occupancy"}),
            "gemm 1 40 30 conv2d [1,2,3] 1 -\ngemm 1 30 10 conv2d [1,2,3] 2 50\n");
}

TEST(Kernels, OnlySumsStatedByTheFile) {
  const ProfilePtr profile = text_profile(R"(
    words NPU, AI cores, AI core
    reported kernel: MatMul AI_CORE 3 90 20 40, Cast AI_VECTOR_CORE 2 10 4 6, Add AI_VECTOR_CORE 1 100 100 100
  )");
  EXPECT_FALSE(find_analysis("kernels")->unavailable(*profile).has_value());
  const Report report = run_view(profile, "kernels");
  EXPECT_EQ(rows_text(report, "reported_kernels", {"type", "core", "calls", "total", "share", "mean", "max", "min"}),
            "Add AI_VECTOR_CORE 1 100 0.5 100 100 100\n"
            "MatMul AI_CORE 3 90 0.45 30 40 20\n"
            "Cast AI_VECTOR_CORE 2 10 0.05 5 6 4\n");
  EXPECT_EQ(rows_text(report, "cores", {"core", "calls", "time", "share"}), "AI_VECTOR_CORE 3 110 0.55\nAI_CORE 3 90 0.45\n");
  EXPECT_EQ(report.notes.front().level, Note::Level::warning);
}

// Two lines of source: 10 + 20 and 5 ns; 1 ns of an unknown one. Offered only where lines are known.
TEST(Kernels, ByLineOfSource) {
  const ProfilePtr profile = text_profile(R"(
engine Tensor: 0-10 MATMUL [fact.source_line=m.py:3], 10-30 ADD [fact.source_line=m.py:3], 30-35 ADD [fact.source_line=m.py:9], 35-36 NOP
)");
  const Report report = run_view(profile, "kernels", {{"group_by", "source"}});
  EXPECT_EQ(rows_text(report, "kernels", {"name", "calls", "total"}), "m.py:3 2 30\nm.py:9 1 5\n- 1 1\n");
  const auto offers = [](const Report& of) {
    for (const Parameter& parameter : of.parameters) {
      for (const ParameterChoice& choice : parameter.choices) {
        if (choice.value == "source") return true;
      }
    }
    return false;
  };
  EXPECT_TRUE(offers(report));
  EXPECT_FALSE(offers(run_view(text_profile("stream 7: 0-10 k"), "kernels")));
}

TEST(Kernels, ShowTheSourceOfOccupancy) {
  const ProfilePtr profile = text_profile(R"(
    stream 7: 0-10 gemm [blocks=2 warps=8 occ=50], 10-30 gemm [blocks=2 warps=8 occ=20 computed_for_zero], 30-60 relu [blocks=1 warps=4 computed], 60-70 gelu [occ=25 computed]
  )");
  const Report report = run_view(profile, "kernels", {{"group_by", "call"}});
  EXPECT_EQ(rows_text(report, "kernels", {"name", "blocks_per_sm", "warps_per_sm", "occupancy", "fill_source"}),
            "relu 1 4 - computed\ngemm 2 8 20 computed; the file says 0\ngemm 2 8 50 the file\ngelu - - 25 computed\n");
  // gemm: (50 x 10 + 20 x 20) / 30, of two sources.
  EXPECT_EQ(rows_text(run_view(profile, "kernels"), "kernels", {"name", "occupancy", "fill_source"}),
            "gemm 30 -\nrelu - computed\ngelu 25 computed\n");
  EXPECT_EQ(
      report.notes.back().text,
      "For 1 kernel the file wrongly states an occupancy of 0; it is computed here from the launch and the properties of the "
      "device. For 1 kernel the file states no occupancy; it is computed here from the launch and the properties of the device. "
      "For 1 kernel blocks and warps per core are computed here from the launch and the properties of the device; the file says "
      "too little to compute the occupancy.");
  EXPECT_EQ(run_view(kernels_training(), "kernels").find_table("kernels")->find("fill_source"), nullptr);
}

// Two ranges of gemm and one of relu: instructions add up, a rate only has a mean. Counters that relu does not have are unknown.
TEST(Kernels, CountersOfRanges) {
  const ProfilePtr profile = text_profile(R"(
    stream 0: 0-10 measured gemm [fact.insts.sum=100 fact.active.pct=50.5], 10-20 measured relu [fact.insts.sum=7], 20-30 measured gemm [fact.insts.sum=300 fact.active.pct=40]
  )");
  EXPECT_FALSE(find_analysis("kernels")->unavailable(*profile).has_value());
  const Report report = run_view(profile, "kernels");
  EXPECT_EQ(report.scope, "3 ranges with counters");
  EXPECT_EQ(rows_text(report, "measurements", {"name", "ranges", "total_insts_sum", "mean_insts_sum", "mean_active_pct"}),
            "gemm 2 400 200 45.25\nrelu 1 7 7 -\n");
  EXPECT_EQ(report.find_table("measurements")->find("total_active_pct"), nullptr);
  EXPECT_EQ(rows_text(run_view(profile, "kernels", {{"group_by", "call"}, {"search", "GEMM"}}), "measurements",
                      {"name", "ranges", "total_insts_sum"}),
            "gemm 1 100\ngemm 1 300\n");
}

}  // namespace
}  // namespace sightline::analyses

// The diff by structure: eager against compiled, two vendors, a fused kernel below one operator, and sums that are those of the
// part.
#include "analyses/diff/diff_structure.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <random>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

const std::vector<std::string> kColumns{"baseline_operators", "compared_operators", "kind", "baseline_device", "compared_device"};

std::string structure(std::string_view before, std::string_view after, std::vector<std::string> columns = kColumns) {
  return rows_text(run_view_of({text_profile(before), text_profile(after)}, "diff"), "structure", columns);
}

// Eager: modules, linear around addmm, gelu, add and a norm. Compiled: one region with the same products and two fused kernels.
// The first product is aten::addmm of [8,4] in both; gelu is between two products; add and the norm are after the last one.
constexpr std::string_view kEager = R"(
  thread 1: 0-100 step 1, 1-90 module Net, 2-20 module A, 3-19 op aten::linear, 4-18 op aten::addmm [shapes=[[8,4]]], 5-6 runtime l [corr=1], 21-30 op aten::gelu, 22-23 runtime l [corr=2], 31-50 module B, 32-48 op aten::linear, 33-47 op aten::addmm [shapes=[[8,2]]], 34-35 runtime l [corr=3], 51-60 op aten::add, 52-53 runtime l [corr=4], 61-70 op aten::native_layer_norm, 62-63 runtime l [corr=5], 95-97 runtime l [corr=6]
  stream 7: 10-17 gemm_a [corr=1], 25-29 gelu [corr=2], 40-46 gemm_b [corr=3], 54-59 add [corr=4], 64-70 norm [corr=5], 97-99 memset fill [corr=6]
)";
constexpr std::string_view kCompiled = R"(
  thread 1: 0-60 step 1, 1-50 op "Torch-Compiled Region: 0/0", 2-8 op aten::addmm [shapes=[[8,4]]], 3-4 runtime l [corr=1], 9-15 op triton_gelu, 10-11 runtime l [corr=2], 16-24 op aten::addmm [shapes=[[8,2]]], 17-18 runtime l [corr=3], 25-33 op triton_add_norm, 26-27 runtime l [corr=4]
  stream 7: 5-11 gemm_c [corr=1], 12-15 triton_gelu [corr=2], 20-26 gemm_b [corr=3], 30-35 triton_add_norm [corr=4]
)";

TEST(DiffStructure, AFusedKernelIsComparedWithWhatItReplaces) {
  // add 5 + norm 6 = 11 against 5; gemm_a 7, gemm_c 6; gelu 4 against 3. Outside: the memset of 2 that the step launched itself.
  EXPECT_EQ(structure(kEager, kCompiled),
            "aten::add + aten::native_layer_norm triton_add_norm replaced 11 5\n"
            "- - not attributed 2 0\n"
            "aten::addmm aten::addmm other kernels 7 6\n"
            "aten::gelu triton_gelu replaced 4 3\n"
            "aten::addmm aten::addmm same kernels 6 6\n");
  EXPECT_EQ(structure(kEager, kCompiled, {"shapes", "baseline_kernels", "compared_kernels", "baseline_work", "compared_calls"}),
            "- norm + add triton_add_norm 2 1\n"
            "- fill - 1 0\n"
            "[[8,4]] gemm_a gemm_c 1 1\n"
            "- gelu triton_gelu 1 1\n"
            "[[8,2]] gemm_b gemm_b 1 1\n");
}

// The other way round the same rows correspond.
TEST(DiffStructure, TheDirectionDoesNotMatter) {
  EXPECT_EQ(
      structure(kCompiled, kEager, {"compared_operators", "baseline_operators", "kind", "compared_device", "baseline_device"}),
      structure(kEager, kCompiled));
}

// One vendor's library launches two kernels below an operator of its own, inside the framework's.
TEST(DiffStructure, KernelsBelowOneOperatorAndShapeAreCompared) {
  EXPECT_EQ(
      structure("thread 1: 0-20 op aten::mm [shapes=[[2,3]]], 1-2 runtime l [corr=1], 30-40 op aten::mm [shapes=[[4,3]]], "
                "31-32 runtime l [corr=2]\nstream 7: 5-15 nv_a [corr=1], 35-39 nv_b [corr=2]",
                "thread 1: 0-20 op aten::mm [shapes=[[2,3]]], 1-10 op lib::mm, 2-3 runtime l [corr=1], 4-5 runtime l [corr=2], "
                "30-40 op aten::mm [shapes=[[4,3]]], 31-32 runtime l [corr=3]\n"
                "stream 7: 5-9 amd_a [corr=1], 10-13 amd_b [corr=2], 35-39 amd_c [corr=3]",
                {"baseline_operators", "compared_operators", "kind", "inside", "baseline_device", "compared_device"}),
      "aten::mm lib::mm replaced aten::mm 10 7\naten::mm aten::mm other kernels - 4 4\n");
}

// Shapes come before order: the second call of the baseline corresponds to the only one of the other.
TEST(DiffStructure, EqualShapesMatchFirst) {
  EXPECT_EQ(
      structure("thread 1: 0-9 op a [shapes=[[1]]], 1-2 runtime l [corr=1], 10-19 op a [shapes=[[2]]], 11-12 runtime l [corr=2]\n"
                "stream 7: 3-5 k [corr=1], 13-18 k [corr=2]",
                "thread 1: 0-9 op a [shapes=[[2]]], 1-2 runtime l [corr=1]\nstream 7: 3-7 k [corr=1]",
                {"baseline_operators", "compared_operators", "kind", "shapes", "baseline_device", "compared_device"}),
      "a - only in the baseline [[1]] 2 0\na a same kernels [[2]] 5 4\n");
  // No equal shapes: by name, and both shapes are shown.
  EXPECT_EQ(structure("thread 1: 0-9 op a [shapes=[[1]]], 1-2 runtime l [corr=1]\nstream 7: 3-5 k [corr=1]",
                      "thread 1: 0-9 op a [shapes=[[2]]], 1-2 runtime l [corr=1]\nstream 7: 3-7 k [corr=1]", {"kind", "shapes"}),
            "same kernels [[1]] / [[2]]\n");
}

// ---- sums ----

std::string random_ranges(std::mt19937& random, Time start, Time end, int depth, Time& launch) {
  static constexpr std::array<std::string_view, 6> kKinds{"op a", "op b", "op c", "module m", "module n", "annotation x"};
  std::string line;
  for (Time at = start; at + 6 < end && depth < 4;) {
    const Time from = at + static_cast<Time>(random() % 5);
    const Time to = std::min(end, from + 4 + static_cast<Time>(random() % 40));
    line += fmt::format(", {}-{} {}", from, to, kKinds[random() % kKinds.size()]);
    if (random() % 2 == 0) line += fmt::format(", {}-{} runtime l [corr={}]", from + 1, from + 2, ++launch);
    line += random_ranges(random, from + 2, to, depth + 1, launch);
    at = to;
  }
  return line;
}

ProfilePtr random_launching_run(std::mt19937& random) {
  Time launch = 0;
  std::string host = "thread 1: 600-601 op last";
  for (Time step = 0; step < 2; ++step) {
    if (random() % 4 != 0) host += fmt::format(", {}-{} step {}", 300 * step, 300 * step + 290, step);
    host += random_ranges(random, 300 * step, 300 * step + 290, 0, launch);
  }
  std::string device = "stream 7: 700-703 nobody";
  for (Time i = 1; i <= launch; ++i)
    device += fmt::format(", {}-{} k{} [corr={}]", 800 + 10 * i, 801 + 10 * i + static_cast<Time>(random() % 9), random() % 3, i);
  return text_profile(host + "\n" + device);
}

Time device_time(const Profile& profile) {
  Time sum = 0;
  for (Row i = 0; i < profile.device_work.rows(); ++i) sum += profile.slices.duration[profile.device_work.slice[i]];
  return sum;
}

void expect_sums(const std::vector<StructurePair>& pairs, const OnBothSides<Time>& sums) {
  for (std::size_t side = 0; side < 2; ++side) {
    Time sum = 0;
    for (const StructurePair& pair : pairs) sum += pair.device[side];
    EXPECT_EQ(sum, sums[side]);
  }
}

// Of the whole the rows add up to all device time; of a step and of each part in it, to the device time in the table of parts.
TEST(DiffStructure, RowsAddUpToThePart) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const ProfilePtr before = random_launching_run(random), after = random_launching_run(random);
    const DiffTree tree(before, after);
    expect_sums(structure_pairs(tree, tree.whole()), {device_time(*before), device_time(*after)});
    const auto parts = tree.parts(tree.whole());
    const auto costs = part_costs(tree, parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      expect_sums(structure_pairs(tree, parts[i]), {costs[i][kBaseline].device, costs[i][kCompared].device});
      const auto inner = tree.parts(parts[i]);
      const auto inner_costs = part_costs(tree, inner);
      for (std::size_t j = 0; j < inner.size(); ++j)
        expect_sums(structure_pairs(tree, inner[j]), {inner_costs[j][kBaseline].device, inner_costs[j][kCompared].device});
    }
  }
}

TEST(DiffStructure, ARunHasTheStructureOfItself) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    const ProfilePtr profile = random_launching_run(random);
    const DiffTree tree(profile, profile);
    for (const StructurePair& pair : structure_pairs(tree, tree.whole())) {
      EXPECT_TRUE(pair.kind == StructureKind::same_kernels || pair.kind == StructureKind::no_operator);
      EXPECT_EQ(pair.device[kBaseline], pair.device[kCompared]);
      EXPECT_EQ(pair.calls[kBaseline], pair.calls[kCompared]);
      EXPECT_EQ(pair.kernels[kBaseline], pair.kernels[kCompared]);
    }
  }
}

// A chain of ranges that only one profile has, far deeper than ranges are opened one level at a time.
TEST(DiffStructure, DeepRangesWithoutAMatch) {
  std::string chain = "thread 1: 0-1000 op r0";
  for (int i = 1; i < 200; ++i) chain += fmt::format(", {}-{} op r{}", i, 1000 - i, i);
  chain += ", 400-401 runtime l [corr=1]\nstream 7: 410-430 k [corr=1]";
  EXPECT_EQ(structure(chain, "thread 1: 0-9 op z, 1-2 runtime l [corr=1]\nstream 7: 3-8 k [corr=1]"), "r199 z replaced 20 5\n");
}

}  // namespace
}  // namespace sightline::analyses

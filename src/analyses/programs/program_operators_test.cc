// Operators of compiled programs, by hand: framework and HLO operators, the hierarchy, sums of slices and of the file.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// A program on two devices: a loop that encloses a matrix product, and a fusion of two.
std::unique_ptr<Profile> program() {
  return parse_text_profile(R"(
    device 0: chip
    device 1: chip
    program train: while.1 [op=while category=control], dot.2 [op=dot category=matrix framework=Net/Linear[a]/dot flops=400 bytes=10 source=net.py:3 shape=f32[2,3]], fusion.3 [op=fusion category=loop framework=Net/relu bytes=20], max.4 [op=maximum into=fusion.3 framework=Net/relu], add.5 [op=add into=fusion.3 framework=Net/Linear[a]/add]
    stream 1: 0-100 loop [does=while.1], 10-40 dot [does=dot.2], 50-60 dot [does=dot.2], 100-120 fused [does=fusion.3]
    stream 1 of 1: 0-30 dot [does=dot.2]
  )");
}

ProfilePtr with_peaks() {
  auto profile = program();
  profile->devices.peak_flops[0] = 40e9;     // 40 a ns
  profile->devices.peak_bandwidth[0] = 2e9;  // 2 a ns
  return profile;
}

TEST(ProgramOperators, AnAmbiguousNameHasItsProgram) {
  const auto shown = [](std::string_view text) {
    const Report report = run_view(text_profile(text), "program_operators");
    const ReportTable& table = *report.find_table("program_operators");
    return std::pair(!table.find("program")->hidden, !table.find("program_id")->hidden);
  };
  EXPECT_EQ(shown("program f: a [id=1], b [id=1]\nran a: 0 - 1 10\nran b: 0 - 1 10"), std::pair(false, false));
  EXPECT_EQ(shown("program f: a [id=1]\nprogram g: b [id=2]\nran a: 0 - 1 10\nran b: 0 - 1 10"), std::pair(true, false));
  EXPECT_EQ(shown("program f: a [id=1]\nprogram f: b [id=2]\nran a: 0 - 1 10\nran b: 0 - 1 10"), std::pair(true, true));
}

TEST(ProgramOperators, TimesLeaveOutNestedOperators) {
  const Report report = run_view(program(), "program_operators");
  // while.1 lasts 100, of which dot.2 takes 30 + 10. The shares are of 60 + 40 + 20 + 30 = 150.
  EXPECT_EQ(rows_text(report, "program_operators", {"name", "calls", "device", "time", "share", "total", "mean", "max", "fused"}),
            "while.1 1 0 60 0.4 100 60 100 0\n"
            "dot.2 2 0 40 0.266667 40 20 30 0\n"
            "dot.2 1 1 30 0.2 30 30 30 0\n"
            "fusion.3 1 0 20 0.133333 20 20 20 2\n");
  EXPECT_EQ(rows_text(report, "program_operators", {"name", "opcode", "category", "shape", "framework", "source", "program"}),
            "while.1 while control - - - train\n"
            "dot.2 dot matrix f32[2,3] Net/Linear[a]/dot net.py:3 train\n"
            "dot.2 dot matrix f32[2,3] Net/Linear[a]/dot net.py:3 train\n"
            "fusion.3 fusion loop - Net/relu - train\n");
  EXPECT_EQ(rows_text(report, "places", {"place", "time", "share", "value"}), "Device 0 120 0.8 0\nDevice 1 30 0.2 1\n");
  EXPECT_EQ(rows_text(report, "shares", {"name", "time"}), "while.1 60\ndot.2 70\nfusion.3 20\n");
  EXPECT_EQ(rows_text(report, "categories", {"name", "time"}), "control 60\nmatrix 70\nloop 20\n");
  EXPECT_FALSE(report.find_table("program_operators")->find("total")->hidden);
  EXPECT_TRUE(report.find_table("program_operators")->find("core")->hidden);
  EXPECT_EQ(report.scope, "3 operators");
}

TEST(ProgramOperators, CostsReferToTheTimeOfKnownExecutions) {
  // dot.2 on device 0: 2 x 400 operations and 2 x 10 bytes in 40 ns: 20 of 40 operations a ns, 0.5 of 2 bytes a ns.
  // fusion.3: 20 bytes in 20 ns, 1 of 2. Device 1 states no peaks.
  EXPECT_EQ(rows_text(run_view(with_peaks(), "program_operators"), "program_operators",
                      {"name", "flops", "bytes", "flop_rate", "bandwidth", "utilization", "wasted"}),
            "while.1 - - - - - -\n"
            "dot.2 800 20 20000000000 500000000 0.5 20\n"
            "dot.2 400 10 13333333333.333334 333333333.333333 - -\n"
            "fusion.3 - 20 - 1000000000 0.5 10\n");
}

TEST(ProgramOperators, ARateIsOverTheTimeOfItsRow) {
  // All of Net: dot.2's 1,200 operations, in 40 + 30 ns of it and 20 ns of fusion.3, of which no operations are known.
  const std::string rows =
      rows_text(run_view(with_peaks(), "operator_hierarchy"), "hierarchy", {"name", "time", "flops", "flop_rate"});
  EXPECT_NE(rows.find("Net 90 1200 13333333333.333334\n"), std::string::npos) << rows;
}

TEST(ProgramOperators, OnlyTheRequestedRows) {
  const auto names = [&](std::string_view key, std::string_view value) {
    return rows_text(run_view(program(), "program_operators", {{std::string(key), std::string(value)}}), "program_operators",
                     {"name", "time", "share"});
  };
  EXPECT_EQ(names("device", "1"), "dot.2 30 1\n");
  EXPECT_EQ(names("category", "loop"), "fusion.3 20 1\n");
  EXPECT_EQ(names("framework", "Net/relu"), "fusion.3 20 1\n");
  EXPECT_EQ(names("search", "WHILE"), "while.1 60 1\n");
  EXPECT_EQ(names("program", "other"), "");
  EXPECT_THROW(names("device", "7"), std::invalid_argument);
}

TEST(ProgramOperators, ASingleChoiceIsNotShown) {
  const ProfilePtr one = text_profile("program p: a\nstream 1: 0-9 k [does=a]");
  const auto choices = [&](const ProfilePtr& profile, std::size_t parameter, const std::string& device) {
    return run_view(profile, "program_operators", {{"device", device}}).parameters[parameter].choices.size();
  };
  EXPECT_EQ(run_view(one, "program_operators").find_table("places"), nullptr);
  EXPECT_EQ(choices(one, 0, ""), 1u);
  EXPECT_EQ(choices(one, 2, ""), 1u);   // program
  EXPECT_EQ(choices(one, 0, "0"), 2u);  // the chosen one is there
  EXPECT_EQ(choices(program(), 0, ""), 3u);
}

// Step 1: fusion.3 once and dot.2 nested in while.1, all begun in its window. Step 2: dot.2, launched there, which runs late.
ProfilePtr stepped() {
  return text_profile(R"(
    program train: while.1 [category=control], dot.2 [category=matrix framework=Net/dot], fusion.3 [category=loop framework=Net/relu], dot.2 [into=fusion.3]
    thread 1: 0-100 step 1, 100-200 step 2, 150-160 runtime launch [corr=1]
    stream 1: 0-50 loop [does=while.1], 10-40 dot [does=dot.2], 60-80 fused [does=fusion.3], 230-240 dot [does=dot.2 corr=1]
  )");
}

TEST(ProgramOperators, OfOneStep) {
  const auto rows = [](std::string_view view, std::string_view table, std::vector<std::string> columns, std::string_view step) {
    return rows_text(run_view(stepped(), view, {{"step", std::string(step)}}), table, columns);
  };
  const auto operators = [&](std::string_view step) {
    return rows("program_operators", "program_operators", {"name", "calls", "time", "share"}, step);
  };
  // 50 - 30 of the loop, 30 of the product in it, 20 of the fusion: 70. In step 2 nothing but the product.
  EXPECT_EQ(operators(""), "dot.2 2 40 0.5\nwhile.1 1 20 0.25\nfusion.3 1 20 0.25\n");
  EXPECT_EQ(operators("1"), "dot.2 1 30 0.428571\nwhile.1 1 20 0.285714\nfusion.3 1 20 0.285714\n");
  EXPECT_EQ(operators("2"), "dot.2 1 10 1\n");
  EXPECT_EQ(rows("framework_operators", "framework_operators", {"name", "time"}, "2"), "Net/dot 10\n");
  EXPECT_EQ(rows("operator_hierarchy", "hierarchy", {"name", "time"}, "2"), "Net 10\ndot 10\ndot.2 10\n");
  const auto elsewhere = [&](std::string_view step) {
    const auto given = std::vector<std::pair<std::string, std::string>>{{"operator", "2"}, {"step", std::string(step)}};
    return rows_text(run_view(stepped(), "fused_operators", given), "fused_operators", {"name", "elsewhere"});
  };
  EXPECT_EQ(elsewhere(""), "dot.2 40\n");
  EXPECT_EQ(elsewhere("2"), "dot.2 10\n");
  EXPECT_THROW(operators("7"), std::invalid_argument);
  EXPECT_EQ(run_view(stepped(), "program_operators", {{"step", "2"}}).scope, "1 operator, step 2");
}

TEST(ProgramOperators, WaitingIsNotWork) {
  const ProfilePtr profile = text_profile(R"(
    program p: dot
    engine Tensor: 0-10 MATMUL [does=dot], 10-90 sync WAIT [does=dot]
  )");
  EXPECT_EQ(rows_text(run_view(profile, "program_operators"), "program_operators", {"name", "calls", "time"}), "dot 1 10\n");
  EXPECT_EQ(rows_text(run_view(profile, "range"), "operators", {"name", "count", "total"}), "dot 1 10\n");
}

TEST(ProgramOperators, SumsOfTheFileBelongToNoStep) {
  const auto text = [](std::string_view more) {
    return text_profile("program p: dot\nthread 1: 0-10 step 1, 10-20 step 2\nran dot: 0 0 2 30\n" + std::string(more));
  };
  const Report alone = run_view(text(""), "program_operators", {{"step", "1"}});
  EXPECT_EQ(rows_text(alone, "program_operators", {"name", "time"}), "dot 30\n");
  EXPECT_EQ(alone.notes.front().level, Note::Level::warning);
  const Report both = run_view(text("stream 1: 3-7 dot [does=dot]"), "program_operators", {{"step", "1"}});
  EXPECT_EQ(rows_text(both, "program_operators", {"name", "time"}), "dot 4\n");
}

TEST(ProgramOperators, MembersOfAFusion) {
  EXPECT_EQ(rows_text(run_view(program(), "fused_operators", {{"operator", "2"}}), "fused_operators",
                      {"name", "opcode", "framework", "elsewhere"}),
            "max.4 maximum Net/relu -\nadd.5 add Net/Linear[a]/add -\n");
  EXPECT_THROW(run_view(program(), "fused_operators", {{"operator", "9"}}), std::invalid_argument);
}

TEST(ProgramOperators, AMemberOfAFusionMayRunElsewhere) {
  const ProfilePtr profile = text_profile(R"(
    program p: fused_1, dot, dot [into=fused_1], add [into=fused_1]
    ran fused_1: 0 0 1 10
    ran dot: 0 0 2 30
  )");
  EXPECT_EQ(rows_text(run_view(profile, "fused_operators"), "fused_operators", {"name", "elsewhere"}), "dot 30\nadd -\n");
}

TEST(ProgramOperators, AMemberOfAFusionMayRunMeanwhile) {
  const ProfilePtr profile = text_profile(R"(
    program p: fused_1, dot, dot [into=fused_1], add [into=fused_1]
    stream 1: 0-100 f [does=fused_1], 200-250 f [does=fused_1]
    stream 2: 90-220 d [does=dot]
  )");
  // 90-100 and 200-220.
  EXPECT_EQ(rows_text(run_view(profile, "fused_operators"), "fused_operators", {"name", "elsewhere", "overlap"}),
            "dot 130 30\nadd - -\n");
}

// Files of a vendor's TensorBoard plugin: both kinds of operators, of two cores, as sums.
ProfilePtr stated() {
  return text_profile(R"(
    words NeuronDevice, Tensor engines, NeuronCore
    program -: fused_3, input.1, - [framework=NN[model]/input], - [framework=NN[model]/Linear[a]/dot]
    ran fused_3: 0 0 2 60, 0 1 1 20
    ran input.1: 0 0 1 20
    ran NN[model]/input: 0 0 1 20
    ran NN[model]/Linear[a]/dot: 0 0 2 60, 0 1 - 20
  )");
}

TEST(FrameworkOperators, AsTheFileStatesThem) {
  const Report report = run_view(stated(), "framework_operators");
  EXPECT_EQ(rows_text(report, "framework_operators",
                      {"name", "calls", "device", "core", "time", "share", "mean", "total", "operators"}),
            "NN[model]/Linear[a]/dot 2 0 0 60 0.6 30 - -\n"
            "NN[model]/input 1 0 0 20 0.2 20 - -\n"
            "NN[model]/Linear[a]/dot - 0 1 20 0.2 - - -\n");
  EXPECT_EQ(rows_text(report, "shares", {"name", "time", "share"}), "NN[model]/Linear[a]/dot 80 0.8\nNN[model]/input 20 0.2\n");
  EXPECT_EQ(rows_text(report, "places", {"place", "time", "value"}),
            "NeuronDevice 0 NeuronCore 0 80 0/0\nNeuronDevice 0 NeuronCore 1 20 0/1\n");
  const Report of_one = run_view(stated(), "framework_operators", {{"device", "0/1"}});
  EXPECT_EQ(rows_text(of_one, "framework_operators", {"name", "share"}), "NN[model]/Linear[a]/dot 1\n");
  EXPECT_EQ(of_one.find_table("places")->rows(), 2u);  // the other can still be chosen
  EXPECT_EQ(report.notes.size(), 1u);
  EXPECT_TRUE(report.find_table("framework_operators")->row_links.empty());
}

TEST(FrameworkOperators, MembersOfAFusion) {
  const ProfilePtr profile = text_profile(R"(
    program -: - [framework=fused_3], - [framework=NN/input], - [framework=NN/input into=fused_3]
    ran fused_3: 0 0 2 60
    ran NN/input: 0 0 2 60
  )");
  const Report report = run_view(profile, "framework_operators");
  EXPECT_EQ(rows_text(report, "framework_operators", {"name", "fused", "row", "has_fused"}),
            "fused_3 1 0 yes\nNN/input 0 1 no\n");
  EXPECT_EQ(rows_text(run_view(profile, "fused_operators", {{"operator", "0"}}), "fused_operators", {"name", "elsewhere"}),
            "NN/input 60\n");
}

TEST(FrameworkOperators, OperatorsOfAProgramAreNotCountedTwice) {
  EXPECT_EQ(rows_text(run_view(stated(), "program_operators"), "program_operators", {"name", "core", "time"}),
            "fused_3 0 60\nfused_3 1 20\ninput.1 0 20\n");
}

TEST(FrameworkOperators, FromSlices) {
  const Report report = run_view(program(), "framework_operators");
  EXPECT_EQ(rows_text(report, "framework_operators", {"name", "calls", "device", "time", "operators"}),
            "- 1 0 60 1\nNet/Linear[a]/dot 2 0 40 1\nNet/Linear[a]/dot 1 1 30 1\nNet/relu 1 0 20 1\n");
  EXPECT_EQ(report.find_table("framework_operators")->row_links.size(), 2u);
}

TEST(FrameworkOperators, SlicesOrTheFilesOwnSums) {
  const ProfilePtr both = text_profile(R"(
    program p: a [framework=M/a]
    ran a: 0 - 3 90
    stream 1: 0-40 x [does=a]
  )");
  const auto time = [&](const std::string& times) {
    return rows_text(run_view(both, "framework_operators", {{"times", times}}), "framework_operators", {"calls", "time"});
  };
  EXPECT_EQ(time(""), "3 90\n");
  EXPECT_EQ(time("stated"), "3 90\n");
  EXPECT_EQ(time("computed"), "1 40\n");
}

TEST(OperatorHierarchy, ByModule) {
  const Report report = run_view(with_peaks(), "operator_hierarchy");
  EXPECT_EQ(rows_text(report, "hierarchy", {"name", "level", "calls", "time", "share", "parent"}),
            "while.1 operator 1 60 0.4 -\n"
            "Net module 4 90 0.6 -\n"
            "Linear[a] module 3 70 0.466667 1\n"
            "dot framework operator 3 70 0.466667 2\n"
            "dot.2 operator 3 70 0.466667 3\n"
            "relu framework operator 1 20 0.133333 1\n"
            "fusion.3 operator 1 20 0.133333 5\n");
  // Of Net's 90 ns, dot.2 on device 0 wasted 20 of 40 and fusion.3 10 of 20; dot.2 on device 1 (30) cannot be judged.
  EXPECT_EQ(rows_text(report, "hierarchy", {"name", "utilization", "wasted", "wasted_share", "judged"}),
            "while.1 - - - -\n"
            "Net 0.5 30 0.2 0.666667\n"
            "Linear[a] 0.5 20 0.133333 0.571429\n"
            "dot 0.5 20 0.133333 0.571429\n"
            "dot.2 0.5 20 0.133333 0.571429\n"
            "relu 0.5 10 0.066667 1\n"
            "fusion.3 0.5 10 0.066667 1\n");
}

TEST(OperatorHierarchy, ByCategoryAndProgram) {
  const ProfilePtr profile = text_profile(R"(
    program p: a [category=matrix]
    program q: b [category=matrix], c
    stream 1: 0-10 x [does=a], 10-30 y [does=b], 30-35 z [does=c]
  )");
  EXPECT_EQ(
      rows_text(run_view(profile, "operator_hierarchy", {{"by", "category"}}), "hierarchy", {"name", "level", "time", "parent"}),
      "p program 10 -\nmatrix category 10 0\na operator 10 1\n"
      "q program 25 -\nmatrix category 20 3\nb operator 20 4\nc operator 5 3\n");
}

TEST(OperatorHierarchy, OfStatedSums) {
  EXPECT_EQ(rows_text(run_view(stated(), "operator_hierarchy"), "hierarchy", {"name", "level", "calls", "time", "parent"}),
            "NN[model] module - 100 -\n"
            "input framework operator 1 20 0\n"
            "Linear[a] module - 80 0\n"
            "dot framework operator - 80 2\n");
}

// ---- against a slow oracle, on random nesting ----

// Slices of a random tree from `start` to `end`, as lines' pieces; most execute an operator.
void add_random_slices(std::mt19937& dice, Time start, Time end, int depth, std::string& text) {
  while (start < end) {
    const Time length = 1 + static_cast<Time>(dice() % static_cast<unsigned>(end - start));
    text += (text.empty() ? "" : ", ") + std::to_string(start) + "-" + std::to_string(start + length) + " k";
    if (dice() % 4 != 0) text += " [does=op" + std::to_string(dice() % 5) + "]";
    if (depth < 4 && length > 1) add_random_slices(dice, start, start + length - static_cast<Time>(dice() % 2), depth + 1, text);
    start += length + static_cast<Time>(dice() % 4);
  }
}

std::string random_program(unsigned seed) {
  std::mt19937 dice(seed);
  std::string text =
      "program p: op0 [framework=N/a/x category=c], op1 [framework=N/a/y category=d], op2 [framework=N/b/x category=c], op3 "
      "[category=c], op4\n";
  for (const char* lane : {"stream 1", "stream 2", "stream 1 of 1"}) {
    std::string slices;
    add_random_slices(dice, static_cast<Time>(dice() % 10), 200, 0, slices);
    text.append(lane).append(": ").append(slices).append("\n");
  }
  return text;
}

// By operator: its slices' durations less those of the slices with an operator whose nearest such slice around they are.
std::map<std::string, Time> slow_times(const Profile& p) {
  std::map<Row, Row> of_slice;
  for (Row i = 0; i < p.program_work.rows(); ++i) of_slice[p.program_work.slice[i]] = p.program_work.program_operator[i];
  std::map<std::string, Time> times;
  const auto name = [&](Row of) { return std::string(p.text(p.program_operators.name[of])); };
  for (const auto& [slice, of] : of_slice) {
    times[name(of)] += p.slices.duration[slice];
    Row around = p.slices.parent[slice];
    while (around != kNoRow && !of_slice.contains(around)) around = p.slices.parent[around];
    if (around != kNoRow) times[name(of_slice[around])] -= p.slices.duration[slice];
  }
  return times;
}

TEST(ProgramOperators, TimesEqualThoseOfASlowSum) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const ProfilePtr profile = text_profile(random_program(seed));
    const std::map<std::string, Time> slow = slow_times(*profile);
    const Report report = run_view(profile, "program_operators");
    const ReportTable& shares = *report.find_table("shares");
    std::map<std::string, Time> shown;
    for (std::size_t row = 0; row < shares.rows(); ++row)
      shown[cell_text(shares.find("name")->values[row])] = std::get<std::int64_t>(shares.find("time")->values[row]);
    EXPECT_EQ(shown, slow) << seed;
  }
}

TEST(OperatorHierarchy, ARowIsTheSumOfTheRowsInIt) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const ProfilePtr profile = text_profile(random_program(seed));
    Time all = 0;
    for (const auto& [name, time] : slow_times(*profile)) all += time;
    for (const char* by : {"module", "category"}) {
      const Report report = run_view(profile, "operator_hierarchy", {{"by", by}});
      const ReportTable& table = *report.find_table("hierarchy");
      const auto number = [&](const char* column, std::size_t row) {
        const Cell cell = table.find(column)->values[row];
        return is_unknown(cell) ? std::int64_t{-1} : std::get<std::int64_t>(cell);
      };
      std::map<std::int64_t, Time> inside;
      for (std::size_t row = 0; row < table.rows(); ++row) inside[number("parent", row)] += number("time", row);
      EXPECT_EQ(inside[-1], all) << seed;
      for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto sum = inside.find(static_cast<std::int64_t>(row));
        if (sum == inside.end()) continue;
        EXPECT_EQ(sum->second, number("time", row)) << seed << " " << row;
      }
    }
  }
}

TEST(OperatorHierarchy, LeavesOutTheSmallest) {
  const Report report = run_view(program(), "operator_hierarchy", {{"rows", "3"}});
  EXPECT_EQ(rows_text(report, "hierarchy", {"name", "time", "parent"}), "Net 90 -\nLinear[a] 70 0\ndot 70 1\n");
  EXPECT_EQ(report.panels.back().notes.size(), 1u);
}

TEST(ProgramOperators, AreUnavailableWithoutAny) {
  const ProfilePtr none = text_profile("stream 7: 0-10 k");
  for (const char* view : {"program_operators", "framework_operators", "operator_hierarchy", "fused_operators"}) {
    EXPECT_TRUE(find_analysis(view)->unavailable(*none).has_value()) << view;
    EXPECT_FALSE(find_analysis(view)->unavailable(*program()).has_value()) << view;
  }
  EXPECT_TRUE(find_analysis("framework_operators")->unavailable(*text_profile("program p: a\nran a: 0 - 1 1")).has_value());
}

}  // namespace
}  // namespace sightline::analyses

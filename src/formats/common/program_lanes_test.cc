// Lanes derived from program_work, made by hand.
#include "formats/common/program_lanes.h"

#include <gtest/gtest.h>

#include "model/modules.h"
#include "model/profile.h"
#include "tests/support/text_profile.h"

namespace sightline::formats {

using namespace tests;
namespace {

// "process | lane: start-end name, ...", one line per lane that was added.
std::string added(const char* text) {
  auto profile = parse_text_profile(text);
  const std::size_t before = profile->lanes.rows();
  ProfileBuilder builder(*profile);
  add_program_lanes(builder, [](std::int64_t device) { return "chip " + std::to_string(device); });
  EXPECT_EQ(check_profile(*profile), std::vector<std::string>{});
  const Profile& p = *profile;
  std::string shown;
  for (Row lane = static_cast<Row>(before); lane < p.lanes.rows(); ++lane) {
    shown.append(p.text(p.processes.name[p.lanes.process[lane]])).append(" | ").append(p.text(p.lanes.name[lane])).append(":");
    for (Row slice = p.lanes.first[lane]; slice < p.lanes.last[lane]; ++slice) {
      EXPECT_EQ(p.slices.kind[slice], SliceKind::device_annotation);
      shown += " " + std::to_string(p.slices.start[slice]) + "-" + std::to_string(p.end_of(slice)) + " ";
      shown.append(p.text(p.slices.name[slice]));
    }
    shown += "\n";
  }
  return shown;
}

TEST(ProgramLanes, FromModulesToOperators) {
  // Two engines: add.2 runs from within dot.1 until max.3 begins, so that NN was active from 20 to 50 and NN/a until 40.
  EXPECT_EQ(added(R"(
    program p: dot.1 [framework=NN/a/dot], add.2 [framework=NN/a/add], max.3 [framework=NN/b/max]
    stream 1: 0-10 m [does=dot.1], 20-30 m [does=dot.1], 60-70 m [does=dot.1]
    stream 2: 25-40 v [does=add.2], 40-50 v [does=max.3]
    stream 3: 5-8 memcpy load [does=dot.1], 8-9 memcpy other
  )"),
            "chip 0 overview | Compute busy: 0-10 Compute busy 20-50 Compute busy 60-70 Compute busy\n"
            "chip 0 overview | DMA busy: 5-9 DMA busy\n"
            "chip 0 execution | Modules: 0-10 NN 0-10 a 20-50 NN 20-40 a 40-50 b 60-70 NN 60-70 a\n"
            "chip 0 execution | Framework operators: 0-10 dot 20-30 dot 40-50 max 60-70 dot\n"
            "chip 0 execution | Framework operators: 25-40 add\n"
            "chip 0 execution | HLO operators: 0-10 dot.1 20-30 dot.1 40-50 max.3 60-70 dot.1\n"
            "chip 0 execution | HLO operators: 25-40 add.2\n"
            "chip 0 data transfer | Modules: 5-8 NN 5-8 a\n"
            "chip 0 data transfer | Framework operators: 5-8 dot\n"
            "chip 0 data transfer | HLO operators: 5-8 dot.1\n");
}

TEST(ProgramLanes, ASectionPerDeviceAndForWaiting) {
  EXPECT_EQ(added(R"(
    program p: a
    stream 1: 0-10 k [does=a], 10-12 sync wait [does=a]
    stream 1 of 1: 5-6 k [does=a]
    stream 9 of 2: 5-6 k
  )"),
            "chip 0 overview | Compute busy: 0-10 Compute busy\n"
            "chip 0 execution | HLO operators: 0-10 a\n"
            "chip 0 control | HLO operators: 10-12 a\n"
            "chip 1 overview | Compute busy: 5-6 Compute busy\n"
            "chip 1 execution | HLO operators: 5-6 a\n");
}

TEST(ProgramLanes, NoLanesWithoutOperators) { EXPECT_EQ(added("stream 1: 0-10 k"), ""); }

TEST(PathParts, SlashesInBracketsDoNotSeparate) {
  EXPECT_EQ(path_parts("jit(a/b)//NN[x/y]/dot/"), (std::vector<std::string_view>{"jit(a/b)", "NN[x/y]", "dot"}));
  EXPECT_EQ(path_parts("a)/b(c/d"), (std::vector<std::string_view>{"a)", "b(c/d"}));
  EXPECT_EQ(path_parts(""), std::vector<std::string_view>{});
}

}  // namespace
}  // namespace sightline::formats

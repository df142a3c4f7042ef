// check_profile: a sound profile passes, and each way of breaking one is named.
#include "model/check_profile.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "model/unknown_row.h"
#include "tests/support/text_profile.h"

namespace sightline {
namespace {

using Lines = std::vector<std::string>;

// Slices by row: 0 and 1 on the thread (step, launch inside it), 2 on the lane that relieves it, 3 and 4 on the stream.
constexpr std::string_view kProfile = R"(
  device 0: GPU
  thread 1: 0-100 step 5, 10-15 runtime launch [corr=1]
  thread 1+: 50-150 op overlapping
  stream 7: 20-30 kernel gemm [corr=1 fact.waves=2], 40-50 collective ar [coll=all_reduce]
  memory 0: 10 64 64 [thread=1], 20 -64 0 [thread=1]
  held NPU0 PTA: 10 60 100, 20 60 100
  counter Clock: 0 1800, 50 800
  program train: fusion.1 [op=fusion], dot.2 [op=dot into=fusion.1]
  communication ar_1 [start=10 elapsed=5]
  communication ar_2 [start=20 elapsed=5]
  transfer HCCS [of=ar_1 bytes=30 time=40 packets=3x10=40]
  transfer HCCS [of=ar_2 bytes=30 time=40 packets=3x10=40]
)";

// Gives every table a row, each of whose references is a row that exists.
void fill(Profile& p) {
  Profile::visit_tables(p, [](auto& table) {
    if (table.rows() == 0) add_unknown_row(table);
    table.for_each_column([](const ColumnInfo&, auto& column) {
      if constexpr (std::is_same_v<typename std::decay_t<decltype(column)>::value_type, Row>) {
        if (column[0] == kNoRow) column[0] = 0;
      }
    });
  });
}

TEST(CheckProfile, ASoundProfilePasses) { EXPECT_EQ(check_profile(*text_profile(kProfile)), Lines{}); }

TEST(CheckProfile, EveryReferenceIsChecked) {
  Profile p = std::move(*parse_text_profile(kProfile));
  fill(p);
  int references = 0;
  Profile::visit_tables(p, [&](auto& table) {
    table.for_each_column([&](const ColumnInfo& info, auto& column) {
      if constexpr (std::is_same_v<typename std::decay_t<decltype(column)>::value_type, Row>) {
        const Row sound = column[0];
        column[0] = 1000;
        EXPECT_EQ(check_profile(p), Lines{std::string(table.kName) + " row 0: " + std::string(info.name) + " does not exist"});
        column[0] = sound;
        ++references;
      }
    });
  });
  EXPECT_GT(references, 20);
}

TEST(CheckProfile, AReferenceThatMustBeThereIsNotNone) {
  Profile p = std::move(*parse_text_profile(kProfile));
  p.packets.transfer[0] = kNoRow;
  EXPECT_EQ(check_profile(p), Lines{"packets row 0: transfer does not exist"});
  p.packets.transfer[0] = 0;
  p.steps.slice[0] = kNoRow;
  EXPECT_EQ(check_profile(p), Lines{}) << "a step may be known from tables alone";
}

struct Break {
  const char* message;
  std::function<void(Profile&)> apply;
};

class CheckProfileBreaks : public testing::TestWithParam<Break> {};

TEST_P(CheckProfileBreaks, IsNamed) {
  Profile p = std::move(*parse_text_profile(kProfile));
  GetParam().apply(p);
  const Lines broken = check_profile(p);
  ASSERT_FALSE(broken.empty());
  EXPECT_EQ(broken[0], GetParam().message);
}

template <typename Column>
void swap_rows(Column& column) {
  std::swap(column[0], column[1]);
}

INSTANTIATE_TEST_SUITE_P(
    All, CheckProfileBreaks,
    testing::Values(
        Break{"lanes row 5: name has another length than the table", [](Profile& p) { p.lanes.name.push_back(StringId::none); }},
        Break{"slices row 0: name names no string", [](Profile& p) { p.slices.name[0] = static_cast<StringId>(1000); }},
        Break{"lanes row 1: its slices do not follow those of the lane before", [](Profile& p) { p.lanes.first[1] = 1; }},
        Break{"lanes row 0: it relieves a lane that does not come before it", [](Profile& p) { p.lanes.overflow_of[0] = 0; }},
        Break{"lanes row 2: it relieves a lane that relieves another", [](Profile& p) { p.lanes.overflow_of[2] = 1; }},
        Break{"slices row 0: negative duration", [](Profile& p) { p.slices.duration[0] = -1; }},
        Break{"slices row 1: is not inside its parent", [](Profile& p) { p.slices.duration[1] = 500; }},
        Break{"slices row 1: depth is not its parent's plus one", [](Profile& p) { p.slices.depth[1] = 2; }},
        Break{"slices row 4: out of order", [](Profile& p) { p.slices.start[4] = 1; }},
        Break{"device_work row 0: owner and rule disagree", [](Profile& p) { p.device_work.owner[0] = kNoRow; }},
        Break{"device_work row 0: slice is not device work", [](Profile& p) { p.device_work.slice[0] = 0; }},
        Break{"device_work row 1: out of order", [](Profile& p) { p.device_work.slice[1] = p.device_work.slice[0]; }},
        Break{"fine_times row 0: is a ns or more",
              [](Profile& p) {
                p.fine_times.slice.push_back(0);
                p.fine_times.start.push_back(1000);
                p.fine_times.duration.push_back(0);
              }},
        Break{"program_operators row 0: is fused into an operator that does not come before it",
              [](Profile& p) { p.program_operators.fused_into[0] = 1; }},
        Break{"memory_events row 1: out of order", [](Profile& p) { swap_rows(p.memory_events.time); }},
        Break{"memory_usage row 1: out of order", [](Profile& p) { swap_rows(p.memory_usage.time); }},
        Break{"communications row 1: out of order", [](Profile& p) { swap_rows(p.communications.start); }},
        Break{"packets row 1: out of order", [](Profile& p) { swap_rows(p.packets.transfer); }},
        Break{"counters row 1: out of order", [](Profile& p) { swap_rows(p.counters.time); }},
        Break{"profile row 0: the span ends before it starts", [](Profile& p) { p.span_end = p.span_start - 1; }}));

TEST(CheckProfile, RecordsOfAHolderLieTogether) {
  Profile p = std::move(*parse_text_profile("held NPU0 PTA: 10 60 100\nheld NPU0 APP: 10 60 100\nheld NPU0 GE: 20 60 100"));
  EXPECT_EQ(check_profile(p), Lines{});
  p.memory_usage.component[2] = p.memory_usage.component[0];
  EXPECT_EQ(check_profile(p), Lines{"memory_usage row 2: is apart from the others of its device and component"});
}

TEST(CheckProfile, StopsAtTheMostItMayName) {
  Profile p = std::move(*parse_text_profile(kProfile));
  for (Row& lane : p.slices.lane) lane = 1000;
  EXPECT_EQ(check_profile(p, 3).size(), 3u);
}

}  // namespace
}  // namespace sightline

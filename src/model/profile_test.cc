// check_profile: a sound profile passes, and each broken invariant is named.
#include "model/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "model/tables.h"
#include "tests/support/text_profile.h"

namespace sightline::model {

using namespace tests;
namespace {

using Lines = std::vector<std::string>;

// Slices by row: 0 and 1 on the thread (step, launch inside it), 2 on its overflow lane, 3 and 4 on the stream.
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
        EXPECT_EQ(check_profile(p), Lines{std::string(table.kName) + " row 0: " + std::string(info.name) + " is not a row of " +
                                          std::string(table_name(info.reference->to))});
        column[0] = sound;
        ++references;
      }
    });
  });
  EXPECT_GT(references, 20);
}

// Appends copies of the last row, with these values in the column `key`.
template <typename Table, typename Value>
void append_rows(Table& table, std::string_view key, std::initializer_list<Value> values) {
  const std::size_t last = table.rows() - 1;
  for (const Value value : values) {
    table.for_each_column([&](const ColumnInfo& info, auto& column) {
      using Own = typename std::decay_t<decltype(column)>::value_type;
      column.push_back(info.name == key ? static_cast<Own>(value) : Own{column[last]});
    });
  }
}

// Whether the last row of `table` is a problem, for consecutive rows that differ in one key, of type `Value`, and are in the
// order of `sorted`.
template <typename Table, typename Value>
bool is_found(const KeyInfo& key, bool sorted) {
  Profile p = std::move(*parse_text_profile(kProfile));
  fill(p);
  append_rows(p.devices, "", {0});  // keys may refer to two of them
  append_rows(p.launches, "", {0});
  append_rows(p.memory_segments, "", {0});
  constexpr bool kIsRow = std::is_same_v<Value, Row>;
  const auto low = kIsRow ? 0 : static_cast<std::uint32_t>(p.strings.intern("low")),
             high = kIsRow ? 1 : static_cast<std::uint32_t>(p.strings.intern("high"));
  std::string wrong;
  Profile::visit_tables(p, [&](auto& table) {
    if constexpr (std::is_same_v<std::decay_t<decltype(table)>, Table>) {
      if (key.order == Order::grouped) {
        append_rows(
            table, key.column,
            sorted ? std::initializer_list<std::uint32_t>{low, low, high} : std::initializer_list<std::uint32_t>{low, high, low});
        wrong = "is apart from the others of its ";
      } else {
        const bool rises = sorted == (key.order != Order::descending);
        append_rows(table, key.column, rises ? std::initializer_list<int>{0, 1} : std::initializer_list<int>{1, 0});
        wrong = std::string(key.column) + " is out of order";
      }
      wrong = std::string(table.kName) + " row " + std::to_string(table.rows() - 1) + ": " + wrong;
    }
  });
  const Lines broken = check_profile(p, 1000);
  return std::ranges::any_of(broken, [&](const std::string& line) { return line.starts_with(wrong); });
}

TEST(CheckProfile, EveryOrderIsChecked) {
  int orders = 0;
  const Profile none;
  Profile::visit_tables(none, [&](const auto& table) {
    table.for_each_key([&](const KeyInfo& key, const auto& column) {
      using Table = std::decay_t<decltype(table)>;
      using Value = typename std::decay_t<decltype(column)>::value_type;
      EXPECT_TRUE((is_found<Table, Value>(key, false))) << Table::kName << "." << key.column;
      EXPECT_FALSE((is_found<Table, Value>(key, true))) << Table::kName << "." << key.column;
      ++orders;
    });
  });
  EXPECT_GT(orders, 15);
}

TEST(CheckProfile, ARequiredReferenceIsNotMissing) {
  Profile p = std::move(*parse_text_profile(kProfile));
  p.packets.transfer[0] = kNoRow;
  EXPECT_EQ(check_profile(p), Lines{"packets row 0: transfer is not a row of transfers"});
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

INSTANTIATE_TEST_SUITE_P(
    All, CheckProfileBreaks,
    testing::Values(
        Break{"lanes row 5: name has another length than the table", [](Profile& p) { p.lanes.name.push_back(StringId::none); }},
        Break{"slices row 0: name names no string", [](Profile& p) { p.slices.name[0] = static_cast<StringId>(1000); }},
        Break{"lanes row 1: its slices do not follow those of the lane before", [](Profile& p) { p.lanes.first[1] = 1; }},
        Break{"lanes row 0: its main lane does not come before it", [](Profile& p) { p.lanes.overflow_of[0] = 0; }},
        Break{"lanes row 2: its main lane is an overflow lane", [](Profile& p) { p.lanes.overflow_of[2] = 1; }},
        Break{"slices row 0: negative duration", [](Profile& p) { p.slices.duration[0] = -1; }},
        Break{"slices row 1: is not inside its parent", [](Profile& p) { p.slices.duration[1] = 500; }},
        Break{"slices row 1: depth is not its parent's plus one", [](Profile& p) { p.slices.depth[1] = 2; }},
        Break{"slices row 4: start is out of order", [](Profile& p) { p.slices.start[4] = 1; }},
        Break{"device_work row 0: owner and rule disagree", [](Profile& p) { p.device_work.owner[0] = kNoRow; }},
        Break{"device_work row 0: slice is not device work", [](Profile& p) { p.device_work.slice[0] = 0; }},
        Break{"device_work row 1: slice is out of order", [](Profile& p) { p.device_work.slice[1] = p.device_work.slice[0]; }},
        Break{"fine_times row 0: is a ns or more",
              [](Profile& p) {
                p.fine_times.slice.push_back(0);
                p.fine_times.start.push_back(1000);
                p.fine_times.duration.push_back(0);
              }},
        Break{"program_operators row 0: is fused into an operator that does not come before it",
              [](Profile& p) { p.program_operators.fused_into[0] = 1; }},
        Break{"profile row 0: the span ends before it starts", [](Profile& p) { p.span_end = p.span_start - 1; }}));

TEST(CheckProfile, RecordsOfAHolderAreConsecutive) {
  Profile p = std::move(*parse_text_profile("held NPU0 PTA: 10 60 100\nheld NPU0 APP: 10 60 100\nheld NPU0 GE: 20 60 100"));
  EXPECT_EQ(check_profile(p), Lines{});
  p.memory_usage.component[2] = p.memory_usage.component[0];
  EXPECT_EQ(check_profile(p), Lines{"memory_usage row 2: is apart from the others of its device_name and component"});
}

TEST(CheckProfile, NamesNoMoreThanTheLimit) {
  Profile p = std::move(*parse_text_profile(kProfile));
  for (Row& lane : p.slices.lane) lane = 1000;
  EXPECT_EQ(check_profile(p, 3).size(), 3u);
}

}  // namespace

}  // namespace sightline::model

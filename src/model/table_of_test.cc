// Every type of a cell, what it is when unknown, and columns that tables share.
#include "model/table_of.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::model {
namespace {

struct Call {
  std::string name;
  StringId stack;
  std::int64_t time;
  double share;
  Row slice;
  std::optional<bool> eligible;

  bool is_long() const { return time > 10; }
};

ReportColumn column(std::string key) {
  ReportColumn made;
  made.key = std::move(key);
  return made;
}

std::vector<Cell> cells(const ReportTable& table, std::string_view key) {
  std::vector<Cell> all;
  for (const Cell& cell : table.find(key)->values) all.push_back(cell);
  return all;
}

TEST(TableOf, FillsEachColumnWithItsOwnCells) {
  Profile profile;
  const StringId stack = profile.strings.intern("main;run");
  TableOf<Call, Profile, double> table({.key = "calls", .title = "Calls"});
  table.add(column("name"), &Call::name);
  table.add(column("stack"), &Call::stack);
  table.add(column("time").with_bar("part").with_unknown("not timed").hide(), &Call::time);
  table.add(column("share"), &Call::share);
  table.add(column("slice"), &Call::slice);
  table.add(column("eligible"), &Call::eligible);
  table.add(column("is_long"), &Call::is_long);
  table.add(column("part"), [](const Profile&, double all, const Call& call) { return static_cast<double>(call.time) / all; });
  table.add(column("mixed"), [](const Call& call) { return call.time > 10 ? Cell{0.5} : Cell{std::int64_t{2}}; });
  const std::vector<Call> calls{{
                                    "gemm",
                                    stack,
                                    30,
                                    0.5,
                                    7,
                                    true,
                                },
                                {"", StringId::none, kUnknown, std::nan(""), kNoRow, std::nullopt}};

  const ReportTable filled = table.of(profile, 60.0, calls);
  EXPECT_EQ(filled.rows(), 2u);
  EXPECT_EQ(cells(filled, "name"), (std::vector<Cell>{std::string("gemm"), Cell{}}));
  EXPECT_EQ(cells(filled, "stack"), (std::vector<Cell>{std::string("main;run"), Cell{}}));
  EXPECT_EQ(cells(filled, "time"), (std::vector<Cell>{std::int64_t{30}, Cell{}}));
  EXPECT_EQ(cells(filled, "share"), (std::vector<Cell>{0.5, Cell{}}));
  EXPECT_EQ(cells(filled, "slice"), (std::vector<Cell>{std::int64_t{7}, Cell{}}));
  EXPECT_EQ(cells(filled, "eligible"), (std::vector<Cell>{true, Cell{}}));
  EXPECT_EQ(cells(filled, "is_long"), (std::vector<Cell>{true, false}));
  EXPECT_EQ(std::get<double>(cells(filled, "part").front()), 0.5);
  EXPECT_EQ(cells(filled, "mixed"), (std::vector<Cell>{0.5, 2.0}));
  EXPECT_EQ(filled.find("time")->bar, "part");
  EXPECT_EQ(filled.find("time")->unknown, "not timed");
  EXPECT_TRUE(filled.find("time")->hidden);
  EXPECT_EQ(table.blank().rows(), 0u);
  EXPECT_EQ(table.blank().columns.size(), filled.columns.size());
}

TEST(TableOf, TakesTheColumnsThatTablesShareAtTheirPlace) {
  TableOf<std::int64_t> times;
  times.add(column("time"), [](std::int64_t time) { return time; });
  times.add(column("double"), [](std::int64_t time) { return 2 * time; });
  TableOf<Call> table({.key = "calls", .title = "Calls"});
  table.add(column("name"), &Call::name);
  table.add_all(times, &Call::time, [](ReportColumn& each) {
    each.title = "of the call";
    return each.key != "time";
  });
  const std::vector<Call> calls{{"gemm", StringId::none, 30, 0, kNoRow, {}}};
  const ReportTable filled = table.of(calls);
  ASSERT_EQ(filled.columns.size(), 2u);
  EXPECT_EQ(filled.find("time"), nullptr);
  EXPECT_EQ(filled.find("double")->title, "of the call");
  EXPECT_EQ(cells(filled, "double"), (std::vector<Cell>{std::int64_t{60}}));
}

}  // namespace
}  // namespace sightline::model

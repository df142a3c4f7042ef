// Columns of one repeated value, short and long.
#include "model/tables.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::model {

namespace {

TEST(UniformColumn, HasTheSameValueInEveryRow) {
  for (const std::size_t rows : {std::size_t{0}, std::size_t{3}, std::size_t{2'000'003}}) {
    const Column<std::int64_t> column = uniform_column(rows, kUnknown);
    ASSERT_EQ(column.size(), rows);
    for (const std::int64_t value : column) ASSERT_EQ(value, kUnknown);
  }
}

TEST(UniformColumn, CanBeChangedLikeAnyOther) {
  Column<Row> column = uniform_column(std::size_t{3'000'000}, kNoRow);
  column.push_back(5);
  column[7] = 8;
  EXPECT_EQ(column.back(), 5u);
  EXPECT_EQ(column[7], 8u);
  EXPECT_EQ(column[8], kNoRow);
}

// By hand: of three rows the slices and bytes are known, and nothing else.
TEST(UniformColumn, FillsEmptyColumns) {
  DeviceWork work;
  for (const Row slice : {4u, 5u, 6u}) {
    work.slice.push_back(slice);
    work.bytes.push_back(10 * slice);
  }
  fill_unknown_columns(work);
  work.for_each_column([&](const ColumnInfo& info, const auto& column) { EXPECT_EQ(column.size(), 3u) << info.name; });
  EXPECT_EQ(work.bytes[2], 60);
  EXPECT_EQ(work.launch[2], kNoRow);
  EXPECT_EQ(work.registers[0], -1);
  EXPECT_EQ(work.correlation[1], kUnknown);
  EXPECT_EQ(work.grid[1], StringId::none);
  EXPECT_TRUE(std::isnan(work.occupancy[1]));
}

}  // namespace

}  // namespace sightline::model

// Column: works like a vector, and copies borrowed values before it changes them.
#include "model/column.h"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::model {

namespace {

std::vector<int> values(const Column<int>& column) { return {column.begin(), column.end()}; }

TEST(Column, FillsLikeAVector) {
  Column<int> column;
  EXPECT_TRUE(column.empty());
  for (int i = 0; i < 100; ++i) column.push_back(i);
  EXPECT_EQ(column.size(), 100u);
  EXPECT_EQ(column.back(), 99);
  column.resize(3);
  column.resize(5);
  column.resize(6, 7);
  EXPECT_EQ(values(column), (std::vector<int>{0, 1, 2, 0, 0, 7}));
  column.assign(2, 4);
  EXPECT_EQ(values(column), (std::vector<int>{4, 4}));
  column.clear();
  column.resize(4);
  EXPECT_EQ(values(column), (std::vector<int>(4, 0)));
}

// One million rows are long memory.
TEST(Column, KeepsItsValuesWhenItsMemoryIsShared) {
  Column<int> column;
  column.reserve(5'000'000);
  for (int i = 0; i < 1'000'000; ++i) column.push_back(i < 500'000 ? i : -1);
  column.share_repeated(400'000);
  column.push_back(7);
  column.shrink_to_fit();
  EXPECT_EQ(column.capacity(), 1'000'001u);
  column.push_back(8);
  ASSERT_EQ(column.size(), 1'000'002u);
  EXPECT_EQ(column[499'999], 499'999);
  EXPECT_EQ(column[500'000], -1);
  EXPECT_EQ(column[999'999], -1);
  EXPECT_EQ(column[1'000'000], 7);
  EXPECT_EQ(column.back(), 8);
  column.resize(0);
  column.shrink_to_fit();
  EXPECT_EQ(column.capacity(), 0u);
}

TEST(Column, MovesWithItsMemory) {
  Column<int> from;
  from.push_back(5);
  const int* const place = from.data();
  Column<int> to(std::move(from));
  EXPECT_EQ(to.data(), place);
  EXPECT_TRUE(from.empty());  // NOLINT: a column moved from is empty
  from = std::move(to);
  EXPECT_EQ(from.data(), place);
}

TEST(Column, BorrowedValuesAreNeverWrittenTo) {
  const auto memory = std::make_shared<const std::vector<int>>(std::vector<int>{1, 2, 3});
  const auto borrow = [&] { return Column<int>::borrowed(*memory, memory); };
  EXPECT_EQ(borrow().data(), memory->data());
  EXPECT_EQ(memory.use_count(), 1);
  Column<int> pushed = borrow();
  pushed.push_back(4);
  EXPECT_EQ(values(pushed), (std::vector<int>{1, 2, 3, 4}));
  Column<int> cut = borrow();
  cut.resize(2);
  cut[0] = 9;
  EXPECT_EQ(values(cut), (std::vector<int>{9, 2}));
  Column<int> longer = borrow();
  longer.resize(5);
  EXPECT_EQ(values(longer), (std::vector<int>{1, 2, 3, 0, 0}));
  Column<int> same = borrow();
  same.resize(3, 8);
  same[1] = 8;
  EXPECT_EQ(*memory, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(memory.use_count(), 1) << "a copy needs the owner no more";
}

TEST(Column, TheOwnerLivesAsLongAsTheColumn) {
  auto memory = std::make_shared<const std::vector<int>>(std::vector<int>{1, 2, 3});
  const std::weak_ptr<const std::vector<int>> watch = memory;
  Column<int> column = Column<int>::borrowed(*memory, memory);
  memory.reset();
  EXPECT_EQ(column.back(), 3);
  column.clear();
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace sightline::model

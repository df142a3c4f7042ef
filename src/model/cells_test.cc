// Cells read like the equal vector of cells.
#include "model/cells.h"

#include <gtest/gtest.h>

namespace sightline::model {

namespace {

std::vector<Cell> all_of(const Cells& cells) {
  std::vector<Cell> all;
  for (const Cell& cell : cells) all.push_back(cell);
  return all;
}

TEST(Cells, ReturnTheCellsThatWereAdded) {
  const std::vector<std::vector<Cell>> columns{
      {},
      {Cell(), Cell()},
      {Cell(), std::int64_t{3}, Cell(), std::int64_t{-4}},
      {0.5, Cell(), 2.0},
      {Cell(), true, false, Cell()},
      {std::string("a"), std::string("a"), Cell(), std::string(""), std::string("a")},
  };
  for (const std::vector<Cell>& column : columns) {
    const Cells cells = column;
    EXPECT_EQ(cells.size(), column.size());
    EXPECT_EQ(all_of(cells), column);
  }
}

TEST(Cells, IntegersBecomeRealsWhenARealComes) {
  const Cells cells = std::vector<Cell>{std::int64_t{1}, Cell(), 0.5};
  EXPECT_EQ(all_of(cells), (std::vector<Cell>{1.0, Cell(), 0.5}));
}

TEST(Cells, ARepeatedTextIsStoredOnce) {
  Cells cells;
  for (int i = 0; i < 1000; ++i) cells.push_back(std::string("same"));
  EXPECT_EQ(std::get<WordCells>(cells.storage()).words.size(), 1u);
}

TEST(Cells, AnEmptyTextIsUnknownAndAddsNoWord) {
  WordCells texts;
  for (const char* text : {"", "a", "a", "b", "", "b"}) texts.add(text);
  EXPECT_EQ(texts.words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(texts.word, (std::vector<std::uint32_t>{WordCells::kNone, 0, 0, 1, WordCells::kNone, 1}));
}

TEST(Cells, NumbersOfCells) {
  EXPECT_EQ(number_of(Cell{true}), 1);
  EXPECT_EQ(number_of(Cell{std::int64_t{7}}), 7);
  EXPECT_TRUE(number_of(Cell{}) != number_of(Cell{}));
}

}  // namespace
}  // namespace sightline::model

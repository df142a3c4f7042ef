// CsvTable: rows that are read in the buffer against the same rows with every cell quoted, which are read byte by byte.
#include "formats/ascend/csv_table.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/temporary_file.h"

namespace sightline::formats::ascend {

using namespace tests;
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::string& text) {
  const TemporaryFile file(text);
  Result<CsvTable> table = CsvTable::open(file.path());
  EXPECT_TRUE(table.ok());
  Rows rows;
  while (table.ok() && table->next()) {
    std::vector<std::string>& row = rows.emplace_back();
    for (int column = 0; column < 4; ++column) row.emplace_back(table->text(column));
  }
  return rows;
}

TEST(CsvTable, ReadsPlainRowsAsQuotedOnes) {
  std::mt19937 random(11);
  const std::vector<std::string> cells = {"", " ", "7", " 7\t", "a b", "12.5\t", "N/A"};
  for (int round = 0; round < 20; ++round) {
    std::string plain = "A,B,C,D\n", quoted = plain;
    // Long enough to cross a border of blocks of 1 MiB, now and then within a row.
    const int rows = round < 2 ? 120'000 : 50;
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < 4; ++column) {
        std::string cell = cells[random() % cells.size()];
        plain += (column > 0 ? "," : "") + cell;
        quoted += (column > 0 ? ",\"" : "\"") + cell + "\"";
      }
      plain += row % 3 == 0 ? "\r\n" : "\n";
      quoted += row % 3 == 0 ? "\r\n" : "\n";
    }
    ASSERT_EQ(rows_of(plain), rows_of(quoted));
  }
}

TEST(CsvTable, TakesPlainAndQuotedRowsInTurn) {
  EXPECT_EQ(rows_of("A,B,C,D\n1,2,3,4\n\"1,5\",\"a\nb\",\"say \"\"so\"\"\",4\n5,6\n\n7,8,9,10,11\n12,13,14,15"),
            (Rows{{"1", "2", "3", "4"},
                  {"1,5", "a\nb", "say \"so\"", "4"},
                  {"5", "6", "", ""},
                  {"7", "8", "9", "10"},
                  {"12", "13", "14", "15"}}));
}

}  // namespace
}  // namespace sightline::formats::ascend

// Groups of rows: a table written by hand, and a slow grouping of random tables beside the fast one.
#include "engine/row_groups.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <optional>
#include <random>

namespace sightline::engine {

namespace {

ReportColumn column(std::string key, CellType type, std::vector<Cell> values) {
  ReportColumn made;
  made.key = std::move(key);
  made.type = type;
  made.values = std::move(values);
  return made;
}

Cell n(std::int64_t value) { return value; }
Cell t(const char* text) { return std::string(text); }
const Cell kNothing{};

// name  module  stream  total  share
// gemm  a       7       10     0.5
// add   b       7       –      0.25
// gemm  a       7       6      0.15
// copy  –       9       4      0.1
Report kernels() {
  ReportTable table{.key = "kernels", .title = "Kernels", .sort_column = "total"};
  table.columns = {column("name", CellType::text, {t("gemm"), t("add"), t("gemm"), t("copy")}),
                   column("module", CellType::text, {t("a"), t("b"), t("a"), kNothing}),
                   column("stream", CellType::integer, {n(7), n(7), n(7), n(9)}),
                   column("total", CellType::integer, {n(10), kNothing, n(6), n(4)}).with_sums(),
                   column("share", CellType::real, {0.5, 0.25, 0.15, 0.1})};
  table.columns[2].unit = Unit::id;
  Report report{.view = "kernels", .title = "Kernels"};
  report.tables.push_back(std::move(table));
  return report;
}

// "name rows module stream total share" of each group.
std::string groups(const Grouping& grouping) {
  const Result<Report> grouped = grouped_report(kernels(), grouping);
  if (!grouped) return grouped.error().to_string();
  std::string text;
  const ReportTable& table = grouped->tables.front();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const ReportColumn& column : table.columns) {
      const Cell cell = column.values[row];
      const auto* words = std::get_if<std::string>(&cell);
      text += is_unknown(cell) ? "–" : words != nullptr ? *words : fmt::format("{}", number_of(cell));
      text += &column == &table.columns.back() ? "\n" : " ";
    }
  }
  return text;
}

}  // namespace

TEST(RowGroups, AmountsAreSummedAndOtherNumbersAreNot) {
  // gemm: 10 + 6. Its shares have no sum here; those of single rows stay.
  EXPECT_EQ(groups({.column = "name"}),
            "gemm 2 a 7 16 –\n"
            "add 1 b 7 – 0.25\n"
            "copy 1 – 9 4 0.1\n");
  // a: gemm and gemm.
  EXPECT_EQ(groups({.column = "module"}),
            "a 2 gemm 7 16 –\n"
            "b 1 add 7 – 0.25\n"
            "– 1 copy 9 4 0.1\n");
}

TEST(RowGroups, OnlyMatchingRowsAreSummed) {
  EXPECT_EQ(groups({.column = "name", .filter = {.bounds = {{"total", true, 5}, {"total", false, 9}}}}), "gemm 1 a 7 6 0.15\n");
  EXPECT_EQ(groups({.column = "module", .filter = {.contains = "GEMM"}}), "a 2 gemm 7 16 –\n");
  EXPECT_EQ(groups({.column = "name", .filter = {.contains = "nothing"}}), "");
}

TEST(RowGroups, ErrorsListWhatThereIs) {
  EXPECT_EQ(groups({.column = "total"}), "table kernels has no column 'total' of texts to group by; available: name, module");
  EXPECT_EQ(groups({.table = "nope", .column = "name"}), "no table 'nope' in view kernels; available: kernels");
  EXPECT_EQ(groups({.column = "name", .filter = {.bounds = {{"size", true, 5}}}}),
            "no column 'size' in table kernels; available: name, module, stream, total, share");
}

TEST(RowGroups, ASumThatDoesNotFitIsUnknown) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Report report = kernels();
  report.tables[0].columns[3].values = Cells(Cells::Integers{most, 1, most, 4});
  const Result<Report> grouped = grouped_report(report, {.column = "name"});
  ASSERT_TRUE(grouped);
  EXPECT_TRUE(is_unknown(grouped->tables[0].find("total")->values[0]));
  EXPECT_EQ(number_of(grouped->tables[0].find("total")->values[2]), 4);
}

// Each row is added to the sum of its text, one after another.
TEST(RowGroups, EqualsASlowSum) {
  std::mt19937 random(17);
  for (int round = 0; round < 200; ++round) {
    std::vector<Cell> names, totals;
    std::map<std::string, std::pair<std::int64_t, std::optional<std::int64_t>>> expected;
    for (unsigned row = random() % 40; row > 0; --row) {
      const std::string name(random() % 3, 'x');
      names.push_back(name.empty() ? Cell{} : Cell{name});
      totals.push_back(random() % 4 == 0 ? Cell{} : Cell{static_cast<std::int64_t>(random() % 100)});
      auto& [rows, sum] = expected[name];
      ++rows;
      if (!is_unknown(totals.back())) sum = sum.value_or(0) + std::get<std::int64_t>(totals.back());
    }
    Report report{.view = "v", .title = "V"};
    report.tables.push_back({.key = "v", .title = "V"});
    report.tables[0].columns = {column("name", CellType::text, names), column("total", CellType::integer, totals).with_sums()};
    const Result<Report> grouped = grouped_report(report, {.column = "name"});
    ASSERT_TRUE(grouped);
    const ReportTable& table = grouped->tables[0];
    ASSERT_EQ(table.rows(), expected.size());
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const Cell name = table.columns[0].values[row];
      const auto& [rows, sum] = expected.at(is_unknown(name) ? "" : std::get<std::string>(name));
      EXPECT_EQ(number_of(table.columns[1].values[row]), static_cast<double>(rows));
      EXPECT_EQ(table.columns[2].values[row], sum ? Cell{*sum} : Cell{});
    }
  }
}

}  // namespace sightline::engine

// Reports with long tables: what is paged, what charts of shares get instead, and what the shelf keeps.
#include "engine/kept_report.h"

#include <gtest/gtest.h>

#include <numeric>

#include "model/profile.h"
#include "model/table_of.h"

namespace sightline::engine {

namespace {

ReportColumn column(std::string key, CellType type = CellType::integer) {
  ReportColumn made;
  made.key = std::move(key);
  made.type = type;
  return made;
}

const PanelContent kTable = PlainTable{"kernels"};
const PanelContent kShares = BreakdownChart{.table = "kernels", .label = "name", .value = "total"};

// `rows` rows named r0, r1, ... with the values 1, 2, ...; a panel of each kind given.
Report report_of(std::size_t rows, const std::vector<PanelContent>& kinds) {
  Report report{.view = "kernels", .title = "Kernels"};
  TableOf<Row> table({.key = "kernels", .title = "Kernels", .sort_column = "total"});
  table.add(column("name", CellType::text), [](Row row) { return "r" + std::to_string(row); });
  table.add(column("total"), [](Row row) { return std::int64_t{row} + 1; });
  table.add(column("calls"), [](Row) { return std::int64_t{1}; });
  std::vector<Row> numbers(rows);
  std::iota(numbers.begin(), numbers.end(), Row{0});
  report.tables.push_back(table.of(numbers));
  for (const PanelContent& kind : kinds) {
    report.panels.push_back({.id = "panel" + std::to_string(report.panels.size()), .title = "", .content = kind});
  }
  return report;
}

TEST(KeptReport, PagesLongTablesThatNoChartNeedsWhole) {
  const auto paged = [](std::size_t rows, const std::vector<PanelContent>& kinds) {
    const KeptReport kept(report_of(rows, kinds));
    return kept.paged(*kept.report().find_table("kernels"));
  };
  EXPECT_TRUE(paged(kLongTable + 1, {kTable}));
  EXPECT_TRUE(paged(kLongTable + 1, {kTable, kShares}));
  EXPECT_FALSE(paged(kLongTable, {kTable}));
  EXPECT_FALSE(paged(kLongTable + 1, {kTable, LineChart{"kernels"}}));
  EXPECT_FALSE(paged(kLongTable + 1, {TreeTable{"kernels"}}));
}

TEST(KeptReport, AChartOfSharesGetsTheLargestRowsAndTheTotal) {
  const std::size_t rows = kLongTable + 10;
  const KeptReport kept(report_of(rows, {kShares, kTable}));
  const Panel& chart = kept.report().panels.front();
  const ReportTable& top = *kept.report().find_table(chart.table());
  EXPECT_EQ(chart.table(), "kernels_panel0");
  EXPECT_EQ(top.rows(), kFirstRows);
  EXPECT_EQ(top.columns.size(), 2u);
  EXPECT_EQ(top.find("name")->values[0], Cell{"r" + std::to_string(rows - 1)});
  EXPECT_EQ(chart.as<BreakdownChart>()->total, static_cast<double>(rows * (rows + 1) / 2));
  EXPECT_EQ(kept.report().panels.back().table(), "kernels");
}

TEST(ReportCache, KeepsTheLastFewOfAProfile) {
  const ReportCache::Subjects one{std::make_shared<Profile>()};
  const ReportCache::Subjects other{std::make_shared<Profile>()};
  ReportCache shelf;
  const KeptReportPtr kept = shelf.keep(one, "a", report_of(kLongTable + 1, {kTable}));
  EXPECT_EQ(shelf.find(one, "a"), kept);
  EXPECT_EQ(shelf.find(one, "b"), nullptr);
  EXPECT_EQ(shelf.find(other, "a"), nullptr);
  for (const char* question : {"b", "c", "d"}) shelf.keep(one, question, report_of(kLongTable + 1, {kTable}));
  EXPECT_EQ(shelf.find(one, "a"), kept);  // and so the last used
  shelf.keep(one, "e", report_of(kLongTable + 1, {kTable}));
  EXPECT_EQ(shelf.find(one, "a"), kept);
  EXPECT_EQ(shelf.find(one, "b"), nullptr);
}

TEST(ReportCache, KeepsMoreReportsWithoutPages) {
  ReportCache shelf;
  for (int i = 0; i < 33; ++i) shelf.keep({}, std::to_string(i), report_of(5, {kTable}));
  EXPECT_EQ(shelf.find({}, "0"), nullptr);
  EXPECT_NE(shelf.find({}, "1"), nullptr);
  EXPECT_GT(shelf.bytes(), 32 * 5 * std::int64_t{sizeof(std::int64_t)});
  EXPECT_TRUE(shelf.clear());
  EXPECT_EQ(shelf.bytes(), 0);
  EXPECT_FALSE(shelf.clear());
}

TEST(ReportCache, AReportOnTwoProfilesIsDroppedWithEither) {
  auto other = std::make_shared<Profile>();
  ReportCache shelf;
  shelf.keep({other}, "a", report_of(5, {kTable}));
  EXPECT_GT(shelf.bytes(), 0);
  other.reset();
  EXPECT_EQ(shelf.bytes(), 0);
}

}  // namespace
}  // namespace sightline::engine

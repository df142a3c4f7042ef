// Every format of one small report, against text written by hand.
#include "output/report_format.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "engine/kept_report.h"
#include "model/table_of.h"

namespace sightline::output {

namespace {

ReportColumn column(std::string key, std::string title, CellType type, Unit unit, std::vector<Cell> values) {
  ReportColumn made;
  made.key = std::move(key);
  made.title = std::move(title);
  made.type = type;
  made.unit = unit;
  made.values = std::move(values);
  return made;
}

ReportTable kernels() {
  ReportTable table{.key = "kernels", .title = "Kernels"};
  table.columns = {column("name", "Name", CellType::text, Unit::none,
                          {std::string("copy, \"fast\""), std::string("gemm<float>"), std::string("=add\n")}),
                   column("total", "Total", CellType::integer, Unit::ns, {std::int64_t{20'000}, std::int64_t{1'500'000}, Cell()}),
                   column("share", "Share", CellType::real, Unit::share, {0.01, 0.75, Cell()}),
                   column("matrix", "Matrix units", CellType::flag, Unit::none, {false, true, Cell()}),
                   column("row", "Row", CellType::integer, Unit::id, {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}})};
  table.columns[0].role = ColumnRole::label;
  table.columns[0].code = true;
  table.columns[1].bar = "share";
  table.columns[1].unknown = "it did not end";
  table.columns[4].hidden = true;
  table.sort_column = "total";
  return table;
}

Report sample() {
  Report report{.view = "kernels", .title = "Kernels", .scope = "GPU 0"};
  report.notes = {{Note::Level::warning, "1 kernel has no end"}};
  FactSheet facts{{{.label = "Busy", .value = 0.5, .unit = Unit::share},
                   {.label = "Device", .value = std::string("H100")},
                   {.label = "Clock", .value = Cell(), .unit = Unit::none, .doc = "", .unknown = "not recorded"}}};
  report.panels = {
      {.id = "facts", .title = "Facts", .content = std::move(facts)},
      {.id = "by_name", .title = "By name", .content = BreakdownChart{.table = "kernels", .label = "name", .value = "total"}},
      {.id = "list", .title = "All", .content = PlainTable{"kernels"}}};
  report.tables = {kernels()};
  return report;
}

constexpr TextStyle kPlain{.width = 80, .colour = false, .most_rows = 2};

TEST(ReportFormat, Text) {
  EXPECT_EQ(report_text(sample(), kPlain),
            "Kernels - GPU 0\n"
            "warning: 1 kernel has no end\n"
            "\n"
            "Facts\n"
            "Busy    50.0%\n"
            "Device  H100\n"
            "Clock   – (not recorded)\n"
            "\n"
            "All\n"
            "Name          Total (ms)  Share (%)            Matrix units\n"
            "gemm<float>        1.500       75.0  ███████▌  yes\n"
            "copy, \"fast\"       0.020        1.0  ▏         no\n"
            "... 1 row more: --table kernels\n");
}

TEST(ReportFormat, AChartWithoutATablePanelIsWrittenAsWhatItDraws) {
  Report report = sample();
  report.notes.clear();
  report.panels = {report.panels[1]};
  EXPECT_EQ(report_text(report, kPlain),
            "Kernels - GPU 0\n"
            "\n"
            "By name\n"
            "Name          Total (ms)  Share (%)\n"
            "gemm<float>        1.500       98.7  ███████████████████▊\n"
            "copy, \"fast\"       0.020        1.3  ▎\n");
  report.panels[0].as<BreakdownChart>()->top = 1;
  const std::vector<Cell> third{std::string("third"), std::int64_t{480'000}, 0.1, false, std::int64_t{3}};
  for (std::size_t i = 0; i < third.size(); ++i) report.tables[0].columns[i].values.push_back(third[i]);
  EXPECT_EQ(report_markdown(report, 0),
            "# Kernels\n\nGPU 0\n\n## By name\n\n"
            "| Name | Total (ms) | Share (%) |\n| --- | ---: | ---: |\n"
            "| gemm&lt;float&gt; | 1.500 | 75.0 |\n| other (2) | 0.500 | 25.0 |\n\n");
}

TEST(ReportFormat, TextThatIsTooWideGivesUpBarsThenColumns) {
  EXPECT_EQ(table_text(kernels(), {.width = 48, .colour = false, .most_rows = 1}),
            "Name         Total (ms)  Share (%)  Matrix units\n"
            "gemm<float>       1.500       75.0  yes\n"
            "... 2 rows more\n");
  EXPECT_EQ(table_text(kernels(), {.width = 30, .colour = false, .most_rows = 1}),
            "Name         Total (ms)\n"
            "gemm<float>       1.500\n"
            "(too wide for: Share (%), Matrix units)\n"
            "... 2 rows more\n");
}

TEST(ReportFormat, TextCutsLongNames) {
  ReportTable table{.key = "t", .title = "T"};
  table.columns = {column("name", "Name", CellType::text, Unit::none,
                          {std::string("void at::native::vectorized_elementwise_kernel<4, float>(int)")}),
                   column("n", "N", CellType::integer, Unit::count, {std::int64_t{1}})};
  EXPECT_EQ(table_text(table, {.width = 40, .colour = false, .most_rows = 0}),
            "Name                                   N\n"
            "void at::native::vectori… float>(int)  1\n");
}

TEST(ReportFormat, Csv) {
  EXPECT_EQ(table_csv(kernels()),
            "name,total (ns),share (0 to 1),matrix,row\n"
            "\"copy, \"\"fast\"\"\",20000,0.01,false,0\n"
            "gemm<float>,1500000,0.75,true,1\n"
            "\"=add\n\",,,,2\n");
}

TEST(ReportFormat, Markdown) {
  EXPECT_EQ(report_markdown(sample(), 1),
            "# Kernels\n\nGPU 0\n\n> **Warning:** 1 kernel has no end\n\n"
            "## Facts\n\n- Busy: 50.0%\n- Device: H100\n- Clock: – (not recorded)\n\n"
            "## All\n\n"
            "| Name | Total (ms) | Share (%) | Matrix units |\n| --- | ---: | ---: | --- |\n"
            "| gemm&lt;float&gt; | 1.500 | 75.0 | yes |\n\n2 rows more.\n\n");
}

TEST(ReportFormat, Json) {
  EXPECT_EQ(table_json(kernels()),
            R"({"title":"Kernels","rows":3,"sort":{"column":"total","descending":true},"columns":[)"
            R"({"key":"name","title":"Name","unit":"none","type":"text","role":"label","code":true,)"
            R"("values":["copy, \"fast\"","gemm<float>","=add\n"]},)"
            R"({"key":"total","title":"Total","unit":"ns","type":"integer","role":"value","bar":"share",)"
            R"("unknown":"it did not end","values":[20000,1500000,null]},)"
            R"({"key":"share","title":"Share","unit":"share","type":"real","role":"value","values":[0.01,0.75,null]},)"
            R"({"key":"matrix","title":"Matrix units","unit":"none","type":"flag","role":"value",)"
            R"("values":[false,true,null]},)"
            R"({"key":"row","title":"Row","unit":"id","type":"integer","role":"value","hidden":true,)"
            R"("values":[0,1,2]}]})");
}

TEST(ReportFormat, JsonOfPanels) {
  Report report{.view = "v", .title = "T"};
  report.parameters = {
      {.key = "by", .title = "By", .type = ParameterType::choice, .value = "a", .choices = {{"a", "A"}}, .doc = "How"}};
  AdviceList advice;
  advice.items = {{.id = "idle",
                   .severity = Advice::Level::high,
                   .gain = 5000.5,
                   .share = 0.5,
                   .title = "Idle",
                   .evidence = "50%",
                   .brief = "feed it",
                   .action = "Feed it",
                   .link_view = "kernels",
                   .link_title = "Open in Kernels",
                   .link_parameters = {{"group_by", "name"}}}};
  VerdictStrip strip{.table = "bounds", .label = "part", .value = "time", .hue = "hue"};
  strip.items = {{.id = "step", .label = "Step time", .value = "10.0 µs", .note = "mean of 2 steps"},
                 {.id = "bound", .label = "Bound by", .value = "launches"}};
  const BarChart bars{.table = "steps", .x = "step", .series = {"a", "b"}, .stacked = true};
  FactSheet facts;
  facts.facts = {{.label = "n", .value = std::int64_t{3}, .unit = Unit::count}, {.label = "x", .value = Cell()}};
  report.panels = {{.id = "advice", .title = "Advice", .content = advice},
                   {.id = "verdict", .title = "Verdict", .content = strip},
                   {.id = "steps", .title = "Steps", .content = bars},
                   {.id = "facts", .title = "Facts", .content = facts}};
  EXPECT_EQ(report_json(report),
            R"({"view":"v","title":"T","scope":"","notes":[],"parameters":[{"key":"by","title":"By","type":"choice",)"
            R"("value":"a","choices":[{"value":"a","title":"A"}],"doc":"How"}],"panels":[)"
            R"({"kind":"advice","id":"advice","title":"Advice","width":"full","items":[{"id":"idle",)"
            R"("severity":"high","gain":5000.5,"share":0.5,"title":"Idle","evidence":"50%","brief":"feed it","action":"Feed it",)"
            R"("link":{"view":"kernels","title":"Open in Kernels","parameters":{"group_by":"name"}},"doc_url":null}]},)"
            R"({"kind":"verdict","id":"verdict","title":"Verdict","width":"full","items":[)"
            R"({"id":"step","label":"Step time","value":"10.0 µs","note":"mean of 2 steps"},)"
            R"({"id":"bound","label":"Bound by","value":"launches"}],)"
            R"("table":"bounds","label":"part","value":"time","hue":"hue"},)"
            R"({"kind":"bars","id":"steps","title":"Steps","width":"full","table":"steps","x":"step",)"
            R"("series":["a","b"],"stacked":true},)"
            R"({"kind":"facts","id":"facts","title":"Facts","width":"full","facts":[)"
            R"({"label":"n","value":3,"unit":"count","type":"integer"},)"
            R"({"label":"x","value":null,"unit":"none","type":"real"}]}],"tables":{}})");
  const std::string text = *format_report(report, ReportFormat::text, "", kPlain);
  EXPECT_NE(text.find("[high] Idle: at most -5"), std::string::npos) << text;
  EXPECT_NE(text.find("Step time: 10.0 µs (mean of 2 steps) · Bound by: launches\n"), std::string::npos) << text;
  const std::string markdown = *format_report(report, ReportFormat::markdown, "", kPlain);
  EXPECT_NE(markdown.find("- **Idle** (at most -5"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("## Verdict\n\nStep time: 10.0 µs (mean of 2 steps) · Bound by: launches"), std::string::npos)
      << markdown;
}

TEST(ReportFormat, ChoosingATable) {
  Report report = sample();
  EXPECT_EQ(*format_report(report, ReportFormat::csv, "", kPlain), table_csv(kernels()));
  EXPECT_EQ(format_report(report, ReportFormat::json, "nope", kPlain).error().message,
            "no table 'nope' in view kernels; available: kernels");
  report.tables.push_back({.key = "other", .title = "Other"});
  EXPECT_EQ(*format_report(report, ReportFormat::csv, "", kPlain), table_csv(kernels()));
  report.view = "v";
  EXPECT_EQ(format_report(report, ReportFormat::csv, "", kPlain).error().message,
            "CSV holds one table, so name one; view v has: kernels, other");
}

// What there is of a view that the program does not bring along, such as one of a file, only its report tells.
TEST(ReportFormat, TablesAreRefusedWhereNoReportCanHaveThem) {
  const auto refused = [](std::string_view view, ReportFormat format, std::string_view table) {
    const std::optional<Error> error = refuse_table(view, format, table);
    return error ? error->message : "";
  };
  EXPECT_EQ(refused("operators", ReportFormat::csv, ""), "");
  EXPECT_EQ(refused("operators", ReportFormat::text, "operators"), "");
  EXPECT_EQ(refused("operators", ReportFormat::text, "x"), "no table 'x' in view operators; available: operators");
  EXPECT_EQ(refused("timeline", ReportFormat::text, "x"), "no table 'x' in view timeline; available: none");
  EXPECT_NE(refused("overview", ReportFormat::csv, ""), "");
  EXPECT_EQ(refused("overview", ReportFormat::json, ""), "");
  EXPECT_EQ(refused("of_a_file", ReportFormat::csv, "x"), "");
}

TEST(ReportFormat, TreesAreIndentedAndDamagedParentsAreRoots) {
  ReportTable table{.key = "tree", .title = "Tree"};
  table.columns = {
      column("name", "Name", CellType::text, Unit::none,
             {std::string("child"), std::string("root"), std::string("small"), std::string("lost")}),
      column("time", "Time", CellType::integer, Unit::ns, {std::int64_t{5}, std::int64_t{9}, std::int64_t{1}, std::int64_t{7}}),
      column("parent", "Parent", CellType::integer, Unit::id, {std::int64_t{1}, Cell(), std::int64_t{1}, std::int64_t{99}})};
  table.sort_column = "time";
  Report report{.view = "v", .title = "T"};
  report.panels = {{.id = "t", .title = "Modules", .content = TreeTable{"tree", "parent"}}};
  report.tables = {table};
  EXPECT_EQ(report_text(report, {.width = 80, .colour = false, .most_rows = 0}),
            "T\n\nModules\n"
            "Name     Time (ns)\n"
            "root             9\n"
            "  child          5\n"
            "  small          1\n"
            "lost             7\n");
}

TEST(ReportJson, ALongTableIsSentByItsFirstRowsInItsOrder) {
  Report report{.view = "kernels", .title = "Kernels"};
  TableOf<Row> table({.key = "kernels", .title = "Kernels", .sort_column = "total"});
  table.add(column("name", "", CellType::text, Unit::none, {}), [](Row row) { return "r" + std::to_string(row); });
  table.add(column("total", "", CellType::integer, Unit::none, {}), [](Row row) { return std::int64_t{row} + 1; });
  std::vector<Row> numbers(kLongTable + 1);
  std::iota(numbers.begin(), numbers.end(), Row{0});
  report.tables.push_back(table.of(numbers));
  report.panels.push_back({.id = "panel0", .title = "", .content = PlainTable{"kernels"}});
  const std::string json = report_json(KeptReport(std::move(report)));
  EXPECT_NE(json.find("\"rows\":10001,\"paged\":true"), std::string::npos);
  EXPECT_NE(json.find("\"values\":[\"r10000\",\"r9999\","), std::string::npos);
  EXPECT_EQ(json.find("\"r9000\""), std::string::npos);
  EXPECT_NE(json.find("\"r9001\"]"), std::string::npos);
}

}  // namespace
}  // namespace sightline::output

// Headers of views, whole and broken, and the reports that their SQL becomes.
#include "engine/view_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/sql_reports.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_profile.h"

namespace sightline::engine {

using namespace tests;
namespace {

constexpr const char* kWhole = R"(-- Kernels that took long. This line is a remark.
-- id: long_kernels
-- title: Long kernels
-- group: where_time_went
-- doc: Which kernels took long.
-- parameter: least integer 10 "Shortest, ns" "Shorter ones are left out"
-- parameter: search text "" "Search"
-- parameter: by name|stream name "Group by" "What has a row" stream="Stream of a device"
-- parameter: all flag false "All"
-- parameter: until time "" "Until"
-- needs: kernels device_work "no kernels"
-- needs: lanes
-- rows: "kernel" "kernels"
-- panel: breakdown label=name value=total_ns top=5 title="Time" width=half
-- panel: bars x=name y=total_ns,calls stacked
-- panel: table empty="None is as long."
-- column: calls unit=count title="Calls" doc="How often" bar=total_ns
-- column: name words unknown="it has no name"
-- link: "Search on the timeline" timeline search=$name

SELECT name, count(*) AS calls, sum(duration) AS total_ns
FROM kernels
WHERE duration >= $least AND contains(name, $search) AND (start < $until OR $until IS NULL OR $all) AND $by = 'name'
GROUP BY name ORDER BY name -- : no part of the header
)";

constexpr const char* kProfile = R"(
thread 1: 0-5 op f
stream 7: 0-40 kernel gemm, 50-60 kernel add, 70-75 kernel add, 80-90 memcpy HtoD
)";

bool begins_with(const std::string& text, const std::string& with) { return text.starts_with(with); }

TEST(ViewFile, HasWhatItsHeaderDeclares) {
  const Result<ViewFile> view = parse_view_file("long.sql", kWhole);
  ASSERT_TRUE(view) << view.error().to_string();
  EXPECT_EQ(view->id, "long_kernels");
  EXPECT_EQ(view->title, "Long kernels");
  EXPECT_EQ(view->group, ViewGroup::where_time_went);
  EXPECT_EQ(view->doc, "Which kernels took long.");
  ASSERT_EQ(view->parameters.size(), 5u);
  EXPECT_EQ(view->parameters[0].value, "10");
  EXPECT_EQ(view->parameters[0].title, "Shortest, ns");
  EXPECT_EQ(view->parameters[0].doc, "Shorter ones are left out");
  EXPECT_EQ(view->parameters[2].choices.size(), 2u);
  EXPECT_EQ(view->parameters[2].choices[0].title, "name");
  EXPECT_EQ(view->parameters[2].choices[1].value, "stream");
  EXPECT_EQ(view->parameters[2].choices[1].title, "Stream of a device");
  EXPECT_EQ(view->parameters[4].type, ParameterType::time);
  ASSERT_EQ(view->needs.size(), 3u);
  EXPECT_EQ(view->needs[0].reason, "no kernels");
  EXPECT_EQ(view->needs[1].reason, "no kernels");
  EXPECT_EQ(view->needs[2].reason, "");
  ASSERT_EQ(view->panels.size(), 3u);
  EXPECT_EQ(view->panels[0].title, "Time");
  EXPECT_EQ(view->panels[0].as<BreakdownChart>()->top, 5);
  EXPECT_EQ(view->panels[1].as<BarChart>()->series, (std::vector<std::string>{"total_ns", "calls"}));
  EXPECT_TRUE(view->panels[1].as<BarChart>()->stacked);
  EXPECT_EQ(view->panels[2].empty, "None is as long.");
}

// By hand: of at least 10 ns there are gemm (40) and one add (10); the copy is not a kernel.
TEST(ViewFile, RunsAsAReport) {
  const Result<ViewFile> view = parse_view_file("long.sql", kWhole);
  ASSERT_TRUE(view);
  const Result<Report> report = run_view_file(*view, *text_profile(kProfile), Parameters(view->parameters));
  ASSERT_TRUE(report) << report.error().to_string();
  EXPECT_EQ(report->view, "long_kernels");
  EXPECT_EQ(report->scope, "2 kernels");
  ASSERT_EQ(report->tables.size(), 1u);
  const ReportTable& table = report->tables.front();
  EXPECT_EQ(table.key, "long_kernels");
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.columns[0].title, "Name");
  EXPECT_EQ(table.columns[0].words, kAllRows);
  EXPECT_EQ(table.columns[0].unknown, "it has no name");
  EXPECT_EQ(table.columns[1].title, "Calls");
  EXPECT_EQ(table.columns[1].unit, Unit::count);
  EXPECT_EQ(table.columns[1].bar, "total_ns");
  EXPECT_EQ(table.columns[2].title, "Total");
  EXPECT_EQ(table.columns[2].unit, Unit::ns);
  EXPECT_EQ(table.columns[2].values[0], Cell{std::int64_t{10}});
  EXPECT_EQ(table.columns[2].values[1], Cell{std::int64_t{40}});
  ASSERT_EQ(table.row_links.size(), 1u);
  EXPECT_EQ(table.row_links[0].parameters, (LinkParameters{{"search", "$name"}}));
}

// By hand: loss has the points (1, 4), (2, 3) and (3, 2), however its rows are ordered; rate has one without a value, so one
// point is left, which is no curve.
TEST(ViewFile, RepeatsAPanelForEachValue) {
  const Result<ViewFile> view = parse_view_file("logged.sql", R"(-- id: logged
-- title: Logged
-- panel: lines x=number y=value each=name width=third
-- panel: table
SELECT * FROM (VALUES ('loss', 3, 2.0), ('rate', 1, 0.5), ('loss', 1, 4.0), ('rate', 2, NULL), ('loss', 2, 3.0),
                      (NULL, 1, 1.0), (NULL, 2, 1.0)) AS t(name, number, value))");
  ASSERT_TRUE(view) << view.error().to_string();
  const Result<Report> report = run_view_file(*view, Profile{}, Parameters(view->parameters));
  ASSERT_TRUE(report) << report.error().to_string();
  ASSERT_EQ(report->panels.size(), 2u);
  EXPECT_EQ(report->panels[0].title, "loss");
  EXPECT_EQ(report->panels[0].width, "third");
  EXPECT_EQ(report->panels[0].as<LineChart>()->table, "lines_each_1");
  ASSERT_EQ(report->tables.size(), 2u);
  EXPECT_EQ(report->tables[0].key, "logged");
  const ReportTable& curve = report->tables[1];
  EXPECT_EQ(curve.key, "lines_each_1");
  ASSERT_EQ(curve.rows(), 3u);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(number_of(curve.find("number")->values[row]), 1.0 + static_cast<double>(row));
    EXPECT_EQ(number_of(curve.find("value")->values[row]), 4.0 - static_cast<double>(row));
  }
}

TEST(ViewFile, RepeatsAPanelForTheNineLongestCurvesAndSaysSo) {
  const Result<ViewFile> view = parse_view_file("many.sql", R"(-- id: many
-- title: Many
-- panel: lines x=x y=y each=name
SELECT 'n' || n AS name, x, 1 AS y FROM range(12) a(n), range(3) b(x) WHERE x < 2 OR n = 11 ORDER BY n, x)");
  ASSERT_TRUE(view) << view.error().to_string();
  const Result<Report> report = run_view_file(*view, Profile{}, Parameters(view->parameters));
  ASSERT_TRUE(report) << report.error().to_string();
  ASSERT_EQ(report->panels.size(), 9u);
  EXPECT_EQ(report->panels[7].title, "n7");
  EXPECT_EQ(report->panels[8].title, "n11");
  ASSERT_EQ(report->panels[0].notes.size(), 1u);
  EXPECT_EQ(report->panels[0].notes[0].text, "9 of 12 curves are drawn: those with most points.");
}

TEST(ViewFile, BindsEachTypeOfParameter) {
  const Result<ViewFile> view = parse_view_file("long.sql", kWhole);
  ASSERT_TRUE(view);
  const auto rows = [&](const std::string& key, const std::string& value) {
    std::vector<Parameter> given = view->parameters;
    for (Parameter& parameter : given) {
      if (parameter.key == key) parameter.value = value;
    }
    const Result<Report> report = run_view_file(*view, *text_profile(kProfile), Parameters(given));
    return report ? report->scope : report.error().to_string();
  };
  EXPECT_EQ(rows("least", "11"), "1 kernel");
  EXPECT_EQ(rows("search", "ad"), "1 kernel");
  EXPECT_EQ(rows("search", "' OR true; --"), "0 kernels");
  EXPECT_EQ(rows("until", "45"), "1 kernel");
  EXPECT_EQ(rows("by", "stream"), "0 kernels");
}

struct Broken {
  const char* header;
  const char* fault;
};

TEST(ViewFile, ErrorsNameTheLine) {
  const Broken all[] = {
      {"-- id: a", "line 1: the header needs a title"},
      {"-- title: a", "line 1: the header needs an id"},
      {"SELECT 1\n-- id: a\n-- title: a", "line 1: the header needs an id"},
      {"", "line 1: the header needs an id"},
      {"-- id: A b", "line 1: an id is made of a-z"},
      {"-- id: 1a", "line 1: an id is made of a-z"},
      {"-- id: a\n-- id: b", "line 2: 'id' occurs twice"},
      {"-- id:", "line 1: 'id' has no value"},
      {"-- id: a\n\n-- titel: a", "line 3: unknown header line 'titel'; known are: column, doc"},
      {"-- group: there", "line 1: no group 'there'; available: data, fleet, memory, when, where_time_went"},
      {"-- rows: gap", "line 1: write the singular and the plural"},
      {"-- rows: \"gap", "line 1: write the singular and the plural"},
      {"-- needs: slices slice", "line 1: no table 'slice'"},
      {"-- parameter: least integer 1", "line 1: write a parameter as"},
      {"-- parameter: least integer 1 Least", "line 1: write a parameter as"},
      {"-- parameter: least integer 1 \"Least\" \"doc\" more", "line 1: write a parameter as"},
      {"-- parameter: least integer 1 \"Least", "line 1: write a parameter as"},
      {"-- parameter: Least integer 1 \"Least\"", "line 1: a parameter is made of a-z"},
      {"-- parameter: view integer 1 \"Least\"", "line 1: 'view' is reserved"},
      {"-- parameter: a flag true \"A\"\n-- parameter: a flag true \"A\"", "line 2: the parameter 'a' occurs twice"},
      {"-- parameter: a b|c b \"A\" d=\"D\"", "line 1: 'd' is no choice of the parameter 'a'"},
      {"-- parameter: a number 1 \"A\"", "line 1: no type 'number'; available: flag, integer, text, time"},
      {"-- parameter: a integer one \"A\"", "line 1: 'a' must be a whole number, not 'one'"},
      {"-- parameter: a integer 99999999999999999999 \"A\"", "line 1: 'a' must be a whole number"},
      {"-- parameter: a flag yes \"A\"", "line 1: 'a' must be true or false, not 'yes'"},
      {"-- parameter: a x|y z \"A\"", "line 1: 'a' must be one of x, y, not 'z'"},
      {"-- parameter: a time now \"A\"", "line 1: 'a' must be a time in ns"},
      {"-- panel: pie", "line 1: no panel 'pie'; available: bars, breakdown, heatmap, lines, scatter, table"},
      {"-- panel: bars x=a", "line 1: the panel 'bars' needs y=COLUMN"},
      {"-- panel: breakdown label=a value=b top=0", "line 1: top is a number from 1"},
      {"-- panel: bars x=a y=b each=c", "line 1: the panel 'bars' takes no each=c"},
      {"-- panel: lines x=a y=b,c each=d", "line 1: a panel with each= draws one column"},
      {"-- panel: table x=a", "line 1: the panel 'table' takes no x=a"},
      {"-- panel: table width=wide", "line 1: the panel 'table' takes no width=wide"},
      {"-- panel: table title=\"a", "line 1: a quote is not closed"},
      {"-- column: a unit=metres", "line 1: no unit 'metres'; available: bytes"},
      {"-- column: a colour=red", "line 1: a column takes no 'colour'"},
      {"-- column: a doc=\"x", "line 1: a quote is not closed"},
      {"-- link: timeline slice=$slice", "line 1: write a link as"},
  };
  for (const Broken& broken : all) {
    const Result<ViewFile> view = parse_view_file("broken.sql", broken.header);
    ASSERT_FALSE(view) << broken.header;
    EXPECT_PRED2(begins_with, view.error().to_string(), std::string("broken.sql, ") + broken.fault) << broken.header;
  }
}

TEST(ViewFile, ReadsLineEndsOfAnySystem) {
  const Result<ViewFile> view = parse_view_file("a.sql", "-- id: a\r\n-- title: A b\r\n\r\nSELECT 1 AS one\r\n");
  ASSERT_TRUE(view) << view.error().to_string();
  EXPECT_EQ(view->title, "A b");
  EXPECT_EQ(view->panels.size(), 1u);  // a table, where it names none
}

TEST(ViewFile, ErrorsNameThePlaceInTheSql) {
  const std::string head = "-- id: a\n-- title: A\n-- parameter: least integer 1 \"Least\"\n";
  const auto fault = [&](const std::string& more) -> std::string {
    const Result<ViewFile> view = parse_view_file("a.sql", head + more);
    if (!view) return view.error().to_string();
    const Result<Report> report = run_view_file(*view, *text_profile(kProfile), Parameters(view->parameters));
    return report ? std::string("none") : report.error().to_string();
  };
  EXPECT_EQ(fault("SELECT $least AS one"), "none");
  EXPECT_PRED2(begins_with, fault("SELECT 1,\n  $most"), "a.sql, line 5, column 3: unknown parameter '$most'; declared: least");
  EXPECT_PRED2(begins_with, fault("SELECT $least\nFROM nowhere"), "a.sql, line 5, column 6: T");
  EXPECT_PRED2(begins_with, fault("SELECT $least, nothing\nFROM slices"), "a.sql, line 4, column 16: R");
  EXPECT_PRED2(begins_with, fault("SELEC 1"), "a.sql, line 4, column 1: ");
  EXPECT_PRED2(begins_with, fault("SELECT 1; SELECT 2"), "a.sql, line 4, column 11: ");
  EXPECT_EQ(fault(""), "a.sql: the query is empty: write a SELECT");
  EXPECT_PRED2(begins_with, fault("DELETE FROM slices"), "a.sql: ");
  EXPECT_EQ(fault("-- panel: bars x=a y=b\nSELECT 1 AS a"), "a.sql, line 4: the answer has no column 'b'; it has: a");
  EXPECT_EQ(fault("-- column: b title=\"B\"\nSELECT 1 AS a"), "a.sql, line 4: the answer has no column 'b'; it has: a");
  EXPECT_EQ(fault("-- link: \"L\" timeline slice=$b\nSELECT 1 AS a"), "a.sql, line 4: the answer has no column 'b'; it has: a");
}

// ---- folders ----

const Analysis& view_called(const Views& views, const std::string& id) {
  for (const Analysis& view : views.all) {
    if (view.id == id) return view;
  }
  ADD_FAILURE() << "no view " << id;
  return views.all.front();
}

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

TEST(SqlViews, FilesOfAFolderAreViews) {
  const TemporaryFolder folder;
  ::setenv("XDG_CONFIG_HOME", (folder.path() + "/none").c_str(), 1);
  write(folder.path() + "/good.sql", "-- id: good\n-- title: Good\n-- needs: memory_events\nSELECT 1 AS one");
  write(folder.path() + "/twin.sql", "-- id: good\n-- title: Twin\nSELECT 1 AS one");
  write(folder.path() + "/overview.sql", "-- id: overview\n-- title: Mine\nSELECT 1 AS one");
  write(folder.path() + "/astray.sql", "-- id: astray\n-- title: Astray\n-- link: \"L\" nowhere a=1\nSELECT 1 AS one");
  write(folder.path() + "/wrong.sql", "-- id: wrong\n-- title: Wrong\nSELECT one FROM nowhere");
  write(folder.path() + "/notes.txt", "no view");
  const Result<Views> views = all_views(folder.path(), true);
  ASSERT_TRUE(views) << views.error().to_string();
  EXPECT_EQ(views->all.size(), built_in_views().size() + 5);
  ASSERT_EQ(views->faults.size(), 4u);
  EXPECT_NE(views->faults[0].find("astray.sql, line 3: a link names an unknown view 'nowhere'"), std::string::npos);
  EXPECT_NE(views->faults[1].find("overview.sql: a view 'overview'"), std::string::npos);
  EXPECT_NE(views->faults[2].find("twin.sql: a view 'good'"), std::string::npos);
  EXPECT_NE(views->faults[3].find("wrong.sql, line 3, column 17: "), std::string::npos);

  const Profile nothing;
  EXPECT_EQ(view_called(*views, "good").unavailable(nothing), "this profile has no rows in the table memory_events");
  EXPECT_EQ(view_called(*views, "wrong").unavailable(nothing), views->faults[3]);
  EXPECT_EQ(view_called(*views, "overview").title, "Overview");
  EXPECT_EQ(view_called(*views, "overview_2").unavailable(nothing), views->faults[1]);
  const Parameters none({});
  EXPECT_FALSE(view_called(*views, "wrong").run({.profiles = {}, .parameters = none}));
}

TEST(SqlViews, AMissingFolderIsAnError) {
  const TemporaryFolder folder;
  EXPECT_EQ(all_views(folder.path() + "/nowhere", false).error().code, ErrorCode::not_found);
}

// Each says at least as much as nothing, of a profile without a row.
TEST(SqlViews, TheBuiltInViewsRun) {
  for (const Analysis& view : built_in_views().subspan(all_analyses().size())) {
    const ProfilePtr nothing = std::make_shared<const Profile>();
    const Parameters parameters(view.parameters);
    if (view.group == ViewGroup::fleet) {  // its tables are files: tests/e2e_cli/test_fleet.py
      EXPECT_TRUE(view.unavailable(*nothing).has_value()) << view.id;
      continue;
    }
    const Result<Report> report = view.run({.profiles = {&nothing, 1}, .parameters = parameters});
    ASSERT_TRUE(report) << view.id << ": " << report.error().to_string();
    EXPECT_EQ(report->tables.front().rows(), 0u);
    EXPECT_TRUE(view.unavailable(*nothing).has_value()) << view.id;
    EXPECT_FALSE(view.doc.empty());
    for (const ReportColumn& column : report->tables.front().columns) EXPECT_FALSE(column.doc.empty()) << view.id << column.key;
  }
}

}  // namespace
}  // namespace sightline::engine

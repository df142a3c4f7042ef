// Checks for every analysis: ids, docs, formulas, parameters, and that it answers for any profile for which it is available.
#include <gtest/gtest.h>

#include <set>

#include "analyses/derived_data.h"
#include "analyses/view_tables.h"
#include "tests/support/document.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

const char* const kProfiles[] = {
    "",
    "meta a = b",
    "thread 1: 0-100 op a",
    "thread 1: 0-100 annotation n",
    "stream 7: 0-10 k",
    "stream 7: 0-10 memcpy HtoD",
    "thread 1: 0-0 step 1",
    "thread 1: 0-0 op a [stack=f;g]",
    "memory 0: 5 10 10",
    "held NPU0 PTA: 5 1 2",
    "thread 1: 0-100 op a\nmemory 0: 5 10 10 [thread=1]\nheld GPU0 driver: 5 - 2, 7 - -",
    "thread 1: 0-10 module M, 2-5 op a [stack=f;g]",
    "thread 1: 0-10 annotation \"[pl][profile]hook\", 1-9 annotation \"[pl][module]T: a.b\"",
    "thread 1: 0-100 op a, 0-50 comm c [coll=all_reduce in=8]",
    "stream 7: 0-10 collective k",
    "thread 1: 0-100 op a\nmemory 0: 5 10 10 [thread=1 at=1]\nmemory host: 6 10 -, 7 -10 -",
    "program p: a [flops=1 framework=M/a category=c], b [into=a], - [framework=M/c]\nran a: 0 - - -, 1 x 2 5\nran M/c: - - 1 0",
    "program p: a, b [into=a]\nstream 1: 0-10 k [does=a], 2-2 k [does=a]",
    R"(thread 1: 0-100 step 1, 0-50 op a [stack=f], 10-20 runtime l [corr=1]
       thread 1+: 30-70 op b
       stream 7: 30-90 k [corr=1 blocks=1 occ=1])",
};

// They refuse a job of one worker; tests/golden/test_what_if_ranks.py runs them.
bool needs_several_ranks(const Analysis& analysis) {
  return analysis.id == "what_if_ranks" || analysis.id == "critical_path_ranks";
}

TEST(Registry, IdsAreUniqueAndFound) {
  std::set<std::string_view> ids;
  for (const Analysis& analysis : all_analyses()) {
    EXPECT_TRUE(ids.insert(analysis.id).second) << analysis.id;
    EXPECT_EQ(find_analysis(analysis.id), &analysis);
    EXPECT_FALSE(analysis.doc.empty());
  }
  EXPECT_EQ(find_analysis("nothing"), nullptr);
}

TEST(Registry, EveryAvailableViewAnswersAndItsPanelsNameExistingTables) {
  for (const char* text : kProfiles) {
    const ProfilePtr profile = text_profile(text);
    for (const Analysis& analysis : all_analyses()) {
      if (analysis.unavailable(*profile) || gives_no_report(analysis) || needs_several_ranks(analysis)) continue;
      const Report report = run_view(profile, analysis.id);
      EXPECT_EQ(report.view, analysis.id);
      for (const Panel& panel : report.panels) {
        if (panel.table().empty()) continue;
        const ReportTable* table = report.find_table(panel.table());
        ASSERT_NE(table, nullptr) << analysis.id << " " << panel.id;
        for (const std::string& key : panel.columns()) EXPECT_NE(table->find(key), nullptr) << analysis.id << " " << key;
      }
    }
  }
}

TEST(Registry, ReportsHaveNoTableThatTheirViewDoesNotDeclare) {
  for (const char* text : kProfiles) {
    const ProfilePtr profile = text_profile(text);
    for (const Analysis& analysis : all_analyses()) {
      if (analysis.unavailable(*profile) || gives_no_report(analysis) || needs_several_ranks(analysis)) continue;
      const std::vector<std::string> possible = possible_tables(analysis.id);
      const Report report = run_view(profile, analysis.id);
      for (const ReportTable& table : report.tables)
        EXPECT_EQ(std::count(possible.begin(), possible.end(), table.key), 1) << analysis.id << " " << table.key;
      if (!always_has_several_tables(analysis.id)) continue;
      EXPECT_GT(report.tables.size(), 1U) << analysis.id;
      EXPECT_EQ(report.find_table(analysis.id), nullptr) << analysis.id;
    }
  }
  EXPECT_TRUE(possible_tables("query").empty());
  EXPECT_TRUE(possible_tables("nothing").empty());
}

TEST(Registry, TablesAreWellFormed) {
  for (const char* text : kProfiles) {
    const ProfilePtr profile = text_profile(text);
    for (const Analysis& analysis : all_analyses()) {
      if (analysis.unavailable(*profile) || gives_no_report(analysis) || needs_several_ranks(analysis)) continue;
      for (const ReportTable& table : run_view(profile, analysis.id).tables) {
        std::set<std::string> keys;
        for (const ReportColumn& column : table.columns) {
          EXPECT_TRUE(keys.insert(column.key).second) << table.key << " " << column.key;
          EXPECT_FALSE(column.doc.empty()) << table.key << " " << column.key;
          EXPECT_EQ(column.values.size(), table.rows());
          for (const Cell& cell : column.values) {
            const std::size_t wanted = column.type == CellType::integer ? 1
                                       : column.type == CellType::real  ? 2
                                       : column.type == CellType::flag  ? 3
                                                                        : 4;
            EXPECT_TRUE(cell.index() == 0 || cell.index() == wanted) << table.key << " " << column.key;
          }
        }
        for (const std::string& key : {table.sort_column})
          EXPECT_TRUE(key.empty() || keys.contains(key)) << table.key << " " << key;
      }
    }
  }
}

// The key and the cells of each table, or the error.
std::string answer_of(const ProfilePtr& profile, const std::string& view,
                      const std::vector<std::pair<std::string, std::string>>& given = {}) try {
  std::string text;
  const Report report = run_view(profile, view, given);
  for (const ReportTable& table : report.tables) {
    std::vector<std::string> keys;
    for (const ReportColumn& column : table.columns) keys.push_back(column.key);
    text += table.key + ": " + rows_text(report, table.key, keys);
  }
  return text;
} catch (const std::invalid_argument& error) {
  return error.what();
}

// What views share belongs to the profile (derived_data.h).
TEST(Registry, AReportDoesNotDependOnEarlierOnes) {
  constexpr std::string_view kText =
      R"(thread 1: 0-100 step 1, 0-50 op a [stack=f shapes=[[2]]], 10-20 runtime l [corr=1], 60-70 op a [shapes=[[3]]]
    thread 2: 0-90 python p, 5-80 op b, 10-20 runtime l [corr=2]
    stream 7: 30-60 k [corr=1 blocks=1 occ=1], 60-90 m [corr=2 type=t core=c])";
  const ProfilePtr used = share_profile(parse_text_profile(kText));
  std::size_t compared = 0, different = 0;
  for (const Analysis& analysis : all_analyses()) {
    if (analysis.scope() != Scope::profile || gives_no_report(analysis) || analysis.unavailable(*used)) continue;
    const std::string first = answer_of(used, analysis.id);
    for (const Parameter& parameter : analysis.parameters) {
      for (const ParameterChoice& choice : parameter.choices) {
        const std::vector<std::pair<std::string, std::string>> given{{parameter.key, choice.value}};
        const std::string later = answer_of(used, analysis.id, given);
        const std::string alone = answer_of(share_profile(parse_text_profile(kText)), analysis.id, given);
        EXPECT_EQ(later, alone) << analysis.id << " " << parameter.key << "=" << choice.value;
        ++compared;
        different += later != first;
      }
    }
  }
  EXPECT_GT(compared, 20U);
  EXPECT_GT(different, 5U);  // else the profile shows nothing
}

TEST(Registry, EveryTimeAndShareHasAFormulaOrASource) {
  for (const Analysis& analysis : all_analyses()) {
    if (analysis.tables == nullptr) continue;
    for (const ReportTable& table : analysis.tables()) {
      for (const ReportColumn& column : table.columns) {
        if (column.unit != Unit::ns && column.unit != Unit::share && column.unit != Unit::percent) continue;
        EXPECT_NE(column.doc.find("Source: "), std::string::npos) << table.key << " " << column.key;
        EXPECT_TRUE(column.key == "start" || column.doc.find("Formula: ") != std::string::npos) << table.key << " " << column.key;
      }
    }
  }
}

TEST(Parameters, DefaultsAndGivenValues) {
  const Analysis& kernels = *find_analysis("kernels");
  const Result<Parameters> bound = bind_parameters(kernels, {{"group_by", "launch"}});
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(bound->text("group_by"), "launch");
  EXPECT_EQ(bound->text("search"), "");
  EXPECT_EQ(bound->integer("top"), 10);
}

TEST(Parameters, ErrorsListTheAllowedValues) {
  const Analysis& operators = *find_analysis("operators");
  const auto message = [&](std::string key, std::string value) {
    return bind_parameters(operators, {{key, value}}).error().message;
  };
  EXPECT_EQ(message("group", "name"), "'operators' has no parameter 'group'; it takes group_by, search, module, step, top");
  EXPECT_EQ(message("group_by", "x"), "'group_by' must be one of name, shape, not 'x'");
  EXPECT_EQ(message("top", "ten"), "'top' must be a whole number, not 'ten'");
  EXPECT_EQ(message("top", ""), "'top' must be a whole number, not ''");
  const auto time = [](std::string value) { return bind_parameters(*find_analysis("range"), {{"start", value}}); };
  for (const char* value : {"", "0", "2305843009213693952", "-2305843009213693952"}) EXPECT_TRUE(time(value).ok()) << value;
  for (const char* value : {"x", "1.5", "2305843009213693953", "-2305843009213693953", "-9223372036854775808", "1e3"}) {
    EXPECT_EQ(time(value).error().message,
              "'start' must be a time in ns of at most 2^61, or empty, not '" + std::string(value) + "'");
  }
}

TEST(Metrics, ThePageEqualsTheProgramsOutput) {
  EXPECT_TRUE(document("docs/metrics.md") == metrics_markdown())
      << "docs/metrics.md is old: build/release/sightline metrics > docs/metrics.md";
}

}  // namespace
}  // namespace sightline::analyses

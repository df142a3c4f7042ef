// What other programs see follows from tables.h: every table has its sentence, and the document is the program's own.
#include "sharing/shared_tables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace sightline {
namespace {

TEST(SharedTables, EveryTableSaysWhatItsRowsAre) {
  const Profile none;
  Profile::visit_tables(none, [](const auto& table) { EXPECT_FALSE(table_doc(table.kName).empty()) << table.kName; });
}

TEST(SharedTables, ThePageOfTablesIsWhatTheProgramPrints) {
  const auto page = std::filesystem::path(__FILE__).parent_path() / "../../docs/formats/tables.md";
  std::ifstream file(page);
  if (!file) GTEST_SKIP() << "no " << page;
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == tables_markdown()) << "docs/formats/tables.md is old: build/release/sightline tables > " << page;
}

TEST(SharedTables, WhatIsUnknownIsToldByItsType) {
  EXPECT_TRUE(is_unknown_value(kUnknown));
  EXPECT_TRUE(is_unknown_value(kNoRow));
  EXPECT_TRUE(is_unknown_value(kUnknownReal));
  EXPECT_TRUE(is_unknown_value(StringId::none));
  EXPECT_TRUE(is_unknown_value(OwnerRule::none));
  EXPECT_FALSE(is_unknown_value(Time{0}));
  EXPECT_FALSE(is_unknown_value(Row{0}));
  EXPECT_FALSE(is_unknown_value(false));
}

}  // namespace
}  // namespace sightline

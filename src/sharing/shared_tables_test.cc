// What other programs see follows from tables.h: every table has its sentence, and the document is the program's own.
#include "sharing/shared_tables.h"

#include <gtest/gtest.h>

#include "tests/support/document.h"

namespace sightline {
namespace {

TEST(SharedTables, EveryTableSaysWhatItsRowsAre) {
  const Profile none;
  Profile::visit_tables(none, [](const auto& table) { EXPECT_FALSE(table_doc(table.kName).empty()) << table.kName; });
}

TEST(SharedTables, ThePageOfTablesIsWhatTheProgramPrints) {
  EXPECT_TRUE(document("docs/formats/tables.md") == tables_markdown())
      << "docs/formats/tables.md is old: build/release/sightline tables > docs/formats/tables.md";
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

// Tables as other programs see them: every table has its sentence, and the document equals the program's output.
#include "model/shared_tables.h"

#include <gtest/gtest.h>

#include "tests/support/document.h"

namespace sightline::model {

using namespace tests;
namespace {

TEST(SharedTables, TheDocOfATableNamesItsRowsAndTheirOrder) {
  EXPECT_EQ(table_doc(Devices{}), "The devices that the trace describes.");
  EXPECT_EQ(table_doc(Steps{}), "The iterations. Sorted by start.");
  EXPECT_EQ(table_doc(ProgramWork{}),
            "Which operator of a compiled program a slice executes. Sorted by slice, at most one row per slice.");
  EXPECT_EQ(table_doc(Slices{}),
            "Everything that has a start and a length; parents come before their children. Sorted by lane, then start, then "
            "duration (descending).");
  EXPECT_EQ(table_doc(MemoryUsage{}),
            "Memory held by each component of the software. A value holds until the next one. Grouped by device_name and "
            "component, then "
            "sorted by time.");
}

TEST(SharedTables, ThePageOfTablesEqualsTheProgramsOutput) {
  EXPECT_TRUE(document("docs/formats/tables.md") == tables_markdown())
      << "docs/formats/tables.md is old: build/release/sightline tables > docs/formats/tables.md";
}

TEST(SharedTables, TheUnknownValueDependsOnTheType) {
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
}  // namespace sightline::model

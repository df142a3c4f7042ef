#include "formats/tables/database.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace sightline::formats {
namespace {

// Parsers of C may not be given a null pointer, even with a length of 0.
TEST(Database, ATextPointsAtBytesEvenIfTheCellHasNone) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() + "/cells.db";
  sqlite3* file = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &file), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(file, "CREATE TABLE cells (value); INSERT INTO cells VALUES (NULL), (x''), (''), ('a'), (7)", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(file);

  Result<Database> database = Database::open(path, nullptr);
  ASSERT_TRUE(database);
  std::vector<std::string> texts;
  database->each("cells", {"value", "no such column"}, [&](const Database::Row& row) {
    EXPECT_NE(row.text(0).data(), nullptr);
    EXPECT_NE(row.text(1).data(), nullptr);
    texts.emplace_back(row.text(0));
  });
  EXPECT_EQ(texts, (std::vector<std::string>{"", "", "", "a", "7"}));
}

}  // namespace
}  // namespace sightline::formats

// What a bound narrows a scan to: random bounds on random rows, against a scan that compares every row.
#include "sharing/sql_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <tuple>

#include "sharing/sql_query.h"
#include "sharing/sql_session.h"

namespace sightline {
namespace {

using Random = std::mt19937_64;

// Slices in their order; of small numbers, so that many are equal. `broken`: one lane out of its order, as in no profile.
Profile slices_profile(Random& random, bool broken) {
  std::vector<std::pair<Row, Time>> places(random() % 60);
  for (auto& [lane, start] : places) {
    lane = static_cast<Row>(random() % 5);
    start = static_cast<Time>(random() % 20) - 5;
  }
  std::sort(places.begin(), places.end());
  if (broken && !places.empty()) places.front().first = 7;
  Profile profile;
  Slices& slices = profile.slices;
  slices.for_each_column([&]<typename T>(const ColumnInfo&, Column<T>& column) { column.resize(places.size()); });
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::tie(slices.lane[i], slices.start[i]) = places[i];
    slices.name[i] = StringId::none;
  }
  return profile;
}

// A bound as SQL has it, and as the oracle does: unknown holds for no row.
struct Condition {
  std::string column, op, text;
  std::optional<double> value;

  std::string sql() const { return column + " " + op + " " + text; }
  bool holds(double number) const {
    if (!value) return false;
    if (op == "=") return number == *value;
    if (op == "<") return number < *value;
    if (op == "<=") return number <= *value;
    return op == ">" ? number > *value : number >= *value;
  }
};

Condition random_condition(Random& random) {
  const auto one_of = [&](const auto& list) { return list[random() % std::size(list)]; };
  const char* const columns[] = {"id", "lane", "start"};
  const char* const ops[] = {"=", "<", "<=", ">", ">="};
  Condition made{one_of(columns), one_of(ops), "", {}};
  switch (random() % 8) {
    case 0: made.text = "NULL"; break;
    case 1: std::tie(made.text, made.value) = std::make_tuple("2.5", 2.5); break;
    case 2: std::tie(made.text, made.value) = std::make_tuple("3.0", 3.0); break;
    case 3: std::tie(made.text, made.value) = std::make_tuple("'4'", 4.0); break;  // a column of integers compares as such
    case 4: std::tie(made.text, made.value) = std::make_tuple("9223372036854775807", 9.3e18); break;
    case 5: std::tie(made.text, made.value) = std::make_tuple("-9223372036854775807", -9.3e18); break;
    default: {
      const auto number = static_cast<std::int64_t>(random() % 40) - 8;
      made.text = std::to_string(number);
      made.value = static_cast<double>(number);
    }
  }
  return made;
}

std::vector<std::int64_t> numbers(const Profile& profile, const std::string& sql) {
  const Result<SqlAnswer> answer = query_profile(profile, sql, {.rows = 0, .seconds = 0, .stop = {}});
  EXPECT_TRUE(answer.ok()) << sql << ": " << answer.error().message;
  std::vector<std::int64_t> found;
  const Cells& cells = answer->table.columns.front().values;
  for (std::size_t i = 0; i < cells.size(); ++i) found.push_back(std::get<std::int64_t>(Cell(cells[i])));
  return found;
}

TEST(SqlTables, AnyBoundsFindWhatAScanFinds) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const Profile profile = slices_profile(random, round % 10 == 0);
    const Slices& slices = profile.slices;
    std::vector<Condition> conditions(1 + random() % 3);
    std::string sql = "SELECT id FROM slices WHERE ";
    for (Condition& condition : conditions) {
      condition = random_condition(random);
      sql += (&condition == conditions.data() ? "" : " AND ") + condition.sql();
    }
    std::vector<std::int64_t> expected;
    for (Row row = 0; row < slices.rows(); ++row) {
      const auto number = [&](const std::string& column) {
        return column == "id"     ? static_cast<double>(row)
               : column == "lane" ? static_cast<double>(slices.lane[row])
                                  : static_cast<double>(slices.start[row]);
      };
      const bool all = std::all_of(conditions.begin(), conditions.end(), [&](auto& c) { return c.holds(number(c.column)); });
      if (all) expected.push_back(row);
    }
    EXPECT_EQ(numbers(profile, sql), expected) << sql;
    EXPECT_EQ(numbers(profile, sql + " ORDER BY id"), expected) << sql;
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(numbers(profile, sql + " ORDER BY id DESC"), expected) << sql;
  }
}

TEST(SqlTables, AJoinOnRowNumbersFindsWhatAScanFinds) {
  Random random(2);
  Profile profile = slices_profile(random, false);
  const std::size_t all = profile.slices.rows();
  ASSERT_GT(all, 0u);
  profile.operators.for_each_column([]<typename T>(const ColumnInfo&, Column<T>& column) { column.resize(40); });
  std::vector<std::int64_t> expected;
  for (std::size_t i = 0; i < 40; ++i) {
    profile.operators.slice[i] = static_cast<Row>(i < 38 ? i * all / 40 : kNoRow);  // the last two: no such slice
    profile.operators.input_shapes[i] = profile.operators.input_types[i] = profile.operators.call_stack[i] = StringId::none;
    if (i < 38) expected.push_back(profile.slices.start[profile.operators.slice[i]]);
  }
  EXPECT_EQ(numbers(profile, "SELECT s.start FROM operators o JOIN slices s ON s.id = o.slice ORDER BY o.id"), expected);
}

// How SQLite says it will read the table: the bounds it hands over, two letters each; empty for a scan of all rows.
std::string plan_of(const Profile& profile, const std::string& where) {
  const SqlSession session(profile);
  const Result<SqlStatement> statement = session.prepare("EXPLAIN QUERY PLAN SELECT id FROM slices WHERE " + where);
  EXPECT_TRUE(statement.ok() && sqlite3_step(statement->get()) == SQLITE_ROW) << where;
  const std::string detail = reinterpret_cast<const char*>(sqlite3_column_text(statement->get(), 3));
  return detail.substr(detail.find("INDEX") + 8);  // "SCAN slices VIRTUAL TABLE INDEX 0:..."
}

TEST(SqlTables, OnlyBoundsThatTheOrderOfRowsServesAreTaken) {
  Random random(3);
  Profile profile;
  while (profile.slices.rows() < 10) profile = slices_profile(random, false);
  EXPECT_EQ(plan_of(profile, "id = 3").size(), 2u);
  EXPECT_EQ(plan_of(profile, "lane = 3").size(), 2u);
  EXPECT_EQ(plan_of(profile, "lane = 3 AND start >= 1 AND start < 9").size(), 6u);
  EXPECT_EQ(plan_of(profile, "lane > 3 AND start >= 1").size(), 2u);
  EXPECT_EQ(plan_of(profile, "start >= 1"), "");
  EXPECT_EQ(plan_of(profile, "duration = 1"), "");
  EXPECT_EQ(plan_of(profile, "name = 'a'"), "");
  profile.slices.lane[0] = 7;  // out of order
  EXPECT_EQ(plan_of(profile, "lane = 3 AND start >= 1"), "");
}

TEST(SqlTables, AColumnWithUnknownNumbersIsNotTakenForSorted) {
  Profile profile;
  profile.device_work.for_each_column([]<typename T>(const ColumnInfo&, Column<T>& column) { column.resize(3); });
  const auto sorted = [&] {
    for (const SqlTable& table : sql_tables(profile)) {
      if (table.name == DeviceWork::kName) return table.sorted_by(1);
    }
    return false;
  };
  profile.device_work.slice[1] = profile.device_work.slice[2] = 5;
  EXPECT_TRUE(sorted());
  profile.device_work.slice[2] = kNoRow;
  EXPECT_FALSE(sorted());
}

}  // namespace
}  // namespace sightline

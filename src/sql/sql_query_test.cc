// SQL against the cells of the profile, and the limits of a query.
#include "sql/sql_query.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <random>
#include <thread>

#include "base/text.h"
#include "model/shared_tables.h"
#include "sql/sql_tables.h"
#include "tests/support/random_profile.h"
#include "tests/support/sanitized.h"
#include "tests/support/text_profile.h"

// The database is opened once and kept until the program ends.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libduckdb.so\n"; }

namespace sightline::sql {

using namespace tests;
namespace {

// 40 of 100 ns are the first kernel, which the operator launched; of the copy no operator is known.
constexpr const char* kText = R"(
device 0: Big GPU [memory=16000]
thread 1: 0-40 op aten::mm [shapes=[[2,3],[3,4]]], 10-15 runtime launch [corr=1]
stream 7: 20-60 kernel gemm [corr=1 occ=30], 70-80 memcpy HtoD [bytes=64], 80-85 kernel gemm
)";

// Under the sanitizer, its own memory counts as well.
constexpr std::int64_t kSmall = kSanitized ? std::int64_t{2} << 30 : std::int64_t{160} << 20;

std::string text_of(const Cell& cell) {
  if (is_unknown(cell)) return "-";
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
  std::string real = std::to_string(std::get<double>(cell));
  return real.substr(0, real.find_last_not_of('0') + 1);
}

// "a,b;c,d": the rows of the answer, or the error.
std::string answer_of(const Profile& profile, const std::string& sql, const SqlLimits& limits = {}) {
  const Result<SqlAnswer> answer = query_profile(profile, sql, limits);
  if (!answer) return answer.error().to_string();
  std::string text;
  for (std::size_t row = 0; row < answer->table.rows(); ++row) {
    for (const ReportColumn& column : answer->table.columns) {
      text += (&column == &answer->table.columns.front() ? row == 0 ? "" : ";" : ",") + text_of(column.values[row]);
    }
  }
  return text;
}

// By hand: one kernel of 40 ns and one of 5.
TEST(SqlQuery, BindsParameters) {
  const ProfilePtr profile = text_profile(kText);
  const auto answer_with = [&](const std::string& sql, std::vector<SqlParameter> parameters) -> std::string {
    const Result<SqlAnswer> answer = query_profile(*profile, sql, {}, parameters);
    if (!answer) return answer.error().to_string();
    return answer->table.rows() == 0 ? std::string("no row") : text_of(answer->table.columns.front().values[0]);
  };
  EXPECT_EQ(answer_with("SELECT count(*) FROM kernels WHERE duration > $least", {{"least", 5}}), "1");
  EXPECT_EQ(answer_with("SELECT count(*) FROM kernels WHERE duration > $least", {{"least", 4}}), "2");
  EXPECT_EQ(answer_with("SELECT $a || $b", {{"a", "it's"}, {"b", "'; DROP TABLE kernels; --"}}), "it's'; DROP TABLE kernels; --");
  EXPECT_EQ(answer_with("SELECT $yes AND NOT $no", {{"yes", true}, {"no", false}}), "true");
  EXPECT_EQ(answer_with("SELECT $select + $all", {{"select", 1}, {"all", 2}}), "3");  // words of SQL
  EXPECT_EQ(answer_with("SELECT coalesce($none, 7)", {{"none", {}}}), "7");
  EXPECT_EQ(answer_with("SELECT $least", {{"least", INT64_MIN + 1}}), std::to_string(INT64_MIN + 1));
  EXPECT_EQ(answer_with("SELECT 0.5::DECIMAL(4, 1) * $two", {{"two", 2}}), "1.");  // read as a real
  EXPECT_EQ(answer_with("SELECT $a", {{"a", std::string("x\0y", 3)}}), "the value of 'a' holds a zero byte");
}

TEST(SqlQuery, RecognizesOnlyParameters) {
  const ProfilePtr profile = text_profile(kText);
  EXPECT_EQ(answer_of(*profile,
                      "SELECT '$a', \"$b\", E'\\'$c', $$it's $d$$, $t$ $$ $e $t$ -- $f\n/* /* $g */ $h */ FROM "
                      "(SELECT 1 AS \"$b\")"),
            "$a,1,'$c,it's $d, $$ $e ");
  EXPECT_EQ(answer_of(*profile, "SELECT\n  $least"), "line 2, column 3: unknown parameter '$least'; none is declared");
  const std::vector<SqlParameter> parameters{{"a", 1}, {"b", 2}};
  const auto fault = [&](const std::string& sql) { return query_profile(*profile, sql, {}, parameters).error().to_string(); };
  EXPECT_EQ(fault("SELECT $a + $c"), "line 1, column 13: unknown parameter '$c'; declared: a, b");
  // The place is the one in the text as it was written.
  EXPECT_TRUE(fault("SELECT $a,\n $b, $a, nothing FROM kernels").starts_with("line 2, column 10: "))
      << fault("SELECT $a,\n $b, $a, nothing FROM kernels");
}

TEST(SqlQuery, ReturnsTheValuesOfTheTables) {
  const ProfilePtr profile = text_profile(kText);
  EXPECT_EQ(answer_of(*profile, "SELECT name, count(*), sum(duration) FROM kernels GROUP BY name"), "gemm,2,45");
  EXPECT_EQ(answer_of(*profile, "SELECT name, start, operator, occupancy FROM Kernels ORDER BY start"),
            "gemm,20,aten::mm,30.;gemm,80,-,-");
  EXPECT_EQ(answer_of(*profile, "SELECT k.kind, p.name FROM copies k LEFT JOIN slices p ON p.id = k.owner"), "memcpy,-");
  EXPECT_EQ(answer_of(*profile, "SELECT input_shapes, matrix_eligible FROM operators"), "[[2,3],[3,4]],false");
  EXPECT_EQ(answer_of(*profile, "SELECT a.id - b.id FROM slices a, slices b WHERE a.id = 0 AND b.id = 1"), "-1");
  EXPECT_EQ(answer_of(*profile, "SELECT count(*) FROM slices"), "5");
  EXPECT_EQ(answer_of(*profile, "SELECT id FROM slices WHERE id >= 9"), "");
}

TEST(SqlQuery, AViewEqualsAJoinOfItsTables) {
  const ProfilePtr profile = text_profile(kText);
  const auto same = [&](const std::string& view, const std::string& join) {
    EXPECT_EQ(answer_of(*profile, view), answer_of(*profile, join)) << view;
    EXPECT_NE(answer_of(*profile, view), "") << view;
  };
  const std::string work =
      " FROM device_work w JOIN slices s ON s.id = w.slice JOIN lanes l ON l.id = s.lane LEFT JOIN slices o ON o.id = w.owner "
      "LEFT JOIN launches c ON c.id = w.launch WHERE s.kind IN ";
  same("SELECT id, start, stream, operator, occupancy, launched_by, owner FROM kernels ORDER BY id",
       "SELECT s.id, s.start, l.track, o.name, w.occupancy, c.slice, w.owner" + work + "('kernel', 'collective') ORDER BY s.id");
  same("SELECT id, kind, stream, bytes, operator FROM copies ORDER BY id",
       "SELECT s.id, s.kind, l.track, w.bytes, o.name" + work + "('memcpy', 'memset') ORDER BY s.id");
  same("SELECT id, name, thread, parent_name, input_shapes, depth FROM ops ORDER BY id",
       "SELECT s.id, s.name, l.track, p.name, o.input_shapes, s.depth FROM operators o JOIN slices s ON s.id = o.slice "
       "JOIN lanes l ON l.id = s.lane LEFT JOIN slices p ON p.id = s.parent ORDER BY s.id");
  same("SELECT id, process, kind, slices, overflow_of FROM threads ORDER BY id",
       "SELECT l.id, p.name, l.kind, l.last - l.first, l.overflow_of FROM lanes l LEFT JOIN processes p ON p.id = l.process "
       "ORDER BY l.id");
  same("SELECT count(*) FROM kernels", "SELECT 2");
  same("SELECT name FROM kernels WHERE start > 70 AND operator IS NULL", "SELECT 'gemm'");
}

// By hand: relu overlaps gemm, so it is on an overflow lane, and ends first.
TEST(SqlQuery, WorkHasTheWorkBeforeItOnItsStream) {
  const ProfilePtr profile = text_profile(R"(
thread 1: 0-5 runtime launch [corr=1]
stream 7: 10-40 kernel gemm, 20-30 kernel relu, 60-70 memcpy HtoD [corr=1]
stream 8: 15-25 kernel add
)");
  EXPECT_EQ(answer_of(*profile, "SELECT name, stream, before_name, before_end, free_at, launched_at FROM work ORDER BY start"),
            "gemm,7,-,-,-,-;add,8,-,-,-,-;relu,7,gemm,40,40,-;HtoD,7,relu,30,40,0");
  EXPECT_EQ(answer_of(*profile, "SELECT w.before - r.id FROM work w, work r WHERE w.name = 'HtoD' AND r.name = 'relu'"), "0");
  EXPECT_EQ(answer_of(*profile, "SELECT count(*) FROM work a JOIN work b ON b.id = a.before"), "2");  // both read at once
}

// Streams of two devices; work of the first one is on an overflow lane as well, where some of it begins at the same time.
std::string random_work(unsigned seed) {
  std::mt19937 random(seed);
  std::string text = "thread 1: 0-5 runtime launch [corr=1], 10-12 runtime launch [corr=2]\n";
  for (const char* lane : {"stream 7", "stream 7+", "stream 8", "stream 9 of 1"}) {
    text += lane;
    for (unsigned i = 0, at = 20; i < 40; ++i) {
      const unsigned start = at + random() % 4;
      at = start + random() % 6;
      text += fmt::format("{} {}-{} kernel k{} [corr={}]", i == 0 ? ":" : ",", start, at, random() % 3, random() % 9);
    }
    text += "\n";
  }
  return text;
}

TEST(SqlQuery, WorkEqualsWindowsOverItsTables) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const ProfilePtr profile = text_profile(random_work(seed));
    const std::string view =
        answer_of(*profile, "SELECT id, before, before_name, before_end, free_at, launched_at FROM work ORDER BY id");
    EXPECT_EQ(view, answer_of(*profile, R"(
      SELECT s.id, lag(s.id) OVER ordered, lag(s.name) OVER ordered, lag(s.start + s.duration) OVER ordered,
        max(s.start + s.duration) OVER (ordered ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), c.start
      FROM device_work w JOIN slices s ON s.id = w.slice JOIN lanes l ON l.id = s.lane
        LEFT JOIN launches n ON n.id = w.launch LEFT JOIN slices c ON c.id = n.slice
      WINDOW ordered AS (PARTITION BY w.device, coalesce(l.overflow_of, l.id) ORDER BY s.start, s.id)
      ORDER BY s.id)"));
    EXPECT_NE(answer_of(*profile, "SELECT count(*) FROM work WHERE free_at > before_end"), "0") << "no work overlaps";
  }
}

TEST(SqlQuery, ColumnsKeepUnitAndMeaning) {
  const ProfilePtr profile = text_profile(kText);
  const auto columns = [&](const std::string& sql) {
    const Result<SqlAnswer> answer = query_profile(*profile, sql, {});
    EXPECT_TRUE(answer.ok()) << sql << ": " << answer.error().message;
    std::string text;
    for (const ReportColumn& column : answer.ok() ? answer->table.columns : std::vector<ReportColumn>()) {
      text += column.key + " " + std::string(unit_name(column.unit)) + (column.doc.empty() ? "" : " doc") + ";";
    }
    return text;
  };
  EXPECT_EQ(columns("SELECT duration AS d, k.duration, duration + 1, sum(duration) AS total_ns FROM kernels k GROUP BY ALL"),
            "d ns doc;duration ns doc;(duration + 1) none;total_ns ns;");
  EXPECT_EQ(columns("SELECT free_at, before_end AS b, free_at - start AS wait, slices FROM work, threads"),
            "free_at ns doc;b ns doc;wait none;slices none;");
  EXPECT_EQ(columns("WITH a AS (SELECT * FROM slices) SELECT b.start, b.duration // 2 AS half FROM (FROM a) b ORDER BY 1"),
            "start ns doc;half none;");
  EXPECT_EQ(columns("SELECT x.bytes, max(s.duration) FROM copies x JOIN slices s USING (id) GROUP BY x.bytes"),
            "bytes bytes doc;max(s.duration) ns doc;");
}

TEST(SqlQuery, AnswersOfManyTypes) {
  const Profile none;
  EXPECT_EQ(answer_of(none, "SELECT 1, 1.5, 'x', NULL, true, 9007199254740993, '\\x01\\x02'::BLOB"),
            "1,1.5,x,-,true,9007199254740993,2 bytes");
  EXPECT_EQ(answer_of(none, "SELECT DATE '2026-01-02', ['it''s', NULL], {'a': 1}, 'NaN'::DOUBLE, 2::UBIGINT; -- a remark"),
            "2026-01-02,['it\\'s', NULL],{'a': 1},-,2");
  EXPECT_EQ(answer_of(none, "SELECT * FROM (VALUES (170141183460469231731687303715884105727::HUGEINT), (-5)) t(a)"),
            "170141183460469231731687303715884105727;-5");
  EXPECT_EQ(answer_of(none, "SELECT i, i % 2 = 0 AS e FROM range(3) t(i) ORDER BY i DESC"), "2,true;1,false;0,true");
}

// Texts and rows are known or none; all else may be anything.
Profile readable_profile() {
  Profile profile = random_profile(1, 5000);
  const auto texts = static_cast<std::uint32_t>(profile.strings.size());
  Profile::visit_tables(profile, [&](auto& table) {
    table.for_each_column([&]<typename T>(const ColumnInfo&, Column<T>& column) {
      if constexpr (std::is_same_v<T, StringId>) {
        for (std::size_t i = 0; i < column.size(); ++i)
          column[i] = static_cast<StringId>(static_cast<std::uint32_t>(column[i]) % texts);
      }
    });
  });
  return profile;
}

template <typename T>
std::string expected(const Profile& profile, T value) {
  if (is_unknown_value(value)) return "-";
  if constexpr (std::is_same_v<T, StringId>) {
    return to_utf8(profile.text(value));
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(word_of(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value) ? text_of(Cell(static_cast<double>(value))) : "-";
  } else {
    return std::to_string(value);
  }
}

TEST(SqlQuery, EveryCellOfEveryTableIsTheProfiles) {
  const Profile profile = readable_profile();
  Profile::visit_tables(profile, [&](const auto& table) {
    const std::string sql = "SELECT * FROM " + std::string(table.kName) + " ORDER BY id";
    const Result<SqlAnswer> answer = query_profile(profile, sql, {.rows = 0, .bytes = 0, .seconds = 0, .stop = {}});
    ASSERT_TRUE(answer.ok()) << sql << ": " << answer.error().to_string();
    ASSERT_EQ(answer->table.rows(), table.rows()) << sql;
    std::size_t index = 1;
    table.for_each_column([&](const ColumnInfo& info, const auto& column) {
      const Cells& cells = answer->table.columns[index++].values;
      for (std::size_t row = 0; row < column.size(); ++row) {
        ASSERT_EQ(text_of(cells[row]), expected(profile, column[row])) << table.kName << "." << info.name << " " << row;
      }
    });
  });
}

TEST(SqlQuery, TheSchemaEqualsThatOfAQuery) {
  const ProfilePtr profile = text_profile(kText);
  for (const SchemaTable& table : sql_schema(*profile)) {
    const Result<SqlAnswer> answer = query_profile(*profile, "SELECT * FROM " + table.name, {});
    ASSERT_TRUE(answer.ok()) << table.name << ": " << answer.error().to_string();
    ASSERT_EQ(answer->table.columns.size(), table.columns.size()) << table.name;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      EXPECT_EQ(answer->table.columns[i].key, table.columns[i].name);
      EXPECT_EQ(answer->table.columns[i].doc, table.columns[i].doc) << table.name << "." << table.columns[i].name;
    }
  }
  for (const SqlExample& example : sql_examples())
    EXPECT_TRUE(query_profile(*profile, std::string(example.sql), {}).ok()) << example.sql;
}

TEST(SqlQuery, ErrorsNameTheirPlace) {
  const ProfilePtr profile = text_profile(kText);
  EXPECT_EQ(answer_of(*profile, "SELECT *\nFROM slices WHERE\n  wrong = 1").substr(0, 17), "line 3, column 3:");
  EXPECT_EQ(answer_of(*profile, "SELECT ';'; SELECT 2"),
            "line 1, column 13: only one statement is allowed: text follows the first one");
  EXPECT_EQ(answer_of(*profile, "-- nothing"), "the query is empty: write a SELECT");
  EXPECT_EQ(answer_of(*profile, "SELECT ?"), "parameters (?) have no value here");
  EXPECT_EQ(answer_of(*profile, "CREATE TABLE t AS SELECT 1").substr(0, 20), "this is not a SELECT");
  EXPECT_EQ(answer_of(*profile, "SELECT 'a'::INTEGER FROM slices").find('\n'), std::string::npos);
}

TEST(SqlQuery, AnAnswerIsCutAtItsLimitsAndIsMarked) {
  const Profile none;
  const auto cut = [&](const std::string& sql, const SqlLimits& limits) {
    const Result<SqlAnswer> answer = query_profile(none, sql, limits);
    EXPECT_TRUE(answer.ok()) << answer.error().to_string();
    return std::to_string(answer->table.rows()) + (answer->more_rows ? " of more rows" : "") +
           (answer->more_bytes ? " of more bytes" : "");
  };
  EXPECT_EQ(cut("FROM range(10)", {.rows = 10, .stop = {}}), "10");
  EXPECT_EQ(cut("FROM range(10000000)", {.rows = 10, .stop = {}}), "10 of more rows");
  EXPECT_EQ(cut("FROM range(10)", {.bytes = 80, .stop = {}}), "10");
  EXPECT_EQ(cut("FROM range(100000)", {.bytes = 79, .stop = {}}), "9 of more bytes");
  EXPECT_EQ(cut("SELECT repeat('x', 1000) FROM range(100000)", {.rows = 0, .stop = {}}),
            "16710 of more bytes");  // of 1,004 in 16 MiB
}

TEST(SqlQuery, AQueryThatTakesTooMuchIsOnlyAnError) {
  const Profile none;
  const SqlLimits small{.seconds = 0, .memory = kSmall, .stop = {}};
  const std::string too_much =
      answer_of(none, "SELECT sum(length(repeat(repeat('x', 1000), (8000 + i % 2)::INTEGER))) FROM range(100000) t(i)", small);
  EXPECT_TRUE(too_much.find("memory") != std::string::npos) << too_much;
  const std::string one_value = answer_of(none, "SELECT repeat('x', 20000000)");
  EXPECT_TRUE(one_value.find("16 MB") != std::string::npos) << one_value;
  // One call of a function on one vector, which DuckDB does not interrupt: 2,000 times 25,000,000 steps.
  const std::string slow =
      "SELECT sum(levenshtein(repeat('a', (5000 + i % 2)::INTEGER), repeat('b', 5000))) FROM range(2000) t(i)";
  EXPECT_EQ(answer_of(none, slow, {.seconds = 0.3, .stop = {}}),
            "stopped after the 0.3 seconds that a query may take: query less data");
  std::atomic<int> calls = 0;
  EXPECT_EQ(answer_of(none, slow, {.seconds = 0, .stop = [&] { return ++calls > 3; }}), "no client is waiting for the answer");
}

TEST(SqlQuery, RowsThatDoNotFitIntoMemoryAreSortedOnDisk) {
  if (kClangSanitizes) GTEST_SKIP() << "the sanitizer's own memory is over the limit";
  const Profile none;
  const SqlLimits small{.seconds = 0, .memory = kSmall, .stop = {}};
  EXPECT_EQ(
      answer_of(none, "SELECT count(*) FROM (SELECT DISTINCT hash(i)::VARCHAR || '-' || i AS x FROM range(4000000) t(i))", small),
      "4000000");
}

TEST(SqlQuery, TemporaryFilesAreBounded) {
  if (kClangSanitizes) GTEST_SKIP() << "the sanitizer's own memory is over the limit";
  const Profile none;
  const SqlLimits small{.seconds = 0, .memory = kSmall, .temporary = 20 << 20, .stop = {}};
  const std::string sql = "SELECT i, hash(i) AS h, repeat(i::VARCHAR, 20) AS x FROM range(1000000000) t(i) ORDER BY h";
  const std::string failed = answer_of(none, sql, small);
  EXPECT_TRUE(failed.find("temporary files") != std::string::npos) << failed;
}

TEST(SqlQuery, OnlyTheTablesCanBeRead) {
  const Profile none;
  for (const char* sql : {"SELECT * FROM read_text('/etc/hostname')",
                          "SELECT * FROM '/etc/passwd'",
                          "SELECT * FROM glob('/*')",
                          "ATTACH '/tmp/x' AS x",
                          "SELECT * FROM read_csv('/etc/passwd')",
                          "SELECT * FROM read_blob('/proc/self/environ')",
                          "SET threads = 9",
                          "PRAGMA database_list; SELECT 1",
                          "COPY (SELECT 1) TO '/tmp/sightline-should-not-be'",
                          "LOAD httpfs",
                          "INSTALL httpfs",
                          "CALL pragma_version()",
                          "EXPLAIN ANALYZE SELECT 1",
                          "SELECT getenv('HOME')",
                          "CREATE VIEW v AS SELECT 1",
                          "DROP TABLE slices",
                          "EXPORT DATABASE '/tmp/sightline-should-not-be'",
                          "SELECT * FROM read_parquet('s3://a/b')",
                          "RESET lock_configuration",
                          "USE memory",
                          "CHECKPOINT",
                          "BEGIN",
                          "PREPARE a AS SELECT 1",
                          "SELECT * FROM query('COPY (SELECT 1) TO ''/tmp/sightline-should-not-be''')"}) {
    EXPECT_FALSE(query_profile(none, sql, {}).ok()) << sql;
  }
  EXPECT_FALSE(std::ifstream("/tmp/sightline-should-not-be").good());
}

TEST(SqlQuery, MoreThanFourAtOnceWaitForTheirTurn) {
  if (kClangSanitizes) GTEST_SKIP() << "the sanitizer's allocator may be locked when another thread forks";
  const Profile none;
  std::atomic<int> right = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 10; ++i) {
    clients.emplace_back([&] { right += answer_of(none, "SELECT sum(i) FROM range(1000000) t(i)") == "499999500000"; });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, 10);
}

TEST(SqlQuery, SeveralProfilesShareTheLimits) {
  const ProfilePtr profile = text_profile(kText);
  const auto open = [&] { return Result<ProfilePtr>(profile); };
  const std::vector<SqlSource> sources = {{{"a"}, open}, {{"b"}, open}, {{"c"}, open}};
  const auto ids = [&](std::size_t rows) {
    const Result<SqlAnswer> answer = query_profiles(sources, {"worker"}, "SELECT id FROM slices", {.rows = rows, .stop = {}});
    EXPECT_TRUE(answer.ok());
    std::string text = answer->more_rows ? "more" : "";
    for (std::size_t i = 0; i < answer->table.rows(); ++i)
      text += " " + text_of(answer->table.columns[0].values[i]) + text_of(answer->table.columns[1].values[i]);
    return text;
  };
  EXPECT_EQ(ids(7), "more a0 a1 a2 a3 a4 b0 b1");
  EXPECT_EQ(ids(5), "more a0 a1 a2 a3 a4");
  EXPECT_EQ(ids(15), " a0 a1 a2 a3 a4 b0 b1 b2 b3 b4 c0 c1 c2 c3 c4");
}

TEST(SqlQuery, TextsKeepEmptyAndUnknownApartAndEachWordOnce) {
  const Result<SqlAnswer> answer = query_profile(
      Profile{}, "SELECT CASE i % 4 WHEN 0 THEN '' WHEN 1 THEN NULL WHEN 2 THEN 'b' ELSE 'a' END AS t FROM range(8) r(i)",
      SqlLimits{});
  ASSERT_TRUE(answer.ok());
  const Cells& cells = answer->table.columns[0].values;
  ASSERT_EQ(cells.size(), 8u);
  for (std::size_t row = 0; row < 8; row += 4) {
    EXPECT_EQ(cells[row], Cell(""));
    EXPECT_TRUE(is_unknown(cells[row + 1]));
    EXPECT_EQ(cells[row + 2], Cell("b"));
    EXPECT_EQ(cells[row + 3], Cell("a"));
  }
  EXPECT_EQ(std::get<WordCells>(cells.storage()).words, (std::vector<std::string>{"", "b", "a"}));
}

// 15 MB of words, each twice: more than get a number.
TEST(SqlQuery, TextsComeAsTheyAreHoweverManyThereAre) {
  const Result<SqlAnswer> answer =
      query_profile(Profile{}, "SELECT (i % 15000) || repeat('y', 1000) AS t FROM range(30000) r(i) ORDER BY i",
                    {.rows = 0, .bytes = 0, .stop = {}});
  ASSERT_TRUE(answer.ok());
  const Cells& cells = answer->table.columns[0].values;
  ASSERT_EQ(cells.size(), 30000u);
  for (std::size_t row = 0; row < cells.size(); ++row)
    ASSERT_EQ(cells[row], Cell(std::to_string(row % 15000) + std::string(1000, 'y')));
}

// The number that a real does not hold is in the second row, so the first one was a number before.
TEST(SqlQuery, AColumnOfNumbersBecomesTextsWithItsUnknownCells) {
  EXPECT_EQ(answer_of(Profile{}, "SELECT * FROM (VALUES (7), (NULL), (9007199254740993), (8)) t(n)"), "7;-;9007199254740993;8");
}

}  // namespace
}  // namespace sightline::sql

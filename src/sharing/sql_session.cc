// The connection's bounds: what the authorizer allows is SELECT over what is there. SQLite's memory is bounded for all
// connections together, since it has no bound for one; what is sorted beyond its cache goes to a temporary file.
#include "sharing/sql_session.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>

#include "base/check.h"
#include "sharing/sql_schema.h"

namespace sightline {

namespace {

constexpr sqlite3_int64 kMostMemory = sqlite3_int64{1} << 30;  // of all queries at once
constexpr int kMostValueBytes = 16 << 20;
constexpr int kMostSqlBytes = 1 << 20;

int allow_reading(void*, int action, const char*, const char* name, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return std::strcmp(name, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default: return SQLITE_DENY;
  }
}

sqlite3* open_in_memory() {
  static std::once_flag bounded;
  std::call_once(bounded, [] { sqlite3_hard_heap_limit64(kMostMemory); });
  sqlite3* connection = nullptr;
  CHECK(sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, nullptr) ==
        SQLITE_OK);
  return connection;
}

void bound(sqlite3* connection) {
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kMostValueBytes);
  sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, kMostSqlBytes);
  sqlite3_limit(connection, SQLITE_LIMIT_EXPR_DEPTH, 200);
  sqlite3_limit(connection, SQLITE_LIMIT_COMPOUND_SELECT, 100);
  sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000);
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_set_authorizer(connection, allow_reading, nullptr);
}

// "line 2, column 7" of a byte in the text; columns count bytes.
std::string place_in(const std::string& sql, int offset) {
  if (offset < 0) return "";
  const auto end = sql.begin() + std::min(offset, static_cast<int>(sql.size()));
  const auto line = std::count(sql.begin(), end, '\n') + 1;
  const auto begin = std::find(std::make_reverse_iterator(end), sql.rend(), '\n').base();
  return "line " + std::to_string(line) + ", column " + std::to_string(end - begin + 1);
}

Error wrong(std::string message, std::string where = "") {
  return {ErrorCode::invalid_argument, std::move(message), std::move(where)};
}

}  // namespace

SqlSession::SqlSession(const Profile& profile) : tables_(sql_tables(profile)), connection_(open_in_memory(), sqlite3_close) {
  sqlite3* to = connection();
  for (const SqlTable& table : tables_) CHECK(add_sql_table(to, table) == SQLITE_OK);
  CHECK(sqlite3_exec(to, "PRAGMA cache_size = -131072", nullptr, nullptr, nullptr) == SQLITE_OK);  // KiB, before a sort spills
  for (const SqlView& view : sql_views()) {
    const std::string text = "CREATE VIEW " + std::string(view.name) + " AS " + std::string(view.select);
    CHECK(sqlite3_exec(to, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  // A virtual table comes to be when it is first named, which the authorizer would take for a change of the schema.
  for (const SqlTable& table : tables_) {
    const std::string text = "SELECT 1 FROM " + std::string(table.name) + " LIMIT 0";
    CHECK(sqlite3_exec(to, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  bound(to);
}

Result<SqlStatement> SqlSession::prepare(const std::string& sql) const {
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(connection(), sql.c_str(), static_cast<int>(sql.size()) + 1, &made, &rest);
  SqlStatement statement(made, sqlite3_finalize);
  if (code != SQLITE_OK) return error(sql);
  if (statement == nullptr) return wrong("nothing is asked: write a SELECT");
  if (sqlite3_column_count(made) == 0) return wrong("this is no SELECT");
  if (sqlite3_bind_parameter_count(made) > 0) return wrong("parameters (?) have no value here");
  // What follows must be blank or a comment.
  sqlite3_stmt* second = nullptr;
  const int after = sqlite3_prepare_v2(connection(), rest, -1, &second, nullptr);
  const SqlStatement following(second, sqlite3_finalize);
  if (after == SQLITE_OK && second == nullptr) return Result<SqlStatement>(std::move(statement));
  return wrong("one statement at a time: something follows the first", place_in(sql, static_cast<int>(rest - sql.c_str())));
}

const SqlColumn* SqlSession::origin(sqlite3_stmt* statement, int column) const {
  const char* table = sqlite3_column_table_name(statement, column);
  const char* name = sqlite3_column_origin_name(statement, column);
  if (table == nullptr || name == nullptr) return nullptr;
  for (const SqlTable& each : tables_) {
    if (each.name != table) continue;
    for (const SqlColumn& known : each.columns) {
      if (known.info.name == name) return &known;
    }
  }
  return nullptr;
}

Error SqlSession::error(const std::string& sql) const {
  const int code = sqlite3_errcode(connection());
  if (code == SQLITE_NOMEM) return wrong("the query takes more memory than the 1 GB that queries may");
  if (code == SQLITE_TOOBIG) return wrong("the query makes a value of more than 16 MB, or is too long itself");
  if (code == SQLITE_AUTH) return wrong("not allowed: a query may read the profile's tables and nothing else");
  return wrong(sqlite3_errmsg(connection()), place_in(sql, sqlite3_error_offset(connection())));
}

}  // namespace sightline

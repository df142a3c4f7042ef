// SqlSession: a connection in memory that knows the tables and views of one profile, and then lets nothing be changed.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "sharing/sql_tables.h"

namespace sightline {

using SqlStatement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

class SqlSession {
 public:
  explicit SqlSession(const Profile& profile);  // outlives the session
  SqlSession(const SqlSession&) = delete;

  sqlite3* connection() const { return connection_.get(); }

  // The one statement of the text; an error has its place.
  Result<SqlStatement> prepare(const std::string& sql) const;

  // The column of a table that the statement's column shows as it is, in a view too; null when it is computed.
  const SqlColumn* origin(sqlite3_stmt* statement, int column) const;

  // What the connection complained of last, with the place in `sql`.
  Error error(const std::string& sql) const;

  const std::vector<SqlTable>& tables() const { return tables_; }

 private:
  std::vector<SqlTable> tables_;
  std::unique_ptr<sqlite3, decltype(&sqlite3_close)> connection_;
};

}  // namespace sightline

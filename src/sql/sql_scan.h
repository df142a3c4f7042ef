// The profile's tables as tables of a DuckDB database, by their names.
#pragma once

#include <memory>
#include <vector>

#include "model/profile.h"
#include "sql/duckdb_library.h"
#include "sql/sql_tables.h"

namespace sightline::sql {

class SqlScan {
 public:
  // Of no profile: all tables are there, and empty.
  explicit SqlScan(const duckdb::Library& library);
  SqlScan(const SqlScan&) = delete;

  // Makes tables and views known. False: there is no memory. The scan outlives the database.
  bool add_to(duckdb::Handle database, duckdb::Handle connection);

  // From now on the tables are those of this profile, which outlives the scan.
  void use(const Profile& profile);

  // While it is on, the type of a column has the alias `table.column`: what a statement that is prepared meanwhile shows as it is
  // keeps it. Such a statement is not run.
  void name_types(bool on) { names_types_ = on; }

  const duckdb::Library& library() const { return library_; }
  duckdb::Handle connection() const { return connection_; }
  const SqlTexts& texts() const { return *texts_; }
  const SqlTable* find(std::string_view table) const;
  bool names_types() const { return names_types_; }

 private:
  const duckdb::Library& library_;
  std::vector<SqlTable> tables_;
  std::unique_ptr<SqlTexts> texts_;
  duckdb::Handle connection_ = nullptr;
  bool names_types_ = false;
};

}  // namespace sightline::sql

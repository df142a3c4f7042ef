// The DuckDB database that every query begins with: opened once, with all tables but no rows. Each query runs in a fork of the
// program, which inherits the database.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "sql/duckdb_library.h"
#include "sql/sql_tables.h"

namespace sightline::sql {

// ---- tables ----

// The tables of a profile, by name, as tables of a DuckDB database.
class SqlScan {
 public:
  // Without a profile: all tables exist and are empty.
  explicit SqlScan(const duckdb::Library& library);
  SqlScan(const SqlScan&) = delete;

  // Adds the tables and views to a database. False: the memory is full. The scan must outlive the database.
  bool add_to(duckdb::Handle database, duckdb::Handle connection);

  // From now on the tables are those of this profile, which must outlive the scan.
  void use(const Profile& profile);

  // While it is on, the type of a column has the alias
  // `table.column`. A statement that is prepared then keeps the
  // alias for columns that it returns unchanged; it must not be run.
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

// ---- the database ----

struct SqlBounds {
  std::size_t rows = -1;             // most rows of the answer
  std::size_t bytes = -1;            // most bytes of the answer
  std::int64_t memory = 0;           // bytes that DuckDB may use before it writes to the folder
  std::int64_t temporary = 0;        // most bytes in the folder
  std::string folder{};              // for temporary files; it must exist
  std::vector<std::string> files{};  // that may be read
  unsigned threads = 1;
};

class SqlDatabase {
 public:
  // Opened at the first call. It has no threads, and only
  // children use it after that. unsupported: DuckDB is not
  // installed; unavailable: the database cannot be opened.
  static Result<SqlDatabase*> shared();

  // Call it once, in a child: connects the tables to the profile, runs the
  // statements in `first`, and locks the database: it can use only the files of
  // the bounds and those in the folder, and no setting can change. The error is
  // that of the statement that failed.
  Result<bool> use(const Profile& profile, const SqlBounds& bounds, const std::vector<std::string>& first);

  const duckdb::Library& library() const { return scan_.library(); }
  duckdb::Handle connection() const { return connection_; }
  SqlScan& scan() { return scan_; }

 private:
  explicit SqlDatabase(const duckdb::Library& library) : scan_(library) {}
  bool open(std::string& failure);
  Result<bool> run(const std::string& sql) const;

  SqlScan scan_;
  duckdb::Handle database_ = nullptr, connection_ = nullptr;  // never closed
};

}  // namespace sightline::sql

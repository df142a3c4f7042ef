// The DuckDB database that every query begins with: opened once, with all tables and no rows, so that a child has it as it is
// born and opens none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "sql/duckdb_library.h"
#include "sql/sql_scan.h"

namespace sightline::sql {

struct SqlBounds {
  std::size_t rows = -1;       // most of the answer
  std::size_t bytes = -1;      // most of the answer
  std::int64_t memory = 0;     // that DuckDB may take before it writes to the folder
  std::int64_t temporary = 0;  // most bytes in the folder
  std::string folder{};        // that is there
  unsigned threads = 1;
};

class SqlDatabase {
 public:
  // Opened when it is first asked for. It has no threads and is not touched again but in children. unsupported: there is no
  // DuckDB; unavailable: it cannot be opened.
  static Result<SqlDatabase*> shared();

  // In a child, once: the tables are the profile's, `variables` are the statements that set them, no file can be reached but
  // those in the folder, and nothing can be set any more. False: there is no memory.
  bool use(const Profile& profile, const SqlBounds& bounds, const std::vector<std::string>& variables);

  const duckdb::Library& library() const { return scan_.library(); }
  duckdb::Handle connection() const { return connection_; }
  SqlScan& scan() { return scan_; }

 private:
  explicit SqlDatabase(const duckdb::Library& library) : scan_(library) {}
  bool open(std::string& failure);
  bool run(const std::string& sql) const;

  SqlScan scan_;
  duckdb::Handle database_ = nullptr, connection_ = nullptr;  // never closed
};

}  // namespace sightline::sql

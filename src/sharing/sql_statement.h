// Answering one SELECT over the tables of one profile with DuckDB. To be called in a child of its own (bounded_child.h): what
// DuckDB limits itself is checked between its vectors of 2,048 rows, and a function on one vector can take minutes and gigabytes.
#pragma once

#include <cstdint>
#include <string>

#include "model/profile.h"
#include "sharing/duckdb_library.h"
#include "sharing/sql_wire.h"

namespace sightline {

struct SqlBounds {
  std::size_t rows = -1;       // most of the answer
  std::size_t bytes = -1;      // most of the answer
  std::int64_t memory = 0;     // that DuckDB may take before it writes to the folder
  std::int64_t temporary = 0;  // most bytes in the folder
  std::string folder{};        // that is there
  unsigned threads = 1;
};

// Sends the answer, or why there is none.
void answer_statement(const duckdb::Library& library, const Profile& profile, const std::string& sql, const SqlBounds& bounds,
                      SqlSender& to);

}  // namespace sightline

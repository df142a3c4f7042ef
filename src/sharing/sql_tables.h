// The tables of a profile as DuckDB scans them: each column where it lies, its type forgotten.
//
// What is copied: nothing of columns of 64 bits (times, sizes, reals), to which vectors refer as to Arrow's arrays. Per vector
// of 2,048 rows, while it is read: narrower numbers are widened (so that arithmetic is of 64 bits), texts become references to
// the profile's own, words of enumerations references to the program's, and a bitmap says what is unknown. No column is copied
// as a whole; per query there is a list of all texts, of 16 bytes each, once a column of texts is read.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "sharing/duckdb_library.h"

namespace sightline {

// The profile's texts as DuckDB refers to them, by StringId. `profile` outlives them.
class SqlTexts {
 public:
  explicit SqlTexts(const Profile& profile) : profile_(profile) {}
  const duckdb::Text* all() const;

 private:
  const Profile& profile_;
  mutable std::once_flag made_;
  mutable std::vector<duckdb::Text> texts_;
  mutable std::deque<std::string> repaired_;  // those whose bytes are not UTF-8
};

struct SqlColumn {
  ColumnInfo info;
  std::string_view type;  // shared_type_name
  int sql_type = duckdb::kBigInt;
  const char* arrow = nullptr;   // its format where vectors refer to the values, else null
  const void* values = nullptr;  // of Column<T>; null: the row's number
  // Writes `count` values from row `first` on; null where vectors refer to them.
  void (*write)(const SqlColumn&, const SqlTexts&, std::size_t first, std::size_t count, void* out) = nullptr;
  // Clears the bits of values that are unknown; `bits` gives the bitmap, and is called only when there are any.
  void (*mark)(const SqlColumn&, std::size_t first, std::size_t count, const std::function<std::uint64_t*()>& bits) = nullptr;
};

struct SqlTable {
  std::string_view name;
  std::size_t rows = 0;
  std::vector<SqlColumn> columns{};  // `id` first
};

// In the order of tables.h. `profile` outlives them.
std::vector<SqlTable> sql_tables(const Profile& profile);

}  // namespace sightline

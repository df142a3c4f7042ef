// The tables of a profile as DuckDB scans them: each column where it lies, its type forgotten.
//
// What is copied: nothing of columns of 64 bits (times, sizes, reals), to which vectors refer as to Arrow's arrays. Per vector
// of 2,048 rows, while it is read: narrower numbers are widened (so that arithmetic is of 64 bits), texts become references to
// the profile's own, words of enumerations references to the program's, and a bitmap says what is unknown. A view follows its
// references row by row and takes the values from where they lead, instead of joining tables. No column is copied
// as a whole; per query there is a list of all texts, of 16 bytes each, once a column of texts is read.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "sql/duckdb_library.h"

namespace sightline::sql {

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
  // Where the bitmap of a vector is; asked for when a value is unknown.
  using Bits = std::function<std::uint64_t*()>;

  std::string_view name;
  std::string origin{};       // table.column whose values it shows as they are; empty: computed
  std::string_view row_of{};  // the table whose rows it has
  int sql_type = duckdb::kBigInt;
  const char* arrow = nullptr;   // its format where vectors refer to the values, else null
  const void* values = nullptr;  // of Column<T>; null: the row's number
  // Writes `count` values from row `first` on; null where vectors refer to them.
  void (*write)(const SqlColumn&, const SqlTexts&, std::size_t first, std::size_t count, void* out) = nullptr;
  // Clears the bits of values that are unknown; null: all are known.
  void (*mark)(const SqlColumn&, std::size_t first, std::size_t count, const Bits& bits) = nullptr;
  // Writes the values of these rows; all of kNoRow is unknown.
  void (*gather)(const SqlColumn&, const SqlTexts&, std::span<const Row> rows, void* out, const Bits& bits) = nullptr;
  std::vector<const Row*> path{};  // of a view: from its row over references to the row that has the value
  std::shared_ptr<const std::vector<std::int64_t>> own{};  // of what is computed: the values
};

struct SqlTable {
  std::string_view name;
  std::size_t rows = 0;              // that are looked at
  std::vector<SqlColumn> columns{};  // `id` first
  bool is_view = false;              // read by `gather`
  // Of a view that takes some of its rows: where the slice is, and which kinds of it are taken, a bit each.
  std::vector<const Row*> only_path{};
  const SliceKind* only_of = nullptr;
  std::uint32_t only_kinds = 0;
};

// In the order of table_list.h, and behind them the views. `profile` outlives them.
std::vector<SqlTable> sql_tables(const Profile& profile);

}  // namespace sightline::sql

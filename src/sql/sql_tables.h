// The tables that can be queried: tables of a profile, views over them for people, example queries, and the columns as DuckDB
// reads them.
//
// Columns of 64 bits (times, sizes, reals) are not copied: DuckDB vectors refer to them like to Arrow's arrays. Other columns are
// converted while they are read, per vector of 2,048 rows: narrower numbers are widened (so arithmetic has 64 bits), texts become
// references to the profile's texts, words of enumerations become references to the program's words, and a bitmap marks unknown
// values. A view follows its references row by row to the values, instead of joining tables. No whole column is copied; a query
// that reads a column of texts makes one list of all texts, with 16 bytes for each.
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
#include "model/unit.h"
#include "sql/duckdb_library.h"

namespace sightline::sql {

// ---- the schema ----

struct SqlViewColumn {
  std::string_view name;
  std::string_view shows;  // "s.name" shows a column as it is; "l.last - l.first" is computed
  std::string_view doc{};  // where that of the shown column does not fit
};

struct SqlReference {
  char letter;              // the row's name in the view
  std::string_view column;  // the column that refers to it, such as "w.slice"; without a row, all its values are unknown
};

// In views of device_work, the row's place in the WorkOrder.
inline constexpr char kOrderOfWork = 't';

// The rows of one table, with columns of the rows that they refer to.
struct SqlView {
  std::string_view name;
  std::string_view doc;
  char letter;
  std::string_view table;
  std::span<const SqlReference> references;
  std::span<const SqlViewColumn> columns;
  std::span<const SliceKind> kinds{};  // only rows whose `s` is one of them; empty: all
};

std::span<const SqlView> sql_views();

struct SqlExample {
  std::string_view title;
  std::string_view sql;
};

// Each works on every profile, perhaps with an empty answer.
std::span<const SqlExample> sql_examples();

// A column as a query sees it. A column of a view has the unit and meaning of the column that it shows.
struct SchemaColumn {
  std::string name;
  std::string type{};  // shared_type_name, or empty
  Unit unit = Unit::none;
  std::string doc{};
  std::string row_of{};  // the table whose `id` it holds, or empty
};

struct SchemaTable {
  std::string name;
  std::string doc;
  bool is_view = false;
  std::size_t rows = 0;  // of a table
  std::vector<SchemaColumn> columns{};
};

// Views first. Works without DuckDB.
std::vector<SchemaTable> sql_schema(const Profile& profile);

// Whether a table or view with this name exists and has rows.
bool has_rows(const Profile& profile, std::string_view table);

// ---- columns as DuckDB reads them ----

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
  // Returns the bitmap of a vector; called only when a value is unknown.
  using Bits = std::function<std::uint64_t*()>;

  std::string_view name;
  std::string origin{};       // the table.column that it shows unchanged; empty: computed, and it has no unit
  std::string_view row_of{};  // the table whose rows it has
  int sql_type = duckdb::kBigInt;
  const char* arrow = nullptr;   // its format where vectors refer to the values, else null
  const void* values = nullptr;  // of Column<T>; null: the row's number
  // Writes `count` values from row `first` on; null where vectors refer to them.
  void (*write)(const SqlColumn&, const SqlTexts&, std::size_t first, std::size_t count, void* out) = nullptr;
  // Clears the bits of values that are unknown; null: all are known.
  void (*mark)(const SqlColumn&, std::size_t first, std::size_t count, const Bits& bits) = nullptr;
  // Writes the values of these rows; a value of kNoRow is unknown.
  void (*gather)(const SqlColumn&, const SqlTexts&, std::span<const Row> rows, void* out, const Bits& bits) = nullptr;
  std::vector<const Row*> path{};  // of a view: from its row over references to the row that has the value
  std::shared_ptr<const std::vector<std::int64_t>> own{};  // the values of a computed column
  std::function<void()> compute{};                         // computes values or path; call it before they are read
};

struct SqlTable {
  std::string_view name;
  std::size_t rows = 0;              // that are looked at
  std::vector<SqlColumn> columns{};  // `id` first
  bool is_view = false;              // read by `gather`
  // Of a view of only some rows: the path to the slice, and a bit for each kind that the view contains.
  std::vector<const Row*> only_path{};
  const SliceKind* only_of = nullptr;
  std::uint32_t only_kinds = 0;
};

// In the order of table_list.h, and behind them the views. `profile` outlives them.
std::vector<SqlTable> sql_tables(const Profile& profile);

}  // namespace sightline::sql

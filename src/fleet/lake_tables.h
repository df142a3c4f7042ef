// The tables of a lake: what each table holds and its columns, each declared once. `map` writes those of a shard; the reduction
// (src/fleet/sql/reduce) writes those of the whole capture.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/unit.h"

namespace sightline::fleet {

enum class LakeType : std::uint8_t { integer, text, flag };

// In SQL.
constexpr std::string_view sql_type(LakeType type) {
  return type == LakeType::integer ? "BIGINT" : type == LakeType::text ? "VARCHAR" : "BOOLEAN";
}

// How a column of integers is stored: as numbers of its distinct values, or as differences of neighbours.
enum class Stored : std::uint8_t { distinct, differences };

struct LakeColumn {
  std::string_view name;
  LakeType type;
  Unit unit;
  std::string_view doc;
  Stored stored = Stored::distinct;
};

struct LakeTableInfo {
  std::string_view name, doc;
  std::span<const LakeColumn> columns;
  std::string_view order = {};  // columns by which a table of the whole capture is sorted; empty: its files are of shards
  bool gathered = false;        // of shards, and then of the whole capture: views need it often, and many small files are slow

  bool is_mapped() const { return order.empty() || gathered; }
  bool is_reduced() const { return !order.empty(); }
};

std::span<const LakeTableInfo> lake_tables();
const LakeTableInfo& lake_table(std::string_view name);       // REQUIRES: there is one
const LakeTableInfo* find_lake_table(std::string_view name);  // nullptr: no table has the name
std::vector<std::string> lake_table_names();

// Changes with the names, types or order of columns.
std::string schema_fingerprint();

// The rows of a Parquet file on this machine. unreadable: not a Parquet file.
Result<std::int64_t> rows_of_file(const std::string& path);

// The declared columns that a Parquet file on this machine lacks, except those that were added later (model/lake_columns.h).
Result<std::vector<std::string>> columns_missing(const LakeTableInfo& table, const std::string& path);

// All tables as a document.
std::string lake_tables_markdown();

// Rows of one table as they are written to a Parquet file in memory.
class LakeWriter {
 public:
  explicit LakeWriter(const LakeTableInfo& table);
  ~LakeWriter();
  LakeWriter(LakeWriter&&) noexcept;

  // The next row, column by column. kUnknown and an empty text are unknown.
  template <typename... Values>
  void add(const Values&... values) {
    begin_row(sizeof...(values));
    (put(values), ...);
  }

  std::int64_t rows() const { return rows_; }

  // The bytes of the file. Call it once.
  Result<std::string> finish();

 private:
  struct File;

  void begin_row(std::size_t columns);
  void put(std::int64_t value);
  void put(std::string_view value);
  void put(bool value);
  void put(const std::string& value) { put(std::string_view(value)); }
  void put(const char* value) { put(std::string_view(value)); }
  void put(std::uint32_t value) { put(std::int64_t{value}); }

  const LakeTableInfo* table_;
  std::unique_ptr<File> file_;
  std::int64_t rows_ = 0;
  std::size_t next_ = 0;  // column
};

}  // namespace sightline::fleet

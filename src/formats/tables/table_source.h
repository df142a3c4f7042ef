// TableSource: the tables of an export, whether it is a SQLite database or a folder with one Parquet file for each table. They
// are read by the names of their columns, row by row.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/reader.h"
#include "model/profile.h"

namespace sightline::formats {

class TableSource {
 public:
  // The current row; columns are numbered in the order of the request.
  class Row {
   public:
    virtual ~Row() = default;
    virtual std::int64_t integer(int column) const = 0;   // kUnknown if it is not a whole number
    virtual double real(int column) const = 0;            // NaN if the cell is empty or no number
    virtual std::string_view text(int column) const = 0;  // valid until the next row
  };
  using Take = std::function<void(const Row&)>;

  virtual ~TableSource() = default;

  static Result<std::unique_ptr<TableSource>> open_database(const std::string& path, ReadProgress* progress);
  // A folder of files TABLE.parquet.
  static Result<std::unique_ptr<TableSource>> open_folder(const std::string& path, ReadProgress* progress);

  virtual std::vector<std::string> tables() const = 0;
  virtual bool has(std::string_view table) const = 0;
  // Whether the table has a row; reads no more than one. Damage counts as none.
  virtual bool has_rows(std::string_view table) = 0;

  // Calls take(row) for each row of a table. A column that is missing is empty; it may be given as "new|old". No rows if the
  // table does not exist. Damage ends the rows, and report() tells it; the memory limit of the progress ends them too.
  virtual void each(std::string_view table, std::span<const std::string_view> columns, const Take& take) = 0;
  void each(std::string_view table, std::initializer_list<std::string_view> columns, const Take& take) {
    each(table, std::span(columns.begin(), columns.size()), take);
  }

  // Adds a problem if any row could not be read. Call it after the last each().
  virtual void report(Profile& profile) const = 0;
};

}  // namespace sightline::formats

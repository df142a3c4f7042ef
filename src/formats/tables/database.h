// Database: a SQLite file of a profile, opened so that nothing is ever written to it or beside it. Its tables are read by the
// names of their columns: versions add and rename some, and other tools add their own.
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

struct sqlite3;
struct sqlite3_stmt;

namespace sightline::formats {

class Database {
 public:
  // unreadable or malformed, with the system's or SQLite's reason. `progress`: see follow_progress.
  static Result<Database> open(const std::string& path, ReadProgress* progress);

  // The row of a query; columns are numbered in the order of the request.
  class Row {
   public:
    explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
    std::int64_t integer(int column) const;  // of a number or a text that is a number; else kUnknown
    double real(int column) const;           // NaN if there is none
    // As integer(), but nullopt for every text: a text is not a number that names a text.
    std::optional<std::int64_t> number(int column) const;
    // Valid until the next row. Points at a byte even if it is empty: NULL, an empty blob, or an empty text.
    std::string_view text(int column) const;

   private:
    sqlite3_stmt* statement_;
  };

  bool has(std::string_view table) const;
  // Whether it has a row; reads no more than one. Damage counts as none.
  bool has_rows(std::string_view table) const;

  // The names of all tables, in the order in which they were made.
  std::vector<std::string> tables() const;

  // Calls take(row) for each row of a table with the requested columns, missing ones as null; a column may be given as
  // "new|old". No rows if the table does not exist. Damage ends the rows and is kept in damage(); the memory limit of the
  // progress ends them too.
  void each(std::string_view table, std::span<const std::string_view> columns, const std::function<void(const Row&)>& take);
  void each(std::string_view table, std::initializer_list<std::string_view> columns,
            const std::function<void(const Row&)>& take) {
    each(table, std::span(columns.begin(), columns.size()), take);
  }

  const std::string& path() const { return path_; }

  bool is_damaged() const { return !damage_.empty(); }

  // Adds a problem if any row could not be read. Call it after the last each().
  void report(Profile& profile) const;

 private:
  Error reason(ErrorCode code) const;

  std::unique_ptr<sqlite3, void (*)(sqlite3*)> file_{nullptr, nullptr};
  std::string path_;
  Message damage_;
  ReadProgress* progress_ = nullptr;  // may be null
};

}  // namespace sightline::formats

// Database: a SQLite file of a profile, opened so that nothing is ever written into or beside it, and its tables read by the
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
#include <unordered_map>

#include "base/result.h"
#include "formats/reader.h"
#include "model/profile.h"

struct sqlite3;
struct sqlite3_stmt;

namespace sightline::formats::ascend {

class Database {
 public:
  // unreadable or malformed, with the system's or SQLite's reason. `progress`: see follow_progress.
  static Result<Database> open(const std::string& path, ReadProgress* progress);

  // The row of a query; columns are numbered as they were asked for.
  class Row {
   public:
    explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
    std::int64_t integer(int column) const;  // of a number or a text that is one; else kUnknown
    double real(int column) const;           // NaN when there is none
    // As integer(), but nullopt of any text: it is no number by which a text is named.
    std::optional<std::int64_t> number(int column) const;
    std::string_view text(int column) const;  // valid until the next row

   private:
    sqlite3_stmt* statement_;
  };

  bool has(std::string_view table) const;

  // Calls take(row) for each row of a table, which has the columns asked for, absent ones as null; a column may be given as
  // "new|old". No such table: no rows. Damage ends the rows and is kept in damage(); the memory limit of the progress ends them
  // as well.
  void each(std::string_view table, std::span<const std::string_view> columns, const std::function<void(const Row&)>& take);
  void each(std::string_view table, std::initializer_list<std::string_view> columns,
            const std::function<void(const Row&)>& take) {
    each(table, std::span(columns.begin(), columns.size()), take);
  }

  const std::string& path() const { return path_; }

  bool is_damaged() const { return !damage_.empty(); }

  // A problem when any row could not be read; to be called after the last each().
  void report(Profile& profile) const;

 private:
  Error reason(ErrorCode code) const;

  std::unique_ptr<sqlite3, void (*)(sqlite3*)> file_{nullptr, nullptr};
  std::string path_, damage_;
  ReadProgress* progress_ = nullptr;  // may be null
};

}  // namespace sightline::formats::ascend

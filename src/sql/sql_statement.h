// The answer to one SELECT over the tables of one profile, and its way from the child process to the parent: columns, pieces of
// rows, and how it ended.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "model/string_pool.h"
#include "sql/sql_database.h"
#include "sql/sql_parameters.h"

namespace sightline::sql {

// ---- the answer on its way ----

enum class SqlKind : std::uint8_t { integer, wide, real, flag, text };  // wide: an integer of 128 bits

struct SqlAnswerColumn {
  std::string name;
  SqlKind kind = SqlKind::text;
  std::string origin;  // table.column whose values it shows as they are, or empty
};

enum class SqlCut : std::uint8_t { none, rows, bytes };  // the limit that cut an answer

__extension__ using WideInteger = __int128;

// A text with its number: the same text has the same number in one answer, and numbers are small.
struct SqlWord {
  std::uint32_t number = 0;
  std::string_view text;
};

// One cell: monostate is unknown.
using SqlValue = std::variant<std::monostate, std::int64_t, WideInteger, double, bool, std::string_view, SqlWord>;

// What a limit of bytes counts.
std::size_t bytes_of(const SqlValue& value);

// Sends most texts once, and then their numbers.
class SqlSender {
 public:
  explicit SqlSender(std::function<bool(std::string_view)> out) : out_(std::move(out)) {}

  // False: the reader has left.
  bool columns(const std::vector<SqlAnswerColumn>& columns);
  void add(const SqlValue& value);  // row by row; no SqlWord
  bool flush();                     // sends the values added so far, if they are long enough
  bool end(SqlCut cut);
  bool fail(const Error& error);

 private:
  bool send(char kind, std::string_view text);
  void add_text(std::string_view text);

  std::function<bool(std::string_view)> out_;
  std::string values_;
  StringPool words_;
};

// Takes the bytes as they come. A text is a SqlWord, or a string_view if it has no number.
class SqlReceiver {
 public:
  std::function<void(std::vector<SqlAnswerColumn>)> columns;
  std::function<void(const SqlValue&)> value;

  // False: it has ended.
  bool take(std::string_view bytes);

  std::optional<SqlCut> ended;
  std::optional<Error> failed;

 private:
  void message(char kind, std::string_view text);
  SqlValue next_value(std::string_view& from);

  std::string waiting_;
  StringPool words_;  // the sender's: the same texts in the same order have the same numbers
};

// ---- statements ----

// Sends the answer, or the error. Call it in a child (bounded_child.h):
// DuckDB checks its limits only between vectors of 2,048 rows, and a
// function on one vector can take minutes and gigabytes.
void answer_statement(SqlDatabase& database, const Profile& profile, const SqlText& sql, const SqlBounds& bounds, SqlSender& to);

}  // namespace sightline::sql

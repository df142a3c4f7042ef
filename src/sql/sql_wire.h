// An answer on its way from the child that computes it (sql_statement.h): columns, pieces of rows, and how it ended.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace sightline::sql {

enum class SqlKind : std::uint8_t { integer, wide, real, flag, text };  // wide: an integer of 128 bits

struct SqlAnswerColumn {
  std::string name;
  SqlKind kind = SqlKind::text;
  std::string origin;  // table.column whose values it shows as they are, or empty
};

enum class SqlCut : std::uint8_t { none, rows, bytes };  // by which limit an answer is not whole

__extension__ using WideInteger = __int128;

// One cell: monostate is unknown.
using SqlValue = std::variant<std::monostate, std::int64_t, WideInteger, double, bool, std::string_view>;

class SqlSender {
 public:
  explicit SqlSender(std::function<bool(std::string_view)> out) : out_(std::move(out)) {}

  // False: the reader has left.
  bool columns(const std::vector<SqlAnswerColumn>& columns);
  void add(const SqlValue& value);  // row by row
  bool flush();                     // what was added so far, when it is long enough to be sent
  bool end(SqlCut cut);
  bool fail(const Error& error);

 private:
  bool send(char kind, std::string_view text);

  std::function<bool(std::string_view)> out_;
  std::string values_;
};

// Takes the bytes as they come.
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

  std::string waiting_;
};

}  // namespace sightline::sql

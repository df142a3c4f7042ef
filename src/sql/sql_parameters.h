// Parameters of a statement: `$name` in its text becomes a variable of DuckDB, which the child sets before it runs the statement.
// A value is never part of the statement's text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"

namespace sightline::sql {

struct SqlParameter {
  std::string name;                                                       // a letter, then letters, digits and _
  std::variant<std::monostate, std::int64_t, bool, std::string> value{};  // monostate: unknown (NULL)
};

struct SqlText {
  struct Replaced {
    std::size_t at;      // byte in `sql` where it begins
    std::size_t longer;  // bytes more than in the text as it was written
  };
  std::string written;                   // by the author; errors name places in it
  std::string sql;                       // to be prepared
  std::vector<std::string> variables{};  // statements that set them, to be run first
  std::vector<Replaced> replaced{};

  // The place of a byte of `sql` in the original text, such as "line 2, column 7"; columns count bytes.
  std::string place(std::size_t offset) const;
};

// invalid_argument: the text names an unknown parameter (`where` is its place), or a value contains a zero byte.
Result<SqlText> with_parameters(const std::string& written, std::span<const SqlParameter> parameters);

}  // namespace sightline::sql

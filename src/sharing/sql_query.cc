// Running one statement, and its rows as a report's table. SQLite types values, not columns: a column of integers and reals is
// one of reals, and one that holds any text is one of text.
#include "sharing/sql_query.h"

#include <sqlite3.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>

#include "base/whole_number.h"
#include "sharing/shared_tables.h"
#include "sharing/sql_schema.h"
#include "sharing/sql_session.h"

namespace sightline {

namespace {

constexpr int kOperationsPerLook = 10'000;  // of SQLite's machine, between looks at the clock

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Watch {
  const SqlLimits& limits;
  Clock::time_point start = Clock::now();
  bool stopped = false;
  bool late = false;

  int look() {
    late = limits.seconds > 0 && seconds_since(start) > limits.seconds;
    stopped = limits.stop && limits.stop();
    return late || stopped ? 1 : 0;
  }
};

Cell cell_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT: {
      const double value = sqlite3_column_double(statement, column);
      return std::isfinite(value) ? Cell(value) : Cell();
    }
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
    case SQLITE_BLOB: return std::to_string(sqlite3_column_bytes(statement, column)) + " bytes";
    default: return {};
  }
}

template <typename Number>
std::string number_text(Number number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::string as_text(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return number_text(*integer);
  if (const auto* real = std::get_if<double>(&cell)) return number_text(*real);
  return std::get<std::string>(cell);
}

CellType type_of(const std::vector<Cell>& cells) {
  CellType type = CellType::integer;
  bool any = false;
  for (const Cell& cell : cells) {
    const auto* integer = std::get_if<std::int64_t>(&cell);
    const bool large = integer != nullptr && (*integer > kMostExactReal || *integer < -kMostExactReal);
    if (std::holds_alternative<std::string>(cell) || large) return CellType::text;
    if (std::holds_alternative<double>(cell)) type = CellType::real;
    any = any || !is_unknown(cell);
  }
  return any ? type : CellType::text;
}

Cells typed(const std::vector<Cell>& cells, CellType type) {
  Cells values;
  for (const Cell& cell : cells) {
    if (is_unknown(cell)) {
      values.push_back({});
    } else if (type == CellType::text) {
      values.push_back(as_text(cell));
    } else if (type == CellType::flag) {
      values.push_back(std::get<std::int64_t>(cell) != 0);
    } else if (const auto* integer = std::get_if<std::int64_t>(&cell); integer != nullptr && type == CellType::real) {
      values.push_back(static_cast<double>(*integer));
    } else {
      values.push_back(cell);
    }
  }
  return values;
}

// What a computed column is in, when its name says so: total_ns.
Unit unit_in_name(std::string_view name) {
  if (name.ends_with("_ns")) return Unit::ns;
  if (name.ends_with("_bytes")) return Unit::bytes;
  if (name.ends_with("_share")) return Unit::share;
  if (name.ends_with("_percent")) return Unit::percent;
  return Unit::none;
}

ReportColumn column_of(const std::string& name, const std::optional<SqlColumn>& origin, const std::vector<Cell>& cells) {
  ReportColumn column;
  column.key = column.title = name;
  column.unit = unit_in_name(name);
  column.type = type_of(cells);
  if (origin) {
    column.unit = origin->info.unit;
    column.doc = std::string(origin->info.doc);
    if (origin->type == "bool" && column.type == CellType::integer) column.type = CellType::flag;
  }
  if (column.type == CellType::text) {
    column.unit = Unit::none;
    column.role = ColumnRole::label;
    column.code = true;
  }
  column.values = typed(cells, column.type);
  return column;
}

// Names as keys: each once.
std::string unused(std::string name, std::set<std::string>& used) {
  std::string key = name;
  for (int i = 2; !used.insert(key).second; ++i) key = name + "_" + std::to_string(i);
  return key;
}

// The rows of one statement on one profile after another, and where each column comes from.
class Gathered {
 public:
  Gathered(const std::vector<std::string>& name_columns, const std::string& sql, const SqlLimits& limits)
      : names_(name_columns), sql_(sql), limits_(limits), watch_{limits} {
    cells_.resize(names_.size());
  }

  bool full() const { return more_; }

  // REQUIRES: not full.
  Result<bool> add(const Profile& profile, const std::vector<std::string>& names) {
    const SqlSession session(profile);
    sqlite3_progress_handler(
        session.connection(), kOperationsPerLook, [](void* of) { return static_cast<Watch*>(of)->look(); }, &watch_);
    const Result<SqlStatement> prepared = session.prepare(sql_);
    if (!prepared) return prepared.error();
    sqlite3_stmt* statement = prepared->get();
    if (columns_.empty()) find_columns(session, statement);
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      more_ = limits_.rows != 0 && rows_ == limits_.rows;
      if (more_) break;
      for (std::size_t i = 0; i < names.size(); ++i) cells_[i].emplace_back(names[i]);
      for (std::size_t i = 0; i < columns_.size(); ++i)
        cells_[names_.size() + i].push_back(cell_of(statement, static_cast<int>(i)));
      ++rows_;
    }
    if (watch_.stopped) return Error{ErrorCode::cancelled, "nobody waits for the answer any more", ""};
    if (watch_.late) {
      return Error{ErrorCode::invalid_argument,
                   "stopped after the " + number_text(limits_.seconds) + " seconds that a query may take: ask for less", ""};
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE) return session.error(sql_);
    return true;
  }

  SqlAnswer answer() && {
    SqlAnswer answer{.table = {.key = "result", .title = "Result"}, .more = more_, .seconds = seconds_since(watch_.start)};
    std::set<std::string> used;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const bool named = i < names_.size();
      const Origin none;
      const Origin& from = named ? none : columns_[i - names_.size()];
      answer.table.columns.push_back(column_of(unused(named ? names_[i] : from.name, used), from.column, cells_[i]));
      cells_[i] = {};
    }
    return answer;
  }

 private:
  struct Origin {
    std::string name;
    std::optional<SqlColumn> column;
  };

  void find_columns(const SqlSession& session, sqlite3_stmt* statement) {
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const SqlColumn* from = session.origin(statement, i);
      columns_.push_back({sqlite3_column_name(statement, i), from == nullptr ? std::nullopt : std::optional(*from)});
    }
    cells_.resize(names_.size() + columns_.size());
  }

  const std::vector<std::string>& names_;
  const std::string& sql_;
  const SqlLimits& limits_;
  Watch watch_;
  std::vector<Origin> columns_;
  std::vector<std::vector<Cell>> cells_;  // by column, those of the names first
  std::size_t rows_ = 0;
  bool more_ = false;
};

}  // namespace

Result<SqlAnswer> query_profile(const Profile& profile, const std::string& sql, const SqlLimits& limits) {
  const std::vector<std::string> none;
  Gathered gathered(none, sql, limits);
  const Result<bool> added = gathered.add(profile, none);
  if (!added) return added.error();
  return std::move(gathered).answer();
}

Result<SqlAnswer> query_profiles(const std::vector<SqlSource>& sources, const std::vector<std::string>& name_columns,
                                 const std::string& sql, const SqlLimits& limits) {
  Gathered gathered(name_columns, sql, limits);
  for (const SqlSource& source : sources) {
    if (gathered.full()) break;
    const Result<std::shared_ptr<const Profile>> profile = source.open();
    if (!profile) return profile.error();
    const Result<bool> added = gathered.add(**profile, source.names);
    if (!added) return added.error();
  }
  return std::move(gathered).answer();
}

std::vector<ShownTable> sql_schema(const Profile& profile) {
  const SqlSession session(profile);
  std::vector<ShownTable> shown;
  for (const SqlView& view : sql_views()) {
    ShownTable table{.name = std::string(view.name), .doc = std::string(view.doc), .is_view = true};
    const Result<SqlStatement> all = session.prepare("SELECT * FROM " + table.name);
    for (int i = 0; all && i < sqlite3_column_count(all->get()); ++i) {
      ShownColumn column{.name = sqlite3_column_name(all->get(), i)};
      if (const SqlColumn* origin = session.origin(all->get(), i)) {
        column.type = origin->type;
        column.unit = origin->info.unit;
        column.doc = std::string(origin->info.doc);
      }
      table.columns.push_back(std::move(column));
    }
    shown.push_back(std::move(table));
  }
  for (const SqlTable& each : session.tables()) {
    ShownTable table{.name = std::string(each.name), .doc = std::string(table_doc(each.name)), .rows = each.rows};
    for (const SqlColumn& column : each.columns) {
      table.columns.push_back(
          {std::string(column.info.name), std::string(column.type), column.info.unit, std::string(column.info.doc)});
    }
    shown.push_back(std::move(table));
  }
  return shown;
}

}  // namespace sightline

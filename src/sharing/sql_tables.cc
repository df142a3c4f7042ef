// The virtual table: a scan over a range of rows. Bounds on `id` and on columns that the rows are sorted by narrow the range, so
// that joins on row numbers are look-ups. SQLite checks each row again, so a bound may be wide but never too narrow.
#include "sharing/sql_tables.h"

#include <algorithm>
#include <limits>
#include <string>

#include "sharing/shared_tables.h"

namespace sightline {

namespace {

// ---- cells ----------------------------------------------------------------------------------------------

template <typename T>
const Column<T>& values(const SqlColumn& column) {
  return *static_cast<const Column<T>*>(column.column);
}

void answer_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

template <typename T>
void answer_cell(sqlite3_context* context, const SqlColumn& column, std::size_t row) {
  const T value = values<T>(column)[row];
  if (is_unknown_value(value)) return sqlite3_result_null(context);
  if constexpr (std::is_same_v<T, StringId>) {
    answer_text(context, column.profile->text(value));
  } else if constexpr (std::is_enum_v<T>) {
    answer_text(context, word_of(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    sqlite3_result_double(context, static_cast<double>(value));
  } else {
    sqlite3_result_int64(context, static_cast<sqlite3_int64>(value));
  }
}

template <typename T>
std::int64_t cell_number(const SqlColumn& column, std::size_t row) {
  return static_cast<std::int64_t>(values<T>(column)[row]);
}

SqlColumn row_number_column() {
  return {.info = kRowNumber,
          .type = shared_type_name<Row>(),
          .answer = [](sqlite3_context* context, const SqlColumn&,
                       std::size_t row) { sqlite3_result_int64(context, static_cast<sqlite3_int64>(row)); },
          .number = [](const SqlColumn&, std::size_t row) { return static_cast<std::int64_t>(row); }};
}

// ---- the module -----------------------------------------------------------------------------------------

struct VirtualTable : sqlite3_vtab {
  const SqlTable* table;
};

struct Cursor : sqlite3_vtab_cursor {
  std::size_t row = 0;
  std::size_t last = 0;
};

const SqlTable& table_of(sqlite3_vtab* table) { return *static_cast<VirtualTable*>(table)->table; }
const SqlTable& table_of(sqlite3_vtab_cursor* cursor) { return table_of(cursor->pVtab); }

std::string_view sql_type(std::string_view type) {
  if (type == "text") return "TEXT";
  return type.starts_with("float") ? "REAL" : "INTEGER";
}

int connect(sqlite3* connection, void* table, int, const char* const*, sqlite3_vtab** made, char**) {
  const auto* of = static_cast<const SqlTable*>(table);
  std::string declaration = "CREATE TABLE t(";
  for (const SqlColumn& column : of->columns) {
    if (&column != &of->columns.front()) declaration += ", ";
    declaration.append("\"").append(column.info.name).append("\" ").append(sql_type(column.type));
  }
  const int code = sqlite3_declare_vtab(connection, (declaration + ")").c_str());
  if (code != SQLITE_OK) return code;
  sqlite3_vtab_config(connection, SQLITE_VTAB_INNOCUOUS);
  auto* virtual_table = new VirtualTable{};
  virtual_table->table = of;
  *made = virtual_table;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<VirtualTable*>(table);
  return SQLITE_OK;
}

// One bound that the plan uses: its column (0 is `id`) and its operator, two bytes of the plan's text.
struct Bound {
  std::size_t column;
  int op;
};

bool is_bound(int op) {
  return op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE ||
         op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE;
}

// Slices stand by lane, and those of a lane by start: once the lane is fixed, a bound on the start is as good.
constexpr std::string_view kOuter = "lane", kInner = "start";

int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  const SqlTable& table = table_of(vtab);
  const bool nested = table.name == Slices::kName;
  const auto column_of = [](const auto& c) { return static_cast<std::size_t>(std::max(0, c.iColumn)); };  // -1 is the rowid
  bool lane_fixed = false;
  for (int i = 0; i < info->nConstraint && nested; ++i) {
    const auto& c = info->aConstraint[i];
    const std::size_t column = column_of(c);
    const bool equal = c.usable != 0 && c.op == SQLITE_INDEX_CONSTRAINT_EQ;
    lane_fixed = lane_fixed || (equal && table.columns[column].info.name == kOuter && table.sorted_by(column));
  }
  std::string plan;
  double rows = static_cast<double>(table.rows);
  bool one_row = false;
  // Bounds on the outer column come first in the plan.
  for (const bool inner : {false, true}) {
    for (int i = 0; i < info->nConstraint; ++i) {
      const auto& c = info->aConstraint[i];
      if (c.usable == 0 || !is_bound(c.op)) continue;
      const std::size_t column = column_of(c);
      const bool is_inner = nested && lane_fixed && table.columns[column].info.name == kInner;
      if (is_inner != inner || (!is_inner && !table.sorted_by(column))) continue;
      plan += static_cast<char>('A' + column);
      plan += static_cast<char>(c.op);
      info->aConstraintUsage[i].argvIndex = static_cast<int>(plan.size() / 2);
      const bool equal = c.op == SQLITE_INDEX_CONSTRAINT_EQ;
      one_row = one_row || (equal && column == 0);
      rows /= equal ? (nested ? 16 : 1e6) : 4;
    }
  }
  rows = one_row ? 1 : std::max(rows, 1.0);
  info->estimatedRows = static_cast<sqlite3_int64>(rows);
  info->estimatedCost = rows + (plan.empty() ? 0 : 1);
  if (one_row) info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
  if (info->nOrderBy == 1 && info->aOrderBy[0].iColumn <= 0 && info->aOrderBy[0].desc == 0) info->orderByConsumed = 1;
  if (plan.empty()) return SQLITE_OK;
  info->idxStr = sqlite3_mprintf("%s", plan.c_str());
  info->needToFreeIdxStr = 1;
  return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
  *cursor = new Cursor{};
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

// Narrows [first, last), in which the column ascends, to the rows that can hold the bound.
void narrow(const SqlColumn& column, int op, std::int64_t value, std::size_t& first, std::size_t& last) {
  // The first row with a number that is at least (or, `after`, more than) the value.
  const auto at = [&](bool after) {
    std::size_t low = first, high = last;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const std::int64_t number = column.number(column, middle);
      if (number < value || (after && number == value)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  const std::size_t from = at(op == SQLITE_INDEX_CONSTRAINT_GT);
  const std::size_t to = at(op == SQLITE_INDEX_CONSTRAINT_LE || op == SQLITE_INDEX_CONSTRAINT_EQ);
  if (op != SQLITE_INDEX_CONSTRAINT_LT && op != SQLITE_INDEX_CONSTRAINT_LE) first = from;
  if (op != SQLITE_INDEX_CONSTRAINT_GT && op != SQLITE_INDEX_CONSTRAINT_GE) last = to;
}

int filter(sqlite3_vtab_cursor* base, int, const char* plan, int count, sqlite3_value** bounds) {
  auto* cursor = static_cast<Cursor*>(base);
  const SqlTable& table = table_of(base);
  std::size_t first = 0, last = table.rows;
  bool all_narrowed = true;
  for (int i = 0; i < count; ++i) {
    const auto column = static_cast<std::size_t>(plan[2 * i] - 'A');
    const int type = sqlite3_value_type(bounds[i]);
    if (type == SQLITE_NULL) last = first;
    // What is no integer is left to SQLite. A column that ascends within a lane does so only once the lane is fixed.
    const bool sorted = table.sorted_by(column) || all_narrowed;
    if (type != SQLITE_INTEGER || !sorted) {
      all_narrowed = false;
      continue;
    }
    narrow(table.columns[column], plan[2 * i + 1], sqlite3_value_int64(bounds[i]), first, last);
  }
  cursor->row = first;
  cursor->last = std::max(first, last);
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
  ++static_cast<Cursor*>(cursor)->row;
  return SQLITE_OK;
}

int at_end(sqlite3_vtab_cursor* base) {
  const auto* cursor = static_cast<Cursor*>(base);
  return cursor->row >= cursor->last;
}

int column_value(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index) {
  const SqlColumn& column = table_of(cursor).columns[static_cast<std::size_t>(index)];
  column.answer(context, column, static_cast<Cursor*>(cursor)->row);
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = static_cast<sqlite3_int64>(static_cast<Cursor*>(cursor)->row);
  return SQLITE_OK;
}

// Without xCreate: a table that is there under the module's name and cannot be made otherwise.
sqlite3_module make_module() {
  sqlite3_module module{};
  module.xConnect = connect;
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = at_end;
  module.xColumn = column_value;
  module.xRowid = row_id;
  return module;
}

}  // namespace

bool SqlTable::sorted_by(std::size_t column) const {
  if (column == 0) return true;
  const SqlColumn& of = columns[column];
  // Those that tables stand by; looking at every column would read the whole profile.
  constexpr std::string_view kKeys[] = {"slice", "lane", "start", "time"};
  if (of.number == nullptr || std::find(std::begin(kKeys), std::end(kKeys), of.info.name) == std::end(kKeys)) return false;
  if (sorted_.empty()) sorted_.resize(columns.size());
  signed char& known = sorted_[column];
  if (known == 0) {
    known = 1;
    std::int64_t before = std::numeric_limits<std::int64_t>::min() + 1;  // unknown is less
    for (std::size_t row = 0; row < rows && known == 1; ++row) {
      const std::int64_t number = of.number(of, row);
      if (number < before || number == std::int64_t{kNoRow}) known = -1;
      before = number;
    }
  }
  return known == 1;
}

std::vector<SqlTable> sql_tables(const Profile& profile) {
  std::vector<SqlTable> tables;
  Profile::visit_tables(profile, [&](const auto& from) {
    SqlTable table;
    table.name = from.kName;
    table.rows = from.rows();
    table.columns.push_back(row_number_column());
    from.for_each_column([&]<typename T>(const ColumnInfo& info, const Column<T>& column) {
      SqlColumn made{.info = info, .type = shared_type_name<T>(), .answer = answer_cell<T>};
      if constexpr (std::is_integral_v<T>) made.number = cell_number<T>;
      made.column = &column;
      made.profile = &profile;
      table.columns.push_back(made);
    });
    tables.push_back(std::move(table));
  });
  return tables;
}

int add_sql_table(sqlite3* connection, const SqlTable& table) {
  static const sqlite3_module module = make_module();
  return sqlite3_create_module_v2(connection, std::string(table.name).c_str(), &module, const_cast<SqlTable*>(&table), nullptr);
}

}  // namespace sightline

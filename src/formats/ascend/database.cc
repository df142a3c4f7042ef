// SQLite over files that can only be read: see database_file.h.
#include "formats/ascend/database.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <set>

#include "base/input_file.h"
#include "formats/ascend/database_file.h"
#include "formats/trace_events/decimal.h"

namespace sightline::formats::ascend {

namespace {

constexpr int kLongestValue = 1 << 26;         // bytes of a text: more is damage
constexpr std::size_t kRowsPerLook = 1 << 13;  // at the memory that they take

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

// `code`, unless it says that there is no memory: what cannot be read for that is not damaged.
int check_memory(int code) {
  if ((code & 0xff) == SQLITE_NOMEM || code == SQLITE_IOERR_NOMEM) throw std::bad_alloc();
  return code;
}

Statement prepare(sqlite3* file, const std::string& query) {
  sqlite3_stmt* statement = nullptr;
  check_memory(sqlite3_prepare_v2(file, query.c_str(), static_cast<int>(query.size()), &statement, nullptr));
  return {statement, sqlite3_finalize};
}

// SQLITE_ROW while there are rows.
int step(const Statement& statement) { return check_memory(sqlite3_step(statement.get())); }

std::set<std::string, std::less<>> columns_of(sqlite3* file, std::string_view table) {
  std::set<std::string, std::less<>> names;
  const Statement info = prepare(file, fmt::format("PRAGMA table_info(\"{}\")", table));
  while (info && step(info) == SQLITE_ROW) {
    names.emplace(reinterpret_cast<const char*>(sqlite3_column_text(info.get(), 1)));
  }
  return names;
}

std::string_view text_of(sqlite3_value* cell) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(cell));
  return bytes == nullptr ? std::string_view{} : std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(cell)));
}

// Of a cell that is no text.
std::int64_t integer_of(sqlite3_value* cell) {
  switch (sqlite3_value_type(cell)) {
    case SQLITE_INTEGER: return sqlite3_value_int64(cell);
    case SQLITE_FLOAT: {
      const double value = sqlite3_value_double(cell);
      return std::abs(value) < 9e18 ? std::llround(value) : kUnknown;
    }
    default: return kUnknown;
  }
}

// What stands in the file under the name of a table. A view is a query of whoever made the file, which may never end; nothing is
// stored for a virtual table either.
enum class Stored { nothing, table, query };

Stored stored_as(sqlite3* file, std::string_view name) {
  const Statement entry = prepare(
      file,
      "SELECT type = 'table' AND rootpage > 0 FROM sqlite_master WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')");
  if (!entry) return Stored::nothing;
  sqlite3_bind_text(entry.get(), 1, name.data(), static_cast<int>(name.size()), SQLITE_TRANSIENT);
  if (step(entry) != SQLITE_ROW) return Stored::nothing;
  return sqlite3_column_int(entry.get(), 0) != 0 ? Stored::table : Stored::query;
}

// The first of "new|old" that is there, quoted; else NULL.
std::string chosen(std::string_view wanted, const std::set<std::string, std::less<>>& known) {
  while (true) {
    const std::size_t bar = wanted.find('|');
    const std::string_view name = wanted.substr(0, bar);
    if (known.contains(name)) return fmt::format("\"{}\"", name);
    if (bar == std::string_view::npos) return "NULL";
    wanted.remove_prefix(bar + 1);
  }
}

// How many bytes the file had when it was written, as its header says, where it does: SQLite itself takes a last page that is
// cut, and a file shorter than a header, for pages of zeros.
std::int64_t written_size(RawFile& file) {
  std::array<char, 100> head{};
  const Result<std::size_t> got = file.read(head.data(), head.size());
  if (!got || *got < head.size()) return kUnknown;
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(head[at + i]);
    return value;
  };
  const std::int64_t page = number(16, 2) == 1 ? 65536 : number(16, 2);
  const bool is_counted = number(24, 4) == number(92, 4);  // SQLite before 3.7 left the number of pages as it was
  return is_counted ? page * number(28, 4) : kUnknown;
}

}  // namespace

Result<Database> Database::open(const std::string& path, ReadProgress* progress) {
  const Result<std::unique_ptr<RawFile>> bytes = open_raw(path);  // says better than SQLite why not
  if (!bytes) return bytes.error();
  if ((*bytes)->size() == 0) return Error{ErrorCode::malformed, "the file is empty", path + ":0"};
  const std::int64_t written = written_size(**bytes);
  sqlite3* file = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &file, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, database_file_system());
  Database database;
  database.file_ = {file, [](sqlite3* open) { sqlite3_close(open); }};
  database.path_ = path;
  if ((*bytes)->size() < written) database.damage_ = fmt::format("it has only {} of its {} bytes", (*bytes)->size(), written);
  database.progress_ = progress;
  if (file == nullptr) throw std::bad_alloc();
  if (check_memory(code) != SQLITE_OK) return Error{ErrorCode::unreadable, sqlite3_errmsg(file), path};
  sqlite3_extended_result_codes(file, 1);
  sqlite3_limit(file, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_db_config(file, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  for (const int trusting : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER}) {
    sqlite3_db_config(file, trusting, 0, nullptr);  // what a file says is data: nothing of it is run
  }
  follow_progress(file, progress);
  sqlite3_exec(file, "PRAGMA writable_schema = ON", nullptr, nullptr,
               nullptr);  // a file that was cut short is read as far as it goes
  sqlite3_exec(file, "PRAGMA locking_mode = EXCLUSIVE", nullptr, nullptr, nullptr);  // a log is then read without shared memory
  const Statement probe = prepare(file, "SELECT COUNT(*) FROM sqlite_master");
  if (!probe || step(probe) != SQLITE_ROW) return database.reason(ErrorCode::malformed);
  return database;
}

Error Database::reason(ErrorCode code) const {
  if (const Error* reading = reading_error(file_.get())) return *reading;
  return {code, sqlite3_errmsg(file_.get()), path_ + ":0"};
}

bool Database::has(std::string_view table) const { return stored_as(file_.get(), table) == Stored::table; }

void Database::each(std::string_view table, std::span<const std::string_view> columns,
                    const std::function<void(const Row&)>& take) {
  const Stored stored = stored_as(file_.get(), table);
  if (stored == Stored::query && damage_.empty()) {
    damage_ = fmt::format("{} is a view or a virtual table, which is not run: only tables are read", table);
  }
  if (stored != Stored::table) return;
  const auto known = columns_of(file_.get(), table);
  std::string list;
  for (const std::string_view column : columns) list += (list.empty() ? "" : ", ") + chosen(column, known);
  const Statement rows = prepare(file_.get(), fmt::format("SELECT {} FROM \"{}\"", list, table));
  int code = rows ? SQLITE_ROW : SQLITE_ERROR;
  for (std::size_t taken = 0; rows && (code = step(rows)) == SQLITE_ROW; ++taken) {
    take(Row(rows.get()));
    if (taken % kRowsPerLook == 0 && progress_ != nullptr && progress_->memory.reached()) return;
  }
  if (code != SQLITE_DONE && damage_.empty()) damage_ = fmt::format("table {}: {}", table, reason(ErrorCode::malformed).message);
}

void Database::report(Profile& profile) const {
  if (damage_.empty()) return;
  profile.add_problem(Severity::error, "damaged_database", path_ + ": " + damage_ + "; what could be read of it was", 1, 0);
}

// A cell is asked for once: sqlite3_column_int64 and its like look for it anew each time. Only one thread uses a connection.
std::int64_t Database::Row::integer(int column) const {
  sqlite3_value* const cell = sqlite3_column_value(statement_, column);
  return sqlite3_value_type(cell) == SQLITE_TEXT ? trace_events::parse_integer(text_of(cell)).value_or(kUnknown)
                                                 : integer_of(cell);
}

double Database::Row::real(int column) const {
  sqlite3_value* const cell = sqlite3_column_value(statement_, column);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  switch (sqlite3_value_type(cell)) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT: return sqlite3_value_double(cell);
    case SQLITE_TEXT: return trace_events::parse_real(text_of(cell)).value_or(kNone);
    default: return kNone;
  }
}

std::optional<std::int64_t> Database::Row::number(int column) const {
  sqlite3_value* const cell = sqlite3_column_value(statement_, column);
  if (sqlite3_value_type(cell) == SQLITE_TEXT) return std::nullopt;
  return integer_of(cell);
}

std::string_view Database::Row::text(int column) const { return text_of(sqlite3_column_value(statement_, column)); }

}  // namespace sightline::formats::ascend

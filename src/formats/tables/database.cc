// A database's bytes for SQLite, and its tables row by row.
#include "formats/tables/database.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <list>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/input_file.h"
#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"
#include "base/result.h"
#include "formats/common/decimal.h"
#include "formats/reader.h"

namespace sightline::formats {

// ---- the file ----
// The bytes of a database for SQLite, wherever the file is: a virtual file system (VFS) that can only read. It makes no lock,
// journal or index beside the file, and needs no right to write. SQLite reads pages; this reads blocks of many pages, and
// keeps a bounded number of them.

namespace {

// A name as SQL has it. Names of tables come from the file.
std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

constexpr int kErrorOp = 5'500'001, kProgressOp = 5'500'002;  // of xFileControl, beyond SQLite's own
constexpr std::int64_t kDiskBlock = std::int64_t{64} << 10, kRemoteBlock = std::int64_t{1} << 20;
constexpr std::size_t kDiskBlocks = 64, kRemoteBlocks = 256;  // kept at most: 4 MiB, and 256 MiB if a block costs a request
constexpr int kSteps = 20'000;                                // of SQLite's machine between two looks at `cancelled`

// A file, or nothing: a file that SQLite wants to create and cannot.
class Blocks {
 public:
  explicit Blocks(std::unique_ptr<RawFile> file) : file_(std::move(file)) {
    const bool remote = file_ != nullptr && is_remote(file_->path());
    block_ = remote ? kRemoteBlock : kDiskBlock;
    most_ = remote ? kRemoteBlocks : kDiskBlocks;
    if (file_ != nullptr) seen_.resize(static_cast<std::size_t>((file_->size() + block_ - 1) / block_), false);
  }

  std::int64_t size() const { return file_ == nullptr ? 0 : file_->size(); }

  // SQLITE_OK, or what xRead returns instead: bytes beyond the end are 0.
  int read(char* to, std::size_t count, std::int64_t at) {
    while (count > 0 && at < size()) {
      const std::vector<char>* block = block_at(at / block_);
      if (block == nullptr) return SQLITE_IOERR_READ;
      const auto from = static_cast<std::size_t>(at % block_);
      if (block->size() <= from) break;  // the file was cut short while it is read
      const std::size_t take = std::min(count, block->size() - from);
      std::memcpy(to, block->data() + from, take);
      to += take;
      at += static_cast<std::int64_t>(take);
      count -= take;
    }
    std::memset(to, 0, count);
    return count > 0 ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
  }

  void follow(ReadProgress* progress) { progress_ = progress; }
  const std::optional<Error>& error() const { return error_; }

 private:
  using Held = std::list<std::pair<std::int64_t, std::vector<char>>>;  // by number, the last used first

  const std::vector<char>* block_at(std::int64_t number) {
    if (!held_.empty() && held_.front().first == number) return &held_.front().second;
    if (const auto known = by_number_.find(number); known != by_number_.end()) {
      held_.splice(held_.begin(), held_, known->second);
      return &held_.front().second;
    }
    std::vector<char> bytes(static_cast<std::size_t>(std::min(block_, size() - number * block_)));
    if (file_->position() != number * block_ && !file_->seek(number * block_)) {
      error_ = Error{ErrorCode::unreadable, "it cannot be read at any position", file_->path()};
      return nullptr;
    }
    const Result<std::size_t> got = file_->read(bytes.data(), bytes.size());
    if (!got) {
      error_ = got.error();
      return nullptr;
    }
    bytes.resize(*got);
    if (progress_ != nullptr && !seen_[static_cast<std::size_t>(number)]) {
      progress_->bytes_done += static_cast<std::int64_t>(*got);
    }
    seen_[static_cast<std::size_t>(number)] = true;
    if (held_.size() == most_) {
      by_number_.erase(held_.back().first);
      held_.pop_back();
    }
    held_.emplace_front(number, std::move(bytes));
    by_number_[number] = held_.begin();
    return &held_.front().second;
  }

  std::unique_ptr<RawFile> file_;
  std::int64_t block_;
  std::size_t most_;
  Held held_;
  std::unordered_map<std::int64_t, Held::iterator> by_number_;
  std::vector<bool> seen_;  // by block
  ReadProgress* progress_ = nullptr;
  std::optional<Error> error_;
};

struct OpenFile {
  sqlite3_file base;  // first, where SQLite expects it
  Blocks* blocks;
};

Blocks& blocks_of(sqlite3_file* file) { return *reinterpret_cast<OpenFile*>(file)->blocks; }

int close_file(sqlite3_file* file) {
  delete reinterpret_cast<OpenFile*>(file)->blocks;
  return SQLITE_OK;
}
int read_file(sqlite3_file* file, void* to, int count, sqlite3_int64 at) {
  try {
    return blocks_of(file).read(static_cast<char*>(to), static_cast<std::size_t>(count), at);
  } catch (const std::bad_alloc&) {
    return SQLITE_IOERR_NOMEM;
  }
}
int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
  *size = blocks_of(file).size();
  return SQLITE_OK;
}
int control_file(sqlite3_file* file, int what, void* argument) {
  if (what == kErrorOp) {
    const std::optional<Error>& error = blocks_of(file).error();
    *static_cast<const Error**>(argument) = error ? &*error : nullptr;
  } else if (what == kProgressOp) {
    blocks_of(file).follow(static_cast<ReadProgress*>(argument));
  } else {
    return SQLITE_NOTFOUND;
  }
  return SQLITE_OK;
}

// Writes are ignored, and no lock excludes others.
int refuse_write(sqlite3_file*, const void*, int, sqlite3_int64) { return SQLITE_READONLY; }
int refuse_size(sqlite3_file*, sqlite3_int64) { return SQLITE_READONLY; }
int no_sync(sqlite3_file*, int) { return SQLITE_OK; }
int no_lock(sqlite3_file*, int) { return SQLITE_OK; }
int never_locked(sqlite3_file*, int* locked) {
  *locked = 0;
  return SQLITE_OK;
}
int sector(sqlite3_file*) { return 4096; }
int no_traits(sqlite3_file*) { return 0; }

// Version 1: without shared memory SQLite keeps the index of a log in its own.
constexpr sqlite3_io_methods kMethods = {1,       close_file, read_file,    refuse_write, refuse_size, no_sync,   size_of_file,
                                         no_lock, no_lock,    never_locked, control_file, sector,      no_traits, nullptr,
                                         nullptr, nullptr,    nullptr,      nullptr,      nullptr};

bool is_there(const char* path) {
  if (is_remote(path)) {
    const Result<RemoteStatus> status = remote_status(path);
    return status && !status->folder;
  }
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed);
}

int open_file(sqlite3_vfs*, const char* path, sqlite3_file* file, int flags, int* flags_out) {
  auto* made = reinterpret_cast<OpenFile*>(file);
  made->base.pMethods = nullptr;
  if (path == nullptr) return SQLITE_CANTOPEN;  // a temporary file for what does not fit into memory
  try {
    std::unique_ptr<RawFile> raw;
    if ((flags & SQLITE_OPEN_MAIN_DB) != 0 || is_there(path)) {
      Result<std::unique_ptr<RawFile>> opened = open_raw(path);
      if (!opened) return SQLITE_CANTOPEN;
      raw = *std::move(opened);
    }
    made->blocks = new Blocks(std::move(raw));
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  made->base.pMethods = &kMethods;
  if (flags_out != nullptr) *flags_out = SQLITE_OPEN_READONLY;
  return SQLITE_OK;
}

// A journal is never played back: that would write.
int find_file(sqlite3_vfs*, const char* path, int, int* found) {
  *found = std::string_view(path).ends_with("-wal") && is_there(path) ? 1 : 0;
  return SQLITE_OK;
}
int refuse_delete(sqlite3_vfs*, const char*, int) { return SQLITE_OK; }
int full_name(sqlite3_vfs*, const char* path, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", path);
  return SQLITE_OK;
}
int no_error(sqlite3_vfs*, int, char*) { return 0; }

sqlite3_vfs make_system() {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);  // else each allocation takes a lock to be counted
  sqlite3_vfs* usual = sqlite3_vfs_find(nullptr);
  sqlite3_vfs made{};
  made.iVersion = 1;
  made.szOsFile = sizeof(OpenFile);
  made.mxPathname = 4096;
  made.zName = "sightline-read-only";
  made.xOpen = open_file;
  made.xDelete = refuse_delete;
  made.xAccess = find_file;
  made.xFullPathname = full_name;
  made.xRandomness = usual->xRandomness;
  made.xSleep = usual->xSleep;
  made.xCurrentTime = usual->xCurrentTime;
  made.xGetLastError = no_error;
  return made;
}

}  // namespace

// The VFS name for sqlite3_open_v2, with a path or an address as the file. A "-wal" file beside it is read as part of the
// database if SQLite locks exclusively before it reads.
static const char* database_file_system() {
  static sqlite3_vfs system = make_system();
  static const int registered = sqlite3_vfs_register(&system, 0);
  return registered == SQLITE_OK ? system.zName : nullptr;
}

// From now on bytes read count as progress, and cancelling ends the running query. `progress` outlives the database, and may
// be null.
static void follow_progress(sqlite3* database, ReadProgress* progress) {
  sqlite3_file_control(database, "main", kProgressOp, progress);
  if (progress == nullptr) return;
  const auto is_cancelled = [](void* of) { return static_cast<ReadProgress*>(of)->cancelled ? 1 : 0; };
  sqlite3_progress_handler(database, kSteps, is_cancelled, progress);
}

// Why reading failed last, in more detail than SQLite's error. null: it did not fail.
static const Error* reading_error(sqlite3* database) {
  const Error* error = nullptr;
  sqlite3_file_control(database, "main", kErrorOp, &error);
  return error;
}

// ---- tables ----
// SQLite over files that can only be read.

namespace {

constexpr int kLongestValue = 1 << 26;          // bytes of a text: more is damage
constexpr std::int64_t kRowsPerLook = 1 << 13;  // between two looks at the memory in use

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

// `code`, unless it is the code for no memory: then the database is not damaged.
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
  const Statement info = prepare(file, fmt::format("PRAGMA table_info({})", quoted(table)));
  while (info && step(info) == SQLITE_ROW) {
    names.emplace(reinterpret_cast<const char*>(sqlite3_column_text(info.get(), 1)));
  }
  return names;
}

// Points at a byte even if it is empty, as parsers of C expect; SQLite has no bytes for NULL and for an empty blob.
std::string_view text_of(sqlite3_value* cell) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(cell));
  return bytes == nullptr ? std::string_view("") : std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(cell)));
}

// The value of a cell that is not a text.
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

// What the file has under the name of a table. A view is a query by the author of the file, which may never end; a virtual
// table has no stored rows either.
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

// A row takes more than two bytes. Of a table with more rows than that allows, pages refer to one page many times.
std::int64_t most_rows(sqlite3* file) {
  const auto number = [&](const char* query) {
    const Statement statement = prepare(file, query);
    return statement && step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement.get(), 0) : 0;
  };
  return number("PRAGMA page_count") * number("PRAGMA page_size") / 2;
}

// The first of "new|old" that exists, quoted; else NULL.
std::string chosen(std::string_view wanted, const std::set<std::string, std::less<>>& known) {
  while (true) {
    const std::size_t bar = wanted.find('|');
    const std::string_view name = wanted.substr(0, bar);
    if (known.contains(name)) return quoted(name);
    if (bar == std::string_view::npos) return "NULL";
    wanted.remove_prefix(bar + 1);
  }
}

// The size of the file when it was written, if its header states it. SQLite itself reads a truncated last page, and a file
// shorter than a header, as pages of zeros.
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
  const bool is_counted = number(24, 4) == number(92, 4);  // SQLite before 3.7 left the number of pages unchanged
  return is_counted ? page * number(28, 4) : kUnknown;
}

}  // namespace

Result<Database> Database::open(const std::string& path, ReadProgress* progress) {
  const Result<std::unique_ptr<RawFile>> bytes = open_raw(path);  // has a better error than SQLite
  if (!bytes) return bytes.error();
  if ((*bytes)->size() == 0) return Error{ErrorCode::malformed, "the file is empty", path + ":0"};
  const std::int64_t written = written_size(**bytes);
  sqlite3* file = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &file, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, database_file_system());
  Database database;
  database.file_ = {file, [](sqlite3* open) { sqlite3_close(open); }};
  database.path_ = path;
  if ((*bytes)->size() < written) database.damage_ = say("it has only {} of its {} bytes", (*bytes)->size(), written);
  database.progress_ = progress;
  if (file == nullptr) throw std::bad_alloc();
  if (check_memory(code) != SQLITE_OK) return Error{ErrorCode::unreadable, sqlite3_errmsg(file), path};
  sqlite3_extended_result_codes(file, 1);
  sqlite3_limit(file, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_db_config(file, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  for (const int trusting : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER}) {
    sqlite3_db_config(file, trusting, 0, nullptr);  // the file is data: nothing in it is run
  }
  follow_progress(file, progress);
  sqlite3_exec(file, "PRAGMA writable_schema = ON", nullptr, nullptr,
               nullptr);                                                             // a truncated file is read as far as it goes
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

std::vector<std::string> Database::tables() const {
  std::vector<std::string> names;
  const Statement all = prepare(file_.get(), "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0");
  while (all && step(all) == SQLITE_ROW) names.emplace_back(text_of(sqlite3_column_value(all.get(), 0)));
  return names;
}

bool Database::has_rows(std::string_view table) const {
  if (stored_as(file_.get(), table) != Stored::table) return false;
  const Statement first = prepare(file_.get(), fmt::format("SELECT 1 FROM {} LIMIT 1", quoted(table)));
  return first && step(first) == SQLITE_ROW;
}

void Database::each(std::string_view table, std::span<const std::string_view> columns,
                    const std::function<void(const Row&)>& take) {
  const Stored stored = stored_as(file_.get(), table);
  if (stored == Stored::query && damage_.empty()) {
    damage_ = say("{} is a view or a virtual table, which is not run: only tables are read", table);
  }
  if (stored != Stored::table) return;
  const auto known = columns_of(file_.get(), table);
  std::string list;
  for (const std::string_view column : columns) list += (list.empty() ? "" : ", ") + chosen(column, known);
  const Statement rows = prepare(file_.get(), fmt::format("SELECT {} FROM {}", list, quoted(table)));
  int code = rows ? SQLITE_ROW : SQLITE_ERROR;
  const std::int64_t most = most_rows(file_.get());
  for (std::int64_t taken = 0; rows && (code = step(rows)) == SQLITE_ROW; ++taken) {
    if (taken == most) {
      if (damage_.empty()) damage_ = say("table {} has more rows than the file has room for", table);
      return;
    }
    take(Row(rows.get()));
    if (taken % kRowsPerLook == 0 && progress_ != nullptr && progress_->memory.reached()) return;
  }
  if (code != SQLITE_DONE && damage_.empty()) damage_ = say("table {}: {}", table, reason(ErrorCode::malformed).message);
}

void Database::report(Profile& profile) const {
  if (damage_.empty()) return;
  profile.add_problem(Severity::error, "damaged_database", say("{}: {}; everything that could be read was read", path_, damage_),
                      1, 0);
}

// A cell is read once: sqlite3_column_int64 and the like search for it each time. Only one thread uses a connection.
std::int64_t Database::Row::integer(int column) const {
  sqlite3_value* const cell = sqlite3_column_value(statement_, column);
  return sqlite3_value_type(cell) == SQLITE_TEXT ? parse_integer(text_of(cell)).value_or(kUnknown) : integer_of(cell);
}

double Database::Row::real(int column) const {
  sqlite3_value* const cell = sqlite3_column_value(statement_, column);
  switch (sqlite3_value_type(cell)) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT: return sqlite3_value_double(cell);
    case SQLITE_TEXT: return parse_real(text_of(cell)).value_or(kUnknownNumber);
    default: return kUnknownNumber;
  }
}

std::optional<std::int64_t> Database::Row::number(int column) const {
  sqlite3_value* const cell = sqlite3_column_value(statement_, column);
  if (sqlite3_value_type(cell) == SQLITE_TEXT) return std::nullopt;
  return integer_of(cell);
}

std::string_view Database::Row::text(int column) const { return text_of(sqlite3_column_value(statement_, column)); }

}  // namespace sightline::formats

// A table is a name that DuckDB does not know: DuckDB calls us, and then reads the table by our function with the name as its
// argument. A view is read in the same way. Threads take pieces of a table's rows in turn.
#include "sql/sql_database.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <span>
#include <string>

#include "base/check.h"
#include "sql/sql_files.h"

namespace sightline::sql {

// ---- tables ----

namespace {

using duckdb::Handle;
using duckdb::Index;
using duckdb::Library;

constexpr const char* kFunction = "profile_table";
constexpr Index kRowsPerVector = 2048;
constexpr std::size_t kMostColumns = 64;                    // more than any table has
constexpr std::size_t kRowsPerPiece = kRowsPerVector * 32;  // that a thread takes at once

template <typename T>
void destroy(void* object) {
  delete static_cast<T*>(object);
}

const SqlScan& scan_of(void* extra) { return *static_cast<const SqlScan*>(extra); }

// ---- names ----

bool same_name(std::string_view a, std::string_view b) {  // as SQL compares names; ours are ASCII and small
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return small(x) == small(y); });
}

void find_table(Handle info, const char* name, void* extra) {
  const SqlScan& scan = scan_of(extra);
  const Library& db = scan.library();
  if (scan.find(name) == nullptr) return;
  db.replacement_scan_set_function_name(info, kFunction);
  const duckdb::Owned table(db.create_varchar(name), db.destroy_value);
  db.replacement_scan_add_parameter(info, table);
}

// Functions accept a type with an alias only if a cast exists. The casts are never called, because such a statement is never
// run.
void allow_cast(const SqlScan& scan, const std::string& name, int from, int to, int cost) {
  const Library& db = scan.library();
  const duckdb::Owned cast(db.create_cast_function(), db.destroy_cast_function);
  const duckdb::Owned named(db.create_logical_type(from), db.destroy_logical_type);
  const duckdb::Owned plain(db.create_logical_type(to), db.destroy_logical_type);
  db.logical_type_set_alias(named, name.c_str());
  db.cast_function_set_source_type(cast, named);
  db.cast_function_set_target_type(cast, plain);
  db.cast_function_set_implicit_cast_cost(cast, cost);
  db.cast_function_set_function(cast, [](Handle, Index, Handle, Handle) { return false; });
  db.register_cast_function(scan.connection(), cast);
}

// Not shown from another table.
bool is_own(const SqlColumn& column, const SqlTable& table) { return column.origin.starts_with(std::string(table.name) + "."); }

void allow_casts(const SqlScan& scan, const SqlTable& table) {
  for (const SqlColumn& column : table.columns) {
    if (!is_own(column, table)) continue;
    allow_cast(scan, column.origin, column.sql_type, column.sql_type, 1);
    if (column.sql_type == duckdb::kBigInt) allow_cast(scan, column.origin, duckdb::kBigInt, duckdb::kHugeInt, 50);
    if (column.sql_type == duckdb::kBigInt) allow_cast(scan, column.origin, duckdb::kBigInt, duckdb::kDouble, 100);
    if (column.sql_type == duckdb::kFloat) allow_cast(scan, column.origin, duckdb::kFloat, duckdb::kDouble, 50);
  }
}

// ---- reading ----

// A scan of a table: its columns and its progress.
struct Reading {
  const SqlScan& scan;
  const SqlTable& table;
  std::vector<const SqlColumn*> columns{};   // null: no value is requested, only the rows are counted
  std::vector<const SqlColumn*> referred{};  // those of them whose vectors refer to the values
  Handle schema = nullptr;                   // of these, as DuckDB takes Arrow's
  std::atomic<std::size_t> next = 0;         // row

  Reading(const SqlScan& of, const SqlTable& from) : scan(of), table(from) {}
  Reading(const Reading&) = delete;
  ~Reading() {
    if (schema != nullptr) scan.library().destroy_arrow_converted_schema(&schema);
  }
};

struct Piece {
  std::size_t row = 0, end = 0;
};

void bind_table(const SqlScan& scan, Handle info) {
  const Library& db = scan.library();
  Handle parameter = db.bind_get_parameter(info, 0);
  char* name = db.get_varchar(parameter);
  const SqlTable* table = scan.find(name);
  db.free(name);
  db.destroy_value(&parameter);
  if (table == nullptr) return db.bind_set_error(info, "there is no such table");
  for (const SqlColumn& column : table->columns) {
    Handle type = db.create_logical_type(column.sql_type);
    if (scan.names_types() && !column.origin.empty()) db.logical_type_set_alias(type, column.origin.c_str());
    db.bind_add_result_column(info, std::string(column.name).c_str(), type);
    db.destroy_logical_type(&type);
  }
  db.bind_set_bind_data(info, const_cast<SqlTable*>(table), nullptr);
  db.bind_set_cardinality(info, table->rows, !table->is_view);
}

// The columns that vectors refer to, as an Arrow schema.
bool make_schema(Reading& reading) {
  const Library& db = reading.scan.library();
  const auto nothing = [](duckdb::ArrowSchema* schema) { schema->release = nullptr; };
  std::vector<duckdb::ArrowSchema> fields(reading.referred.size());
  std::vector<duckdb::ArrowSchema*> children;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    fields[i].format = reading.referred[i]->arrow;
    fields[i].name = "";
    fields[i].release = nothing;
    children.push_back(&fields[i]);
  }
  duckdb::ArrowSchema batch;
  batch.format = "+s";
  batch.name = "";
  batch.n_children = static_cast<std::int64_t>(children.size());
  batch.children = children.data();
  batch.release = nothing;
  Handle failed = db.schema_from_arrow(reading.scan.connection(), &batch, &reading.schema);
  const bool made = failed == nullptr || !db.error_data_has_error(failed);
  if (failed != nullptr) db.destroy_error_data(&failed);
  return made;
}

void begin_reading(const SqlScan& scan, Handle info) {
  const Library& db = scan.library();
  const auto& table = *static_cast<const SqlTable*>(db.init_get_bind_data(info));
  CHECK(table.columns.size() <= kMostColumns);
  auto reading = std::make_unique<Reading>(scan, table);
  for (Index i = 0; i < db.init_get_column_count(info); ++i) {
    const Index column = db.init_get_column_index(info, i);
    const SqlColumn* of = column < table.columns.size() ? &table.columns[column] : nullptr;
    reading->columns.push_back(of);
    if (of != nullptr && of->compute) of->compute();
    if (of != nullptr && of->arrow != nullptr) reading->referred.push_back(of);
  }
  if (!reading->referred.empty() && !make_schema(*reading)) return db.init_set_error(info, "a column has no type");
  db.init_set_max_threads(info, table.rows / kRowsPerPiece + 1);
  db.init_set_init_data(info, reading.release(), destroy<Reading>);
}

// The values of the columns that vectors refer to, rows [first, first + count), as a chunk; null when the memory is full.
Handle refer(const Reading& reading, std::size_t first, std::size_t count) {
  const Library& db = reading.scan.library();
  const auto rows = static_cast<std::int64_t>(count);
  const auto nothing = [](duckdb::ArrowArray* array) { array->release = nullptr; };
  duckdb::ArrowArray arrays[kMostColumns];
  duckdb::ArrowArray* children[kMostColumns];
  const void* buffers[kMostColumns][2];
  for (std::size_t i = 0; i < reading.referred.size(); ++i) {
    buffers[i][0] = nullptr;  // mark() marks unknown values
    buffers[i][1] = static_cast<const std::int64_t*>(reading.referred[i]->values) + first;
    arrays[i].length = rows;
    arrays[i].n_buffers = 2;
    arrays[i].buffers = buffers[i];
    arrays[i].release = nothing;
    children[i] = &arrays[i];
  }
  const void* none = nullptr;
  duckdb::ArrowArray batch;
  batch.length = rows;
  batch.n_buffers = 1;
  batch.buffers = &none;
  batch.n_children = static_cast<std::int64_t>(reading.referred.size());
  batch.children = children;
  batch.release = nothing;
  Handle chunk = nullptr;
  Handle failed = db.data_chunk_from_arrow(reading.scan.connection(), &batch, reading.schema, &chunk);
  if (failed != nullptr) db.destroy_error_data(&failed);
  return chunk;
}

std::uint64_t* bits_of(const Library& db, Handle vector) {
  db.vector_ensure_validity_writable(vector);
  return db.vector_get_validity(vector);
}

// Fills in rows [first, first + count) of a table. False: the memory is full.
bool fill_table(const Reading& reading, Handle out, std::size_t first, std::size_t count) {
  const Library& db = reading.scan.library();
  const duckdb::Owned referred(reading.referred.empty() ? nullptr : refer(reading, first, count), db.destroy_data_chunk);
  if (referred == nullptr && !reading.referred.empty()) return false;
  Index next_referred = 0;
  for (Index i = 0; i < reading.columns.size(); ++i) {
    const SqlColumn* column = reading.columns[i];
    if (column == nullptr) continue;
    Handle vector = db.data_chunk_get_vector(out, i);
    if (column->arrow != nullptr) {
      db.vector_reference_vector(vector, db.data_chunk_get_vector(referred, next_referred++));
    } else {
      column->write(*column, reading.scan.texts(), first, count, db.vector_get_data(vector));
    }
    if (column->mark != nullptr) column->mark(*column, first, count, [&] { return bits_of(db, vector); });
  }
  return true;
}

// The rows at the end of the path, from each row.
void follow(const std::vector<const Row*>& path, std::span<const Row> rows, Row* to) {
  std::copy(rows.begin(), rows.end(), to);
  for (const Row* next : path) {
    for (std::size_t i = 0; i < rows.size(); ++i) to[i] = to[i] == kNoRow ? kNoRow : next[to[i]];
  }
}

// Fills in the rows of a view among [first, first + count) of its table; returns their number.
std::size_t fill_view(const Reading& reading, Handle out, std::size_t first, std::size_t count) {
  const Library& db = reading.scan.library();
  Row rows[kRowsPerVector], places[kRowsPerVector];
  std::iota(rows, rows + count, static_cast<Row>(first));
  const SqlTable& view = reading.table;
  if (view.only_kinds != 0) {
    follow(view.only_path, {rows, count}, places);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_one = places[i] != kNoRow && (view.only_kinds >> static_cast<unsigned>(view.only_of[places[i]]) & 1) != 0;
      if (is_one) rows[taken++] = rows[i];
    }
    count = taken;
  }
  for (Index i = 0; i < reading.columns.size(); ++i) {
    const SqlColumn* column = reading.columns[i];
    if (column == nullptr || count == 0) continue;
    Handle vector = db.data_chunk_get_vector(out, i);
    follow(column->path, {rows, count}, places);
    column->gather(*column, reading.scan.texts(), {places, count}, db.vector_get_data(vector),
                   [&] { return bits_of(db, vector); });
  }
  return count;
}

void fill(const SqlScan& scan, Handle info, Handle out) {
  const Library& db = scan.library();
  auto& reading = *static_cast<Reading*>(db.function_get_init_data(info));
  auto& piece = *static_cast<Piece*>(db.function_get_local_init_data(info));
  std::size_t filled = 0;
  do {  // DuckDB takes a vector without rows for the end
    if (piece.row == piece.end) {
      piece.row = std::min(reading.table.rows, reading.next.fetch_add(kRowsPerPiece));
      piece.end = std::min(reading.table.rows, piece.row + kRowsPerPiece);
    }
    const std::size_t first = piece.row;
    const std::size_t count = std::min<std::size_t>(piece.end - first, kRowsPerVector);
    piece.row += count;
    if (count == 0) break;
    if (reading.table.is_view) {
      filled = fill_view(reading, out, first, count);
    } else if (fill_table(reading, out, first, count)) {
      filled = count;
    } else {
      return db.function_set_error(info, "not enough memory");
    }
  } while (filled == 0);
  db.data_chunk_set_size(out, filled);
}

// ---- functions that DuckDB calls ----

// An exception in our functions (the memory is full) becomes an error of the statement.
template <auto Get, auto Fail, typename Work>
void guarded(Handle info, Work&& work) {
  const Library& db = **duckdb::library();
  try {
    work(scan_of((db.*Get)(info)));
  } catch (const std::exception&) {
    (db.*Fail)(info, "not enough memory");
  }
}

void on_bind(Handle info) {
  guarded<&Library::bind_get_extra_info, &Library::bind_set_error>(info, [&](auto& scan) { bind_table(scan, info); });
}

void on_begin(Handle info) {
  guarded<&Library::init_get_extra_info, &Library::init_set_error>(info, [&](auto& scan) { begin_reading(scan, info); });
}

void on_thread(Handle info) {
  guarded<&Library::init_get_extra_info, &Library::init_set_error>(
      info, [&](auto& scan) { scan.library().init_set_init_data(info, new Piece, destroy<Piece>); });
}

void on_fill(Handle info, Handle out) {
  guarded<&Library::function_get_extra_info, &Library::function_set_error>(info, [&](auto& scan) { fill(scan, info, out); });
}

}  // namespace

SqlScan::SqlScan(const Library& library) : library_(library) {
  static const Profile none;
  use(none);
}

void SqlScan::use(const Profile& profile) {
  tables_ = sql_tables(profile);
  texts_ = std::make_unique<SqlTexts>(profile);
}

const SqlTable* SqlScan::find(std::string_view table) const {
  const auto found = std::find_if(tables_.begin(), tables_.end(), [&](auto& each) { return same_name(each.name, table); });
  return found == tables_.end() ? nullptr : &*found;
}

bool SqlScan::add_to(Handle database, Handle connection) {
  const Library& db = library_;
  connection_ = connection;
  const duckdb::Owned function(db.create_table_function(), db.destroy_table_function);
  const duckdb::Owned text(db.create_logical_type(duckdb::kVarchar), db.destroy_logical_type);
  db.table_function_set_name(function, kFunction);
  db.table_function_add_parameter(function, text);
  db.table_function_set_extra_info(function, this, nullptr);
  db.table_function_set_bind(function, on_bind);
  db.table_function_set_init(function, on_begin);
  db.table_function_set_local_init(function, on_thread);
  db.table_function_set_function(function, on_fill);
  db.table_function_supports_projection_pushdown(function, true);
  db.add_replacement_scan(database, find_table, this, nullptr);
  for (const SqlTable& table : tables_) allow_casts(*this, table);
  return db.register_table_function(connection, function) == 0;
}

// ---- the database ----

namespace {

struct Opened {
  std::unique_ptr<SqlDatabase> database;
  Error failure{};
};

}  // namespace

bool SqlDatabase::open(std::string& failure) {
  constexpr std::pair<const char*, const char*> kSettings[] = {
      {"threads", "1"},  // its own threads would not live in a child
      {"errors_as_json", "true"},
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      {"allow_community_extensions", "false"},
      {"allow_persistent_secrets", "false"},
  };
  const duckdb::Library& db = library();
  duckdb::Owned config(db.destroy_config);
  failure = "not enough memory";
  if (db.create_config(config.out()) != 0) return false;
  for (const auto& [name, value] : kSettings) {
    if (db.set_config(config, name, value) == 0) continue;
    failure = std::string("it has no setting ") + name;
    return false;
  }
  char* why = nullptr;
  if (db.open_ext(nullptr, &database_, config, &why) != 0) {
    if (why != nullptr) failure = why;
    return false;
  }
  return db.connect(database_, &connection_) == 0 && scan_.add_to(database_, connection_);
}

Result<SqlDatabase*> SqlDatabase::shared() {
  static const Opened opened = [] {
    const Result<const duckdb::Library*> library = duckdb::library();
    if (!library) return Opened{nullptr, library.error()};
    Opened made{std::unique_ptr<SqlDatabase>(new SqlDatabase(**library)), {}};
    std::string failure;
    if (made.database->open(failure)) return made;
    made.database = nullptr;
    made.failure = {ErrorCode::unavailable, say("DuckDB cannot be started: {}", failure), ""};
    return made;
  }();
  if (opened.database == nullptr) return opened.failure;
  return opened.database.get();
}

Result<bool> SqlDatabase::run(const std::string& sql) const {
  duckdb::ResultHandle done;
  const bool ran = library().query(connection_, sql.c_str(), &done) == 0;
  const char* const why = ran ? nullptr : library().result_error(&done);
  const Error failed{ErrorCode::unavailable, Message::verbatim(why == nullptr ? "not enough memory" : duckdb::error_text(why)),
                     ""};
  library().destroy_result(&done);
  if (!ran) return failed;
  return true;
}

Result<bool> SqlDatabase::use(const Profile& profile, const SqlBounds& bounds, const std::vector<std::string>& first) {
  scan_.use(profile);
  std::vector<std::string> all = first;
  const std::vector<std::string> folders = bounds.folder.empty() ? std::vector<std::string>{} : std::vector{bounds.folder};
  all.insert(all.end(), {fmt::format("SET memory_limit = '{}B'", bounds.memory), fmt::format("SET threads = {}", bounds.threads),
                         "SET temp_directory = " + duckdb::quoted(bounds.folder),
                         fmt::format("SET max_temp_directory_size = '{}B'", bounds.temporary),
                         "SET allowed_directories = " + list_of(folders), "SET allowed_paths = " + list_of(bounds.files),
                         "SET enable_external_access = false", "SET lock_configuration = true"});
  for (const std::string& statement : all) {
    if (const Result<bool> ran = run(statement); !ran) return ran;
  }
  return true;
}

}  // namespace sightline::sql

// The text of a query is not trusted. The database is in memory and locked: no files, no extensions, no settings. One SELECT is
// prepared to be run, and prepared once more with names for types, which shows the columns that it returns unchanged
// (SqlScan::name_types).
#include "sql/sql_statement.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/message_parts.h"

namespace sightline::sql {

// ---- the answer on its way ----
// A message is a letter, a length (32 bits) and that many bytes: C columns, V values, E the end, X an error. A value is a letter
// and its bytes; a text is n and the text, which gets the next number, t and its number, or T and a text without one. Both ends
// are the same program, so numbers are as in memory.

namespace {

constexpr std::size_t kSendFrom = 1 << 18;
constexpr std::size_t kMostWordBytes = 8 << 20;  // of the texts with numbers
constexpr std::size_t kHead = 1 + sizeof(std::uint32_t);

template <typename T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_text(std::string& out, std::string_view text) {
  append(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

// REQUIRES: the text has enough bytes; our own child writes them.
template <typename T>
T next(std::string_view& from) {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return value;
}

std::string_view next_text(std::string_view& from) {
  const auto size = next<std::uint32_t>(from);
  const std::string_view text = from.substr(0, size);
  from.remove_prefix(size);
  return text;
}

}  // namespace

std::size_t bytes_of(const SqlValue& value) {
  const auto of_text = [](std::string_view text) { return text.size() + sizeof(std::uint32_t); };
  if (const auto* text = std::get_if<std::string_view>(&value)) return of_text(*text);
  if (const auto* word = std::get_if<SqlWord>(&value)) return of_text(word->text);
  return sizeof(std::int64_t);
}

bool SqlSender::send(char kind, std::string_view text) {
  std::string head(1, kind);
  append(head, static_cast<std::uint32_t>(text.size()));
  return out_(head) && out_(text);
}

bool SqlSender::columns(const std::vector<SqlAnswerColumn>& columns) {
  std::string text;
  for (const SqlAnswerColumn& column : columns) {
    append_text(text, column.name);
    append(text, column.kind);
    append_text(text, column.origin);
  }
  return send('C', text);
}

void SqlSender::add(const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    append(values_ += 'i', *integer);
  } else if (const auto* wide = std::get_if<WideInteger>(&value)) {
    append(values_ += 'w', *wide);
  } else if (const auto* real = std::get_if<double>(&value)) {
    append(values_ += 'r', *real);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    append(values_ += 'f', static_cast<char>(*flag));
  } else if (const auto* text = std::get_if<std::string_view>(&value)) {
    add_text(*text);
  } else {
    values_ += '-';
  }
}

void SqlSender::add_text(std::string_view text) {
  const bool has_room = words_.bytes() < kMostWordBytes && text.size() < kMostWordBytes;
  const std::size_t before = words_.size();
  const StringId word = has_room ? words_.intern(text) : words_.find(text);
  if (words_.size() != before) {
    append_text(values_ += 'n', text);
  } else if (word != StringId::none || text.empty()) {
    append(values_ += 't', word);
  } else {
    append_text(values_ += 'T', text);
  }
}

bool SqlSender::flush() {
  if (values_.size() < kSendFrom) return true;
  const bool sent = send('V', values_);
  values_.clear();
  return sent;
}

bool SqlSender::end(SqlCut cut) { return send('V', values_) && send('E', std::string(1, static_cast<char>(cut))); }

bool SqlSender::fail(const Error& error) {
  std::string text(1, static_cast<char>(error.code));
  append_text(text, message_parts(error.message));
  append_text(text, error.where);
  return send('X', text);
}

bool SqlReceiver::take(std::string_view bytes) {
  waiting_ += bytes;
  std::string_view rest = waiting_;
  while (rest.size() >= kHead) {
    std::string_view head = rest;
    const char kind = next<char>(head);
    const auto size = next<std::uint32_t>(head);
    if (head.size() < size) break;
    message(kind, head.substr(0, size));
    rest = head.substr(size);
  }
  waiting_.erase(0, waiting_.size() - rest.size());
  return !ended && !failed;
}

SqlValue SqlReceiver::next_value(std::string_view& from) {
  const auto word = [this](StringId id) { return SqlWord{static_cast<std::uint32_t>(id), words_.view(id)}; };
  switch (next<char>(from)) {
    case 'i': return next<std::int64_t>(from);
    case 'w': return next<WideInteger>(from);
    case 'r': return next<double>(from);
    case 'f': return next<char>(from) != 0;
    case 'n': return word(words_.intern(next_text(from)));
    case 't': return word(next<StringId>(from));
    case 'T': return next_text(from);
    default: return {};
  }
}

void SqlReceiver::message(char kind, std::string_view text) {
  if (kind == 'C') {
    std::vector<SqlAnswerColumn> made;
    while (!text.empty()) {
      SqlAnswerColumn column{.name = std::string(next_text(text)), .kind = next<SqlKind>(text), .origin = {}};
      column.origin = next_text(text);
      made.push_back(std::move(column));
    }
    columns(std::move(made));
  } else if (kind == 'V') {
    while (!text.empty()) value(next_value(text));
  } else if (kind == 'E') {
    ended = next<SqlCut>(text);
  } else {
    const auto code = static_cast<ErrorCode>(next<char>(text));
    const Message message = message_of(next_text(text));
    failed = Error(code, message, std::string(next_text(text)));
  }
}

// ---- statements ----

namespace {

using duckdb::Handle;
using duckdb::Index;
using duckdb::Library;
using duckdb::Owned;

constexpr std::size_t kMostValueBytes = 16 << 20;

Error wrong(TemplateMessage message, std::string where = "") {
  return {ErrorCode::invalid_argument, std::move(message), std::move(where)};
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c != '\n') {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

// DuckDB's error: some words, then JSON: {"exception_type": ..., "exception_message": ..., "position": "14"}.
Error error_of(const char* reported, const SqlText& sql, const SqlBounds& bounds) {
  const std::string text = reported == nullptr ? "" : reported;
  const std::size_t begin = std::min(text.find('{'), text.size());
  simdjson::dom::parser parser;
  simdjson::dom::element error;
  if (parser.parse(text.substr(begin)).get(error) != simdjson::SUCCESS) return wrong(Message::verbatim(one_line(text)));
  const auto member = [&](const char* name) {
    std::string_view value;
    return error[name].get(value) == simdjson::SUCCESS ? std::string(value) : std::string();
  };
  const std::string message = member("exception_message");
  const bool folder_full = message.find("max_temp_directory_size") != std::string::npos;
  if (folder_full || member("exception_type") == "IO") {  // no other files are written
    return wrong(say("the query writes more than {} MB of temporary files, or the disk is full", bounds.temporary >> 20));
  }
  if (member("exception_type") == "Out of Memory") {
    return wrong(say("the query needs more memory than the {} MB allowed: query less data", bounds.memory >> 20));
  }
  const std::string place = member("position");
  return wrong(Message::verbatim(one_line(message)), place.empty() ? "" : sql.place(std::stoul(place)));
}

SqlText as_written(const std::string& sql) { return {.written = sql, .sql = sql}; }

// ---- one SELECT ----

// The begin of the second statement: after the first semicolon that ends a complete statement.
std::size_t second_statement(const Library& db, Handle connection, const std::string& sql) {
  for (std::size_t at = sql.find(';'); at != std::string::npos; at = sql.find(';', at + 1)) {
    Owned first(db.destroy_extracted);
    if (db.extract_statements(connection, sql.substr(0, at + 1).c_str(), first.out()) != 1) continue;
    return std::min(sql.find_first_not_of(" \t\r\n", at + 1), sql.size());
  }
  return 0;
}

Result<bool> prepare(const Library& db, Handle connection, const SqlText& text, const SqlBounds& bounds, Handle* statement) {
  const std::string& sql = text.sql;
  if (sql.find('\0') != std::string::npos) return wrong("the text holds a zero byte", text.place(sql.find('\0')));
  Owned all(db.destroy_extracted);
  const Index count = db.extract_statements(connection, sql.c_str(), all.out());
  if (count == 0) {
    const char* why = db.extract_statements_error(all);
    if (why != nullptr && *why != '\0') return error_of(why, text, bounds);
    return wrong("the query is empty: write a SELECT");
  }
  if (count > 1) {
    return wrong("only one statement is allowed: text follows the first one", text.place(second_statement(db, connection, sql)));
  }
  if (db.prepare_extracted_statement(connection, all, 0, statement) != 0) {
    return error_of(db.prepare_error(*statement), text, bounds);
  }
  if (db.prepared_statement_type(*statement) != duckdb::kSelect) {
    return wrong("this is not a SELECT: a query can only read the profile's tables");
  }
  if (db.nparams(*statement) > 0) return wrong("parameters (?) have no value here");
  return true;
}

std::optional<SqlKind> kind_of(int type) {
  switch (type) {
    case duckdb::kTinyInt:
    case duckdb::kSmallInt:
    case duckdb::kInteger:
    case duckdb::kBigInt:
    case duckdb::kUTinyInt:
    case duckdb::kUSmallInt:
    case duckdb::kUInteger: return SqlKind::integer;
    case duckdb::kUBigInt:
    case duckdb::kHugeInt: return SqlKind::wide;
    case duckdb::kFloat:
    case duckdb::kDouble: return SqlKind::real;
    case duckdb::kBoolean: return SqlKind::flag;
    case duckdb::kVarchar:
    case duckdb::kBlob: return SqlKind::text;
    default: return {};  // a date, a list, a decimal: readable() casts it to a text or a number
  }
}

struct AnswerColumn {
  SqlAnswerColumn answer;
  int type = 0;
};

std::vector<AnswerColumn> columns_of(const Library& db, Handle statement) {
  std::vector<AnswerColumn> columns(db.prepared_statement_column_count(statement));
  for (Index i = 0; i < columns.size(); ++i) {
    AnswerColumn& column = columns[i];
    const char* name = db.prepared_statement_column_name(statement, i);
    column.answer.name = name == nullptr ? "" : name;
    db.free(const_cast<char*>(name));
    const Owned type(db.prepared_statement_column_logical_type(statement, i), db.destroy_logical_type);
    column.type = db.get_type_id(type);
    column.answer.kind = kind_of(column.type).value_or(SqlKind::text);
    char* alias = db.logical_type_get_alias(type);
    if (alias != nullptr) column.answer.origin = alias;
    db.free(alias);
  }
  return columns;
}

// Sets the origin of columns that are returned unchanged. A statement that cannot be prepared with names for types has no
// origins.
void name_origins(const Library& db, Handle connection, const SqlText& sql, const SqlBounds& bounds, SqlScan& scan,
                  std::vector<AnswerColumn>& columns) {
  Owned named(db.destroy_prepare);
  scan.name_types(true);
  if (const Result<bool> prepared = prepare(db, connection, sql, bounds, named.out()); prepared) {
    const std::vector<AnswerColumn> found = columns_of(db, named);
    for (std::size_t i = 0; i < std::min(columns.size(), found.size()); ++i) columns[i].answer.origin = found[i].answer.origin;
  }
  scan.name_types(false);
}

// The statement with each column of a type that we do not read as its text, decimals as a real.
std::string readable(const std::string& sql, std::vector<AnswerColumn>& columns) {
  constexpr int kDecimal = 19;
  std::string list, names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    AnswerColumn& column = columns[i];
    const char* as = "";
    if (column.type == kDecimal) {
      as = "::DOUBLE";
      column.answer.kind = SqlKind::real;
      column.type = duckdb::kDouble;
    } else if (!kind_of(column.type)) {
      as = "::VARCHAR";
      column.type = duckdb::kVarchar;
    }
    list += fmt::format("{}c{}{}", i == 0 ? "" : ", ", i, as);
    names += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
  }
  return "SELECT " + list + " FROM query(" + duckdb::quoted(sql) + ") AS answer(" + names + ")";
}

// ---- values ----

template <typename T>
T at(const void* data, Index row) {
  return static_cast<const T*>(data)[row];
}

std::string_view text_at(const void* data, Index row) {
  const duckdb::Text& text = static_cast<const duckdb::Text*>(data)[row];
  const char* address = text.bytes;
  if (text.size > duckdb::Text::kMostInside) std::memcpy(&address, text.bytes + duckdb::Text::kAddress, sizeof address);
  return {address, text.size};
}

SqlValue real(double value) { return std::isfinite(value) ? SqlValue(value) : SqlValue(); }

// `scratch` holds the text of a blob.
SqlValue value_at(int type, const void* data, Index row, std::string& scratch) {
  switch (type) {
    case duckdb::kBoolean: return at<bool>(data, row);
    case duckdb::kTinyInt: return std::int64_t{at<std::int8_t>(data, row)};
    case duckdb::kSmallInt: return std::int64_t{at<std::int16_t>(data, row)};
    case duckdb::kInteger: return std::int64_t{at<std::int32_t>(data, row)};
    case duckdb::kBigInt: return at<std::int64_t>(data, row);
    case duckdb::kUTinyInt: return std::int64_t{at<std::uint8_t>(data, row)};
    case duckdb::kUSmallInt: return std::int64_t{at<std::uint16_t>(data, row)};
    case duckdb::kUInteger: return std::int64_t{at<std::uint32_t>(data, row)};
    case duckdb::kUBigInt: return WideInteger{at<std::uint64_t>(data, row)};
    case duckdb::kHugeInt: {
      const auto value = at<duckdb::HugeInt>(data, row);
      return WideInteger{value.upper} * (WideInteger{1} << 64) + WideInteger{value.lower};
    }
    case duckdb::kFloat: return real(at<float>(data, row));
    case duckdb::kDouble: return real(at<double>(data, row));
    case duckdb::kBlob: return std::string_view(scratch = fmt::format("{} bytes", text_at(data, row).size()));
    default: return text_at(data, row);
  }
}

// ---- the answer ----

// The rows sent so far.
struct Sent {
  std::size_t rows = 0, bytes = 0;
  SqlCut cut = SqlCut::none;
};

// Sends the rows of a chunk until a limit is reached. False: the reader has left.
Result<bool> send_rows(const Library& db, Handle chunk, const std::vector<AnswerColumn>& columns, const SqlBounds& bounds,
                       Sent& sent, SqlSender& to) {
  std::vector<const void*> data;
  std::vector<const std::uint64_t*> known;
  for (Index i = 0; i < columns.size(); ++i) {
    Handle vector = db.data_chunk_get_vector(chunk, i);
    data.push_back(db.vector_get_data(vector));
    known.push_back(db.vector_get_validity(vector));
  }
  std::vector<SqlValue> values(columns.size());
  std::vector<std::string> scratch(columns.size());
  const Index rows = db.data_chunk_get_size(chunk);
  for (Index row = 0; row < rows; ++row) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_known = known[i] == nullptr || (known[i][row / 64] >> row % 64 & 1) != 0;
      values[i] = is_known ? value_at(columns[i].type, data[i], row, scratch[i]) : SqlValue();
      bytes += bytes_of(values[i]);
      if (bytes > kMostValueBytes) return wrong("a row of the answer has more than 16 MB");
    }
    if (sent.rows == bounds.rows) sent.cut = SqlCut::rows;
    if (bytes > bounds.bytes - sent.bytes) sent.cut = SqlCut::bytes;
    if (sent.cut != SqlCut::none) return true;
    for (const SqlValue& value : values) to.add(value);
    ++sent.rows;
    sent.bytes += bytes;
    if (!to.flush()) return false;
  }
  return true;
}

Result<Sent> send_answer(const Library& db, Handle statement, const std::vector<AnswerColumn>& columns, const SqlText& sql,
                         const SqlBounds& bounds, SqlSender& to) {
  Sent sent;
  Owned pending(db.destroy_pending);
  if (db.pending_prepared_streaming(statement, pending.out()) != 0) return error_of(db.pending_error(pending), sql, bounds);
  duckdb::ResultHandle result;
  if (db.execute_pending(pending, &result) != 0) return error_of(db.result_error(&result), sql, bounds);
  bool more = true;
  while (more && sent.cut == SqlCut::none) {
    const Owned chunk(db.fetch_chunk(result), db.destroy_data_chunk);
    if (chunk == nullptr) break;
    const Result<bool> going = send_rows(db, chunk, columns, bounds, sent, to);
    if (!going) return going.error();
    more = *going;
  }
  const char* failed = sent.cut == SqlCut::none ? db.result_error(&result) : nullptr;
  if (failed != nullptr && *failed != '\0') return error_of(failed, sql, bounds);
  return sent;
}

Result<SqlCut> answer(SqlDatabase& database, const Profile& profile, const SqlText& sql, const SqlBounds& bounds, SqlSender& to) {
  if (const Result<bool> used = database.use(profile, bounds, sql.variables); !used) return used.error();
  const Library& db = database.library();
  Handle connection = database.connection();
  Owned statement(db.destroy_prepare), readably(db.destroy_prepare);
  const Result<bool> prepared = prepare(db, connection, sql, bounds, statement.out());
  if (!prepared) return prepared.error();
  std::vector<AnswerColumn> columns = columns_of(db, statement);
  name_origins(db, connection, sql, bounds, database.scan(), columns);
  const bool as_it_is =
      std::all_of(columns.begin(), columns.end(), [](auto& column) { return kind_of(column.type).has_value(); });
  if (!as_it_is) {
    const Result<bool> again = prepare(db, connection, as_written(readable(sql.sql, columns)), bounds, readably.out());
    if (!again) return again.error();
  }
  std::vector<SqlAnswerColumn> described;
  for (const AnswerColumn& column : columns) described.push_back(column.answer);
  if (!to.columns(described)) return SqlCut::none;
  const Result<Sent> sent = send_answer(db, as_it_is ? statement : readably, columns, sql, bounds, to);
  if (!sent) return sent.error();
  return sent->cut;
}

}  // namespace

void answer_statement(SqlDatabase& database, const Profile& profile, const SqlText& sql, const SqlBounds& bounds, SqlSender& to) {
  try {
    const Result<SqlCut> cut = answer(database, profile, sql, bounds, to);
    cut ? to.end(*cut) : to.fail(cut.error());
  } catch (const std::bad_alloc&) {
    to.fail(wrong(say("the query needs more memory than the {} MB allowed", bounds.memory >> 20)));
  }
}

}  // namespace sightline::sql

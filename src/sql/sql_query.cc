// The parent's side of a query: turns, limits, and the rows of the answer as a report's table.
#include "sql/sql_query.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "base/parallel.h"
#include "base/private_folder.h"
#include "base/text.h"
#include "base/turns.h"
#include "sql/bounded_child.h"
#include "sql/sql_files.h"
#include "sql/sql_statement.h"
#include "sql/sql_tables.h"

namespace sightline::sql {

namespace {

constexpr unsigned kMostThreads = 8;  // of one query
constexpr std::size_t kMostSqlBytes = 1 << 20;
constexpr double kMostCheckSeconds = 1;      // that preparing a statement may take before anything is read
constexpr std::int64_t kTemporaryShare = 8;  // a query may write so many times its memory into temporary files

using QueryClock = std::chrono::steady_clock;

Error refused(TemplateMessage message) { return {ErrorCode::invalid_argument, std::move(message), ""}; }
Error cancelled() { return {ErrorCode::cancelled, "no client is waiting for the answer", ""}; }

// Queries of all threads share them.
Turns& turns() {
  static Turns of_program(kMostQueries);
  return of_program;
}

// Of all files in a folder.
std::int64_t bytes_in(const std::string& folder) {
  std::int64_t sum = 0;
  std::error_code failed;
  for (std::filesystem::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    std::error_code gone;
    const std::uintmax_t size = each->file_size(gone);
    if (!gone) sum += static_cast<std::int64_t>(size);
  }
  return sum;
}

// ---- columns ----

// The unit of a computed column, if its name ends with it: total_ns.
Unit unit_in_name(std::string_view name) {
  if (name.ends_with("_ns")) return Unit::ns;
  if (name.ends_with("_bytes")) return Unit::bytes;
  if (name.ends_with("_share")) return Unit::share;
  if (name.ends_with("_percent")) return Unit::percent;
  return Unit::none;
}

bool is_exact(WideInteger number) { return number <= kMostExactReal && number >= -kMostExactReal; }

// One column of the answer as it grows. Integers that a real does not hold exactly make it one of texts.
class Gathering {
 public:
  Gathering(const std::string& name, SqlKind kind) : kind_(kind) {
    column_.key = name;
    column_.unit = unit_in_name(name);
  }

  void set_origin(const SchemaColumn& from) {
    column_.unit = from.unit;
    column_.doc = Message(from.doc);
  }

  // Numbers of words begin anew with each answer.
  void begin_answer() { known_words_.clear(); }

  void add(const SqlValue& value) {
    std::visit(
        [this]<typename T>(const T& one) {
          constexpr bool is_text = std::is_same_v<T, SqlWord> || std::is_same_v<T, std::string_view>;
          if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, WideInteger>) {
            if (!is_exact(one)) become_texts();
            if (kind_ != SqlKind::text) return column_.values.push_back(static_cast<std::int64_t>(one));
          } else if constexpr (is_text) {
            become_texts();
          } else {
            if (kind_ != SqlKind::text) return column_.values.push_back(Cell(one));
          }
          add_text(one);
        },
        value);
  }

  // REQUIRES: called once. `key` is the column's own.
  ReportColumn finish(std::string key) {
    column_.title = Message(key);
    column_.key = std::move(key);
    const bool text = kind_ == SqlKind::text;
    column_.type = text                     ? CellType::text
                   : kind_ == SqlKind::real ? CellType::real
                   : kind_ == SqlKind::flag ? CellType::flag
                                            : CellType::integer;
    if (text) {
      column_.values = Cells(std::move(texts_));
      column_.unit = Unit::none;
      column_.role = ColumnRole::label;
      column_.code = true;
    }
    return std::move(column_);
  }

  const std::string& name() const { return column_.key; }

 private:
  void add_text(std::monostate) { texts_.word.push_back(WordCells::kNone); }

  void add_text(const SqlWord& word) {
    if (word.number >= known_words_.size()) known_words_.resize(word.number + 1, WordCells::kNone);
    if (known_words_[word.number] == WordCells::kNone) known_words_[word.number] = texts_.add_word(word.text);
    texts_.word.push_back(known_words_[word.number]);
  }

  void add_text(const auto& value) { texts_.word.push_back(texts_.add_word(fmt::format("{}", value))); }

  void become_texts() {
    if (kind_ == SqlKind::text) return;
    kind_ = SqlKind::text;
    for (const Cell& cell : column_.values) std::visit([this](const auto& value) { add_text(value); }, cell);
  }

  ReportColumn column_;
  SqlKind kind_;
  WordCells texts_;                         // the cells of a column of texts
  std::vector<std::uint32_t> known_words_;  // numbers in `texts_`, by the number in this answer
};

// Names as keys: each once.
std::string unused(const std::string& name, std::set<std::string>& used) {
  std::string key = name;
  for (int i = 2; !used.insert(key).second; ++i) key = name + "_" + std::to_string(i);
  return key;
}

const SchemaColumn* find_column(const std::vector<SchemaTable>& schema, const std::string& origin) {
  for (const SchemaTable& table : schema) {
    for (const SchemaColumn& column : table.columns) {
      if (table.name + "." + column.name == origin) return &column;
    }
  }
  return nullptr;
}

// ---- the answer ----

// The rows of one statement on one profile after another.
class Gathered {
 public:
  Gathered(const std::vector<std::string>& name_columns, const std::string& sql, const SqlLimits& limits,
           std::span<const SqlParameter> parameters = {})
      : sql_(sql), limits_(limits), parameters_(parameters) {
    for (const std::string& name : name_columns) columns_.emplace_back(name, SqlKind::text);
  }

  bool full() const { return answer_.more_rows || answer_.more_bytes; }
  bool is_prepared() const { return !columns_.empty(); }  // the statement is valid, even if its rows are missing
  bool was_late() const { return late_; }

  // REQUIRES: not full.
  Result<bool> add(const Profile& profile, const std::vector<std::string>& names) {
    const Result<SqlDatabase*> database = SqlDatabase::shared();
    if (!database) return database.error();
    if (sql_.size() > kMostSqlBytes) return refused("the text of the query is longer than 1 MB");
    Result<SqlText> text = with_parameters(sql_, parameters_);
    if (!text) return text.error();
    const Result<SqlFiles> files = files_of_statement(profile, sql_);
    if (!files) return files.error();
    text->variables.insert(text->variables.end(), files->views.begin(), files->views.end());
    Turn turn(turns());
    if (!turn.wait(limits_.stop)) return cancelled();
    const double left = limits_.seconds == 0 ? 0 : limits_.seconds - answer_.seconds;
    if (limits_.seconds != 0 && left <= 0) return late();
    const Result<PrivateFolder> made = PrivateFolder::make("query");  // for sorts and joins; without it, they stay in memory
    const std::string folder = made ? made->path() : "";
    SqlBounds bounds = bounds_in(folder);
    bounds.files = files->paths;
    SqlReceiver received;
    expect(received, names, profile);
    bool spilt = false;  // more temporary bytes than DuckDB's own limit
    const auto stop = [&] {
      spilt = bytes_in(folder) > bounds.temporary;
      return spilt || (limits_.stop && limits_.stop());
    };
    const auto begun = QueryClock::now();
    const Result<ChildEnd> end = run_in_child(
        {.seconds = left, .memory = limits_.memory, .file_size = bounds.temporary, .stop = stop},
        [&](const ChildOutput& out) {
          SqlSender to(out);
          answer_statement(**database, profile, *text, bounds, to);
        },
        [&](std::string_view bytes) { return received.take(bytes); });
    answer_.seconds += std::chrono::duration<double>(QueryClock::now() - begun).count();
    if (!end) return end.error();
    if (spilt)
      return refused(say("the query writes more than {} MB of temporary files: query less data", bounds.temporary >> 20));
    return judge(*end, received);
  }

  SqlAnswer answer() && {
    answer_.table = {.key = "result", .title = "Result"};
    std::set<std::string> used;
    for (Gathering& column : columns_) {
      std::string key = unused(column.name(), used);
      answer_.table.columns.push_back(column.finish(std::move(key)));
    }
    return std::move(answer_);
  }

 private:
  Error late() const {
    return refused(
        say("stopped after the {} seconds that a query may take: query less data", fmt::format("{}", limits_.seconds)));
  }

  // The rest of the limits. DuckDB gets most of the memory; the remainder is for memory that it does not count.
  SqlBounds bounds_in(const std::string& folder) const {
    SqlBounds bounds;
    bounds.memory = limits_.memory / 4 * 3;
    bounds.temporary = limits_.temporary != 0 ? limits_.temporary : limits_.memory * kTemporaryShare;
    bounds.folder = folder;
    bounds.threads = std::min(default_threads(), kMostThreads);
    if (limits_.rows != 0) bounds.rows = limits_.rows - rows_;
    if (limits_.bytes != 0) bounds.bytes = limits_.bytes - bytes_;
    return bounds;
  }

  void expect(SqlReceiver& received, const std::vector<std::string>& names, const Profile& profile) {
    for (Gathering& column : columns_) column.begin_answer();
    received.columns = [&](const std::vector<SqlAnswerColumn>& columns) {
      if (columns_.size() > names.size()) return;  // those of the profile before
      const std::vector<SchemaTable> schema = sql_schema(profile);
      for (const SqlAnswerColumn& column : columns) {
        Gathering& made = columns_.emplace_back(column.name, column.kind);
        if (const SchemaColumn* from = find_column(schema, column.origin)) made.set_origin(*from);
      }
    };
    received.value = [this, &names, next = std::size_t{0}](const SqlValue& value) mutable {
      if (next == 0) {
        for (; next < names.size(); ++next) columns_[next].add(std::string_view(names[next]));
        ++rows_;
      }
      bytes_ += bytes_of(value);
      columns_[next].add(value);
      next = next + 1 == columns_.size() ? 0 : next + 1;
    };
  }

  Result<bool> judge(ChildEnd end, const SqlReceiver& received) {
    if (end == ChildEnd::stopped) return cancelled();
    if (end == ChildEnd::late) {
      late_ = true;
      return late();
    }
    if (received.failed) return *received.failed;
    if (received.ended) {
      answer_.more_rows = *received.ended == SqlCut::rows;
      answer_.more_bytes = *received.ended == SqlCut::bytes;
      return true;
    }
    return refused(say("the query failed: it needs more memory than the {} MB allowed, or the profile's file was truncated",
                       limits_.memory >> 20));
  }

  const std::string& sql_;
  const SqlLimits& limits_;
  std::span<const SqlParameter> parameters_;
  std::vector<Gathering> columns_;  // those of the names first
  std::size_t rows_ = 0, bytes_ = 0;
  bool late_ = false;
  SqlAnswer answer_;
};

}  // namespace

Result<SqlAnswer> query_profile(const Profile& profile, const std::string& sql, const SqlLimits& limits,
                                std::span<const SqlParameter> parameters) {
  const std::vector<std::string> none;
  Gathered gathered(none, sql, limits, parameters);
  const Result<bool> added = gathered.add(profile, none);
  if (!added) return added.error();
  return std::move(gathered).answer();
}

Result<bool> check_statement(const std::string& sql, SqlLimits limits) {
  const std::vector<std::string> none;
  const Profile nothing;
  limits.seconds = kMostCheckSeconds;
  Gathered gathered(none, sql, limits);
  limits.stop = [&] { return gathered.is_prepared(); };
  const Result<bool> ran = gathered.add(nothing, none);
  if (ran || gathered.is_prepared() || gathered.was_late()) return true;
  return ran.error();
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

}  // namespace sightline::sql

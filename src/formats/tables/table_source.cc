// The two kinds of a TableSource.
#include "formats/tables/table_source.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/input_file.h"
#include "formats/common/decimal.h"
#include "formats/tables/database.h"
#include "formats/tables/parquet_rows.h"

namespace sightline::formats {

namespace {

class DatabaseRow final : public TableSource::Row {
 public:
  explicit DatabaseRow(const Database::Row& row) : row_(row) {}
  std::int64_t integer(int column) const override { return row_.integer(column); }
  double real(int column) const override { return row_.real(column); }
  std::string_view text(int column) const override { return row_.text(column); }

 private:
  const Database::Row& row_;
};

class DatabaseSource final : public TableSource {
 public:
  explicit DatabaseSource(Database database) : database_(std::move(database)) {}

  std::vector<std::string> tables() const override { return database_.tables(); }
  bool has(std::string_view table) const override { return database_.has(table); }
  bool has_rows(std::string_view table) override { return database_.has_rows(table); }
  void each(std::string_view table, std::span<const std::string_view> columns, const Take& take) override {
    database_.each(table, columns, [&](const Database::Row& row) { take(DatabaseRow(row)); });
  }
  void report(Profile& profile) const override { database_.report(profile); }

 private:
  Database database_;
};

class ParquetRow final : public TableSource::Row {
 public:
  explicit ParquetRow(const ParquetRows& rows) : rows_(rows) {}
  std::int64_t integer(int column) const override {
    const auto at = static_cast<std::size_t>(column);
    const std::string_view text = rows_.text_at(at);
    return text.empty() ? rows_.integer_at(at) : parse_integer(text).value_or(kUnknown);
  }
  double real(int column) const override { return rows_.real_at(static_cast<std::size_t>(column)); }
  std::string_view text(int column) const override { return rows_.text_at(static_cast<std::size_t>(column)); }

 private:
  const ParquetRows& rows_;
};

constexpr std::string_view kEnding = ".parquet";

class FolderSource final : public TableSource {
 public:
  FolderSource(std::map<std::string, std::string, std::less<>> files, ReadProgress* progress)
      : files_(std::move(files)), progress_(progress) {}

  std::vector<std::string> tables() const override {
    std::vector<std::string> names;
    for (const auto& [name, path] : files_) names.push_back(name);
    return names;
  }
  bool has(std::string_view table) const override { return files_.find(table) != files_.end(); }
  bool has_rows(std::string_view table) override {
    const auto file = files_.find(table);
    if (file == files_.end()) return false;
    const Result<ParquetRows> rows = ParquetRows::open(file->second);
    return rows && rows->rows() > 0;
  }

  void each(std::string_view table, std::span<const std::string_view> columns, const Take& take) override {
    const auto file = files_.find(table);
    if (file == files_.end()) return;
    Result<ParquetRows> rows = ParquetRows::open(file->second);
    if (!rows) return damaged_.push_back(rows.error());
    rows->select(columns);
    std::size_t taken = 0;
    const ParquetRow row(*rows);
    const Result<bool> done = rows->for_each(0, [&] {
      take(row);
      return ++taken % kRowsPerLook != 0 || !is_over();
    });
    if (!done) damaged_.push_back(done.error());
    if (progress_ != nullptr) progress_->bytes_done += rows->file_bytes();
  }

  void report(Profile& profile) const override {
    for (const Error& error : damaged_) {
      profile.add_problem(Severity::error, "damaged_table", say("{}; its rows before the damage were read", error.to_string()), 1,
                          0);
    }
  }

 private:
  static constexpr std::size_t kRowsPerLook = 1 << 13;

  bool is_over() const { return progress_ != nullptr && progress_->is_over(); }

  std::map<std::string, std::string, std::less<>> files_;  // by table
  ReadProgress* progress_;                                 // may be null
  std::vector<Error> damaged_;
};

}  // namespace

Result<std::unique_ptr<TableSource>> TableSource::open_database(const std::string& path, ReadProgress* progress) {
  Result<Database> database = Database::open(path, progress);
  if (!database) return database.error();
  return std::unique_ptr<TableSource>(std::make_unique<DatabaseSource>(*std::move(database)));
}

Result<std::unique_ptr<TableSource>> TableSource::open_folder(const std::string& path, ReadProgress* progress) {
  std::map<std::string, std::string, std::less<>> files;
  std::error_code failed;
  std::filesystem::directory_iterator entry(path, failed);
  if (failed) return Error{ErrorCode::unreadable, Message::verbatim(failed.message()), path};
  for (const std::filesystem::directory_iterator end; entry != end && !failed; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(kEnding)) files.emplace(name.substr(0, name.size() - kEnding.size()), entry->path().string());
  }
  return std::unique_ptr<TableSource>(std::make_unique<FolderSource>(std::move(files), progress));
}

}  // namespace sightline::formats

// Databases that SQLite finds intact, for fuzz targets: the bytes of an input choose the tables, their columns, and the content
// of each cell: numbers at the edges, texts in place of numbers, ids without a row, nothing.
#pragma once

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/input_folder.h"

namespace sightline::tests {

struct Table {
  const char* name;
  std::vector<const char*> columns;
};

inline constexpr std::int64_t kBegin = 1'736'408'883'704'000'000;
inline constexpr std::array<std::int64_t, 10> kEdges = {0,
                                                        -1,
                                                        4294967295,
                                                        50001,
                                                        50002,
                                                        50003,
                                                        std::numeric_limits<std::int64_t>::max(),
                                                        std::numeric_limits<std::int64_t>::min(),
                                                        20000,
                                                        9'000'000'000'000'000'000};
inline constexpr std::array<std::size_t, 8> kRows = {0, 0, 0, 1, 1, 2, 3, 6};  // of a table: each costs time

// The bytes, one choice after another; 0 once they are used up.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool any() const { return at_ != end_; }
  std::uint8_t next() { return at_ == end_ ? 0 : *at_++; }
  std::size_t below(std::size_t count) { return next() % count; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

inline void run(sqlite3* file, const std::string& text) { sqlite3_exec(file, text.c_str(), nullptr, nullptr, nullptr); }

// As SQL. Most are small ids and close times, so that tables find each other's rows.
inline std::string cell(Choices& choices, std::span<const char* const> texts) {
  const std::uint8_t kind = choices.next();
  if (kind < 96) return std::to_string(kind % 16);
  if (kind < 176) return std::to_string(kBegin + 100 * (kind % 16) + choices.below(8));
  if (kind < 200) return std::string("'") + texts[choices.below(texts.size())] + "'";
  if (kind < 216) return std::to_string(kEdges[choices.below(kEdges.size())]);
  if (kind < 226) return "NULL";
  if (kind < 236) return std::to_string(static_cast<double>(choices.next()) / 16);
  if (kind < 240) return "1e308";
  if (kind < 244) return "x'ff00fe'";
  return "'" + std::to_string(kBegin + choices.next()) + "'";
}

// Writes a database with some of the tables, and rows of `texts` and numbers.
inline void write_database(InputFolder& folder, std::string_view name, const std::vector<Table>& tables,
                           std::span<const char* const> texts, Choices& choices) {
  sqlite3* file = nullptr;
  constexpr int kHow = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", &file, kHow, nullptr) != SQLITE_OK) std::abort();
  run(file, "PRAGMA page_size = 1024; BEGIN");
  for (const Table& table : tables) {
    const std::size_t rows = kRows[choices.below(kRows.size())];
    const std::uint8_t absent = choices.next();  // from 192 on: the number of a missing column
    if (rows == 0) continue;
    std::string list, values;
    std::size_t columns = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (absent >= 192 && i == absent % table.columns.size()) continue;
      list += (columns++ == 0 ? "" : ", ") + std::string(table.columns[i]);
    }
    if (columns == 0) continue;
    run(file, "CREATE TABLE " + std::string(table.name) + " (" + list + ")");
    for (std::size_t row = 0; row < rows; ++row) {
      values += row == 0 ? "(" : "), (";
      for (std::size_t i = 0; i < columns; ++i) values += (i == 0 ? "" : ", ") + cell(choices, texts);
    }
    run(file, "INSERT INTO " + std::string(table.name) + " VALUES " + values + ")");
  }
  run(file, "COMMIT");
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(file, "main", &size, 0);
  if (bytes != nullptr) folder.write(name, {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)});
  sqlite3_free(bytes);
  sqlite3_close(file);
}

// What a target of databases does first.
inline void prepare_databases() { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }  // as the reader does, which comes too late here

}  // namespace sightline::tests

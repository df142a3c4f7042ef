// CSV files with a header, and the figures in all files of a profile: units, the number that means none, names of steps,
// orders of rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/input_file.h"
#include "base/memory.h"
#include "formats/common/decimal.h"
#include "model/profile.h"

namespace sightline::formats::ascend {

// ---- figures ----
// Units of decimal figures, the number that means none, names of steps, orders of rows.

inline constexpr std::int64_t kNoNumber = 4294967295;                             // "none", as an unsigned 32-bit number
inline constexpr std::int64_t kKilobyte = 1 << 10, kMegabyte = 1 << 20;           // of memory
inline constexpr double kNsOfMs = 1e6, kNsOfUs = 1e3, kBytesOfTrafficMega = 1e6;  // MB of traffic are decimal

constexpr std::int64_t known_number(std::int64_t number) { return number == kNoNumber ? kUnknown : number; }

// Whether ns since 1970 may be a time of a recording: an invalid time would spoil the origin of all others.
constexpr bool usable(std::int64_t time) { return time > 0 && time < kFarthestNs; }
inline std::int64_t usable_or_unknown(std::optional<std::int64_t> time) { return time && usable(*time) ? *time : kUnknown; }

// value * factor, rounded; kUnknown if it is not a number or does not fit.
inline std::int64_t scaled(double value, double factor) {
  const double product = value * factor;
  return std::isfinite(product) && std::abs(product) < 9e18 ? std::llround(product) : kUnknown;
}

// "step50" and "50" as "50"; "step" alone and an empty text as none.
inline StringId step_named(std::string_view key, StringPool& strings) {
  if (key.starts_with("step")) key.remove_prefix(4);
  return key.empty() ? StringId::none : strings.intern(key);
}

// Sorts the rows of a table; equal rows keep their order. Returns the rows' former numbers.
template <typename Table, typename Before>
std::vector<Row> sort_rows(Table& table, Before&& before) {
  std::vector<Row> order(table.rows());
  std::iota(order.begin(), order.end(), Row{0});
  std::stable_sort(order.begin(), order.end(), before);
  table.for_each_column([&](const ColumnInfo&, auto& column) {
    std::decay_t<decltype(column)> sorted;
    sorted.reserve(order.size());
    for (const Row row : order) sorted.push_back(column[row]);
    column = std::move(sorted);
  });
  return order;
}

// ---- tables ----
// CsvTable: a CSV file with a header, row by row, its columns found by name. Cells may be quoted, contain line breaks, end in
// blanks or TABs (a guard against spreadsheets), and mark a missing value in several ways. A cell that cannot be read is
// unknown and counted; no content makes a call fail.

// Whether two titles are equal, ignoring case.
bool same_title(std::string_view a, std::string_view b);

class CsvTable {
 public:
  using Column = int;  // -1: the file has no such column

  // unreadable: as open_bytes; malformed: there is no header. The file seems to end where `limit`, which may be null and
  // outlives the table, is reached.
  static Result<CsvTable> open(const std::string& path, MemoryLimit* limit = nullptr);

  // Sizes of memory, in units of so many bytes.
  struct ByteColumn {
    Column column;
    std::int64_t unit;
  };

  // "TITLE(MB)" or, as the command-line profiler counts, "TITLE(KB)".
  ByteColumn byte_column(std::string_view title) const;

  // The column with one of these titles, ignoring blanks and case: the first title that exists.
  Column column(std::initializer_list<std::string_view> titles) const;
  const std::vector<std::string>& titles() const { return titles_; }

  // Goes to the next row that is not blank; false at the end.
  bool next();
  std::int64_t offset() const { return row_offset_; }  // of the row, in bytes

  // The cell without blanks around it; empty if it is absent.
  std::string_view text(Column column) const;

  // Values of a cell; kUnknown or NaN if it is marked as missing, or (noted) if it cannot be read.
  std::int64_t us_as_ns(Column column);  // microseconds, exactly
  std::int64_t moment(Column column);    // microseconds since 1970 as ns; kUnknown also for a time that no recording can have
  std::int64_t bytes(const ByteColumn& column);
  std::int64_t integer(Column column);
  double real(Column column);

  // A row is useless without one of these columns: false, and noted, if none exists.
  bool needs(std::initializer_list<std::string_view> titles);

  // A row that the caller cannot use.
  void skip_row() { flaw(skipped_); }

  // Adds the faults of single cells to the profile's problems.
  void report(Profile& profile) const;

 private:
  struct Flaws {
    std::int64_t count = 0;
    std::int64_t offset = 0;
  };
  void flaw(Flaws& flaws);
  bool read_row();
  bool split_plain_row();
  void go_on_after_line_of(std::int64_t offset, std::string& cell, std::size_t kept);
  bool fill();
  int get();

  std::string path_;
  MemoryLimit* limit_ = nullptr;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::int64_t buffer_offset_ = 0, row_offset_ = 0;
  std::vector<std::string> titles_;
  std::vector<std::string_view> cells_;  // of the row: in the buffer, or in copies_
  std::vector<std::string> copies_;      // cells whose text is not in the buffer as it reads
  bool broken_ = false;                  // the row has no valid cells
  bool ended_ = false;                   // the file ends with the buffer
  std::optional<Message> damage_;
  Flaws unread_, spreadsheet_, skipped_, short_, unclosed_, oversized_;
  std::vector<std::string> absent_;  // needed columns that do not exist
};

// Whether a cell marks a missing value.
bool is_absent(std::string_view cell);

}  // namespace sightline::formats::ascend

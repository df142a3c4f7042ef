// CsvTable: a CSV file with a header, row by row, its columns found by name. Cells are quoted or not, may hold line breaks,
// end in blanks or TABs (a guard against spreadsheets), and say in several ways that there is no value. A cell that cannot be
// read is unknown and counted; nothing here fails on content.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "base/memory.h"
#include "model/profile.h"

namespace sightline::formats::ascend {

// Whether two titles are the same: writers differ in case.
bool same_title(std::string_view a, std::string_view b);

class CsvTable {
 public:
  using Column = int;  // -1: the file has no such column

  // unreadable: as open_bytes; malformed: there is no header. The file seems to end where `limit`, which may be null and outlives
  // the table, is reached.
  static Result<CsvTable> open(const std::string& path, MemoryLimit* limit = nullptr);

  // Sizes of memory, in units of so many bytes.
  struct ByteColumn {
    Column column;
    std::int64_t unit;
  };

  // "TITLE(MB)" or, as the command-line profiler counts, "TITLE(KB)".
  ByteColumn byte_column(std::string_view title) const;

  // The column with one of these titles, blanks and case aside, the first title that is there.
  Column column(std::initializer_list<std::string_view> titles) const;
  const std::vector<std::string>& titles() const { return titles_; }

  // Goes on to the next row that is not blank; false at the end.
  bool next();
  std::int64_t offset() const { return row_offset_; }  // of the row, in bytes

  // The cell without blanks around it; empty when it is absent.
  std::string_view text(Column column) const;

  // Values of a cell; kUnknown or NaN when it says that there is none, and (noted) when it cannot be read.
  std::int64_t us_as_ns(Column column);  // microseconds, exactly
  std::int64_t moment(Column column);    // microseconds since 1970 as ns; kUnknown also when no recording can be from then
  std::int64_t bytes(const ByteColumn& column);
  std::int64_t integer(Column column);
  double real(Column column);

  // A row says nothing without one of these columns: false, and noted, when none is there.
  bool needs(std::initializer_list<std::string_view> titles);

  // A row that the caller cannot use.
  void skip_row() { flaw(skipped_); }

  // Adds what was wrong with single cells to the profile's problems.
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
  std::vector<std::string> copies_;      // cells that do not stand in the buffer as they read
  bool broken_ = false;                  // the row has no sound cells
  bool ended_ = false;                   // the file has no more than what is in the buffer
  std::optional<std::string> damage_;
  Flaws unread_, spreadsheet_, skipped_, short_, unclosed_, oversized_;
  std::vector<std::string> absent_;  // needed columns that are not there
};

// Whether a cell says that there is no value.
bool is_absent(std::string_view cell);

}  // namespace sightline::formats::ascend

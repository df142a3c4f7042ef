// Reads CSV in blocks. A row without quotes that is complete in its block, as nearly all are, is only cut at its commas; any
// other row is read byte by byte.
#include "formats/ascend/csv_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "formats/common/decimal.h"
#include "formats/read_context.h"

namespace sightline::formats::ascend {

namespace {

constexpr std::size_t kFirstBlock = std::size_t{1} << 14, kBlockBytes = std::size_t{1} << 20;
constexpr int kEnd = -1;
constexpr std::size_t kMostCells = 4096;                      // of a row: the widest table has some hundred
constexpr std::int64_t kLongestRow = std::int64_t{16} << 20;  // bytes

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view{} : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

bool same_title(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_absent(std::string_view cell) {
  return cell.empty() || cell == "N/A" || cell == "NA" || cell == "nan" || cell == "NaN" || cell == "null" || cell == "None";
}

Result<CsvTable> CsvTable::open(const std::string& path, MemoryLimit* limit) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  CsvTable table;
  table.path_ = path;
  table.limit_ = limit;
  table.source_ = *std::move(source);
  if (table.fill() && table.buffer_.starts_with("\xEF\xBB\xBF")) table.at_ = 3;
  const bool any = table.read_row();
  for (const std::string_view cell : table.cells_) table.titles_.emplace_back(trim(cell));
  table.cells_.clear();  // they point into what is moved
  const bool titled = std::any_of(table.titles_.begin(), table.titles_.end(), [](const auto& title) { return !title.empty(); });
  if (!any || !titled) return Error{ErrorCode::malformed, "the file has no header", path + ":0"};
  return table;
}

CsvTable::Column CsvTable::column(std::initializer_list<std::string_view> titles) const {
  for (const std::string_view title : titles) {
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      if (same_title(titles_[i], title)) return static_cast<Column>(i);
    }
  }
  return -1;
}

bool CsvTable::needs(std::initializer_list<std::string_view> titles) {
  if (column(titles) >= 0) return true;
  std::string wanted;
  for (const std::string_view title : titles) wanted.append(wanted.empty() ? "'" : " or '").append(title).append("'");
  absent_.push_back(std::move(wanted));
  return false;
}

CsvTable::ByteColumn CsvTable::byte_column(std::string_view title) const {
  const Column mega = column({std::string(title) + "(MB)"});
  return mega >= 0 ? ByteColumn{mega, kMegabyte} : ByteColumn{column({std::string(title) + "(KB)"}), kKilobyte};
}

bool CsvTable::fill() {
  buffer_offset_ += static_cast<std::int64_t>(buffer_.size());
  at_ = 0;
  if (ended_ || (limit_ != nullptr && limit_->reached())) {
    buffer_.clear();
    return false;
  }
  const std::size_t block = buffer_offset_ == 0 ? kFirstBlock : kBlockBytes;
  buffer_.resize(block);
  const Result<std::size_t> got = source_->read(buffer_.data(), block);
  if (!got) damage_ = got.error().message;
  buffer_.resize(got ? *got : 0);
  ended_ = buffer_.size() < block;
  if (source_->damage()) damage_ = *source_->damage();
  return !buffer_.empty();
}

int CsvTable::get() {
  if (at_ == buffer_.size() && !fill()) return kEnd;
  return static_cast<unsigned char>(buffer_[at_++]);
}

// Takes the row that begins at at_ if its cells can be read in the buffer; else changes nothing that matters.
bool CsvTable::split_plain_row() {
  const char* const end = buffer_.data() + buffer_.size();
  const char* cell = buffer_.data() + at_;
  for (const char* p = cell; p != end && *p != '"'; ++p) {
    if (*p != ',' && *p != '\n') continue;
    if (cells_.size() == kMostCells) break;
    cells_.emplace_back(cell, static_cast<std::size_t>(p - cell));
    cell = p + 1;
    if (*p == ',') continue;
    at_ = static_cast<std::size_t>(cell - buffer_.data());
    return true;
  }
  cells_.clear();
  return false;
}

// One record. A quote counts at the beginning of a cell, after blanks; a doubled quote inside is one quote. Skips text longer
// than any row, or than any quoted cell.
bool CsvTable::read_row() {
  cells_.clear();
  broken_ = false;
  if (at_ == buffer_.size() && !fill()) return false;
  row_offset_ = buffer_offset_ + static_cast<std::int64_t>(at_);
  if (split_plain_row()) return true;
  std::size_t used = 0;
  const auto new_cell = [&]() -> std::string& {
    if (used == kMostCells) broken_ = true;
    if (used < kMostCells) ++used;
    if (used > copies_.size()) copies_.emplace_back();
    copies_[used - 1].clear();
    return copies_[used - 1];
  };
  std::string* cell = &new_cell();
  bool quoted = false, begun = false;
  std::int64_t quote = 0;        // where it was opened, in the file
  std::size_t before_quote = 0;  // blanks of the cell
  const auto length = [&] { return buffer_offset_ + static_cast<std::int64_t>(at_) - row_offset_; };
  for (int c = get(); c != kEnd; c = get()) {
    if (length() > kLongestRow) {
      if (quoted) {
        --at_;
        break;
      }
      broken_ = true;
      if (c == '\n') break;
    } else if (quoted) {
      if (c != '"') {
        cell->push_back(static_cast<char>(c));
      } else if (at_ == buffer_.size() && !fill()) {
        quoted = false;
      } else if (buffer_[at_] == '"') {
        cell->push_back('"');
        ++at_;
      } else {
        quoted = false;
      }
    } else if (c == ',') {
      cell = &new_cell();
      begun = false;
    } else if (c == '\n') {
      break;
    } else if (c == '"' && !begun) {
      quoted = begun = true;
      quote = row_offset_ + length() - 1;
      before_quote = cell->size();
    } else {
      if (c != ' ' && c != '\t' && c != '\r') begun = true;
      if (begun || c != ' ') cell->push_back(static_cast<char>(c));
    }
  }
  if (quoted) {
    if (unclosed_.count++ == 0) unclosed_.offset = quote;
    go_on_after_line_of(quote + 1, *cell, before_quote);
  } else if (broken_) {
    flaw(oversized_);
  }
  cells_.assign(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(used));
  return true;
}

// A quote did not close. Of the text that it took in, which began at `offset` of the file and is in `cell` after `kept`
// bytes, only the rest of its line is lost. Quotes within it were doubled in the file, so none of them opens a cell that does
// not close.
void CsvTable::go_on_after_line_of(std::int64_t offset, std::string& cell, std::size_t kept) {
  broken_ = true;
  const std::size_t end = cell.find('\n', kept);
  if (end == std::string::npos) {
    for (int c = get(); c != kEnd && c != '\n';) c = get();
    return;
  }
  std::string rest;
  for (std::size_t i = end + 1; i < cell.size(); ++i) rest.append(cell[i] == '"' ? 2 : 1, cell[i]);
  const auto quotes =
      std::count(cell.begin() + static_cast<std::ptrdiff_t>(kept), cell.begin() + static_cast<std::ptrdiff_t>(end), '"');
  buffer_offset_ = offset + static_cast<std::int64_t>(end + 1 - kept) + quotes;
  buffer_ = rest.append(buffer_, at_, std::string::npos);
  at_ = 0;
  cell.resize(end);
}

bool CsvTable::next() {
  while (read_row()) {
    if (broken_) continue;
    if (std::all_of(cells_.begin(), cells_.end(), [](std::string_view cell) { return trim(cell).empty(); })) continue;
    if (cells_.size() < titles_.size()) flaw(short_);
    return true;
  }
  return false;
}

std::string_view CsvTable::text(Column column) const {
  return column < 0 || static_cast<std::size_t>(column) >= cells_.size() ? std::string_view{}
                                                                         : trim(cells_[static_cast<std::size_t>(column)]);
}

void CsvTable::flaw(Flaws& flaws) {
  if (flaws.count++ == 0) flaws.offset = row_offset_;
}

std::int64_t CsvTable::us_as_ns(Column column) {
  const std::string_view cell = text(column);
  if (is_absent(cell)) return kUnknown;
  // "1.69512E+15": a spreadsheet has rounded it to hours.
  if (cell.size() < 16 && cell.find_first_of("eE") != std::string_view::npos) {
    const std::optional<double> value = parse_real(cell);
    if (value && *value >= 1e12) {
      flaw(spreadsheet_);
      return kUnknown;
    }
  }
  const std::optional<std::int64_t> value = parse_us_as_ns(cell);
  if (!value) flaw(unread_);
  return value.value_or(kUnknown);
}

std::int64_t CsvTable::moment(Column column) { return usable_or_unknown(us_as_ns(column)); }

std::int64_t CsvTable::bytes(const ByteColumn& column) { return scaled(real(column.column), static_cast<double>(column.unit)); }

std::int64_t CsvTable::integer(Column column) {
  const std::string_view cell = text(column);
  if (is_absent(cell)) return kUnknown;
  const std::optional<std::int64_t> value = parse_integer(cell);
  if (!value) flaw(unread_);
  return value.value_or(kUnknown);
}

double CsvTable::real(Column column) {
  const std::string_view cell = text(column);
  if (is_absent(cell)) return kUnknownNumber;
  const std::optional<double> value = parse_real(cell);
  if (!value) flaw(unread_);
  return value.value_or(kUnknownNumber);
}

void CsvTable::report(Profile& profile) const {
  const std::string file = std::filesystem::path(path_).filename().string();
  const auto add = [&](const Flaws& flaws, Severity severity, std::string_view code, const char* what) {
    if (flaws.count > 0) profile.add_problem(severity, code, say("{}: {}", file, what), flaws.count, flaws.offset);
  };
  for (const std::string& wanted : absent_) {
    profile.add_problem(Severity::error, "missing_column",
                        say("{}: there is no column {}; its rows cannot be used", file, wanted), 1, 0);
  }
  add(unread_, Severity::warning, "not_a_number", "a cell that should be a number is not one; it counts as unknown");
  add(spreadsheet_, Severity::warning, "rounded_time",
      "a time was rounded by a spreadsheet (as in 1.69512E+15) and has lost its digits; it counts as unknown");
  add(skipped_, Severity::warning, "unusable_row", "a row without a time was skipped");
  add(unclosed_, Severity::error, "unclosed_quote", "a quote is never closed; its line was skipped");
  add(oversized_, Severity::warning, "oversized_row", "a row of more than 4096 cells or 16 MiB was skipped");
  add(short_, Severity::warning, "short_row", "a row has fewer cells than the header; the others count as unknown");
  if (damage_) note_damaged_compression(profile, file, *damage_, row_offset_);
}

}  // namespace sightline::formats::ascend

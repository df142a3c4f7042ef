// ParquetRows: a Parquet file row by row, on disk or in a cloud, in batches of bounded size. Only its source and that of
// zstd.h include Arrow among the readers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/tables.h"

namespace sightline::formats {

struct ParquetCell {
  enum class Kind : std::uint8_t { none, integer, real, text } kind = Kind::none;
  std::int64_t integer = kUnknown;
  double real = static_cast<double>(kUnknownReal);
  std::string text;  // for a list, its members: "[1, 2]"
};

class ParquetRows {
 public:
  // An Error names the file and the cause.
  static Result<ParquetRows> open(const std::string& path);
  ParquetRows(ParquetRows&&) noexcept;
  ParquetRows& operator=(ParquetRows&&) noexcept;
  ~ParquetRows();

  const std::vector<std::string>& columns() const;
  std::int64_t rows() const;
  std::int64_t file_bytes() const;

  // From now on only these columns are read, which makes a wide file faster. Cells are numbered in this order; those of a column
  // that the file lacks are empty. A column may be given as "new|old".
  void select(std::span<const std::string_view> columns);

  // Calls take() for each row from row `first` on, until it returns false; the functions below then refer to that row. An
  // Error if the file is damaged: the rows before the damage were taken.
  Result<bool> for_each(std::int64_t first, const std::function<bool()>& take);

  // The current row's values. For a missing column, an empty cell, or another type: kUnknown, NaN, "".
  std::int64_t integer(std::string_view column) const;
  double real(std::string_view column) const;
  std::string text(std::string_view column) const;
  ParquetCell cell(std::size_t column) const;

  // The same by number. The text is valid until the next row; texts of other types are empty.
  std::int64_t integer_at(std::size_t column) const;
  double real_at(std::size_t column) const;
  std::string_view text_at(std::size_t column) const;
  bool is_text_at(std::size_t column) const;

 private:
  struct Impl;
  explicit ParquetRows(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::formats

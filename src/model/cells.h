// Cells: the values of a report's column, stored by type and not cell by cell: a table of a million rows is common. Reads
// and grows like a vector of Cell; cells come out as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/layers.h"

namespace sightline::model {

// One cell: monostate is unknown (shown as "–", never 0).
using Cell = std::variant<std::monostate, std::int64_t, double, bool, std::string>;

inline bool is_unknown(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

// The value as a number, flags as 0 and 1; NaN for text and unknown.
double number_of(const Cell& cell);

// Texts as numbers of words. `words` may contain a word more than once.
struct WordCells {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> word;  // by row; kNone is unknown
  std::vector<std::string> words;

  void add(std::string_view text);  // an empty text is unknown
  // Returns the word's number. The last word is not added again.
  std::uint32_t add_word(std::string_view text);
};

class Cells {
 public:
  using Integers = std::vector<std::int64_t>;  // kUnknown is unknown
  using Reals = std::vector<double>;           // NaN is unknown
  using Flags = std::vector<std::int8_t>;      // -1 is unknown
  // monostate: all unknown so far.
  using Storage = std::variant<std::monostate, Integers, Reals, Flags, WordCells>;

  class Iterator {
   public:
    Iterator(const Cells& cells, std::size_t row) : cells_(&cells), row_(row) {}
    Cell operator*() const { return (*cells_)[row_]; }
    Iterator& operator++() { return ++row_, *this; }
    bool operator!=(const Iterator& other) const { return row_ != other.row_; }

   private:
    const Cells* cells_;
    std::size_t row_;
  };

  // Out of line: compiling copies and destructors of cells in every file takes long.
  Cells();
  Cells(const Cells&);
  Cells(Cells&&) noexcept;
  Cells& operator=(const Cells&);
  Cells& operator=(Cells&&) noexcept;
  ~Cells();
  Cells(const std::vector<Cell>& cells);  // NOLINT: a column is often written as a list of cells
  explicit Cells(Integers integers);
  explicit Cells(Reals reals);
  explicit Cells(Flags flags);
  explicit Cells(WordCells words);
  // REQUIRES: `storage` has as many rows, or is monostate.
  Cells(std::size_t rows, Storage storage);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Cell operator[](std::size_t row) const;
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }
  const Storage& storage() const { return storage_; }

  // Integers become reals when a real is added. REQUIRES: else one type, unknown cells aside.
  void push_back(const Cell& cell);
  void add(std::int64_t value);
  void add(double value);
  void add(bool value);
  void add(std::string_view text);
  void add_unknown();

  // Room for `rows` values of one type, which the caller fills. REQUIRES: no cell yet.
  std::int64_t* integers(std::size_t rows);
  double* reals(std::size_t rows);
  std::int8_t* flags(std::size_t rows);
  WordCells& texts(std::size_t rows);  // the caller adds as many

 private:
  std::size_t size_ = 0;
  Storage storage_;
};

}  // namespace sightline::model

// RowRank: where each row of a side table belongs, without sorting. A set of slice rows as bits, with running counts.
#pragma once

#include <cstdint>
#include <vector>

#include "model/tables.h"

namespace sightline::formats::trace_events {

// Counts, for a set of rows, how many of them come before a given one: where a side table's row belongs.
class RowRank {
 public:
  explicit RowRank(std::size_t rows) : words_(rows / 64 + 1, 0), before_(rows / 64 + 2, 0) {}
  void insert(Row row) { words_[row / 64] |= std::uint64_t{1} << (row % 64); }
  void count() {
    for (std::size_t w = 0; w < words_.size(); ++w)
      before_[w + 1] = before_[w] + static_cast<Row>(__builtin_popcountll(words_[w]));
  }
  bool contains(Row row) const { return (words_[row / 64] >> (row % 64) & 1) != 0; }
  Row size() const { return before_.back(); }
  Row rank(Row row) const {
    const std::uint64_t below = words_[row / 64] & ((std::uint64_t{1} << (row % 64)) - 1);
    return before_[row / 64] + static_cast<Row>(__builtin_popcountll(below));
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<Row> before_;
};

}  // namespace sightline::formats::trace_events

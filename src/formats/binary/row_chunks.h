// RowChunks: rows that are appended one by one, millions of them, and read by number. They lie in pieces of one size, so that
// growing copies nothing and holds nothing twice.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace sightline::formats {

// T is copied as bytes are.
template <typename T>
class RowChunks {
 public:
  void push_back(const T& row) {
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
    chunks_.back()[size_++ % kChunk] = row;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Forgets all rows and gives their memory back.
  void clear() {
    std::vector<std::unique_ptr<T[]>>().swap(chunks_);
    size_ = 0;
  }
  const T& operator[](std::size_t row) const { return chunks_[row / kChunk][row % kChunk]; }

  class Iterator {
   public:
    Iterator(const RowChunks& rows, std::size_t row) : rows_(&rows), row_(row) {}
    const T& operator*() const { return (*rows_)[row_]; }
    Iterator& operator++() {
      ++row_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return row_ != other.row_; }

   private:
    const RowChunks* rows_;
    std::size_t row_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 12;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace sightline::formats

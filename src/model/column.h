// Column<T>: the values of one column, contiguous in memory.
// A reader fills a column like a vector; a profile from the
// cache borrows its columns from the mapped file. In both
// cases a value is one pointer away. The first change of a
// borrowed column copies it; the borrowed bytes never change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/layers.h"
#include "base/memory.h"

namespace sightline::model {

template <typename T>
class Column {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  Column() = default;
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column&& other) noexcept {
    Column moved(std::move(other));
    swap(moved);
    return *this;
  }
  Column(const Column&) = delete;  // a column may be long: copies are explicit
  Column& operator=(const Column&) = delete;
  ~Column() { release(); }

  // A column over memory that `owner` keeps alive. REQUIRES: `values` is aligned for T.
  static Column borrowed(std::span<const T> values, std::shared_ptr<const void> owner) {
    Column column;
    column.data_ = const_cast<T*>(values.data());  // never written to: see own()
    column.size_ = values.size();
    column.owner_ = std::move(owner);
    return column;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return owner_ == nullptr ? capacity_ : size_; }
  const T* data() const { return data_; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T& front() const { return data_[0]; }
  const T& back() const { return data_[size_ - 1]; }

  // REQUIRES: the column owns its memory (any of the functions below makes a copy of borrowed memory).
  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  T& front() { return data_[0]; }
  T& back() { return data_[size_ - 1]; }

  // New values are zero. A column that was empty gets them from the system as untouched pages.
  void resize(std::size_t size) {
    own();
    if (size > capacity_) {
      if (size_ == 0) {
        release();
        grow(size);
        size_ = size;
        return;
      }
      grow(size);
    }
    if (size > size_) std::memset(static_cast<void*>(data_ + size_), 0, (size - size_) * sizeof(T));
    size_ = size;
  }
  void resize(std::size_t size, T value) {
    own();
    const std::size_t had = size_;
    if (size > capacity_) grow(size);
    size_ = size;
    if (size > had) std::fill(data_ + had, data_ + size, value);
  }
  void reserve(std::size_t size) {
    own();
    if (size > capacity_) grow(size);
  }
  // Gives back the memory that reserve() got and no value needs.
  void shrink_to_fit() {
    if (size_ == 0) return clear();
    if (owner_ == nullptr && size_ < capacity_) grow(size_);
  }
  // Long runs of one value, from row `from` on, share their memory: see share_repeated_values().
  void share_repeated(std::size_t from) {
    if (owner_ == nullptr && from < size_) share_repeated_values(data_, size_ * sizeof(T), from * sizeof(T), sizeof(T));
  }
  void push_back(T value) {
    if (size_ >= capacity_) grow(std::max<std::size_t>(16, size_ * 2));
    data_[size_++] = value;
  }
  void assign(std::size_t size, T value) {
    clear();
    resize(size, value);
  }
  void clear() { Column().swap(*this); }

  void swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    owner_.swap(other.owner_);
  }

  friend bool operator==(const Column& a, std::span<const T> b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend bool operator==(const Column& a, const Column& b) { return a == std::span<const T>(b); }

 private:
  // Copies borrowed memory.
  void own() {
    if (owner_ != nullptr) grow(std::max<std::size_t>(size_, 1));
  }

  // REQUIRES: capacity >= size(). A column without memory gets zeros.
  void grow(std::size_t capacity) {
    if (capacity > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    if (owner_ == nullptr && data_ != nullptr) {
      data_ = static_cast<T*>(resize_memory(data_, capacity_ * sizeof(T), capacity * sizeof(T)));
    } else {
      T* copy = static_cast<T*>(new_memory(capacity * sizeof(T)));
      std::copy(data_, data_ + size_, copy);
      data_ = copy;
      owner_.reset();
    }
    capacity_ = capacity;
  }

  void release() {
    if (owner_ == nullptr && data_ != nullptr) delete_memory(data_, capacity_ * sizeof(T));
    owner_.reset();
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;           // 0 while borrowed
  std::shared_ptr<const void> owner_;  // of borrowed memory
};

}  // namespace sightline::model

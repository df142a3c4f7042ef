// A block of records, and how it is gone over without a branch that a processor would guess wrong.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "formats/neuron/ntff_header.h"

namespace sightline::formats::neuron {

inline constexpr std::size_t kBlockRecords = 1024;  // they, and the rows made of them, stay in the first-level cache

struct Record {
  std::uint32_t first, second;
  std::uint64_t ticks;
  unsigned type() const { return first >> 24 & 31; }
  std::uint32_t pc() const { return first & 0xfffff; }
};

// REQUIRES: `bytes` is 16 bytes.
inline Record record_of(const char* bytes) {
  static_assert(std::endian::native == std::endian::little);
  Record record;
  std::memcpy(&record.first, bytes, 4);
  std::memcpy(&record.second, bytes + 4, 4);
  std::memcpy(&record.ticks, bytes + 8, 8);
  return record;
}

// Records that lie one after the other, at most kBlockRecords.
struct RecordBlock {
  const char* bytes;
  std::size_t count;
  std::int64_t position;  // of the first, in the file

  Record operator[](std::size_t i) const { return record_of(bytes + i * kRecordBytes); }
  std::int64_t at(std::size_t i) const { return position + static_cast<std::int64_t>(i * kRecordBytes); }
};

// What a record does for the thing that it is about.
enum class Part : std::uint8_t { starts, ends, neither };

// Numbers of the records of a block that start something, and of those that end something.
class PartLists {
 public:
  // `part_of` is a function of a record. Each number is written to both lists, and at most one of them then grows: no branch.
  // Returns all bits that any record's first word has.
  template <typename PartOf>
  std::uint32_t list(const RecordBlock& block, const PartOf& part_of) {
    std::size_t starts = 0, ends = 0;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < block.count; ++i) {
      const Record record = block[i];
      const Part part = part_of(record);
      bits |= record.first;
      starts_[starts] = ends_[ends] = static_cast<std::uint16_t>(i);
      starts += part == Part::starts;
      ends += part == Part::ends;
    }
    started_ = starts;
    ended_ = ends;
    return bits;
  }
  std::span<const std::uint16_t> starts() const { return {starts_.data(), started_}; }
  std::span<const std::uint16_t> ends() const { return {ends_.data(), ended_}; }

 private:
  std::array<std::uint16_t, kBlockRecords + 1> starts_, ends_;
  std::size_t started_ = 0, ended_ = 0;
};

// Rows that a block made and that wait to be handed on: at most one per record.
template <typename Row>
class RowBlock {
 public:
  void add(const Row& row) { rows_[size_++] = row; }
  // All of them, which are then forgotten.
  std::span<const Row> all() { return {rows_.data(), std::exchange(size_, 0)}; }

 private:
  std::array<Row, kBlockRecords> rows_;
  std::size_t size_ = 0;
};

}  // namespace sightline::formats::neuron

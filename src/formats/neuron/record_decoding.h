// What decoding spends its time in: ClockReader converts ticks, OpenStarts pairs starts with ends, and the records of a block
// are processed without branches that a processor would mispredict.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "formats/neuron/ntff_header.h"

namespace sightline::formats::neuron {

// ---- clocks ----
// ClockReader: Clock::picoseconds without a division, for nearly all ticks of a recording.
//
// A number n divided by d is n x (2^64 / d rounded down, plus 1) / 2^64 rounded down, as long as n is below 2^64 / d: the
// factor is too large by at most d / 2^64 of itself, and n times that is less than 1 / d. (Granlund and Montgomery, Division
// by invariant integers using multiplication, 1994.)

class alignas(64) ClockReader {
 public:
  explicit ClockReader(const Clock& clock = {}) : clock_(clock), first_(clock.first) {
    if (!clock.known() || clock.expected >> 40 != 0 || clock.actual >> 40 != 0) return;
    // In lowest terms, so that n stays small; but the divisor is at least 2, so that the factor fits.
    const std::uint64_t common = std::gcd(clock.expected, clock.actual);
    const std::uint64_t more = clock.actual == common ? 2 : 1;
    const std::uint64_t divisor = clock.actual / common * more;
    multiplier_ = clock.expected / common * more;
    factor_ = ~std::uint64_t{0} / divisor + 1;
    far_ = std::min(~std::uint64_t{0} / divisor, std::uint64_t{1} << 60) / multiplier_;
  }

  // clock.picoseconds(ticks); kUnknown if the clock is not known.
  std::int64_t picoseconds(std::uint64_t ticks) const {
    if (is_near(ticks)) return near_picoseconds(ticks);
    return clock_.known() ? clock_.picoseconds(ticks) : kUnknown;
  }

  // The same in two steps, for callers with millions of ticks: whether the factor is exact enough, then the time, which is
  // known.
  bool is_near(std::uint64_t ticks) const { return ticks - first_ < far_; }
  std::int64_t near_picoseconds(std::uint64_t ticks) const {  // REQUIRES: is_near(ticks)
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>(static_cast<Wide>((ticks - first_) * multiplier_) * factor_ >> 64);
  }

 private:
  Clock clock_;
  std::uint64_t first_;
  std::uint64_t multiplier_ = 0, factor_ = 0;
  std::uint64_t far_ = 0;  // from this many ticks on, the factor is not exact enough
};

// ---- open starts ----
// OpenStarts: what has begun and not ended, first in, first out by key. The first of each key is in a table by key, of which
// only pages with a key in use exist. The few that begin while another of their key is open wait in a list after it, whose
// nodes are reused.

struct Start {
  std::int64_t time;
  std::int64_t source;  // position of its record; never 0, which is in the file's header
  std::uint16_t wait_cycles;
};

class OpenStarts {
 public:
  // Keys are 0 .. keys - 1.
  explicit OpenStarts(std::size_t keys) : pages_((keys + kPageKeys - 1) / kPageKeys, const_cast<First*>(kNothing)) {}
  OpenStarts(const OpenStarts&) = delete;

  void push(std::size_t key, const Start& start) {
    if (pages_[key / kPageKeys] == kNothing) [[unlikely]]
      add_page(key / kPageKeys);
    First& first = at(key);
    if (first.start.source != 0) [[unlikely]]
      return wait(first, start);
    first.start = start;  // and there is no first.next
  }

  // Whether something of this key is open whose record is before `position`. REQUIRES: position > 0.
  bool any_before(std::size_t key, std::int64_t position) const {
    return static_cast<std::uint64_t>(at(key).start.source) - 1 < static_cast<std::uint64_t>(position) - 1;
  }
  // The one that began first. REQUIRES: something is open.
  const Start& front(std::size_t key) const { return at(key).start; }
  // Removes the one that began first. REQUIRES: something is open.
  void pop(std::size_t key) {
    First& first = at(key);
    if (first.next == kNone) [[likely]] {
      first.start.source = 0;
    } else {
      move_up(first);
    }
  }

  // All that is open: take(key, start), by key and then in order.
  template <typename Take>
  void for_each(Take&& take) const {
    for (std::size_t page = 0; page < pages_.size(); ++page) {
      if (pages_[page] == kNothing) continue;
      for (std::size_t key = page * kPageKeys; key < (page + 1) * kPageKeys; ++key) {
        if (front(key).source == 0) continue;
        take(key, front(key));
        for (std::uint32_t node = at(key).next; node != kNone; node = nodes_[node].next) take(key, nodes_[node].start);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0;
  static constexpr std::size_t kPageKeys = std::size_t{1} << 11;

  struct First {
    Start start;         // of source 0: nothing is open
    std::uint32_t next;  // node of the one that began next, or none
  };

  struct Node {
    Start start;
    std::uint32_t next, last;  // last: in the first node of a list, its end
  };

  // A page in which nothing is open; never written.
  static constexpr First kNothing[kPageKeys] = {};

  First& at(std::size_t key) { return pages_[key / kPageKeys][key % kPageKeys]; }
  const First& at(std::size_t key) const { return pages_[key / kPageKeys][key % kPageKeys]; }

  void add_page(std::size_t page) {
    owned_.push_back(std::make_unique<First[]>(kPageKeys));
    pages_[page] = owned_.back().get();
  }

  void wait(First& first, const Start& start) {
    const std::uint32_t node = take_node(start);
    if (first.next == kNone) {
      first.next = node;
    } else {
      nodes_[nodes_[first.next].last].next = node;
    }
    nodes_[first.next].last = node;
  }

  void move_up(First& first) {
    const std::uint32_t node = first.next;
    const std::uint32_t next = nodes_[node].next;
    if (next != kNone) nodes_[next].last = nodes_[node].last;
    first = {nodes_[node].start, next};
    nodes_[node].next = free_;
    free_ = node;
  }

  std::uint32_t take_node(const Start& start) {
    std::uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({start, kNone, node});
    } else {
      free_ = nodes_[node].next;
      nodes_[node] = {start, kNone, node};
    }
    return node;
  }

  std::vector<First*> pages_;                       // by key
  std::vector<std::unique_ptr<First[]>> owned_;     // those of them that are not kNothing
  std::vector<Node> nodes_ = std::vector<Node>(1);  // from 1 on
  std::uint32_t free_ = kNone;
};

// ---- blocks ----
// A block of records, processed without branches that a processor would mispredict.

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

// Consecutive records, at most kBlockRecords.
struct RecordBlock {
  const char* bytes;
  std::size_t count;
  std::int64_t position;  // of the first, in the file

  Record operator[](std::size_t i) const { return record_of(bytes + i * kRecordBytes); }
  std::int64_t at(std::size_t i) const { return position + static_cast<std::int64_t>(i * kRecordBytes); }
};

// What a record does to the thing that it reports.
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

// Rows made from a block and not yet handed on: at most one per record.
template <typename Row>
class RowBlock {
 public:
  void add(const Row& row) { rows_[size_++] = row; }
  // All of them; then the block is empty.
  std::span<const Row> all() { return {rows_.data(), std::exchange(size_, 0)}; }

 private:
  std::array<Row, kBlockRecords> rows_;
  std::size_t size_ = 0;
};

}  // namespace sightline::formats::neuron

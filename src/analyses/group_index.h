// GroupIndex numbers distinct keys in the order they first appear: the group-by of every table. A key is a fixed
// number of 32-bit words (string ids, row numbers), so grouping a million rows compares no text and, once the
// groups are known, allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/string_pool.h"

namespace sightline::analyses {

template <std::size_t kWords>
class GroupIndex {
 public:
  using Key = std::array<std::uint32_t, kWords>;

  GroupIndex() : slots_(64, 0) {}

  // The number of `key`'s group, a new one when it was not seen before.
  std::uint32_t number_of(const Key& key) {
    std::size_t at = slot_of(key);
    if (slots_[at] == 0) {
      keys_.push_back(key);
      slots_[at] = static_cast<std::uint32_t>(keys_.size());
      if (keys_.size() * 2 > slots_.size()) grow();
      return static_cast<std::uint32_t>(keys_.size() - 1);
    }
    return slots_[at] - 1;
  }

  // a == b, without the call of memcmp that compilers make of it.
  static bool same(const Key& a, const Key& b) {
    std::uint32_t differs = 0;
    for (std::size_t word = 0; word < kWords; ++word) differs |= a[word] ^ b[word];
    return differs == 0;
  }

  std::size_t size() const { return keys_.size(); }
  const Key& key(std::size_t group) const { return keys_[group]; }
  std::int64_t held_bytes() const {
    return static_cast<std::int64_t>(keys_.capacity() * sizeof(Key) + slots_.capacity() * sizeof(std::uint32_t));
  }
  StringId text(std::size_t group, std::size_t word) const { return static_cast<StringId>(keys_[group][word]); }

 private:
  std::size_t slot_of(const Key& key) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t word : key) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
      hash ^= hash >> 29;
    }
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at] != 0 && !same(keys_[slots_[at] - 1], key)) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (std::size_t i = 0; i < keys_.size(); ++i) slots_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<Key> keys_;
  std::vector<std::uint32_t> slots_;  // open addressing: key number + 1, or 0
};

}  // namespace sightline::analyses

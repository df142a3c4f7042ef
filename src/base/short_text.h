// Short texts, read as numbers: names and keys have few bytes, and a call for each costs more than comparing them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/layers.h"

namespace sightline::base {

template <typename Word>
Word read_word(const char* p) {
  Word word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// The `size` bytes at p, 1 to 7, each of them at least once: two reads that overlap.
inline std::uint64_t read_short(const char* p, std::size_t size) {
  const auto wide = [](auto part) { return static_cast<std::uint64_t>(part); };
  if (size >= 4) return wide(read_word<std::uint32_t>(p)) | wide(read_word<std::uint32_t>(p + size - 4)) << 32;
  return wide(read_word<std::uint8_t>(p)) | wide(read_word<std::uint8_t>(p + size / 2)) << 8 |
         wide(read_word<std::uint8_t>(p + size - 1)) << 16;
}

// a == b, fast for up to 32 bytes.
inline bool same_text(std::string_view a, std::string_view b) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  if (size > 32) return std::memcmp(a.data(), b.data(), size) == 0;
  if (size < 8) return size == 0 || read_short(a.data(), size) == read_short(b.data(), size);
  for (std::size_t i = 0; i + 8 < size; i += 8) {
    if (read_word<std::uint64_t>(a.data() + i) != read_word<std::uint64_t>(b.data() + i)) return false;
  }
  return read_word<std::uint64_t>(a.data() + size - 8) == read_word<std::uint64_t>(b.data() + size - 8);
}

}  // namespace sightline::base

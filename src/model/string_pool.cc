// StringPool: an open-addressing table over strings stored in large blocks.
#include "model/string_pool.h"

#include <algorithm>
#include <bit>

#include "base/short_text.h"

namespace sightline::model {

namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 12, kBlockBytes = std::size_t{1} << 18;  // of blocks

// A multiply-and-fold hash over 8-byte words: names are short, and this is on the path of every event.
std::uint32_t hash_text(std::string_view text) {
  constexpr std::uint64_t kMul = 0x9E3779B97F4A7C15ull;
  std::uint64_t h = text.size() * kMul;
  const char* p = text.data();
  std::size_t left = text.size();
  while (left >= 8) {
    h = (h ^ read_word<std::uint64_t>(p)) * kMul;
    h ^= h >> 32;
    p += 8;
    left -= 8;
  }
  if (left != 0) {
    h = (h ^ read_short(p, left)) * kMul;
    h ^= h >> 32;
  }
  h *= kMul;
  return static_cast<std::uint32_t>(h >> 32);
}

}  // namespace

StringPool::StringPool() {
  slots_.resize(1024);
  intern("");
}

std::optional<StringPool> StringPool::borrowed(const Parts& parts, std::shared_ptr<const void> owner) {
  const std::size_t count = parts.hashes.size();
  const bool fits = count > 0 && parts.offsets.size() == count + 1 && std::has_single_bit(parts.slots.size()) &&
                    parts.slots.size() >= count * 2 && parts.offsets[0] == 0 && parts.offsets[1] == 0 &&
                    parts.offsets[count] <= static_cast<std::int64_t>(parts.bytes.size());
  if (!fits) return std::nullopt;
  StringPool pool;
  pool.entries_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t size = parts.offsets[i + 1] - parts.offsets[i];
    if (size < 0 || size > std::int64_t{0xFFFFFFFF}) return std::nullopt;
    pool.entries_[i] = {parts.bytes.data() + parts.offsets[i], static_cast<std::uint32_t>(size), parts.hashes[i]};
  }
  pool.stored_bytes_ = parts.bytes.size();
  pool.slots_ = Column<std::uint32_t>::borrowed(parts.slots, owner);
  pool.owner_ = std::move(owner);
  return pool;
}

std::uint32_t StringPool::probe(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at] != 0) {
    const Entry& entry = entries_[slots_[at] - 1];
    if (entry.hash == hash && same_text({entry.data, entry.size}, text)) break;
    at = (at + 1) & mask;
  }
  return static_cast<std::uint32_t>(at);
}

StringId StringPool::find(std::string_view text) const {
  const std::uint32_t slot = slots_[probe(text, hash_text(text))];
  return slot == 0 ? StringId::none : static_cast<StringId>(slot - 1);
}

StringId StringPool::intern(std::string_view text) {
  const std::uint32_t hash = hash_text(text);
  const std::uint32_t at = probe(text, hash);
  if (slots_[at] != 0) return static_cast<StringId>(slots_[at] - 1);
  entries_.push_back({store(text), static_cast<std::uint32_t>(text.size()), hash});
  const auto number = static_cast<std::uint32_t>(entries_.size());
  slots_.reserve(slots_.size());  // copies borrowed slots
  slots_[at] = number;
  if (entries_.size() * 2 > slots_.size()) grow();
  return static_cast<StringId>(number - 1);
}

const char* StringPool::store(std::string_view text) {
  if (text.empty()) return "";
  if (text.size() > block_left_) {
    const std::size_t usual = std::clamp(stored_bytes_, kFirstBytes, kBlockBytes);  // as much again as there is
    const std::size_t size = std::max(usual, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    stored_bytes_ += size;
    block_next_ = blocks_.back().get();
    block_left_ = size;
  }
  char* place = block_next_;
  std::memcpy(place, text.data(), text.size());
  block_next_ += text.size();
  block_left_ -= text.size();
  return place;
}

void StringPool::grow() {
  Column<std::uint32_t> slots;
  slots.resize(slots_.size() * 2);
  const std::size_t mask = slots.size() - 1;
  for (std::uint32_t number = 1; number <= entries_.size(); ++number) {
    std::size_t at = entries_[number - 1].hash & mask;
    while (slots[at] != 0) at = (at + 1) & mask;
    slots[at] = number;
  }
  slots_ = std::move(slots);
}

std::size_t StringPool::bytes() const {
  return stored_bytes_ + entries_.capacity() * sizeof(Entry) + slots_.capacity() * sizeof(std::uint32_t);
}

std::vector<StringId> StringPool::merge(const StringPool& other) {
  std::vector<StringId> map(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) map[i] = intern(other.view(static_cast<StringId>(i)));
  return map;
}

}  // namespace sightline::model

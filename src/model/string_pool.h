// StringPool: stores each distinct text once and gives it a 32-bit
// StringId. Id 0 is the empty text and means "absent". Views stay
// valid as long as the pool lives. Interning is not thread-safe: each
// parser thread fills its own pool, and the pools are merged once.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/column.h"

namespace sightline::model {

enum class StringId : std::uint32_t { none = 0 };

class StringPool {
 public:
  StringPool();
  StringPool(StringPool&&) noexcept = default;
  StringPool& operator=(StringPool&&) noexcept = default;

  // The id of `text`, which is copied when it is new.
  StringId intern(std::string_view text);

  // The id of `text` if it was interned, else StringId::none.
  StringId find(std::string_view text) const;

  std::string_view view(StringId id) const {
    const Entry& entry = entries_[static_cast<std::uint32_t>(id)];
    return {entry.data, entry.size};
  }

  // Number of distinct strings, the empty one included: valid ids are [0, size()).
  std::size_t size() const { return entries_.size(); }

  // Bytes held, for memory accounting.
  std::size_t bytes() const;

  // A pool as it is kept in a file: text i is bytes[offsets[i], offsets[i + 1]).
  struct Parts {
    std::span<const std::int64_t> offsets;
    std::span<const char> bytes;
    std::span<const std::uint32_t> hashes;  // of each text
    std::span<const std::uint32_t> slots;   // where a hash leads
  };

  // A pool over memory that `owner` keeps alive; the texts are not copied. nullopt when the parts do not fit together.
  // Texts keep their ids, and new texts may be interned.
  static std::optional<StringPool> borrowed(const Parts& parts, std::shared_ptr<const void> owner);

  std::uint32_t hash(StringId id) const { return entries_[static_cast<std::uint32_t>(id)].hash; }
  std::span<const std::uint32_t> slots() const { return slots_; }

  // Interns every string of `other` here; result[i] is this pool's id for other's id i.
  std::vector<StringId> merge(const StringPool& other);

 private:
  struct Entry {
    const char* data;
    std::uint32_t size;
    std::uint32_t hash;
  };

  std::uint32_t probe(std::string_view text, std::uint32_t hash) const;
  const char* store(std::string_view text);
  void grow();

  std::vector<Entry> entries_;
  Column<std::uint32_t> slots_;  // open addressing: entry number + 1, or 0
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_left_ = 0;
  char* block_next_ = nullptr;
  std::size_t stored_bytes_ = 0;
  std::shared_ptr<const void> owner_;  // of borrowed texts
};

}  // namespace sightline::model

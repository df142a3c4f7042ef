// TextTable: the texts of an export, which its other tables name by number, and their ids in the pool of the events.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/string_pool.h"
#include "model/tables.h"

namespace sightline::formats {

class TextTable {
 public:
  // If a number has two texts, the first counts.
  void add(std::int64_t number, std::string_view text) { by_number_.try_emplace(number, texts_.intern(text)); }

  // Empty: no text has the number.
  std::string_view of(std::int64_t number) const {
    const auto found = by_number_.find(number);
    return found == by_number_.end() ? std::string_view{} : texts_.view(found->second);
  }

  // The place of a number's text, below size(); 0: no text has the number.
  std::size_t place(std::int64_t number) const {
    const auto found = by_number_.find(number);
    return found == by_number_.end() ? 0 : static_cast<std::size_t>(found->second);
  }
  std::size_t size() const { return texts_.size(); }

 private:
  StringPool texts_;
  std::unordered_map<std::int64_t, StringId> by_number_;
};

// Texts of a table in a spelling of the caller's, each made once.
template <typename Spell>
class SpelledTexts {
 public:
  SpelledTexts(const TextTable& texts, StringPool& pool, Spell spell) : texts_(texts), pool_(pool), spell_(spell) {}

  // A number without a text becomes a name that has the number, so that different things keep different names.
  StringId operator()(std::int64_t number) {
    const std::size_t place = texts_.place(number);
    if (place == 0) {
      ++unknown_;
      return pool_.intern(number == kUnknown ? "(unnamed)" : "name " + std::to_string(number));
    }
    if (known_.empty()) known_.resize(texts_.size(), StringId::none);
    StringId& known = known_[place];
    if (known == StringId::none) known = pool_.intern(spell_(texts_.of(number)));
    return known;
  }

  // How many numbers had no text.
  std::int64_t unknown() const { return unknown_; }

 private:
  const TextTable& texts_;
  StringPool& pool_;
  Spell spell_;
  std::vector<StringId> known_;  // by place
  std::int64_t unknown_ = 0;
};

}  // namespace sightline::formats

// STRING_IDS: the texts of a database, which its other tables name by number. Read once; then any thread may ask.
#pragma once

#include <fmt/core.h>

#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/ascend/database.h"
#include "model/string_pool.h"

namespace sightline::formats::ascend {

class DatabaseStrings {
 public:
  void read(Database& database);

  // Where the text that a cell names by number stands among size() texts; nullopt: it names none, or is a text itself.
  std::optional<std::size_t> place(const Database::Row& row, int column) const;
  std::size_t size() const { return texts_.size(); }

  // The text of a cell, which holds it itself or its number.
  std::string_view of(const Database::Row& row, int column) const;

 private:
  StringPool texts_;
  std::vector<StringId> by_number_;  // numbers mostly count up from 0: none, there is no such number
  std::unordered_map<std::int64_t, StringId> other_;
};

// Texts of cells as ids of a pool, in a spelling of their own, which is made once per text.
class SpelledStrings {
 public:
  explicit SpelledStrings(const DatabaseStrings& strings) : strings_(strings) {}

  // none of a cell without text. `spell` makes a std::string, or what a pool takes.
  template <typename Spell>
  StringId of(const Database::Row& row, int column, StringPool& pool, Spell&& spell) {
    const auto made = [&] {
      const std::string_view text = strings_.of(row, column);
      return text.empty() ? StringId::none : pool.intern(spell(text));
    };
    const std::optional<std::size_t> place = strings_.place(row, column);
    if (!place) return made();
    if (known_.empty()) known_.resize(strings_.size(), kUnasked);
    StringId& known = known_[*place];
    if (known == kUnasked) known = made();
    return known;
  }

  // Likewise of a name. A number that names no text is the name then, so that different things keep different names.
  template <typename Spell>
  StringId name(const Database::Row& row, int column, StringPool& pool, Spell&& spell) {
    const StringId known = of(row, column, pool, spell);
    const std::int64_t number = known == StringId::none ? row.integer(column) : kUnknown;
    if (number == kUnknown) return known;
    ++unknown_;
    return pool.intern(spell(fmt::format("name {}", number)));
  }

  // How many names were numbers of no text.
  std::int64_t unknown() const { return unknown_; }

 private:
  static constexpr StringId kUnasked{std::numeric_limits<std::uint32_t>::max()};
  const DatabaseStrings& strings_;
  std::vector<StringId> known_;  // by place
  std::int64_t unknown_ = 0;
};

}  // namespace sightline::formats::ascend

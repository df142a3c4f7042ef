// A table from numbers to texts: a plain array, but for numbers that would make it long.
#include "formats/ascend/database_strings.h"

namespace sightline::formats::ascend {

namespace {

constexpr std::int64_t kMostSparse = 8;  // places of the array for one text

}  // namespace

void DatabaseStrings::read(Database& database) {
  std::int64_t rows = 0;
  database.each("STRING_IDS", {"id", "value"}, [&](const Database::Row& row) {
    const std::int64_t number = row.integer(0);
    const std::string_view text = row.text(1);
    if (text.empty()) return;  // as good as none
    const StringId id = texts_.intern(text);
    if (number < 0 || number > ++rows * kMostSparse) {
      other_.emplace(number, id);
      return;
    }
    const auto place = static_cast<std::size_t>(number);
    if (place >= by_number_.size()) by_number_.resize(place + 1, StringId::none);
    if (by_number_[place] == StringId::none) by_number_[place] = id;  // of two texts of a number the first counts
  });
}

std::optional<std::size_t> DatabaseStrings::place(const Database::Row& row, int column) const {
  const std::optional<std::int64_t> number = row.number(column);
  if (!number || *number == kUnknown) return std::nullopt;
  if (*number >= 0 && static_cast<std::size_t>(*number) < by_number_.size()) {
    const StringId id = by_number_[static_cast<std::size_t>(*number)];
    if (id != StringId::none) return static_cast<std::size_t>(id);
  }
  const auto found = other_.find(*number);
  return found == other_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found->second));
}

std::string_view DatabaseStrings::of(const Database::Row& row, int column) const {
  if (!row.number(column)) return row.text(column);
  const std::optional<std::size_t> found = place(row, column);
  return found ? texts_.view(static_cast<StringId>(*found)) : std::string_view{};
}

}  // namespace sightline::formats::ascend

// TableOf: a report's table declared once. Each column is declared together with how a row gives its cell; the declaration
// alone is the table without rows, which the metrics page lists.
//
//   TableOf<CallSums> calls({.key = "calls", .title = "Runtime calls", .sort_column = "self"});
//   calls.add(label_column("name", "Name", "Name of the call"), &CallSums::name);
//   calls.add(integer_column("self", "Self", Unit::ns, {...}).with_bar("share"), &CallSums::self);
//   calls.of(rows);
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline {

// Stores the `rows` values of `value_of(row)` by their type. Unknown values are unknown cells: kUnknown, NaN, kNoRow, an empty
// text, an empty optional. A Cell may have any type, and is slower. StringIds need the profile that they are of.
template <typename ValueOf>
Cells cells_of(std::size_t rows, const Profile* profile, const ValueOf& value_of);

// `Context`: what the cells need besides their row, such as the profile; the same for all rows.
template <typename Item, typename... Context>
class TableOf {
 public:
  explicit TableOf(ReportTable declaration) : table_(std::move(declaration)) {}

  // `value_of(item)` or `value_of(context..., item)`: a type that cells_of() takes.
  template <typename ValueOf>
  void add(ReportColumn column, ValueOf value_of) {
    add_whole(std::move(column), [value_of = std::move(value_of)](const Context&... context, std::span<const Item> items) {
      return cells_of(items.size(), profile_in(context...), [&](std::size_t row) {
        if constexpr (std::is_invocable_v<const ValueOf&, const Context&..., const Item&>) {
          return std::invoke(value_of, context..., items[row]);
        } else {
          return std::invoke(value_of, items[row]);
        }
      });
    });
  }

  // For cells that are cheaper to find for all rows together: `cells_of_all(context..., items)`.
  void add_whole(ReportColumn column, std::function<Cells(const Context&..., std::span<const Item>)> cells_of_all) {
    table_.columns.push_back(std::move(column));
    cells_of_all_.push_back(std::move(cells_of_all));
  }

  const ReportTable& blank() const { return table_; }

  ReportTable of(const Context&... context, std::span<const Item> items) const {
    ReportTable table = table_;
    for (std::size_t column = 0; column < cells_of_all_.size(); ++column)
      table.columns[column].values = cells_of_all_[column](context..., items);
    return table;
  }

 private:
  static const Profile* profile_in(const Context&... context) {
    const Profile* profile = nullptr;
    const auto look = [&](const auto& each) {
      if constexpr (std::is_same_v<decltype(each), const Profile&>) profile = &each;
    };
    (look(context), ...);
    return profile;
  }

  ReportTable table_;
  std::vector<std::function<Cells(const Context&..., std::span<const Item>)>> cells_of_all_;  // by column
};

// ---- storage by type ----

namespace cells_detail {

template <typename Storage, typename ValueOf>
Cells filled(std::size_t rows, const ValueOf& value_of) {
  Storage values;
  values.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) values.push_back(value_of(row));
  return Cells(std::move(values));
}

template <typename ValueOf>
Cells texts(std::size_t rows, const ValueOf& value_of) {
  WordCells cells;
  cells.word.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto& text_of_row = value_of(row);
    const std::string_view text(text_of_row);
    const bool is_new = !text.empty() && (cells.words.empty() || cells.words.back() != text);
    if (is_new) cells.words.emplace_back(text);
    cells.word.push_back(text.empty() ? WordCells::kNone : static_cast<std::uint32_t>(cells.words.size() - 1));
  }
  return Cells(std::move(cells));
}

// Each text of the profile is kept once.
template <typename ValueOf>
Cells texts_of_profile(std::size_t rows, const Profile& profile, const ValueOf& id_of) {
  WordCells cells;
  cells.word.reserve(rows);
  std::vector<std::uint32_t> word_of(profile.strings.size(), WordCells::kNone);
  for (std::size_t row = 0; row < rows; ++row) {
    const StringId id = id_of(row);
    if (id == StringId::none) {
      cells.word.push_back(WordCells::kNone);
      continue;
    }
    std::uint32_t& word = word_of[static_cast<std::uint32_t>(id)];
    if (word == WordCells::kNone) {
      word = static_cast<std::uint32_t>(cells.words.size());
      cells.words.emplace_back(profile.text(id));
    }
    cells.word.push_back(word);
  }
  return Cells(std::move(cells));
}

template <typename Value>
inline constexpr bool kIsOptional = false;
template <typename Value>
inline constexpr bool kIsOptional<std::optional<Value>> = true;

}  // namespace cells_detail

template <typename ValueOf>
Cells cells_of(std::size_t rows, const Profile* profile, const ValueOf& value_of) {
  using Value = std::decay_t<decltype(value_of(std::size_t{0}))>;
  using namespace cells_detail;  // NOLINT: only what is above
  if constexpr (std::is_same_v<Value, Cell>) {
    Cells cells;
    for (std::size_t row = 0; row < rows; ++row) cells.push_back(value_of(row));
    return cells;
  } else if constexpr (kIsOptional<Value>) {
    return cells_of(rows, profile, [&](std::size_t row) {
      const auto& value = value_of(row);
      return value ? Cell{*value} : Cell{};
    });
  } else if constexpr (std::is_same_v<Value, StringId>) {
    CHECK(profile != nullptr);
    const bool is_small = rows < profile->strings.size() / 16;  // a table of all texts is larger than what it saves
    return is_small ? texts(rows, [&](std::size_t row) { return profile->text(value_of(row)); })
                    : texts_of_profile(rows, *profile, value_of);
  } else if constexpr (std::is_same_v<Value, bool>) {
    return filled<Cells::Flags>(rows, value_of);
  } else if constexpr (std::is_same_v<Value, Row>) {
    return filled<Cells::Integers>(rows, [&](std::size_t row) {
      const Row value = value_of(row);
      return value == kNoRow ? kUnknown : std::int64_t{value};
    });
  } else if constexpr (std::is_integral_v<Value>) {
    static_assert(sizeof(Value) == sizeof(std::int64_t), "a smaller integer would lose which value is unknown");
    return filled<Cells::Integers>(rows, value_of);
  } else if constexpr (std::is_floating_point_v<Value>) {
    return filled<Cells::Reals>(rows, value_of);
  } else {
    return texts(rows, value_of);
  }
}

}  // namespace sightline

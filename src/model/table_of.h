// TableOf: a report's table declared once. Each column is declared together with a function that gives the cell of a row. The
// declaration alone is the table without rows, which the metrics page lists.
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

namespace sightline::model {

// Stores the `rows` values of `value_of(row)` by their type. Unknown values are unknown cells: kUnknown, NaN, kNoRow, an empty
// text, an empty optional. A Message is a text of the program; the table keeps its template and values. A Cell may have any
// type, and is slower. StringIds need their profile.
template <typename ValueOf>
Cells cells_of(std::size_t rows, const Profile* profile, const ValueOf& value_of);

// `Context`: values that all cells need, such as the profile.
template <typename Item, typename... Context>
class TableOf {
 public:
  explicit TableOf(ReportTable declaration = {}) : table_(std::move(declaration)) {}

  // `value_of(item)` or `value_of(context..., item)`: a type that cells_of() takes.
  template <typename ValueOf>
  void add(ReportColumn column, ValueOf value_of) {
    table_.columns.push_back(std::move(column));
    cells_of_all_.push_back(
        [value_of = std::move(value_of)](ReportTable& table, const Context&... context, std::span<const Item> items) {
          using Value = std::decay_t<decltype(called(value_of, context..., items[0]))>;
          if constexpr (std::is_same_v<Value, Message>) {
            return cells_of(items.size(), nullptr,
                            [&](std::size_t row) { return table.words(called(value_of, context..., items[row])); });
          } else {
            return cells_of(items.size(), profile_in(context...),
                            [&](std::size_t row) { return called(value_of, context..., items[row]); });
          }
        });
  }

  // For cells that are cheaper to find for all rows together: `cells_of_all(context..., items)`.
  template <typename CellsOfAll>
  void add_whole(ReportColumn column, CellsOfAll cells_of_all) {
    table_.columns.push_back(std::move(column));
    cells_of_all_.push_back(
        [cells_of_all = std::move(cells_of_all)](ReportTable&, const Context&... context, std::span<const Item> items) {
          return cells_of_all(context..., items);
        });
  }

  // The columns that several tables have, declared once for the part of a row that they are about: `part_of(item)` or
  // `part_of(context..., item)`. `adjust` changes a column for this table, or leaves it out by returning false.
  template <typename Part, typename... PartContext, typename PartOf>
  void add_all(const TableOf<Part, PartContext...>& parts, PartOf part_of, std::function<bool(ReportColumn&)> adjust = nullptr) {
    for (std::size_t at = 0; at < parts.cells_of_all_.size(); ++at) {
      ReportColumn column = parts.table_.columns[at];
      if (adjust != nullptr && !adjust(column)) continue;
      table_.columns.push_back(std::move(column));
      cells_of_all_.push_back([part_of, cells_of_all = parts.cells_of_all_[at]](ReportTable& table, const Context&... context,
                                                                                std::span<const Item> items) {
        std::vector<Part> of;
        of.reserve(items.size());
        for (const Item& item : items) of.push_back(called(part_of, context..., item));
        return cells_of_all(table, std::get<const PartContext&>(std::tie(context...))..., of);
      });
    }
  }

  void add_link(RowLink link) { table_.row_links.push_back(std::move(link)); }

  const ReportTable& blank() const { return table_; }

  ReportTable of(const Context&... context, std::span<const Item> items) const {
    ReportTable table = table_;
    for (std::size_t column = 0; column < cells_of_all_.size(); ++column)
      table.columns[column].values = cells_of_all_[column](table, context..., items);
    return table;
  }

 private:
  template <typename OtherItem, typename... OtherContext>
  friend class TableOf;

  // A function of the row alone, or one of the context too.
  template <typename Function>
  static decltype(auto) called(const Function& function, const Context&... context, const Item& item) {
    if constexpr (std::is_invocable_v<const Function&, const Context&..., const Item&>) {
      return std::invoke(function, context..., item);
    } else {
      return std::invoke(function, item);
    }
  }

  static const Profile* profile_in(const Context&... context) {
    if constexpr ((std::is_same_v<Context, Profile> || ...)) {
      return &std::get<const Profile&>(std::tie(context...));
    } else {
      return nullptr;
    }
  }

  ReportTable table_;
  std::vector<std::function<Cells(ReportTable&, const Context&..., std::span<const Item>)>> cells_of_all_;  // by column
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

}  // namespace sightline::model

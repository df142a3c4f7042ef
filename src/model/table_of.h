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

// Stores the `rows` values of `value_of(row)` in `to`, which is empty, by their type. Unknown values are unknown cells: kUnknown,
// NaN, kNoRow, an empty text, an empty optional. A Message is a text of the program; the table keeps its template and values. A
// Cell may have any type, and is slower. StringIds need their profile.
template <typename ValueOf>
void fill_cells(Cells& to, std::size_t rows, const Profile* profile, const ValueOf& value_of);

// `Context`: values that all cells need, such as the profile.
template <typename Item, typename... Context>
class TableOf {
 public:
  explicit TableOf(ReportTable declaration = {}) : table_(std::move(declaration)) {}

  // `value_of(item)` or `value_of(context..., item)`: a type that cells_of() takes.
  template <typename ValueOf>
  void add(ReportColumn column, ValueOf value_of) {
    table_.columns.push_back(std::move(column));
    fill_.push_back(
        [value_of = std::move(value_of)](Cells& to, ReportTable& table, const Context&... context, std::span<const Item> items) {
          using Value = std::decay_t<decltype(called(value_of, context..., items[0]))>;
          if constexpr (std::is_same_v<Value, Message>) {
            fill_cells(to, items.size(), nullptr,
                       [&](std::size_t row) { return table.words(called(value_of, context..., items[row])); });
          } else {
            fill_cells(to, items.size(), profile_in(context...),
                       [&](std::size_t row) { return called(value_of, context..., items[row]); });
          }
        });
  }

  // For cells that are cheaper to find for all rows together: `cells_of_all(context..., items)`.
  template <typename CellsOfAll>
  void add_whole(ReportColumn column, CellsOfAll cells_of_all) {
    table_.columns.push_back(std::move(column));
    fill_.push_back(
        [cells_of_all = std::move(cells_of_all)](Cells& to, ReportTable&, const Context&... context,
                                                 std::span<const Item> items) { to = cells_of_all(context..., items); });
  }

  // The columns that several tables have, declared once for the part of a row that they are about: `part_of(item)` or
  // `part_of(context..., item)`. `adjust` changes a column for this table, or leaves it out by returning false.
  template <typename Part, typename... PartContext, typename PartOf>
  void add_all(const TableOf<Part, PartContext...>& parts, PartOf part_of, std::function<bool(ReportColumn&)> adjust = nullptr) {
    for (std::size_t at = 0; at < parts.fill_.size(); ++at) {
      ReportColumn column = parts.table_.columns[at];
      if (adjust != nullptr && !adjust(column)) continue;
      table_.columns.push_back(std::move(column));
      fill_.push_back([part_of, fill = parts.fill_[at]](Cells& to, ReportTable& table, const Context&... context,
                                                        std::span<const Item> items) {
        std::vector<Part> of;
        of.reserve(items.size());
        for (const Item& item : items) of.push_back(called(part_of, context..., item));
        fill(to, table, std::get<const PartContext&>(std::tie(context...))..., of);
      });
    }
  }

  void add_link(RowLink link) { table_.row_links.push_back(std::move(link)); }

  const ReportTable& blank() const { return table_; }

  ReportTable of(const Context&... context, std::span<const Item> items) const {
    ReportTable table = table_;
    for (std::size_t column = 0; column < fill_.size(); ++column) {
      Cells cells;  // not in the table yet: texts may add to it
      fill_[column](cells, table, context..., items);
      table.columns[column].values = std::move(cells);
    }
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
  std::vector<std::function<void(Cells&, ReportTable&, const Context&..., std::span<const Item>)>> fill_;  // by column
};

// ---- storage by type ----

// The ids of texts, which are in `cells` as integers, become those texts. Each is kept once, where a table of all texts of the
// profile is not larger than what that saves.
void show_texts(Cells& cells, const Profile& profile);

template <typename Value>
inline constexpr bool kIsOptional = false;
template <typename Value>
inline constexpr bool kIsOptional<std::optional<Value>> = true;

// Little is compiled here: this is done for each column of each table.
template <typename ValueOf>
void fill_cells(Cells& to, std::size_t rows, const Profile* profile, const ValueOf& value_of) {
  using Value = std::decay_t<decltype(value_of(std::size_t{0}))>;
  if constexpr (std::is_same_v<Value, Cell>) {
    for (std::size_t row = 0; row < rows; ++row) to.push_back(value_of(row));
  } else if constexpr (kIsOptional<Value>) {
    for (std::size_t row = 0; row < rows; ++row) {
      const auto& value = value_of(row);
      if (value) {
        to.add(*value);
      } else {
        to.add_unknown();
      }
    }
  } else if constexpr (std::is_same_v<Value, StringId>) {
    std::int64_t* ids = to.integers(rows);
    for (std::size_t row = 0; row < rows; ++row) ids[row] = static_cast<std::int64_t>(value_of(row));
    CHECK(profile != nullptr);
    show_texts(to, *profile);
  } else if constexpr (std::is_same_v<Value, bool>) {
    std::int8_t* flags = to.flags(rows);
    for (std::size_t row = 0; row < rows; ++row) flags[row] = value_of(row);
  } else if constexpr (std::is_same_v<Value, Row>) {
    std::int64_t* numbers = to.integers(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const Row value = value_of(row);
      numbers[row] = value == kNoRow ? kUnknown : std::int64_t{value};
    }
  } else if constexpr (std::is_integral_v<Value>) {
    static_assert(sizeof(Value) == sizeof(std::int64_t), "a smaller integer would lose which value is unknown");
    std::int64_t* numbers = to.integers(rows);
    for (std::size_t row = 0; row < rows; ++row) numbers[row] = static_cast<std::int64_t>(value_of(row));
  } else if constexpr (std::is_floating_point_v<Value>) {
    double* numbers = to.reals(rows);
    for (std::size_t row = 0; row < rows; ++row) numbers[row] = value_of(row);
  } else {
    WordCells& texts = to.texts(rows);
    for (std::size_t row = 0; row < rows; ++row) texts.add(value_of(row));
  }
}

}  // namespace sightline::model

// TableOf: a report's table declared once. Each column is declared together with a function that gives the cell of a row. The
// declaration alone is the table without rows, which the metrics page lists.
//
//   TableOf<CallSums> calls({.key = "calls", .title = "Runtime calls", .sort_column = "self"});
//   calls.add(label_column("name", "Name", "Name of the call"), &CallSums::name);
//   calls.add(integer_column("self", "Self", Unit::ns, {...}).with_bar("share"), &CallSums::self);
//   calls.of(rows);
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
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

// What TableOf knows without the types of its rows and cells.
class TableDeclaration {
 public:
  explicit TableDeclaration(ReportTable declaration) : table_(std::move(declaration)) {}

  void add_link(RowLink link) { table_.row_links.push_back(std::move(link)); }

  const ReportTable& blank() const { return table_; }

 protected:
  // A function with its captures, without their type. There are a thousand, and the compiler needs far longer for std::function.
  class Filler {
   public:
    using Any = void (*)();

    template <typename ValueOf>
    Filler(Any function, const ValueOf& value_of) : call_(function) {
      if constexpr (kIsSmall<ValueOf>) {
        std::memcpy(small_.data(), &value_of, sizeof(ValueOf));
      } else {
        large_ = std::make_shared<const ValueOf>(value_of);
      }
    }

    Any call() const { return call_; }

    template <typename ValueOf>
    const ValueOf& value_of() const {
      if constexpr (kIsSmall<ValueOf>) {
        return *reinterpret_cast<const ValueOf*>(small_.data());
      } else {
        return *static_cast<const ValueOf*>(large_.get());
      }
    }

   private:
    static constexpr std::size_t kBytes = 24;
    template <typename ValueOf>
    static constexpr bool kIsSmall = std::is_trivially_copyable_v<ValueOf> && sizeof(ValueOf) <= kBytes;

    Any call_;
    alignas(std::max_align_t) std::array<std::byte, kBytes> small_{};
    std::shared_ptr<const void> large_;
  };

  void put(ReportColumn&& column, Filler&& filler);

  ReportTable table_;
  std::vector<Filler> fillers_;  // by column
};

// `Context`: values that all cells need, such as the profile.
template <typename Item, typename... Context>
class TableOf : public TableDeclaration {
 public:
  explicit TableOf(ReportTable declaration = {}) : TableDeclaration(std::move(declaration)) {}

  // `value_of(item)` or `value_of(context..., item)`: a type that fill_cells() takes.
  template <typename ValueOf>
  void add(ReportColumn&& column, ValueOf value_of) {
    put(std::move(column), {any(&fill_each<ValueOf>), value_of});
  }

  // For cells that are cheaper to find for all rows together: `cells_of_all(context..., items)`.
  template <typename CellsOfAll>
  void add_whole(ReportColumn&& column, CellsOfAll cells_of_all) {
    put(std::move(column), {any(&fill_whole<CellsOfAll>), cells_of_all});
  }

  // The columns that several tables have, declared once for the part of a row that they are about: `part_of(item)` or
  // `part_of(context..., item)`. `adjust` changes a column for this table, or leaves it out by returning false.
  template <typename Part, typename... PartContext, typename PartOf>
  void add_all(const TableOf<Part, PartContext...>& parts, PartOf part_of, std::function<bool(ReportColumn&)> adjust = nullptr) {
    for (std::size_t at = 0; at < parts.fillers_.size(); ++at) {
      ReportColumn column = parts.table_.columns[at];
      if (adjust != nullptr && !adjust(column)) continue;
      put(std::move(column), {any(&fill_part<Part, PartOf, PartContext...>), PartFiller<PartOf>{part_of, parts.fillers_[at]}});
    }
  }

  ReportTable of(const Context&... context, std::span<const Item> items) const {
    ReportTable table = table_;
    for (std::size_t column = 0; column < fillers_.size(); ++column) {
      Cells cells;  // not in the table yet: texts may add to it
      fill(fillers_[column], cells, table, context..., items);
      table.columns[column].values = std::move(cells);
    }
    return table;
  }

 private:
  template <typename OtherItem, typename... OtherContext>
  friend class TableOf;

  using Fill = void (*)(const Filler&, Cells&, ReportTable&, const Context&..., std::span<const Item>);
  static Filler::Any any(Fill fill) { return reinterpret_cast<Filler::Any>(fill); }

  static void fill(const Filler& filler, Cells& to, ReportTable& table, const Context&... context, std::span<const Item> items) {
    reinterpret_cast<Fill>(filler.call())(filler, to, table, context..., items);
  }

  template <typename ValueOf>
  static void fill_each(const Filler& filler, Cells& to, ReportTable& table, const Context&... context,
                        std::span<const Item> items) {
    const ValueOf& value_of = filler.value_of<ValueOf>();
    const Item* item = items.data();
    using Value = std::decay_t<decltype(called(value_of, context..., *item))>;
    if constexpr (std::is_same_v<Value, Message>) {
      fill_cells(to, items.size(), nullptr,
                 [&](std::size_t row) { return table.words(called(value_of, context..., item[row])); });
    } else {
      fill_cells(to, items.size(), profile_in(context...),
                 [&](std::size_t row) { return called(value_of, context..., item[row]); });
    }
  }

  template <typename PartOf>
  struct PartFiller {
    PartOf part_of;
    Filler filler;
  };

  template <typename Part, typename PartOf, typename... PartContext>
  static void fill_part(const Filler& filler, Cells& to, ReportTable& table, const Context&... context,
                        std::span<const Item> items) {
    const auto& [part_of, part_filler] = filler.value_of<PartFiller<PartOf>>();
    std::vector<Part> parts;
    parts.reserve(items.size());
    for (const Item& item : items) parts.push_back(called(part_of, context..., item));
    TableOf<Part, PartContext...>::fill(part_filler, to, table, std::get<const PartContext&>(std::tie(context...))..., parts);
  }

  template <typename CellsOfAll>
  static void fill_whole(const Filler& filler, Cells& to, ReportTable&, const Context&... context, std::span<const Item> items) {
    to = filler.value_of<CellsOfAll>()(context..., items);
  }

  // A function of the row alone, or one of the context too.
  template <typename Function>
  static decltype(auto) called(const Function& function, const Context&... context, const Item& item) {
    if constexpr (requires { function(context..., item); }) {
      return function(context..., item);
    } else if constexpr (requires { function(item); }) {
      return function(item);
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

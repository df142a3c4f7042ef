#include "sql/sql_tables.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>

#include "base/text.h"
#include "model/shared_tables.h"
#include "sql/sql_schema.h"

namespace sightline::sql {

namespace {

duckdb::Text text_of(std::string_view from) {
  duckdb::Text text;
  text.size = static_cast<std::uint32_t>(from.size());
  if (from.size() <= duckdb::Text::kMostInside) {
    std::memcpy(text.bytes, from.data(), from.size());
  } else {
    const char* const address = from.data();
    std::memcpy(text.bytes, address, duckdb::Text::kAddress);
    std::memcpy(text.bytes + duckdb::Text::kAddress, &address, sizeof address);
  }
  return text;
}

// The words of an enumeration, by value.
template <typename T>
const duckdb::Text* words() {
  static const auto all = [] {
    std::array<duckdb::Text, 256> made;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = text_of(word_of(static_cast<T>(i)));
    return made;
  }();
  return all.data();
}

template <typename T>
const T* values_from(const SqlColumn& column, std::size_t first) {
  return static_cast<const T*>(column.values) + first;
}

void write_row_numbers(const SqlColumn&, const SqlTexts&, std::size_t first, std::size_t count, void* out) {
  auto* to = static_cast<std::int64_t*>(out);
  std::iota(to, to + count, static_cast<std::int64_t>(first));
}

template <typename T>
void mark_unknown(const SqlColumn& column, std::size_t first, std::size_t count, const SqlColumn::Bits& bits) {
  const T* from = values_from<T>(column, first);
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) any |= is_unknown_value(from[i]);
  if (!any) return;
  std::uint64_t* known = bits();
  for (std::size_t i = 0; i < count; ++i) {
    if (is_unknown_value(from[i])) known[i / 64] &= ~(std::uint64_t{1} << i % 64);
  }
}

// Of a type that is shown as text: the texts by value.
template <typename T>
const duckdb::Text* texts_by_value(const SqlTexts& texts) {
  if constexpr (std::is_same_v<T, StringId>) {
    return texts.all();
  } else if constexpr (std::is_enum_v<T>) {
    return words<T>();
  } else {
    return nullptr;
  }
}

template <typename T>
auto shown(const duckdb::Text* by_value, T value) {
  if constexpr (std::is_enum_v<T>) {
    return by_value[static_cast<std::uint32_t>(value)];
  } else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
    return value;
  } else {
    return static_cast<std::int64_t>(value);
  }
}

template <typename T>
void write_values(const SqlColumn& column, const SqlTexts& texts, std::size_t first, std::size_t count, void* out) {
  const duckdb::Text* by_value = texts_by_value<T>(texts);
  const T* from = values_from<T>(column, first);
  auto* to = static_cast<decltype(shown(by_value, T{}))*>(out);
  for (std::size_t i = 0; i < count; ++i) to[i] = shown(by_value, from[i]);
}

template <typename T>
void gather_values(const SqlColumn& column, const SqlTexts& texts, std::span<const Row> rows, void* out,
                   const SqlColumn::Bits& bits) {
  const duckdb::Text* by_value = texts_by_value<T>(texts);
  using Shown = decltype(shown(by_value, T{}));
  const T* from = values_from<T>(column, 0);
  auto* to = static_cast<Shown*>(out);
  std::uint64_t* known = nullptr;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != kNoRow && !is_unknown_value(from[rows[i]])) {
      to[i] = shown(by_value, from[rows[i]]);
      continue;
    }
    if (known == nullptr) known = bits();
    known[i / 64] &= ~(std::uint64_t{1} << i % 64);
    to[i] = Shown{};
  }
}

void gather_row_numbers(const SqlColumn&, const SqlTexts&, std::span<const Row> rows, void* out, const SqlColumn::Bits& bits) {
  auto* to = static_cast<std::int64_t*>(out);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    to[i] = std::int64_t{rows[i]};
    if (rows[i] == kNoRow) bits()[i / 64] &= ~(std::uint64_t{1} << i % 64);
  }
}

template <typename T>
int sql_type() {
  if constexpr (std::is_same_v<T, bool>) return duckdb::kBoolean;
  if constexpr (std::is_same_v<T, float>) return duckdb::kFloat;
  if constexpr (std::is_same_v<T, double>) return duckdb::kDouble;
  if constexpr (std::is_same_v<T, StringId> || std::is_enum_v<T>) return duckdb::kVarchar;
  return duckdb::kBigInt;
}

template <typename T>
SqlColumn column_of(std::string_view table, const ColumnInfo& info, const Column<T>& values) {
  SqlColumn made{.name = info.name, .origin = std::string(table) + "." + std::string(info.name)};
  made.row_of = row_of(info);
  made.sql_type = sql_type<T>();
  made.values = values.data();
  if constexpr (std::is_same_v<T, std::int64_t>) made.arrow = "l";
  if constexpr (std::is_same_v<T, double>) made.arrow = "g";
  if (made.arrow == nullptr) made.write = write_values<T>;
  made.mark = mark_unknown<T>;
  made.gather = gather_values<T>;
  return made;
}

SqlColumn row_number_of(std::string_view table) {
  SqlColumn made{.name = kRowNumber.name, .origin = std::string(table) + "." + std::string(kRowNumber.name)};
  made.write = write_row_numbers;
  made.gather = gather_row_numbers;
  return made;
}

// ---- views ----------------------------------------------------------------------------------------------

// A row that a view speaks of: of which table, and how it is come to.
struct Place {
  const SqlTable* table = nullptr;
  std::vector<const Row*> path{};
};

// REQUIRES: there is such a table, such a column: views are our own.
const SqlTable& table_called(const std::vector<SqlTable>& tables, std::string_view name) {
  return *std::find_if(tables.begin(), tables.end(), [&](auto& each) { return each.name == name; });
}

const SqlColumn& column_called(const SqlTable& table, std::string_view name) {
  return *std::find_if(table.columns.begin(), table.columns.end(), [&](auto& each) { return each.name == name; });
}

// "l.last - l.first" of every row. Only columns of numbers of rows are told apart so.
SqlColumn difference(const std::map<char, Place>& places, std::string_view shows) {
  const std::size_t minus = shows.find(" - ");
  const SqlTable& table = *places.at(shows.front()).table;
  const auto* more = static_cast<const Row*>(column_called(table, shows.substr(2, minus - 2)).values);
  const auto* less = static_cast<const Row*>(column_called(table, shows.substr(minus + 5)).values);
  auto values = std::make_shared<std::vector<std::int64_t>>(table.rows);
  for (std::size_t row = 0; row < table.rows; ++row) (*values)[row] = std::int64_t{more[row]} - std::int64_t{less[row]};
  SqlColumn made;
  made.values = values->data();
  made.gather = gather_values<std::int64_t>;
  made.own = std::move(values);
  return made;
}

SqlTable view_of(const SqlView& view, const std::vector<SqlTable>& tables, const Profile& profile) {
  std::map<char, Place> places;
  places[view.letter].table = &table_called(tables, view.table);
  for (const SqlReference& reference : view.references) {
    Place place = places.at(reference.column.front());
    const SqlColumn& column = column_called(*place.table, reference.column.substr(2));
    place.path.push_back(static_cast<const Row*>(column.values));
    place.table = &table_called(tables, column.row_of);
    places[reference.letter] = std::move(place);
  }
  SqlTable made{.name = view.name, .rows = places[view.letter].table->rows, .is_view = true};
  for (const SqlViewColumn& each : view.columns) {
    const bool computed = each.shows.find(' ') != std::string_view::npos;
    const Place& place = places.at(each.shows.front());
    SqlColumn column = computed ? difference(places, each.shows) : column_called(*place.table, each.shows.substr(2));
    column.name = each.name;
    column.path = place.path;
    column.arrow = nullptr;
    made.columns.push_back(std::move(column));
  }
  for (const SliceKind kind : view.kinds) made.only_kinds |= 1u << static_cast<unsigned>(kind);
  if (made.only_kinds != 0) made.only_path = places.at('s').path;
  made.only_of = profile.slices.kind.data();
  return made;
}

}  // namespace

const duckdb::Text* SqlTexts::all() const {
  std::call_once(made_, [this] {
    const std::size_t count = profile_.strings.size();
    texts_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::string_view text = profile_.text(static_cast<StringId>(i));
      if (!simdjson::validate_utf8(text.data(), text.size())) text = repaired_.emplace_back(to_utf8(text));
      texts_[i] = text_of(text);
    }
  });
  return texts_.data();
}

std::vector<SqlTable> sql_tables(const Profile& profile) {
  std::vector<SqlTable> tables;
  Profile::visit_tables(profile, [&](const auto& from) {
    SqlTable table{.name = from.kName, .rows = from.rows()};
    table.columns.push_back(row_number_of(from.kName));
    from.for_each_column([&]<typename T>(const ColumnInfo& info, const Column<T>& column) {
      table.columns.push_back(column_of(from.kName, info, column));
    });
    tables.push_back(std::move(table));
  });
  std::vector<SqlTable> views;
  for (const SqlView& view : sql_views()) views.push_back(view_of(view, tables, profile));
  std::move(views.begin(), views.end(), std::back_inserter(tables));
  return tables;
}

}  // namespace sightline::sql

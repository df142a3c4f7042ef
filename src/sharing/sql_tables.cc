#include "sharing/sql_tables.h"

#include <simdjson.h>

#include <array>
#include <cstring>
#include <numeric>

#include "base/utf8.h"
#include "sharing/shared_tables.h"

namespace sightline {

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

template <typename T>
void write_values(const SqlColumn& column, const SqlTexts& texts, std::size_t first, std::size_t count, void* out) {
  const T* from = values_from<T>(column, first);
  if constexpr (std::is_same_v<T, StringId>) {
    const duckdb::Text* all = texts.all();
    auto* to = static_cast<duckdb::Text*>(out);
    for (std::size_t i = 0; i < count; ++i) to[i] = all[static_cast<std::uint32_t>(from[i])];
  } else if constexpr (std::is_enum_v<T>) {
    const duckdb::Text* all = words<T>();
    auto* to = static_cast<duckdb::Text*>(out);
    for (std::size_t i = 0; i < count; ++i) to[i] = all[static_cast<std::uint8_t>(from[i])];
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, float>) {
    std::memcpy(out, from, count * sizeof(T));
  } else {
    std::copy(from, from + count, static_cast<std::int64_t*>(out));
  }
}

void write_row_numbers(const SqlColumn&, const SqlTexts&, std::size_t first, std::size_t count, void* out) {
  auto* to = static_cast<std::int64_t*>(out);
  std::iota(to, to + count, static_cast<std::int64_t>(first));
}

template <typename T>
void mark_unknown(const SqlColumn& column, std::size_t first, std::size_t count, const std::function<std::uint64_t*()>& bits) {
  const T* from = values_from<T>(column, first);
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) any |= is_unknown_value(from[i]);
  if (!any) return;
  std::uint64_t* known = bits();
  for (std::size_t i = 0; i < count; ++i) {
    if (is_unknown_value(from[i])) known[i / 64] &= ~(std::uint64_t{1} << i % 64);
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
SqlColumn column_of(const ColumnInfo& info, const Column<T>& values) {
  SqlColumn made{.info = info, .type = shared_type_name<T>(), .sql_type = sql_type<T>(), .values = values.data()};
  if constexpr (std::is_same_v<T, std::int64_t>) made.arrow = "l";
  if constexpr (std::is_same_v<T, double>) made.arrow = "g";
  if (made.arrow == nullptr) made.write = write_values<T>;
  made.mark = mark_unknown<T>;
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
    table.columns.push_back({.info = kRowNumber, .type = shared_type_name<Row>(), .write = write_row_numbers});
    from.for_each_column(
        [&]<typename T>(const ColumnInfo& info, const Column<T>& column) { table.columns.push_back(column_of(info, column)); });
    tables.push_back(std::move(table));
  });
  return tables;
}

}  // namespace sightline

// The tables of a profile as other programs see them: in files (Arrow, Parquet, CSV) and in SQL. Everything follows from
// table_list.h: the columns by their names, before them `id`, the row's number, which the columns that refer to rows hold.
// Enumerations are words, and unknown is null. Names are UTF-8: a byte that is not becomes U+FFFD.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/profile.h"

namespace sightline::model {

inline constexpr ColumnInfo kRowNumber{"id", Unit::id, "Row number; columns of other tables refer to it"};

// Sentences that describe the rows of a table and their order.
std::string table_doc(std::string_view rows, std::span<const KeyInfo> keys);
template <typename Table>
std::string table_doc(const Table& table) {
  std::vector<KeyInfo> keys;
  table.for_each_key([&](const KeyInfo& key, const auto&) { keys.push_back(key); });
  return table_doc(Table::kDoc, keys);
}

// The table whose rows a column has; empty if it has none.
inline std::string_view row_of(const ColumnInfo& column) { return column.reference ? table_name(column.reference->to) : ""; }

// The word of a value of an enumeration.
std::string_view word_of(SliceKind kind);
std::string_view word_of(LaneKind kind);
std::string_view word_of(OwnerRule rule);
std::string_view word_of(GraphMatch match);
std::string_view word_of(CoreType type);
std::string_view word_of(FillSource source);
std::string_view word_of(CollectiveKind kind);
std::string_view word_of(ServingPhase phase);
std::string_view word_of(FlowKind kind);
std::string_view word_of(Severity severity);

// The unknown value of a column of this type.
template <typename T>
bool is_unknown_value(T value) {
  if constexpr (std::is_floating_point_v<T>) return value != value;
  if constexpr (std::is_same_v<T, std::int64_t>) return value == kUnknown;
  if constexpr (std::is_same_v<T, std::int32_t>) return value == -1;
  if constexpr (std::is_same_v<T, Row>) return value == kNoRow;
  if constexpr (std::is_same_v<T, StringId>) return value == StringId::none;
  if constexpr (std::is_same_v<T, OwnerRule>) return value == OwnerRule::none;
  if constexpr (std::is_same_v<T, CoreType>) return value == CoreType::unknown;
  if constexpr (std::is_same_v<T, CollectiveKind>) return value == CollectiveKind::unknown;
  if constexpr (std::is_same_v<T, ServingPhase>) return value == ServingPhase::unknown;
  return false;
}

// The type's name in documents and in Arrow: "int64", "text", ...
template <typename T>
constexpr std::string_view shared_type_name() {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (std::is_same_v<T, StringId> || std::is_enum_v<T>) return "text";
  if constexpr (std::is_same_v<T, double>) return "float64";
  if constexpr (std::is_same_v<T, float>) return "float32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "uint32";
  if constexpr (std::is_same_v<T, std::uint16_t>) return "uint16";
}

// docs/formats/tables.md.
std::string tables_markdown();

}  // namespace sightline::model

// The columns of lakes (docs/formats/lake.md) that were added after their table: files that older versions wrote lack them, and
// their values are unknown there. Columns are never removed, and never change their meaning.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/layers.h"

namespace sightline::model {

struct AddedColumn {
  std::string_view table, name, sql_type;
};

inline constexpr AddedColumn kAddedColumns[] = {
    {"ranks", "rack", "VARCHAR"}, {"ranks", "switch", "VARCHAR"}, {"ranks", "profile", "VARCHAR"}, {"ranks", "role", "VARCHAR"}};

constexpr bool is_added_column(std::string_view table, std::string_view name) {
  return std::any_of(std::begin(kAddedColumns), std::end(kAddedColumns),
                     [&](const AddedColumn& added) { return added.table == table && added.name == name; });
}

}  // namespace sightline::model

// What the columns know of one slice, as labelled facts (docs/http.md, "Timeline").
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "base/message.h"
#include "model/unit.h"
#include "timeline/timeline.h"

namespace sightline::output {

struct SliceFact {
  Message label;
  std::variant<std::string, std::int64_t, double> value;
  Unit unit = Unit::none;
  Message words{};  // the value, where it is a text of the program and no name
};

// The operator of a compiled program that the slice executes, or, on a lane that says when operators ran, is called after; kNoRow
// where there is none.
Row executed_operator(const Profile& profile, Row slice);

// Known facts only: what is unknown has none. REQUIRES: `slice` is a row of slices.
std::vector<SliceFact> slice_facts(const Timeline& timeline, Row slice);

// Direct children of the slice on its lane, in order of time, `most` at most. Time: theirs, not that of what is inside them.
std::vector<Row> direct_children(const Profile& profile, Row slice, std::size_t most);

// The row of a side table, sorted by slice, that belongs to `slice`, or kNoRow.
template <typename Table>
Row row_of(const Table& table, Row slice) {
  const auto at = std::lower_bound(table.slice.begin(), table.slice.end(), slice);
  return at != table.slice.end() && *at == slice ? static_cast<Row>(at - table.slice.begin()) : kNoRow;
}

}  // namespace sightline::output

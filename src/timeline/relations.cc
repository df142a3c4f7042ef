// Relations: rows ordered by the row that they refer to, found by binary search.
#include "timeline/relations.h"

#include <algorithm>

namespace sightline::timeline {

namespace {

// The rows whose cell of `column` is not kNoRow, by that cell, then by row.
template <typename Column>
std::vector<Row> ordered_by(const Column& column) {
  std::vector<std::pair<Row, Row>> keyed;  // cell, row
  keyed.reserve(column.size());
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (column[i] != kNoRow) keyed.emplace_back(column[i], static_cast<Row>(i));
  }
  if (!std::is_sorted(keyed.begin(), keyed.end())) std::sort(keyed.begin(), keyed.end());
  std::vector<Row> rows(keyed.size());
  std::transform(keyed.begin(), keyed.end(), rows.begin(), [](const auto& pair) { return pair.second; });
  return rows;
}

// Those of `rows` whose cell of `column`, by which they are ordered, is in [first, last).
template <typename Column>
std::span<const Row> range_of(const std::vector<Row>& rows, const Column& column, Row first, Row last) {
  const auto begin = std::partition_point(rows.begin(), rows.end(), [&](Row row) { return column[row] < first; });
  const auto end = std::partition_point(begin, rows.end(), [&](Row row) { return column[row] < last; });
  return {begin, end};
}

}  // namespace

Relations::Relations(const Profile& profile)
    : profile_(profile),
      work_by_launch_(ordered_by(profile.device_work.launch)),
      work_by_owner_(ordered_by(profile.device_work.owner)),
      flows_by_from_(ordered_by(profile.flows.from)),
      flows_by_to_(ordered_by(profile.flows.to)) {}

std::span<const Row> Relations::launched_by(Row launch) const {
  return range_of(work_by_launch_, profile_.device_work.launch, launch, launch + 1);
}

std::span<const Row> Relations::owned_by(Row slice) const {
  return range_of(work_by_owner_, profile_.device_work.owner, slice, slice + 1);
}

std::span<const Row> Relations::flows_from(Row slice) const { return flows_from_range(slice, slice + 1); }
std::span<const Row> Relations::flows_to(Row slice) const { return flows_to_range(slice, slice + 1); }

std::span<const Row> Relations::launched_by_calls(Row first, Row last) const {
  const auto& calls = profile_.launches.slice;  // ascending
  const auto row_at = [&](Row slice) {
    return static_cast<Row>(std::lower_bound(calls.begin(), calls.end(), slice) - calls.begin());
  };
  return range_of(work_by_launch_, profile_.device_work.launch, row_at(first), row_at(last));
}

std::span<const Row> Relations::flows_from_range(Row first, Row last) const {
  return range_of(flows_by_from_, profile_.flows.from, first, last);
}

std::span<const Row> Relations::flows_to_range(Row first, Row last) const {
  return range_of(flows_by_to_, profile_.flows.to, first, last);
}

std::size_t Relations::bytes() const {
  return sizeof(Row) *
         (work_by_launch_.capacity() + work_by_owner_.capacity() + flows_by_from_.capacity() + flows_by_to_.capacity());
}

}  // namespace sightline::timeline

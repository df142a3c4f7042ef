// WorkOrder: for each item of device work, the work before it on its stream. The view `work` shows it. It is computed when a
// query first reads it, because only few do.
#pragma once

#include <cstddef>
#include <string_view>

#include "model/profile.h"

namespace sightline::sql {

// One row per row of device_work. The work of a stream or engine on one device, overflow lanes included, is ordered by its start,
// and then by its slice. The first one has unknown values.
struct WorkOrder {
  static constexpr std::string_view kName = "work_order";

  Column<Row> before;
  Column<Time> before_end;
  Column<Time> free_at;

  // The values are not set: order_work() does it.
  explicit WorkOrder(std::size_t rows);
  std::size_t rows() const { return before.size(); }

  template <typename Visit>
  void for_each_column(Visit&& visit) const {
    visit(ColumnInfo{"before", Unit::id, "Row of device_work of the work before it",
                     Reference{TableId::device_work, Refers::or_none}},
          before);
    visit(ColumnInfo{"before_end", Unit::ns, "End of the work before it on the stream, since the run's origin"}, before_end);
    visit(ColumnInfo{"free_at", Unit::ns, "End of all earlier work on the stream, since the run's origin"}, free_at);
  }
};

// REQUIRES: `order` has as many rows as the profile's device work. O(n), and O(n log n) for streams with overflow lanes.
void order_work(const Profile& profile, WorkOrder& order);

}  // namespace sightline::sql

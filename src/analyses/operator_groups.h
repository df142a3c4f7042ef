// Operators grouped by any key: calls and times of each group, and the columns that show them. Used by the table of
// operators and by the table of one operator's call stacks, so that both mean the same by every word.
#pragma once

#include <vector>

#include "analyses/device_activity.h"
#include "analyses/host_tree.h"
#include "model/report.h"

namespace sightline {

struct OperatorSums {
  std::int64_t calls = 0;
  Time device_self = 0;
  Time device_total = 0;
  Time device_busy = 0;
  Time host_self = 0;
  Time host_total = 0;
  Time matrix_self = 0;
  Time matrix_total = 0;
  bool matrix_eligible = false;
  bool has_stack = false;
};

// Sums by group. `group_of_node[node]` is below `groups`, or kNoRow for nodes that are left out.
std::vector<OperatorSums> sum_operators(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work,
                                        const std::vector<Row>& group_of_node, std::size_t groups);

// The columns of OperatorSums from `calls` to `tc_total_share`, and the cells of one group in the same order.
// Without device work the device columns are unknown and hidden.
std::vector<ReportColumn> operator_columns(bool has_device_work);
void append_operator_cells(std::vector<Cell>& cells, const OperatorSums& sums, bool has_device_work);

// The column such tables are sorted by, descending.
std::string operator_sort_column(bool has_device_work);

}  // namespace sightline

// Kernels in groups: times, launch properties, how well they filled the device, and means of what the profiler measured.
#include <algorithm>
#include <numeric>

#include "analyses/kernels/kernel_tables.h"

namespace sightline {

namespace {

void add_time_columns(std::vector<ReportColumn>& columns) {
  columns.push_back(integer_column("calls", "Calls", Unit::count,
                                   {"How often it ran.", "number of kernel events", "kernel events of all streams and devices"}));
  columns.push_back(
      integer_column("total", "Total", Unit::ns, {"Device time of all its calls.", "sum of durations", kKernelDuration}));
  columns.back().bar = "share";
  columns.push_back(
      real_column("share", "Share", Unit::share,
                  {"Its part of the time of all kernels in scope.", "total / sum of the totals of all kernels in scope",
                   kKernelDuration, "Not in the TensorBoard plugin's table."}));
  columns.push_back(real_column("mean", "Mean", Unit::ns, {"Average device time of a call.", "total / calls", kKernelDuration}));
  columns.push_back(integer_column("max", "Max", Unit::ns, {"Longest call.", "largest duration", kKernelDuration}));
  columns.push_back(integer_column("min", "Min", Unit::ns, {"Shortest call.", "smallest duration", kKernelDuration}));
}

void add_fill_columns(std::vector<ReportColumn>& columns, const KernelTableShape& shape) {
  constexpr std::string_view kDiffers =
      "Calls without a value are left out, and a false 0 of the file is recomputed; the TensorBoard plugin counts both as 0.";
  if (shape.fields.blocks) {
    columns.push_back(real_column("blocks_per_sm", "Mean blocks per " + shape.words.core, Unit::count,
                                  {"Blocks of the grid per multiprocessor; below 1 some multiprocessors have nothing to do.",
                                   "sum(blocks per multiprocessor x duration) / sum(duration), over calls that have a value",
                                   "the profiler, per kernel; computed where it states none", kDiffers}));
  }
  if (shape.fields.occupancy) {
    columns.push_back(
        real_column("occupancy", "Mean est. achieved occupancy", Unit::percent,
                    {"Active warps per multiprocessor as a share of the most it can hold, estimated from the launch.",
                     "sum(occupancy x duration) / sum(duration), over calls that have a value",
                     "the profiler, per kernel; computed where it states none, or a false 0", kDiffers}));
  }
  if (shape.fields.computed) columns.push_back(fill_source_column());
}

// Means of shares and rates say at once how well kernels do; means of times and counts are hidden until requested.
void add_fact_columns(std::vector<ReportColumn>& columns, const std::vector<FactColumn>& facts) {
  for (const FactColumn& fact : facts) {
    if (!fact.measure) continue;
    columns.push_back(mean_column(fact));
    columns.back().hidden = !fact.weighted();
  }
}

Cell weighted_mean(double sum, double weight) { return weight == 0 ? Cell{} : Cell{sum / weight}; }

Cell shared_cell(const Profile& profile, const SharedText& shared) {
  return shared.differs ? Cell{} : cell(profile.text(shared.text));
}

std::int64_t number_of(std::uint32_t word) { return word == kNoNumber ? kUnknown : std::int64_t{word}; }

std::vector<Cell> row_cells(const Profile& profile, const KernelGroups& groups, const Facts& facts, std::size_t group,
                            const KernelTableShape& shape) {
  const KernelSums& sums = groups.sums[group];
  const KernelKeys& keys = groups.keys;
  const bool by_launch = shape.grouping == KernelGrouping::launch;
  std::vector<Cell> cells;
  if (shape.grouping != KernelGrouping::type) cells.push_back(cell(profile.text(keys.text(group, 0))));
  if (shape.fields.types) cells.push_back(shared_cell(profile, sums.type));
  if (shape.fields.cores) cells.push_back(shared_cell(profile, sums.core));
  if (by_launch) cells.push_back(cell(profile.text(keys.text(group, 3))));
  cells.emplace_back(sums.calls);
  cells.emplace_back(sums.total);
  cells.push_back(share_cell(sums.total, groups.total));
  cells.emplace_back(static_cast<double>(sums.total) / static_cast<double>(sums.calls));
  cells.emplace_back(sums.max);
  cells.emplace_back(sums.min);
  cells.push_back(sums.core_type == CoreType::unknown ? Cell{} : Cell{sums.core_type == CoreType::matrix});
  if (by_launch) {
    cells.push_back(sums.owner_is_operator ? Cell{sums.operator_eligible} : Cell{});
    const auto& key = keys.key(group);
    add_launch_cells(cells, shape.fields, profile,
                     {keys.text(group, 4), keys.text(group, 5), number_of(key[6]), number_of(key[7])});
  }
  if (shape.fields.blocks) cells.push_back(weighted_mean(sums.blocks_time, static_cast<double>(sums.blocks_weight)));
  if (shape.fields.occupancy) cells.push_back(weighted_mean(sums.occupancy_time, static_cast<double>(sums.occupancy_weight)));
  if (shape.fields.computed) cells.push_back(cell(sums.fill_differs ? std::string_view{} : fill_words(sums.fill_source)));
  for (std::size_t i = 0; i < facts.columns().size(); ++i) {
    const FactSum& sum = groups.facts[group * facts.columns().size() + i];
    if (facts.columns()[i].measure) cells.push_back(weighted_mean(sum.sum, sum.weight));
  }
  cells.emplace_back(std::int64_t{sums.longest});
  return cells;
}

}  // namespace

ReportTable blank_group_table(const KernelTableShape& shape, const std::vector<FactColumn>& facts) {
  const bool by_launch = shape.grouping == KernelGrouping::launch;
  ReportTable table{.key = "kernels", .title = "Kernels"};
  auto& columns = table.columns;
  if (shape.grouping == KernelGrouping::source) {
    columns.push_back(
        label_column("name", "Line of source", "Line of the program, or of a hand-written kernel, that it comes from"));
    columns.back().unknown = "the file does not say which line these kernels come from";
  } else if (shape.grouping != KernelGrouping::type) {
    columns.push_back(label_column("name", "Name", "Name of the kernel"));
  }
  if (shape.fields.types) columns.push_back(type_column());
  if (shape.grouping == KernelGrouping::type && shape.fields.types) columns.back().role = ColumnRole::label;
  if (shape.fields.cores) columns.push_back(core_column());
  if (by_launch) columns.push_back(operator_column());
  add_time_columns(columns);
  columns.push_back(matrix_column(shape.words));
  columns.back().hidden = shape.fields.cores;  // which the core tells
  if (by_launch) {
    columns.push_back(eligible_column(shape.words));
    add_launch_columns(columns, shape.fields);
  }
  add_fill_columns(columns, shape);
  add_fact_columns(columns, facts);
  columns.push_back(longest_slice_column("call"));
  table.sort_column = "total";
  return table;
}

ReportTable group_table(const Profile& profile, const KernelGroups& groups, const Facts& facts, const KernelTableShape& shape,
                        const std::vector<bool>& shown) {
  ReportTable table = blank_group_table(shape, facts.columns());
  std::vector<std::size_t> order(groups.sums.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return groups.sums[a].total > groups.sums[b].total; });
  for (const std::size_t group : order) {
    if (shown[group]) table.add_row(row_cells(profile, groups, facts, group, shape));
  }
  return table;
}

}  // namespace sightline

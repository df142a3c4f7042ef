// Kernels in groups: times, launch properties, how well they filled the device, and means of what the profiler measured.
#include <algorithm>
#include <numeric>

#include "analyses/kernels/kernel_tables.h"

namespace sightline::analyses {

namespace {

// Of numbers of groups.
using GroupTable = TableOf<std::size_t, Profile, KernelGroups>;

// A cell that the sums of a group give.
template <typename ValueOf>
auto of_sums(ValueOf value_of) {
  return [value_of](const Profile&, const KernelGroups& groups, std::size_t group) { return value_of(groups.sums[group]); };
}

void add_time_columns(GroupTable& table) {
  table.add(integer_column("calls", "Calls", Unit::count,
                           {"How often it ran.", "number of kernel events", "kernel events of all streams and devices"}),
            of_sums([](const KernelSums& of) { return of.calls; }));
  table.add(integer_column("total", "Total", Unit::ns, {"Device time of all its calls.", "sum of durations", kKernelDuration})
                .with_bar("share"),
            of_sums([](const KernelSums& of) { return of.total; }));
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the time of all kernels in scope.", "total / sum of the totals of all kernels in scope",
                         kKernelDuration, "Not in the TensorBoard plugin's table."}),
            [](const Profile&, const KernelGroups& groups, std::size_t group) {
              return quotient(groups.sums[group].total, groups.total);
            });
  table.add(real_column("mean", "Mean", Unit::ns, {"Average device time of a call.", "total / calls", kKernelDuration}),
            of_sums([](const KernelSums& of) { return quotient(of.total, of.calls); }));
  table.add(integer_column("max", "Max", Unit::ns, {"Longest call.", "largest duration", kKernelDuration}),
            of_sums([](const KernelSums& of) { return of.max; }));
  table.add(integer_column("min", "Min", Unit::ns, {"Shortest call.", "smallest duration", kKernelDuration}),
            of_sums([](const KernelSums& of) { return of.min; }));
}

void add_mean_fill_columns(GroupTable& table, const KernelTableShape& shape) {
  constexpr std::string_view kDiffers =
      "Calls without a value are left out, and a false 0 of the file is recomputed; the TensorBoard plugin counts both as 0.";
  if (shape.fields.blocks) {
    table.add(real_column("blocks_per_sm", say("Mean blocks per {}", shape.words.core), Unit::count,
                          {"Blocks of the grid per multiprocessor; below 1 some multiprocessors have nothing to do.",
                           "sum(blocks per multiprocessor x duration) / sum(duration), over calls that have a value",
                           "the profiler, per kernel; computed where it states none", kDiffers}),
              of_sums([](const KernelSums& of) { return quotient(of.blocks_time, static_cast<double>(of.blocks_weight)); }));
  }
  if (shape.fields.occupancy) {
    table.add(
        real_column("occupancy", "Mean est. achieved occupancy", Unit::percent,
                    {"Active warps per multiprocessor as a share of the most it can hold, estimated from the launch.",
                     "sum(occupancy x duration) / sum(duration), over calls that have a value",
                     "the profiler, per kernel; computed where it states none, or a false 0", kDiffers}),
        of_sums([](const KernelSums& of) { return quotient(of.occupancy_time, static_cast<double>(of.occupancy_weight)); }));
  }
  if (shape.fields.computed) {
    table.add(fill_source_column(),
              of_sums([](const KernelSums& of) { return of.fill_differs ? std::string_view{} : fill_words(of.fill_source); }));
  }
}

// Means of shares and rates say at once how well kernels do; means of times and counts are hidden until requested.
void add_fact_columns(GroupTable& table, const std::vector<FactColumn>& facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].measure) continue;
    table.add(mean_column(facts[i]).hide(!facts[i].weighted()),
              [i, all = facts.size()](const Profile&, const KernelGroups& groups, std::size_t group) {
                const FactSum& of = groups.facts[group * all + i];
                return quotient(of.sum, of.weight);
              });
  }
}

StringId shared_text(const SharedText& shared) { return shared.differs ? StringId::none : shared.text; }

std::int64_t number_of(std::uint32_t word) { return word == kNoNumber ? kUnknown : std::int64_t{word}; }

LaunchProperties launch_of_group(const KernelKeys& keys, std::size_t group) {
  const auto& key = keys.key(group);
  return {keys.text(group, 4), keys.text(group, 5), number_of(key[6]), number_of(key[7])};
}

StringId name_of_group(const Profile&, const KernelGroups& groups, std::size_t group) { return groups.keys.text(group, 0); }

GroupTable kernel_groups(const KernelTableShape& shape, const std::vector<FactColumn>& facts) {
  const bool by_launch = shape.grouping == KernelGrouping::launch, by_type = shape.grouping == KernelGrouping::type;
  GroupTable table({.key = "kernels", .title = "Kernels", .sort_column = "total"});
  if (shape.grouping == KernelGrouping::source) {
    table.add(label_column("name", "Line of source", "Line of the program, or of a hand-written kernel, that it comes from")
                  .with_unknown("the file does not say which line these kernels come from"),
              name_of_group);
  } else if (!by_type) {
    table.add(label_column("name", "Name", "Name of the kernel"), name_of_group);
  }
  if (shape.fields.types) {
    table.add(type_column().with_role(by_type ? ColumnRole::label : ColumnRole::value),
              of_sums([](const KernelSums& of) { return shared_text(of.type); }));
  }
  if (shape.fields.cores) table.add(core_column(), of_sums([](const KernelSums& of) { return shared_text(of.core); }));
  if (by_launch) {
    table.add(operator_column(),
              [](const Profile&, const KernelGroups& groups, std::size_t group) { return groups.keys.text(group, 3); });
  }
  add_time_columns(table);
  table.add(matrix_column(shape.words).hide(shape.fields.cores),  // which the core tells
            of_sums([](const KernelSums& of) {
              return of.core_type == CoreType::unknown ? std::nullopt : std::optional(of.core_type == CoreType::matrix);
            }));
  if (by_launch) {
    table.add(eligible_column(shape.words), of_sums([](const KernelSums& of) {
                return of.owner_is_operator ? std::optional(of.operator_eligible) : std::nullopt;
              }));
    add_launch_columns(table, shape.fields, [](const Profile&, const KernelGroups& groups, std::size_t group) {
      return launch_of_group(groups.keys, group);
    });
  }
  add_mean_fill_columns(table, shape);
  add_fact_columns(table, facts);
  table.add(longest_slice_column("call"), of_sums([](const KernelSums& of) { return of.longest; }));
  return table;
}

}  // namespace

ReportTable blank_group_table(const KernelTableShape& shape, const std::vector<FactColumn>& facts) {
  return kernel_groups(shape, facts).blank();
}

ReportTable group_table(const Profile& profile, const KernelGroups& groups, const Facts& facts, const KernelTableShape& shape,
                        const std::vector<bool>& shown) {
  std::vector<std::size_t> order;
  for (std::size_t group = 0; group < shown.size(); ++group) {
    if (shown[group]) order.push_back(group);
  }
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return groups.sums[a].total > groups.sums[b].total; });
  return kernel_groups(shape, facts.columns()).of(profile, groups, order);
}

}  // namespace sightline::analyses

// What the parts of a diff cost in each of the two profiles, what the operators and kernels inside a part did, and the columns
// of tables that compare two profiles: a metric takes four of them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "analyses/columns.h"
#include "analyses/diff/diff_tree.h"
#include "analyses/operators/host_tree.h"

namespace sightline::analyses {

// ---- sums ----

template <typename Value>
using OnBothSides = std::array<Value, 2>;  // [kBaseline], [kCompared]

// By node: whether it is one of these or is in one.
std::vector<bool> nodes_inside(const HostTree& tree, const std::vector<Row>& outer);

struct PartCosts {
  Time time = 0;    // of a step its window, host and device; else the sum of its ranges on the host
  Time device = 0;  // device work caused inside; kUnknown without any in the profile
  std::int64_t ranges = 0;
  Row longest = kNoRow;  // row of slices, the first of equals
};
std::vector<OnBothSides<PartCosts>> part_costs(const DiffTree& tree, const std::vector<DiffPart>& parts);

// By name, in order of first appearance, the baseline's first. If one side does not have the name, its sums are 0.
struct OperatorPair {
  std::string name;
  OnBothSides<GroupSums> sums{};
  OnBothSides<Row> longest{kNoRow, kNoRow};  // row of slices
};
std::vector<OperatorPair> operator_pairs(const DiffTree& tree, const DiffPart& part);

struct KernelTotals {
  std::int64_t calls = 0;
  Time total = 0;
  Row longest = kNoRow;  // row of slices
};
struct KernelPair {
  std::string name;
  OnBothSides<KernelTotals> totals{};
};
// Kernels (collectives included, copies not) that ranges inside the part launched; in the whole also those that no range did.
std::vector<KernelPair> kernel_pairs(const DiffTree& tree, const DiffPart& part);

// ---- columns ----

struct PairOptions {
  Message unknown{};  // why a value is unknown
  bool hidden = false;
  bool hued = false;  // each profile in its own colour
};

// `baseline_KEY`, `compared_KEY`, `change_KEY` and `change_KEY_share`: the metric in either profile, the difference, and the
// difference as a share of the baseline. Without a title they are called "Baseline", "Compared" and "Change".
struct PairColumns {
  ReportColumn baseline, compared, change, share;
};
PairColumns pair_columns(std::string_view key, const Message& title, Unit unit, const MetricDoc& doc, CellType type,
                         const PairOptions& options);

// Unknown on one side leaves the difference unknown; a baseline of 0 has no share.
inline std::int64_t change_of(const OnBothSides<std::int64_t>& values) {
  const bool known = values[kBaseline] != kUnknown && values[kCompared] != kUnknown;
  return known ? values[kCompared] - values[kBaseline] : kUnknown;
}
inline double change_of(const OnBothSides<double>& values) { return values[kCompared] - values[kBaseline]; }
double share_of_baseline(const OnBothSides<std::int64_t>& values);
double share_of_baseline(const OnBothSides<double>& values);

// `values_of(item)`, or `values_of(context..., item)`: the metric on both sides, both int64 or both double.
template <typename Item, typename... Context, typename ValuesOf>
void add_pair(TableOf<Item, Context...>& table, std::string_view key, const Message& title, Unit unit, const MetricDoc& doc,
              ValuesOf values_of, const PairOptions& options = {}) {
  using Values = std::decay_t<std::invoke_result_t<ValuesOf, const Context&..., const Item&>>;
  const bool is_real = std::is_same_v<Values, OnBothSides<double>>;
  PairColumns columns = pair_columns(key, title, unit, doc, is_real ? CellType::real : CellType::integer, options);
  table.add(std::move(columns.baseline),
            [=](const Context&... context, const Item& item) { return values_of(context..., item)[kBaseline]; });
  table.add(std::move(columns.compared),
            [=](const Context&... context, const Item& item) { return values_of(context..., item)[kCompared]; });
  table.add(std::move(columns.change),
            [=](const Context&... context, const Item& item) { return change_of(values_of(context..., item)); });
  table.add(std::move(columns.share),
            [=](const Context&... context, const Item& item) { return share_of_baseline(values_of(context..., item)); });
}

// Hidden: which row of slices represents the row in either profile, and the links to the two timelines.
ReportColumn slice_column(std::string_view key, Message title, const char* of_what);
RowLink baseline_link();
RowLink compared_link();

// `slices_of(item)`: the rows of slices.
template <typename Item, typename... Context, typename SlicesOf>
void add_slices(TableOf<Item, Context...>& table, const char* of_what, SlicesOf slices_of) {
  table.add(slice_column("baseline_slice", "Slice in the baseline", of_what),
            [=](const Item& item) { return slices_of(item)[kBaseline]; });
  table.add(slice_column("compared_slice", "Slice in the compared profile", of_what),
            [=](const Item& item) { return slices_of(item)[kCompared]; });
  table.add_link(baseline_link());
  table.add_link(compared_link());
}

}  // namespace sightline::analyses

// Sums over parts of a diff: the same passes that the views of one profile make, once for each side.
#include "analyses/diff/diff_sums.h"

#include <fmt/core.h>

#include <map>
#include <string_view>

#include "analyses/group_index.h"

namespace sightline::analyses {

// ---- sums ----

std::vector<bool> nodes_inside(const HostTree& tree, const std::vector<Row>& outer) {
  std::vector<bool> inside(tree.nodes(), false);
  for (const Row node : outer) inside[node] = true;
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row around = tree.absorbed(node) ? tree.merged_into[node] : tree.parent[node];
    if (around != kNoRow && inside[around]) inside[node] = true;
  }
  return inside;
}

namespace {

bool is_longer(const Profile& profile, Row slice, Row than) {
  return than == kNoRow || profile.slices.duration[slice] > profile.slices.duration[than];
}

// The row of that name; a new row if there is none yet.
template <typename Named>
class ByName {
 public:
  Named& of(std::string_view name) {
    const auto [found, is_new] = numbers_.try_emplace(std::string(name), rows_.size());
    if (is_new) rows_.emplace_back().name = name;
    return rows_[found->second];
  }
  std::vector<Named> take() { return std::move(rows_); }

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
  std::vector<Named> rows_;
};

}  // namespace

std::vector<OnBothSides<PartCosts>> part_costs(const DiffTree& tree, const std::vector<DiffPart>& parts) {
  std::vector<OnBothSides<PartCosts>> costs(parts.size());
  for (std::size_t which = 0; which < 2; ++which) {
    const DiffSide& side = tree.side(which);
    std::vector<Row> group(side.tree().nodes(), kNoRow);
    for (Row i = 0; i < parts.size(); ++i) {
      PartCosts& cost = costs[i][which];
      for (const Row node : parts[i].nodes[which]) {
        group[node] = i;
        const Row slice = side.tree().slice[node];
        if (is_longer(side.profile(), slice, cost.longest)) cost.longest = slice;
        cost.time += side.duration(node);
        ++cost.ranges;
      }
      if (const StepWindow* step = parts[i].steps[which]) {
        cost.time = step->window.length();
        cost.ranges = 1;
      }
    }
    const bool has_device_work = side.profile().device_work.rows() > 0;
    const auto sums = sum_groups(side.profile(), side.tree(), *work_by_start(side.pointer()), group, parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) costs[i][which].device = has_device_work ? sums[i].device_total : kUnknown;
  }
  return costs;
}

std::vector<OperatorPair> operator_pairs(const DiffTree& tree, const DiffPart& part) {
  ByName<OperatorPair> pairs;
  for (std::size_t which = 0; which < 2; ++which) {
    const DiffSide& side = tree.side(which);
    const std::vector<bool> inside = nodes_inside(side.tree(), part.nodes[which]);
    GroupIndex<1> names;
    std::vector<Row> group(side.tree().nodes(), kNoRow);
    std::vector<Row> longest;
    for (Row node = 0; node < side.tree().nodes(); ++node) {
      if (!inside[node] || !side.tree().is_operator(node)) continue;
      const Row slice = side.tree().slice[node];
      group[node] = names.number_of({static_cast<std::uint32_t>(side.profile().slices.name[slice])});
      if (group[node] == longest.size()) longest.push_back(kNoRow);
      if (is_longer(side.profile(), slice, longest[group[node]])) longest[group[node]] = slice;
    }
    const auto sums = sum_groups(side.profile(), side.tree(), *work_by_start(side.pointer()), group, names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      OperatorPair& pair = pairs.of(side.profile().text(names.text(i, 0)));
      pair.sums[which] = sums[i];
      pair.longest[which] = longest[i];
    }
  }
  return pairs.take();
}

std::vector<KernelPair> kernel_pairs(const DiffTree& tree, const DiffPart& part) {
  ByName<KernelPair> pairs;
  for (std::size_t which = 0; which < 2; ++which) {
    const DiffSide& side = tree.side(which);
    const Profile& profile = side.profile();
    const std::vector<bool> inside = nodes_inside(side.tree(), part.nodes[which]);
    for (Row i = 0; i < profile.device_work.rows(); ++i) {
      const Row slice = profile.device_work.slice[i];
      if (!is_kernel(profile.slices.kind[slice])) continue;
      const Row node = side.tree().node_of_owner(profile.device_work.owner[i]);
      if (part.kind != DiffKind::whole && (node == kNoRow || !inside[node])) continue;
      KernelTotals& totals = pairs.of(profile.text(profile.slices.name[slice])).totals[which];
      ++totals.calls;
      totals.total += profile.slices.duration[slice];
      if (is_longer(profile, slice, totals.longest)) totals.longest = slice;
    }
  }
  return pairs.take();
}

// ---- columns ----

namespace {

constexpr std::string_view kBoth = "both profiles";

// "Host total: baseline"; of a table with one metric, "Baseline".
Message side_title(const Message& metric, const char* capital, const char* small) {
  return metric.empty() ? Message(capital) : say("{}: {}", metric, small);
}

ReportColumn as_change(ReportColumn column, bool sums = false) {
  column.change = true;
  column.sums = sums;
  return column;
}

}  // namespace

PairColumns pair_columns(std::string_view key, const Message& title, Unit unit, const MetricDoc& doc, CellType type,
                         const PairOptions& options) {
  const auto number = [&](std::string_view side, const Message& name, const MetricDoc& meaning) {
    const std::string full = fmt::format("{}_{}", side, key);
    ReportColumn column =
        type == CellType::real ? real_column(full, name, unit, meaning) : integer_column(full, name, unit, meaning);
    return std::move(column).with_unknown(options.unknown).hide(options.hidden);
  };
  const ReportColumn baseline = number("baseline", side_title(title, "Baseline", "baseline"), doc);
  return {ReportColumn(baseline).with_category(options.hued ? "baseline" : ""),
          number("compared", side_title(title, "Compared", "compared"), doc).with_category(options.hued ? "compared" : ""),
          as_change(number("change", side_title(title, "Change", "change"),
                           {"Increase from the baseline to the compared profile.", "compared - baseline", kBoth}),
                    baseline.sums),
          as_change(real_column(fmt::format("change_{}_share", key), side_title(title, "Change", "change"), Unit::share,
                                {"The change as a share of the baseline.", "(compared - baseline) / baseline", kBoth,
                                 "Unknown where the baseline is 0; the TensorBoard plugin writes infinity."})
                        .with_unknown("the baseline is 0 or unknown")
                        .hide(options.hidden))};
}

double share_of_baseline(const OnBothSides<double>& values) { return quotient(change_of(values), values[kBaseline]); }

double share_of_baseline(const OnBothSides<std::int64_t>& values) {
  if (change_of(values) == kUnknown) return kUnknownReal;
  return share_of_baseline(OnBothSides<double>{static_cast<double>(values[kBaseline]), static_cast<double>(values[kCompared])});
}

ReportColumn slice_column(std::string_view key, Message title, const char* of_what) {
  return integer_column(key, title, Unit::id, {say("Row of the slice of its longest {}.", of_what), "", ""})
      .with_unknown("not in this profile")
      .hide();
}

RowLink baseline_link() { return {"Baseline on the timeline", "timeline", {{"slice", "$baseline_slice"}}}; }

RowLink compared_link() {
  RowLink link{"Compared on the timeline", "timeline", {{"slice", "$compared_slice"}}};
  link.other = true;
  return link;
}

}  // namespace sightline::analyses

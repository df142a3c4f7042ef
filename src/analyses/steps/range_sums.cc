// range_sums: sums each lane separately, then adds the lanes.
#include "analyses/steps/range_sums.h"

#include <algorithm>
#include <array>

#include "analyses/group_index.h"
#include "analyses/lane_titles.h"
#include "base/parallel.h"
#include "model/drawn_lanes.h"
#include "model/kind_names.h"
#include "model/nesting.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kKinds = kSliceKindNames.size();

void add_part(RangeSum& sum, Row slice, Time part) {
  if (sum.count == 0 || part > sum.most) sum.longest = slice;
  sum.least = sum.count == 0 ? part : std::min(sum.least, part);
  sum.most = std::max(sum.most, part);
  ++sum.count;
  sum.total += part;
  sum.self += part;
}

void add_sum(RangeSum& sum, const RangeSum& more) {
  if (more.count == 0) return;
  if (sum.count == 0 || more.most > sum.most) sum.longest = more.longest;
  sum.least = sum.count == 0 ? more.least : std::min(sum.least, more.least);
  sum.most = std::max(sum.most, more.most);
  sum.count += more.count;
  sum.total += more.total;
  sum.self += more.self;
}

// The groups of one lane, or of all.
struct SliceGroups {
  GroupIndex<2> keys;  // name, kind
  std::vector<RangeSum> sums;

  std::uint32_t number_of(StringId name, SliceKind kind) {
    const std::uint32_t group = keys.number_of({static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(kind)});
    if (group == sums.size()) sums.push_back({.name = name, .kind = kind});
    return group;
  }
};

class LaneSums {
 public:
  LaneSums(const Profile& profile, Interval range) : p_(profile), range_(range) {}

  void sum(const DrawnLaneSource& lane) {
    std::vector<SliceRun> runs;
    for (const Row row : lane.lanes) add_runs(row, runs);
    for_each_merged(p_, std::move(runs), [&](Row slice) {
      if (lane.holds(p_, slice)) add(slice);
    });
  }

  SliceGroups groups;
  std::vector<PathSum> paths;
  SliceGroups operators, layers;         // of the slices that execute an operator of a program
  std::array<IntervalSet, kKinds> busy;  // by kind

 private:
  // The slices of a lane that start in the range are one run; those that were open when it began enclose one another.
  void add_runs(Row lane, std::vector<SliceRun>& runs) const {
    const Time* start = p_.slices.start.data();
    const auto row_at = [&](Time time) {
      return static_cast<Row>(std::lower_bound(start + p_.lanes.first[lane], start + p_.lanes.last[lane], time) - start);
    };
    const Row first = row_at(range_.start);
    runs.push_back({first, row_at(range_.end)});
    if (first == p_.lanes.first[lane]) return;
    for (Row open = first - 1; open != kNoRow; open = p_.slices.parent[open]) {
      if (p_.end_of(open) > range_.start) runs.push_back({open, open + 1});
    }
  }

  void add(Row slice) {
    const Interval whole{p_.slices.start[slice], p_.end_of(slice)};
    const Interval inside{std::max(whole.start, range_.start), std::min(whole.end, range_.end)};
    const SliceKind kind = p_.slices.kind[slice];
    const std::uint32_t group = groups.number_of(p_.slices.name[slice], kind);
    add_part(groups.sums[group], slice, inside.length());
    const Row around = nester_.add(whole.start, whole.end, static_cast<Row>(path_of_.size())).parent;
    add_path(around == kNoRow ? kNoRow : path_of_[around], group, inside.length());
    extend(busy[static_cast<std::size_t>(kind)], inside);
    if (p_.program_work.rows() > 0 && kind != SliceKind::sync) add_executed(slice, inside.length());
  }

  // `around`: the path of the enclosing slice.
  void add_path(Row around, std::uint32_t group, Time part) {
    const Row path = path_keys_.number_of({around + 1, group});
    if (path == paths.size()) {
      paths.push_back({.parent = around, .name = groups.sums[group].name, .kind = groups.sums[group].kind});
      group_of_path_.push_back(group);
    }
    path_of_.push_back(path);
    ++paths[path].count;
    paths[path].total += part;
    paths[path].self += part;
    if (around == kNoRow) return;
    paths[around].self -= part;
    groups.sums[group_of_path_[around]].self -= part;
  }

  void add_executed(Row slice, Time part) {
    const auto& slices = p_.program_work.slice;
    const auto at = std::lower_bound(slices.begin(), slices.end(), slice);
    if (at == slices.end() || *at != slice) return;
    const ProgramOperators& all = p_.program_operators;
    const Row of = p_.program_work.program_operator[static_cast<std::size_t>(at - slices.begin())];
    for (const auto& [name, sums] : {std::pair{all.name[of], &operators}, std::pair{all.framework_operator[of], &layers}}) {
      if (name != StringId::none) add_part(sums->sums[sums->number_of(name, SliceKind::other)], slice, part);
    }
  }

  const Profile& p_;
  Interval range_;
  Nester nester_;
  std::vector<Row> path_of_;  // by slice, as they come
  GroupIndex<2> path_keys_;   // path + 1 around it (kNoRow: 0), group
  std::vector<std::uint32_t> group_of_path_;
};

KindSums kind_sums(const SliceGroups& groups, std::array<IntervalSet, kKinds> busy) {
  KindSums sums;
  std::array<RangeSum, kKinds> kinds;
  for (const RangeSum& sum : groups.sums) add_sum(kinds[static_cast<std::size_t>(sum.kind)], sum);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (kinds[kind].count == 0) continue;
    kinds[kind].kind = static_cast<SliceKind>(kind);
    kinds[kind].wall = total_length(busy[kind]);
    sums.by_kind.push_back(kinds[kind]);
    add_sum(sums.all, kinds[kind]);
    if (kinds[kind].kind != SliceKind::device_annotation) add_sum(sums.work, kinds[kind]);
  }
  std::vector<IntervalSet> work;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (static_cast<SliceKind>(kind) != SliceKind::device_annotation) work.push_back(busy[kind]);
  }
  sums.work.wall = total_length(unite_all(std::move(work)));
  sums.all.wall = total_length(unite_all({std::make_move_iterator(busy.begin()), std::make_move_iterator(busy.end())}));
  return sums;
}

// All lanes of devices as one.
KindSums sums_of_devices(const Profile& profile, const std::vector<LaneSums>& sums, const std::vector<DrawnLaneSource>& lanes,
                         const SliceGroups& groups) {
  std::array<IntervalSet, kKinds> busy;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    std::vector<IntervalSet> sets;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      if (is_device_lane(profile, lanes[lane].lanes.front())) sets.push_back(sums[lane].busy[kind]);
    }
    busy[kind] = unite_all(std::move(sets));
  }
  return kind_sums(groups, std::move(busy));
}

}  // namespace

WindowSums range_sums(const Profile& profile, Interval range, const std::vector<DrawnLaneSource>& lanes) {
  std::vector<LaneSums> sums;
  sums.reserve(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) sums.emplace_back(profile, range);
  parallel_for(lanes.size(), default_threads(), [&](std::size_t i) { sums[i].sum(lanes[i]); });

  SliceGroups all, on_devices, on_host, operators, layers;
  const auto gather = [](SliceGroups& into, const SliceGroups& from) {
    for (const RangeSum& sum : from.sums) add_sum(into.sums[into.number_of(sum.name, sum.kind)], sum);
  };
  WindowSums result;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    LaneSums& lane = sums[i];
    gather(all, lane.groups);
    gather(is_device_lane(profile, lanes[i].lanes.front()) ? on_devices : on_host, lane.groups);
    gather(operators, lane.operators);
    gather(layers, lane.layers);
    result.kinds_by_lane.push_back(kind_sums(lane.groups, lane.busy));
    result.by_lane.push_back(result.kinds_by_lane.back().all);
    result.paths.push_back(std::move(lane.paths));
  }
  result.devices = sums_of_devices(profile, sums, lanes, on_devices);
  result.device_names = std::move(on_devices.sums);
  result.host_names = std::move(on_host.sums);
  result.by_name = std::move(all.sums);
  result.by_operator = std::move(operators.sums);
  result.by_layer = std::move(layers.sums);
  std::array<RangeSum, kKinds> kinds;
  for (const RangeSum& sum : result.by_name) add_sum(kinds[static_cast<std::size_t>(sum.kind)], sum);
  std::vector<IntervalSet> everything;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (kinds[kind].count == 0) continue;
    std::vector<IntervalSet> sets;
    sets.reserve(sums.size());
    for (LaneSums& lane : sums) sets.push_back(std::move(lane.busy[kind]));
    everything.push_back(unite_all(std::move(sets)));
    kinds[kind].kind = static_cast<SliceKind>(kind);
    kinds[kind].wall = total_length(everything.back());
    result.by_kind.push_back(kinds[kind]);
    result.slices += kinds[kind].count;
  }
  result.busy = total_length(unite_all(std::move(everything)));
  return result;
}

}  // namespace sightline::analyses

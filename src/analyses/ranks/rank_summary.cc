// RankSummary: intervals of computing and communicating, cut by the steps.
#include "analyses/ranks/rank_summary.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "analyses/steps/step_windows.h"
#include "analyses/steps/time_roles.h"
#include "model/kind_names.h"

namespace sightline::analyses {

namespace {

// Rows of collectives by what they are: on the device, or a host range that is in no other one.
bool is_outer_host_range(const Profile& profile, Row slice) {
  if (profile.slices.kind[slice] != SliceKind::host_communication) return false;
  for (Row around = profile.slices.parent[slice]; around != kNoRow; around = profile.slices.parent[around]) {
    if (profile.slices.kind[around] == SliceKind::host_communication) return false;
  }
  return true;
}

class Texts {
 public:
  explicit Texts(std::vector<std::string>& texts) : texts_(texts) { of(""); }

  std::uint32_t of(std::string_view text) {
    const auto [at, is_new] = index_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.emplace_back(text);
    return at->second;
  }

 private:
  std::vector<std::string>& texts_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

Row row_of(const Column<Row>& slices, Row slice) {
  const auto at = std::lower_bound(slices.begin(), slices.end(), slice);
  return at != slices.end() && *at == slice ? static_cast<Row>(at - slices.begin()) : kNoRow;
}

// The step of a collective, which device work or the host ran.
std::uint32_t step_of_slice(const Profile& profile, const std::vector<StepWindow>& steps, Row slice) {
  const Row work = row_of(profile.device_work.slice, slice);
  std::size_t step = 0;
  if (work != kNoRow) {
    step = step_of(profile, steps, work);
  } else {
    while (step < steps.size() && !starts_in(steps[step], profile.slices.start[slice])) ++step;
  }
  return step == steps.size() ? kNoStep : static_cast<std::uint32_t>(step);
}

std::vector<RankCollective> collectives_of(const Profile& profile, const std::vector<StepWindow>& steps,
                                           std::vector<std::string>& all_texts) {
  const Collectives& c = profile.collectives;
  Texts texts(all_texts);
  std::vector<RankCollective> found;
  for (const Row slice : collective_slices(profile)) {
    const Row row = row_of(c.slice, slice);
    RankCollective one{.interval = {profile.slices.start[slice], profile.end_of(slice)}};
    one.slice = slice;
    one.step = step_of_slice(profile, steps, slice);
    if (row == kNoRow) {
      one.name = texts.of(collective_kind_name(one.kind));
      found.push_back(one);
      continue;
    }
    one.kind = c.kind[row];
    const std::string_view name = profile.text(c.name[row]);
    one.name = texts.of(name.empty() ? collective_kind_name(one.kind) : name);
    one.group = texts.of(profile.text(c.group[row]));
    one.group_about = texts.of(profile.text(c.group_about[row]));
    one.group_ranks = texts.of(profile.text(c.group_ranks[row]));
    one.group_size = c.group_size[row];
    one.sequence = c.sequence[row];
    one.in_bytes = c.in_bytes[row];
    one.out_bytes = c.out_bytes[row];
    found.push_back(one);
  }
  return found;
}

void cut_into_steps(const Profile& profile, const std::vector<StepWindow>& steps, RankSummary& summary) {
  std::vector<Interval> intervals;
  for (const RankCollective& one : summary.collectives) intervals.push_back(one.interval);
  const IntervalSet communicating = merge(std::move(intervals));
  const RoleSets roles = role_sets(profile);
  const IntervalSet& computing = roles[summary.computes_on_device ? Role::kernel : Role::host];
  const IntervalSet both = intersect(computing, communicating);
  for (const StepWindow& step : steps) {
    RankStep part{.number = step.number, .window = step.window};
    part.overlap = length_within(both, step.window);
    part.computation = length_within(computing, step.window) - part.overlap;
    part.communication = length_within(communicating, step.window) - part.overlap;
    part.other = step.window.length() - part.computation - part.overlap - part.communication;
    summary.steps.push_back(part);
  }
}

std::vector<RankDevice> devices_of(const Profile& profile) {
  const Devices& devices = profile.devices;
  std::vector<RankDevice> found;
  for (const std::int64_t ordinal : std::set(profile.device_work.device.begin(), profile.device_work.device.end())) {
    if (ordinal == kUnknown) continue;
    RankDevice device;
    device.ordinal = ordinal;
    const auto at = std::find(devices.ordinal.begin(), devices.ordinal.end(), ordinal);
    if (at != devices.ordinal.end()) {
      const auto i = static_cast<std::size_t>(at - devices.ordinal.begin());
      device = {ordinal,
                std::string(profile.text(devices.name[i])),
                devices.memory[i],
                devices.compute_major[i],
                devices.compute_minor[i],
                devices.cores[i]};
    }
    found.push_back(std::move(device));
  }
  return found;
}

// The process that runs on the host.
std::string_view host_process(const Profile& profile) {
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    const Row process = profile.lanes.process[lane];
    if (profile.lanes.kind[lane] == LaneKind::host_thread && process != kNoRow)
      return profile.text(profile.processes.pid[process]);
  }
  return {};
}

}  // namespace

std::vector<Row> collective_slices(const Profile& profile) {
  std::vector<Row> found;
  std::unordered_set<StringId> on_device;  // process groups
  bool any_unnamed = false;
  const auto group_of = [&](Row slice) {
    const Row row = row_of(profile.collectives.slice, slice);
    return row == kNoRow ? StringId::none : profile.collectives.group[row];
  };
  for (const Row slice : profile.device_work.slice) {
    if (profile.slices.kind[slice] != SliceKind::collective) continue;
    found.push_back(slice);
    on_device.insert(group_of(slice));
    any_unnamed |= group_of(slice) == StringId::none;
  }
  const bool any_on_device = !found.empty();
  for (const Row slice : profile.collectives.slice) {
    if (!is_outer_host_range(profile, slice)) continue;
    const StringId group = group_of(slice);
    // A range without a group may represent any of the device's, and any group for one of those without.
    const bool may_be_on_device = any_on_device && (group == StringId::none || any_unnamed || on_device.contains(group));
    if (!may_be_on_device) found.push_back(slice);
  }
  const Slices& slices = profile.slices;
  std::stable_sort(found.begin(), found.end(), [&](Row a, Row b) { return slices.start[a] < slices.start[b]; });
  return found;
}

RankSummary summarise_rank(const Profile& profile, std::string worker) {
  RankSummary summary;
  summary.worker = std::move(worker);
  summary.host = profile.host;
  summary.process = host_process(profile);
  summary.rank = profile.rank;
  summary.world_size = profile.world_size;
  const SliceKind* const kinds = profile.slices.kind.data();
  summary.computes_on_device = std::any_of(profile.device_work.slice.begin(), profile.device_work.slice.end(),
                                           [&](Row slice) { return kinds[slice] == SliceKind::kernel; });
  summary.devices = devices_of(profile);
  const StepWindows steps = step_windows(profile);
  summary.has_recorded_steps = steps.source == StepSource::recorded;
  summary.collectives = collectives_of(profile, steps.kept, summary.texts);
  cut_into_steps(profile, steps.kept, summary);
  summary.stated = stated_of(profile);
  return summary;
}

}  // namespace sightline::analyses

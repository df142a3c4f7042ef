// A running union per lane and role, the lanes' unions merged pairwise, then what each role adds to the union of those before it.
#include "analyses/steps/step_summary.h"

#include <algorithm>

#include "analyses/derived_data.h"
#include "analyses/words.h"

namespace sightline::analyses {

// ---- time roles: what each instant of a step is charged to ----

Role role_of(SliceKind kind) {
  switch (kind) {
    case SliceKind::kernel: return Role::kernel;
    case SliceKind::memcpy: return Role::memcpy;
    case SliceKind::memset: return Role::memset;
    case SliceKind::collective:
    case SliceKind::host_communication: return Role::communication;
    case SliceKind::runtime: return Role::runtime;
    case SliceKind::data_loading: return Role::data_loading;
    case SliceKind::op:
    case SliceKind::annotation:
    case SliceKind::optimizer: return Role::host;
    default: return Role::other;
  }
}

std::string_view role_key(Role role) {
  constexpr std::array<std::string_view, kRoles> kKeys{"kernel",  "memcpy",     "memset", "communication",
                                                       "runtime", "dataloader", "host",   "other"};
  return kKeys[static_cast<std::size_t>(role)];
}

std::string_view role_title(Role role) {
  constexpr std::array<std::string_view, kRoles> kTitles{"Kernel",  "Memcpy",       "Memset", "Communication",
                                                         "Runtime", "Data loading", "Host",   "Other"};
  return kTitles[static_cast<std::size_t>(role)];
}

std::string_view role_doc(Role role) {
  constexpr std::array<std::string_view, kRoles> kDocs{
      "A kernel runs on at least one device.",
      "A device copies and no kernel runs.",
      "A device fills memory and neither computes nor copies.",
      "A collective runs (its kernel, or its range on the host) and no device computes, copies or fills.",
      "The host is in a call that enqueues or waits for device work, and none of the above happens.",
      "The host fetches the next batch, and none of the above happens.",
      "The host runs operators, the optimizer or annotated code, and none of the above happens.",
      "No recorded activity."};
  return kDocs[static_cast<std::size_t>(role)];
}

bool RoleSets::is_known(Role role) const {
  switch (role) {
    case Role::kernel:
    case Role::memcpy:
    case Role::memset: return device;
    case Role::runtime: return host && device;
    case Role::data_loading:
    case Role::host: return host;
    default: return true;
  }
}

// The roles that a recording has even if the host was not recorded.
static bool is_of_profiler(SliceKind kind) { return kind == SliceKind::span || kind == SliceKind::overhead; }

RoleSets role_sets(const Profile& profile) {
  RoleSets all;
  std::array<std::vector<IntervalSet>, kRoles> by_lane;
  const Slices& slices = profile.slices;
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    std::array<IntervalSet, kRoles> sets;
    const bool of_host = profile.lanes.kind[lane] == LaneKind::host_thread;
    for (Row row = profile.lanes.first[lane]; row < profile.lanes.last[lane]; ++row) {
      all.host |= of_host && !is_of_profiler(slices.kind[row]);
      const Role role = role_of(slices.kind[row]);
      if (role == Role::other) continue;
      extend(sets[static_cast<std::size_t>(role)], {slices.start[row], slices.start[row] + slices.duration[row]});
    }
    for (std::size_t role = 0; role < kRoles; ++role) {
      if (!sets[role].empty()) by_lane[role].push_back(std::move(sets[role]));
    }
  }
  for (std::size_t role = 0; role < kRoles; ++role) all.of[role] = unite_all(std::move(by_lane[role]));
  all.device = profile.device_work.rows() > 0 || all.any(Role::runtime);
  return all;
}

std::vector<Breakdown> break_down(const RoleSets& sets, const std::vector<Interval>& windows) {
  std::vector<Breakdown> steps(windows.size());
  std::vector<Time> counted(windows.size(), 0);
  IntervalSet covered;
  for (std::size_t role = 0; role + 1 < kRoles; ++role) {
    if (sets.of[role].empty()) continue;
    covered = covered.empty() ? sets.of[role] : unite(covered, sets.of[role]);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const Time now = length_within(covered, windows[i]);
      steps[i].part[role] = now - counted[i];
      counted[i] = now;
    }
  }
  for (std::size_t i = 0; i < windows.size(); ++i) {
    steps[i].part[static_cast<std::size_t>(Role::other)] = windows[i].length() - counted[i];
  }
  return steps;
}

// ---- time of which nothing is known ----

IntervalSet unrecorded_graphs(const Profile& profile, const std::vector<WorkInterval>& work) {
  std::vector<Interval> unknown;
  for (Row row = 0; row < profile.graph_launches.rows(); ++row) {
    if (profile.graph_launches.match[row] != GraphMatch::not_recorded) continue;
    const Time start = profile.slices.start[profile.launches.slice[profile.graph_launches.launch[row]]];
    const auto next = std::partition_point(work.begin(), work.end(), [&](const WorkInterval& one) { return one.start < start; });
    unknown.push_back({start, next == work.end() ? profile.span_end : next->start});
  }
  return merge(std::move(unknown));
}

Message unrecorded_graph_words(const Profile& profile) {
  const auto& matches = profile.graph_launches.match;
  const auto launches = std::count(matches.begin(), matches.end(), GraphMatch::not_recorded);
  if (launches == 0) return "";
  return say(
      "The recording has no device work of {}: what the device did then is unknown, so it was busy for at least as long as "
      "is shown.",
      count_words(launches, "{} launch of a graph", "{} launches of graphs"));
}

// ---- StepBreakdown and StepSummary ----

namespace {

void add_means(StepBreakdown& summary) {
  std::size_t counted = 0;
  for (std::size_t i = 0; i < summary.breakdown.size(); ++i) {
    const Time length = summary.steps.kept[i].window.length();
    if (length <= 0) continue;
    ++counted;
    summary.mean_total += static_cast<double>(length);
    for (std::size_t role = 0; role < kRoles; ++role) summary.mean[role] += static_cast<double>(summary.breakdown[i].part[role]);
  }
  if (counted == 0) return;
  summary.mean_total /= static_cast<double>(counted);
  for (double& mean : summary.mean) mean /= static_cast<double>(counted);
}

StepSummary summarise(const ProfilePtr& profile) {
  StepSummary summary;
  summary.tree = host_tree(profile);
  summary.work = work_by_start(profile);
  summary.steps = *steps_of(profile);
  summary.roles = role_sets(*profile);
  summary.breakdown = break_down(summary.roles, summary.windows());
  for (std::size_t i = 0; i < kRoles; ++i) summary.known[i] = summary.roles.is_known(static_cast<Role>(i));
  add_means(summary);
  summary.devices = device_activity(*profile, *summary.work, summary.steps.extent());
  summary.unrecorded = unrecorded_graphs(*profile, *summary.work);
  return summary;
}

StepBreakdown broken_down(const ProfilePtr& profile) { return *step_summary(profile); }

}  // namespace

std::vector<Interval> StepBreakdown::windows() const {
  std::vector<Interval> windows;
  for (const StepWindow& step : steps.kept) windows.push_back(step.window);
  return windows;
}

static std::int64_t held_bytes(const StepBreakdown& steps) {
  return held_bytes(steps.steps.kept, steps.steps.dropped, steps.breakdown);
}

static std::int64_t held_bytes(const StepSummary& summary) {
  std::int64_t bytes = held_bytes(static_cast<const StepBreakdown&>(summary)) + held_bytes(summary.devices);
  for (const IntervalSet& set : summary.roles.of) bytes += held_bytes(set);
  bytes += held_bytes(summary.unrecorded);
  return bytes;
}

std::shared_ptr<const StepBreakdown> step_breakdown(const ProfilePtr& profile) {
  return derived<StepBreakdown>(profile, broken_down);
}

void keep_step_breakdown(const ProfilePtr& profile, StepBreakdown stored) {
  keep_steps(profile, stored.steps);
  keep_derived(profile, broken_down, std::move(stored));
}

std::shared_ptr<const StepSummary> step_summary(const ProfilePtr& profile) { return derived<StepSummary>(profile, summarise); }

// ---- idle time: stretches inside the kept steps in which no device works, and what the host did meanwhile ----

namespace {

IntervalSet device_busy(const std::vector<WorkInterval>& work) {
  IntervalSet busy;
  for (const WorkInterval& next : work) {
    if (next.end <= next.start) continue;
    if (busy.empty() || next.start > busy.back().end) {
      busy.push_back({next.start, next.end});
    } else {
      busy.back().end = std::max(busy.back().end, next.end);
    }
  }
  return busy;
}

Time median(std::vector<Time>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

IdleTime idle_time(const StepSummary& summary) {
  const RoleSets& roles = summary.roles;
  const IntervalSet steps = merge(summary.windows());
  const IntervalSet working = subtract(unite(roles[Role::host], roles[Role::runtime]), roles[Role::data_loading]);
  IdleTime time;
  time.steps = total_length(steps);
  for (const Interval& idle : subtract(subtract(steps, device_busy(*summary.work)), summary.unrecorded)) {
    time.stretches.push_back({idle, length_within(working, idle)});
    time.idle += idle.length();
    time.host += time.stretches.back().host;
  }
  return time;
}

std::optional<KernelMedians> kernel_medians(const Profile& profile) {
  std::vector<Time> delays;
  std::vector<Time> durations;
  const DeviceWork& rows = profile.device_work;
  for (Row work = 0; work < rows.rows(); ++work) {
    const Row slice = rows.slice[work];
    if (profile.slices.kind[slice] != SliceKind::kernel) continue;
    durations.push_back(profile.slices.duration[slice]);
    const Row launch = rows.launch[work];
    if (launch != kNoRow) delays.push_back(profile.slices.start[slice] - profile.end_of(profile.launches.slice[launch]));
  }
  if (durations.empty()) return std::nullopt;
  KernelMedians medians;
  medians.kernels = std::ssize(durations);
  medians.duration = median(durations);
  if (!delays.empty()) medians.launch_delay = median(delays);
  return medians;
}

}  // namespace sightline::analyses

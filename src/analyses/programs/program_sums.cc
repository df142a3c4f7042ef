// One pass over the slices that execute an operator, one over the sums that the file states.
#include "analyses/programs/program_sums.h"

#include <algorithm>
#include <cmath>

#include "analyses/derived_data.h"
#include "analyses/group_index.h"

namespace sightline::analyses {

namespace {

struct Peaks {
  double flops = kUnknownNumber;  // a second
  double bytes = kUnknownNumber;  // a second
};

Peaks peaks_of(const Profile& profile, std::int64_t device) {
  const Devices& devices = profile.devices;
  for (Row row = 0; row < devices.rows(); ++row) {
    if (devices.ordinal[row] == device) return {devices.peak_flops[row], devices.peak_bandwidth[row]};
  }
  return {};
}

// A sum of more than 64 bits is unknown.
void add_known(std::int64_t& sum, std::int64_t value) {
  if (sum == kUnknown || value == kUnknown || __builtin_add_overflow(sum, value, &sum)) sum = kUnknown;
}

// Runs by operator and place, made when first requested.
class Runs {
 public:
  explicit Runs(const Profile& profile) : profile_(profile) {}

  WorkSums& of(Row program_operator, WorkPlace place) {
    const auto device = static_cast<std::uint64_t>(place.device);
    const std::uint32_t group = keys_.number_of({program_operator, static_cast<std::uint32_t>(device >> 32),
                                                 static_cast<std::uint32_t>(device), static_cast<std::uint32_t>(place.core)});
    if (group == runs_.size()) runs_.push_back({program_operator, place, {}});
    return runs_[group].sums;
  }

  // Adds the wasted time: the part that a device at its peak would not need.
  std::vector<OperatorRun> finish() && {
    for (OperatorRun& run : runs_) {
      WorkSums& sums = run.sums;
      const Peaks peaks = peaks_of(profile_, run.place.device);
      const auto share = [&](double amount, Time known_time, double peak) {  // NaN: unknown
        return known_time == 0 ? kUnknownNumber : amount * 1e9 / (static_cast<double>(known_time) * peak);
      };
      // fmax leaves the unknown one out.
      const double use =
          std::fmax(share(sums.flops, sums.flops_time, peaks.flops), share(sums.bytes, sums.bytes_time, peaks.bytes));
      if (std::isnan(use)) continue;
      const auto known = static_cast<double>(std::max(sums.flops_time, sums.bytes_time));
      sums.used = known * std::min(1.0, use);
      sums.wasted = known - sums.used;
    }
    return std::move(runs_);
  }

 private:
  const Profile& profile_;
  GroupIndex<4> keys_;  // operator, device (two halves), core
  std::vector<OperatorRun> runs_;
};

void add_cost(WorkSums& sums, double flops, double bytes, Time time) {
  if (!std::isnan(flops)) {
    sums.flops += flops;
    sums.flops_time += time;
  }
  if (!std::isnan(bytes)) {
    sums.bytes += bytes;
    sums.bytes_time += time;
  }
}

// By row of program_work: the duration less that of the operators nested in it.
std::vector<Time> own_times(const Profile& profile) {
  const ProgramWork& work = profile.program_work;
  const Slices& slices = profile.slices;
  std::vector<Time> own(work.rows());
  std::vector<Row> around;  // rows of program_work whose slices are open, outermost first
  for (Row row = 0; row < work.rows(); ++row) {
    const Row slice = work.slice[row];
    own[row] = slices.duration[slice];
    const auto encloses = [&](Row other) {
      const Row outer = work.slice[other];
      return slices.lane[outer] == slices.lane[slice] && slices.depth[outer] < slices.depth[slice] &&
             slices.start[outer] <= slices.start[slice] && profile.end_of(slice) <= profile.end_of(outer);
    };
    while (!around.empty() && !encloses(around.back())) around.pop_back();
    if (!around.empty()) own[around.back()] -= own[row];
    around.push_back(row);
  }
  return own;
}

std::vector<OperatorRun> computed_runs(const Profile& profile, const std::optional<StepWindow>& step) {
  const ProgramWork& work = profile.program_work;
  const DeviceWork& device_work = profile.device_work;
  const WorkCosts& costs = profile.work_costs;
  const ProgramOperators& operators = profile.program_operators;
  const std::vector<Time> own = own_times(profile);
  const std::vector<bool> counts = work_in_step(profile, step);
  Runs runs(profile);
  Row at_device = 0, at_cost = 0;  // all three tables are in the order of slices
  for (Row row = 0; row < work.rows(); ++row) {
    const Row slice = work.slice[row], of = work.program_operator[row];
    // An instruction that waits for another engine does not count as work of its operator.
    if (!counts[row] || profile.slices.kind[slice] == SliceKind::sync) continue;
    while (at_device < device_work.rows() && device_work.slice[at_device] < slice) ++at_device;
    while (at_cost < costs.rows() && costs.slice[at_cost] < slice) ++at_cost;
    WorkPlace place{profile.lanes.device[profile.slices.lane[slice]], StringId::none};
    if (at_device < device_work.rows() && device_work.slice[at_device] == slice) {
      if (device_work.device[at_device] != kUnknown) place.device = device_work.device[at_device];
      place.core = device_work.core[at_device];
    }
    WorkSums& sums = runs.of(of, place);
    const Time duration = profile.slices.duration[slice];
    ++sums.calls;
    sums.time += own[row];
    sums.total += duration;
    if (duration > sums.longest) {  // kUnknown is below all
      sums.longest = duration;
      sums.longest_slice = slice;
    }
    double flops = operators.flops[of], bytes = real_of(operators.bytes[of]);
    if (at_cost < costs.rows() && costs.slice[at_cost] == slice) {
      if (!std::isnan(costs.flops[at_cost])) flops = costs.flops[at_cost];
      if (costs.bytes[at_cost] != kUnknown) bytes = real_of(costs.bytes[at_cost]);
    }
    add_cost(sums, flops, bytes, own[row]);
  }
  return std::move(runs).finish();
}

std::vector<OperatorRun> stated_runs(const Profile& profile) {
  const ReportedProgramWork& stated = profile.reported_program_work;
  const ProgramOperators& operators = profile.program_operators;
  Runs runs(profile);
  for (Row row = 0; row < stated.rows(); ++row) {
    const Row of = stated.program_operator[row];
    WorkSums& sums = runs.of(of, {stated.device[row], stated.core[row]});
    add_known(sums.calls, stated.calls[row]);
    sums.total = kUnknown;
    if (stated.total[row] == kUnknown) {
      sums.untimed = true;
      continue;
    }
    sums.time += stated.total[row];
    const double calls = real_of(stated.calls[row]);
    add_cost(sums, operators.flops[of] * calls, real_of(operators.bytes[of]) * calls, stated.total[row]);
  }
  return std::move(runs).finish();
}

ProgramRuns compute(const ProfilePtr& profile) { return {computed_runs(*profile, {}), stated_runs(*profile)}; }

}  // namespace

void WorkSums::add(const WorkSums& other) {
  add_known(calls, other.calls);
  time += other.time;
  add_known(total, other.total);
  if (other.longest > longest) {
    longest = other.longest;
    longest_slice = other.longest_slice;
  }
  flops += other.flops;
  bytes += other.bytes;
  flops_time += other.flops_time;
  bytes_time += other.bytes_time;
  wasted += other.wasted;
  used += other.used;
  untimed |= other.untimed;
}

static std::int64_t held_bytes(const ProgramRuns& runs) { return held_bytes(runs.computed, runs.stated); }

std::shared_ptr<const ProgramRuns> program_runs(const ProfilePtr& profile) { return derived<ProgramRuns>(profile, compute); }

std::vector<bool> work_in_step(const Profile& profile, const std::optional<StepWindow>& step) {
  const ProgramWork& work = profile.program_work;
  std::vector<bool> inside(work.rows(), true);
  if (!step) return inside;
  const DeviceWork& device_work = profile.device_work;
  Row at = 0;  // both tables are in the order of slices
  for (Row row = 0; row < work.rows(); ++row) {
    const Row slice = work.slice[row];
    while (at < device_work.rows() && device_work.slice[at] < slice) ++at;
    if (at < device_work.rows() && device_work.slice[at] == slice) {
      inside[row] = in_step(profile, *step, at);
    } else {
      const Time start = profile.slices.start[slice];
      inside[row] = start >= step->window.start && start < step->window.end;
    }
  }
  return inside;
}

ProgramRuns runs_in_step(const Profile& profile, const StepWindow& step) { return {computed_runs(profile, step), {}}; }

bool has_program_work(const Profile& profile) {
  return profile.program_work.rows() > 0 || profile.reported_program_work.rows() > 0;
}

}  // namespace sightline::analyses

// The attainable time of each distinct call is computed once per device.
#include "analyses/costs/cost_sums.h"

#include <algorithm>
#include <cmath>

#include "analyses/columns.h"
#include "analyses/costs/costed_calls.h"
#include "analyses/peaks/device_peaks.h"

namespace sightline::analyses {

// ---- sums ----

std::string_view limit_words(CostLimit limit) {
  switch (limit) {
    case CostLimit::computing: return "computing";
    case CostLimit::memory: return "memory";
    case CostLimit::latency: return "latency";
    case CostLimit::unknown: break;
  }
  return {};
}

namespace {

double over(double amount, Time time) { return time > 0 ? amount / static_cast<double>(time) : kUnknownNumber; }

}  // namespace

double CostSums::flops_per_second() const { return over(flops, flops_time) * 1e9; }
double CostSums::bytes_per_second() const { return over(bytes, bytes_time) * 1e9; }
double CostSums::intensity() const { return bytes > 0 && flops_time == bytes_time ? flops / bytes : kUnknownNumber; }
double CostSums::of_attainable() const { return over(attainable, attainable_time); }
double CostSums::time_to_win() const { return attainable_time > 0 ? to_win : kUnknownNumber; }

CostLimit CostSums::limit() const {
  if (attainable_time == 0) return CostLimit::unknown;
  if (latency >= computing && latency >= memory) return CostLimit::latency;
  return computing >= memory ? CostLimit::computing : CostLimit::memory;
}

void CostSums::add(const CostSums& more) {
  calls += more.calls;
  time += more.time;
  flops += more.flops;
  flops_time += more.flops_time;
  bytes += more.bytes;
  bytes_time += more.bytes_time;
  attainable += more.attainable;
  attainable_time += more.attainable_time;
  to_win += more.to_win;
  computing += more.computing;
  memory += more.memory;
  latency += more.latency;
  products += more.products;
  unknown_products += more.unknown_products;
  impossible += more.impossible;
  beyond_memory += more.beyond_memory;
  at_least |= more.at_least;
}

namespace {

double known_sum(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : a + b; }

}  // namespace

CallCosts::CallCosts(const Profile& profile) : profile_(profile) {
  const OperatorCosts& costs = profile.operator_costs;
  if (costs.rows() == 0) return;
  for (const std::int64_t device : profile.devices.ordinal) devices_.push_back(device);
  for (const std::int64_t device : devices_) {
    const PeaksOf peaks(profile, device);
    for (Row row = 0; row < costs.rows(); ++row) {
      const std::string_view unit = profile.text(costs.unit[row]);
      const double bytes = known_sum(costs.bytes_read[row], costs.bytes_written[row]);
      Least least{.is_product = unit == "matrix"};
      least.memory = bytes / peaks.bandwidth() * 1e9;
      if (unit != "memory") least.computing = costs.flops[row] / peaks.flops(profile.text(costs.precision[row]), unit) * 1e9;
      if (!least.is_product && std::isnan(least.computing)) least.computing = 0;  // moving its data takes longer
      least_.push_back(least);
    }
  }
}

CostSums CallCosts::of(Row call) const {
  const CostedCalls& calls = profile_.costed_calls;
  const OperatorCosts& costs = profile_.operator_costs;
  const Row cost = calls.cost[call];
  const std::int64_t device = profile_.lanes.device[profile_.slices.lane[calls.work[call]]];
  const auto at = std::find(devices_.begin(), devices_.end(), device);
  const Least least =
      at == devices_.end() ? Least{} : least_[static_cast<std::size_t>(at - devices_.begin()) * costs.rows() + cost];
  CostSums sums;
  sums.calls = 1;
  sums.time = calls.device_time[call];
  sums.at_least = costs.at_least[cost];
  if (const double flops = costs.flops[cost]; !std::isnan(flops)) {
    sums.flops = flops;
    sums.flops_time = sums.time;
  }
  if (const double bytes = known_sum(costs.bytes_read[cost], costs.bytes_written[cost]); !std::isnan(bytes)) {
    sums.bytes = bytes;
    sums.bytes_time = sums.time;
  }
  if (least.is_product) {
    const bool is_known = !std::isnan(least.computing);
    sums.products = is_known ? least.computing : 0;
    sums.unknown_products = !is_known;
  }
  if (std::isnan(least.memory) || std::isnan(least.computing)) return sums;
  sums.attainable = std::max(least.memory, least.computing);
  sums.attainable_time = sums.time;
  const auto time = static_cast<double>(sums.time);
  sums.to_win = std::max(0.0, time - sums.attainable);
  sums.impossible = least.computing > time;
  sums.beyond_memory = least.memory > time;
  const bool is_short = sums.attainable < kShortestWork;
  (is_short ? sums.latency : least.computing >= least.memory ? sums.computing : sums.memory) = sums.attainable;
  return sums;
}

CostSums all_costs(const Profile& profile) {
  const CallCosts costs(profile);
  CostSums all;
  for (Row call = 0; call < profile.costed_calls.rows(); ++call) all.add(costs.of(call));
  return all;
}

// ---- coverage ----

double CostCoverage::share() const { return quotient(with_cost, caused); }

CostCoverage cost_coverage(const Profile& profile, std::optional<std::int64_t> device) {
  CostCoverage coverage;
  const auto is_here = [&](Row slice) { return !device || profile.lanes.device[profile.slices.lane[slice]] == *device; };
  for (Row work = 0; work < profile.device_work.rows(); ++work) {
    const Row slice = profile.device_work.slice[work];
    if (!is_here(slice)) continue;
    coverage.device_time += profile.slices.duration[slice];
    if (profile.device_work.owner[work] == kNoRow) {
      coverage.without_range += profile.slices.duration[slice];
    } else if (can_have_cost(profile, slice)) {
      coverage.caused += profile.slices.duration[slice];
    }
  }
  const CostedCalls& calls = profile.costed_calls;
  for (Row call = 0; call < calls.rows(); ++call) {
    if (is_here(calls.work[call])) coverage.with_cost += calls.device_time[call];
  }
  return coverage;
}

}  // namespace sightline::analyses

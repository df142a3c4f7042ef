// The pass of a range follows from the range around it; it is remembered for all ranges on the way.
#include "analyses/steps/step_passes.h"

#include <algorithm>
#include <set>

#include "analyses/costs/costed_calls.h"
#include "analyses/derived_data.h"
#include "analyses/devices/device_activity.h"
#include "analyses/operators/host_tree.h"
#include "analyses/steps/step_summary.h"

namespace sightline::analyses {

// ---- passes ----

std::string_view pass_key(Pass pass) {
  switch (pass) {
    case Pass::forward: return "forward";
    case Pass::backward: return "backward";
    case Pass::recomputation: return "recomputation";
    case Pass::optimizer: return "optimizer";
    case Pass::communication: return "communication";
    case Pass::other: break;
  }
  return "other";
}

std::string_view pass_title(Pass pass) {
  switch (pass) {
    case Pass::forward: return "Forward";
    case Pass::backward: return "Backward";
    case Pass::recomputation: return "Recomputation";
    case Pass::optimizer: return "Optimizer";
    case Pass::communication: return "Communication";
    case Pass::other: break;
  }
  return "Other";
}

std::string_view pass_doc(Pass pass) {
  switch (pass) {
    case Pass::forward: return "Work of ranges outside of the backward pass and of the optimizer.";
    case Pass::backward: return "Work inside the evaluation of an autograd node.";
    case Pass::recomputation: return "Forward work that runs again inside the backward pass, for activations that were not kept.";
    case Pass::optimizer: return "Work inside the optimizer's ranges.";
    case Pass::communication: return "Collectives.";
    case Pass::other: break;
  }
  return "Work that no recorded range caused.";
}

namespace {

constexpr std::string_view kCheckpointCode = "torch/utils/checkpoint.py(";
constexpr std::string_view kCheckpointNode = "CheckpointFunctionBackward";

class PassFinder {
 public:
  explicit PassFinder(const Profile& profile) : p_(profile) {
    pass_.resize(p_.slices.rows());
    is_forward_source_.resize(p_.slices.rows());
    for (std::size_t i = 0; i < p_.flows.rows(); ++i) {
      if (p_.flows.kind[i] == FlowKind::forward_backward) is_forward_source_[p_.flows.from[i]] = 1;
    }
    kinds_.resize(p_.strings.size());
    for (std::size_t i = 0; i < kinds_.size(); ++i) kinds_[i] = kind_of_name(p_.text(static_cast<StringId>(i)));
  }

  Pass of_work(Row work) {
    const Row slice = p_.device_work.slice[work], owner = p_.device_work.owner[work];
    if (p_.slices.kind[slice] == SliceKind::collective) return Pass::communication;
    return owner == kNoRow ? Pass::other : of_slice(owner);
  }

 private:
  enum class NameKind : std::uint8_t { plain, backward, checkpoint };

  static NameKind kind_of_name(std::string_view name) {
    if (name.find(kCheckpointCode) != name.npos || name.starts_with(kCheckpointNode)) return NameKind::checkpoint;
    return is_backward(name) ? NameKind::backward : NameKind::plain;
  }

  Pass of_slice(Row slice) {
    path_.clear();
    Pass pass = Pass::forward;
    for (; slice != kNoRow; slice = p_.slices.parent[slice]) {
      if (pass_[slice] != 0) {
        pass = static_cast<Pass>(pass_[slice] - 1);
        break;
      }
      path_.push_back(slice);
    }
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      pass = inside(*at, pass);
      pass_[*at] = static_cast<std::uint8_t>(static_cast<std::uint8_t>(pass) + 1);
    }
    return pass;
  }

  // The pass of a range, given that of the range around it.
  Pass inside(Row slice, Pass around) const {
    const SliceKind kind = p_.slices.kind[slice];
    const NameKind name = kinds_[static_cast<std::size_t>(p_.slices.name[slice])];
    if (kind == SliceKind::optimizer) return Pass::optimizer;
    const bool in_backward = around == Pass::backward || around == Pass::recomputation;
    const bool runs_again = name == NameKind::checkpoint || kind == SliceKind::module || is_forward_source_[slice] != 0;
    if (in_backward && runs_again) return Pass::recomputation;
    const bool is_range_of_framework = kind == SliceKind::op || kind == SliceKind::annotation;
    if (is_range_of_framework && name != NameKind::plain) return name == NameKind::backward ? Pass::backward : around;
    return around;
  }

  const Profile& p_;
  Column<std::uint8_t> pass_;               // by slice: 0 not known yet, else the pass + 1
  Column<std::uint8_t> is_forward_source_;  // by slice
  std::vector<NameKind> kinds_;             // by text
  std::vector<Row> path_;
};

}  // namespace

std::vector<Pass> passes_of_work(const Profile& profile) {
  PassFinder finder(profile);
  std::vector<Pass> passes;
  passes.reserve(profile.device_work.rows());
  for (Row work = 0; work < profile.device_work.rows(); ++work) passes.push_back(finder.of_work(work));
  return passes;
}

// ---- sums ----

Time StepPasses::time() const {
  Time time = 0;
  for (const PassSums& each : sums) time += each.time;
  return time;
}

double StepPasses::hardware_utilization() const {
  double products = 0;
  std::int64_t unknown = 0;
  for (const PassSums& each : sums) {
    products += each.costs.products;
    unknown += each.costs.unknown_products;
  }
  const auto available = static_cast<double>(step_time) * static_cast<double>(devices);
  return unknown == 0 && products > 0 && available > 0 ? products / available : kUnknownNumber;
}

double StepPasses::model_utilization() const {
  const double all = hardware_utilization();
  return all - of(Pass::recomputation).costs.products / (static_cast<double>(step_time) * static_cast<double>(devices));
}

namespace {

StepPasses sum_passes(const ProfilePtr& of) {
  const Profile& profile = *of;
  const auto summary = step_summary(of);
  const std::vector<StepWindow>& steps = summary->steps.kept;
  StepPasses passes;
  passes.steps = std::ssize(steps);
  for (const StepWindow& step : steps) passes.step_time += step.window.length();
  const std::vector<Pass> pass_of = passes_of_work(profile);
  const std::vector<Row> call_of = calls_of_work(profile);
  const CallCosts costs(profile);
  std::set<std::int64_t> devices;
  for (Row work = 0; work < pass_of.size(); ++work) {
    if (step_of(profile, steps, work) == steps.size()) continue;
    const Row slice = profile.device_work.slice[work];
    PassSums& sums = passes.sums[static_cast<std::size_t>(pass_of[work])];
    ++sums.work;
    sums.time += profile.slices.duration[slice];
    if (is_kernel(profile.slices.kind[slice])) devices.insert(profile.lanes.device[profile.slices.lane[slice]]);
    const Row call = call_of[work];
    if (call != kNoRow && profile.costed_calls.work[call] == slice) sums.costs.add(costs.of(call));
  }
  passes.devices = std::ssize(devices);
  return passes;
}

}  // namespace

std::shared_ptr<const StepPasses> step_passes(const ProfilePtr& profile) { return derived<StepPasses>(profile, sum_passes); }

}  // namespace sightline::analyses

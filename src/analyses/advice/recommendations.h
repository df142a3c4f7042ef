// Advice: likely bottlenecks and what to try. Each rule is a threshold on figures that the views show, and its text quotes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyses/columns.h"
#include "analyses/devices/device_totals.h"
#include "analyses/steps/step_summary.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- slices that a rule found ----

struct FoundSlices {
  std::int64_t count = 0;
  Time time = 0;
  Row longest = kNoRow;

  void add(const Profile& profile, Row slice) {
    const Time duration = profile.slices.duration[slice];
    ++count;
    time += duration;
    if (longest == kNoRow || duration > profile.slices.duration[longest]) longest = slice;
  }
};

// Calls take(slice) for each of the kind.
template <typename Take>
void each_of_kind(const Profile& profile, SliceKind kind, Take&& take) {
  const SliceKind* const kinds = profile.slices.kind.data();
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
    if (kinds[slice] == kind) take(slice);
  }
}

// ---- rules ----

struct AdviceInput {
  const Profile& profile;
  const StepSummary& summary;
  IdleTime idle;
  std::optional<KernelMedians> kernels;
  std::vector<DeviceTotals> programs;  // by device that runs whole programs on its own engines (`runs_programs`)
};

struct AdviceRule {
  std::string_view id;
  std::string_view when;     // the condition, as a formula
  std::string_view differs;  // from the TensorBoard plugin's rule; empty when the same
  std::optional<Advice> (*judge)(const AdviceInput&);
};

// The rules of all subjects and vendors, in order: registry.cc lists them.
std::span<const AdviceRule> advice_rules();

// What the rules found, most severe first.
std::vector<Advice> recommend(const Profile& profile, const StepSummary& summary);

// The same, once per profile.
std::shared_ptr<const std::vector<Advice>> recommend(const ProfilePtr& profile);

// The rules that hold for every vendor, by subject.
std::span<const AdviceRule> device_advice_rules();
std::span<const AdviceRule> host_advice_rules();
std::span<const AdviceRule> stall_advice_rules();

// Whether the devices run programs on their own engines instead of kernels that a host launches.
bool runs_programs(const Profile& profile);

// high from 30% of the step, medium from 15%, else low.
Advice::Level severity_of(double share_of_step);

}  // namespace sightline::analyses

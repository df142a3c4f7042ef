// Advice: likely bottlenecks, what to try, and what it can win at most. Each rule is a threshold on figures that the views show,
// and its text quotes them. Advice is ranked by its gain, as a share of the step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyses/advice/verdict.h"
#include "analyses/advice/worth.h"
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
  std::vector<StringId> names{};  // each once; at most one more than a scenario has room for

  void add(const Profile& profile, Row slice) {
    const Time duration = profile.slices.duration[slice];
    const StringId name = profile.slices.name[slice];
    if (names.size() <= kMostNames && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
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
  const Verdict& verdict;
  IdleTime idle;
  IntervalSet idle_set;  // its stretches
  std::optional<KernelMedians> kernels;
  std::vector<DeviceTotals> programs;  // by device that runs whole programs on its own engines (`runs_programs`)
};

struct AdviceRule {
  std::string_view id;
  std::string_view when;     // the condition, as a formula
  std::string_view gain;     // what can be won at most, per step, as a formula; empty when unknown
  std::string_view differs;  // from the TensorBoard plugin's rule; empty when the same
  std::optional<Advice> (*judge)(const AdviceInput&);
  // The change of the view what_if that predicts what it wins. NAME stands for names that the rule puts in (Advice::change).
  // Empty: no change of the recording says what it wins.
  std::string_view scenario = {};
};

// The rules of all subjects and vendors, in order: registry.cc lists them.
std::span<const AdviceRule> advice_rules();

// The verdict, and what the rules found, by gain, those of unknown gain last. Several findings about one cause are one. Once per
// profile.
struct Recommendations {
  Verdict verdict;
  std::vector<Advice> advice;
};
std::shared_ptr<const Recommendations> recommend(const ProfilePtr& profile);

// Joins advice about one cause.
void join_causes(std::vector<Advice>& found);

// Adds the evidence of a finding about the same cause, and the links to it, to an advice.
void add_finding(Advice& cause, const Advice& also);

// Sets the gain (ns per step) as a share of the step, what follows from it, and the texts that rules leave out.
void complete(Advice& advice, double step);

// The largest gain first, those of unknown gain last.
void sort_by_gain(std::vector<Advice>& found);

// The rules that hold for every vendor, by subject.
std::span<const AdviceRule> device_advice_rules();
std::span<const AdviceRule> host_advice_rules();
std::span<const AdviceRule> communication_advice_rules();
std::span<const AdviceRule> stall_advice_rules();

// Whether the devices run programs on their own engines instead of kernels that a host launches.
bool runs_programs(const Profile& profile);

// high from 30% of the step, medium from 15%, low from 1%, else a note; a note where the share is unknown.
Advice::Level severity_of(double share_of_step);

// ---- what rules share ----

// Links to the timeline: to a window, which becomes the chosen range; to a slice.
void go_to_window(Advice& advice, const Interval& window, Message title);
void go_to_slice(Advice& advice, Row slice);

// ns per step: the part of the step's computing that takes the same share of it as `time` of all kernels' time.
double computing_gain(const AdviceInput& input, double time);

// Time of the host's operators by name inside a set of intervals, without operators inside them; largest first. `call`: the
// outermost call that does hardly anything else than the longest of them, such as aten::item around what it waits in.
struct NamedTime {
  std::string name;
  Time time = 0;
  Row call = kNoRow;
};
std::vector<NamedTime> host_time_within(const Profile& profile, const HostTree& tree, const IntervalSet& set);

// The first, if it has this share of `whole` or more.
std::optional<NamedTime> leading(const std::vector<NamedTime>& operators, Time whole, double share);

// A long name without its middle, for sentences.
std::string short_name(std::string_view name);

// Sum of the durations of all kernels, collectives not included; ns.
Time kernel_time(const Profile& profile);

}  // namespace sightline::analyses

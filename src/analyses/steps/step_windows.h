// StepWindows: from when to when each step lasts, the device's work included; and the parameter `step` of views that can show one
// step alone. The host may be done with a step while its kernels still run, so a step ends when both are done, and the next one
// begins there. Steps at the end whose device work was cut off by the end of the recording would look too short: they are kept
// apart and reported.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/analysis.h"
#include "base/message.h"
#include "base/result.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

// ---- windows ----

struct StepWindow {
  std::int64_t number = 0;         // iteration number as recorded
  Interval host;                   // as recorded on the host
  Interval window;                 // host and device
  std::int64_t device_events = 0;  // device work launched inside the step
  Row requested_by = kNoRow;       // of a device's step: the range of the host that requested it and no other step, if known
};

// What represents steps when none were recorded.
enum class StepSource { recorded, operators, device_work, everything };

struct StepWindows {
  StepSource source = StepSource::recorded;
  std::vector<StepWindow> kept;
  std::vector<StepWindow> dropped;  // by the tail cut

  // From the start of the first kept step to the end of the last.
  Interval extent() const { return kept.empty() ? Interval{} : Interval{kept.front().window.start, kept.back().window.end}; }
};

StepWindows step_windows(const Profile& profile);

// The same, found once for a profile (derived_data.h).
std::shared_ptr<const StepWindows> steps_of(const ProfilePtr& profile);

// Uses stored ones, unless they were found already.
void keep_steps(const ProfilePtr& profile, StepWindows stored);

// When device work was requested, which determines its step: during its launching call; or, if another thread made that call
// after the range that caused it had ended, during that range. `on_host` is false if no call is known, or if a device recorded
// the steps: then it is the work's own time.
struct RequestTime {
  Interval time;
  bool on_host;
};
RequestTime request_of(const Profile& profile, Row work);

// Whether device work belongs to a step: requested inside it on the host or, if the launching call is unknown, started inside
// its window. A device's step contains the work that the same range of the host requested on all devices: their steps are not
// synchronous.
bool in_step(const Profile& profile, const StepWindow& step, Row work);

// The place among `steps`, which are by start, of the one that device work belongs to; steps.size(): of none.
std::size_t step_of(const Profile& profile, const std::vector<StepWindow>& steps, Row work);

// Whether a host range belongs to a step: it starts inside the step's range on the host, on whatever thread.
inline bool starts_in(const StepWindow& step, Time start) { return start >= step.host.start && start < step.host.end; }

// "steps 5-10", "step 7", "the whole recording (no steps were recorded)".
Message scope_words(const StepWindows& steps);

// ---- the parameter `step` ----

// A number, or nothing when `text` is empty; else an invalid_argument error that names the parameter `key`.
Result<std::optional<std::int64_t>> optional_number(std::string_view key, const std::string& text);

// The step of the number in `text`, kept or left out; nothing when `text` is empty. An unknown number is an error that lists the
// known steps.
Result<std::optional<StepWindow>> chosen_step(const ProfilePtr& profile, const std::string& text);

// The parameter `step` as given, with the recorded steps as choices; without recorded steps there is no choice. REQUIRES: `step`
// is declared by the analysis.
Parameter step_parameter(const ProfilePtr& profile, const Parameters& given);

}  // namespace sightline::analyses

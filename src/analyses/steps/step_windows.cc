// StepWindows: the rules of the replaced plugin, on which its users' numbers are based.
#include "analyses/steps/step_windows.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>

#include "analyses/derived_data.h"
#include "base/check.h"
#include "base/text.h"

namespace sightline::analyses {

// ---- windows ----

namespace {

constexpr double kTailShare = 0.8;  // a last step with fewer than this share of its predecessor's device events is cut off

// Device work of one step.
struct DeviceSpan {
  Time start = std::numeric_limits<Time>::max();
  Time end = std::numeric_limits<Time>::min();
  bool any() const { return start <= end; }
};

std::vector<StepWindow> recorded_steps(const Profile& profile) {
  std::vector<StepWindow> steps;
  for (Row i = 0; i < profile.steps.rows(); ++i) {
    const Interval host{profile.steps.start[i], profile.steps.start[i] + profile.steps.duration[i]};
    steps.push_back({profile.steps.number[i], host, host, 0});
  }
  return steps;
}

// The extent of the given slices, or nothing.
std::optional<Interval> extent_of(const Profile& profile, std::span<const Row> slices) {
  if (slices.empty()) return std::nullopt;
  Interval extent{std::numeric_limits<Time>::max(), std::numeric_limits<Time>::min()};
  for (const Row slice : slices) {
    extent.start = std::min(extent.start, profile.slices.start[slice]);
    extent.end = std::max(extent.end, profile.end_of(slice));
  }
  return extent;
}

// The calls that launched device work; of other calls nothing is known that a step would need.
std::vector<Row> launching_calls(const Profile& profile) {
  std::vector<Row> calls;
  for (const Row launch : profile.device_work.launch) {
    if (launch != kNoRow) calls.push_back(profile.launches.slice[launch]);
  }
  return calls;
}

// All that ran is in it: operators, and device work with the calls that launched it, be they inside an operator or not.
StepWindows single_step(const Profile& profile) {
  StepWindows steps;
  const std::optional<Interval> operators = extent_of(profile, profile.operators.slice);
  const std::optional<Interval> work = extent_of(profile, profile.device_work.slice);
  Interval extent{profile.span_start, profile.span_end};
  steps.source = operators ? StepSource::operators : work ? StepSource::device_work : StepSource::everything;
  if (operators) {
    extent = *operators;
    for (const std::optional<Interval>& more : {work, extent_of(profile, launching_calls(profile))}) {
      if (more) extent = {std::min(extent.start, more->start), std::max(extent.end, more->end)};
    }
  } else if (work) {
    extent = *work;
  }
  steps.kept.push_back({0, extent, extent, static_cast<std::int64_t>(profile.device_work.rows())});
  return steps;
}

// Steps that a device recorded are in its time: work that runs in one belongs to it, whenever it was requested.
bool are_of_device(const Profile& profile) {
  if (profile.steps.rows() == 0) return false;
  const Row slice = profile.steps.slice[0];
  return slice != kNoRow && profile.lanes.kind[profile.slices.lane[slice]] != LaneKind::host_thread;
}

// The range of the host that requested the device's work in each step. A range that requested several steps is ambiguous and
// counts for none.
void find_requesting_ranges(const Profile& profile, std::vector<StepWindow>& steps) {
  const std::int64_t device = profile.lanes.device[profile.slices.lane[profile.steps.slice[0]]];
  const DeviceWork& work = profile.device_work;
  std::vector<Row> range_of(steps.size(), kNoRow);
  for (Row row = 0; row < work.rows(); ++row) {
    if (work.device[row] != device || work.owner[row] == kNoRow) continue;
    const std::size_t step = step_of(profile, steps, row);
    if (step < steps.size() && range_of[step] == kNoRow) range_of[step] = work.owner[row];
  }
  std::unordered_map<Row, int> count;
  for (const Row range : range_of) ++count[range];
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (count[range_of[i]] == 1) steps[i].requested_by = range_of[i];
  }
}

void count_device_work(const Profile& profile, std::vector<StepWindow>& steps) {
  for (Row work = 0; work < profile.device_work.rows(); ++work) {
    const std::size_t step = step_of(profile, steps, work);
    if (step < steps.size()) ++steps[step].device_events;
  }
}

// Fills device_events and returns the device span of each step.
std::vector<DeviceSpan> match_device_work(const Profile& profile, std::vector<StepWindow>& steps,
                                          std::vector<Interval>& unmatched) {
  std::vector<DeviceSpan> spans(steps.size());
  const DeviceWork& work = profile.device_work;
  for (Row i = 0; i < work.rows(); ++i) {
    const Row slice = work.slice[i];
    const Interval interval{profile.slices.start[slice], profile.end_of(slice)};
    const std::size_t step = work.launch[i] == kNoRow ? steps.size() : step_of(profile, steps, i);
    if (step == steps.size()) {
      unmatched.push_back(interval);
      continue;
    }
    ++steps[step].device_events;
    spans[step].start = std::min(spans[step].start, interval.start);
    spans[step].end = std::max(spans[step].end, interval.end);
  }
  return spans;
}

// Stretches each step over its device work. Work launched before the first step delays its start.
void stretch(std::vector<StepWindow>& steps, const std::vector<DeviceSpan>& spans, const std::vector<Interval>& unmatched) {
  Time previous_end = steps.front().host.start;
  if (spans.front().any()) {
    for (const Interval& interval : unmatched) {
      if (interval.end < spans.front().start) previous_end = std::max(previous_end, interval.end);
    }
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Interval& window = steps[i].window;
    window.start = std::max(previous_end, steps[i].host.start);
    window.end = std::max(window.start, steps[i].host.end);
    if (spans[i].any()) window.end = std::max(window.end, spans[i].end);
    previous_end = window.end;
  }
}

void cut_tail(StepWindows& steps) {
  const auto drop_last = [&] {
    steps.dropped.insert(steps.dropped.begin(), steps.kept.back());
    steps.kept.pop_back();
  };
  if (steps.kept.size() < 2) return;
  while (steps.kept.back().device_events == 0) drop_last();  // some step has device events
  if (steps.kept.size() < 2) return;
  const double before = static_cast<double>(steps.kept[steps.kept.size() - 2].device_events);
  if (static_cast<double>(steps.kept.back().device_events) < kTailShare * before) drop_last();
}

}  // namespace

StepWindows step_windows(const Profile& profile) {
  StepWindows steps;
  steps.kept = recorded_steps(profile);
  if (steps.kept.empty()) return single_step(profile);
  if (are_of_device(profile)) {
    find_requesting_ranges(profile, steps.kept);
    count_device_work(profile, steps.kept);
    return steps;
  }
  std::vector<Interval> unmatched;
  const std::vector<DeviceSpan> spans = match_device_work(profile, steps.kept, unmatched);
  if (std::none_of(spans.begin(), spans.end(), [](const DeviceSpan& span) { return span.any(); })) return steps;
  stretch(steps.kept, spans, unmatched);
  cut_tail(steps);
  return steps;
}

static std::int64_t held_bytes(const StepWindows& steps) { return held_bytes(steps.kept, steps.dropped); }

static StepWindows windows_of(const ProfilePtr& profile) { return step_windows(*profile); }

std::shared_ptr<const StepWindows> steps_of(const ProfilePtr& profile) { return derived<StepWindows>(profile, windows_of); }

void keep_steps(const ProfilePtr& profile, StepWindows stored) { keep_derived(profile, windows_of, std::move(stored)); }

RequestTime request_of(const Profile& profile, Row work) {
  const auto time = [&](Row slice) { return Interval{profile.slices.start[slice], profile.end_of(slice)}; };
  const Row launch = profile.device_work.launch[work];
  if (launch == kNoRow || are_of_device(profile)) return {time(profile.device_work.slice[work]), false};
  const Interval call = time(profile.launches.slice[launch]);
  const Row owner = profile.launches.owner[launch];
  if (owner == kNoRow || profile.end_of(owner) > call.start) return {call, true};
  return {time(owner), true};
}

bool in_step(const Profile& profile, const StepWindow& step, Row work) {
  const auto [time, on_host] = request_of(profile, work);
  const Row owner = profile.device_work.owner[work];
  if (!on_host && step.requested_by != kNoRow && owner != kNoRow) return owner == step.requested_by;
  if (!on_host) return time.start >= step.window.start && time.start < step.window.end;
  return time.start >= step.host.start && time.end <= step.host.end;
}

std::size_t step_of(const Profile& profile, const std::vector<StepWindow>& steps, Row work) {
  const auto [time, on_host] = request_of(profile, work);
  const auto after = std::partition_point(steps.begin(), steps.end(), [&, start = time.start, host = on_host](const auto& step) {
    return (host ? step.host : step.window).start <= start;
  });
  // A device may run behind or ahead: work in the time of one step may belong to a neighbouring one.
  const std::ptrdiff_t near = after - steps.begin() - 1;
  for (const std::ptrdiff_t at : {near, near + 1, near - 1}) {
    if (at != near && on_host) break;
    if (at >= 0 && at < std::ssize(steps) && in_step(profile, steps[static_cast<std::size_t>(at)], work))
      return static_cast<std::size_t>(at);
  }
  return steps.size();
}

Message scope_words(const StepWindows& steps) {
  if (steps.source != StepSource::recorded) return "the whole recording (no steps were recorded)";
  if (steps.kept.size() == 1) return say("step {}", steps.kept.front().number);
  return say("steps {}-{}", steps.kept.front().number, steps.kept.back().number);
}

// ---- the parameter `step` ----

Result<std::optional<std::int64_t>> optional_number(std::string_view key, const std::string& text) {
  if (text.empty()) return std::optional<std::int64_t>{};
  if (const auto number = whole_number<std::int64_t>(text)) return number;
  return Error{ErrorCode::invalid_argument, say("'{}' must be a number or empty, not '{}'", key, text), ""};
}

static Result<std::optional<StepWindow>> chosen_step(const StepWindows& steps, const std::string& text) {
  const auto number = optional_number("step", text);
  if (!number) return number.error();
  if (!*number) return std::optional<StepWindow>{};
  std::string known;
  for (const auto* list : {&steps.kept, &steps.dropped}) {
    for (const StepWindow& step : *list) {
      if (step.number == **number) return std::optional{step};
      known += (known.empty() ? "" : ", ") + std::to_string(step.number);
    }
  }
  return Error{ErrorCode::invalid_argument, say("no step {} in this profile; its steps are {}", **number, known), ""};
}

Result<std::optional<StepWindow>> chosen_step(const ProfilePtr& profile, const std::string& text) {
  return text.empty() ? Result(std::optional<StepWindow>{}) : chosen_step(*steps_of(profile), text);
}

static Parameter step_parameter(const StepWindows& steps, const Parameters& given) {
  const auto declared = std::find_if(given.all().begin(), given.all().end(), [](const Parameter& p) { return p.key == "step"; });
  CHECK(declared != given.all().end());
  Parameter parameter = *declared;
  parameter.choices = {{"", "all"}};
  if (steps.source != StepSource::recorded) return parameter;
  for (const StepWindow& step : steps.kept) {
    const std::string number = std::to_string(step.number);
    parameter.choices.push_back({number, number});
  }
  for (const StepWindow& step : steps.dropped)
    parameter.choices.push_back({std::to_string(step.number), say("{}, cut off by the end", step.number)});
  return parameter;
}

Parameter step_parameter(const ProfilePtr& profile, const Parameters& given) { return step_parameter(*steps_of(profile), given); }

}  // namespace sightline::analyses

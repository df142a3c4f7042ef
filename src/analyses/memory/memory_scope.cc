// From texts to a device, a window and a moment.
#include "analyses/memory/memory_scope.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "analyses/steps/step_choice.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

Result<std::size_t> chosen_device(const Profile& profile, const MemoryRecords& records, const std::string& wanted) {
  if (wanted.empty()) return std::size_t{0};
  std::string known;
  for (std::size_t i = 0; i < records.devices.size(); ++i) {
    const std::string_view name = profile.text(records.devices[i].name);
    if (name == wanted) return i;
    known.append(known.empty() ? "" : ", ").append(name);
  }
  return Error{ErrorCode::invalid_argument, say("no memory recorded on a device '{}'; there are some on: {}", wanted, known), ""};
}

// What `start`, `end` and `step` have in common; nothing when none is given.
std::optional<Interval> chosen_window(const Parameters& given, const std::optional<StepWindow>& step) {
  const auto start = given.time("start");
  const auto end = given.time("end");
  if (!start && !end && !step) return std::nullopt;
  Interval window{start.value_or(std::numeric_limits<Time>::min()), end.value_or(std::numeric_limits<Time>::max())};
  if (step) window = {std::max(window.start, step->host.start), std::min(window.end, step->host.end)};
  return window;
}

std::vector<Row> events_of(const MemoryScope& scope) {
  const auto& times = scope.profile->memory_events.time;
  auto from = times.begin();
  auto to = times.end();
  if (scope.window) {
    from = std::lower_bound(from, to, scope.window->start);
    to = std::lower_bound(from, to, scope.window->end);
  }
  std::vector<Row> events;
  for (Row i = static_cast<Row>(from - times.begin()); i < static_cast<Row>(to - times.begin()); ++i) {
    if (scope.records->device[i] == scope.device) events.push_back(i);
  }
  return events;
}

}  // namespace

bool is_near_slices(const Profile& profile, Time time) {
  constexpr Time kDay = 86'400'000'000'000;
  return time >= profile.span_start - kDay && time <= profile.span_end + kDay;
}

std::vector<Parameter> memory_parameters() {
  const auto time = [](std::string key, Message title, Message doc) {
    return Parameter{std::move(key), std::move(title), ParameterType::time, "", {}, std::move(doc)};
  };
  return {
      {"device", "Device", ParameterType::choice, "", {}, "The device whose memory is shown (default: the first accelerator)"},
      time("start", "From", "Only what was allocated or released from this time on, in ns"),
      time("end", "To", "Only what was allocated or released before this time, in ns"),
      time("at", "At", "The moment whose live allocations are listed, in ns; empty is the peak"),
      {"step",
       "Step",
       ParameterType::text,
       "",
       {},
       "Only what was allocated or released inside the host range of the step of this number"}};
}

Result<MemoryScope> memory_scope(const ProfilePtr& profile, const Parameters& given) {
  MemoryScope scope{.profile = profile, .tree = host_tree(profile), .records = memory_records(profile)};
  const auto device = chosen_device(*profile, *scope.records, given.text("device"));
  if (!device) return device.error();
  const auto step = chosen_step(*profile, given.text("step"));
  if (!step) return step.error();
  scope.device = *device;
  scope.step = *step;
  scope.window = chosen_window(given, *step);
  scope.at = given.time("at");
  scope.events = events_of(scope);
  return scope;
}

Parameter device_parameter(const MemoryScope& scope) {
  Parameter parameter = memory_parameters().front();
  parameter.value = scope.device_name();
  for (const MemoryDevice& device : scope.records->devices) {
    const std::string name(scope.profile->text(device.name));
    parameter.choices.push_back({name, name});
  }
  return parameter;
}

Message scope_words(const MemoryScope& scope) {
  Message words = Message::verbatim(scope.device_name());
  if (scope.on().has_events) words = say("{} of {}", count_words(std::ssize(scope.events), "{} event", "{} events"), words);
  if (scope.step) words = say("{}, step {}", words, scope.step->number);
  if (!scope.window ||
      (scope.step && scope.window->start == scope.step->host.start && scope.window->end == scope.step->host.end)) {
    return words;
  }
  if (scope.window->start != std::numeric_limits<Time>::min()) words = say("{}, from {}", words, time_words(scope.window->start));
  if (scope.window->end != std::numeric_limits<Time>::max()) words = say("{}, until {}", words, time_words(scope.window->end));
  return words;
}

}  // namespace sightline::analyses

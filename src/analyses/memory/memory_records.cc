// One sweep over the events for devices and partners, one over the nodes of each thread for the ranges.
#include "analyses/memory/memory_records.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "analyses/derived_data.h"
#include "analyses/steps/step_windows.h"
#include "analyses/words.h"
#include "base/check.h"

namespace sightline::analyses {

// ---- MemoryRecords ----

namespace {

struct Place {
  std::int64_t address;
  std::uint16_t device;
  bool operator==(const Place&) const = default;
};

struct PlaceHash {
  std::size_t operator()(const Place& place) const {
    const auto address = static_cast<std::uint64_t>(place.address);
    return static_cast<std::size_t>((address ^ (std::uint64_t{place.device} << 48)) * 0x9E3779B97F4A7C15ull >> 7);
  }
};

class Relater {
 public:
  Relater(const Profile& profile, const HostTree& tree) : profile_(profile), events_(profile.memory_events), tree_(tree) {}

  MemoryRecords relate() {
    name_devices();
    pair_up();
    find_nodes();
    return std::move(records_);
  }

 private:
  void name_devices() {
    std::map<StringId, MemoryDevice> named;
    for (Row i = 0; i < events_.rows(); ++i) {
      MemoryDevice& device = named[events_.device_name[i]];
      device.name = events_.device_name[i];
      device.ordinal = events_.device[i];
      device.host = events_.device_type[i] == 0;
      device.has_events = true;
      device.has_totals |= events_.total_allocated[i] != kUnknown;
      device.has_addresses |= events_.address[i] != kUnknown;
    }
    for (const StringId name : profile_.memory_usage.device_name) named[name].name = name;
    for (const auto& entry : named) records_.devices.push_back(entry.second);
    CHECK(records_.devices.size() <= 0xFFFF);
    std::sort(records_.devices.begin(), records_.devices.end(), [&](const MemoryDevice& a, const MemoryDevice& b) {
      return a.host != b.host ? b.host : profile_.text(a.name) < profile_.text(b.name);
    });
    std::map<StringId, std::uint16_t> number;
    for (const MemoryDevice& device : records_.devices) number.emplace(device.name, static_cast<std::uint16_t>(number.size()));
    records_.device.reserve(events_.rows());
    for (const StringId name : events_.device_name) records_.device.push_back(number.at(name));
  }

  void pair_up() {
    records_.partner.assign(events_.rows(), kNoRow);
    std::unordered_map<Place, Row, PlaceHash> pending;
    for (Row i = 0; i < events_.rows(); ++i) {
      if (events_.address[i] == kUnknown) continue;
      const Place place{events_.address[i], records_.device[i]};
      if (allocates(profile_, i)) {
        pending[place] = i;
      } else if (const auto found = pending.find(place); found != pending.end()) {
        records_.partner[i] = found->second;
        records_.partner[found->second] = i;
        pending.erase(found);
      }
    }
  }

  // Nodes are numbered thread by thread in order of start, those on overflow lanes with their thread.
  void find_nodes() {
    records_.node.assign(events_.rows(), kNoRow);
    std::vector<std::vector<Row>> events_of(profile_.lanes.rows());
    for (Row i = 0; i < events_.rows(); ++i) {
      if (const Row lane = thread_of(events_.lane[i]); lane != kNoRow) events_of[lane].push_back(i);
    }
    for (Row first = 0; first < tree_.nodes();) {
      const Row lane = lane_of(first);
      Row last = first;
      while (last < tree_.nodes() && lane_of(last) == lane) ++last;
      sweep(first, last, events_of[lane]);
      first = last;
    }
  }

  Row thread_of(Row lane) const { return lane == kNoRow ? kNoRow : profile_.main_lane(lane); }

  Row lane_of(Row node) const { return thread_of(profile_.slices.lane[tree_.slice[node]]); }

  void sweep(Row first, Row last, const std::vector<Row>& events) {
    std::vector<Row> open;  // the most recently opened last
    Row next = first;
    for (const Row event : events) {
      const Time time = events_.time[event];
      while (next < last && profile_.slices.start[tree_.slice[next]] <= time) open.push_back(next++);
      while (!open.empty() && profile_.end_of(tree_.slice[open.back()]) <= time) open.pop_back();
      if (!open.empty()) records_.node[event] = tree_.merged_into[open.back()];
    }
  }

  const Profile& profile_;
  const MemoryEvents& events_;
  const HostTree& tree_;
  MemoryRecords records_;
};

}  // namespace

MemoryRecords relate_memory(const Profile& profile, const HostTree& tree) { return Relater(profile, tree).relate(); }

static std::int64_t held_bytes(const MemoryRecords& records) {
  return held_bytes(records.devices, records.device, records.node, records.partner);
}

std::shared_ptr<const MemoryRecords> memory_records(const ProfilePtr& profile) {
  return derived<MemoryRecords>(profile, [](const ProfilePtr& of) { return relate_memory(*of, *host_tree(of)); });
}

// ---- MemoryScope: what the memory view shows: one device, a window of time, a moment ----

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

// The intersection of `start`, `end` and `step`; nullopt if none is given.
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
  const auto step = chosen_step(profile, given.text("step"));
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

// System events to lanes.
#include "formats/neuron/system_events.h"

#include <fmt/core.h>

#include <algorithm>

namespace sightline::formats::neuron {

namespace {

constexpr int kProcessRank = 10;  // behind all that a device profile has

bool is_of_device(const SystemEvent& event) { return event.origin == "neuron_hw" || !event.stream.empty(); }

// What takes no time on a device is a remark of the hardware, and no work. A Python frame is named "file.py(12): function".
SliceKind kind_of(const SystemEvent& event) {
  if (is_of_device(event)) return event.duration > 0 ? SliceKind::kernel : SliceKind::other;
  if (event.origin == "framework") return event.name.find(".py(") != std::string::npos ? SliceKind::python : SliceKind::op;
  return event.origin == "neuron_rt" ? SliceKind::runtime : SliceKind::other;
}

std::string number(std::int64_t value) { return value == kUnknown ? "?" : std::to_string(value); }

}  // namespace

void SystemEvents::add(const SystemEvent& event, int table, std::int64_t id, const std::vector<RowFact>& facts) {
  const SliceKind kind = kind_of(event);
  const std::string host = event.instance.empty() ? "" : " of " + event.instance;
  LanePlace place;
  place.group = {kProcessRank, fmt::format("Process {}{}", number(event.process), host)};
  LaneFacts about{};
  if (is_of_device(event)) {
    const bool on_stream = !event.stream.empty() && event.origin != "neuron_hw";
    place.first = 1;
    place.second = event.core;
    place.title = on_stream ? "stream " + event.stream : "NeuronCore " + number(event.core);
    about = {LaneKind::device_stream, place.title, on_stream ? "" : place.title, event.core};
    if (event.core != kUnknown) builder_.add_device(event.core);
  } else {
    place.second = event.thread;
    place.title = fmt::format("thread {}{}", number(event.thread), event.origin == "framework" ? ", framework" : "");
    about = {LaneKind::host_thread, number(event.thread), "", kUnknown};
  }
  TableRow row{};
  row.slice = {event.start, event.duration, builder_.text(event.name), kind, event.source};
  row.table = table;
  row.id = id;
  builder_.add(builder_.lane(place, about), row, facts);
  for (const std::string& flow : event.flows) flows_[flow].push_back({event.start, table, id});
}

void SystemEvents::link() {
  for (auto& [flow, events] : flows_) {
    std::stable_sort(events.begin(), events.end(), [](const Place& a, const Place& b) { return a.start < b.start; });
    for (std::size_t i = 1; i < events.size(); ++i)
      builder_.add_dependency(events[i - 1].table, events[i - 1].id, events[i].table, events[i].id);
  }
  flows_.clear();
}

std::vector<std::string> flow_ids(std::string_view list) {
  std::vector<std::string> ids;
  std::string id;
  for (const char c : list) {
    const bool part = c != '[' && c != ']' && c != ',' && c != ' ' && c != '"' && c != '\'';
    if (part) {
      id += c;
    } else if (!id.empty()) {
      ids.push_back(std::move(id));
      id.clear();
    }
  }
  if (!id.empty()) ids.push_back(std::move(id));
  return ids;
}

}  // namespace sightline::formats::neuron

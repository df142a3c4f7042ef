// Events by whichever names their members have.
#include "formats/neuron/system_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "formats/neuron/json_fields.h"

namespace sightline::formats::neuron {

namespace {

using simdjson::dom::object;

constexpr Time kFar = std::int64_t{1} << 61;
const LaneGroup kHostGroup{5, "Host"};

using Names = std::initializer_list<std::string_view>;

std::int64_t first_integer(const object& row, Names names) {
  for (const std::string_view name : names) {
    if (const std::int64_t found = integer(row, name); found != kUnknown) return found;
  }
  return kUnknown;
}

std::string first_text(const object& row, Names names) {
  for (const std::string_view name : names) {
    simdjson::dom::element value;
    if (row[name].get(value) == simdjson::SUCCESS && !value.is_null()) return shown(value);
  }
  return "";
}

// Chrome's members ts and dur are us.
Time time_of(const object& row, Names names, std::string_view chrome) {
  const Time found = first_integer(row, names);
  if (found != kUnknown) return found;
  const double microseconds = real(row, chrome);
  const bool usable = microseconds > -1e15 && microseconds < 1e15;
  return usable ? static_cast<Time>(microseconds * 1000) : kUnknown;
}

// What the runtime itself groups as events of the hardware; all others are its own.
constexpr std::array<std::string_view, 7> kHardware{
    "nc_exec_running", "cc_running", "cc_exec_barrier", "numerical_err", "nrt_model_switch", "timestamp_sync_point", "hw_notify"};

constexpr std::array<std::string_view, 26> kPlaced{"name",
                                                   "event_type",
                                                   "start_ts",
                                                   "timestamp",
                                                   "timestamp_ns",
                                                   "end_ts",
                                                   "duration_ns",
                                                   "duration",
                                                   "ts",
                                                   "dur",
                                                   "phase",
                                                   "instance_id",
                                                   "process_id",
                                                   "pid",
                                                   "thread_id",
                                                   "tid",
                                                   "nc_idx",
                                                   "lnc_idx",
                                                   "framework_stream_id",
                                                   "flow_id",
                                                   "flow_ids",
                                                   "id",
                                                   "trace_event_source",
                                                   "source",
                                                   "label",
                                                   "ph"};

}  // namespace

bool SystemJson::take(const std::string& section, const object& row, std::int64_t offset) {
  if (section == "trace_events" || section == "events") {
    take_event(row, offset);
    return true;
  }
  const std::string instance(text(row, "instance_id"));
  const std::string of = instance.empty() ? "" : ", " + instance;
  if (section == "mem_usage") {
    sample("Host memory in use (bytes)" + of, row, "usage");
    return true;
  }
  if (section != "cpu_util") return false;
  sample(fmt::format("CPU {} in use (%){}", first_text(row, {"cpu_id"}), of), row, "util");
  return true;
}

void SystemJson::sample(const std::string& name, const object& row, std::string_view column) {
  const Time time = integer(row, "timestamp");
  const double value = real(row, column);
  const bool known = time != kUnknown && time < kFar && time > -kFar;
  untimed_ += !known;
  if (known && value == value) builder_.add_sample(kHostGroup, name, time, value);
}

void SystemJson::take_event(const object& row, std::int64_t offset) {
  SystemEvent event;
  event.name = first_text(row, {"name", "event_type", "label"});
  event.start = time_of(row, {"start_ts", "timestamp", "timestamp_ns"}, "ts");
  event.origin = first_text(row, {"trace_event_source", "source"});
  if (event.origin.empty() && !text(row, "event_type").empty())
    event.origin = std::find(kHardware.begin(), kHardware.end(), event.name) != kHardware.end() ? "neuron_hw" : "neuron_rt";
  event.instance = first_text(row, {"instance_id"});
  event.process = first_integer(row, {"process_id", "pid"});
  event.thread = first_integer(row, {"thread_id", "tid"});
  event.core = first_integer(row, {"nc_idx", "lnc_idx"});
  event.stream = first_text(row, {"framework_stream_id"});
  event.flows = flow_ids(first_text(row, {"flow_id", "flow_ids"}));
  event.source = offset;
  if (event.name.empty() || event.start == kUnknown || event.start >= kFar || event.start <= -kFar) {
    ++untimed_;
    return;
  }
  if (const std::string_view phase = text(row, "phase"); phase == "start" || phase == "stop")
    return take_phase(row, std::move(event));
  const Time end = integer(row, "end_ts");
  const Time length = time_of(row, {"duration_ns", "duration"}, "dur");
  const Time until_end = end != kUnknown && end < kFar && end >= event.start ? end - event.start : 0;
  event.duration = std::clamp<Time>(length == kUnknown ? until_end : length, 0, kFar);
  events_.add(event, table_, next_id_++, facts_of(row));
}

// The runtime writes a start and a stop; both name the same tracking id, or the same thread.
void SystemJson::take_phase(const object& row, SystemEvent event) {
  const std::string key = fmt::format("{} {} {} {}", event.name, first_text(row, {"tracking_id"}), event.thread, event.core);
  std::vector<Begun>& open = begun_[key];
  if (text(row, "phase") == "start") {
    open.push_back({std::move(event), facts_of(row)});
  } else if (open.empty()) {
    ++unmatched_;
  } else {
    Begun begun = std::move(open.back());  // calls of one thread nest
    open.pop_back();
    begun.event.duration = std::max<Time>(0, event.start - begun.event.start);
    events_.add(begun.event, table_, next_id_++, begun.facts);
  }
}

// All members that are not placed elsewhere.
std::vector<RowFact> SystemJson::facts_of(const object& row) {
  std::vector<RowFact> facts;
  for (const auto& [name, value] : row) {
    if (std::find(kPlaced.begin(), kPlaced.end(), name) != kPlaced.end() || value.is_null()) continue;
    facts.push_back({builder_.text(name), builder_.text(shown(value)), static_cast<double>(kUnknownReal)});
  }
  return facts;
}

void SystemJson::finish() {
  std::int64_t left = 0;
  for (const auto& [key, open] : begun_) left += static_cast<std::int64_t>(open.size());
  const auto say = [&](std::int64_t count, std::string_view code, std::string_view message) {
    if (count != 0) builder_.profile().add_problem(Severity::warning, code, message, count, 0);
  };
  say(untimed_, "missing_time", "rows without a time were left out");
  say(left, "unfinished_slice", "events of the runtime that were still running at the end of the recording were left out");
  say(unmatched_, "unmatched_end", "an end without a beginning was left out");
  events_.link();
}

}  // namespace sightline::formats::neuron

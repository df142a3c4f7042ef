// Threads of the host: what the framework, the program and Python traced, calls of the driver, and the allocator's reports.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

namespace {

constexpr std::int64_t kBehindNamed = std::int64_t{1} << 32;

bool is_release(std::string_view name) { return name == "MemoryDeallocation"; }

// An allocation states its size; a release may state only the block's address.
bool is_memory_report(std::string_view name, const Facts& facts) {
  if (facts[Number::allocation_bytes] != kUnknown) return name == "MemoryAllocation" || is_release(name);
  return is_release(name) && (facts[Number::address] != kUnknown || facts[Number::bytes_allocated] != kUnknown);
}

// Calls of the driver by a thread that the writer knows only by number.
bool is_driver_line(std::string_view name) { return name.starts_with("Host Threads/"); }

// Time that the driver's tracer itself spends on a thread, by its own names. It has no correlation id.
bool is_tracer_cost(std::string_view name) {
  constexpr std::string_view kNames[] = {"COMPILER", "BUFFER_FLUSH", "INSTRUMENTATION", "RESOURCE", "<UNKNOWN>"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

SliceKind host_kind(std::string_view name, const Facts* facts, bool driver) {
  if (name.starts_with("$")) return SliceKind::python;
  if (facts != nullptr) {
    if ((*facts)[Number::correlation] != kUnknown) return SliceKind::runtime;
    if ((*facts)[Number::root] > 0 || (*facts)[Number::step] != kUnknown) return SliceKind::step;
    if ((*facts)[Text::hlo_op] != StringId::none) return SliceKind::op;
  }
  if (driver) return is_tracer_cost(name) ? SliceKind::overhead : SliceKind::runtime;
  if (name.starts_with("PjitFunction(")) return SliceKind::op;  // the framework's call of a compiled function
  if (name.starts_with("Iterator::") || name.starts_with("IteratorGetNext")) return SliceKind::data_loading;
  // A function of the runtime itself, or the mark of an end that ran elsewhere: not a range of the program.
  if (name.find("::") != std::string_view::npos || name.starts_with("end: ")) return SliceKind::other;
  return SliceKind::annotation;
}

// Sizes larger than any memory come from a damaged file.
std::int64_t plausible(std::int64_t bytes) {
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  return bytes < kMost && bytes > -kMost ? bytes : kUnknown;
}

// A release may state it as negative.
std::int64_t size_of_block(std::int64_t stated) {
  const std::int64_t size = plausible(stated);
  return size == kUnknown ? kUnknown : std::abs(size);
}

void add_memory(Builder& b, const Line& line, const std::vector<LineEvent>& reports, Row lane) {
  for (const LineEvent& event : reports) {
    const Facts& facts = *line.facts_of(event);
    b.memory.push_back({.time = event.start,
                        .lane = lane,
                        .allocator = facts[Text::allocator],
                        .index = facts[Number::memory_index],
                        .released = is_release(b.profile().text(event.name)),
                        .address = facts[Number::address],
                        .size = size_of_block(facts[Number::allocation_bytes]),
                        .total = plausible(facts[Number::bytes_allocated]),
                        .reserved = plausible(facts[Number::bytes_reserved]),
                        .available = plausible(facts[Number::bytes_available]),
                        .fragmentation = facts[Real::fragmentation]});
  }
}

void add_launch(Builder& b, Row slice, const Facts* facts) {
  const Row row = add_unknown_row(b.profile().launches);
  b.profile().launches.slice[row] = slice;
  b.profile().launches.correlation[row] = facts == nullptr ? kUnknown : (*facts)[Number::correlation];
  b.launch_hlo.push_back(facts == nullptr ? StringId::none : (*facts)[Text::hlo_op]);
}

void add_step(Profile& p, Row slice, const Facts* facts) {
  const std::int64_t number = facts == nullptr ? kUnknown : (*facts)[Number::step];
  p.steps.number.push_back(number == kUnknown ? static_cast<std::int64_t>(p.steps.rows()) : number);
  p.steps.start.push_back(p.slices.start[slice]);
  p.steps.duration.push_back(p.slices.duration[slice]);
  p.steps.slice.push_back(slice);
}

// Moves the events for which `are` is true out of the line, in their order.
template <typename Are>
std::vector<LineEvent> take(Line& line, Are&& are) {
  const auto rest = std::stable_partition(line.events.begin(), line.events.end(),
                                          [&](const LineEvent& event) { return !are(event, line.facts_of(event)); });
  std::vector<LineEvent> taken(rest, line.events.end());
  line.events.erase(rest, line.events.end());
  return taken;
}

// The events of a line as slices of a lane called `name`.
void add_ranges(Builder& b, const NewLane& thread, const Line& line) {
  Profile& p = b.profile();
  const bool driver = is_driver_line(line.name);
  const auto lane = static_cast<Row>(p.lanes.rows());
  const auto kind = [&](const LineEvent& event, const Facts* facts) { return host_kind(p.text(event.name), facts, driver); };
  b.add_lane(thread, line, kind, [&](const LineEvent&, const Facts* facts, Row slice) {
    const SliceKind what = p.slices.kind[slice];
    if (what == SliceKind::runtime) add_launch(b, slice, facts);
    if (what == SliceKind::step) add_step(p, slice, facts);
    if (facts == nullptr) return;
    if (what == SliceKind::op) b.add_program_use(slice, *facts);
    b.add_ends(slice, *facts);
    b.add_execution(slice, *facts);
  });
  // Threads known by name come before those known only by the driver's number.
  for (Row added = lane; driver && added < p.lanes.rows(); ++added) p.lanes.sort_key[added] += kBehindNamed;
}

}  // namespace

void add_host_line(Builder& b, Row process, Line line) {
  const std::vector<LineEvent> reports = take(line, [&](const LineEvent& event, const Facts* facts) {
    return facts != nullptr && is_memory_report(b.profile().text(event.name), *facts);
  });
  // A range that began here and continued elsewhere does not belong to the thread: nothing on the thread is inside it.
  std::vector<LineEvent> async =
      take(line, [](const LineEvent&, const Facts* facts) { return facts != nullptr && (*facts)[Number::async] > 0; });

  const auto lane = static_cast<Row>(b.profile().lanes.rows());
  const std::string track = fmt::format("{}", line.id), name(line.shown_name());
  const NewLane thread{LaneKind::host_thread, process, kUnknown, track, name};
  add_ranges(b, thread, line);
  if (b.profile().lanes.rows() == lane && !reports.empty()) b.add_counter_lane(thread);
  add_memory(b, line, reports, lane);
  if (async.empty()) return;
  line.events = std::move(async);
  const std::string async_track = track + " async", async_name = name + " (async)";
  add_ranges(b, {LaneKind::host_thread, process, kUnknown, async_track, async_name}, line);
}

}  // namespace sightline::formats::xplane

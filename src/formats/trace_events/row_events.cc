// Rows become batches of bounded size, so that a batch is freed when its slices have their places.
#include "formats/trace_events/row_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/sort.h"
#include "formats/common/decimal.h"
#include "model/stated_names.h"

namespace sightline::formats::trace_events {

namespace {

constexpr std::size_t kBatchSlices = std::size_t{1} << 16;
constexpr std::string_view kDevice = "GPU ";
constexpr std::int64_t kFirstDevice = 1'000'000;  // behind the processes of the host

}  // namespace

RowEvents::RowEvents() : strings_(parsed_.strings.emplace_back()) { parsed_.tracks.emplace_back(); }

std::uint32_t RowEvents::track(std::string_view process, std::string_view thread, bool device) {
  const std::pair key{text(process), text(thread)};
  const auto [at, is_new] = tracks_.try_emplace(key, static_cast<std::uint32_t>(parsed_.tracks[0].size()));
  if (is_new) parsed_.tracks[0].push_back({key.first, key.second, device, false});
  return at->second;
}

std::uint32_t RowEvents::counter(std::string_view process, std::string_view name) {
  const std::pair key{text(process), text(name)};
  const auto [at, is_new] = counters_.try_emplace(key, static_cast<std::uint32_t>(parsed_.tracks[0].size()));
  if (is_new) parsed_.tracks[0].push_back({key.first, key.second, false, true});
  return at->second;
}

std::uint32_t RowEvents::host_thread(std::int64_t pid, std::int64_t tid) {
  const std::string process = host_process(pid);
  const std::string thread = tid == kUnknown ? std::string(stated::kUnknownThread) : std::to_string(tid);
  name_thread(process, thread, tid == kUnknown ? thread : fmt::format("Thread {}", tid), tid);
  return track(process, thread, false);
}

void RowEvents::name_host_thread(std::int64_t pid, std::int64_t tid, std::string_view words) {
  if (tid == kUnknown || words.empty()) return;
  name_thread(host_process(pid), std::to_string(tid), fmt::format("Thread {} ({})", tid, words), tid);
}

void RowEvents::name(std::string_view what, std::string_view process, std::string_view thread, std::string_view words,
                     std::int64_t sort_key) {
  batch_.names.push_back({text(what), text(process), text(thread), text(words), sort_key});
}

void RowEvents::name_process(std::string_view process, std::string_view words, std::string_view label, std::int64_t sort_key) {
  name("process_name", process, {}, words, kUnknown);
  name("process_labels", process, {}, label, kUnknown);
  name("process_sort_index", process, {}, {}, sort_key);
}

void RowEvents::name_thread(std::string_view process, std::string_view thread, std::string_view words, std::int64_t sort_key) {
  name("thread_name", process, thread, words, kUnknown);
  name("thread_sort_index", process, thread, {}, sort_key);
}

std::string RowEvents::device(std::int64_t ordinal, std::string_view words) {
  std::string id = device_process(ordinal);
  if (devices_.insert(ordinal).second)
    name_process(id, words.empty() ? id : words, id, kFirstDevice + (ordinal >= 0 ? ordinal % kFirstDevice : 0));
  return id;
}

std::optional<std::uint32_t> RowEvents::add(std::int64_t start, std::int64_t end, StringId name, std::uint32_t on,
                                            Category category) {
  if (!is_time(start) || !is_time(end)) {
    batch_.problems[EventProblem::missing_time].add(kUnknown);
    return std::nullopt;
  }
  if (batch_.slices.size() == kBatchSlices) next_batch();
  if (end < start) batch_.problems[EventProblem::negative_duration].add(kUnknown);
  RawSlices& slices = batch_.slices;
  const auto slice = static_cast<std::uint32_t>(slices.size());
  slices.start.push_back(start);
  slices.duration.push_back(std::max<std::int64_t>(0, end - start));
  slices.name.push_back(name);
  slices.track.push_back(on);
  slices.category.push_back(category);
  ++batch_.events;
  last_end_ = last_end_ == kUnknown ? std::max(start, end) : std::max({last_end_, start, end});
  return slice;
}

void RowEvents::add_sample(std::int64_t time, std::uint32_t counter, double value) {
  if (is_time(time) && std::isfinite(value)) batch_.counters.push_back({time, counter, value});
}

void RowEvents::next_batch() {
  const auto fit = [](auto&... lists) { (lists.shrink_to_fit(), ...); };
  fit(batch_.hosts, batch_.launches, batch_.device_work, batch_.facts, batch_.collectives);
  parsed_.batches.push_back(std::exchange(batch_, EventBatch{}));
  const auto make_room = [](auto&... lists) { (lists.reserve(kBatchSlices), ...); };
  RawSlices& slices = batch_.slices;
  make_room(slices.start, slices.duration, slices.name, slices.track, slices.category);
}

void RowEvents::add_memory(std::int64_t type, std::int64_t device, std::int64_t time, std::int64_t address, std::int64_t bytes) {
  if (is_time(time) && device != kUnknown) memory_.push_back({type, device, time, address, bytes});
}

// By time, with a counter of what was allocated less what was released.
void RowEvents::flush_memory() {
  sort_up(memory_, &Memory::time);
  std::map<std::int64_t, std::int64_t> held;
  for (const Memory& event : memory_) {
    const std::uint32_t on = counter(device_process(event.device), "Device memory");
    batch_.memory.push_back({event.time, event.type, event.device, event.address, event.bytes, kUnknown, kUnknown, on});
    std::int64_t& bytes = held[event.device];
    if (!__builtin_add_overflow(bytes, event.bytes, &bytes)) add_sample(event.time, on, static_cast<double>(bytes));
  }
  memory_ = {};
}

ParsedEvents RowEvents::take() {
  flush_memory();
  next_batch();
  return std::move(parsed_);
}

std::string host_process(std::int64_t pid) { return pid == kUnknown ? "-1" : std::to_string(pid); }

std::string device_process(std::int64_t ordinal) {
  return ordinal == kUnknown ? std::string(kDevice.substr(0, kDevice.size() - 1))
                             : std::string(kDevice) + std::to_string(ordinal);
}

void number_devices(Profile& profile) {
  std::fill(profile.memory_events.lane.begin(), profile.memory_events.lane.end(), kNoRow);
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    if (profile.lanes.kind[lane] != LaneKind::device_stream) continue;
    const std::string_view process = profile.text(profile.processes.pid[profile.lanes.process[lane]]);
    const auto ordinal = process.starts_with(kDevice) ? parse_integer(process.substr(kDevice.size())) : std::nullopt;
    profile.lanes.device[lane] = ordinal.value_or(kUnknown);
  }
}

std::string numbered(std::string_view what, std::int64_t number) {
  return number == kUnknown ? std::string(what) : fmt::format("{} {}", what, number);
}

}  // namespace sightline::formats::trace_events

// Rows become batches of bounded size, so that a batch is freed when its slices have their places.
#include "formats/trace_events/row_events.h"

#include <algorithm>
#include <cmath>

#include "formats/common/decimal.h"

namespace sightline::formats::trace_events {

namespace {

constexpr std::size_t kBatchSlices = std::size_t{1} << 16;

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

ParsedEvents RowEvents::take() {
  next_batch();
  return std::move(parsed_);
}

}  // namespace sightline::formats::trace_events

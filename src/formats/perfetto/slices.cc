// Slices: a stack per track, or a sweep over the times of a track without order.
#include "formats/perfetto/slices.h"

#include <algorithm>
#include <utility>

namespace sightline::formats::perfetto {

using trace_events::kStillOpen;

namespace {

constexpr std::size_t kBatch = std::size_t{1} << 15;  // slices: those of a batch are freed together

}  // namespace

SliceRef Slices::added(std::uint32_t index) {
  const SliceRef slice{static_cast<std::uint32_t>(batches_.size()), index};
  if (index + 1 >= kBatch) batches_.push_back(out_.take());
  return slice;
}

// Begins and ends in pairs keep their meaning in any order; `of_pairs`: this event fits into pairs.
void Slices::lose_order(TrackSlices& track, bool of_pairs) {
  track.order = track.was_nested || !of_pairs ? TrackSlices::Order::none : TrackSlices::Order::pairs;
}

void Slices::begin(TrackSlices& track, Time time, SliceRef slice) {
  see(time);
  if (time < track.last && track.order == TrackSlices::Order::by_time) lose_order(track, track.open.empty());
  if (track.order == TrackSlices::Order::pairs && !track.open.empty()) track.order = TrackSlices::Order::none;
  track.last = time;
  track.was_nested |= !track.open.empty();
  track.begun.push_back(slice);
  if (track.order != TrackSlices::Order::none) track.open.push_back(static_cast<std::uint32_t>(track.begun.size() - 1));
}

void Slices::end(TrackSlices& track, Time time, std::int64_t at) {
  see(time);
  if (time < track.last && track.order == TrackSlices::Order::by_time) lose_order(track, false);
  if (track.order == TrackSlices::Order::pairs && (track.open.empty() || time < start_of(track.begun[track.open.back()])))
    track.order = TrackSlices::Order::none;
  track.last = time;
  if (track.order == TrackSlices::Order::none) return track.ends.push_back(time);
  if (track.open.empty()) return unmatched_ends.add(at);
  const SliceRef slice = track.begun[track.open.back()];
  track.open.pop_back();
  duration_of(slice) = time - start_of(slice);
}

void Slices::pair_by_time(TrackSlices& track) {
  for (const SliceRef slice : track.begun) {
    if (duration_of(slice) != kStillOpen) track.ends.push_back(start_of(slice) + std::exchange(duration_of(slice), kStillOpen));
  }
  std::vector<std::pair<Time, std::uint32_t>> begins;
  for (std::uint32_t i = 0; i < track.begun.size(); ++i) begins.emplace_back(start_of(track.begun[i]), i);
  std::sort(begins.begin(), begins.end());
  std::sort(track.ends.begin(), track.ends.end());
  std::size_t next = 0, end = 0;
  track.open.clear();
  const auto close = [&](Time time) {
    const SliceRef slice = track.begun[track.open.back()];
    duration_of(slice) = time - start_of(slice);
    track.open.pop_back();
    ++end;
  };
  while (next < begins.size() || end < track.ends.size()) {
    const bool ends_first = next == begins.size() || (end < track.ends.size() && track.ends[end] < begins[next].first);
    const Time now = ends_first ? track.ends[end] : begins[next].first;
    const auto ends_now = [&] { return end < track.ends.size() && track.ends[end] == now && !track.open.empty(); };
    while (ends_now() && start_of(track.begun[track.open.back()]) < now) close(now);
    for (; next < begins.size() && begins[next].first == now; ++next) track.open.push_back(begins[next].second);
    while (ends_now()) close(now);
    for (; end < track.ends.size() && track.ends[end] == now; ++end) unmatched_ends.add(kUnknown);
  }
}

void Slices::finish(TrackSlices& track) {
  if (track.order == TrackSlices::Order::none) pair_by_time(track);
  for (const std::uint32_t open : track.open) {
    const SliceRef slice = track.begun[open];
    duration_of(slice) = std::max<Time>(0, last_ - start_of(slice));
    unfinished.add(batch_of(slice).slices.source[slice.index]);
  }
  track = {};
}

std::vector<trace_events::EventBatch> Slices::take() {
  batches_.push_back(out_.take());
  return std::move(batches_);
}

}  // namespace sightline::formats::perfetto

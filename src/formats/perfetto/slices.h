// Slices: pairs the begins and ends of slices, track by track. An end closes the last open slice of its track. Where the events
// of a track are not in the order of time in the file, they are paired when all are read: by time, unless each end follows its
// begin.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/trace_events/event_batch.h"
#include "model/tables.h"

namespace sightline::formats::perfetto {

// A slice by its batch and its index in it.
struct SliceRef {
  std::uint32_t batch, index;
  friend auto operator<=>(const SliceRef&, const SliceRef&) = default;
};

// What is known of the slices of one track.
struct TrackSlices {
  enum class Order : std::uint8_t { by_time, pairs, none };

  Order order = Order::by_time;
  bool was_nested = false;          // two slices were open together
  Time last = 0;                    // time of the last event
  std::vector<SliceRef> begun;      // in the order of the file
  std::vector<std::uint32_t> open;  // of begun, outermost first; not kept if there is no order
  std::vector<Time> ends;           // that are not paired yet, if there is no order
};

class Slices {
 public:
  explicit Slices(trace_events::BatchBuilder& out) : out_(out) {}

  // A slice that was just added to the builder's batch.
  SliceRef added(std::uint32_t index);
  void begin(TrackSlices& track, Time time, SliceRef slice);
  void end(TrackSlices& track, Time time, std::int64_t at);

  // When all events are read: pairs what is left of the track, and ends what was never ended at the last time of all.
  void finish(TrackSlices& track);

  trace_events::EventBatch& batch_of(SliceRef slice) {
    return slice.batch == batches_.size() ? out_.batch() : batches_[slice.batch];
  }
  void see(Time time) { last_ = time > last_ ? time : last_; }
  // REQUIRES: no further events.
  std::vector<trace_events::EventBatch> take();

  trace_events::ProblemTally unmatched_ends, unfinished;

 private:
  Time start_of(SliceRef slice) { return batch_of(slice).slices.start[slice.index]; }
  std::int64_t& duration_of(SliceRef slice) { return batch_of(slice).slices.duration[slice.index]; }
  void lose_order(TrackSlices& track, bool of_pairs);
  void pair_by_time(TrackSlices& track);

  trace_events::BatchBuilder& out_;
  std::vector<trace_events::EventBatch> batches_;
  Time last_ = 0;
};

}  // namespace sightline::formats::perfetto

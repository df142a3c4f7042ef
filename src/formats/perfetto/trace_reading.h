// TraceReading: turns the packets of a trace into raw events, which the code shared with JSON traces makes tables of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/perfetto/annotations.h"
#include "formats/perfetto/flows.h"
#include "formats/perfetto/packets.h"
#include "formats/perfetto/slices.h"
#include "formats/perfetto/trace_state.h"
#include "formats/perfetto/tracks.h"
#include "formats/reader.h"
#include "formats/trace_events/parse_events.h"
#include "formats/trace_events/root_members.h"

namespace sightline::formats::perfetto {

// A TrackEvent, taken apart.
struct TrackEventParts {
  std::uint64_t type = 0, track = 0, gpu_correlation = 0;
  std::string_view name, category;
  std::int64_t duration_us = -1;  // of an old complete event
  bool has_name = false;
  std::vector<std::string_view> annotations;
  std::vector<std::uint64_t> flows, flow_ends, extra_tracks, extra_real_tracks;
  std::vector<double> extra_values, extra_reals;
  double value = 0;
  bool has_value = false;
};

class TraceReading {
 public:
  TraceReading(ByteStream& in, ReadProgress* progress)
      : packets_(in), progress_(progress), slices_(builder_), tracks_(builder_) {}

  // Reads all packets; what the file damages ends it early.
  void read();
  trace_events::ParsedEvents take();
  // Members as the root of a JSON trace has them.
  trace_events::RootMembers members() const;
  void report(Profile& profile) const;

  // The event that begins at `source` as JSON text; empty if no event begins there.
  std::string text_at(std::int64_t source);

 private:
  void take_packet(const Packet& packet, const PacketParts& parts);
  void read_track_event(const Packet& packet, const PacketParts& parts);
  bool take_apart(ProtoSpan event, const PacketParts& parts);
  void read_legacy(ProtoSpan legacy, const Sequence& sequence);
  void read_annotations(const Packet& packet, const Sequence& sequence);
  void add_slice(const Packet& packet, Time time);
  void add_counters(Time time);
  void add_value(Track& track, Time time, double value);
  void read_render_stage(const Packet& packet, const PacketParts& parts);
  void read_launch(ProtoSpan launch, const Sequence& sequence);
  void read_gpu_counters(const PacketParts& parts);
  void add_found(std::string_view name, std::string_view value);
  std::string_view category_of(const Track& track);
  std::uint32_t raw_track(Track& track);

  PacketStream packets_;
  ReadProgress* progress_;  // may be null
  TraceState state_;
  trace_events::BatchBuilder builder_{0};
  Slices slices_;
  Tracks tracks_;
  Flows flows_;
  TrackEventParts event_;
  ArgumentTexts arguments_;
  std::unordered_map<std::string, Key> known_keys_;
  std::unordered_map<std::int64_t, CounterDescriptor> gpu_counters_;  // written out in events, by device
  std::string text_, name_;
  ProblemTally guessed_, old_events_, cut_values_;
  std::int64_t looked_for_ = kUnknown;  // the event whose text is wanted
  std::string found_text_;
};

}  // namespace sightline::formats::perfetto

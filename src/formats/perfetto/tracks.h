// Tracks: what the descriptors of tracks say, as the processes, threads and streams of a JSON trace. A descriptor may come after
// events of its track, so names are given when all are read.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/binary/proto_message.h"
#include "formats/perfetto/slices.h"
#include "formats/trace_events/event_batch.h"

namespace sightline::formats::perfetto {

inline constexpr std::uint32_t kNoTrack = 0xFFFFFFFF;

struct Track {
  std::uint64_t uuid = 0, parent = 0;
  bool is_described = false, is_process = false, is_thread = false, is_parent = false;
  std::int64_t pid = 0, tid = 0;
  std::string name, process_name, label, thread_name, description;
  std::string device;           // that work on the track is of, if it is on a device
  std::int64_t multiplier = 1;  // of a counter's values
  bool is_incremental = false;
  double value = 0;                                                // the last one
  std::array<std::uint32_t, 3> raw{kNoTrack, kNoTrack, kNoTrack};  // of the host, of a device, of a counter
  TrackSlices slices;
};

enum class TrackUse : std::uint8_t { host, device, counter };

class Tracks {
 public:
  explicit Tracks(trace_events::BatchBuilder& out) : out_(out) {}

  void read(ProtoSpan descriptor);
  Track& at(std::uint64_t uuid);
  // The builder's track for what happens on this one.
  std::uint32_t raw(Track& track, TrackUse use);
  // That of a stream of a device, or of a counter of a device.
  std::uint32_t stream(std::string_view device, std::string_view stream);
  std::uint32_t device_counter(std::int64_t gpu, const std::string& name);

  // Whether the track's name says that it is the work of a device: "COMPUTE AGENT [1] STREAM [2] (GPU)".
  static bool is_of_device(const Track& track) { return bool(device_of_name(track.name)); }

  // Names all tracks. REQUIRES: once, when all events are read.
  void name_all();
  template <typename Take>
  void for_each(Take&& take) {
    for (auto& [uuid, track] : tracks_) take(track);
  }
  // Tracks of whose long place other tracks have only a part.
  std::int64_t cut_places() const { return std::ssize(cut_places_); }
  // The properties of the devices as JSON, if the trace has them.
  const std::string& device_properties() const { return device_properties_; }

 private:
  struct Place {
    std::string pid, tid, process_name, label, thread_name;
  };
  struct NamedDevice {
    std::string device, stream, label;
  };
  static std::optional<NamedDevice> device_of_name(const std::string& name);
  Place place(const Track& track, TrackUse use, int depth = 0);
  void name(const Place& place);
  void name_one(std::string_view what, const std::string& pid, const std::string& tid, const std::string& text);

  trace_events::BatchBuilder& out_;
  std::unordered_map<std::uint64_t, Track> tracks_;
  struct Stream {
    std::string device, stream;
    std::uint32_t raw;
  };
  std::vector<Stream> streams_;  // few
  std::map<std::pair<std::int64_t, std::string>, std::uint32_t> device_counters_;
  std::unordered_map<std::string, std::size_t> stream_of_;  // by both names
  std::string stream_key_;
  std::set<std::array<StringId, 3>> named_;
  std::set<std::uint64_t> cut_places_;
  Track* last_ = nullptr;
  std::string device_properties_;
};

}  // namespace sightline::formats::perfetto

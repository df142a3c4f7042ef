// TraceState: what a packet means depends on earlier packets of its sequence. TraceState keeps that, and takes a packet apart.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/perfetto/clocks.h"
#include "formats/perfetto/packets.h"
#include "formats/perfetto/sequence.h"

namespace sightline::formats::perfetto {

// The parts of a packet; a part that is not there has no data.
struct PacketParts {
  Sequence* sequence = nullptr;
  bool usable = true;        // what its sequence needs was read
  std::optional<Time> time;  // on the trace's clock
  std::string_view track_event, track, render_stage, gpu_counters, compressed;
  bool by_zstd = false;  // `compressed` is
};

class TraceState {
 public:
  // Applies what the packet says about its sequence and the clocks.
  PacketParts read(const Packet& packet);

  // For a time difference in the event itself, which old writers use.
  Time add_to_reference(Sequence& sequence, std::int64_t us);

  const Clocks& clocks() const { return clocks_; }

  // Packets that are damaged; that need state which was lost; gaps in sequences; times of unknown clocks.
  ProblemTally damaged, without_state, gaps, unknown_times;
  std::map<unsigned, std::int64_t> unread;  // packets by the field that holds data which no column is for

 private:
  std::unordered_map<std::uint64_t, Sequence> sequences_;
  std::uint64_t last_id_ = 0;
  Sequence* last_ = nullptr;
  std::vector<std::string_view> interned_;  // of one packet
  Clocks clocks_;
};

// The name of the data in that field of a packet, if a recording loses something without it.
std::string_view unread_name(unsigned field);

}  // namespace sightline::formats::perfetto

// PacketStream: the packets of a trace, one after the other, with compressed ones unpacked in their place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/binary/byte_stream.h"
#include "formats/binary/proto_message.h"
#include "formats/trace_events/event_batch.h"

namespace sightline::formats::perfetto {

using trace_events::ProblemTally;

struct Packet {
  std::string_view bytes;  // valid until the next packet
  std::int64_t at = 0;     // where it begins in the trace, whose compressed packets count with their unpacked bytes
};

class PacketStream {
 public:
  explicit PacketStream(ByteStream& in) : in_(in), trace_(ProtoMessage::whole(in)) {}

  // False at the end of the trace, and after damage of the stream.
  bool next(Packet& packet);

  // The packets that a packet holds compressed come next, packed by zstd or zlib.
  void unpack(std::string_view compressed, bool by_zstd, std::int64_t at);

  bool was_cut() const { return cut_at_ != kUnknown; }  // the file ends inside a packet
  std::int64_t cut_at() const { return cut_at_; }

  // Packets that are too long; fields that are none of a trace; packs that are damaged or unpack to too much.
  ProblemTally long_packets, other_fields, damaged_packs;

 private:
  bool next_unpacked(Packet& packet);

  ByteStream& in_;
  ProtoMessage trace_;
  std::string long_packet_, pack_;
  bool in_pack_ = false;         // the packet came from pack_
  std::size_t pack_at_ = 0;      // of the next packet in pack_
  std::int64_t pack_begin_ = 0;  // of pack_ in the trace
  std::int64_t added_ = 0;       // bytes that unpacking has added to the trace so far
  std::int64_t cut_at_ = kUnknown;
};

}  // namespace sightline::formats::perfetto

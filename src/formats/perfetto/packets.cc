// PacketStream: short packets are read in place; what is unpacked is kept until its last packet was taken.
#include "formats/perfetto/packets.h"

#include <zlib.h>

#include <algorithm>

#include "formats/perfetto/fields.h"
#include "formats/tables/zstd.h"

namespace sightline::formats::perfetto {

namespace {

constexpr std::int64_t kInPlace = 256 * 1024, kLongestPacket = std::int64_t{16} << 20;
constexpr std::size_t kMostUnpacked = std::size_t{64} << 20;

// zlib or gzip; false if it is damaged or too long: `to` has what precedes that.
bool inflate_all(std::string_view from, std::string& to) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
  stream.avail_in = static_cast<uInt>(from.size());
  int code = Z_OK;
  while (code == Z_OK && to.size() < kMostUnpacked) {
    const std::size_t had = to.size(), piece = std::max<std::size_t>(16 * 1024, from.size() * 2);
    to.resize(had + piece);
    stream.next_out = reinterpret_cast<Bytef*>(to.data() + had);
    stream.avail_out = static_cast<uInt>(piece);
    code = inflate(&stream, Z_NO_FLUSH);
    to.resize(had + piece - stream.avail_out);
    if (stream.avail_in == 0 && stream.avail_out != 0) break;
  }
  inflateEnd(&stream);
  return code == Z_STREAM_END;
}

}  // namespace

void PacketStream::unpack(std::string_view compressed, bool by_zstd, std::int64_t at) {
  if (in_pack_) return damaged_packs.add(at);  // a pack in a pack could unpack without end
  std::string unpacked;
  const bool is_whole = by_zstd ? unpack_zstd(compressed, kMostUnpacked, unpacked) : inflate_all(compressed, unpacked);
  if (!is_whole) damaged_packs.add(at);
  pack_ = std::move(unpacked);
  pack_at_ = 0;
  pack_begin_ = in_.position() + added_;
  added_ += static_cast<std::int64_t>(pack_.size());
}

bool PacketStream::next_unpacked(Packet& packet) {
  while (pack_at_ < pack_.size()) {
    ProtoSpan rest(std::string_view(pack_).substr(pack_at_));
    const std::int64_t at = pack_begin_ + static_cast<std::int64_t>(pack_at_);
    if (!rest.next()) {
      pack_at_ = pack_.size();
      damaged_packs.add(at);
      return false;
    }
    const bool is_packet = rest.field() == 1 && rest.is_bytes();
    if (is_packet) packet = {rest.bytes(), at};
    pack_at_ = pack_.size() - rest.left();
    if (is_packet) return true;
    other_fields.add(at);
  }
  return false;
}

bool PacketStream::next(Packet& packet) {
  in_pack_ = next_unpacked(packet);
  if (in_pack_) return true;
  while (true) {
    const std::int64_t begin = trace_.position() + trace_.size();
    if (!trace_.next()) {
      if (in_.failed()) cut_at_ = begin + added_;
      return false;
    }
    const std::int64_t size = trace_.size(), at = begin + added_;
    if (trace_.field() != 1) {
      other_fields.add(at);
      continue;
    }
    if (size > kLongestPacket) {
      long_packets.add(at);
      continue;
    }
    if (size > kInPlace) {
      trace_.bytes(long_packet_);
      packet = {long_packet_, at};
    } else {
      packet = {in_.take_in_place(static_cast<std::size_t>(size)), at};
    }
    if (in_.failed() || static_cast<std::int64_t>(packet.bytes.size()) < size) {
      cut_at_ = at;
      return false;
    }
    return true;
  }
}

}  // namespace sightline::formats::perfetto

// gzip of whole buffers: ISA-L packs several times faster than zlib, which does it where ISA-L is absent.
#include "base/gzip.h"

#ifdef SIGHTLINE_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif
#include <zlib.h>

#include <algorithm>
#include <new>
#include <vector>

#include "base/check.h"

namespace sightline::base {

namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, with a gzip header

Bytef* input_of(const void* bytes) { return static_cast<Bytef*>(const_cast<void*>(bytes)); }

}  // namespace

#ifdef SIGHTLINE_HAVE_ISAL

std::string gzip_pack(std::string_view bytes) {
  std::vector<std::uint8_t> room(ISAL_DEF_LVL1_DEFAULT);
  isal_zstream stream;
  isal_deflate_init(&stream);
  stream.level = 1;
  stream.level_buf = room.data();
  stream.level_buf_size = static_cast<std::uint32_t>(room.size());
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = input_of(bytes.data());
  stream.avail_in = static_cast<std::uint32_t>(bytes.size());
  CHECK(stream.avail_in == bytes.size());
  std::string packed;
  while (stream.internal_state.state != ZSTATE_END) {
    packed.resize(packed.size() + bytes.size() / 4 + 4096);
    stream.next_out = reinterpret_cast<std::uint8_t*>(packed.data()) + stream.total_out;
    stream.avail_out = static_cast<std::uint32_t>(packed.size() - stream.total_out);
    CHECK(isal_deflate(&stream) == COMP_OK);
  }
  packed.resize(stream.total_out);
  return packed;
}

#else

std::string gzip_pack(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = input_of(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

#endif

std::string gzip_unpack(std::span<const std::byte> packed) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  stream.next_in = input_of(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string bytes;
  int status = Z_OK;
  while (status == Z_OK) {
    bytes.resize(std::max<std::size_t>(2 * bytes.size(), 1 << 16));
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + stream.total_out);
    stream.avail_out = static_cast<uInt>(bytes.size() - stream.total_out);
    status = inflate(&stream, Z_NO_FLUSH);
  }
  CHECK(status == Z_STREAM_END);
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return bytes;
}

}  // namespace sightline::base

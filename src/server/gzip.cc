// zlib, called whole buffers at a time.
#include "server/gzip.h"

#include <zlib.h>

#include <algorithm>

#include "base/check.h"

namespace sightline {

namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, with a gzip header

Bytef* input_of(const void* bytes) { return static_cast<Bytef*>(const_cast<void*>(bytes)); }

}  // namespace

std::string gzip_pack(std::string_view bytes) {
  z_stream stream{};
  CHECK(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
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

std::string gzip_unpack(std::span<const std::byte> packed) {
  z_stream stream{};
  CHECK(inflateInit2(&stream, kGzipWindow) == Z_OK);
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

}  // namespace sightline

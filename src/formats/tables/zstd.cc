#include "formats/tables/zstd.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <algorithm>
#include <memory>

namespace sightline::formats {

bool unpack_zstd(std::string_view from, std::size_t most, std::string& to) {
  const auto codec = arrow::util::Codec::Create(arrow::Compression::ZSTD);
  if (!codec.ok()) return false;
  const auto unpacking = (*codec)->MakeDecompressor();
  if (!unpacking.ok()) return false;
  while (!(*unpacking)->IsFinished()) {
    const std::size_t had = to.size(), room = std::min(most - had, std::max<std::size_t>(16 * 1024, from.size() * 2));
    if (room == 0) return false;
    to.resize(had + room);
    const auto step = (*unpacking)
                          ->Decompress(static_cast<std::int64_t>(from.size()), reinterpret_cast<const std::uint8_t*>(from.data()),
                                       static_cast<std::int64_t>(room), reinterpret_cast<std::uint8_t*>(to.data() + had));
    to.resize(had + (step.ok() ? static_cast<std::size_t>(step->bytes_written) : 0));
    if (!step.ok()) return false;
    from.remove_prefix(static_cast<std::size_t>(step->bytes_read));
    if (step->bytes_read == 0 && step->bytes_written == 0) return false;  // it ends too early
  }
  return from.empty();  // one frame
}

}  // namespace sightline::formats

#include "store/file_checksum.h"

#define XXH_INLINE_ALL  // XXH3 is compiled in from its header
#include <xxhash.h>

#include <memory>

#include "base/input_file.h"

namespace sightline::store {

Result<std::uint64_t> checksum_of_file(const std::string& path) {
  constexpr std::size_t kHashPiece = std::size_t{1} << 20;
  const Result<std::unique_ptr<RawFile>> file = open_raw(path);
  if (!file) return file.error();
  const auto state = std::make_unique<XXH3_state_t>();
  XXH3_64bits_reset(state.get());
  std::string piece(kHashPiece, '\0');
  while (true) {
    const Result<std::size_t> got = (*file)->read(piece.data(), piece.size());
    if (!got) return got.error();
    if (*got == 0) return XXH3_64bits_digest(state.get());
    XXH3_64bits_update(state.get(), piece.data(), *got);
  }
}

}  // namespace sightline::store

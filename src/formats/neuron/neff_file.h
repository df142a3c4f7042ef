// A compiled model (NEFF): 1024 bytes of header, then an archive, a tar file that is packed by gzip. Decoded is what is
// documented or can be checked: the header, the list of the archive's members, and the small JSON files in it that have a public
// meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/binary/byte_stream.h"

namespace sightline::formats::neuron {

inline constexpr std::size_t kNeffHeader = 1024;

struct NeffHeader {
  std::uint64_t package_version = 0;  // 1: a plain tar file, hashed by SHA-256; 2: packed by gzip, hashed by MD5
  std::uint64_t data_size = 0;        // bytes of the archive as it is stored
  std::uint64_t major = 0, minor = 0;
  std::string build;  // the compiler's label
  std::string hash;   // of the archive as it is stored, hexadecimal
  std::string uuid;   // hexadecimal
  std::string name;
  std::uint32_t cores = 0;
  std::uint64_t features = 0;
  std::uint32_t cores_per_logical_core = 0;
  bool reserved_is_zero = true;  // the bytes that nothing is known of
};

// An Error names the byte that contradicts the layout, or the version that is not known. REQUIRES: the stream is at the
// beginning.
Result<NeffHeader> read_neff_header(ByteStream& in);

bool looks_like_neff(std::string_view head);

struct NeffArchive {
  std::vector<std::pair<std::string, std::uint64_t>> members;  // name, bytes
  std::vector<std::pair<std::string, std::string>> documents;  // name, text: small files of JSON with a public meaning
  std::string hash;                                            // of the bytes that were there; empty: cannot be computed here
  std::uint64_t stored = 0;                                    // those bytes
  std::string damage;                                          // why the list of members ends early; empty: it does not
};

// Reads on behind the header. Memory is bounded whatever the archive says; damage is `damage`.
NeffArchive read_neff_archive(ByteStream& in, const NeffHeader& header);

}  // namespace sightline::formats::neuron

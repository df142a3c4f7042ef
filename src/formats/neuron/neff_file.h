// A compiled model (NEFF): 1024 bytes of header, then an archive: a tar file, possibly packed by gzip. Only what is
// documented or can be checked is decoded: the header, the list of the archive's members, and its small JSON files with a
// public meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/binary/byte_stream.h"

namespace sightline::formats::neuron {

// ---- members of a tar file ----
// TarMembers: the names and sizes of the files in a tar file (ustar, with GNU's long names and pax headers), whose bytes come
// piece by piece, and the text of a few small ones. Nothing else is stored, so memory is bounded for every input.

class TarMembers {
 public:
  // The next bytes; false if no more are wanted: the archive has ended, or is damaged.
  bool add(const char* bytes, std::size_t size);

  bool ended() const { return ended_; }
  const Message& damage() const { return damage_; }  // empty: none

  std::vector<std::pair<std::string, std::uint64_t>> take_members() { return std::move(members_); }
  std::vector<std::pair<std::string, std::string>> take_documents() { return std::move(documents_); }

 private:
  static constexpr std::size_t kBlock = 512;

  void take_header();
  void end_member();
  void fail(const char* why);

  std::string block_;       // the part of the current header that has arrived
  std::uint64_t left_ = 0;  // bytes of the current member that have not arrived, then of its padding
  std::uint64_t padding_ = 0;
  std::uint64_t position_ = 0;  // of the next byte
  int empty_blocks_ = 0;        // two end the archive
  enum class Keep : std::uint8_t { nothing, document, long_name, attributes } keep_ = Keep::nothing;
  std::string kept_, name_, next_name_;
  bool ended_ = false;
  Message damage_;
  std::vector<std::pair<std::string, std::uint64_t>> members_;
  std::vector<std::pair<std::string, std::string>> documents_;
};

// ---- the compiled model ----

inline constexpr std::size_t kNeffHeader = 1024;

struct NeffHeader {
  std::uint64_t package_version = 0;  // 1: a plain tar file, hashed by SHA-256; 2: packed by gzip, hashed by MD5
  std::uint64_t data_size = 0;        // bytes of the archive as stored
  std::uint64_t major = 0, minor = 0;
  std::string build;  // the compiler's label
  std::string hash;   // of the archive as stored, hexadecimal
  std::string uuid;   // hexadecimal
  std::string name;
  std::uint32_t cores = 0;
  std::uint64_t features = 0;
  std::uint32_t cores_per_logical_core = 0;
  bool reserved_is_zero = true;  // the bytes without a known meaning
};

// An Error names the byte that contradicts the layout, or the unknown version. REQUIRES: the stream is at the beginning.
Result<NeffHeader> read_neff_header(ByteStream& in);

bool looks_like_neff(std::string_view head);

struct NeffArchive {
  std::vector<std::pair<std::string, std::uint64_t>> members;  // name, bytes
  std::vector<std::pair<std::string, std::string>> documents;  // name, text: small files of JSON with a public meaning
  std::string hash;                                            // of the bytes that are there; empty: cannot be computed here
  std::uint64_t stored = 0;                                    // those bytes
  Message damage;                                              // why the list of members ends early; empty: it does not
};

// Reads what follows the header. Memory is bounded for every archive; damage goes to `damage`.
NeffArchive read_neff_archive(ByteStream& in, const NeffHeader& header);

}  // namespace sightline::formats::neuron

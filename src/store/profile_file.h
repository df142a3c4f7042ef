// A profile as one Arrow IPC file, uncompressed, with every buffer aligned to
// 64 bytes, so columns can use the mapped file directly. The schema has one
// field per column of tables.h, for example "slices.start": a list of the
// column's type. The file has one record batch with one row, which contains
// each column as one list. The metadata "sightline" is a record (file_io.h):
// the fingerprint, the facts of the profile, the caller's record, and the
// rows and checksum of each column. The fingerprint follows from the
// declarations, so a file with other columns is foreign. Data computed from
// the profile follow as fields "derived.NAME", lists of bytes, with rows and
// checksums like columns, and with the fingerprint of the code that computed
// them; data of another version are ignored and computed again.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/packed.h"
#include "base/result.h"
#include "model/profile.h"
#include "store/file_io.h"
#include "store/mapped_file.h"

namespace sightline::store {

// Of this program's columns, facts and the sources that fill them: 16 hexadecimal digits.
std::string profile_fingerprint();

// The bytes that the columns and strings take in a file, about.
std::int64_t profile_file_bytes(const Profile& profile);

// Data computed from a profile, and a text that changes with the version of the code that computed them.
struct Derived {
  std::string version = {};
  Sections sections = {};
};

// Writes to `fd` from its position on. `about` is kept with the profile. ErrorCode::cancelled when `cancelled` became true.
Result<bool> write_profile_file(int fd, const Profile& profile, const Record& about, const std::string& fingerprint,
                                const std::atomic<bool>& cancelled, const Derived& derived = {});

// What is known about a file's bytes before it is opened.
enum class Trust {
  unchanged,  // they are as they were written or last verified: only the places of the columns are checked
  nothing,    // every checksum is compared
};

struct StoredProfile {
  std::unique_ptr<Profile> profile;  // borrows from the file
  Record about;
  Derived derived;  // as it was written
};

// unsupported: a foreign file (another fingerprint, or not a profile). malformed: incomplete or altered.
Result<StoredProfile> open_profile_file(std::shared_ptr<const MappedFile> file, const std::string& fingerprint, Trust trust);

// The record that was written with it, without the columns.
Result<Record> read_about(const MappedFile& file, const std::string& fingerprint);

}  // namespace sightline::store

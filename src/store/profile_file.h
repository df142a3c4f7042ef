// A profile as one Arrow IPC file, uncompressed, every buffer aligned to 64 bytes, so that a mapped file is used as
// it is. The schema has one field per column of tables.h, "slices.start": a list of the column's type; the file has
// one record batch of one row, which holds each column as one list. The metadata "sightline" is a record (file_io.h):
// the fingerprint, the facts of the profile, what the caller wants to remember, and each column's rows and checksum.
// Everything follows from the declarations: another column is another fingerprint, and the file is then foreign. What was
// computed from the profile follows as fields "derived.NAME", lists of bytes, with rows and checksums like the columns', and with
// the fingerprint of the code that computed it: of another version, it is left alone and computed again.
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

// What was computed from a profile, and by which version of the code: a text that changes with it.
struct Derived {
  std::string version = {};
  Sections sections = {};
};

// Writes to `fd` from its position on. `about` is kept with the profile. ErrorCode::cancelled when `cancelled` became true.
Result<bool> write_profile_file(int fd, const Profile& profile, const Record& about, const std::string& fingerprint,
                                const std::atomic<bool>& cancelled, const Derived& derived = {});

// What can be believed of a file's bytes beforehand.
enum class Trust {
  unchanged,  // they are as they were written or last verified: only what tells where the columns are is looked at
  nothing,    // every checksum is compared
};

struct StoredProfile {
  std::unique_ptr<Profile> profile;  // borrows from the file
  Record about;
  Derived derived;  // likewise
};

// Foreign (another fingerprint, no such file at all): unsupported. Torn or altered: malformed.
Result<StoredProfile> open_profile_file(std::shared_ptr<const MappedFile> file, const std::string& fingerprint, Trust trust);

// What was written with it, without the columns.
Result<Record> read_about(const MappedFile& file, const std::string& fingerprint);

}  // namespace sightline::store

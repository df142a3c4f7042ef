// Small files of the store that are either complete or absent.
// A file is written under another name and then renamed, so a
// reader sees all of it or nothing, also after a crash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sightline::store {

// Identifies an unchanged file: any write, any truncation and any rename over it
// changes one of these values. Times are ns since 1970, by the clock of the file
// system. An object in a cloud has a size, and the hash of its etag as the inode.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified = 0;
  std::int64_t changed = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// The identity of a file, or of an object in a cloud.
// not_found: it does not exist, or is not a regular
// file; unreadable: it could not be found out.
Result<FileIdentity> find_identity(const std::string& path);

// nullopt: it does not exist, is not readable, or is not a regular file.
std::optional<FileIdentity> identity_of(const std::string& path);
std::optional<FileIdentity> identity_of(int fd);

// Whether the file was last changed so recently that another change might not show in its identity (the clock of
// a file system ticks a few ms apart).
bool changed_just_now(const FileIdentity& identity);

// Makes the folder and those above it, for the user alone (0700).
Result<bool> make_folder(const std::string& folder);

// The bytes of a file of at most `most` bytes; nullopt when it does not exist, is not readable or is longer.
std::optional<std::string> read_small_file(const std::string& path, std::size_t most);

// Replaces the file atomically (0600). The folder must exist.
// Without durability, the file may be empty or incomplete
// after a loss of power, and its reader must detect this.
enum class Durable { no, yes };
Result<bool> replace_file(const std::string& path, std::string_view bytes, Durable durable = Durable::yes);

// A unique name for an unfinished file in the folder of `path`; is_unfinished() recognizes it.
std::string unfinished_name(const std::string& path);
bool is_unfinished(std::string_view file_name);

// A record: named texts with a checksum over all of them, so an incomplete or edited record is detected.
using Record = std::vector<std::pair<std::string, std::string>>;
std::string record_text(const Record& record);
std::optional<Record> parse_record(std::string_view text);
std::string_view record_value(const Record& record, std::string_view name);  // empty when absent
std::int64_t record_number(const Record& record, std::string_view name,
                           std::int64_t none);  // `none` when it is absent or not a number

void add_identity(Record& record, const FileIdentity& identity);
FileIdentity identity_in(const Record& record);

}  // namespace sightline::store

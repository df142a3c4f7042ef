// Whole files by their path, on disk or in a cloud: what a folder contains, and writing, reading and removing a file. A file that
// is written is complete or absent. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sightline::base {

struct StoredFile {
  std::string path;
  std::int64_t size = 0;
  std::int64_t modified = 0;  // ns since 1970; 0: not known
};

// A name inside a folder. REQUIRES: neither is empty.
std::string path_in(std::string_view folder, std::string_view name);

// The files in a folder and the folders below it, by path. Empty when the folder does not exist.
Result<std::vector<StoredFile>> stored_files(const std::string& folder);

// All bytes of a file. A gzipped file is not decompressed.
Result<std::string> stored_bytes(const std::string& path);

// Replaces a file that is there. Folders are made. On disk the bytes are on the medium before the file has its name.
Result<bool> store_file(const std::string& path, std::string_view bytes);

// The same with the bytes of another file, on disk or in a cloud. A few MB of it are in memory at a time.
Result<bool> store_copy(const std::string& path, const std::string& from);

// The same as store_file unless the file is there: then false. On disk, one of several writers at the same time gets true. In a
// cloud the check and the write are two requests, so two writers at the same moment may both get true; one of their files
// remains.
Result<bool> store_new_file(const std::string& path, std::string_view bytes);

// A file that is gone already is no error.
Result<bool> remove_stored(const std::string& path);

}  // namespace sightline::base

// SourceFiles: what a profile is read from: one file, or those files of a folder that its reader looks at. Together they have an
// identity and a content key, as a single file has.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/file_io.h"

namespace sightline::store {

struct SourceFiles {
  std::string path;                // of the file, or of the folder
  std::vector<std::string> files;  // of the folder, below its path or beside it, or the file and those beside it; empty: the file

  SourceFiles(std::string file) : path(std::move(file)) {}  // NOLINT(google-explicit-constructor): a file is its own source
  SourceFiles(std::string folder, std::vector<std::string> inside) : path(std::move(folder)), files(std::move(inside)) {}
};

// find_identity of the file. Of a folder: the size is that of all files together, the times are the latest, and the inode is a
// hash of all names and identities, so that a file that was added, removed or replaced shows. An Error when one cannot be looked
// at.
Result<FileIdentity> find_identity(const SourceFiles& source);

// content_key of the file; of a folder the same from the names of its files and their content keys: a folder that was copied or
// moved is known again. Of a file that is read with others beside it, only the endings of the names count: the other parts of
// the names do not matter.
Result<std::string> content_key(const SourceFiles& source, const std::atomic<bool>& cancelled);

}  // namespace sightline::store

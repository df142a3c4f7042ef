// The files of a recording on their way to the folder of the results: a private folder that processes write to, and packing.
#pragma once

#include <string>

#include "base/result.h"

namespace sightline::capture {

// A folder of this user alone. It is removed with the object, together with its content.
class PrivateFolder {
 public:
  static Result<PrivateFolder> make(const std::string& in);
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  ~PrivateFolder();

  const std::string& path() const { return path_; }

  // Keeps the folder: it contains files that could not be moved.
  void leave() { path_.clear(); }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

// Makes the folder of the results and checks that a file can be written there. Call it before the recording.
Result<bool> make_result_folder(const std::string& folder);

// Writes the file `from` to `to`, packed with gzip unless it already is. The file
// `to` must not exist. It is packed in pieces, so a trace of gigabytes takes 16 MiB
// of memory: each piece is a gzip stream, and consecutive streams are one file.
Result<bool> store_packed(const std::string& from, const std::string& to);

}  // namespace sightline::capture

// PrivateFolder: a folder of this user alone that is gone, with all in it, when the object is.
#pragma once

#include <string>

#include "base/result.h"

namespace sightline::capture {

class PrivateFolder {
 public:
  static Result<PrivateFolder> make(const std::string& in);
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  ~PrivateFolder();

  const std::string& path() const { return path_; }

  // Leaves it where it is: it holds what could not be brought anywhere else.
  void leave() { path_.clear(); }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

// Makes the folder of the results and tries whether a file can be written there, before anything is recorded.
Result<bool> make_result_folder(const std::string& folder);

}  // namespace sightline::capture

// A folder of this user alone. It is removed with the object, together with its content.
#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace sightline::base {

class PrivateFolder {
 public:
  // Its name is "sightline-", the purpose, and a random part. `in`: the folder above; empty: that of temporary files.
  static Result<PrivateFolder> make(const std::string& purpose, const std::string& in = "");
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

}  // namespace sightline::base

// TemporaryFolder: a folder that is removed, with its content, at the end of the object's life.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace sightline::tests {

class TemporaryFolder {
 public:
  // Below the system's folder for temporary files, or below `parent`: the path of a socket must be short.
  explicit TemporaryFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path())
      : path_((parent / "sightline-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~TemporaryFolder() {
    std::error_code failed;
    std::filesystem::remove_all(path_, failed);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace sightline::tests

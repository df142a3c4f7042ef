// A folder on this machine for temporary files, which is removed at the end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace sightline::fleet {

class WorkFolder {
 public:
  WorkFolder() {
    std::error_code failed;
    std::string name = (std::filesystem::temp_directory_path(failed) / "sightline-fleet-XXXXXX").string();
    if (!failed && ::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  WorkFolder(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }  // empty: it could not be made

 private:
  std::string path_;
};

}  // namespace sightline::fleet

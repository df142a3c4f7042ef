#include "capture/private_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/output_file.h"

namespace sightline::capture {

Result<PrivateFolder> PrivateFolder::make(const std::string& in) {
  std::string path = (std::filesystem::path(in) / "sightline-capture-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) {
    return Error{ErrorCode::unreadable, std::string("cannot create a folder there: ") + std::strerror(errno), in};
  }
  return PrivateFolder(path);
}

PrivateFolder::~PrivateFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Result<bool> make_result_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{ErrorCode::unreadable, "cannot create the folder: " + failed.message(), folder};
  Result<OutputFile> tried = OutputFile::create((std::filesystem::path(folder) / ".sightline").string());  // gone with the object
  if (!tried) return tried.error();
  return true;
}

}  // namespace sightline::capture

#include "base/private_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace sightline::base {

Result<PrivateFolder> PrivateFolder::make(const std::string& purpose, const std::string& in) {
  std::error_code failed;
  const std::filesystem::path above = in.empty() ? std::filesystem::temp_directory_path(failed) : std::filesystem::path(in);
  if (failed) return Error{ErrorCode::unreadable, say("cannot create a folder there: {}", failed.message()), above.string()};
  std::string path = (above / ("sightline-" + purpose + "-XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr)
    return Error{ErrorCode::unreadable, say("cannot create a folder there: {}", std::strerror(errno)), above.string()};
  return PrivateFolder(path);
}

PrivateFolder::~PrivateFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace sightline::base

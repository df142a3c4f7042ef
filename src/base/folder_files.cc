// Disks and clouds, listed alike.
#include "base/folder_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"

namespace sightline::base {

namespace fs = std::filesystem;

Result<std::vector<std::string>> files_in_folder(const std::string& folder) {
  std::vector<std::string> files;
  if (is_remote(folder)) {
    Result<std::vector<RemoteObject>> objects = remote_objects(folder, RemoteDepth::one);
    if (!objects) return objects.error();
    for (RemoteObject& object : *objects) files.push_back(std::move(object.address));
  } else {
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
      std::error_code unknown;
      if (entry->is_regular_file(unknown)) files.push_back(entry->path().string());
    }
    const bool absent = failed == std::errc::no_such_file_or_directory || failed == std::errc::not_a_directory;
    if (failed && !absent) return Error{ErrorCode::unreadable, failed.message(), folder};
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace sightline::base

#include "formats/lake/lake_paths.h"

#include <filesystem>
#include <system_error>

#include "base/remote/remote_path.h"

namespace sightline::formats {

static constexpr std::size_t kFoldersOfLake = 2;  // manifests/capture=ID

std::string lake_of(const std::string& committed) {
  std::error_code failed;
  const std::string path = is_remote(committed) ? committed : std::filesystem::absolute(committed, failed).string();
  std::size_t end = path.rfind('/');
  for (std::size_t i = 0; i < kFoldersOfLake && end != std::string::npos; ++i) end = path.rfind('/', end - 1);
  return end == std::string::npos ? "" : path.substr(0, end + 1);
}

bool is_inside_lake(std::string_view path) {
  return !path.empty() && path.front() != '/' && path.find("..") == std::string_view::npos &&
         path.find("://") == std::string_view::npos && path.find('\0') == std::string_view::npos;
}

}  // namespace sightline::formats

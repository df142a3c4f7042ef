// The files of a folder: all are written before the first takes its name.
#include "output/table_export.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace sightline::output {

namespace {

Result<bool> make_output_folder(const std::string& folder) {
  std::error_code failed;
  if (std::filesystem::is_directory(folder, failed)) return true;
  std::filesystem::create_directory(folder, failed);
  if (!failed) return true;
  return Error{ErrorCode::unreadable, "cannot create the folder: " + failed.message(), folder};
}

}  // namespace

Result<bool> check_output_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::path written = folder;
  if (!written.has_filename()) written = written.parent_path();  // "tables/"
  const bool there = fs::is_directory(written, failed);
  if (!there && fs::exists(written, failed)) return Error{ErrorCode::unreadable, "is a file, not a folder", folder};
  if (!there) written = written.has_parent_path() ? written.parent_path() : ".";
  if (::access(written.c_str(), W_OK | X_OK) == 0) return true;
  const std::string what = there ? "the folder cannot be written: " : "cannot create the folder: ";
  return Error{ErrorCode::unreadable, what + std::strerror(errno), folder};
}

Result<std::vector<std::string>> parse_table_names(const std::string& list) {
  const std::vector<std::string_view> known = table_names();
  if (list.empty()) return std::vector<std::string>(known.begin(), known.end());
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string name = list.substr(at, end - at);
    at = end + 1;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string all;
      for (const std::string_view each : known) all.append(all.empty() ? "" : ", ").append(each);
      return Error{ErrorCode::invalid_argument, fmt::format("no table '{}'; available: {}", name, all), ""};
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

Result<std::int64_t> export_tables(const Profile& profile, const std::vector<std::string>& tables, TableFormat format,
                                   const std::string& folder) {
  const Result<bool> made = make_output_folder(folder);
  if (!made) return made.error();
  std::vector<OutputFile> files;
  std::int64_t bytes = 0;
  for (const std::string& table : tables) {
    const auto path = std::filesystem::path(folder) / (table + "." + std::string(file_ending(format)));
    Result<OutputFile> file = OutputFile::create(path.string());
    if (!file) return file.error();
    files.push_back(*std::move(file));
    const Result<bool> written = write_table(profile, table, format, files.back());
    if (!written) return written.error();
    bytes += files.back().size();
    if (files.back().failed()) return files.back().finish().error();
  }
  for (OutputFile& file : files) {
    const Result<bool> finished = file.finish();
    if (!finished) return finished.error();
  }
  return bytes;
}

}  // namespace sightline::output

// Names of folders and files. Source: what the vendor's profilers write, see docs/formats/ascend.md.
#include "readers/ascend/folder.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace sightline::ascend {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOutput = "ASCEND_PROFILER_OUTPUT";
constexpr std::string_view kToolOutput = "mindstudio_profiler_output";

struct KnownFile {
  std::string_view stem, extension;
  FileKind kind;
};

// A stem may be followed by "_" and digits: a rank or the time of the export.
constexpr KnownFile kFiles[] = {
    {"trace_view", ".json", FileKind::trace},
    {"msprof", ".json", FileKind::trace},
    {"kernel_details", ".csv", FileKind::kernel_details},
    {"op_summary", ".csv", FileKind::kernel_details},
    {"operator_details", ".csv", FileKind::operator_details},
    {"operator_memory", ".csv", FileKind::operator_memory},
    {"memory_record", ".csv", FileKind::memory_record},
    {"npu_module_mem", ".csv", FileKind::module_memory},
    {"step_trace_time", ".csv", FileKind::step_trace_time},
    {"communication", ".json", FileKind::communication},
    {"communication_matrix", ".json", FileKind::communication_matrix},
    {"l2_cache", ".csv", FileKind::l2_cache},
    {"data_preprocess", ".csv", FileKind::data_preprocess},
    {"aicpu", ".csv", FileKind::data_preprocess},
    {"profiler_info", ".json", FileKind::profiler_info},
    {"profiler_metadata", ".json", FileKind::profiler_metadata},
    {"ascend_pytorch_profiler", ".db", FileKind::events_database},
    {"ascend_mindspore_profiler", ".db", FileKind::events_database},
    {"msprof", ".db", FileKind::events_database},
    {"analysis", ".db", FileKind::sums_database},
    {"op_statistic", ".csv", FileKind::other},
    {"api_statistic", ".csv", FileKind::other},
};

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "123", "123.4", "123_456", but no "_x".
bool is_suffix(std::string_view text) {
  const std::size_t cut = text.find_first_of("_.");
  return cut == std::string_view::npos ? is_digits(text) : is_digits(text.substr(0, cut)) && is_suffix(text.substr(cut + 1));
}

// Shown in the worker's own folder: enough to call it a profile.
bool holds_a_profile(std::span<const std::string> files) {
  return std::any_of(files.begin(), files.end(), [](const std::string& name) {
    const std::optional<FileKind> kind = file_kind(name);
    return kind && *kind != FileKind::other && *kind != FileKind::profiler_info && *kind != FileKind::profiler_metadata &&
           *kind != FileKind::communication && *kind != FileKind::sums_database;
  });
}

// Adds the files right in `folder`; those found before stay.
void add_files(const fs::path& folder, Folder& found) {
  std::error_code failed;
  std::map<FileKind, std::string> here;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code unknown;
    const std::optional<FileKind> kind = file_kind(entry->path().filename().string());
    if (!kind || !entry->is_regular_file(unknown)) continue;
    std::string& path = here[*kind];
    path = std::max(path, entry->path().string());
  }
  found.files.merge(here);
}

}  // namespace

std::optional<FileKind> file_kind(std::string_view file_name) {
  for (const KnownFile& known : kFiles) {
    if (!file_name.starts_with(known.stem) || !file_name.ends_with(known.extension)) continue;
    if (file_name.size() < known.stem.size() + known.extension.size()) continue;
    const std::string_view rest =
        file_name.substr(known.stem.size(), file_name.size() - known.stem.size() - known.extension.size());
    if (rest.empty() || (rest[0] == '_' && is_suffix(rest.substr(1)))) return known.kind;
  }
  return std::nullopt;
}

bool claims_folder(const FolderEntries& folder) {
  const auto has = [&](std::string_view name) {
    return std::find(folder.folders.begin(), folder.folders.end(), name) != folder.folders.end();
  };
  if (has(kOutput) || has(kToolOutput)) return true;
  if (folder.name == kOutput || folder.name == kToolOutput) return true;
  const bool named = folder.name.ends_with("_ascend_pt") || folder.name.ends_with("_ascend_ms");
  const auto sure = [](const std::string& name) {  // names that nothing else has
    return name == "trace_view.json" || name == "kernel_details.csv" || name.starts_with("ascend_pytorch_profiler") ||
           name.starts_with("ascend_mindspore_profiler");
  };
  return holds_a_profile(folder.files) && (named || std::any_of(folder.files.begin(), folder.files.end(), sure));
}

ProfileName name_folder(const std::string& path) {
  fs::path folder(path);
  std::string name = folder.filename().string();
  if (name == kOutput || name == kToolOutput) name = folder.parent_path().filename().string();
  std::string_view stem = name;
  for (const std::string_view ending : {"_ascend_pt", "_ascend_ms"}) {
    if (!stem.ends_with(ending)) continue;
    stem.remove_suffix(ending.size());
    const std::size_t cut = stem.rfind('_');
    if (cut != std::string_view::npos && cut > 0 && is_suffix(stem.substr(cut + 1))) {
      return {std::string(stem.substr(0, cut)), std::string(stem.substr(cut + 1))};
    }
    break;
  }
  return {std::string(stem), ""};
}

Result<Folder> open_folder(const std::string& path) {
  Folder found{.path = path, .files = {}};
  const fs::path root(path);
  std::error_code failed;
  if (!fs::is_directory(root, failed)) {
    const std::optional<FileKind> kind = file_kind(root.filename().string());
    if (!kind) return Error{ErrorCode::unsupported, "no file of an Ascend profile", path};
    found.files.emplace(*kind, path);
    return found;
  }
  for (const std::string_view below : {kOutput, kToolOutput}) {
    if (fs::is_directory(root / below, failed)) add_files(root / below, found);
  }
  add_files(root, found);
  const fs::path real = fs::canonical(root, failed);  // "." has a name, too
  if (real.filename() == kOutput || real.filename() == kToolOutput) add_files(real.parent_path(), found);
  return found;
}

}  // namespace sightline::ascend

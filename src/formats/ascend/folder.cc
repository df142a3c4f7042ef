// Names of folders and files. Source: what the vendor's profilers write, see docs/formats/ascend.md.
#include "formats/ascend/folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "base/input_file.h"
#include "base/remote/remote_path.h"
#include "base/text.h"
#include "formats/common/decimal.h"
#include "formats/common/rank_in_name.h"
#include "formats/tables/database.h"

namespace sightline::formats::ascend {

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
    {"op_statistic", ".csv", FileKind::op_statistic},
    {"api_statistic", ".csv", FileKind::api_statistic},
};

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "123", "123.4", "123_456", but no "_x".
bool is_suffix(std::string_view text) {
  const std::size_t cut = text.find_first_of("_.");
  return cut == std::string_view::npos ? is_digits(text) : is_digits(text.substr(0, cut)) && is_suffix(text.substr(cut + 1));
}

// Made from a recording, and not only about it.
bool is_analysis(FileKind kind) {
  return kind != FileKind::other && kind != FileKind::profiler_info && kind != FileKind::profiler_metadata;
}

// Shown in the worker's own folder: enough to be a profile.
bool holds_a_profile(std::span<const std::string> files) {
  return std::any_of(files.begin(), files.end(), [](const std::string& name) {
    const std::optional<FileKind> kind = file_kind(name);
    return kind && is_analysis(*kind) && *kind != FileKind::communication && *kind != FileKind::sums_database;
  });
}

bool is_database(FileKind kind) { return kind == FileKind::events_database || kind == FileKind::sums_database; }

// "x.db-wal", "x.db-journal"
bool is_database_log(std::string_view file_name) {
  const std::size_t cut = file_name.rfind('-');
  if (cut == std::string_view::npos || (file_name.substr(cut) != "-wal" && file_name.substr(cut) != "-journal")) return false;
  const std::optional<FileKind> kind = file_kind(file_name.substr(0, cut));
  return kind && is_database(*kind);
}

// The kind of a database, by its tables.
Result<FileKind> kind_of_database(const std::string& path) {
  const Result<Database> database = Database::open(path, nullptr);
  if (!database) return database.error();
  const auto has_any = [&](std::initializer_list<std::string_view> tables) {
    return std::any_of(tables.begin(), tables.end(), [&](std::string_view table) { return database->has(table); });
  };
  if (has_any({"TASK", "PYTORCH_API", "CANN_API", "COMMUNICATION_OP"})) return FileKind::events_database;
  if (has_any({"StepTraceTime", "CommAnalyzerTime", "CommAnalyzerMatrix"})) return FileKind::sums_database;
  return Error{ErrorCode::unsupported, "a database without any table of an Ascend profile", path + ":0"};
}

// Adds the files directly in `folder`; those found before stay.
Result<bool> add_files(const fs::path& folder, Folder& found) {
  const Result<std::vector<std::string>> files = files_in_folder(folder.string());
  if (!files) return files.error();
  std::map<FileKind, std::vector<std::string>> here;
  for (const std::string& file : *files) {
    const std::string name = fs::path(file).filename().string();
    if (const std::optional<FileKind> kind = file_kind(name)) here[*kind].push_back(file);
    if (is_database_log(name)) found.logs.push_back(file);
  }
  for (auto& [kind, same] : here) {
    std::sort(same.begin(), same.end(), natural_less);
    const bool taken = found.files.emplace(kind, same.back()).second;
    same.pop_back();
    if (taken && !same.empty()) found.passed_over.emplace(kind, std::move(same));
  }
  return true;
}

// Recorded but not analysed: raw data of devices and of the framework.
bool holds_raw_data(std::span<const std::string> folders) {
  return std::any_of(folders.begin(), folders.end(), [](std::string_view name) {
    return name == "FRAMEWORK" || name == "host" || name.starts_with("PROF_") || name.starts_with("device_");
  });
}

bool is_raw(const fs::path& folder) {
  std::error_code failed;
  std::vector<std::string> below;
  if (is_remote(folder.native())) return true;  // the path was claimed as one
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    below.push_back(entry->path().filename().string());
  }
  return holds_raw_data(below);
}

bool is_output(const fs::path& name) { return name == kOutput || name == kToolOutput; }

// What the command-line profiler wrote below a folder of raw data: "PROF_.../mindstudio_profiler_output", the last by name.
std::optional<fs::path> output_below(const fs::path& folder) {
  std::error_code failed;
  std::optional<fs::path> last;
  if (is_remote(folder.native())) return last;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const fs::path output = entry->path() / kToolOutput;
    std::error_code unknown;
    if (!entry->path().filename().string().starts_with("PROF_") || !fs::is_directory(output, unknown)) continue;
    if (!last || natural_less(last->native(), output.native())) last = output;
  }
  return last;
}

// "profiler_info_3.json" is of rank 3.
std::optional<std::int64_t> rank_in_names(std::span<const std::string> files) {
  for (const std::string& name : files) {
    if (file_kind(name) != FileKind::profiler_info) continue;
    const std::string stem = fs::path(name).stem().string();
    if (const auto rank = parse_integer(stem.substr(stem.rfind('_') + 1))) return rank;
  }
  return std::nullopt;
}

// A folder's own name, also for ".".
fs::path named(const fs::path& folder) {
  std::error_code failed;
  const fs::path canonical = is_remote(folder.native()) ? folder : fs::canonical(folder, failed);
  return failed ? folder : canonical;
}

}  // namespace

std::optional<FileKind> file_kind(std::string_view file_name) {
  if (file_name.ends_with(".json.gz") || file_name.ends_with(".csv.gz")) file_name.remove_suffix(3);
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
  const auto sure = [](const std::string& name) {  // names that only these profiles have
    return name == "trace_view.json" || name == "trace_view.json.gz" || name == "kernel_details.csv" ||
           name.starts_with("ascend_pytorch_profiler") || name.starts_with("ascend_mindspore_profiler");
  };
  if ((named || folder.name.starts_with("PROF_")) && holds_raw_data(folder.folders)) return true;
  return holds_a_profile(folder.files) && (named || std::any_of(folder.files.begin(), folder.files.end(), sure));
}

bool is_of_all_ranks(std::string_view file_name) {
  constexpr std::array<std::string_view, 4> kNames = {"cluster_step_trace_time.csv", "cluster_communication.json",
                                                      "cluster_communication_matrix.json", "cluster_analysis.db"};
  return std::find(kNames.begin(), kNames.end(), file_name) != kNames.end();
}

ProfileName name_folder(const std::string& path, const FolderEntries& entries) {
  fs::path folder(path);
  std::string name = folder.filename().string();
  if (name == kOutput || name == kToolOutput) name = folder.parent_path().filename().string();
  const std::optional<std::int64_t> rank = rank_in_names(entries.files);
  std::string_view stem = name;
  for (const std::string_view ending : {"_ascend_pt", "_ascend_ms"}) {
    if (!stem.ends_with(ending)) continue;
    stem.remove_suffix(ending.size());
    const std::size_t cut = stem.rfind('_');
    if (cut == std::string_view::npos || cut == 0 || !is_suffix(stem.substr(cut + 1))) break;
    const std::string_view worker = stem.substr(0, cut), number = stem.substr(cut + 1);
    const bool is_rank = rank ? parse_integer(number) == rank : is_rank_by_name(worker, number);
    if (is_rank) break;  // not a time
    return {std::string(worker), std::string(number), rank};
  }
  return {std::string(stem), "", rank};
}

Result<Folder> open_folder(const std::string& path) {
  Folder found{.path = path, .single = false, .files = {}, .passed_over = {}, .logs = {}, .raw = false};
  const std::size_t last = path.find_last_not_of('/');
  const fs::path root(path.substr(0, last == std::string::npos ? 1 : last + 1));
  const std::optional<FileKind> kind = file_kind(root.filename().string());
  std::error_code failed;
  if (is_remote(path) ? kind || path.ends_with(".db") : !fs::is_directory(root, failed)) {
    const Result<FileKind> known = kind ? *kind : kind_of_database(path);
    if (!known) return known.error();
    found.single = true;
    found.files.emplace(*known, path);
    const bool may_have_logs = is_database(*known) && !is_remote(path);
    for (const char* ending : {"-wal", "-journal"}) {
      const std::string log = root.string() + ending;
      if (may_have_logs && fs::exists(log, failed)) found.logs.push_back(log);
    }
    return found;
  }
  std::vector<fs::path> folders = {root / kOutput, root / kToolOutput, root};
  if (const fs::path name = named(root); is_output(name.filename())) folders.push_back(name.parent_path());
  for (const fs::path& folder : folders) {
    if (const Result<bool> added = add_files(folder, found); !added) return added.error();
  }
  const auto analysed = [&] {
    return std::any_of(found.files.begin(), found.files.end(), [](const auto& file) { return is_analysis(file.first); });
  };
  if (const auto below = analysed() ? std::nullopt : output_below(root)) {
    if (const Result<bool> added = add_files(*below, found); !added) return added.error();
  }
  found.raw = !analysed() && is_raw(root);
  return found;
}

Message Folder::why_empty() const {
  if (!raw) return say("it contains no file of an Ascend profile");
  return say(
      "it contains raw data that is not analysed yet: run torch_npu.profiler.profiler.analyse(folder), or msprof --export=on, "
      "on a machine with the profiler");
}

Result<std::vector<std::string>> files_of(const std::string& path) {
  const Result<Folder> folder = open_folder(path);
  if (!folder) return folder.error();
  std::vector<std::string> files;
  if (folder->single && folder->logs.empty()) return files;  // it is its own source
  for (const auto& [kind, file] : folder->files) {
    if (kind != FileKind::other) files.push_back(file);
  }
  files.insert(files.end(), folder->logs.begin(), folder->logs.end());
  return files;
}

}  // namespace sightline::formats::ascend

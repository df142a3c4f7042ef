// The folders of Ascend profiles, and the kind of each file in them.
//
//   {worker}_{digits}_ascend_pt/ASCEND_PROFILER_OUTPUT/...    as the framework's profiler writes it
//   rank0_ascend_pt, x_ascend_ms, ASCEND_PROFILER_OUTPUT      the same under looser names
//   PROF_*/mindstudio_profiler_output/...                     as the vendor's command-line profiler writes it, also below
//                                                             raw data of the framework's
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/reader.h"

namespace sightline::formats::ascend {

// The kind of a file, by its name alone; variants in brackets: "op_summary_20260522113006.csv",
// "ascend_pytorch_profiler_0.db".
enum class FileKind : std::uint8_t {
  trace,
  kernel_details,
  operator_details,
  operator_memory,
  memory_record,
  module_memory,
  step_trace_time,
  communication,
  communication_matrix,
  l2_cache,
  data_preprocess,
  op_statistic,
  api_statistic,
  profiler_info,
  profiler_metadata,
  events_database,
  sums_database,
  other  // of a profile, but not needed
};

// nullopt: not a file of an Ascend profile.
std::optional<FileKind> file_kind(std::string_view file_name);

struct Folder {
  std::string path;                       // as it was given
  bool single = false;                    // the path is a file
  std::map<FileKind, std::string> files;  // by kind; if several have one kind, the last in natural order, which is the newest
  std::map<FileKind, std::vector<std::string>> passed_over;  // the others of its kind in its folder
  std::vector<std::string> logs;                             // of its databases: changes not yet written into them

  bool raw = false;  // it has recorded data, and nothing made from it

  // Why there is no file to read, for a person.
  Message why_empty() const;

  const std::string* file(FileKind kind) const {
    const auto at = files.find(kind);
    return at == files.end() ? nullptr : &at->second;
  }
};

bool claims_folder(const FolderEntries& folder);

// Whether the vendor's tool made a file of this name for all ranks.
bool is_of_all_ranks(std::string_view file_name);

// Worker, span and rank of the folder at a canonical path. A "profiler_info_3.json" in it makes it rank 3, before any rule
// about the folder's name: "rank_3_ascend_pt" is then a separate worker, not span 3 of "rank".
ProfileName name_folder(const std::string& path, const FolderEntries& folder);

// The files of a capture's folder, or of a single file, on disk or in a cloud. Whether a cloud path is a file follows from
// its name. A database with an unknown name is known by its tables. unreadable: a folder cannot be listed. unsupported: a
// file that belongs to no profile.
Result<Folder> open_folder(const std::string& path);

// All files that reading a capture looks at: Reader::files_of. None for a file with nothing beside it.
Result<std::vector<std::string>> files_of(const std::string& path);

}  // namespace sightline::formats::ascend

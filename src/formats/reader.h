// Reader: one profile format. `sniff` looks at the first 64 KiB (decompressed) and the path; `read` streams the bytes into a
// Profile. A reader knows no view. A new format is a folder here and a line in registry.h and registry.cc.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.h"
#include "base/result.h"
#include "model/profile.h"

namespace sightline::formats {

// How far a read has come, and what ends it early. The reader writes it; any thread may read it at any time.
struct ReadProgress {
  std::atomic<std::int64_t> bytes_done{0};  // of the file on disk
  std::atomic<std::int64_t> bytes_total{0};
  std::atomic<std::int64_t> text_bytes{0};  // after decompression
  std::atomic<std::int64_t> events{0};
  std::atomic<const char*> stage{"queued"};  // a static string: what is being done
  std::atomic<bool> cancelled{false};        // set by the caller; the read ends with ErrorCode::cancelled
  MemoryLimit memory;                        // set by the caller; when it is reached, the read ends with what it has

  bool is_over() { return cancelled || memory.reached(); }
};

struct ReadOptions {
  unsigned threads = 0;              // 0: all cores
  std::size_t window_bytes = 0;      // 0: the reader's choice; small values are for tests
  ReadProgress* progress = nullptr;  // may be null
};

// `stage` is a static string.
inline void set_stage(const ReadOptions& options, const char* stage) {
  if (options.progress != nullptr) options.progress->stage = stage;
}

// The name of a file in the run > worker > span hierarchy.
struct ProfileName {
  std::string worker;
  std::string span_stamp;  // a number: a time of this worker; a text: a session that workers share; empty: the only span
  std::optional<std::int64_t> rank = std::nullopt;  // in the job, if known without reading: then each rank is a worker
};

// The entries of a directory, by name.
struct FolderEntries {
  std::string_view name;  // of the directory itself
  std::span<const std::string> files, folders;
};

// A reading under way (read_context.h).
class ReadContext;

// A format declares what is special about it; the comments give the defaults of the rest. Callers use the functions.
struct Reader {
  std::string_view id;     // "pytorch"
  std::string_view title;  // "PyTorch (Kineto) trace"
  // The endings of its files' names, before ".gz".
  std::vector<std::string_view> endings = {};
  // Default: a file with one of the endings.
  bool (*claims_file)(std::string_view file_name) = nullptr;
  // Default: every file that is claimed.
  bool (*sniff_file)(std::string_view file_name, std::string_view head) = nullptr;
  // Default: the worker is the file's name without its ending.
  ProfileName (*name_file)(std::string_view file_name) = nullptr;
  // Reads the capture into the tables of a profile. Damage that the reader survives becomes rows in Profile::problems;
  // other damage is an Error whose `where` is "file:byte".
  Result<std::unique_ptr<Profile>> (*read_capture)(ReadContext& context) = nullptr;
  // Default: the line at byte `source`.
  Result<std::string> (*text_at)(const std::string& path, std::int64_t source) = nullptr;
  // The usual names of the devices, their matrix units and their cores. Default: what read_capture set.
  struct Words {
    std::string_view device = {}, matrix = {}, core = {};
  } words = {};
  // For a format whose recordings are read together with the compiled program in another file: what the program is, and the
  // command's option for it.
  struct Program {
    std::string_view name = {}, ending = {}, option = {};
    std::string_view recording = {};  // what the recording is called beside it
  } program = {};
  // For formats that write a folder of files: whether a directory is one capture (then nothing below it is searched), and
  // the worker and span of the folder at a canonical path with these entries. `read` and `event_text` also take the
  // folder's path.
  bool (*claims_folder)(const FolderEntries& folder) = nullptr;
  ProfileName (*name_folder)(const std::string& path, const FolderEntries& folder) = nullptr;
  // Whether such a capture is only those files of the folder that the reader claims by name: the search goes on with the others,
  // and below the folder.
  bool leaves_other_files = false;
  // For a folder, or a file that is the only entry of its folder, that belongs to the format but is not a capture: a
  // sentence that tells the user what to open instead. Empty for everything else.
  std::string_view (*instead_of)(const FolderEntries& folder) = nullptr;
  // For formats that put their files into folders below a run: how many folders at the end of a file's canonical path
  // belong to that layout, and the span that they name; 0 if the file is not in such folders. `run`: its name, if the
  // layout has one other than the folder's.
  struct Layout {
    std::size_t folders = 0;
    std::string span_stamp = {};
    std::string run = {};
  };
  Layout (*layout)(const std::string& path) = nullptr;
  // Whether its profiles have tables that others lack, so that a statement cannot be checked before the profile is read.
  bool has_own_tables = false;
  // All files that `read` would read for a folder that is a capture, or together with a file, as full paths in order. Empty
  // for a file that is read alone. A change of one of them is a change of the capture.
  Result<std::vector<std::string>> (*files_of)(const std::string& path) = nullptr;

  // True when a directory scan should take the file, by its name alone.
  bool claims(std::string_view file_name) const;
  // True when the first bytes look like this format.
  bool sniff(std::string_view file_name, std::string_view head) const;
  // Worker and span of a file of this name.
  ProfileName name(std::string_view file_name) const;
  // Reads the capture at `path`. The profile has everything that is the same for all formats (its file and format, the
  // words for its devices, its span, the damage of its compression), and the progress ends complete.
  Result<std::unique_ptr<Profile>> read(const std::string& path, const ReadOptions& options) const;
  // The event at `source` (a slices.source value) as text, found again in the file.
  Result<std::string> event_text(const std::string& path, std::int64_t source) const;
};

std::span<const Reader> readers();

}  // namespace sightline::formats

// Reader: one profile format. `sniff` judges by the first 64 KiB (decompressed) and the path, `read` streams the
// bytes into a Profile. A reader knows no view. Adding a format = a folder here and a line in registry.cc.
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

// How far a read has come, written by the reader and read by anyone at any time; and what ends it early.
struct ReadProgress {
  std::atomic<std::int64_t> bytes_done{0};  // of the file on disk
  std::atomic<std::int64_t> bytes_total{0};
  std::atomic<std::int64_t> text_bytes{0};  // after decompression
  std::atomic<std::int64_t> events{0};
  std::atomic<const char*> stage{"queued"};  // a static string: what is being done
  std::atomic<bool> cancelled{false};        // set by the caller; the read ends with ErrorCode::cancelled
  MemoryLimit memory;                        // set by the caller; where it is reached, the read ends with what it has
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

// What a file is called in the run > worker > span hierarchy.
struct ProfileName {
  std::string worker;
  std::string span_stamp;  // a number: a time of the worker's own; a text: a session that workers share; empty: the only span
  std::optional<std::int64_t> rank = std::nullopt;  // in the job, where that is known without reading: ranks are workers apart
};

// What a directory holds, by name.
struct FolderEntries {
  std::string_view name;  // of the directory itself
  std::span<const std::string> files, folders;
};

// A reading under way (read_context.h).
class ReadContext;

// A format declares what is special about it; the comments name the defaults of the rest. Callers use the functions.
struct Reader {
  std::string_view id;     // "pytorch"
  std::string_view title;  // "PyTorch (Kineto) trace"
  // What the names of its files end with, before ".gz".
  std::vector<std::string_view> endings = {};
  // Default: a file with one of the endings.
  bool (*claims_file)(std::string_view file_name) = nullptr;
  // Default: a file that is claimed.
  bool (*sniff_file)(std::string_view file_name, std::string_view head) = nullptr;
  // Default: the worker is the file's name without its ending.
  ProfileName (*name_file)(std::string_view file_name) = nullptr;
  // Reads the capture into the tables of a profile. Damage that can be survived becomes rows in Profile::problems; the rest is
  // an Error whose `where` is "file:byte".
  Result<std::unique_ptr<Profile>> (*read_capture)(ReadContext& context) = nullptr;
  // Default: the line at byte `source`.
  Result<std::string> (*text_at)(const std::string& path, std::int64_t source) = nullptr;
  // What people call the devices, their matrix units and their cores. Default: what read_capture said.
  struct Words {
    std::string_view device = {}, matrix = {}, core = {};
  } words = {};
  // Formats that write a folder of files: whether a directory is one capture (nothing below it is looked into then), and
  // the worker and span of the folder at a canonical path, with what it holds. `read` and `event_text` take the folder's path as
  // well.
  bool (*claims_folder)(const FolderEntries& folder) = nullptr;
  ProfileName (*name_folder)(const std::string& path, const FolderEntries& folder) = nullptr;
  // What to open instead of a folder, or of a file that is its only entry, which belongs to the format and is no capture: a
  // sentence for a person; empty when it is nothing of the kind.
  std::string_view (*instead_of)(const FolderEntries& folder) = nullptr;
  // Formats that lay their files out below a run in folders of their own: how many of the folders at the end of a file's
  // canonical path are of that layout, and what they say of its span; 0 when the file does not lie so.
  struct Layout {
    std::size_t folders = 0;
    std::string span_stamp = {};
  };
  Layout (*layout)(const std::string& path) = nullptr;
  // All files that `read` would look at in a folder that is a capture, or with a file that is read together with others beside
  // it, by full path and in order; none for a file that is read alone. Whether the capture has changed is told by them.
  Result<std::vector<std::string>> (*files_of)(const std::string& path) = nullptr;

  // True when a directory scan should take the file, by its name alone.
  bool claims(std::string_view file_name) const;
  // True when the first bytes look like this format.
  bool sniff(std::string_view file_name, std::string_view head) const;
  // Worker and span of a file of this name.
  ProfileName name(std::string_view file_name) const;
  // Reads the capture at `path`: the profile has all that is the same for every format (its file and format, the words for its
  // devices, its span, the damage of its compression), and the progress ends complete.
  Result<std::unique_ptr<Profile>> read(const std::string& path, const ReadOptions& options) const;
  // The event at `source` (a slices.source value) as text, found again in the file.
  Result<std::string> event_text(const std::string& path, std::int64_t source) const;
};

std::span<const Reader> readers();

}  // namespace sightline::formats

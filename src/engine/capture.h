// Capture: one reading of one file: where the file is, what its bytes are called, how far reading has come, and what is known
// once it is read. A file that has changed is read into a capture of its own, which takes the place of the old one when it is
// ready; holders of the old one keep a valid snapshot. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/ranks/rank_summary.h"
#include "base/result.h"
#include "engine/discover.h"
#include "engine/loaded_profile.h"
#include "formats/reader.h"
#include "model/profile.h"
#include "store/content_key.h"
#include "store/profile_cache.h"

namespace sightline::engine {

enum class LoadStatus { queued, reading, ready, failed };

constexpr std::string_view load_status_name(LoadStatus status) {
  switch (status) {
    case LoadStatus::queued: return "queued";
    case LoadStatus::reading: return "reading";
    case LoadStatus::ready: return "ready";
    case LoadStatus::failed: return "failed";
  }
  return "queued";
}

// Names one profile; empty members mean "the first".
struct ProfileSelector {
  std::string run = {};
  std::string worker = {};
  std::string span = {};
};

// The page's address of a profile, below that of the page itself: "?run=...&worker=...&span=...".
std::string place_query(const ProfileSelector& selector);

// A text as a part of a query: what could end it or has another meaning there is escaped.
std::string query_escaped(std::string_view text);

// ---- what the list of profiles says about one that is ready ----

struct CaptureFact {
  std::string label;
  std::string text;
};

struct CaptureSummary {
  std::vector<CaptureFact> facts;                                     // only those that are known
  std::int64_t problems = 0;                                          // warnings and errors; notes are not counted
  Message caution;                                                    // see caution_of
  std::vector<std::pair<std::string, std::optional<Message>>> views;  // id, and why it is not available
};

// The code of the problem of a profile that was read in part because memory was short.
inline constexpr std::string_view kMemoryLimit = "memory_limit";

// What must be shown beside every number of the profile, because it concerns all of them; usually empty.
Message caution_of(const Profile& profile);

CaptureSummary summarise(const Profile& profile, std::span<const Analysis> analyses);

// ---- the bytes of a capture ----

// The file, or the files of the folder that the reader uses now; for a folder that is gone, only its path.
SourceFiles source_of(const Reader& reader, const std::string& path);

// find_identity of the source. For a folder that holds nothing to read: a value that changes when a file is added.
Result<FileIdentity> find_identity_of_capture(const Reader& reader, const std::string& path);
std::optional<FileIdentity> identity_of_capture(const Reader& reader, const std::string& path);

// The content key of a capture (store/content_key.h), computed at the first request.
struct ContentOfFile {
  std::mutex mutex;  // guards `key`, and is held while it is computed
  std::string path;
  const Reader* reader = nullptr;
  std::optional<FileIdentity> identity;  // before it was read; set before the capture is ready
  std::string key;                       // empty: not known yet
  std::atomic<bool> removed{false};      // from the catalogue, for good: it is not written to the cache any more

  // The key. unavailable when the file was replaced after it was read.
  Result<std::string> find_key(const std::atomic<bool>& cancelled);

  bool unchanged() const { return identity && identity_of_capture(*reader, path) == identity; }
};

// The name of a profile by its content, the same wherever its files are and whatever they are called: "n_" and 40 hexadecimal
// digits, of a content key (store/content_key.h).
std::string profile_name(std::string_view content_key);

// ---- the capture ----

// What is known about a capture at one moment (a copy, safe to keep).
struct CaptureState {
  std::string run, worker, span, file;
  Message note;  // what the user should know about its name or its file; usually empty
  LoadStatus status = LoadStatus::queued;
  std::string_view stage;
  std::int64_t bytes_done = 0, bytes_total = 0, text_bytes = 0, events = 0;
  std::int64_t readings = 1;  // how often the file was read: a new number means new content
  double seconds = 0;         // reading time so far, or in total
  std::optional<Error> error;
  ProfilePtr profile;                             // when ready and open: see Answers::profile
  std::shared_ptr<const CaptureSummary> summary;  // when ready
};

class Capture {
 public:
  // `given_run`: the name that the user gave to its run, whatever folder the file is in; empty: none.
  Capture(const FoundFile& file, const std::string& given_run);

  // A profile of the cache; its file may be gone.
  Capture(const CatalogueEntry& entry, const Reader& reader);

  // Another reading of the same file.
  explicit Capture(const std::shared_ptr<Capture>& before);

  const std::string path;
  const std::string directory;  // canonical
  const std::string run;        // before run names are distinguished
  const std::string file;       // as shown
  const std::string stamp;      // of its span, as the file name carries it
  const std::string role;       // of its rank in a job of several roles (discover.h); usually empty
  const Reader* const reader;
  const bool named;       // `run` was given by the user
  const bool from_cache;  // opened from the cache by its content
  const bool uploaded;    // sent by a client; its path on this machine is not shown
  const std::int64_t readings = 1;
  const std::weak_ptr<Capture> replaces;  // the one whose place this takes when it is ready
  const std::shared_ptr<ContentOfFile> content = std::make_shared<ContentOfFile>();
  ReadProgress progress;
  std::atomic<std::int64_t> last_use{0};  // see OpenProfiles
  std::atomic<bool> used{false};          // from the cache, and it was viewed
  std::mutex opening;                     // held while the profile is opened again; taken before all other locks

  // Where the catalogue shows it, with a note for the user that is usually empty.
  void set_name(ProfileSelector name, Message note);
  ProfileSelector name() const;

  // What the user should know about the file now; usually empty.
  void set_remark(Message remark);

  void begin_reading();
  void set_ready(LoadedProfilePtr opened, CaptureSummary summary);
  void set_failed(Error error);
  void queue_again();                         // REQUIRES: it failed, or was not read yet
  void set_again_failed(const Error& error);  // another reading failed; this one is still valid

  LoadStatus status() const;
  std::optional<Error> not_ready() const;                 // why it is not ready; nothing when it is
  std::optional<Error> error() const;                     // of a capture that failed
  std::shared_ptr<const CaptureSummary> summary() const;  // null unless ready
  bool lacks(std::string_view view) const;                // it is ready and cannot have this view
  double seconds() const;                                 // reading time so far, or in total
  CaptureState state() const;

  // The profile: null unless ready, and while it is closed. close() returns it, so that the caller frees it without a lock.
  LoadedProfilePtr opened() const;
  void open(LoadedProfilePtr profile);
  LoadedProfilePtr close();

  // What views across ranks need; kept when the profile is closed. REQUIRES: the profile is open, or this was called before.
  RankSummaryPtr rank();

  // The same of each rank, if it is the capture of a job's sums; else rank() alone.
  const std::vector<RankSummaryPtr>& ranks();

  // What the history of runs needs of it, once it was set; null before. It is kept when the profile is closed.
  RunFiguresPtr figures() const;
  void set_figures(RunFiguresPtr figures);

  // What the cache stores about it beside the columns; the second constructor reads it back. REQUIRES: it was read.
  Record about() const;

  // The directory that names its run: of a role, the one above.
  std::string run_directory() const;

  // Distinguishes the files of one directory; files of one layout of folders differ by the stamp.
  std::string file_name() const;

  // What to call the file in errors and views.
  const std::string& shown_path() const { return uploaded ? file : path; }

 private:
  Message note() const;
  double seconds_reading() const;

  mutable std::mutex mutex_;  // guards what follows; no other lock is taken under it
  ProfileSelector name_;
  Message name_note_;
  Message remark_;
  std::optional<Error> again_failed_;
  LoadStatus status_ = LoadStatus::queued;
  std::chrono::steady_clock::time_point began_;
  double seconds_ = 0;
  LoadedProfilePtr opened_;
  std::shared_ptr<const CaptureSummary> summary_;
  std::optional<Error> error_;
  RunFiguresPtr figures_;

  std::once_flag rank_once_;
  RankSummaryPtr rank_;                // set once
  std::vector<RankSummaryPtr> ranks_;  // likewise
};

using CapturePtr = std::shared_ptr<Capture>;

}  // namespace sightline::engine

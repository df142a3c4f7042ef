// Engine::Capture: one capture file, its place among runs, workers and spans, and how far its loading has come.
// Only the engine's own files include this.
#pragma once

#include "engine/content_of_file.h"
#include "engine/engine.h"

namespace sightline::engine {

// A capture that has become ready.
struct Engine::Loaded {
  LoadedProfilePtr opened;
  std::shared_ptr<const CaptureSummary> summary;
};

struct Engine::Capture {
  explicit Capture(const FoundFile& file);
  explicit Capture(const CatalogueEntry& entry);
  explicit Capture(CapturePtr before);  // to read the same file again

  Place place;
  std::string path;
  std::string directory;  // canonical
  std::string run;        // before run names are distinguished
  const Reader* reader = nullptr;
  bool named = false;         // the run was given its name, whatever folder it is in
  bool in_catalogue = false;  // it is opened from the cache by its content; its file may be gone
  ReadProgress progress;
  std::shared_ptr<ContentOfFile> content = std::make_shared<ContentOfFile>();

  // Guarded by the engine's mutex.
  LoadStatus status = LoadStatus::queued;
  std::chrono::steady_clock::time_point began;
  double seconds = 0;  // once read
  std::int64_t readings = 1;
  mutable LoadedProfilePtr opened;  // null unless ready, and when closed: see Engine::open
  mutable std::int64_t last_use = 0;
  std::shared_ptr<const CaptureSummary> summary;
  std::optional<Error> error;

  // What watching knows, guarded by the engine's mutex as well.
  bool settling = false;              // new, and not read until its file stays as it is
  std::optional<FileIdentity> tried;  // of the file as it was last read, or is being read
  std::optional<FileIdentity> seen;   // another one, at the last look
  std::string remark;                 // what a person should know of the file by now; usually empty
  std::optional<Error> again_failed;  // why it could not be read again; what was read before is still here
  CapturePtr replaces;                // the one whose place this takes when it is ready

  mutable std::mutex opening;        // held while it is opened again
  mutable std::once_flag rank_once;  // before the profile is closed
  mutable RankSummaryPtr rank;
  mutable std::atomic<bool> used{false};  // from the catalogue, and it was viewed

  std::string file_name() const;
  double seconds_reading() const;
  Message note() const;  // what a person should know of its name and its file; usually empty
  CaptureState state() const;

  // What the cache remembers of it beside its columns; the catalogue's constructor reads it back. REQUIRES: it was read.
  Record about() const;

  // Whether it was read and cannot have this view.
  bool lacks(std::string_view view) const;

  // Why it is not ready; nothing when it is.
  std::optional<Error> not_ready() const;
};

}  // namespace sightline::engine

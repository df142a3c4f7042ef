// Engine::Capture: one capture file, its place among runs, workers and spans, and how far its loading has come.
// Only the engine's own files include this.
#pragma once

#include "engine/content_of_file.h"
#include "engine/engine.h"

namespace sightline {

struct Engine::Capture {
  explicit Capture(const FoundFile& file);
  explicit Capture(const CatalogueEntry& entry);

  Place place;
  std::string path;
  std::string directory;  // canonical
  std::string run;        // before run names are told apart
  const Reader* reader = nullptr;
  bool in_catalogue = false;  // it is opened from the cache by its content; its file may be gone
  ReadProgress progress;
  std::shared_ptr<ContentOfFile> content = std::make_shared<ContentOfFile>();

  // Guarded by the engine's mutex.
  LoadStatus status = LoadStatus::queued;
  std::chrono::steady_clock::time_point began;
  double seconds = 0;  // once read
  ProfilePtr profile;
  std::shared_ptr<const CaptureSummary> summary;
  std::optional<Error> error;

  // Made by whoever needs it first.
  mutable std::once_flag timeline_once;
  mutable std::shared_ptr<const Timeline> timeline;
  mutable std::atomic<bool> used{false};  // from the catalogue, and somebody looked at it

  std::string file_name() const;
  double seconds_reading() const;
  CaptureState state() const;

  // What the cache remembers of it beside its columns; the catalogue's constructor reads it back. REQUIRES: it was read.
  Record about() const;

  // The capture's profile, or why there is none yet.
  Result<ProfilePtr> loaded() const;
};

}  // namespace sightline

// Engine::Capture: one capture file, its place among runs, workers and spans, and how far its loading has come.
// Only the engine's own files include this.
#pragma once

#include "engine/engine.h"

namespace sightline {

struct Engine::Capture {
  explicit Capture(const FoundFile& file);

  Place place;
  std::string path;
  std::string directory;  // canonical
  const Reader* reader = nullptr;
  ReadProgress progress;

  // Guarded by the engine's mutex.
  LoadStatus status = LoadStatus::queued;
  std::chrono::steady_clock::time_point began;
  double seconds = 0;  // once read
  ProfilePtr profile;
  std::shared_ptr<const Timeline> timeline;  // when the engine was asked to build them
  std::shared_ptr<const CaptureSummary> summary;
  std::optional<Error> error;

  std::string file_name() const;
  double seconds_reading() const;
  CaptureState state() const;

  // The capture's profile, or why there is none yet.
  Result<ProfilePtr> loaded() const;
};

}  // namespace sightline

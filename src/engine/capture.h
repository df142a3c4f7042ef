// Engine::Capture: one capture file, its place among runs, workers and spans, and how far its loading has come.
// Only the engine's own files include this.
#pragma once

#include "engine/engine.h"
#include "store/checksum.h"
#include "store/file_io.h"

namespace sightline {

// What the bytes of a capture's file are called, found out when it is first asked for.
struct ContentOfFile {
  std::mutex mutex;
  std::string path;
  std::optional<FileIdentity> identity;  // when it was read; set before the capture is ready
  std::string key;                       // guarded by the mutex; empty: not known yet

  // The key, or why it cannot be told.
  Result<std::string> find_key(const std::atomic<bool>& cancelled);
};

struct Engine::Capture {
  explicit Capture(const FoundFile& file);

  Place place;
  std::string path;
  std::string directory;  // canonical
  const Reader* reader = nullptr;
  ReadProgress progress;
  std::shared_ptr<ContentOfFile> content = std::make_shared<ContentOfFile>();

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

// Captures: snapshots and order.
#include "engine/capture.h"

#include <filesystem>

namespace sightline {

Result<std::string> ContentOfFile::find_key(const std::atomic<bool>& cancelled) {
  const std::lock_guard lock(mutex);
  if (!key.empty()) return key;
  const Error changed{ErrorCode::unavailable, "the file has changed since it was read", path};
  if (!identity || identity_of(path) != identity) return changed;
  Result<std::string> found = sightline::content_key(path, cancelled);
  if (!found) return found;
  if (identity_of(path) != identity) return changed;
  key = *found;
  return found;
}

Engine::Capture::Capture(const FoundFile& file) : path(file.path), directory(file.directory), reader(file.reader) {
  place.worker = file.name.worker;
  place.stamp = file.name.span_stamp;
  place.file = file.shown;
  content->path = path;
}

std::string Engine::Capture::file_name() const { return std::filesystem::path(path).filename().string(); }

double Engine::Capture::seconds_reading() const {
  if (status != LoadStatus::reading) return seconds;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

CaptureState Engine::Capture::state() const {
  return {.run = place.run,
          .worker = place.worker,
          .span = place.span,
          .file = place.file,
          .note = place.note,
          .status = status,
          .stage = progress.stage.load(),
          .bytes_done = progress.bytes_done,
          .bytes_total = progress.bytes_total,
          .text_bytes = progress.text_bytes,
          .events = progress.events,
          .seconds = seconds_reading(),
          .error = error,
          .profile = profile,
          .summary = summary};
}

Result<ProfilePtr> Engine::Capture::loaded() const {
  if (status == LoadStatus::failed) return *error;
  if (status == LoadStatus::ready) return profile;
  return Error{ErrorCode::unavailable, "still loading", path};
}

}  // namespace sightline

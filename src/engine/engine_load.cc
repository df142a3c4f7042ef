// Making a capture ready: from the cache when it is there, else from its file. What views and the timeline stand on
// is prepared when the capture is ready already: whoever asks meanwhile waits for what he asked for, and no more.
#include <algorithm>
#include <exception>

#include "base/parallel.h"
#include "engine/capture.h"
#include "engine/keeper.h"

namespace sightline {

namespace {

constexpr double kSlowSeconds = 1;
constexpr std::size_t kMostPrepared = 64;  // captures: of more, whoever looks at one waits a moment

// Libraries under the readers may throw; no input may end the program.
Result<std::unique_ptr<Profile>> read_guarded(const Reader& reader, const std::string& path, const ReadOptions& options) {
  try {
    return reader.read(path, options);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::unreadable, "not enough memory to read this file", path};
  } catch (const std::exception& failure) {
    return Error{ErrorCode::unreadable, std::string("reading failed: ") + failure.what(), path};
  }
}

}  // namespace

// As the cache has it, which then counts it as used.
std::optional<CachedProfile> Engine::find_cached(const Capture& capture) const {
  if (options_.cache == nullptr) return std::nullopt;
  if (capture.in_catalogue) {
    std::optional<CachedProfile> found = options_.cache->open_key(capture.content->key);
    if (found) found->profile->file = capture.path;
    return found;
  }
  std::optional<CachedProfile> found = options_.cache->open(source_of(*capture.reader, capture.path), capture.progress.cancelled);
  if (!found || record_value(found->about, "reader") != capture.reader->id) return std::nullopt;
  found->profile->file = capture.path;
  options_.cache->touch(found->key);
  return found;
}

std::optional<CachedProfile> Engine::open_cached(Capture& capture) {
  std::optional<CachedProfile> found = find_cached(capture);
  if (!found) return std::nullopt;
  capture.progress.bytes_done = capture.progress.bytes_total.load();
  capture.progress.text_bytes = record_number(found->about, "text_bytes", 0);
  capture.progress.events = found->profile->events;
  if (!capture.in_catalogue) {
    const std::lock_guard lock(capture.content->mutex);
    capture.content->key = found->key;
  }
  return found;
}

Result<std::unique_ptr<Profile>> Engine::open_or_read(Capture& capture, unsigned threads, bool& to_keep) {
  if (!capture.in_catalogue) capture.content->identity = identity_of_capture(*capture.reader, capture.path);
  if (capture.content->identity) capture.progress.bytes_total = capture.content->identity->size;
  const bool from_cache = capture.in_catalogue || !options_.read_anew;
  if (std::optional<CachedProfile> cached = from_cache ? open_cached(capture) : std::nullopt) {
    // A new name is worth keeping: the catalogue should have it.
    to_keep = capture.named && !capture.in_catalogue && record_value(cached->about, "run") != capture.run;
    return std::move(cached->profile);
  }
  if (capture.in_catalogue) return Error{ErrorCode::unreadable, "it is no longer in the cache", capture.path};
  to_keep = true;
  const ReadOptions options{.threads = std::max(1u, threads), .window_bytes = 0, .progress = &capture.progress};
  return read_guarded(*capture.reader, capture.path, options);
}

// Once more, of a file that is still the one that was read.
Result<std::unique_ptr<Profile>> Engine::open_again(const Capture& capture) const {
  if (!capture.in_catalogue && !capture.content->unchanged()) {
    return Error{ErrorCode::unreadable, "the file is no longer the one that was read", capture.path};
  }
  if (std::optional<CachedProfile> cached = find_cached(capture)) return std::move(cached->profile);
  if (capture.in_catalogue) return Error{ErrorCode::unreadable, "it is no longer in the cache", capture.path};
  ReadProgress progress;
  return read_guarded(*capture.reader, capture.path, {.threads = options_.threads, .window_bytes = 0, .progress = &progress});
}

void Engine::load(const CapturePtr& to_load, unsigned threads) {
  Capture& capture = *to_load;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    capture.status = LoadStatus::reading;
    capture.began = std::chrono::steady_clock::now();
  }
  bool to_keep = false;
  std::size_t captures = 0;
  Result<std::unique_ptr<Profile>> loaded = open_or_read(capture, threads, to_keep);
  OpenedPtr opened;
  std::shared_ptr<const CaptureSummary> summary;
  if (loaded) {
    opened = std::make_shared<Opened>(std::move(*loaded));
    summary = std::make_shared<const CaptureSummary>(summarise(*opened->profile, options_.analyses));
    capture.progress.stage = "ready";
  }
  {
    const std::lock_guard lock(mutex_);
    capture.seconds = capture.seconds_reading();
    capture.status = loaded ? LoadStatus::ready : LoadStatus::failed;
    capture.summary = std::move(summary);
    if (loaded) capture.opened = opened;
    capture.last_use = ++uses_;
    if (!loaded) capture.error = loaded.error();
    capture.tried = capture.content->identity;
    if (capture.replaces != nullptr) replace(to_load, loaded.ok());
    --reading_;
    captures = captures_.size();
  }
  if (!loaded) return;
  const bool worth_keeping = options_.keep == KeepRead::all || capture.seconds >= kSlowSeconds;
  if (keeper_ != nullptr && to_keep && worth_keeping && capture.content->identity) {
    keeper_->add({.profile = opened->profile, .content = capture.content, .about = capture.about()});
  }
  stay_within_memory(capture);
  if (options_.timelines && !capture.in_catalogue && captures < kMostPrepared) prepare(opened, threads);
}

// What most people look at first.
void Engine::prepare(const OpenedPtr& opened, unsigned threads) const {
  const auto guarded = [](const auto& work) {
    return [&work] {
      try {
        work();
      } catch (const std::exception&) {
        // No memory, most likely: whoever asks for it is told.
      }
    };
  };
  const auto views = [&] { prepare_analyses(opened->profile); };
  const auto timeline = [&] { timeline_of(*opened, threads); };
  run_together({guarded(views), guarded(timeline)}, threads);
}

std::shared_ptr<const Timeline> Engine::timeline_of(Opened& opened, unsigned threads) {
  std::call_once(opened.timeline_once, [&] { opened.timeline = std::make_shared<const Timeline>(opened.profile, threads); });
  return opened.timeline;
}

// The first look at a profile of the catalogue is its use; being listed is none.
void Engine::note_use(const Capture& capture) const {
  if (capture.in_catalogue && !capture.used.exchange(true)) options_.cache->touch(capture.content->key);
}

}  // namespace sightline

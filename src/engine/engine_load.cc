// Making a capture ready: from the cache when it is there, else from its file. What views and the timeline are based on
// is prepared after the capture is ready: a request blocks only on the data that it needs.
#include <algorithm>
#include <exception>

#include "base/parallel.h"
#include "engine/capture.h"
#include "engine/derived_fingerprint.h"
#include "engine/guarded.h"
#include "engine/keeper.h"
#include "model/unit.h"

namespace sightline::engine {

namespace {

constexpr double kSlowSeconds = 1;
constexpr std::size_t kMostPrepared = 64;  // captures: with more, a request for one waits a moment

// A reader that was stopped has read the beginning only.
void note_limit(const ReadProgress& progress, Profile& profile) {
  if (!progress.memory.was_reached()) return;
  const auto bytes = [](std::int64_t count) { return number_alone(static_cast<double>(count), Unit::bytes); };
  profile.add_problem(Severity::error, kMemoryLimit,
                      "reading stopped at " + bytes(progress.bytes_done) + " of " + bytes(progress.bytes_total) +
                          ", because it needs more than the " + bytes(progress.memory.bytes()) +
                          " of memory that --memory allows: the rest of the file is missing",
                      1, progress.text_bytes);
}

// A profile as the cache has it, with what it keeps of this version's work.
std::shared_ptr<LoadedProfile> loaded(CachedProfile cached) {
  Sections kept = cached.derived.version == derived_fingerprint() ? std::move(cached.derived.sections) : Sections{};
  return std::make_shared<LoadedProfile>(std::move(cached.profile), std::move(kept));
}

}  // namespace

// Whether a profile is to be written into the cache, and what is to be remembered of it.
struct Engine::Keeping {
  bool wanted = false;
  bool is_worth_it = false;  // however fast it was read
  Record about = {};         // empty: Capture::about()
};

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

Result<Engine::LoadedProfilePtr> Engine::open_or_read(Capture& capture, unsigned threads, Keeping& keeping) {
  if (!capture.in_catalogue) capture.content->identity = identity_of_capture(*capture.reader, capture.path);
  if (capture.content->identity) capture.progress.bytes_total = capture.content->identity->size;
  const bool from_cache = capture.in_catalogue || !options_.read_anew;
  if (std::optional<CachedProfile> cached = from_cache ? open_cached(capture) : std::nullopt) {
    const bool has_new_name = capture.named && record_value(cached->about, "run") != capture.run;  // for the catalogue
    const bool is_dated = cached->derived.version != derived_fingerprint();
    keeping.wanted = !capture.in_catalogue && (has_new_name || is_dated);
    keeping.is_worth_it = is_dated;
    if (!has_new_name) keeping.about = std::move(cached->about);
    return loaded(*std::move(cached));
  }
  if (capture.in_catalogue) return Error{ErrorCode::unreadable, "this profile is no longer in the cache", capture.path};
  Result<LoadedProfilePtr> read = this->read(capture, threads, capture.progress);
  keeping.wanted = !capture.progress.memory.was_reached();
  return read;
}

// From its file, with the memory that the profiles which are open leave.
Result<Engine::LoadedProfilePtr> Engine::read(const Capture& capture, unsigned threads, ReadProgress& progress) const {
  progress.memory.begin(make_room(capture));
  const ReadOptions options{.threads = std::max(1u, threads), .window_bytes = 0, .progress = &progress};
  Result<std::unique_ptr<Profile>> profile = capture.reader->read(capture.path, options);
  if (!profile) return profile.error();
  note_limit(progress, **profile);
  return std::make_shared<LoadedProfile>(*std::move(profile));
}

// Once more, of a file that is still the one that was read.
Result<Engine::LoadedProfilePtr> Engine::open_again(const Capture& capture) const {
  if (!capture.in_catalogue && !capture.content->unchanged()) {
    return Error{ErrorCode::unreadable, "the file was replaced after it was read", capture.path};
  }
  if (std::optional<CachedProfile> cached = find_cached(capture)) return loaded(*std::move(cached));
  if (capture.in_catalogue) return Error{ErrorCode::unreadable, "this profile is no longer in the cache", capture.path};
  ReadProgress progress;
  progress.bytes_total = capture.progress.bytes_total.load();
  return read(capture, options_.threads, progress);
}

Result<Engine::Loaded> Engine::make_ready(Capture& capture, unsigned threads, Keeping& keeping) {
  const Result<LoadedProfilePtr> opened = open_or_read(capture, threads, keeping);
  if (!opened) return opened.error();
  return Loaded{*opened, std::make_shared<const CaptureSummary>(summarise(*(*opened)->profile(), options_.analyses))};
}

void Engine::load(const CapturePtr& to_load, unsigned threads) {
  Capture& capture = *to_load;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    capture.status = LoadStatus::reading;
    capture.began = std::chrono::steady_clock::now();
  }
  Keeping keeping;
  std::size_t captures = 0;
  const Result<Loaded> loaded = guarded(kReading, capture.path, [&] { return make_ready(capture, threads, keeping); });
  if (loaded) capture.progress.stage = "ready";
  {
    const std::lock_guard lock(mutex_);
    capture.seconds = capture.seconds_reading();
    capture.status = loaded ? LoadStatus::ready : LoadStatus::failed;
    if (loaded) {
      capture.summary = loaded->summary;
      capture.opened = loaded->opened;
    }
    capture.last_use = ++uses_;
    if (!loaded) capture.error = loaded.error();
    capture.tried = capture.content->identity;
    if (capture.replaces != nullptr) replace(to_load, loaded.ok());
    --reading_;
    captures = captures_.size();
  }
  if (!loaded) return;
  try {
    keep_and_prepare(capture, loaded->opened, keeping, captures < kMostPrepared, threads);
  } catch (const std::exception&) {
    // No memory, most likely: a request for what is missing gets an error.
  }
}

void Engine::keep_and_prepare(const Capture& capture, const LoadedProfilePtr& opened, Keeping& keeping, bool few,
                              unsigned threads) const {
  keep(capture, opened, keeping, threads);
  stay_within(options_.memory, &capture);
  if (options_.timelines && !capture.in_catalogue && few && !opened->has_first_reports()) prepare(opened, threads);
}

void Engine::keep(const Capture& capture, const LoadedProfilePtr& opened, Keeping& keeping, unsigned threads) const {
  const bool is_worth_it = keeping.is_worth_it || options_.keep == KeepRead::all || capture.seconds >= kSlowSeconds;
  if (keeper_ == nullptr || !keeping.wanted || !is_worth_it || !capture.content->identity) return;
  // Views in SQL take as long as reading the file: a command that ends when it is written leaves them out.
  const auto views = options_.timelines ? options_.analyses : all_analyses();
  const auto derive = [opened, threads, views](const std::atomic<bool>& cancelled) {
    return Derived{derived_fingerprint(), opened->derive(views, threads, cancelled)};
  };
  Record about = keeping.about.empty() ? capture.about() : std::move(keeping.about);
  keeper_->add({.profile = opened->profile(), .content = capture.content, .about = std::move(about), .derive = derive});
}

// What most people look at first.
void Engine::prepare(const LoadedProfilePtr& opened, unsigned threads) const {
  const auto guarded = [](const auto& work) {
    return [&work] {
      try {
        work();
      } catch (const std::exception&) {
        // No memory, most likely: the request that needs it gets the error.
      }
    };
  };
  const auto views = [&] { prepare_analyses(opened->profile()); };
  const auto timeline = [&] { opened->timeline(threads); };
  run_together({guarded(views), guarded(timeline)}, threads);
}

// The first view of a profile of the catalogue counts as its use; listing it does not.
void Engine::note_use(const Capture& capture) const {
  if (capture.in_catalogue && !capture.used.exchange(true)) options_.cache->touch(capture.content->key);
}

}  // namespace sightline::engine

// The queue, its thread, and how a capture becomes ready. What views and the timeline need is prepared after the capture is
// ready.
#include "engine/loader.h"

#include <algorithm>
#include <exception>
#include <system_error>

#include "base/parallel.h"
#include "engine/derived_fingerprint.h"
#include "engine/guarded.h"
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
                      say("reading stopped at {} of {}, because it needs more than the {} of memory that --memory allows: the "
                          "rest of the file is missing",
                          bytes(progress.bytes_done), bytes(progress.bytes_total), bytes(progress.memory.bytes())),
                      1, progress.text_bytes);
}

// Whether the file could not be read as a whole because memory was short.
bool lacked_memory(const ReadProgress& progress, const Result<CaptureSummary>& summary) {
  return progress.memory.was_reached() || (!summary && summary.error().message == Message(kReading.memory));
}

// A profile as the cache has it, with the derived data that this version of the program wrote, unless the user chose other costs.
LoadedProfilePtr loaded(CachedProfile cached, const CostChoice& costs) {
  if (costs.any()) {
    add_costs(*cached.profile, costs);
    return std::make_shared<LoadedProfile>(std::move(cached.profile));
  }
  Sections kept = cached.derived.version == derived_fingerprint() ? std::move(cached.derived.sections) : Sections{};
  return std::make_shared<LoadedProfile>(std::move(cached.profile), std::move(kept));
}

Error no_longer_cached(const Capture& capture) {
  return {ErrorCode::unreadable, "this profile is no longer in the cache", capture.shown_path()};
}

}  // namespace

// Whether a profile is to be written into the cache, and the record that goes with it.
struct Loader::Keeping {
  bool wanted = false;
  bool is_worth_it = false;  // even if it was read fast
  Record about = {};         // empty: Capture::about()
};

Loader::Loader(EngineOptions options, std::function<void(const CapturePtr&)> done)
    : options_(std::move(options)), done_(std::move(done)), open_(options_.memory, options_.reading_memory) {
  if (options_.cache != nullptr && options_.keep != KeepRead::nothing) {
    writer_ = std::make_unique<CacheWriter>(*options_.cache, options_.say, options_.timelines);
  }
}

Loader::~Loader() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

void Loader::cancel() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  queue_.clear();
  for (const CapturePtr& capture : reading_) capture->progress.cancelled = true;
}

// ---- the queue ----

void Loader::queue(const std::vector<CapturePtr>& captures, const std::vector<CapturePtr>& all) {
  const std::lock_guard lock(mutex_);
  all_ = all.size();
  std::set<CapturePtr> queued(queue_.begin(), queue_.end());
  queued.insert(captures.begin(), captures.end());
  queue_.clear();
  for (const CapturePtr& capture : all) {
    if (queued.erase(capture) != 0) queue_.push_back(capture);
  }
  queue_.insert(queue_.end(), queued.begin(), queued.end());
}

void Loader::queue_only(const std::vector<CapturePtr>& captures) {
  const std::lock_guard lock(mutex_);
  std::erase_if(queue_, [&](const CapturePtr& c) { return std::find(captures.begin(), captures.end(), c) == captures.end(); });
}

void Loader::start() {
  std::unique_lock lock(mutex_);
  if (running_ || stopping_ || queue_.empty()) return;
  if (thread_.joinable()) thread_.join();
  running_ = true;
  try {
    thread_ = std::thread([this] { load_all(); });
  } catch (const std::system_error&) {  // the system gives no thread: the caller loads and waits
    lock.unlock();
    load_all();
  }
}

void Loader::wait() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return !running_; });
}

bool Loader::loading() const {
  const std::lock_guard lock(mutex_);
  return running_ && (!queue_.empty() || !reading_.empty());
}

// One large capture, or all small ones up to the next large one.
std::vector<CapturePtr> Loader::next_batch() {
  const std::lock_guard lock(mutex_);
  std::vector<CapturePtr> batch;
  while (!queue_.empty()) {
    const bool large = queue_.front()->progress.bytes_total > kSmallFileBytes;
    if (large && !batch.empty()) break;
    batch.push_back(queue_.front());
    queue_.pop_front();
    if (large) break;
  }
  reading_.insert(batch.begin(), batch.end());
  if (batch.empty()) {
    running_ = false;
    idle_.notify_all();
  }
  return batch;
}

void Loader::load_all() {
  for (std::vector<CapturePtr> batch = next_batch(); !batch.empty(); batch = next_batch()) {
    const unsigned together = static_cast<unsigned>(std::min<std::size_t>(batch.size(), options_.threads));
    std::vector<char> is_loaded(batch.size());
    parallel_for(batch.size(), together,
                 [&](std::size_t i) { is_loaded[i] = load(batch[i], options_.threads / together, together > 1); });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (is_loaded[i] == 0) load(batch[i], options_.threads, false);
    }
  }
}

// ---- one capture ----

bool Loader::load(const CapturePtr& capture, unsigned threads, bool beside_others) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return true;
  }
  capture->begin_reading();
  Keeping keeping;
  LoadedProfilePtr opened;
  const Result<CaptureSummary> summary = guarded(kReading, capture->path, [&]() -> Result<CaptureSummary> {
    Result<LoadedProfilePtr> profile = open_or_read(*capture, threads, keeping);
    if (!profile) return profile.error();
    opened = *std::move(profile);
    return summarise(*opened->profile(), options_.analyses);
  });
  if (beside_others && lacked_memory(capture->progress, summary)) return false;
  if (summary) {
    capture->set_ready(opened, *summary);
    open_.add(capture);
  } else {
    capture->set_failed(summary.error());
  }
  if (done_) done_(capture);
  {
    const std::lock_guard lock(mutex_);
    reading_.erase(capture);
  }
  if (!summary) return true;
  try {
    keep_and_prepare(*capture, opened, keeping, threads);
  } catch (const std::exception&) {
    // No memory, most likely: a request for what is missing gets an error.
  }
  return true;
}

// As the cache has it; the cache then counts it as used.
std::optional<CachedProfile> Loader::find_cached(const Capture& capture) const {
  if (options_.cache == nullptr) return std::nullopt;
  if (capture.from_cache) {
    std::optional<CachedProfile> found = options_.cache->open_key(capture.content->key);
    if (found) found->profile->file = capture.shown_path();
    return found;
  }
  std::optional<CachedProfile> found = options_.cache->open(source_of(*capture.reader, capture.path), capture.progress.cancelled);
  if (!found || record_value(found->about, "reader") != capture.reader->id) return std::nullopt;
  found->profile->file = capture.shown_path();
  options_.cache->touch(found->key);
  return found;
}

std::optional<CachedProfile> Loader::open_cached(Capture& capture) const {
  std::optional<CachedProfile> found = find_cached(capture);
  if (!found) return std::nullopt;
  capture.progress.bytes_done = capture.progress.bytes_total.load();
  capture.progress.text_bytes = record_number(found->about, "text_bytes", 0);
  capture.progress.events = found->profile->events;
  if (!capture.from_cache) {
    const std::lock_guard lock(capture.content->mutex);
    capture.content->key = found->key;
  }
  return found;
}

Result<LoadedProfilePtr> Loader::open_or_read(Capture& capture, unsigned threads, Keeping& keeping) {
  if (!capture.from_cache) capture.content->identity = identity_of_capture(*capture.reader, capture.path);
  if (capture.content->identity) capture.progress.bytes_total = capture.content->identity->size;
  const bool may_be_cached = capture.from_cache || !options_.read_anew;
  if (std::optional<CachedProfile> cached = may_be_cached ? open_cached(capture) : std::nullopt) {
    const bool has_new_name = capture.named && record_value(cached->about, "run") != capture.run;  // for the list of the cache
    const bool is_dated = cached->derived.version != derived_fingerprint();
    const bool is_rewritable = !capture.from_cache && !options_.costs.any();
    keeping.wanted = is_rewritable && (has_new_name || is_dated);
    keeping.is_worth_it = is_dated;
    if (!has_new_name) keeping.about = std::move(cached->about);
    LoadedProfilePtr opened = loaded(*std::move(cached), options_.costs);
    if (is_rewritable && options_.timelines && !opened->has_reports_of_servers()) keeping.wanted = keeping.is_worth_it = true;
    return opened;
  }
  if (capture.from_cache) return no_longer_cached(capture);
  Result<LoadedProfilePtr> read = this->read(capture, threads, capture.progress);
  keeping.wanted = !capture.progress.memory.was_reached() && !options_.costs.any();
  return read;
}

// From its file, with the memory that the open profiles leave.
Result<LoadedProfilePtr> Loader::read(const Capture& capture, unsigned threads, ReadProgress& progress) {
  progress.bytes_done = 0;  // of a reading that stopped, if there was one
  progress.text_bytes = 0;
  progress.memory.begin(open_.make_room_to_read(&capture, capture.progress.bytes_total));
  const ReadOptions options{.threads = std::max(1u, threads), .window_bytes = 0, .progress = &progress};
  Result<std::unique_ptr<Profile>> profile = capture.reader->read(capture.path, options);
  if (!profile) return profile.error();
  note_limit(progress, **profile);
  if (capture.uploaded) (*profile)->file = capture.file;
  add_costs(**profile, options_.costs);
  return std::make_shared<LoadedProfile>(*std::move(profile));
}

// ---- opening again ----

Result<LoadedProfilePtr> Loader::open(const CapturePtr& capture) {
  if (LoadedProfilePtr opened = open_.use(*capture)) return opened;
  const std::lock_guard alone(capture->opening);
  if (LoadedProfilePtr opened = open_.use(*capture)) return opened;
  Result<LoadedProfilePtr> opened = guarded(kReading, capture->path, [&] { return open_again(*capture); });
  if (!opened) return opened;
  capture->open(*opened);
  open_.stay_within_memory(capture.get());
  return opened;
}

// From the cache or from its file, which must still be the one that was read.
Result<LoadedProfilePtr> Loader::open_again(const Capture& capture) {
  if (!capture.from_cache && !capture.content->unchanged()) {
    return Error{ErrorCode::unreadable, "the file was replaced after it was read", capture.shown_path()};
  }
  if (std::optional<CachedProfile> cached = find_cached(capture)) return loaded(*std::move(cached), options_.costs);
  if (capture.from_cache) return no_longer_cached(capture);
  ReadProgress progress;
  progress.bytes_total = capture.progress.bytes_total.load();
  return read(capture, options_.threads, progress);
}

void Loader::note_use(Capture& capture) {
  if (capture.from_cache && !capture.used.exchange(true)) options_.cache->touch(capture.content->key);
}

// ---- afterwards ----

void Loader::keep_and_prepare(const Capture& capture, const LoadedProfilePtr& opened, Keeping& keeping, unsigned threads) {
  bool few = false;
  {
    const std::lock_guard lock(mutex_);
    few = all_ < kMostPrepared;
  }
  keep(capture, opened, keeping, threads);
  open_.stay_within_memory(&capture);
  if (options_.timelines && !capture.from_cache && few && !opened->has_first_reports()) prepare(opened, threads);
}

void Loader::keep(const Capture& capture, const LoadedProfilePtr& opened, Keeping& keeping, unsigned threads) {
  const bool is_worth_it = keeping.is_worth_it || options_.keep == KeepRead::all || capture.seconds() >= kSlowSeconds;
  if (writer_ == nullptr || !keeping.wanted || !is_worth_it || !capture.content->identity) return;
  const auto derive = [opened, threads, views = options_.analyses,
                       by_server = options_.timelines](const std::atomic<bool>& cancelled) {
    return Derived{derived_fingerprint(), opened->derive(views, by_server, threads, cancelled)};
  };
  Record about = keeping.about.empty() ? capture.about() : std::move(keeping.about);
  writer_->add({.profile = opened->profile(), .content = capture.content, .about = std::move(about), .derive = derive});
}

// What most users look at first.
void Loader::prepare(const LoadedProfilePtr& opened, unsigned threads) const {
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

void Loader::drop_removed() {
  if (writer_ != nullptr) writer_->drop_removed();
}

void Loader::finish_writing() {
  if (writer_ != nullptr) writer_->finish();
}

}  // namespace sightline::engine

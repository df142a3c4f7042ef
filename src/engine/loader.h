// Loader: makes captures ready: it opens the profile from the cache if it is there, else reads the file, in the background; keeps
// open profiles within the memory and opens closed ones again; and has what was read written to the cache. A request blocks only
// on the data that it needs: on the profile here, on what is derived from it in LoadedProfile. Thread-safe.
//
// One large file uses all cores, so large files are read one after the other; small ones are read side by side, a core each. If
// memory is short then, a small one is read again alone.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "base/result.h"
#include "engine/cache_writer.h"
#include "engine/capture.h"
#include "engine/engine_options.h"
#include "engine/open_profiles.h"

namespace sightline::engine {

class Loader {
 public:
  // `done` is called on a thread of the loader with each capture that has become ready or has failed, before loading() and wait()
  // say so; it may be empty. REQUIRES: the options are completed.
  explicit Loader(EngineOptions options, std::function<void(const CapturePtr&)> done = {});
  ~Loader();  // cancels what is loading
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  // Adds captures to those that are to be read. `all`: all captures that there are, in the order in which they are read; others,
  // such as further readings of a file, come last.
  void queue(const std::vector<CapturePtr>& captures, const std::vector<CapturePtr>& all);

  // Drops from the queue all captures but these.
  void queue_only(const std::vector<CapturePtr>& captures);

  void start();          // reads what is queued, in the background
  void wait();           // until all of it is done
  bool loading() const;  // whether anything is still to become ready
  void cancel();         // what is loading fails, and nothing further is loaded

  // The profile of a capture that is ready; if it was closed, it is opened again.
  Result<LoadedProfilePtr> open(const CapturePtr& capture);

  // Marks a profile of the cache as used; listing it does not.
  void note_use(Capture& capture);

  OpenProfiles& open_profiles() { return open_; }

  // Nothing of files that were removed (ContentOfFile::removed) is being written to the cache, or will be.
  void drop_removed();

  // Waits until the profiles that EngineOptions::keep selects are in the cache.
  void finish_writing();

  // Most bytes of profiles that are open at once.
  std::int64_t memory() const { return open_.memory(); }

 private:
  struct Keeping;

  void load_all();
  std::vector<CapturePtr> next_batch();
  // False if memory was short while `beside_others` were read: the capture still has to be loaded, alone.
  bool load(const CapturePtr& capture, unsigned threads, bool beside_others);
  Result<LoadedProfilePtr> open_or_read(Capture& capture, unsigned threads, Keeping& keeping);
  Result<LoadedProfilePtr> read(const Capture& capture, unsigned threads, ReadProgress& progress);
  Result<LoadedProfilePtr> open_again(const Capture& capture);
  std::optional<CachedProfile> find_cached(const Capture& capture) const;
  std::optional<CachedProfile> open_cached(Capture& capture) const;
  void keep_and_prepare(const Capture& capture, const LoadedProfilePtr& opened, Keeping& keeping, unsigned threads);
  void keep(const Capture& capture, const LoadedProfilePtr& opened, Keeping& keeping, unsigned threads);
  void prepare(const LoadedProfilePtr& opened, unsigned threads) const;

  const EngineOptions options_;
  const std::function<void(const CapturePtr&)> done_;
  OpenProfiles open_;
  std::unique_ptr<CacheWriter> writer_;  // null: nothing is written

  mutable std::mutex mutex_;  // guards what follows; no other lock is taken under it
  std::condition_variable idle_;
  std::deque<CapturePtr> queue_;
  std::set<CapturePtr> reading_;  // taken from the queue and not done yet
  std::size_t all_ = 0;           // captures there are, as queue() was told last
  bool running_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace sightline::engine

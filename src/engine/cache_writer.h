// CacheWriter: writes what was read into the cache, one profile after the other, on a thread of its own. Thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "engine/capture.h"
#include "store/profile_cache.h"

namespace sightline::engine {

struct ProfileToWrite {
  std::shared_ptr<const Profile> profile;
  std::shared_ptr<ContentOfFile> content;
  Record about;
  std::function<Derived(const std::atomic<bool>& cancelled)> derive;  // what is written beside the columns
};

class CacheWriter {
 public:
  // `cache` outlives it. `say` is called, on the writer's thread, with the reason why a profile is not written; after that no
  // profile is. `behind_requests`: the thread has the lowest priority, so that no request waits for it; not for a command that
  // waits for the writing itself, which on a busy machine would then take minutes.
  CacheWriter(ProfileCache& cache, std::function<void(const std::string&)> say, bool behind_requests)
      : cache_(cache), say_(std::move(say)), behind_requests_(behind_requests) {}
  ~CacheWriter();  // drops what is not written yet
  CacheWriter(const CacheWriter&) = delete;
  CacheWriter& operator=(const CacheWriter&) = delete;

  void add(ProfileToWrite profile);

  // Gives up what is queued and what is being written of files that were removed, and waits until none of it is.
  void drop_removed();

  void finish();  // waits until all is written

 private:
  bool begin();
  void run();
  void write(const ProfileToWrite& job);
  bool writes_removed() const;  // REQUIRES: mutex_ is held

  ProfileCache& cache_;
  std::function<void(const std::string&)> say_;  // of the writer's thread, once there is one
  const bool behind_requests_;
  std::atomic<bool> cancelled_{false};  // gives up what is being written
  std::mutex mutex_;                    // guards what follows; no other lock is taken under it
  std::condition_variable changed_;
  std::deque<ProfileToWrite> jobs_;
  std::shared_ptr<ContentOfFile> writing_;  // null: nothing is being written
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace sightline::engine

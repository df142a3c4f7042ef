// Keeper: writes what was read into the cache, one profile after the other, on a thread of low priority: callers that
// looks at a profile does not wait for it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "engine/content_of_file.h"
#include "store/profile_cache.h"

namespace sightline::engine {

struct KeepJob {
  std::shared_ptr<const Profile> profile;
  std::shared_ptr<ContentOfFile> content;
  Record about;
  std::function<Derived(const std::atomic<bool>& cancelled)> derive;  // what is to be kept beside the columns
};

class Keeper {
 public:
  // `cache` outlives it. `say` is called, on the keeper's thread, with the reason why a profile is not kept; after that none is.
  Keeper(ProfileCache& cache, std::function<void(const std::string&)> say) : cache_(cache), say_(std::move(say)) {}
  ~Keeper();  // gives up what is not written yet
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  void add(KeepJob job);
  void finish();  // waits until all is written

 private:
  bool begin();
  void run();
  void keep(const KeepJob& job);

  ProfileCache& cache_;
  std::function<void(const std::string&)> say_;
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<KeepJob> jobs_;
  bool busy_ = false;
  std::thread thread_;
};

}  // namespace sightline::engine

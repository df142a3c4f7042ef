// Watcher: looks at the catalogue's paths again: new captures appear, and a file that failed or has changed is read again. A file
// is read once two looks in a row found it the same, so that one that is still being written is not read in vain. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/catalogue.h"

namespace sightline::engine {

class Watcher {
 public:
  // `read` reads the captures that it is given; some are further readings of a file (Capture::replaces). `say` is called when
  // nothing can be watched; it may be empty. The catalogue outlives this.
  Watcher(Catalogue& catalogue, std::function<void(const std::vector<CapturePtr>&)> read,
          std::function<void(const std::string&)> say);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Looks on a thread, from now on and until the end: at this interval, and rarely enough to take at most a tenth of one core.
  void watch(std::chrono::milliseconds every);

  // The paths that are looked at; none without watch().
  std::vector<std::string> watched() const;

  // One look; clouds are checked every half a minute at most (SIGHTLINE_CLOUD_WATCH). Has read what is new and what has changed
  // since it was read (a file that failed may be complete by now), once its size and time are those of the look before. A profile
  // whose file is gone stays.
  void look();

 private:
  // What the looks found out about the file of a capture.
  struct Known {
    bool settling = false;                // new, and not read until its file stays the same
    std::optional<FileIdentity> retried;  // the file of the last further reading
    std::optional<FileIdentity> seen;     // at the last look, if it was not the one that was read
    CapturePtr again;                     // the further reading that is under way
  };
  using Captures = std::vector<CapturePtr>;

  void run(std::chrono::milliseconds every);
  void find_new(bool check_clouds, Captures& to_read);
  void check_files(bool check_clouds, Captures& to_read);
  void check(const CapturePtr& capture, const std::optional<FileIdentity>& now, Captures& to_read);
  static bool is_being_read(const Capture& capture, Known& known);
  static CapturePtr read_again(const CapturePtr& capture, Known& known);

  Catalogue& catalogue_;
  const std::function<void(const std::vector<CapturePtr>&)> read_;
  const std::function<void(const std::string&)> say_;

  std::mutex looking_;  // held during a look; taken before all locks of the other parts; guards the next two
  std::map<std::weak_ptr<Capture>, Known, std::owner_less<>> known_;
  std::chrono::steady_clock::time_point clouds_checked_ = std::chrono::steady_clock::now();

  mutable std::mutex mutex_;  // guards what follows; no other lock is taken under it
  std::condition_variable ending_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace sightline::engine

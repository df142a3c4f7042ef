// OpenProfiles: which profiles are open, and how many bytes they take together. A job may have more ranks than fit in memory:
// when there are too many, it drops the reports that are kept, then closes the least recently used profiles, of which what the
// view across ranks needs stays. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/capture.h"
#include "engine/kept_report.h"

namespace sightline::engine {

class OpenProfiles {
 public:
  // Most bytes of open profiles, and of these together with a file that is being read.
  OpenProfiles(std::int64_t memory, std::int64_t reading_memory) : memory_(memory), reading_memory_(reading_memory) {}

  std::int64_t memory() const { return memory_; }

  // Counts a capture that has become ready.
  void add(const CapturePtr& capture);

  // The profile of a capture that was added, which is now the last used one; null while it is closed.
  LoadedProfilePtr use(Capture& capture);

  // Closes profiles until `memory` suffices. `used` stays open.
  void stay_within_memory(const Capture* used) { stay_within(memory_, used); }

  // The same after an answer, for which more may have been derived from a profile; the one that was used last stays open.
  void stay_within_memory_after_answer();

  // Closes profiles to make room for reading a file of so many bytes into `capture`; returns the bytes that reading may take.
  std::int64_t make_room_to_read(const Capture* capture, std::int64_t file_bytes);

  // Reports about several ranks, which no profile owns. They count as well.
  ReportCache& reports_of_ranks() { return of_ranks_; }

 private:
  std::vector<CapturePtr> ready() const;
  std::int64_t stay_within(std::int64_t most, const Capture* used);

  const std::int64_t memory_, reading_memory_;
  ReportCache of_ranks_;                     // has its own lock
  std::atomic<std::int64_t> uses_{0};        // so far
  mutable std::mutex mutex_;                 // guards what follows; no other lock is taken under it
  std::vector<std::weak_ptr<Capture>> all_;  // that were added
};

}  // namespace sightline::engine

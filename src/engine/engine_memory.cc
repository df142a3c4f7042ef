// How many profiles stay open at once. A job may have more ranks than fit in memory: what the view across ranks needs of each is
// kept, and the least recently used profiles are closed, to be opened again, from the cache or their file, when
// a request needs one.
#include <algorithm>

#include "analyses/ranks/rank_summary.h"
#include "base/memory.h"
#include "engine/capture.h"
#include "engine/guarded.h"

namespace sightline::engine {

namespace {

constexpr std::int64_t kLeastToRead = std::int64_t{16} << 20;

}  // namespace

// The profile of a capture that is ready, opened again if it was closed.
Result<Engine::LoadedProfilePtr> Engine::open(const Capture& capture) const {
  const auto held = [&] {
    const std::lock_guard lock(mutex_);
    capture.last_use = ++uses_;
    return capture.opened;
  };
  if (LoadedProfilePtr opened = held()) return opened;
  const std::lock_guard alone(capture.opening);
  if (LoadedProfilePtr opened = held()) return opened;
  const Result<LoadedProfilePtr> opened = guarded(kReading, capture.path, [&] { return open_again(capture); });
  if (!opened) return opened;
  {
    const std::lock_guard lock(mutex_);
    capture.opened = *opened;
  }
  stay_within(options_.memory, &capture);
  return opened;
}

// Lets go of profiles that are open until those of a file can be read beside the rest; returns the bytes that reading it may
// take. How many it takes is not known before: mostly fewer than four times those of the file.
std::int64_t Engine::make_room(const Capture& capture) const {
  constexpr std::int64_t kTimes = 4;
  const std::int64_t size = std::max<std::int64_t>(0, capture.progress.bytes_total);
  const std::int64_t wanted = size < options_.reading_memory / kTimes ? kTimes * size : options_.reading_memory;
  const std::int64_t kept = stay_within(std::min(options_.memory, options_.reading_memory - wanted), &capture);
  return std::max<std::int64_t>(options_.reading_memory - kept, kLeastToRead);
}

// After an answer, for which more may have been made of a profile. The one used last stays.
void Engine::make_room_for_answer() const {
  CaptureRef last;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& each : captures_) {
      if (each->opened != nullptr && (last == nullptr || each->last_use > last->last_use)) last = each;
    }
  }
  stay_within(options_.memory, last.get());
}

// Lets go of all kept reports, which are soonest made again; returns whether there was one. REQUIRES: mutex_ is held.
bool Engine::clear_reports() const {
  bool any = of_ranks_.clear();
  for (const auto& each : captures_) any |= each->opened != nullptr && each->opened->reports().clear();
  return any;
}

// Lets go of what was used longest ago until the rest takes `most` bytes or fewer; `wanted` stays. Returns what the rest takes.
std::int64_t Engine::stay_within(std::int64_t most, const Capture* wanted) const {
  bool any = false;
  std::int64_t bytes = 0;
  while (true) {
    CaptureRef oldest;
    {
      const std::lock_guard lock(mutex_);
      bytes = of_ranks_.bytes();
      for (const auto& each : captures_) {
        if (each->opened == nullptr) continue;
        bytes += each->opened->bytes();
        if (each.get() != wanted && (oldest == nullptr || each->last_use < oldest->last_use)) oldest = each;
      }
      if (bytes <= most) break;
      if (clear_reports()) {
        any = true;
        continue;
      }
    }
    if (oldest == nullptr) break;
    try {
      rank_of(*oldest);
    } catch (const std::exception&) {
      break;  // no memory, most likely
    }
    LoadedProfilePtr freed;  // outside the lock
    const std::lock_guard lock(mutex_);
    freed.swap(oldest->opened);
    any = true;
  }
  if (any) return_freed_memory();
  return bytes;
}

}  // namespace sightline::engine

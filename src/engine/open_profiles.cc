// Memory of open profiles.
#include "engine/open_profiles.h"

#include <algorithm>
#include <exception>

#include "base/memory.h"

namespace sightline::engine {

namespace {

constexpr std::int64_t kLeastToRead = std::int64_t{16} << 20;

}  // namespace

void OpenProfiles::add(const CapturePtr& capture) {
  capture->last_use = ++uses_;
  const std::lock_guard lock(mutex_);
  std::erase_if(all_, [](const std::weak_ptr<Capture>& each) { return each.expired(); });
  all_.push_back(capture);
}

LoadedProfilePtr OpenProfiles::use(Capture& capture) {
  capture.last_use = ++uses_;
  return capture.opened();
}

std::vector<CapturePtr> OpenProfiles::ready() const {
  std::vector<CapturePtr> captures;
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<Capture>& each : all_) {
    if (CapturePtr capture = each.lock()) captures.push_back(std::move(capture));
  }
  return captures;
}

// How many bytes reading takes is not known before: usually less than four times the bytes of the file.
std::int64_t OpenProfiles::make_room_to_read(const Capture* capture, std::int64_t file_bytes) {
  constexpr std::int64_t kTimes = 4;
  const std::int64_t size = std::max<std::int64_t>(0, file_bytes);
  const std::int64_t wanted = size < reading_memory_ / kTimes ? kTimes * size : reading_memory_;
  const std::int64_t kept = stay_within(std::min(memory_, reading_memory_ - wanted), capture);
  return std::max<std::int64_t>(reading_memory_ - kept, kLeastToRead);
}

void OpenProfiles::stay_within_memory_after_answer() {
  CapturePtr last;
  for (const CapturePtr& each : ready()) {
    if (each->opened() != nullptr && (last == nullptr || each->last_use > last->last_use)) last = each;
  }
  stay_within_memory(last.get());
}

// Returns what the rest takes. Nothing is locked while profiles are counted and closed: one that is used meanwhile may be closed,
// and is then opened again.
std::int64_t OpenProfiles::stay_within(std::int64_t most, const Capture* used) {
  bool any = false;
  std::int64_t bytes = 0;
  while (true) {
    CapturePtr oldest;
    std::vector<LoadedProfilePtr> profiles;
    for (const CapturePtr& each : ready()) {
      LoadedProfilePtr opened = each->opened();
      if (opened == nullptr) continue;
      if (each.get() != used && (oldest == nullptr || each->last_use < oldest->last_use)) oldest = each;
      profiles.push_back(std::move(opened));
    }
    bytes = of_ranks_.bytes();
    for (const LoadedProfilePtr& each : profiles) bytes += each->bytes();
    if (bytes <= most) break;
    bool dropped = of_ranks_.clear();  // reports are the fastest to make again
    for (const LoadedProfilePtr& each : profiles) dropped |= each->reports().clear();
    any |= dropped;
    if (dropped) continue;
    if (oldest == nullptr) break;
    try {
      oldest->rank();
    } catch (const std::exception&) {
      break;  // no memory, most likely
    }
    profiles.clear();
    oldest->close();
    any = true;
  }
  if (any) return_freed_memory();
  return bytes;
}

}  // namespace sightline::engine

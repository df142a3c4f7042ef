// How many profiles stay open at once. A job may have more ranks than fit in memory: what the view across ranks needs of each is
// kept, and the profiles that were used longest ago are let go of, to be opened again, from the cache or their file, when
// somebody asks for one.
#include <algorithm>

#include "analyses/rank_summary.h"
#include "base/memory_reuse.h"
#include "engine/capture.h"

namespace sightline {

namespace {

std::int64_t bytes_of(const Profile& profile) {
  std::int64_t bytes = 0;
  Profile::visit_tables(profile, [&](const auto& table) {
    table.for_each_column([&](const ColumnInfo&, const auto& column) {
      bytes += static_cast<std::int64_t>(column.capacity() * sizeof(*column.data()));
    });
  });
  for (std::size_t i = 0; i < profile.strings.size(); ++i) bytes += std::ssize(profile.text(static_cast<StringId>(i)));
  return bytes;
}

}  // namespace

Engine::Opened::Opened(ProfilePtr of) : profile(std::move(of)), bytes(bytes_of(*profile)) {}

// The profile of a capture that is ready, opened again if it was let go of.
Result<Engine::OpenedPtr> Engine::open(const Capture& capture) const {
  const auto held = [&] {
    const std::lock_guard lock(mutex_);
    capture.last_use = ++uses_;
    return capture.opened;
  };
  if (OpenedPtr opened = held()) return opened;
  const std::lock_guard alone(capture.opening);
  if (OpenedPtr opened = held()) return opened;
  Result<std::unique_ptr<Profile>> profile = open_again(capture);
  if (!profile) return profile.error();
  const auto opened = std::make_shared<Opened>(std::move(*profile));
  {
    const std::lock_guard lock(mutex_);
    capture.opened = opened;
  }
  stay_within_memory(capture);
  return opened;
}

// Lets go of what was used longest ago until the rest fits; `wanted` stays.
void Engine::stay_within_memory(const Capture& wanted) const {
  bool any = false;
  while (true) {
    CaptureRef oldest;
    {
      const std::lock_guard lock(mutex_);
      std::int64_t bytes = 0;
      for (const auto& each : captures_) {
        if (each->opened == nullptr) continue;
        bytes += each->opened->bytes;
        if (each.get() != &wanted && (oldest == nullptr || each->last_use < oldest->last_use)) oldest = each;
      }
      if (bytes <= options_.memory || oldest == nullptr) break;
    }
    try {
      rank_of(*oldest);
    } catch (const std::exception&) {
      break;  // no memory, most likely
    }
    OpenedPtr freed;  // outside the lock
    const std::lock_guard lock(mutex_);
    freed.swap(oldest->opened);
    any = true;
  }
  if (any) return_freed_memory();
}

}  // namespace sightline

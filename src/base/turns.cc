#include "base/turns.h"

namespace sightline::base {

std::size_t Turns::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

Turn::~Turn() {
  if (!has_) return;
  const std::lock_guard lock(turns_.mutex_);
  --turns_.running_;
  turns_.changed_.notify_all();
}

bool Turn::wait(const std::function<bool()>& stop) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  std::unique_lock lock(turns_.mutex_);
  const auto place = turns_.queue_.insert(turns_.queue_.end(), this);
  const auto ready = [&] { return turns_.running_ < turns_.most_ && turns_.queue_.front() == this; };
  while (!turns_.changed_.wait_for(lock, kLook, ready)) {
    lock.unlock();
    const bool stopped = stop && stop();
    lock.lock();
    if (!stopped) continue;
    turns_.queue_.erase(place);
    turns_.changed_.notify_all();
    return false;
  }
  turns_.queue_.erase(place);
  ++turns_.running_;
  turns_.changed_.notify_all();  // the next one may run too
  return has_ = true;
}

}  // namespace sightline::base

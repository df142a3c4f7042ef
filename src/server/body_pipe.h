// BodyPipe: the bytes of a body from the thread that receives them to the one that answers. It holds little: who fills it looks
// at `full` before.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace sightline::server {

class BodyPipe {
 public:
  // `room` is called, on the thread that takes, each time the pipe has been emptied.
  explicit BodyPipe(std::function<void()> room) : room_(std::move(room)) {}

  bool full() const {
    const std::lock_guard lock(mutex_);
    return bytes_.size() >= kMost;
  }

  void add(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ += bytes;
    changed_.notify_all();
  }

  // Nothing more comes; `whole`: because that was all.
  void end(bool whole) {
    const std::lock_guard lock(mutex_);
    if (!ended_) whole_ = whole;
    ended_ = true;
    changed_.notify_all();
  }

  // All that is there, as soon as anything is; empty at the end.
  std::string take() {
    std::string taken;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ended_ || !bytes_.empty(); });
      taken.swap(bytes_);
    }
    if (!taken.empty()) room_();
    return taken;
  }

  bool whole() const {
    const std::lock_guard lock(mutex_);
    return whole_;
  }

 private:
  static constexpr std::size_t kMost = 262'144;

  const std::function<void()> room_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string bytes_;
  bool ended_ = false, whole_ = false;
};

}  // namespace sightline::server

// Begun: work that may hang, on a separate thread, waited for up to a limit. Work that was given up continues in the
// background until it ends by itself, so it must own whatever it touches.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "base/layers.h"

namespace sightline::base {

// How many pieces of work were given up and have not ended: while there are some, the program must not tidy up under them.
inline std::atomic<int> given_up_and_running{0};

// Set when the program ends: no thread waits any longer.
inline std::atomic<bool> all_given_up{false};

// Work that was begun. It must not throw. Letting go of it before it has ended is giving it up.
template <typename T>
class Begun {
 public:
  explicit Begun(std::function<T()> work) : state_(std::make_shared<State>()) {
    answer_ = state_->promise.get_future();
    std::thread([state = state_, work = std::move(work)]() mutable {
      T answer = work();
      work = nullptr;  // its data is freed before its end is reported
      state->promise.set_value(std::move(answer));
      if (state->finished.exchange(true)) --given_up_and_running;
    }).detach();
  }
  Begun(Begun&&) noexcept = default;
  Begun& operator=(Begun&&) = delete;
  ~Begun() {
    if (state_ == nullptr) return;
    ++given_up_and_running;
    if (state_->finished.exchange(true)) --given_up_and_running;
  }

  // False when it has not ended by then.
  bool wait(std::chrono::duration<double> limit) const {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!all_given_up && std::chrono::steady_clock::now() < end) {
      if (answer_.wait_for(std::min(limit, kGlance)) == std::future_status::ready) return true;
    }
    return false;
  }

  // REQUIRES: wait() was true; once.
  T take() { return answer_.get(); }

 private:
  static constexpr std::chrono::duration<double> kGlance{0.1};  // how soon all_given_up is noticed

  struct State {
    std::promise<T> promise;
    std::atomic<bool> finished{false};  // by the work, or by the waiting thread: the second to set it knows of the first
  };
  std::shared_ptr<State> state_;
  std::future<T> answer_;
};

}  // namespace sightline::base

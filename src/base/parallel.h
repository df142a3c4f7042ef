// Work on several threads: parallel_for divides independent pieces among all cores, begin_beside runs one piece on another
// thread, and Begun runs work that may hang. An exception in a piece is rethrown in the caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/layers.h"

namespace sightline::base {

// ---- pieces of work ----

// The default number of threads: the cores that this process may use.
inline unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

// Threads that the destructor joins.
class ThreadPool {
 public:
  ThreadPool() = default;
  ~ThreadPool() {
    for (std::thread& thread : threads_) thread.join();
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Starts up to `count` threads with the same work, which must not throw; fewer when the system gives no more.
  void start(std::size_t count, const std::function<void()>& work) {
    try {
      threads_.reserve(count);
      while (threads_.size() < count) threads_.emplace_back(work);
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc: the threads that run do all the work
    }
  }

 private:
  std::vector<std::thread> threads_;
};

// Calls work(i) once for each i in [0, count), in this order, from at most `threads`
// threads, including this one; from fewer when the system has no thread left. After
// an exception, no further piece begins; it is rethrown when all threads have ended.
template <typename Work>
void parallel_for(std::size_t count, unsigned threads, Work&& work) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::once_flag failed;
  std::exception_ptr failure;
  const auto body = [&] {
    try {
      for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) work(i);
    } catch (...) {
      next = count;
      std::call_once(failed, [&] { failure = std::current_exception(); });
    }
  };
  {
    ThreadPool pool;
    pool.start(std::min<std::size_t>(threads, count) - 1, body);
    body();
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

// Calls each of the given functions once, concurrently when threads > 1.
inline void run_together(std::vector<std::function<void()>> work, unsigned threads) {
  parallel_for(work.size(), threads, [&](std::size_t i) { work[i](); });
}

// Runs `work` on another thread or, if the system has no thread left, when its result is requested. get() rethrows its
// exception.
template <typename Work>
auto begin_beside(Work&& work) -> std::future<decltype(work())> {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, std::forward<Work>(work));
  }
}

// ---- work that may hang ----

// How many pieces of work were given up and have not ended. While it is not 0, the program must not free data that they use.
inline std::atomic<int> given_up_and_running{0};

// Set when the program ends: no thread waits any longer.
inline std::atomic<bool> all_given_up{false};

// Work on a separate thread that may hang; the caller waits up to a limit. It must
// not throw. Destroying a Begun before the work ends gives the work up: it continues
// in the background until it ends by itself, so it must own all data that it uses.
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

  // False when the work has not ended within the limit.
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

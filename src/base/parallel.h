// Running independent pieces of work on all cores: parallel_for hands out indices one at a time, in order,
// to a few threads and returns when all are done. What a piece throws (no memory, mostly) is thrown to the caller
// once all threads have ended; pieces that were not begun by then are left out. Where the system gives no more
// threads, fewer do the work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/layers.h"

namespace sightline::base {

// The number of threads to use when the caller has no opinion: the cores this process may run on.
inline unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

// Threads that are joined when it goes out of scope, whatever happened meanwhile.
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
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc: those that run do it all
    }
  }

 private:
  std::vector<std::thread> threads_;
};

// Calls work(i) once for each i in [0, count), from at most `threads` threads, this one included.
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

// Runs `work` on a thread of its own; if the system gives none, when its result is requested. What it throws, get() throws.
template <typename Work>
auto begin_beside(Work&& work) -> std::future<decltype(work())> {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, std::forward<Work>(work));
  }
}

}  // namespace sightline::base

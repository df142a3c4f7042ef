// Running independent pieces of work on all cores: parallel_for hands out indices one at a time, in order,
// to a few threads and returns when all are done. The pieces must not throw.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace sightline {

// The number of threads to use when the caller has no opinion: the cores this process may run on.
inline unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

// Calls work(i) once for each i in [0, count), from at most `threads` threads, this one included.
template <typename Work>
void parallel_for(std::size_t count, unsigned threads, Work&& work) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  auto body = [&] {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) work(i);
  };
  std::vector<std::thread> pool;
  const std::size_t extra = std::min<std::size_t>(threads, count) - 1;
  pool.reserve(extra);
  for (std::size_t t = 0; t < extra; ++t) pool.emplace_back(body);
  body();
  for (std::thread& thread : pool) thread.join();
}

// Calls each of the given functions once, concurrently when threads > 1.
inline void run_together(std::vector<std::function<void()>> work, unsigned threads) {
  parallel_for(work.size(), threads, [&](std::size_t i) { work[i](); });
}

}  // namespace sightline

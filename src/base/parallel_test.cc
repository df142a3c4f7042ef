// parallel_for: each piece runs once, exceptions reach the caller, and fewer threads suffice. Begun: results, and work that was
// given up.
#include "base/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <new>
#include <stdexcept>

#include "tests/support/sanitized.h"

namespace sightline::base {

using namespace tests;
namespace {

TEST(Parallel, EachPieceOnce) {
  std::vector<std::atomic<int>> done(1000);
  parallel_for(done.size(), 4, [&](std::size_t i) { ++done[i]; });
  for (const std::atomic<int>& count : done) EXPECT_EQ(count, 1);
}

TEST(Parallel, AnExceptionIsRethrownWhenAllThreadsHaveEnded) {
  std::atomic<int> running{0};
  for (unsigned threads : {1u, 2u, 5u}) {
    for (std::size_t bad : {std::size_t{0}, std::size_t{7}, std::size_t{99}}) {
      EXPECT_THROW(parallel_for(100, threads,
                                [&](std::size_t i) {
                                  ++running;
                                  const bool fails = i == bad;
                                  --running;
                                  if (fails) throw std::bad_alloc();
                                }),
                   std::bad_alloc);
      EXPECT_EQ(running, 0);
    }
  }
}

TEST(Parallel, NoPieceBeginsAfterAnException) {
  std::atomic<std::size_t> begun{0};
  const auto work = [&](std::size_t) {
    ++begun;
    throw std::runtime_error("no");
  };
  EXPECT_THROW(parallel_for(1'000'000, 3, work), std::runtime_error);
  EXPECT_LE(begun, 3u);
}

TEST(Parallel, WorkOnAnotherThreadReturnsItsValueOrException) {
  EXPECT_EQ(begin_beside([] { return 7; }).get(), 7);
  std::future<int> failing = begin_beside([]() -> int { throw std::bad_alloc(); });
  EXPECT_THROW(failing.get(), std::bad_alloc);
}

// In another process, with too little memory for the stack of a thread.
TEST(ParallelDeathTest, WithoutThreadsOneDoesItAll) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer itself takes more memory";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto work = [] {
    rlimit little{};
    little.rlim_cur = little.rlim_max = std::size_t{1} << 20;
    setrlimit(RLIMIT_AS, &little);
    std::atomic<int> done{0};
    parallel_for(100, 8, [&](std::size_t) { ++done; });
    const int beside = begin_beside([] { return 1; }).get();
    _exit(done + beside);
  };
  EXPECT_EXIT(work(), testing::ExitedWithCode(101), "");
}

using namespace std::chrono_literals;

TEST(BegunWork, GivesItsAnswer) {
  Begun<int> work([] { return 7; });
  ASSERT_TRUE(work.wait(60s));
  EXPECT_EQ(work.take(), 7);
}

TEST(BegunWork, IsCountedWhileItRunsAfterItWasGivenUp) {
  std::promise<void> go_on;
  std::shared_future<void> may_end = go_on.get_future().share();
  {
    Begun<int> work([may_end] {
      may_end.wait();
      return 1;
    });
    EXPECT_FALSE(work.wait(1ms));
    EXPECT_EQ(given_up_and_running, 0);
  }
  EXPECT_EQ(given_up_and_running, 1);
  go_on.set_value();
  while (given_up_and_running != 0) std::this_thread::yield();
}

TEST(BegunWork, NoThreadWaitsOnceAllIsGivenUp) {
  std::promise<void> go_on;
  std::shared_future<void> may_end = go_on.get_future().share();
  Begun<int> work([may_end] {
    may_end.wait();
    return 1;
  });
  std::thread ending([] { all_given_up = true; });
  EXPECT_FALSE(work.wait(1h));
  ending.join();
  all_given_up = false;
  go_on.set_value();
  EXPECT_TRUE(work.wait(60s));
}

}  // namespace

}  // namespace sightline::base

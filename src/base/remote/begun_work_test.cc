#include "base/remote/begun_work.h"

#include <gtest/gtest.h>

namespace sightline::base {

namespace {

using namespace std::chrono_literals;

TEST(BegunWork, GivesItsAnswer) {
  Begun<int> work([] { return 7; });
  ASSERT_TRUE(work.wait(60s));
  EXPECT_EQ(work.take(), 7);
}

TEST(BegunWork, IsCountedWhileItRunsOnUnheard) {
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

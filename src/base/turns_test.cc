#include "base/turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sightline::base {
namespace {

void wait_for(const std::function<bool()>& state) {
  while (!state()) std::this_thread::yield();
}

TEST(Turns, ThoseWhoWaitRunInTheOrderInWhichTheyCame) {
  Turns turns(1);
  std::string order;  // one runs at a time
  std::vector<std::thread> threads;
  {
    Turn first(turns);
    ASSERT_TRUE(first.wait({}));
    for (const char name : {'a', 'b', 'c', 'd', 'e'}) {
      const std::size_t before = turns.waiting();
      threads.emplace_back([&turns, &order, name] {
        Turn turn(turns);
        if (turn.wait({})) order += name;
      });
      wait_for([&] { return turns.waiting() == before + 1; });
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, "abcde");
  EXPECT_EQ(turns.waiting(), 0u);
}

TEST(Turns, AsManyAsAllowedRunAtOnce) {
  Turns turns(2);
  const auto leave = [] { return true; };
  auto first = std::make_unique<Turn>(turns);
  Turn second(turns), third(turns);
  EXPECT_TRUE(first->wait(leave));
  EXPECT_TRUE(second.wait(leave));
  EXPECT_FALSE(third.wait(leave));
  EXPECT_EQ(turns.waiting(), 0u);
  first.reset();
  EXPECT_TRUE(third.wait(leave));
}

TEST(Turns, ThoseBehindOneWhoLeavesMoveUp) {
  Turns turns(1);
  auto first = std::make_unique<Turn>(turns);
  ASSERT_TRUE(first->wait({}));
  std::atomic<bool> leave = false;
  std::thread impatient([&] { EXPECT_FALSE(Turn(turns).wait([&] { return leave.load(); })); });
  wait_for([&] { return turns.waiting() == 1; });
  std::thread next([&] { EXPECT_TRUE(Turn(turns).wait({})); });
  wait_for([&] { return turns.waiting() == 2; });
  leave = true;
  impatient.join();
  EXPECT_EQ(turns.waiting(), 1u);
  first.reset();
  next.join();
}

}  // namespace
}  // namespace sightline::base

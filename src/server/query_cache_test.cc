#include "server/query_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace sightline::server {

namespace {

Response with(std::string text, int status = 200) {
  return {.status = status, .content_type = "", .body = std::make_shared<const std::string>(std::move(text)), .headers = {}};
}

TEST(QueryCache, TheSameQuestionIsComputedOnce) {
  QueryCache cache;
  const ProfilePtr one = std::make_shared<const Profile>(), other = std::make_shared<const Profile>();
  int computed = 0;
  const auto answer = [&](const ProfilePtr& profile, const std::string& question, int status = 200) {
    return *cache.answer(profile, question, {}, [&] { return with(std::to_string(++computed), status); }).body;
  };
  EXPECT_EQ(answer(one, "a"), "1");
  EXPECT_EQ(answer(one, "a"), "1");
  EXPECT_EQ(answer(one, "b"), "2");
  EXPECT_EQ(answer(other, "a"), "3");
  EXPECT_EQ(answer(one, "a"), "1");
  EXPECT_EQ(answer(one, "wrong", 400), "4");  // an error is not kept
  EXPECT_EQ(answer(one, "wrong", 400), "5");
}

TEST(QueryCache, AnswersAreDroppedWithTheirProfile) {
  QueryCache cache;
  ProfilePtr profile = std::make_shared<const Profile>();
  cache.answer(profile, "a", {}, [] { return with("old"); });
  profile = std::make_shared<const Profile>();
  EXPECT_EQ(*cache.answer(profile, "a", {}, [] { return with("new"); }).body, "new");
}

TEST(QueryCache, KeepsALimitedNumberOfAnswers) {
  QueryCache cache;
  const ProfilePtr profile = std::make_shared<const Profile>();
  const std::string large(QueryCache::kMostBytes / 8, 'a');
  const auto answer = [&](const std::string& question, const std::string& otherwise) {
    return *cache.answer(profile, question, {}, [&] { return with(otherwise); }).body;
  };
  for (int i = 0; i < 9; ++i) answer(std::to_string(i), large);
  EXPECT_EQ(answer("0", "again"), "again");  // the oldest had to go
  EXPECT_EQ(answer("8", "again"), large);
  EXPECT_EQ(answer("too large", large + "a"), large + "a");
  EXPECT_EQ(answer("too large", "again"), "again");
}

TEST(QueryCache, ConcurrentClientsGetTheSameAnswer) {
  QueryCache cache;
  const ProfilePtr profile = std::make_shared<const Profile>();
  std::atomic<int> computed = 0;
  std::atomic<bool> begun = false, let_go = false;
  const auto answer = [&] {
    return *cache
                .answer(profile, "a", {},
                        [&] {
                          begun = true;
                          while (!let_go) std::this_thread::yield();
                          return with(std::to_string(++computed));
                        })
                .body;
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_EQ(answer(), "1"); });
  while (!begun) std::this_thread::yield();
  const Response left = cache.answer(
      profile, "a", [] { return true; }, [] { return with("not computed"); });
  EXPECT_EQ(left.status, 409);
  let_go = true;
}

// Without it each of them would compute the same error again, one after the other, and some would wait for ever.
TEST(QueryCache, ClientsThatWaitGetTheErrorToo) {
  QueryCache cache;
  const ProfilePtr profile = std::make_shared<const Profile>();
  std::atomic<int> computed = 0, looks = 0;
  std::atomic<bool> begun = false, let_go = false;
  std::jthread first([&] {
    cache.answer(profile, "slow", {}, [&] {
      begun = true;
      while (!let_go) std::this_thread::yield();
      return with(std::to_string(++computed), 400);
    });
  });
  while (!begun) std::this_thread::yield();
  const auto looking = [&] { return ++looks, false; };  // called by a client that waits
  const auto again = [&] { return with(std::to_string(++computed), 400); };
  std::jthread second([&] { EXPECT_EQ(*cache.answer(profile, "slow", looking, again).body, "1"); });
  while (looks == 0) std::this_thread::yield();
  let_go = true;
}

TEST(QueryCache, WhenTheClientLeavesAnotherComputes) {
  QueryCache cache;
  const ProfilePtr profile = std::make_shared<const Profile>();
  std::atomic<int> looks = 0;
  std::atomic<bool> begun = false, let_go = false;
  std::jthread first([&] {
    cache.answer(profile, "slow", {}, [&] {
      begun = true;
      while (!let_go) std::this_thread::yield();
      return with("the client has left", 409);
    });
  });
  while (!begun) std::this_thread::yield();
  const auto looking = [&] { return ++looks, false; };
  std::jthread second(
      [&] { EXPECT_EQ(*cache.answer(profile, "slow", looking, [] { return with("computed"); }).body, "computed"); });
  while (looks == 0) std::this_thread::yield();
  let_go = true;
}

TEST(QueryCache, AnswersThatDependOnTimeOrChanceAreNotKept) {
  EXPECT_TRUE(answers_alike("select name, count(*) from slices group by name"));
  for (const char* sql :
       {"select RANDOM()", "select now()", "select current_date", "select uuid()", "from slices using sample 5"}) {
    EXPECT_FALSE(answers_alike(sql)) << sql;
  }
}

}  // namespace
}  // namespace sightline::server

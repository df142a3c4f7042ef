// Watching: every test looks by hand (look_again), so nothing here waits for time to pass.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/engine.h"
#include "engine/fake_reader_test.h"
#include "tests/support/sanitized.h"

namespace sightline::engine {

using namespace tests;
namespace {

class WatchTest : public testing::Test {
 protected:
  // Starts with what is in the tree.
  void begin() {
    static_cast<void>(engine.add_path(tree.root()));  // nothing may be there yet
    engine.start();
    engine.loader().wait();
  }

  void look(int times) {
    for (int i = 0; i < times; ++i) {
      engine.watcher().look();
      engine.loader().wait();
    }
  }

  // "run/worker/span status events" of every capture; its note in brackets.
  std::vector<std::string> captures() const {
    std::vector<std::string> all;
    for (const CaptureState& c : engine.catalogue().state()) {
      all.push_back(c.run + "/" + c.worker + "/" + c.span + " " + std::string(load_status_name(c.status)) + " " +
                    std::to_string(c.events) + (c.readings > 1 ? " again" : "") + (c.note.empty() ? "" : " (" + c.note + ")"));
      if (c.profile)
        all.back().replace(all.back().find(std::to_string(c.events)), std::to_string(c.events).size(),
                           std::to_string(c.profile->events));
    }
    return all;
  }

  using Captures = std::vector<std::string>;
  const std::string kWritten = " (the file is being written; it is read again when it stops changing)";
  TemporaryTree tree;
  Engine engine{EngineOptions{.threads = 2, .readers = fake_readers()}};
};

TEST_F(WatchTest, ANewFileIsReadWhenItStopsChanging) {
  begin();
  EXPECT_EQ(captures(), Captures{});
  tree.write("run/w.1.fake", "fake ok 1");
  look(1);
  EXPECT_EQ(captures(), Captures{"run/w/1 queued 0" + kWritten});
  EXPECT_FALSE(engine.loader().loading());
  tree.write("run/w.1.fake", "fake ok 12");
  look(1);
  EXPECT_EQ(captures(), Captures{"run/w/1 queued 0" + kWritten});
  look(1);
  EXPECT_EQ(captures(), Captures{"run/w/1 ready 12"});
  tree.write("run/w.2.fake", "fake ok 2");
  tree.write("other/v.fake", "fake ok 3");
  look(2);
  EXPECT_EQ(captures(), (Captures{"other/v/default ready 3", "run/w/1 ready 12", "run/w/2 ready 2"}));
}

TEST_F(WatchTest, AFileThatFailedIsReadAgainWhenItHasChanged) {
  tree.write("run/w.fake", "fake bad");
  begin();
  look(3);
  EXPECT_EQ(captures(), Captures{"run/w/default failed 0"});
  EXPECT_EQ(engine.catalogue().state()[0].error->message, "not fake enough");
  tree.write("run/w.fake", "fake ok 7");
  look(1);
  EXPECT_EQ(captures(), Captures{"run/w/default failed 0" + kWritten});
  look(1);
  EXPECT_EQ(captures(), Captures{"run/w/default ready 7"});
  EXPECT_FALSE(engine.catalogue().state()[0].error);
}

TEST_F(WatchTest, AProfileStaysUntilItsReplacementIsReady) {
  tree.write("run/w.fake", "fake problem 7");
  begin();
  const ProfilePtr held = *engine.answers().profile({});
  tree.write("run/w.fake", "fake ok 123");
  look(1);
  EXPECT_EQ(captures(), Captures{"run/w/default ready 7" + kWritten});
  look(1);
  EXPECT_EQ(captures(), Captures{"run/w/default ready 123 again"});
  EXPECT_EQ(engine.catalogue().state()[0].summary->problems, 0);
  EXPECT_EQ(held->events, 7);
  look(2);
  EXPECT_EQ(captures(), Captures{"run/w/default ready 123 again"});
}

TEST_F(WatchTest, AProfileStaysWhenItsFileCannotBeReadAgain) {
  tree.write("run/w.fake", "fake ok 7");
  begin();
  tree.write("run/w.fake", "fake bad");
  look(3);
  EXPECT_EQ(captures(), Captures{"run/w/default ready 7 (the file has changed and cannot be read; its previous version is "
                                 "shown: " +
                                 tree.path("run/w.fake") + ":5: not fake enough)"});
  tree.write("run/w.fake", "fake ok 88");
  look(2);
  EXPECT_EQ(captures(), Captures{"run/w/default ready 88 again"});
}

TEST_F(WatchTest, AProfileStaysWhenItsFileIsRemoved) {
  tree.write("run/good.fake", "fake ok 7");
  tree.write("run/bad.fake", "fake bad");
  begin();
  std::filesystem::remove_all(tree.path("run"));
  look(1);
  EXPECT_EQ(captures(), Captures{"run/good/default ready 7 (the file was deleted; this is its last reading)"});
  tree.write("run/good.fake", "fake ok 8");
  look(2);
  EXPECT_EQ(captures(), Captures{"run/good/default ready 8 again"});
}

TEST_F(WatchTest, AFolderWithNothingToReadStaysWithItsError) {
  std::filesystem::create_directories(tree.path("run/w_set"));
  begin();
  look(3);
  EXPECT_EQ(captures(), Captures{"run/w/default failed 0"});
  std::filesystem::remove_all(tree.path("run"));
  look(1);
  EXPECT_EQ(captures(), Captures{});
}

TEST_F(WatchTest, AnEarlierSpanThatComesLaterRenamesNothing) {
  tree.write("run/w.5.fake", "fake ok 5");
  begin();
  tree.write("run/w.4.fake", "fake ok 4");
  look(2);
  EXPECT_EQ(captures(), (Captures{"run/w/1 ready 5", "run/w/2 ready 4"}));
}

TEST_F(WatchTest, EndsWhileItWatchesAndReads) {
  tree.write("run/w.fake", "fake ok 5");
  begin();
  engine.watcher().watch(std::chrono::milliseconds(1));
  tree.write("run/w.fake", "fake wait 123");
  while (!engine.loader().loading()) std::this_thread::yield();
  EXPECT_EQ(captures(), Captures{"run/w/default ready 5"});
}  // the destructor ends the look and the reading; without that, this test would not end

// In a process of its own, whose memory is bounded so that no thread's stack fits.
TEST(WatchDeathTest, ReportsThatItCannotStartAThread) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer itself takes more memory";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto work = [] {
    std::string message;
    Engine engine{
        EngineOptions{.threads = 1, .readers = fake_readers(), .say = [&](const std::string& text) { message = text; }}};
    rlimit little{};
    little.rlim_cur = little.rlim_max = std::size_t{1} << 20;
    setrlimit(RLIMIT_AS, &little);
    engine.watcher().watch(std::chrono::hours(1));
    _exit(message.starts_with("new and changed files will not be noticed") ? 7 : 8);
  };
  EXPECT_EXIT(work(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace sightline::engine

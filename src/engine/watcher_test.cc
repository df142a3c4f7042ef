// The watcher on a catalogue. What it wants to have read is recorded; the tests do the reading. Every test looks by hand, so
// nothing here waits for time to pass.
#include "engine/watcher.h"

#include <gtest/gtest.h>

#include "engine/fake_reader_test.h"

namespace sightline::engine {

namespace {

class WatcherTest : public testing::Test {
 protected:
  // The files that this look has read, and whether for the second time.
  std::string look() {
    read.clear();
    watcher.look();
    std::string text;
    for (const CapturePtr& each : read) text += each->file + (each->readings > 1 ? " again " : " ");
    return text;
  }

  // As a loader would.
  static void finish(const CapturePtr& capture) {
    capture->content->identity = identity_of_capture(*capture->reader, capture->path);
    capture->set_ready(std::make_shared<LoadedProfile>(std::make_unique<Profile>()), {});
  }

  TemporaryTree tree;
  Catalogue catalogue{fake_options()};
  std::vector<CapturePtr> read;
  Watcher watcher{catalogue, [this](const std::vector<CapturePtr>& captures) { read = captures; }, {}};
};

TEST_F(WatcherTest, HasANewFileReadWhenTwoLooksFoundItTheSame) {
  static_cast<void>(catalogue.add_path(tree.root()));  // nothing is there yet
  tree.write("w.fake", "fake ok 1");
  EXPECT_EQ(look(), "");
  tree.write("w.fake", "fake ok 12");
  EXPECT_EQ(look(), "");
  EXPECT_EQ(look(), "w.fake ");
  EXPECT_EQ(look(), "");  // it is queued
}

TEST_F(WatcherTest, HasAChangedFileReadOnceWhileItIsBeingRead) {
  tree.write("w.fake", "fake ok 1");
  finish(catalogue.add_path(tree.root())->captures.front());
  EXPECT_EQ(look(), "");
  tree.write("w.fake", "fake ok 12");
  EXPECT_EQ(look(), "");
  EXPECT_EQ(look(), "w.fake again ");
  const CapturePtr again = read.front();
  EXPECT_EQ(look(), "");
  tree.write("w.fake", "fake ok 123");
  EXPECT_EQ(look(), "");
  finish(again);
  catalogue.replace(again);
  EXPECT_EQ(catalogue.all(), std::vector{again});
  EXPECT_EQ(look(), "");
}

TEST_F(WatcherTest, AFurtherReadingThatFailedIsNotRepeatedUntilTheFileChanges) {
  tree.write("w.fake", "fake ok 1");
  finish(catalogue.add_path(tree.root())->captures.front());
  tree.write("w.fake", "fake bad");
  look();
  EXPECT_EQ(look(), "w.fake again ");
  read.front()->set_failed({ErrorCode::malformed, "not fake enough", ""});
  catalogue.replace(read.front());
  EXPECT_EQ(look() + look(), "");
  tree.write("w.fake", "fake ok 12");
  look();
  EXPECT_EQ(look(), "w.fake again ");
}

TEST_F(WatcherTest, ForgetsAFileThatIsGoneAndWasNeverRead) {
  static_cast<void>(catalogue.add_path(tree.root()));
  tree.write("w.fake", "fake ok 1");
  look();
  EXPECT_EQ(catalogue.all().size(), 1u);
  std::filesystem::remove(tree.path("w.fake"));
  look();
  EXPECT_TRUE(catalogue.all().empty());
}

TEST_F(WatcherTest, NamesItsPathsWhileItWatches) {
  static_cast<void>(catalogue.add_path(tree.root()));
  EXPECT_TRUE(watcher.watched().empty());
  watcher.watch(std::chrono::hours(1));
  EXPECT_EQ(watcher.watched(), std::vector{tree.root()});
}

}  // namespace
}  // namespace sightline::engine

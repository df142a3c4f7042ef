// The loader alone, on captures of its own.
#include "engine/loader.h"

#include <gtest/gtest.h>

#include "engine/derived_fingerprint.h"
#include "engine/fake_reader_test.h"
#include "store/content_key.h"

namespace sightline::engine {

namespace {

class LoaderTest : public testing::Test {
 protected:
  // A capture of a new file.
  CapturePtr capture(const std::string& worker, const std::string& text) {
    tree.write("r/" + worker + ".fake", text);
    const Result<Discovery> found = discover(tree.path("r/" + worker + ".fake"), fake_readers());
    return std::make_shared<Capture>(found->files.front(), "");
  }

  static void load(Loader& loader, const std::vector<CapturePtr>& captures) {
    loader.queue(captures, captures);
    loader.start();
    loader.wait();
    EXPECT_FALSE(loader.loading());
  }

  TemporaryTree tree;
};

TEST_F(LoaderTest, LoadsAllAndKeepsTheErrorsOfThoseThatFail) {
  const std::vector<CapturePtr> all{capture("w1", "fake ok 10"), capture("w2", "fake bad"), capture("w3", "fake throw"),
                                    capture("w4", "fake problem"), capture("w5", "fake memory")};
  std::atomic<int> done = 0;
  Loader loader(fake_options(), [&](const CapturePtr& each) { done += each->status() != LoadStatus::reading; });
  load(loader, all);
  EXPECT_EQ(done, 5);
  EXPECT_EQ(all[0]->status(), LoadStatus::ready);
  EXPECT_EQ(all[0]->opened()->profile()->events, 10);
  EXPECT_EQ(all[1]->status(), LoadStatus::failed);
  EXPECT_EQ(all[1]->error()->to_string(), tree.path("r/w2.fake") + ":5: not fake enough");
  EXPECT_EQ(all[2]->error()->message, "reading failed: the library threw");
  EXPECT_EQ(all[3]->summary()->problems, 1);
  EXPECT_EQ(all[4]->error()->message, "not enough memory to read this file");
}

TEST_F(LoaderTest, DropsWhatIsNotNeededFromTheQueue) {
  const std::vector<CapturePtr> all{capture("w1", "fake ok"), capture("w2", "fake ok")};
  Loader loader(fake_options());
  loader.queue(all, all);
  loader.queue_only({all[1]});
  loader.start();
  loader.wait();
  EXPECT_EQ(all[0]->status(), LoadStatus::queued);
  EXPECT_EQ(all[1]->status(), LoadStatus::ready);
}

TEST_F(LoaderTest, OpensAClosedProfileAgainUnlessItsFileWasReplaced) {
  const CapturePtr one = capture("w1", "fake ok 7");
  Loader loader(fake_options());
  load(loader, {one});
  const LoadedProfilePtr before = one->close();
  const Result<LoadedProfilePtr> again = loader.open(one);
  ASSERT_TRUE(again.ok());
  EXPECT_NE(*again, before);
  EXPECT_EQ((*again)->profile()->events, 7);
  EXPECT_EQ(*loader.open(one), *again);
  one->close();
  tree.write("r/w1.fake", "fake ok 70000");
  EXPECT_EQ(loader.open(one).error().message, "the file was replaced after it was read");
}

// Most of what is allowed is for what is made of the file afterwards.
TEST_F(LoaderTest, AFileThatTakesMoreMemoryThanIsAllowedIsReadInPart) {
  EngineOptions tight = fake_options();
  tight.memory = tight.reading_memory = std::int64_t{64} << 20;
  const CapturePtr large = capture("w1", "fake large 200"), small = capture("w2", "fake large 3");
  Loader loader(tight);
  load(loader, {large, small});
  const ProfilePtr part = (*loader.open(large))->profile(), whole = (*loader.open(small))->profile();
  EXPECT_LT(part->events, 100);
  EXPECT_GT(part->events, 0);
  EXPECT_EQ(whole->events, 3);
  EXPECT_EQ(whole->problems.rows(), 0u);
  ASSERT_EQ(part->problems.rows(), 1u);
  EXPECT_EQ(part->text(part->problems.code[0]), "memory_limit");
  EXPECT_EQ(part->problems.severity[0], Severity::error);
  EXPECT_EQ(part->text(part->problems.message[0]),
            "reading stopped at 0 B of 14 B, because it needs more than the 64.000 MiB of memory that --memory allows: the rest "
            "of the file is missing");
}

// Each file fits into the memory, both at the same time do not: the reader of one stops, and then reads it again alone.
TEST_F(LoaderTest, AFileThatLackedMemoryBesideAnotherIsReadAgainAlone) {
  EngineOptions tight = fake_options();
  tight.memory = tight.reading_memory = std::int64_t{64} << 20;
  const CapturePtr one = capture("w1", "fake patient 15"), other = capture("w2", "fake patient 15");
  std::atomic<int> done = 0;
  Loader loader(tight, [&](const CapturePtr&) { ++done; });
  load(loader, {one, other});
  EXPECT_EQ(done, 2);
  for (const CapturePtr& each : {one, other}) {
    const ProfilePtr profile = (*loader.open(each))->profile();
    EXPECT_EQ(profile->events, 15);
    EXPECT_EQ(profile->problems.rows(), 0u);
  }
}

TEST_F(LoaderTest, EndsWhileFilesAreStillRead) {
  const std::vector<CapturePtr> all{capture("w1", "fake wait"), capture("w2", "fake wait"), capture("w3", "fake ok")};
  Loader loader(fake_options());
  loader.queue(all, all);
  loader.start();
  EXPECT_TRUE(loader.loading());
  EXPECT_EQ(all[2]->not_ready()->message, "still loading");
}  // the destructor cancels; without that, this test would not end

}  // namespace
}  // namespace sightline::engine

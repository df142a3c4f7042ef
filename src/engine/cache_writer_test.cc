// The writer of the cache alone.
#include "engine/cache_writer.h"

#include <gtest/gtest.h>

#include "engine/fake_reader_test.h"

namespace sightline::engine {

namespace {

class CacheWriterTest : public testing::Test {
 protected:
  // A profile of a new file. `derive` is called while it is written.
  ProfileToWrite job(const std::string& worker, std::function<void(const std::atomic<bool>&)> derive = {}) {
    tree.write("r/" + worker + ".fake", "fake ok " + worker);
    const Result<Discovery> found = discover(tree.path("r/" + worker + ".fake"), fake_readers());
    const Capture capture(found->files.front(), "");
    capture.content->identity = identity_of_capture(*capture.reader, capture.path);
    return {.profile = std::make_shared<const Profile>(),
            .content = capture.content,
            .about = {},
            .derive = [derive](const std::atomic<bool>& cancelled) {
              if (derive) derive(cancelled);
              return Derived{};
            }};
  }

  TemporaryTree tree;
  ProfileCache cache{{.folder = tree.path("cache"), .limit_bytes = std::int64_t{1} << 30}};
  CacheWriter writer{cache, [](const std::string& why) { ADD_FAILURE() << why; }, false};
};

TEST_F(CacheWriterTest, WritesWhatIsAdded) {
  writer.add(job("one"));
  writer.add(job("another"));
  writer.finish();
  EXPECT_EQ(cache.keys().size(), 2u);
}

// The first is being written, the second is queued, the third is added afterwards.
TEST_F(CacheWriterTest, GivesUpOnlyWhatWasRemoved) {
  std::atomic<bool> begun = false;
  const std::vector<ProfileToWrite> removed{job("one",
                                                [&](const std::atomic<bool>& cancelled) {
                                                  begun = true;
                                                  while (!cancelled) std::this_thread::yield();
                                                }),
                                            job("two"), job("three")};
  writer.add(removed[0]);
  writer.add(removed[1]);
  writer.add(job("four"));
  while (!begun) std::this_thread::yield();
  for (const ProfileToWrite& each : removed) each.content->removed = true;
  writer.drop_removed();
  writer.add(removed[2]);
  writer.finish();
  EXPECT_EQ(cache.keys().size(), 1u);
}

}  // namespace

}  // namespace sightline::engine

// The parts together.
#include "engine/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "analyses/derived_data.h"
#include "engine/derived_fingerprint.h"
#include "engine/fake_reader_test.h"
#include "store/content_key.h"

namespace sightline::engine {

namespace {

class EngineTest : public testing::Test {
 protected:
  static EngineOptions options() { return {.threads = 2, .readers = fake_readers(), .analyses = fake_analyses()}; }

  // The report's scope, or the error.
  static std::string answer(const Engine& engine, const ProfileSelector& selector, std::string_view view,
                            const ParameterTexts& given = {}) {
    const Result<Report> report = engine.answers().report({selector, std::string(view), given});
    return report ? std::string(report->scope)
                  : std::string(error_code_name(report.error().code)) + ": " + report.error().message;
  }

  TemporaryTree tree;
};

TEST_F(EngineTest, QueueOnlyDropsWhatTheViewDoesNotNeed) {
  tree.write("r/w1.fake", "fake ok");
  tree.write("r/w2.fake", "fake ok");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  ASSERT_TRUE(engine.queue_only({{.worker = "w2"}, "one"}));
  engine.start();
  engine.loader().wait();
  EXPECT_EQ(engine.catalogue().state()[0].status, LoadStatus::queued);
  EXPECT_EQ(engine.catalogue().state()[1].status, LoadStatus::ready);
}

// Profiles beyond the memory limit are closed, and opened again on request.
TEST_F(EngineTest, KeepsOnlyAsManyProfilesOpenAsFitIntoMemory) {
  for (const char* name : {"w1", "w2", "w3"}) tree.write(std::string("r/") + name + ".fake", "fake problem 7");
  EngineOptions tight = options();
  tight.memory = 1;  // byte: so one profile at a time, whichever is requested
  Engine engine(tight);
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.loader().wait();
  const auto open = [&] {
    const std::vector<CaptureState> state = engine.catalogue().state();
    return std::count_if(state.begin(), state.end(), [](const CaptureState& each) { return each.profile != nullptr; });
  };
  EXPECT_LE(open(), 1);  // two that become ready at once may each close the other
  EXPECT_EQ(engine.catalogue().state()[0].status, LoadStatus::ready);
  EXPECT_EQ(answer(engine, {}, "all"), "w1 w2 w3 default");
  for (const char* name : {"w1", "w2", "w3", "w1"}) {
    EXPECT_EQ(answer(engine, {.worker = name}, "one"), std::string(name) + ".fake default");
    EXPECT_EQ(open(), 1);
  }
  EXPECT_EQ((*engine.answers().profile({.worker = "w2"}))->events, 7);
  tree.write("r/w3.fake", "fake problem 70000");
  EXPECT_EQ(answer(engine, {.worker = "w3"}, "one"), "unreadable: the file was replaced after it was read");
  EXPECT_EQ(answer(engine, {}, "all"), "w1 w2 w3 default");  // what was taken from it is still known
}

// Most of what is allowed is for what is made of the file afterwards.
TEST_F(EngineTest, EveryReportNotesThatAFileWasReadInPart) {
  tree.write("r/w1.fake", "fake large 200");
  EngineOptions tight = options();
  tight.memory = std::int64_t{64} << 20;
  Engine engine(tight);
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.loader().wait();
  const ProfilePtr part = *engine.answers().profile({.worker = "w1"});
  const Result<Report> report = engine.answers().report({{.worker = "w1"}, "one", {}});
  ASSERT_EQ(report->notes.size(), 1u);
  EXPECT_EQ(report->notes[0].text, part->text(part->problems.message[0]));
}

// What views derive from a profile counts as the profile's: with it, two do not fit any more.
TEST_F(EngineTest, DerivedDataCountsAndIsFreedWithItsProfile) {
  static std::weak_ptr<const std::vector<char>> kept;
  const auto derive = [](const AnalysisInput& input) -> Result<Report> {
    const auto compute = [](const ProfilePtr&) { return std::vector<char>(std::size_t{8} << 20); };
    const auto made = derived<std::vector<char>>(input.profiles[0], compute);
    EXPECT_EQ(derived<std::vector<char>>(input.profiles[0], compute), made);
    kept = made;
    return Report{.view = "derive", .title = "Derive"};
  };
  std::vector<Analysis> analyses{fake_analysis("derive", ViewGroup::where_time_went),
                                 fake_analysis("one", ViewGroup::where_time_went)};
  analyses[0].run = derive;
  tree.write("r/w1.fake", "fake ok");
  tree.write("r/w2.fake", "fake ok");
  EngineOptions tight = options();
  tight.analyses = analyses;
  tight.memory = std::int64_t{4} << 20;
  tight.reading_memory = std::int64_t{1} << 30;
  Engine engine(tight);
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.loader().wait();
  ASSERT_TRUE(engine.answers().report({{.worker = "w1"}, "derive", {}}));
  EXPECT_FALSE(kept.expired());
  ASSERT_TRUE(engine.answers().report({{.worker = "w2"}, "one", {}}));
  EXPECT_TRUE(kept.expired());
  EXPECT_EQ(engine.catalogue().state()[0].profile, nullptr);
}

// Data that another version of the program derived are not used, and replaced.
TEST_F(EngineTest, DataThatAnotherVersionDerivedIsDerivedAgain) {
  tree.write("r/w1.fake", "fake ok 12");
  ProfileCache cache({.folder = tree.path("cache"), .limit_bytes = std::int64_t{1} << 30});
  const std::string path = tree.path("r/w1.fake");
  const std::atomic<bool> go_on{false};
  Derived dated{.version = "another", .sections = {}};
  add_section(dated.sections, "report.one", "foreign");
  Profile profile;
  profile.events = 12;
  const std::string key = *content_key(path, go_on);
  const Record about{{"reader", "fake"}, {"run", "r"}, {"path", path}, {"read_at", "7"}};
  ASSERT_TRUE(cache.keep(key, profile, about, path, *identity_of(path), go_on, dated).ok());
  EngineOptions with_cache = options();
  with_cache.cache = &cache;
  with_cache.keep = KeepRead::slow;
  with_cache.say = [](const std::string& why) { ADD_FAILURE() << why; };
  {
    Engine engine(with_cache);
    ASSERT_TRUE(engine.add_path(path));
    engine.start();
    engine.loader().wait();
    EXPECT_EQ(answer(engine, {}, "one"), "w1.fake default");
    engine.loader().finish_writing();
  }
  const std::optional<CachedProfile> now = cache.open_key(key);
  ASSERT_TRUE(now.has_value());
  EXPECT_EQ(now->derived.version, derived_fingerprint());
  EXPECT_EQ(find_section(now->derived.sections, "report.one"), nullptr);
  EXPECT_EQ(record_value(now->about, "read_at"), "7");
}

TEST_F(EngineTest, ManyClientsMayRequestProfilesThatDoNotFitIntoMemory) {
  for (int i = 0; i < 8; ++i) tree.write("r/w" + std::to_string(i) + ".fake", "fake problem");
  EngineOptions tight = options();
  tight.memory = 1;
  Engine engine(tight);
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.loader().wait();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> clients;
  for (int client = 0; client < 4; ++client) {
    clients.emplace_back([&, client] {
      for (int i = 0; i < 200; ++i) {
        const std::string worker = "w" + std::to_string((i * (client + 1) + client) % 8);
        wrong += answer(engine, {.worker = worker}, "one") != worker + ".fake default";
        if (i % 20 == 0) wrong += answer(engine, {}, "all") != "w0 w1 w2 w3 w4 w5 w6 w7 default";
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(EngineTest, EndsWhileFilesAreStillRead) {
  tree.write("r/w1.fake", "fake wait");
  tree.write("r/w2.fake", "fake wait");
  tree.write("r/w3.fake", "fake ok");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  EXPECT_EQ(answer(engine, {.worker = "w3"}, "one"), "unavailable: still loading");
  EXPECT_TRUE(engine.loader().loading());
}  // the destructor cancels; without that, this test would not end

}  // namespace
}  // namespace sightline::engine

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
  EngineOptions options() { return {.threads = 2, .readers = fake_readers(), .analyses = fake_analyses()}; }

  // The report's scope, or the error.
  static std::string ask(const Engine& engine, const ProfileSelector& selector, std::string_view view,
                         const ParameterTexts& given = {}) {
    const Result<Report> report = engine.report({selector, std::string(view), given});
    return report ? std::string(report->scope)
                  : std::string(error_code_name(report.error().code)) + ": " + report.error().message;
  }

  TemporaryTree tree;
};

TEST_F(EngineTest, LoadsAllAndKeepsTheErrorOfWhatFails) {
  tree.write("run/rank10.fake", "fake ok 10");
  tree.write("run/rank2.fake", "fake bad");
  tree.write("run/rank3.fake", "fake throw");
  tree.write("run/rank4.fake", "fake problem");
  Engine engine(options());
  EXPECT_EQ(*engine.add_path(tree.path("run")), 4u);
  engine.start();
  engine.wait();
  EXPECT_FALSE(engine.loading());
  const std::vector<CaptureState> state = engine.state();
  ASSERT_EQ(state.size(), 4u);
  EXPECT_EQ(state[0].worker, "rank2");
  EXPECT_EQ(state[0].status, LoadStatus::failed);
  EXPECT_EQ(state[0].error->to_string(), tree.path("run/rank2.fake") + ":5: not fake enough");
  EXPECT_EQ(state[1].error->message, "reading failed: the library threw");
  EXPECT_EQ(state[2].summary->problems, 1);
  EXPECT_EQ(state[3].worker, "rank10");
  EXPECT_EQ(state[3].status, LoadStatus::ready);
  EXPECT_EQ(state[3].profile->events, 10);
}

TEST_F(EngineTest, TheSameFileGivenTwiceIsLoadedOnce) {
  tree.write("run/a.1.fake", "fake ok");
  tree.write("run/a.2.fake", "fake ok");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.path("run/a.2.fake")));
  ASSERT_TRUE(engine.add_path(tree.path("run")));
  const std::vector<CaptureState> state = engine.state();
  ASSERT_EQ(state.size(), 2u);
  EXPECT_EQ(state[0].file, "a.1.fake");
  EXPECT_EQ(state[0].span, "1");
  EXPECT_EQ(state[1].span, "2");
}

TEST_F(EngineTest, RunsOfTheSameNameStayApart) {
  tree.write("a/run/w.fake", "fake ok");
  tree.write("b/run/w.fake", "fake ok");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.path("a/run")));
  ASSERT_TRUE(engine.add_path(tree.path("b/run")));
  EXPECT_EQ(engine.state()[0].run, "b/run");
  EXPECT_EQ(engine.state()[1].run, "run");
}

TEST_F(EngineTest, ASelectorThatNamesNothingIsAnsweredWithWhatThereIs) {
  tree.write("r1/w.fake", "fake ok");
  tree.write("r2/x.5.fake", "fake ok");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.root()));
  engine.start();
  engine.wait();
  EXPECT_EQ(ask(engine, {}, "one"), "w.fake default");
  EXPECT_EQ(ask(engine, {.run = "r2"}, "one", {{"word", "given"}}), "x.5.fake given");
  EXPECT_EQ(ask(engine, {.worker = "x"}, "one"), "x.5.fake default");
  EXPECT_EQ(ask(engine, {.run = "r3"}, "one"), "not_found: no run 'r3'; available: r1, r2");
  EXPECT_EQ(ask(engine, {.run = "r1", .worker = "x"}, "one"), "not_found: no worker 'x'; available: w");
  EXPECT_EQ(ask(engine, {.worker = "x", .span = "2"}, "one"), "not_found: no span '2'; available: 1");
  EXPECT_EQ(ask(engine, {}, "three"), "not_found: no view 'three'; available: one, all, two, hidden, never");
  EXPECT_EQ(ask(engine, {}, "one", {{"wort", "x"}}).substr(0, 16), "invalid_argument");
  EXPECT_EQ(ask(engine, {}, "never"), "unsupported: Title: recorded without it");
}

TEST_F(EngineTest, AcrossRanksSeesAllWorkersOfTheSpanAndSaysWhoIsMissing) {
  tree.write("r/w1.1.fake", "fake ok");
  tree.write("r/w1.2.fake", "fake ok");
  tree.write("r/w2.7.fake", "fake ok");
  tree.write("r/w3.9.fake", "fake bad");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.wait();
  EXPECT_EQ(ask(engine, {.span = "1"}, "all"), "w1 w2 default");
  EXPECT_EQ(ask(engine, {.span = "2"}, "all"), "w1 default");
  const Result<Report> report = engine.report({{.span = "1"}, "all"});
  ASSERT_EQ(report->notes.size(), 1u);
  EXPECT_EQ(report->notes[0].text.substr(0, 43), "without worker w3, which could not be read:");
}

TEST_F(EngineTest, AComparisonSeesTheBaselineAndTheOther) {
  tree.write("a/w1.1.fake", "fake ok");
  tree.write("a/w1.2.fake", "fake ok");
  tree.write("b/w1.3.fake", "fake ok");
  tree.write("b/w2.5.fake", "fake bad");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.root()));
  engine.start();
  engine.wait();
  const auto compared = [&](const ProfileSelector& profile, const ProfileSelector& other) {
    const Result<Report> report = engine.report({.profile = profile, .view = "two", .other = other});
    return report ? report->scope : report.error().message;
  };
  EXPECT_EQ(compared({}, {}), "w1.1.fake w1.2.fake default");                       // the one after it
  EXPECT_EQ(compared({.run = "b"}, {.run = "a"}), "w1.3.fake w1.1.fake default");   // the same worker and span
  EXPECT_EQ(compared({.span = "2"}, {.run = "b"}), "w1.2.fake w1.3.fake default");  // no such span: the first
  EXPECT_EQ(compared({}, {.run = "a", .worker = "w1", .span = "1"}), "w1.1.fake w1.1.fake default");
  EXPECT_EQ(compared({}, {.run = "b", .worker = "w2"}), "not fake enough");
  EXPECT_EQ(compared({}, {.run = "c"}), "no run 'c'; available: a, b");
}

TEST_F(EngineTest, AReportCarriesTheParametersItWasMadeWith) {
  tree.write("r/w.fake", "fake ok");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.wait();
  const Result<Report> report = engine.report({{}, "one", {{"word", "given"}}});
  ASSERT_EQ(report->parameters.size(), 1u);
  EXPECT_EQ(report->parameters[0].value, "given");
}

TEST_F(EngineTest, QueueOnlyLeavesOutWhatTheViewDoesNotNeed) {
  tree.write("r/w1.fake", "fake ok");
  tree.write("r/w2.fake", "fake ok");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  ASSERT_TRUE(engine.queue_only({{.worker = "w2"}, "one"}));
  engine.start();
  engine.wait();
  EXPECT_EQ(engine.state()[0].status, LoadStatus::queued);
  EXPECT_EQ(engine.state()[1].status, LoadStatus::ready);
}

// Profiles beyond the memory limit are closed, and opened again on request.
TEST_F(EngineTest, KeepsOnlyAsManyProfilesOpenAsFitIntoMemory) {
  for (const char* name : {"w1", "w2", "w3"}) tree.write(std::string("r/") + name + ".fake", "fake problem 7");
  EngineOptions tight = options();
  tight.memory = 1;  // byte: so one profile at a time, whichever is requested
  Engine engine(tight);
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.wait();
  const auto open = [&] {
    const std::vector<CaptureState> state = engine.state();
    return std::count_if(state.begin(), state.end(), [](const CaptureState& each) { return each.profile != nullptr; });
  };
  EXPECT_LE(open(), 1);  // two that become ready at once may each close the other
  EXPECT_EQ(engine.state()[0].status, LoadStatus::ready);
  EXPECT_EQ(ask(engine, {}, "all"), "w1 w2 w3 default");
  for (const char* name : {"w1", "w2", "w3", "w1"}) {
    EXPECT_EQ(ask(engine, {.worker = name}, "one"), std::string(name) + ".fake default");
    EXPECT_EQ(open(), 1);
  }
  EXPECT_EQ((*engine.profile({.worker = "w2"}))->events, 7);
  tree.write("r/w3.fake", "fake problem 70000");
  EXPECT_EQ(ask(engine, {.worker = "w3"}, "one"), "unreadable: the file was replaced after it was read");
  EXPECT_EQ(ask(engine, {}, "all"), "w1 w2 w3 default");  // what was taken from it is still known
}

TEST_F(EngineTest, NoMemoryForAFileIsAnErrorAndTheOthersAreThere) {
  tree.write("r/w1.fake", "fake memory");
  tree.write("r/w2.fake", "fake ok");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.wait();
  EXPECT_EQ(ask(engine, {.worker = "w1"}, "one"), "unreadable: not enough memory to read this file");
  EXPECT_EQ(ask(engine, {.worker = "w2"}, "one"), "w2.fake default");
}

// Most of what is allowed is for what is made of the file afterwards.
TEST_F(EngineTest, AFileThatTakesMoreMemoryThanIsAllowedIsReadInPartAndEveryReportSaysSo) {
  tree.write("r/w1.fake", "fake large 200");
  tree.write("r/w2.fake", "fake large 3");
  EngineOptions tight = options();
  tight.memory = std::int64_t{64} << 20;
  Engine engine(tight);
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.wait();
  const ProfilePtr part = *engine.profile({.worker = "w1"}), whole = *engine.profile({.worker = "w2"});
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
  const Result<Report> report = engine.report({{.worker = "w1"}, "one", {}});
  ASSERT_EQ(report->notes.size(), 1u);
  EXPECT_EQ(report->notes[0].text, part->text(part->problems.message[0]));
}

// What views derive from a profile counts as the profile's: with it, two do not fit any more.
TEST_F(EngineTest, WhatIsDerivedFromAProfileCountsAndGoesWithIt) {
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
  engine.wait();
  ASSERT_TRUE(engine.report({{.worker = "w1"}, "derive", {}}));
  EXPECT_FALSE(kept.expired());
  ASSERT_TRUE(engine.report({{.worker = "w2"}, "one", {}}));
  EXPECT_TRUE(kept.expired());
  EXPECT_EQ(engine.state()[0].profile, nullptr);
}

// What another version of the program derived is left alone, and replaced.
TEST_F(EngineTest, WhatAnotherVersionDerivedIsDerivedAnew) {
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
    engine.wait();
    EXPECT_EQ(ask(engine, {}, "one"), "w1.fake default");
    engine.finish_keeping();
  }
  const std::optional<CachedProfile> now = cache.open_key(key);
  ASSERT_TRUE(now.has_value());
  EXPECT_EQ(now->derived.version, derived_fingerprint());
  EXPECT_EQ(find_section(now->derived.sections, "report.one"), nullptr);
  EXPECT_EQ(record_value(now->about, "read_at"), "7");
}

TEST_F(EngineTest, ManyMayAskForProfilesThatDoNotFitIntoMemory) {
  for (int i = 0; i < 8; ++i) tree.write("r/w" + std::to_string(i) + ".fake", "fake problem");
  EngineOptions tight = options();
  tight.memory = 1;
  Engine engine(tight);
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  engine.wait();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> askers;
  for (int asker = 0; asker < 4; ++asker) {
    askers.emplace_back([&, asker] {
      for (int i = 0; i < 200; ++i) {
        const std::string worker = "w" + std::to_string((i * (asker + 1) + asker) % 8);
        wrong += ask(engine, {.worker = worker}, "one") != worker + ".fake default";
        if (i % 20 == 0) wrong += ask(engine, {}, "all") != "w0 w1 w2 w3 w4 w5 w6 w7 default";
      }
    });
  }
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(EngineTest, EndsWhileFilesAreStillRead) {
  tree.write("r/w1.fake", "fake wait");
  tree.write("r/w2.fake", "fake wait");
  tree.write("r/w3.fake", "fake ok");
  Engine engine(options());
  ASSERT_TRUE(engine.add_path(tree.path("r")));
  engine.start();
  EXPECT_EQ(ask(engine, {.worker = "w3"}, "one"), "unavailable: still loading");
  EXPECT_TRUE(engine.loading());
}  // the destructor cancels; without that, this test would not end

}  // namespace
}  // namespace sightline::engine

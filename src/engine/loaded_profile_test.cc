// LoadedProfile: derived data count, are computed once, and are freed with the profile.
#include "engine/loaded_profile.h"

#include <gtest/gtest.h>

#include "analyses/derived_data.h"
#include "analyses/operators/host_tree.h"
#include "engine/packed_derived.h"
#include "tests/support/text_profile.h"

namespace sightline::engine {

using namespace tests;
namespace {

TEST(LoadedProfile, CountsAndFreesDerivedData) {
  auto loaded = std::make_unique<LoadedProfile>(parse_text_profile("thread 1: 0-100 op a, 10-20 op b"));
  const std::int64_t columns = loaded->bytes();
  EXPECT_GT(columns, 0);

  const std::weak_ptr<const HostTree> tree = host_tree(loaded->profile());
  EXPECT_EQ(host_tree(loaded->profile()), tree.lock());
  const std::int64_t with_tree = loaded->bytes();
  EXPECT_GT(with_tree, columns);

  const std::weak_ptr<const Timeline> timeline = loaded->timeline(1);
  EXPECT_EQ(loaded->timeline(1), timeline.lock());
  EXPECT_EQ(loaded->bytes(), with_tree + static_cast<std::int64_t>(timeline.lock()->bytes()));

  const std::weak_ptr<const Profile> profile = loaded->profile();
  loaded.reset();
  EXPECT_TRUE(tree.expired());
  EXPECT_TRUE(timeline.expired());
  EXPECT_TRUE(profile.expired());
}

// All that comes from the kept sections equals what is computed: over a profile with operators, kernels, steps and memory.
TEST(LoadedProfile, KeptAnswersEqualComputedOnes) {
  const std::string text =
      "thread 1: 0-1000 step 1, 10-300 op a, 20-40 runtime launch, 1000-2000 step 2, 1010-1300 op a, 1020-1040 runtime launch\n"
      "stream 7: 100-600 gemm, 1100-1600 gemm, 1700-1800 copy\n";
  const std::atomic<bool> go_on{false};
  LoadedProfile computed(parse_text_profile(text));
  const Sections sections = computed.derive(all_analyses(), true, 1, go_on);
  LoadedProfile kept(parse_text_profile(text), sections);
  EXPECT_TRUE(kept.has_first_reports());
  EXPECT_FALSE(computed.has_first_reports());
  std::size_t compared = 0;
  for (const Analysis& view : all_analyses()) {
    if (find_section(sections, "report." + view.id) == nullptr) continue;
    const Parameters parameters(view.parameters);
    const Result<Report> a = computed.answer(view, parameters), b = kept.answer(view, parameters);
    ASSERT_TRUE(a.ok() && b.ok()) << view.id;
    EXPECT_EQ(pack_report("", *a), pack_report("", *b)) << view.id;
    ++compared;
  }
  EXPECT_GT(compared, 3u);
  EXPECT_EQ(pack_rank(kept.rank("w")), pack_rank(summarise_rank(*computed.profile(), "w")));
  EXPECT_EQ(kept.rank("w").worker, "w");
  const std::int64_t taken = derived_data(kept.profile())->bytes();
  EXPECT_GT(taken, 0) << "the steps, as the cache has them";
  EXPECT_EQ(pack_steps(*step_breakdown(kept.profile())), pack_steps(*step_breakdown(computed.profile())));
  EXPECT_EQ(derived_data(kept.profile())->bytes(), taken) << "nothing was computed again";
  EXPECT_EQ(kept.timeline(1)->lanes().size(), computed.timeline(1)->lanes().size());
}

TEST(LoadedProfile, AnswersWithTheReportsThatItDerived) {
  Analysis view = *find_analysis("operators");
  int runs = 0;
  const std::atomic<bool> go_on{false};
  view.run = [&](const AnalysisInput&) -> Result<Report> {
    ++runs;
    return Report{.view = "operators", .title = std::string(5000, 't')};
  };
  LoadedProfile loaded(parse_text_profile("thread 1: 0-100 op a"));
  const Parameters parameters(view.parameters);
  ASSERT_TRUE(loaded.answer(view, parameters).ok());
  EXPECT_EQ(runs, 1);
  (void)loaded.derive({}, true, 1, go_on);
  const std::int64_t before = loaded.bytes();
  const Sections sections = loaded.derive({&view, 1}, true, 1, go_on);
  const Section* const report = find_section(sections, "report.operators");
  ASSERT_NE(report, nullptr);
  EXPECT_EQ(loaded.bytes(), before + std::ssize(report->bytes));
  EXPECT_EQ(loaded.answer(view, parameters)->title, std::string(5000, 't'));
  EXPECT_EQ(runs, 2);
}

TEST(LoadedProfile, OnlyAServerComputesLongReportsAhead) {
  const std::string text = "thread 1: 0-100 op a, 10-20 runtime launch\nstream 7: 30-60 gemm";
  const std::atomic<bool> go_on{false};
  const Analysis& view = *find_analysis("critical_path");
  const Sections by_command = LoadedProfile(parse_text_profile(text)).derive({&view, 1}, false, 1, go_on);
  EXPECT_EQ(find_section(by_command, "report.critical_path"), nullptr);
  const LoadedProfile after_command(parse_text_profile(text), by_command);
  EXPECT_TRUE(after_command.has_first_reports());
  EXPECT_FALSE(after_command.has_reports_of_servers());
  const Sections by_server = LoadedProfile(parse_text_profile(text)).derive({&view, 1}, true, 1, go_on);
  EXPECT_NE(find_section(by_server, "report.critical_path"), nullptr);
  EXPECT_TRUE(LoadedProfile(parse_text_profile(text), by_server).has_reports_of_servers());
}

TEST(LoadedProfile, AnotherQuestionIsComputed) {
  const std::string text = "thread 1: 0-100 op a, 10-20 op b";
  const std::atomic<bool> go_on{false};
  const Analysis& view = *find_analysis("operators");
  const Sections sections = LoadedProfile(parse_text_profile(text)).derive({&view, 1}, true, 1, go_on);
  ASSERT_NE(find_section(sections, "report.operators"), nullptr);
  const Result<Parameters> other = bind_parameters(view, {{view.parameters[0].key, view.parameters[0].choices.back().value}});
  ASSERT_TRUE(other.ok());
  LoadedProfile computed(parse_text_profile(text)), kept(parse_text_profile(text), sections);
  EXPECT_EQ(pack_report("", *kept.answer(view, *other)), pack_report("", *computed.answer(view, *other)));
  EXPECT_NE(pack_report("", *kept.answer(view, *other)), pack_report("", *kept.answer(view, Parameters(view.parameters))));
}

TEST(LoadedProfile, CountsAndFreesItsReports) {
  LoadedProfile loaded(parse_text_profile("thread 1: 0-100 op a"));
  const std::int64_t before = loaded.bytes();
  loaded.reports().keep({}, "a", Report{.view = "a", .title = std::string(5000, 't')});
  EXPECT_GE(loaded.bytes(), before + 5000);
  EXPECT_TRUE(loaded.reports().clear());
  EXPECT_EQ(loaded.bytes(), before);
}

}  // namespace
}  // namespace sightline::engine

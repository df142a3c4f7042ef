// Step sums: by hand, compared with a slow count of single ns, and the note if the file states other sums.
#include "analyses/steps/step_sums.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <limits>
#include <random>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// Step 5 on the device, 40-100, the host's end: computing 40-60; communicating 50-80 and, receiving, 90-95; so communication
// alone 60-80 and 90-95, and gaps 80-90 and, beginning in it, 95-120. Step 6: 120-200.
constexpr const char* kPipeline = R"(
  thread 1: 0-100 step 5, 5-8 op a, 10-15 runtime l [corr=1], 20-25 runtime l [corr=2], 30-35 runtime l [corr=3], 100-200 step 6
  thread 2: 110-111 runtime l [corr=4], 112-113 runtime l [corr=5], 114-115 runtime l [corr=6]
  stream 7: 40-60 k [corr=1], 120-130 k [corr=4], 130-140 k [corr=5], 140-150 k [corr=6]
  stream 8: 50-80 collective c [corr=2 coll=all_reduce], 90-95 collective r [corr=3 coll=receive]
)";

const std::vector<std::string> kAll = {"step",      "source",     "preparing",      "computing_alone",
                                       "computing", "overlapped", "not_overlapped", "communication",
                                       "free",      "stage",      "bubble",         "exclude_receive"};

std::unique_ptr<Profile> stating(std::string_view text, std::string_view step,
                                 const std::vector<std::pair<std::string_view, Time>>& sums) {
  std::unique_ptr<Profile> profile = parse_text_profile(text);
  for (const auto& [name, duration] : sums) {
    profile->reported_steps.step.push_back(step.empty() ? StringId::none : profile->strings.intern(step));
    profile->reported_steps.rank.push_back(kUnknown);
    profile->reported_steps.device.push_back(kUnknown);
    profile->reported_steps.name.push_back(profile->strings.intern(name));
    profile->reported_steps.duration.push_back(duration);
  }
  return profile;
}

std::vector<std::string> notes_of(const Report& report) {
  std::vector<std::string> texts;
  for (const Panel& panel : report.panels) {
    for (const Note& note : panel.notes) {
      if (panel.id == "step_sums") texts.push_back(note.text);
    }
  }
  return texts;
}

TEST(StepSums, ByHand) {
  const Report report = run_view(text_profile(kPipeline), "overview");
  EXPECT_EQ(rows_text(report, "step_sums", kAll),
            "5 computed 40 10 20 10 25 35 35 75 5 20\n"
            "6 computed 20 30 30 0 0 0 0 30 0 0\n");
  EXPECT_FALSE(report.find_table("step_sums")->find("bubble")->hidden);
  EXPECT_TRUE(report.find_table("step_sums")->find("device")->hidden);
  EXPECT_TRUE(notes_of(report).empty());
}

TEST(StepSums, WithoutStepsCoverTheWholeRecording) {
  const Report report = run_view(text_profile(R"(
    thread 1: 3-9 op a, 5-6 runtime l [corr=1]
    stream 7: 10-30 k [corr=1]
    stream 8: 20-50 collective c [coll=all_reduce], 60-70 collective c [coll=all_reduce]
  )"),
                                 "overview");
  EXPECT_EQ(rows_text(report, "step_sums", kAll), "all computed 7 10 20 10 30 40 10 60 0 30\n");
  EXPECT_TRUE(report.find_table("step_sums")->find("bubble")->hidden);
}

TEST(StepSums, AreUnknownForADeviceWithoutWorkInAStep) {
  const Report report = run_view(text_profile(R"(
    thread 1: 0-100 step 1, 10-11 runtime l [corr=1], 100-200 step 2, 110-111 runtime l [corr=2]
    stream 7: 20-30 collective c [corr=1 coll=all_reduce]
    stream 7 of 1: 120-130 k [corr=2]
  )"),
                                 "overview");
  EXPECT_EQ(rows_text(report, "step_sums", {"step", "device", "preparing", "computing", "communication", "free", "stage"}),
            "1, device 0 0 20 0 10 0 10\n1, device 1 1 - 0 0 - -\n2, device 0 0 - 0 0 - -\n2, device 1 1 20 10 0 0 10\n");
  EXPECT_FALSE(report.find_table("step_sums")->find("device")->hidden);
}

TEST(StepSums, AreNotShownWithoutCollectives) {
  EXPECT_EQ(run_view(text_profile("thread 1: 0-9 step 1\nstream 7: 2-5 k"), "overview").find_table("step_sums"), nullptr);
}

TEST(StepSums, TheFileStatesTheSame) {
  const Report report = run_view(stating(kPipeline, "5", {{"Computing", 20}, {"Free", 1035}}), "overview");  // rounded to 1 µs
  EXPECT_EQ(rows_text(report, "step_sums", {"step", "source", "free"}), "5 both 35\n6 computed 0\n");
  EXPECT_TRUE(notes_of(report).empty());
}

TEST(StepSums, TheFileStatesOtherSums) {
  const Report report = run_view(stating(kPipeline, "5", {{"Computing", 20}, {"Free", 5000}}), "overview");
  EXPECT_EQ(rows_text(report, "step_sums", {"step", "source", "computing", "free", "stage"}),
            "5 computed 20 35 75\n5 (stated) stated 20 5000 -\n6 computed 30 0 30\n");
  EXPECT_EQ(
      notes_of(report),
      (std::vector<std::string>{"Step 5: the file's own sums differ from those of its slices: Free 5.00 µs (computed: 35 ns)."}));
}

TEST(StepSums, UnknownSumsConfirmNothing) {
  const Report report = run_view(stating(kPipeline, "5", {{"Another sum", 20}}), "overview");
  EXPECT_EQ(rows_text(report, "step_sums", {"step", "source", "free"}), "5 computed 35\n6 computed 0\n5 (stated) stated -\n");
}

TEST(StepSums, OfManyDifferencesOnlySomeAreNamed) {
  std::string host, device;
  for (int i = 0; i < 8; ++i) {
    host += fmt::format("{}{}-{} step {}, {}-{} runtime l [corr={}]", i == 0 ? "" : ", ", 100 * i, 100 * i + 100, i, 100 * i + 1,
                        100 * i + 2, i);
    device += fmt::format("{}{}-{} collective c [corr={}]", i == 0 ? "" : ", ", 100 * i + 10, 100 * i + 20, i);
  }
  const std::string text = "thread 1: " + host + "\nstream 7: " + device;
  std::unique_ptr<Profile> profile = stating(text, "0", {{"Communication", 7000}});
  for (int i = 1; i < 8; ++i) {
    profile->reported_steps.step.push_back(profile->strings.intern(std::to_string(i)));
    profile->reported_steps.rank.push_back(kUnknown);
    profile->reported_steps.device.push_back(kUnknown);
    profile->reported_steps.name.push_back(profile->reported_steps.name[0]);
    profile->reported_steps.duration.push_back(9000);
  }
  const Report report = run_view(ProfilePtr(std::move(profile)), "overview");
  EXPECT_EQ(notes_of(report), (std::vector<std::string>{"Step 0, 1, 2, 3, 4 and 3 more: the file's own sums differ from those of "
                                                        "its slices, for the first: Communication 7.00 µs (computed: 10 ns)."}));
}

TEST(StepSums, StatedAloneAreAnOverview) {
  const Report report = run_view(stating("meta a = b", "", {{"Computing", 20}, {"Overlapped", 5}}), "overview");
  EXPECT_EQ(rows_text(report, "step_sums", {"step", "source", "computing_alone", "computing", "free"}),
            "all (stated) stated 15 20 -\n");
  EXPECT_EQ(notes_of(report).size(), 1u);
}

TEST(StepSums, ImpossibleStatedSumsAreUnknown) {
  constexpr Time kMost = std::numeric_limits<Time>::max();
  const Report report =
      run_view(stating("meta a = b", "3", {{"Computing", kMost}, {"Overlapped", -kMost}, {"Free", 5}}), "overview");
  EXPECT_EQ(rows_text(report, "step_sums", {"computing_alone", "computing", "free"}), "- - 5\n");
}

// The slow oracle: whether each single ns is spent computing or communicating; runs of them that begin in the range count.
TEST(StepSums, EqualACountOfSingleNanoseconds) {
  std::mt19937 random(11);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  int compared = 0;
  for (int round = 0; round < 200; ++round) {
    std::string host = "0-100 step 1, 100-200 step 2", streams[2];
    std::vector<int> computing(500, 0), communicating(500, 0);
    Interval ranges[2] = {{1000, 100}, {1000, 200}};
    for (int step = 0, corr = 1; step < 2; ++step) {
      for (int stream = 0; stream < 2; ++stream) {
        int at = 100 * step + 10 + below(20);
        for (int i = 0; i < 4; ++i, ++corr) {
          const int end = at + 1 + below(25);
          host += fmt::format(", {}-{} runtime l [corr={}]", 100 * step + 2 * corr % 90, 100 * step + 2 * corr % 90 + 1, corr);
          streams[stream] += fmt::format("{}{}-{} {} [corr={}]", streams[stream].empty() ? "" : ", ", at, end,
                                         stream == 0 ? "k" : "collective c", corr);
          for (int t = at; t < end; ++t) (stream == 0 ? computing : communicating)[static_cast<std::size_t>(t)] = 1;
          ranges[step].start = std::min<Time>(ranges[step].start, at);
          ranges[step].end = std::max<Time>(ranges[step].end, end);
          at = end + below(15) * below(2);
        }
      }
    }
    if (ranges[0].end >= ranges[1].start) continue;  // one stream's lanes would overlap
    const auto profile = text_profile("thread 1: " + host + "\nstream 7: " + streams[0] + "\nstream 8: " + streams[1]);
    const auto sums = computed_step_sums(*profile, step_windows(*profile), work_by_start(*profile));
    ++compared;
    ASSERT_EQ(sums.size(), 2u);
    const auto busy = [&](std::size_t t) { return computing[t] + communicating[t] > 0; };
    const auto runs = [&](std::size_t step, auto is) {
      Time length = 0;
      bool counts = false;
      for (std::size_t t = 1; t < computing.size(); ++t) {
        const auto time = static_cast<Time>(t);
        if (is(t) && !is(t - 1)) counts = time >= ranges[step].start && time <= ranges[step].end;
        length += is(t) && counts;
      }
      return length;
    };
    const auto idle = [&](std::size_t t) {
      return !busy(t) && static_cast<Time>(t) > ranges[0].start && [&] {
        for (std::size_t later = t; later < computing.size(); ++later)
          if (busy(later)) return true;
        return false;
      }();
    };
    for (std::size_t step = 0; step < 2; ++step) {
      EXPECT_EQ(sums[step].of(StepSum::computing), runs(step, [&](std::size_t t) { return computing[t] > 0; }));
      EXPECT_EQ(sums[step].of(StepSum::communication), runs(step, [&](std::size_t t) { return communicating[t] > 0; }));
      EXPECT_EQ(sums[step].of(StepSum::not_overlapped),
                runs(step, [&](std::size_t t) { return communicating[t] > computing[t]; }));
      EXPECT_EQ(sums[step].of(StepSum::free), runs(step, idle));
      EXPECT_EQ(sums[step].of(StepSum::preparing), ranges[step].start - static_cast<Time>(100 * step));
    }
  }
  EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace sightline::analyses

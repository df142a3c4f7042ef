// Hangs: which ranks never called, which differ, and which group waits for which, on records written by hand.
#include <gtest/gtest.h>

#include "analyses/ranks/hang_tables.h"
#include "analyses/ranks/rank_summary.h"
#include "analyses/ranks/stuck_groups.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// Records of a job. Calls are added by rank.
class Job {
 public:
  Job() : profile_(std::make_shared<Profile>()) {}

  Job& rank(std::int64_t rank) {
    now_ = rank;
    const Row row = add_unknown_row(profile_->job_ranks);
    profile_->job_ranks.rank[row] = rank;
    return *this;
  }
  // What the current rank states about a group: its ranks, and the last number that ended.
  Job& group(std::string_view name, std::string_view about, std::string_view ranks, std::int64_t ended) {
    ProcessGroups& all = profile_->process_groups;
    const Row row = add_unknown_row(all);
    all.rank[row] = now_;
    all.name[row] = text(name);
    all.about[row] = text(about);
    all.ranks[row] = text(ranks);
    all.last_completed[row] = ended;
    return *this;
  }
  Job& call(std::string_view group, std::int64_t number, std::string_view name, std::string_view shapes = "[[4]]",
            std::string_view state = "scheduled", bool retired = false) {
    CollectiveRecords& all = profile_->collective_records;
    const Row row = add_unknown_row(all);
    all.rank[row] = now_;
    all.group[row] = text(group);
    all.sequence[row] = number;
    all.name[row] = text(name);
    all.in_shapes[row] = all.out_shapes[row] = text(shapes);
    all.in_types[row] = all.out_types[row] = text("[Float]");
    all.state[row] = text(state);
    all.retired[row] = retired;
    all.created[row] = ++clock_;
    all.call_stack[row] = text("train.py(" + std::to_string(number) + "): step");
    return *this;
  }
  ProfilePtr get() const { return profile_; }

 private:
  StringId text(std::string_view words) { return profile_->strings.intern(words); }

  std::shared_ptr<Profile> profile_;
  std::int64_t now_ = 0;
  Time clock_ = 0;
};

Report report_of(const Job& job) { return run_view(job.get(), "hangs"); }

std::string advice_ids(const Report& report) {
  std::string ids;
  for (const Advice& one : report.panels[1].as<AdviceList>()->items) ids += one.id + " ";
  return ids;
}

// Ranks 0 and 2 wait in number 2, on 0 and 2 number 1 has ended; rank 1 called 1 only.
TEST(Hangs, NamesTheRankThatNeverCalled) {
  Job job;
  for (const int rank : {0, 1, 2}) {
    job.rank(rank).group("0", "world", "[0, 1, 2]", 1).call("0", 1, "x:all_reduce");
    if (rank != 1) job.call("0", 2, "x:all_gather");
  }
  const Report report = report_of(job);
  EXPECT_EQ(rows_text(report, "groups", {"group", "all_ended", "stuck", "operation", "absent", "waiting"}),
            "world (0) 1 2 all_gather 1 0, 2\n");
  EXPECT_EQ(advice_ids(report), "absent_ranks ");
  EXPECT_EQ(rows_text(report, "ranks", {"rank", "state", "called", "ended"}),
            "0 called, not started 2 1\n1 never called it 1 1\n2 called, not started 2 1\n");
  // The last time of all is 5; rank 1 made its last call at 3.
  EXPECT_EQ(rows_text(report, "stacks", {"what", "count", "ranks", "stack"}),
            "stuck here 2 0, 2 train.py(2): step\nlast call before 1 1 train.py(1): step\n");
}

// The value of two ranks of three is the usual one, whichever ranks they are.
TEST(Hangs, TheUsualValueIsThatOfMostRanks) {
  Job job;
  for (const int rank : {0, 1, 2})
    job.rank(rank).group("0", "", "[0, 1, 2]", 0).call("0", 1, "x:all_reduce", rank == 0 ? "[[5]]" : "[[4]]");
  const Report report = report_of(job);
  EXPECT_EQ(rows_text(report, "differences", {"number", "property", "usual", "usual_ranks", "other", "other_ranks"}),
            "1 shapes of the inputs [[4]] 1, 2 [[5]] 0\n1 shapes of the outputs [[4]] 1, 2 [[5]] 0\n");
  EXPECT_EQ(advice_ids(report), "ranks_differ ranks_differ ");
}

TEST(Hangs, ComparesNothingElseWhereOperationsDiffer) {
  Job job;
  job.rank(0).group("0", "", "[0, 1]", 0).call("0", 1, "x:all_reduce", "[[4]]");
  job.rank(1).group("0", "", "[0, 1]", 0).call("0", 1, "x:broadcast", "[[8]]");
  EXPECT_EQ(rows_text(report_of(job), "differences", {"property", "usual", "other"}), "operation all_reduce broadcast\n");
}

// Inputs of all_to_all may differ, but all that is sent is received: 4 + 8 = 12 sent, 4 + 4 = 8 received.
TEST(Hangs, AnExchangeReceivesWhatItSends) {
  Job job;
  for (const int rank : {0, 1}) job.rank(rank).group("0", "", "[0, 1]", 0).call("0", 1, "x:all_to_all", "[[4]]");
  Profile& profile = const_cast<Profile&>(*job.get());
  EXPECT_EQ(rows_text(report_of(job), "differences", {"usual"}), "");
  profile.collective_records.in_shapes[1] = profile.strings.intern("[[4, 2]]");
  EXPECT_EQ(rows_text(report_of(job), "differences", {"property", "usual", "other"}), "elements sent and received 12 8\n");
}

// Rank 1 is missing in "a" because it waits in "b"; in "b", rank 2 is missing, which waits nowhere.
TEST(Hangs, TheGroupThatWaitsForNoOtherComesFirst) {
  Job job;
  job.rank(0).group("a", "", "[0, 1]", 0).call("a", 1, "x:all_reduce");
  job.rank(1).group("a", "", "[0, 1]", 0).group("b", "", "[1, 2]", 0).call("b", 1, "x:all_gather");
  job.rank(2).group("b", "", "[1, 2]", 0);
  const Report report = report_of(job);
  EXPECT_EQ(rows_text(report, "groups", {"group", "absent", "waits_for"}), "a 1 b\nb 2 -\n");
  EXPECT_EQ(advice_ids(report), "absent_ranks ");
  EXPECT_NE(std::string(report.panels[1].as<AdviceList>()->items[0].evidence).find("group b, rank 2"), std::string::npos);
}

TEST(Hangs, GroupsThatWaitForEachOther) {
  Job job;
  job.rank(0).group("a", "", "[0, 1]", 0).group("b", "", "[0, 1]", 0).call("a", 1, "x:all_reduce");
  job.rank(1).group("a", "", "[0, 1]", 0).group("b", "", "[0, 1]", 0).call("b", 1, "x:all_reduce");
  EXPECT_EQ(advice_ids(report_of(job)), "circular_wait absent_ranks absent_ranks ");
}

TEST(Hangs, AllCalledAndNothingEnds) {
  Job job;
  for (const int rank : {0, 1})
    job.rank(rank).group("0", "", "[0, 1]", 0).call("0", 1, "x:all_reduce", "[[4]]", rank == 0 ? "started" : "scheduled");
  const Report report = report_of(job);
  EXPECT_EQ(advice_ids(report), "no_progress ");
  EXPECT_EQ(rows_text(report, "ranks", {"rank", "state"}), "0 started, not ended\n1 called, not started\n");
}

// A rank without a file is not called missing; where the status is not stated, "no longer watched" counts as ended.
TEST(Hangs, WhatIsNotKnownIsNotBlamed) {
  Job job;
  job.rank(0).group("0", "", "[0, 1]", kUnknown).call("0", 1, "x:all_reduce", "[[4]]", "scheduled", true);
  EXPECT_EQ(rows_text(report_of(job), "groups", {"state", "all_ended", "stuck"}), "all ended on ranks with a file 1 -\n");
  job.call("0", 2, "x:all_reduce");
  const Report report = report_of(job);
  EXPECT_EQ(rows_text(report, "groups", {"state", "stuck", "absent", "no_file"}), "called by all that have a file 2 - 1\n");
}

// A file that states that 1 has ended wins over "no longer watched": that call timed out.
TEST(Hangs, ACallThatTimedOutHasNotEnded) {
  Job job;
  job.rank(0).group("0", "", "[0]", 1).call("0", 1, "x:all_reduce").call("0", 2, "x:all_reduce", "[[4]]", "started", true);
  EXPECT_EQ(rows_text(report_of(job), "groups", {"all_ended", "stuck"}), "1 2\n");
}

TEST(Hangs, RanksInWords) {
  EXPECT_EQ(rank_words({0, 1, 2, 3, 7}), "0-3, 7");
  EXPECT_EQ(rank_words({0, 1, 5}), "0, 1, 5");
  EXPECT_EQ(ranks_in("[3, 0, 1]"), (std::vector<std::int64_t>{3, 0, 1}));
  EXPECT_EQ(ranks_in("[0, 1, ..., 7]"), std::vector<std::int64_t>{});
  EXPECT_EQ(ranks_in("[a]"), std::vector<std::int64_t>{});
  EXPECT_EQ(ranks_in(""), std::vector<std::int64_t>{});
}

}  // namespace
}  // namespace sightline::analyses

// The reader of slices as text through its front door: lines in, tables out.
#include "formats/registry.h"

#include <gtest/gtest.h>

#include "model/profile.h"
#include "tests/support/temporary_file.h"

namespace sightline::formats {

using namespace tests;
namespace {

using TextLines = std::vector<std::string>;

// "thread: start+duration name depth", by lane and time; then "code xcount @offset" of each problem.
TextLines read_lines(const std::string& text) {
  const TemporaryFile file(text);
  const Result<std::unique_ptr<Profile>> read = slices_tsv_reader().read(file.path(), {});
  if (!read) return {read.error().message + read.error().where.substr(read.error().where.rfind(':'))};
  const Profile& p = **read;
  EXPECT_EQ(check_profile(p), TextLines{});
  EXPECT_EQ(p.format, "slices_tsv");
  EXPECT_EQ(p.file, file.path());
  TextLines lines;
  for (Row i = 0; i < p.slices.rows(); ++i) {
    lines.push_back(std::string(p.text(p.lanes.name[p.slices.lane[i]])) + ": " + std::to_string(p.slices.start[i]) + "+" +
                    std::to_string(p.slices.duration[i]) + " " + std::string(p.text(p.slices.name[i])) + " " +
                    std::to_string(p.slices.depth[i]));
  }
  for (Row i = 0; i < p.problems.rows(); ++i) {
    lines.push_back(std::string(p.text(p.problems.code[i])) + " x" + std::to_string(p.problems.count[i]) + " @" +
                    std::to_string(p.problems.offset[i]));
  }
  return lines;
}

TEST(SlicesTsv, LinesInAnyOrderAreNestedByThread) {
  EXPECT_EQ(read_lines("10\t30.5\tmain\tload\n0\t100\tmain\tstep\n20\t15\tworker\tdecode"),
            (TextLines{"main: 0+100000 step 0", "main: 10000+30500 load 1", "worker: 20000+15000 decode 0"}));
}

TEST(SlicesTsv, UnixTimesCountFromTheFirst) {
  const TemporaryFile file("1700000000000002\t1\tt\tb\n1700000000000000\t1\tt\ta\n");
  const auto p = slices_tsv_reader().read(file.path(), {});
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->origin_unix_ns, 1'700'000'000'000'000'000);
  EXPECT_EQ((*p)->slices.start[1], 2000);
  EXPECT_EQ((*p)->span_end, 3000);
  EXPECT_EQ((*p)->events, 2);
}

TEST(SlicesTsv, MalformedLinesAreOneProblemAtTheFirst) {
  // The second line begins at byte 11.
  EXPECT_EQ(read_lines("0\t1\tmain\ta\n\nno\n5\t-1\tmain\tb\n5\t1\tmain\n5\t1\tmain\tc\td\n"),
            (TextLines{"main: 0+1000 a 0", "malformed_line x5 @11"}));
  EXPECT_EQ(read_lines("0\t1\tmain\ta\nno"), (TextLines{"main: 0+1000 a 0", "malformed_line x1 @11"}));
}

TEST(SlicesTsv, NothingReadIsAnErrorAtTheFirstMalformedLine) {
  EXPECT_EQ(read_lines(""), (TextLines{"nothing could be read: it holds no events:0"}));
  EXPECT_EQ(read_lines("thread\tname\n"),
            (TextLines{"nothing could be read: a line is not `start_us duration_us thread name`; it was skipped:0"}));
}

// The defaults of a reader.
TEST(SlicesTsv, NamesAndTextsFollowFromTheEnding) {
  const Reader reader = slices_tsv_reader();
  EXPECT_TRUE(reader.claims("job.slices.tsv"));
  EXPECT_TRUE(reader.claims("job.slices.tsv.gz"));
  EXPECT_FALSE(reader.claims("job.tsv"));
  EXPECT_TRUE(reader.sniff("job.slices.tsv", "anything"));
  EXPECT_EQ(reader.name("job.slices.tsv.gz").worker, "job");
  const TemporaryFile file("0\t1\tmain\ta\n1\t1\tmain\tb\r\n");
  EXPECT_EQ(*reader.event_text(file.path(), 0), "0\t1\tmain\ta");
  EXPECT_EQ(*reader.event_text(file.path(), 11), "1\t1\tmain\tb\r");
  EXPECT_EQ(reader.event_text(file.path(), 23).error().code, ErrorCode::not_found);
  EXPECT_FALSE(reader.event_text(file.path(), -1).ok());
}

TEST(SlicesTsv, TheProgressEndsComplete) {
  const TemporaryFile file("0\t1\tmain\ta\n1\t1\tmain\tb\n");
  ReadProgress progress;
  ASSERT_TRUE(slices_tsv_reader().read(file.path(), {.threads = 1, .progress = &progress}).ok());
  EXPECT_EQ(progress.bytes_done, 22);
  EXPECT_EQ(progress.bytes_total, 22);
  EXPECT_EQ(progress.events, 2);
  progress.cancelled = true;
  EXPECT_EQ(slices_tsv_reader().read(file.path(), {.threads = 1, .progress = &progress}).error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace sightline::formats

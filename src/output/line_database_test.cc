#include "output/line_database.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/text_profile.h"

namespace sightline::output {

using namespace tests;
namespace {

std::string tag(std::string_view text) {
  std::string out;
  append_tag_value(out, text);
  return out;
}

std::string lines_of(const Profile& profile, const PointTags& tags) {
  std::string all;
  write_points(profile, tags, {}, [&](std::string_view lines) {
    all += lines;
    return true;
  });
  return all;
}

TEST(LineProtocol, EscapesWhatWouldEndAValue) {
  EXPECT_EQ(tag("a, b=c"), "a\\,\\ b\\=c");
  EXPECT_EQ(tag("two\nlines"), "two\\ lines");
  EXPECT_EQ(tag("C:\\temp"), "C:\\temp");  // a backslash alone is itself
  EXPECT_EQ(tag("end\\"), "end\\\\ ");     // what follows would be escaped: a blank does no harm
  std::string field;
  append_field_text(field, "say \"a\\b\"");
  EXPECT_EQ(field, "\"say \\\"a\\\\b\\\"\"");
}

// A parent and its child begin at once: without `nth` one would replace the other.
TEST(LineProtocol, PointsOfOneTimeAreTold) {
  const auto profile = text_profile("thread 1: 5-30 op outer, 5-12 op inner, 20-25 op later");
  const std::string lines = lines_of(*profile, {.run = "a run", .worker = "w", .span = ""});
  std::vector<std::string> each;
  for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1)
    each.push_back(lines.substr(at, lines.find('\n', at) - at));
  ASSERT_EQ(each.size(), 3u);
  EXPECT_NE(each[0].find("slice,run=a\\ run,worker=w,"), std::string::npos) << each[0];
  EXPECT_EQ(each[0].find(",nth="), std::string::npos);
  EXPECT_NE(each[1].find(",nth=1 "), std::string::npos) << each[1];
  EXPECT_EQ(each[2].find(",nth="), std::string::npos);
  EXPECT_EQ(each[1].substr(each[1].rfind(' ')), each[0].substr(each[0].rfind(' '))) << "the same time";
  EXPECT_EQ(lines.find("span="), std::string::npos) << "an empty tag is not one";
}

TEST(LineProtocol, BatchesAreAsShortAsAskedForAndEndWhenToldTo) {
  const auto profile = text_profile("thread 1: 0-1 op a, 2-3 op b, 4-5 op c, 6-7 op d, 8-9 op e");
  std::vector<std::string> batches;
  const auto take = [&](std::string_view lines) {
    batches.emplace_back(lines);
    return true;
  };
  EXPECT_EQ(write_points(*profile, {}, {.points = 2}, take), 5);
  ASSERT_EQ(batches.size(), 3u);
  EXPECT_EQ(std::count(batches[0].begin(), batches[0].end(), '\n'), 2);
  EXPECT_EQ(std::count(batches[2].begin(), batches[2].end(), '\n'), 1);
  int taken = 0;
  write_points(*profile, {}, {.points = 2}, [&](std::string_view) { return ++taken < 2; });
  EXPECT_EQ(taken, 2);
}

}  // namespace
}  // namespace sightline::output

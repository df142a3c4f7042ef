// Metadata and problems: the tables for a small profile.
#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

TEST(Metadata, ListsMembersDevicesAndLanes) {
  const ProfilePtr profile = text_profile(
      "meta schema = 1\ndevice 0: Big [memory=16 cc=7.0]\nthread 1: 0-10 op a, 2-3 op b\nthread 1+: 5-20 op c\nstream 7 of 0: "
      "0-1 k");
  const Report report = run_view(profile, "metadata");
  EXPECT_EQ(rows_text(report, "metadata", {"key", "value"}), "schema 1\n");
  EXPECT_EQ(rows_text(report, "devices", {"device", "name", "memory", "compute_major", "cores"}), "0 Big 16 7 -\n");
  EXPECT_EQ(rows_text(report, "lanes", {"name", "kind", "device", "slices", "relieves"}),
            "thread 1 host thread - 2 -\nthread 1 host thread - 1 0\nstream 7 device stream 0 1 -\n");
  EXPECT_EQ(panel_facts(report.panels.front())[2].label, "Origin");
  EXPECT_EQ(cell_text(panel_facts(report.panels.front())[2].value), "-");
}

TEST(Metadata, CountsRowsAndBytes) {
  const Report report = run_view(text_profile("thread 1: 0-10 op a"), "metadata");
  const std::string rows = rows_text(report, "columns", {"table", "rows"});
  EXPECT_NE(rows.find("slices 1\n"), std::string::npos);
  EXPECT_NE(rows.find("kernels"), 0u);
}

TEST(Problems, AreListedInOrder) {
  const auto profile = parse_text_profile("thread 1: 0-10 op a");
  profile->add_problem(Severity::warning, "torn_file", "the file ends in the middle of an event", 1, 4096);
  profile->add_problem(Severity::note, "no_steps", "no steps", 1, -1);
  const Report report = run_view(ProfilePtr(std::make_shared<const Profile>(std::move(*profile))), "problems");
  EXPECT_EQ(rows_text(report, "problems", {"severity", "code", "message", "count", "offset"}),
            "warning torn_file the file ends in the middle of an event 1 4096\nnote no_steps no steps 1 -\n");
}

TEST(Problems, ReportsThatThereAreNone) {
  EXPECT_EQ(run_view(text_profile("thread 1: 0-10 op a"), "problems").panels.front().empty,
            "Nothing unusual was found while reading this profile.");
}

}  // namespace
}  // namespace sightline::analyses

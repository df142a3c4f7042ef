// The counters of a device in its summary, computed by hand.
#include <gtest/gtest.h>

#include <string>

#include "analyses/devices/device_tables.h"
#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// From 0 to 100: 10 W for 40 ns, then 40 W for 60 ns: (400 + 2400) / 100 = 28 W.
TEST(DeviceSensors, MeanIsOverTheTimeThatAValueHolds) {
  const auto profile = parse_text_profile(R"(
    stream 7: 0-100 kernel gemm
    counter Power: 0 10, 40 40
    counter Elsewhere: 0 5
  )");
  ASSERT_EQ(profile->counters.rows(), 3U);
  profile->lanes.device[profile->counters.lane[0]] = 0;
  profile->lanes.device[profile->counters.lane[2]] = 1;
  const ReportTable table = sensors_table(*profile, 0);
  ASSERT_EQ(table.rows(), 1U);
  EXPECT_EQ(table.find("counter")->values[0], Cell(std::string("Power")));
  EXPECT_DOUBLE_EQ(number_of(table.find("mean")->values[0]), 28);
  EXPECT_DOUBLE_EQ(number_of(table.find("least")->values[0]), 10);
  EXPECT_DOUBLE_EQ(number_of(table.find("most")->values[0]), 40);
  EXPECT_DOUBLE_EQ(number_of(table.find("last")->values[0]), 40);
}

}  // namespace
}  // namespace sightline::analyses

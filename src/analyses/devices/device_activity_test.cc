// Device metrics by hand, then bounds and a slow oracle on random kernels.
#include "analyses/devices/device_activity.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include <cmath>
#include <random>

#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::vector<DeviceActivity> activity_of(const ProfilePtr& profile, Interval window) {
  return device_activity(*profile, work_by_start(*profile), window);
}

TEST(DeviceActivity, UtilizationIsTheUnionOfKernelsInTheWindow) {
  // [10,30) and [20,50) on two streams: 40; the copy does not count; [90,120) is clipped at 100: 10. 50 of 100.
  const ProfilePtr profile = text_profile(R"(
    stream 7: 10-30 a, 60-70 memcpy HtoD, 90-120 b
    stream 8: 20-50 collective c
  )");
  const auto devices = activity_of(profile, {0, 100});
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_DOUBLE_EQ(devices[0].utilization, 0.5);
  EXPECT_EQ(devices[0].kernels, 3);
}

TEST(DeviceActivity, EfficiencyAddsConcurrentKernelsAndCapsAtOne) {
  // 0.5 alone over [0,10), 0.5 + 0.75 -> 1 over [10,20), 0.75 alone over [20,30), 2 -> 1 over [40,50); c has no value.
  // (5 + 10 + 7.5 + 10) / 100.
  const ProfilePtr profile = text_profile(R"(
    stream 7: 0-20 a [blocks=0.5], 40-50 b [blocks=2], 60-90 c
    stream 8: 10-30 d [blocks=0.75]
  )");
  EXPECT_DOUBLE_EQ(activity_of(profile, {0, 100})[0].core_efficiency, 0.325);
}

TEST(DeviceActivity, OccupancyIsWeightedByTheTimeInTheWindow) {
  // 50% for 10 (clipped from 20), 0% for 10, unknown for 30: (500 + 0) / 20.
  const ProfilePtr profile = text_profile("stream 7: 0-20 a [occ=50], 20-30 b [occ=0], 30-60 c");
  EXPECT_DOUBLE_EQ(activity_of(profile, {10, 100})[0].occupancy, 25);
}

TEST(DeviceActivity, UnknownIsNaN) {
  const auto devices = activity_of(text_profile("stream 7: 0-20 a [blocks=0 unknown_core]"), {0, 100});
  EXPECT_TRUE(std::isnan(devices[0].core_efficiency));
  EXPECT_TRUE(std::isnan(devices[0].occupancy));
  EXPECT_TRUE(std::isnan(devices[0].matrix_share));
  EXPECT_DOUBLE_EQ(devices[0].utilization, 0.2);
  EXPECT_TRUE(std::isnan(activity_of(text_profile("stream 7: 0-20 a"), {5, 5})[0].utilization));
}

TEST(DeviceActivity, MatrixShareIsOverAllKernels) {
  // 30 + 40 + 9 on matrix units, of these and 10 more: however they were launched. The copy is not a kernel.
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-10 op a, 1-2 runtime l [corr=1], 3-4 runtime l [corr=2], 20-30 annotation n, 21-22 runtime l [corr=3]
    stream 7: 10-40 k [corr=1 matrix], 40-50 k [corr=2], 50-90 k [corr=3 matrix], 90-99 k [matrix], 99-150 memcpy c
  )");
  EXPECT_DOUBLE_EQ(activity_of(profile, {0, 20})[0].matrix_share, 79.0 / 89);
}

TEST(DeviceActivity, MatrixShareIsUnknownIfAKernelsCoreIs) {
  const ProfilePtr profile = text_profile(R"(
    thread 1: 0-10 op a, 1-2 runtime l [corr=1], 3-4 runtime l [corr=2]
    stream 7: 10-40 k [corr=1 matrix], 40-50 k [corr=2 unknown_core]
  )");
  EXPECT_TRUE(std::isnan(activity_of(profile, {0, 20})[0].matrix_share));
}

TEST(DeviceActivity, CollectivesNeverCountAsMatrixWork) {
  const ProfilePtr profile = text_profile("stream 7: 0-30 k [matrix], 30-40 collective c [unknown_core]");
  EXPECT_DOUBLE_EQ(activity_of(profile, {0, 20})[0].matrix_share, 0.75);
}

TEST(DeviceActivity, DevicesAreSeparate) {
  const auto devices =
      activity_of(text_profile("stream 7 of 1: 0-50 a\nstream 7 of 0: 0-20 a\nstream 3 of 2: 0-9 memset z"), {0, 100});
  ASSERT_EQ(devices.size(), 3u);
  EXPECT_EQ(devices[0].device, 0);
  EXPECT_DOUBLE_EQ(devices[0].utilization, 0.2);
  EXPECT_DOUBLE_EQ(devices[1].utilization, 0.5);
  EXPECT_DOUBLE_EQ(devices[2].utilization, 0);
}

TEST(DeviceActivity, WorkIsInOrderOfStart) {
  const ProfilePtr profile = text_profile("stream 7: 0-5 a, 20-30 b\nstream 8: 3-4 c, 20-21 d\nstream 9: 1-2 e");
  std::string starts;
  for (const WorkInterval& work : work_by_start(*profile)) starts += fmt::format("{}/{} ", work.start, work.work);
  EXPECT_EQ(starts, "0/0 1/4 3/2 20/1 20/3 ");
}

TEST(DeviceActivity, AgreesWithTheSlowOracleAndStaysWithinBounds) {
  std::mt19937 random(6);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int stream = 0; stream < 3; ++stream) {
      std::string line;
      for (Time at = 0; at < 100;) {
        const Time end = at + 1 + static_cast<Time>(random() % 15);
        line += fmt::format("{}{}-{} k [blocks={}]", line.empty() ? "" : ", ", at, end, 0.25 * static_cast<double>(random() % 6));
        at = end + static_cast<Time>(random() % 8);
      }
      text += fmt::format("stream {}: {}\n", stream, line);
    }
    const ProfilePtr profile = text_profile(text);
    const Interval window{5, 95};
    double busy = 0;
    double filled = 0;
    for (Time t = window.start; t < window.end; ++t) {
      double blocks = 0;
      bool any = false;
      for (Row i = 0; i < profile->device_work.rows(); ++i) {
        const Row slice = profile->device_work.slice[i];
        if (profile->slices.start[slice] > t || profile->end_of(slice) <= t) continue;
        any = true;
        blocks += static_cast<double>(profile->device_work.blocks_per_core[i]);
      }
      busy += any ? 1 : 0;
      filled += std::min(1.0, blocks);
    }
    const DeviceActivity device = activity_of(profile, window)[0];
    ASSERT_NEAR(device.utilization, busy / 90, 1e-12);
    ASSERT_NEAR(device.core_efficiency, filled / 90, 1e-9);
    ASSERT_LE(device.core_efficiency, device.utilization + 1e-9);
    ASSERT_LE(device.utilization, 1);
  }
}

}  // namespace
}  // namespace sightline::analyses

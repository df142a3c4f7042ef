// Which peaks a device has: by its name and its number of cores, by the file, and by the user.
#include "analyses/peaks/device_peaks.h"

#include <gtest/gtest.h>

#include "tests/support/text_profile.h"

namespace sightline::analyses {

using namespace tests;
namespace {

PeaksOf peaks_of(std::string_view device, const std::vector<GivenPeak>& given = {}) {
  const auto profile = parse_text_profile("device 0: " + std::string(device));
  add_device_peaks(*profile, given);
  EXPECT_EQ(check_profile(*profile), std::vector<std::string>{});
  return PeaksOf(*profile, 0);
}

TEST(DevicePeaks, AProductIsFoundByItsNameAndCores) {
  EXPECT_EQ(peaks_of("NVIDIA H100 80GB HBM3 [cores=132]").flops("bf16", "matrix"), 989.4e12);
  EXPECT_EQ(peaks_of("NVIDIA H100 80GB HBM3 [cores=132]").bandwidth(), 3350e9);
  EXPECT_EQ(peaks_of("NVIDIA H100 PCIe [cores=114]").flops("bf16", "matrix"), 756.5e12);
  EXPECT_EQ(peaks_of("NVIDIA A100-SXM4-80GB [cores=108]").bandwidth(), 2039e9);
  EXPECT_EQ(peaks_of("AMD Instinct MI300X [cores=304]").flops("fp8", "matrix"), 2614.9e12);
  EXPECT_EQ(peaks_of("NVIDIA GeForce RTX 4090 [cores=128]").flops("bf16", "matrix"), 165.2e12);
  EXPECT_EQ(peaks_of("NVIDIA H200 [cores=132]").sources().size(), 1u);
}

TEST(DevicePeaks, APartOfADeviceOrAnUnknownOneHasNone) {
  EXPECT_FALSE(peaks_of("NVIDIA H100 80GB HBM3 [cores=60]").any()) << "an instance of a few of its cores";
  EXPECT_FALSE(peaks_of("Big GPU [cores=132]").any());
}

TEST(DevicePeaks, ADeviceWithoutANameIsFoundByItsCoresAndMemory) {
  const auto nameless = [](std::int64_t cores, std::int64_t memory) {
    const auto profile = parse_text_profile("device 0: x");
    profile->devices.name[0] = StringId::none;
    profile->devices.cores[0] = cores;
    profile->devices.memory[0] = memory;
    add_device_peaks(*profile, {});
    return PeaksOf(*profile, 0);
  };
  EXPECT_EQ(nameless(304, 206141652992).bandwidth(), 5300e9);
  EXPECT_EQ(nameless(304, 274877906944).bandwidth(), 6000e9);
  EXPECT_FALSE(nameless(304, 100000000000).any());
  EXPECT_FALSE(nameless(132, 85e9).any()) << "several products have as many";
}

TEST(DevicePeaks, VectorUnitsHaveOthers) {
  const PeaksOf peaks = peaks_of("AMD Instinct MI250X [cores=110]");
  EXPECT_EQ(peaks.flops("fp32", "vector"), 23.95e12);
  EXPECT_EQ(peaks.flops("fp32", "matrix"), 47.85e12);
  EXPECT_EQ(peaks.flops("bf16", "vector"), 23.95e12) << "narrow types are computed in fp32 there";
}

TEST(DevicePeaks, TheUsersComeFirstThenTheFiles) {
  const PeaksOf given = peaks_of("NVIDIA H100 80GB HBM3 [cores=132]", {{"bf16", 708e12}});
  EXPECT_EQ(given.flops("bf16", "matrix"), 708e12);
  EXPECT_EQ(given.flops("fp8", "matrix"), 1978.9e12);
  EXPECT_EQ(given.sources().back(), "given with --peak");
  const PeaksOf stated = peaks_of("NVIDIA H100 80GB HBM3 [cores=132 flops=5e12 bandwidth=1e12]");
  EXPECT_EQ(stated.flops("bf16", "matrix"), 5e12);
  EXPECT_EQ(stated.bandwidth(), 1e12);
}

TEST(DevicePeaks, TextsOfTheUser) {
  const std::vector<std::string> good{"bf16=708T", "bandwidth=4900G", "fp8=1.5P", "fp64=7"};
  const auto peaks = parse_peaks(good);
  ASSERT_TRUE(peaks.ok());
  EXPECT_EQ((*peaks)[0].per_second, 708e12);
  EXPECT_EQ((*peaks)[1].per_second, 4900e9);
  EXPECT_EQ((*peaks)[2].per_second, 1.5e15);
  EXPECT_EQ((*peaks)[3].per_second, 7);
  for (const char* bad : {"bf16", "=3T", "bf16=", "bf16=T", "bf16=-1T", "bf16=1X", "bf16=nan"}) {
    const std::vector<std::string> texts{bad};
    EXPECT_FALSE(parse_peaks(texts).ok()) << bad;
  }
}

}  // namespace
}  // namespace sightline::analyses

// How full a device is, computed by hand: through the rules, and through the reader.
#include "formats/common/launch_fill.h"

#include <gtest/gtest.h>

#include <cmath>

#include "formats/registry.h"
#include "model/tables.h"
#include "tests/support/temporary_file.h"

namespace sightline::formats {

using namespace tests;
namespace {

// A device of 10 cores, each with 2048 threads, 65536 registers and 233472 bytes of shared memory.
Devices device_of(std::int64_t major, std::int64_t minor) {
  Devices devices;
  const Row row = add_unknown_row(devices);
  devices.ordinal[row] = 0;
  devices.compute_major[row] = major;
  devices.compute_minor[row] = minor;
  devices.cores[row] = 10;
  devices.threads_per_core[row] = 2048;
  devices.registers_per_core[row] = 65536;
  devices.shared_per_core[row] = 233472;
  devices.shared_per_block[row] = 49152;
  devices.warp_size[row] = 32;
  return devices;
}

TEST(LaunchFill, EachLimitOfACore) {
  const Devices hopper = device_of(9, 0);
  // Only the launch itself is a limit: 20 blocks on 10 cores are 2 per core, of 128 threads: 256 of 2048.
  EXPECT_DOUBLE_EQ(computed_occupancy(hopper, 0, {20, 128, 16, 0}), 12.5);
  // Threads: 2048 / 512 are 4 blocks.
  EXPECT_DOUBLE_EQ(computed_occupancy(hopper, 0, {1000, 512, 16, 0}), 100);
  // Blocks: 32 of one warp.
  EXPECT_DOUBLE_EQ(computed_occupancy(hopper, 0, {1000, 32, 16, 0}), 50);
  // Registers: 168 x 32 = 5376 a warp; 16384 of each quarter take 3 warps, so 12 warps are 3 blocks of 4: 384 of 2048.
  EXPECT_DOUBLE_EQ(computed_occupancy(hopper, 0, {1000, 128, 168, 0}), 18.75);
  // 100 x 32 = 3200 registers are rounded up to 3328: 4 warps a quarter, 16 in all: 4 blocks.
  EXPECT_DOUBLE_EQ(computed_occupancy(hopper, 0, {1000, 128, 100, 0}), 25);
  // Shared memory: 100000 + 1024, rounded up to 101120: two blocks of 233472.
  EXPECT_DOUBLE_EQ(computed_occupancy(hopper, 0, {1000, 128, 16, 100000}), 12.5);
}

TEST(LaunchFill, GenerationsDiffer) {
  // 16 blocks of one warp before Ampere's largest, 24 on Ada; no shared memory is reserved before Ampere.
  EXPECT_DOUBLE_EQ(computed_occupancy(device_of(7, 5), 0, {1000, 32, 16, 0}), 25);
  EXPECT_DOUBLE_EQ(computed_occupancy(device_of(8, 9), 0, {1000, 32, 16, 0}), 37.5);
  EXPECT_DOUBLE_EQ(computed_occupancy(device_of(7, 0), 0, {1000, 128, 16, 116736}), 12.5);
  EXPECT_DOUBLE_EQ(computed_occupancy(device_of(8, 0), 0, {1000, 128, 16, 116736}), 6.25);
  EXPECT_TRUE(std::isnan(computed_occupancy(device_of(6, 0), 0, {1000, 128, 16, 0})));
  Devices amd = device_of(9, 4);
  amd.warp_size[0] = 64;
  EXPECT_TRUE(std::isnan(computed_occupancy(amd, 0, {1000, 128, 16, 0})));
}

TEST(LaunchFill, ImpossibleLaunchesAreUnknown) {
  EXPECT_TRUE(std::isnan(computed_occupancy(device_of(9, 0), 0, {1, 4096, 16, 0})));
  EXPECT_TRUE(std::isnan(computed_occupancy(device_of(9, 0), 0, {1, 128, 16, 300000})));
}

constexpr std::string_view kHopper =
    R"("computeMajor": 9, "computeMinor": 0, "warpSize": 32, "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 233472, "sharedMemPerBlock": 49152)";

// The device work of a trace of the given kernels' arguments, each launched by a call of the name before it.
std::unique_ptr<Profile> read(std::string_view device, const std::vector<std::pair<std::string, std::string>>& kernels) {
  std::string events;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string at = std::to_string(10 * i), id = std::to_string(i + 1);
    events += std::string(i > 0 ? "," : "") + R"({"ph":"X","cat":"cuda_runtime","name":")" + kernels[i].first +
              R"(","pid":1,"tid":1,"ts":)" + at + R"(,"dur":1,"args":{"correlation":)" + id + "}}," +
              R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" + at +
              R"(,"dur":5,"args":{"device":0,"correlation":)" + id + "," + kernels[i].second + "}}";
  }
  const TemporaryFile file(R"({"deviceProperties":[{"id":0,"numSms":10,"maxThreadsPerMultiprocessor":2048,)" +
                           std::string(device) + R"(}],"traceEvents":[)" + events + "]}");
  auto profile = kineto_reader().read(file.path(), {});
  EXPECT_TRUE(profile.ok());
  return *std::move(profile);
}

TEST(LaunchFill, OnlyAFalseZeroIsReplaced) {
  const std::string launch = R"("grid":[20,1,1],"block":[128,1,1],"registers per thread":16,"blocks per SM":2,"warps per SM":8,)";
  const auto p = read(kHopper, {{"cudaLaunchKernel", launch + R"("shared memory":100000,"est. achieved occupancy %":0)"},
                                {"cudaLaunchKernel", launch + R"("shared memory":100000,"est. achieved occupancy %":7)"},
                                {"cudaLaunchKernel", launch + R"("shared memory":49152,"est. achieved occupancy %":0)"}});
  const DeviceWork& w = p->device_work;
  EXPECT_EQ(w.occupancy, (std::vector<float>{12.5F, 7, 0}));
  EXPECT_EQ(w.fill_source, (std::vector<FillSource>{FillSource::computed_for_zero, FillSource::file, FillSource::file}));
  EXPECT_EQ(w.warps_per_core, (std::vector<float>{8, 8, 8}));
}

TEST(LaunchFill, AFalseZeroThatCannotBeComputedIsUnknown) {
  const std::string launch = R"("grid":[20,1,1],"block":[128,1,1],"registers per thread":16,"blocks per SM":2,"warps per SM":8,)";
  const auto p =
      read(R"("name": "a device")", {{"cudaLaunchKernel", launch + R"("shared memory":49153,"est. achieved occupancy %":0)"},
                                     {"cudaLaunchKernel", launch + R"("shared memory":49152,"est. achieved occupancy %":0)"}});
  const DeviceWork& w = p->device_work;
  EXPECT_TRUE(std::isnan(w.occupancy[0]));
  EXPECT_EQ(w.occupancy[1], 0);
  EXPECT_EQ(w.fill_source, (std::vector<FillSource>{FillSource::unknown_for_zero, FillSource::file}));
}

TEST(LaunchFill, MissingValuesAreComputed) {
  const std::string launch = R"("grid":[30,2,1],"block":[64,2,1],"registers per thread":16,"shared memory":0)";
  const auto p = read(kHopper, {{"cudaLaunchKernel", launch}, {"cudaLaunchKernel", R"("grid":[30,2,1])"}});
  const DeviceWork& w = p->device_work;
  // 60 blocks on 10 cores, each of 4 warps: 6 x 128 of 2048 threads.
  EXPECT_EQ(w.blocks_per_core[0], 6);
  EXPECT_EQ(w.warps_per_core[0], 24);
  EXPECT_EQ(w.occupancy[0], 37.5F);
  EXPECT_EQ(w.fill_source[0], FillSource::computed);
  EXPECT_TRUE(std::isnan(w.blocks_per_core[1]) && std::isnan(w.occupancy[1]));
  EXPECT_EQ(w.fill_source[1], FillSource::file);
}

// Warps of 64. One call takes the grid in threads, rounded up to whole blocks: 784 and 1 of 256 and 1 are 4 blocks. Registers and
// shared memory are not in the file, so the occupancy stays unknown.
TEST(LaunchFill, DevicesWithWiderWarps) {
  constexpr std::string_view kAmd = R"("computeMajor":9,"computeMinor":4,"warpSize":64,"maxSharedMemoryPerMultiProcessor":65536)";
  const auto p = read(kAmd, {{"hipLaunchKernel", R"("grid":[20,1,1],"block":[256,1,1])"},
                             {"hipExtModuleLaunchKernel", R"("grid":[784,1,1],"block":[256,1,1])"}});
  const DeviceWork& w = p->device_work;
  EXPECT_EQ(w.blocks_per_core, (std::vector<float>{2, 0.4F}));
  EXPECT_EQ(w.warps_per_core, (std::vector<float>{8, 1.6F}));
  EXPECT_TRUE(std::isnan(w.occupancy[0]) && std::isnan(w.occupancy[1]));
  EXPECT_EQ(w.fill_source[1], FillSource::computed);
}

// A tracer counts the host's two CPUs as devices 0 and 1; the properties of the one GPU are listed as 0.
TEST(LaunchFill, ADeviceThatIsNotListedIsLikeTheListedOnes) {
  const auto devices = [](std::string_view listed) {
    const TemporaryFile file(R"({"deviceProperties":[)" + std::string(listed) +
                             R"(],"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":2,"tid":0,"ts":1,"dur":5,)"
                             R"("args":{"device":2,"stream":0,"grid":[20,1,1],"block":[256,1,1]}}]})");
    auto read = kineto_reader().read(file.path(), {});
    EXPECT_TRUE(read.ok());
    std::vector<std::string> rows;
    for (Row row = 0; row < (*read)->devices.rows(); ++row)
      rows.push_back(std::to_string((*read)->devices.ordinal[row]) + ' ' +
                     std::string((*read)->text((*read)->devices.name[row])));
    return rows;
  };
  const std::string one = R"({"id":0,"name":"GPU X","numSms":304})", other = R"({"id":1,"name":"GPU Y","numSms":304})";
  EXPECT_EQ(devices(one), (std::vector<std::string>{"0 GPU X", "2 GPU X"}));
  EXPECT_EQ(devices(one + "," + other), (std::vector<std::string>{"0 GPU X", "1 GPU Y"})) << "which of the two is not known";
}

}  // namespace
}  // namespace sightline::formats

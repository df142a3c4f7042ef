// Tiles of a full-width screen over 50 million slices on 200 lanes, one core, as a ratio to a scan of the same columns
// in memory; and the time to build the trees.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>

#include "base/memory.h"
#include "output/tiles.h"
#include "timeline/timeline.h"

namespace sightline::benches {
namespace {

constexpr std::size_t kSlices = 50'000'000;
constexpr std::size_t kLanes = 200;
constexpr std::int64_t kPixels = 1920;

// Processor time of this thread, so other work on the machine does not count. The best of a few, in ms.
template <typename Run>
double best_ms(Run&& run) {
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    timespec begin{}, end{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    run();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    const auto ms = [](const timespec& t) { return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6; };
    best = std::min(best, ms(end) - ms(begin));
  }
  return best;
}

// Lanes of short slices with a long one now and then, none overlapping.
std::shared_ptr<Profile> make_profile() {
  auto profile = std::make_shared<Profile>();
  std::mt19937_64 random(5);
  const StringId name = profile->strings.intern("kernel");
  Slices& s = profile->slices;
  s.start.reserve(kSlices);
  s.duration.reserve(kSlices);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    Time now = 0;
    const auto first = static_cast<Row>(s.start.size());
    for (std::size_t i = 0; i < kSlices / kLanes; ++i) {
      const std::uint64_t r = random();
      const Time duration = static_cast<Time>(r % 1000 == 0 ? 500'000 : r % 4000);
      s.start.push_back(now);
      s.duration.push_back(duration);
      now += duration + static_cast<Time>((r >> 32) % 3000);
    }
    profile->lanes.kind.push_back(LaneKind::device_stream);
    profile->lanes.process.push_back(kNoRow);
    profile->lanes.overflow_of.push_back(kNoRow);
    profile->lanes.first.push_back(first);
    profile->lanes.last.push_back(static_cast<Row>(s.start.size()));
    s.lane.resize(s.start.size(), static_cast<Row>(lane));
  }
  s.name.assign(kSlices, name);
  s.kind.assign(kSlices, SliceKind::kernel);
  s.depth.assign(kSlices, 0);
  return profile;
}

void run() {
  const std::shared_ptr<Profile> profile = make_profile();
  const auto begin = std::chrono::steady_clock::now();
  const Timeline timeline(profile, 2);
  const double built = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  std::printf("build, two threads           %8.1f ms, %.1f bytes per slice\n", built,
              static_cast<double>(timeline.bytes()) / static_cast<double>(kSlices));
  Time sum = 0;
  const double scan = best_ms([&] {
    for (std::size_t i = 0; i < kSlices; ++i) sum += profile->slices.start[i] ^ profile->slices.duration[i];
  });
  std::printf("scan of start and duration   %8.1f ms (%lld)\n", scan, static_cast<long long>(sum & 1));
  Time extent = 0;
  TileRequest request;
  for (const DrawnLane& lane : timeline.lanes()) {
    extent = std::max(extent, lane.end);
    request.lanes.push_back(lane.lane);
  }
  for (const std::int64_t zoom : {1, 3, 10, 30, 100, 10'000}) {
    const Time width = extent / zoom;
    request.window = {(extent - width) / 2, (extent + width) / 2, std::max<Time>(1, width / kPixels)};
    std::size_t bytes = 0;
    const double encoded = best_ms([&] { bytes = encode_tiles(timeline, request).size(); });
    std::printf("zoom %6lld: %6.2f ms (%.4f of the scan), %.1f MB\n", static_cast<long long>(zoom), encoded, encoded / scan,
                static_cast<double>(bytes) * 1e-6);
  }
}

}  // namespace
}  // namespace sightline::benches

int main() {
  sightline::benches::reuse_freed_memory();  // as the server does
  sightline::benches::run();
}

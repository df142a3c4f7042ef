// Tiles of a full-width screen over 50 million slices on 200 lanes, one core, as a ratio to a scan of the same columns
// in memory; and the time to build the trees.
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>

#include "engine/tiles.h"
#include "timeline/timeline.h"

namespace sightline {
namespace {

constexpr std::size_t kSlices = 50'000'000;
constexpr std::size_t kLanes = 200;
constexpr std::int64_t kPixels = 1920;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
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
  auto begin = std::chrono::steady_clock::now();
  const Timeline timeline(profile, 2);
  std::printf("build, two threads           %8.1f ms, %.1f bytes per slice\n", seconds_since(begin) * 1e3,
              static_cast<double>(timeline.bytes()) / static_cast<double>(kSlices));
  begin = std::chrono::steady_clock::now();
  Time sum = 0;
  for (std::size_t i = 0; i < kSlices; ++i) sum += profile->slices.start[i] ^ profile->slices.duration[i];
  const double scan = seconds_since(begin);
  std::printf("scan of start and duration   %8.1f ms (%lld)\n", scan * 1e3, static_cast<long long>(sum & 1));
  Time extent = 0;
  for (const DrawnLane& lane : timeline.lanes()) extent = std::max(extent, lane.end);
  for (const std::int64_t zoom : {1, 10, 100, 10'000}) {
    const Time width = extent / zoom;
    const Window window = aligned({(extent - width) / 2, (extent + width) / 2, std::max<Time>(1, width / kPixels)});
    std::vector<Mark> marks;
    begin = std::chrono::steady_clock::now();
    for (const DrawnLane& lane : timeline.lanes()) {
      for (const std::uint32_t row : lane.rows) timeline.query(row, window, marks);
    }
    const double marked = seconds_since(begin);
    TileRequest request{{}, window};
    for (const DrawnLane& lane : timeline.lanes()) request.lanes.push_back(lane.lane);
    begin = std::chrono::steady_clock::now();
    const Result<std::string> body = encode_tiles(timeline, request);
    const double encoded = seconds_since(begin);
    std::printf("zoom %6lld: %7zu marks in %6.1f ms (%.4f of the scan), encoded in %6.1f ms, %zu bytes\n",
                static_cast<long long>(zoom), marks.size(), marked * 1e3, marked / scan, encoded * 1e3, body ? body->size() : 0);
  }
}

}  // namespace
}  // namespace sightline

int main() { sightline::run(); }

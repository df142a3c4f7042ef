// The timeline's queries on a real trace, except tiles, in ms and as a ratio to a scan of its slices.
//   timeline [FILE]   (default: build/bench/modern_1GB.json, made by bench/make_input.py)
#include <chrono>
#include <cstdio>
#include <string>

#include "analyses/steps/range_sums.h"
#include "formats/reader.h"
#include "output/slice_json.h"
#include "output/tiles.h"
#include "output/timeline_json.h"
#include "timeline/timeline.h"

namespace sightline::benches {
namespace {

using Clock = std::chrono::steady_clock;

double scan_ms = 1;

template <typename Work>
void measure(const char* what, Work&& work) {
  const auto begin = Clock::now();
  const std::string note = work();
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  std::printf("%-44s %9.2f ms  %8.3f scans  %s\n", what, ms, ms / scan_ms, note.c_str());
}

int run(const std::string& path) {
  for (const Reader& reader : readers().first(1)) {
    Result<std::unique_ptr<Profile>> read = reader.read(path, {});
    if (!read) return 1;
    const ProfilePtr profile = std::move(*read);
    const Slices& s = profile->slices;
    const auto scan = [&] {
      Time sum = 0;
      for (std::size_t i = 0; i < s.rows(); ++i) sum += s.start[i] ^ s.duration[i];
      return std::to_string(sum & 1);
    };
    const auto begin = Clock::now();
    scan();
    scan_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    measure("scan of start and duration", scan);
    std::unique_ptr<Timeline> timeline;
    measure("build", [&] {
      timeline = std::make_unique<Timeline>(profile, 0);
      return std::to_string(timeline->bytes() / s.rows()) + " bytes per slice, " + std::to_string(s.rows()) + " slices";
    });
    Time extent = 0;
    std::vector<std::uint32_t> all;
    for (const DrawnLane& lane : timeline->lanes()) {
      extent = std::max(extent, lane.end);
      all.push_back(lane.lane);
    }
    measure("relations", [&] {
      timeline->relations();
      return std::to_string(profile->device_work.rows()) + " rows of device work";
    });
    measure("modules", [&] { return std::to_string(timeline->modules().size()) + " slices"; });
    measure("a slice in the middle",
            [&] { return std::to_string(slice_json(*timeline, static_cast<Row>(s.rows() / 2), "").size()) + " bytes"; });
    measure("counters", [&] { return std::to_string(counter_charts(profile)->counters().size()) + " counters"; });
    for (const Time zoom : {1, 100, 10'000}) {
      const Window window{extent / 2 - extent / zoom / 2, extent / 2 + extent / zoom / 2,
                          std::max<Time>(1, extent / zoom / 1920)};
      measure(("flows, 1/" + std::to_string(zoom) + " of the time").c_str(), [&] {
        const FlowsInWindow flows = flows_in(*timeline, {all, window});
        return std::to_string(flows.count) + " flows, " + std::to_string(flows.shown.size()) + " shown";
      });
      measure("  sums of the range", [&] {
        const auto sums = range_sums(*profile, {window.start, window.end}, drawn_lanes(*profile));
        return std::to_string(sums.slices) + " slices, " + std::to_string(sums.by_name.size()) + " names";
      });
      measure("  counters", [&] {
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t i = 0; i < counter_charts(profile)->counters().size(); ++i) numbers.push_back(i);
        return std::to_string(encode_counters(*counter_charts(profile), numbers, window).size()) + " bytes";
      });
      measure("  flows as JSON", [&] { return std::to_string(flows_json(*timeline, {all, window}).size()) + " bytes"; });
    }
    return 0;
  }
  return 1;
}

}  // namespace
}  // namespace sightline::benches

int main(int count, char** arguments) {
  const int failed = sightline::benches::run(count > 1 ? arguments[1] : "build/bench/modern_1GB.json");
  if (failed != 0) std::fprintf(stderr, "no such trace\n");
  return failed;
}

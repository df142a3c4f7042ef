// Reading a large profile of XLA, as ratios to the floor measured in the same run: a bare walk over the wire format that reads
// each event's fields and those of its stats once. Also measured: reading the file's bytes alone, and everything until the
// tables are ready.
//   load_xplane [FILE...]   (default: build/bench/xplane_1GB.xplane.pb, made by bench/make_xplane.py)
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "formats/xplane/xspace.h"

namespace sightline::benches {
namespace {

using namespace xplane;

std::uint64_t walk_event(std::string_view event) {
  std::uint64_t sum = 0;
  for (ProtoSpan field(event); field.next();) {
    if (field.field() == field::kEventStats) {
      const Stat stat = stat_of(field.bytes());
      sum += static_cast<std::uint64_t>(stat.name) + stat.number + stat.text.size();
    } else {
      sum += field.unsigned_integer();
    }
  }
  return sum;
}

void only_walk(const std::string& path, Outcome& outcome) {
  const auto source = open_bytes(path);
  if (!source) std::exit(1);
  ByteStream in(**source, path, nullptr);
  std::uint64_t sum = 0;
  std::string bytes;
  ProtoMessage root = ProtoMessage::whole(in);
  while (root.next()) {
    if (root.field() != field::kSpacePlanes) continue;
    ProtoMessage plane = root.message();
    while (plane.next()) {
      if (plane.field() != field::kPlaneLines) continue;
      ProtoMessage line = plane.message();
      while (line.next()) {
        if (line.field() != field::kLineEvents) continue;
        line.bytes(bytes);
        sum += walk_event(bytes);
        ++outcome.events;
      }
    }
  }
  outcome.text_bytes = in.position() + (sum == 42 ? 1 : 0);  // the sum prevents the compiler from removing the work
}

void bench(const std::string& path) {
  std::vector<Outcome> file, walk, ready;
  for (int round = 0; round < kRounds; ++round) {
    file.push_back(measure([&](Outcome& o) { only_bytes(path, o); }));
    walk.push_back(measure([&](Outcome& o) { only_walk(path, o); }));
    ready.push_back(measure([&](Outcome& o) { whole_reader(path, o); }));
  }
  const Outcome f = median(file), w = median(walk), r = median(ready);
  const double megabytes = static_cast<double>(f.text_bytes) / 1e6, count = static_cast<double>(w.events);
  std::printf("%s: %.0f MB, %.1f M events\n", path.c_str(), megabytes, count / 1e6);
  std::printf("  bytes of the file alone           %6.2f s  %6.0f MB/s\n", f.seconds, megabytes / f.seconds);
  std::printf("  a walk over the wire format       %6.2f s  %6.0f MB/s\n", w.seconds, megabytes / w.seconds);
  std::printf("  all tables ready                  %6.2f s  %6.0f MB/s\n", r.seconds, megabytes / r.seconds);
  std::printf("  reading, ratio to the walk        %6.2f  (of the processors' time %.2f)\n", r.seconds / w.seconds,
              r.work / w.work);
  std::printf("  peak memory per event             %6.1f bytes\n\n", static_cast<double>(r.peak_bytes) / count);
}

}  // namespace
}  // namespace sightline::benches

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  if (paths.empty()) paths = {"build/bench/xplane_1GB.xplane.pb"};
  for (const std::string& path : paths) {
    if (std::filesystem::exists(path)) {
      sightline::benches::bench(path);
    } else {
      std::printf("%s is absent: make it with bench/make_xplane.py\n", path.c_str());
    }
  }
}

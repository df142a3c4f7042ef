// Reading a large Perfetto trace, as ratios to the floor measured in the same run: a bare walk over the fields of each packet and
// of its event. Also measured: reading the file's bytes alone, and everything until the tables are ready.
//   load_perfetto [FILE...]   (default: build/bench/trace_1GB.pftrace, made by bench/make_pftrace.py)
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "formats/perfetto/fields.h"
#include "formats/perfetto/packets.h"

namespace sightline::benches {
namespace {

using namespace perfetto;

// Every field of a message, down to the values of annotations.
std::uint64_t walk(ProtoSpan message, int depth, bool& is_begin) {
  std::uint64_t sum = 0;
  while (message.next()) {
    sum += message.field();
    if (!message.is_bytes()) {
      if (depth == 1 && message.field() == event_field::kType) is_begin = message.unsigned_integer() == kBegin;
      continue;
    }
    const std::string_view bytes = message.bytes();
    sum += bytes.size();
    const bool is_event = depth == 0 && message.field() == packet_field::kTrackEvent;
    if (is_event || (depth == 1 && message.field() == event_field::kAnnotation))
      sum += walk(ProtoSpan(bytes), depth + 1, is_begin);
  }
  return sum;
}

void only_walk(const std::string& path, Outcome& outcome) {
  const auto source = open_bytes(path);
  if (!source) std::exit(1);
  ByteStream in(**source, path, nullptr);
  PacketStream packets(in);
  std::uint64_t sum = 0;
  for (Packet packet; packets.next(packet);) {
    bool is_begin = false;
    sum += walk(ProtoSpan(packet.bytes), 0, is_begin);
    if (is_begin) ++outcome.events;
  }
  outcome.text_bytes = in.position() + (sum == 42 ? 1 : 0);  // the sum prevents the compiler from removing the work
}

void bench(const std::string& path) {
  std::vector<Outcome> file, walked, ready;
  for (int round = 0; round < kRounds; ++round) {
    file.push_back(measure([&](Outcome& o) { only_bytes(path, o); }));
    walked.push_back(measure([&](Outcome& o) { only_walk(path, o); }));
    ready.push_back(measure([&](Outcome& o) { whole_reader(path, o); }));
  }
  const Outcome f = median(file), w = median(walked), r = median(ready);
  const double megabytes = static_cast<double>(f.text_bytes) / 1e6, count = static_cast<double>(w.events);
  std::printf("%s: %.0f MB, %.1f M slices\n", path.c_str(), megabytes, count / 1e6);
  std::printf("  bytes of the file alone           %6.2f s  %6.0f MB/s\n", f.seconds, megabytes / f.seconds);
  std::printf("  a walk over the wire format       %6.2f s  %6.0f MB/s\n", w.seconds, megabytes / w.seconds);
  std::printf("  all tables ready                  %6.2f s  %6.0f MB/s\n", r.seconds, megabytes / r.seconds);
  std::printf("  reading, ratio to the walk        %6.2f  (of the processors' time %.2f)\n", r.seconds / w.seconds,
              r.work / w.work);
  std::printf("  peak memory per slice             %6.1f bytes\n\n", static_cast<double>(r.peak_bytes) / count);
}

}  // namespace
}  // namespace sightline::benches

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  if (paths.empty()) paths = {"build/bench/trace_1GB.pftrace"};
  for (const std::string& path : paths) {
    if (std::filesystem::exists(path)) {
      sightline::benches::bench(path);
    } else {
      std::printf("%s is absent: make it with bench/make_pftrace.py\n", path.c_str());
    }
  }
}

// Decoding a long device profile, as ratios to the floor measured in the same run: one thread reads each record once from
// memory, with all its fields. The decoder is the reader's, on its two threads: it produces rows with a start and a length; the
// benchmark reads each row and keeps none. Also measured: reading the file's bytes alone, and everything until the
// tables are ready, whose memory is that of the columns.
//   load_ntff [FILE...]   (default: build/bench/ntff_1GB.ntff, made by bench/make_ntff.py)
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure.h"
#include "formats/neuron/notifications.h"
#include "formats/neuron/record_decoding.h"

namespace sightline::benches {
namespace {

std::vector<char> bytes_of(const std::string& path) {
  auto source = open_bytes(path);
  std::vector<char> bytes(static_cast<std::size_t>((*source)->file_size()));
  if (*(*source)->read(bytes.data(), bytes.size()) != bytes.size()) std::exit(1);
  return bytes;
}

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Time without reading the file.
void only_records(const std::string& path, Outcome& outcome) {
  const std::vector<char> bytes = bytes_of(path);
  ByteStream in({bytes.data(), bytes.size()}, path);
  const auto header = neuron::read_ntff_header(in);
  std::uint64_t sum = 0;
  outcome.seconds = seconds([&] {
    for (auto at = static_cast<std::size_t>(header->records); at + neuron::kRecordBytes <= bytes.size();
         at += neuron::kRecordBytes) {
      const neuron::Record record = neuron::record_of(bytes.data() + at);
      sum += record.type() + record.pc() + record.second + record.ticks;
      ++outcome.events;
    }
  });
  outcome.text_bytes =
      static_cast<std::int64_t>(bytes.size()) + (sum == 42 ? 1 : 0);  // the sum prevents the compiler from removing the work
}

// Reads everything that was decoded, as only_records reads every record.
class LookingTaker final : public neuron::RowTaker {
 public:
  void take(std::span<const neuron::InstructionRow> rows) override {
    for (const auto& row : rows) {
      const std::uint64_t small = row.slot + row.wait_cycles + row.crcs + static_cast<unsigned>(row.engine);
      instructions += static_cast<std::uint64_t>(row.start + row.duration + row.source) + small;
    }
  }
  void take(std::span<const neuron::PacketRow> rows) override {
    for (const auto& row : rows) {
      const std::uint64_t small = row.bytes + row.crc + row.engine + row.queue;
      others += static_cast<std::uint64_t>(row.start + row.duration + row.source) + small;
    }
  }
  void take(std::span<const neuron::SemaphoreRow> rows) override {
    for (const auto& row : rows) others += static_cast<std::uint64_t>(row.time + row.engine) + row.value + row.id + row.event;
  }
  void take(const neuron::ThrottleRow& row) override {
    others += static_cast<std::uint64_t>(row.time + row.source) + row.limit + row.of;
  }
  void take(const neuron::LostMark& mark) override { others += static_cast<std::uint64_t>(mark.time + mark.source); }

  std::uint64_t instructions = 0, others = 0;  // apart, since two threads add to them
};

// Records to rows with a start and a length, each of which is read once.
void decode(const std::string& path, bool on_two_threads, Outcome& outcome) {
  const std::vector<char> bytes = bytes_of(path);
  const std::string_view file(bytes.data(), bytes.size());
  ByteStream in(file, path), beside(file, path);
  const auto header = neuron::read_ntff_header(in);
  Profile profile;
  LookingTaker taker;
  outcome.seconds = seconds([&] {
    outcome.events =
        neuron::read_notifications(in, on_two_threads ? &beside : nullptr, *header, header->graphs.front(), taker, profile);
  });
  outcome.text_bytes = taker.instructions + taker.others == 42 ? 1 : 0;  // the sum prevents the compiler from removing the work
}

void bench(const std::string& path) {
  std::vector<Outcome> file, records, decoded, alone, ready;
  for (int round = 0; round < kRounds; ++round) {
    file.push_back(measure([&](Outcome& o) { only_bytes(path, o); }));
    records.push_back(measure_inside([&](Outcome& o) { only_records(path, o); }));
    decoded.push_back(measure_inside([&](Outcome& o) { decode(path, true, o); }));
    alone.push_back(measure_inside([&](Outcome& o) { decode(path, false, o); }));
    ready.push_back(measure([&](Outcome& o) { whole_reader(path, o); }));
  }
  const Outcome f = median(file), r = median(records), d = median(decoded), a = median(alone), w = median(ready);
  const double megabytes = static_cast<double>(f.text_bytes) / 1e6, count = static_cast<double>(r.events);
  std::printf("%s: %.0f MB, %.1f M records\n", path.c_str(), megabytes, count / 1e6);
  std::printf("  bytes of the file alone           %6.2f s  %6.0f MB/s\n", f.seconds, megabytes / f.seconds);
  std::printf("  records read once from memory     %6.2f s  %6.0f MB/s\n", r.seconds, megabytes / r.seconds);
  std::printf("  records decoded to rows           %6.2f s  %6.0f MB/s\n", d.seconds, megabytes / d.seconds);
  std::printf("  the same by one thread            %6.2f s  %6.0f MB/s\n", a.seconds, megabytes / a.seconds);
  std::printf("  all tables ready                  %6.2f s  %6.0f MB/s\n", w.seconds, megabytes / w.seconds);
  std::printf("  decoding, ratio to reading once   %6.2f\n", d.seconds / r.seconds);
  std::printf("  the same by one thread            %6.2f\n", a.seconds / r.seconds);
  std::printf("  memory of decoding                %6.1f MB beside the file\n",
              static_cast<double>(d.peak_bytes - f.text_bytes) / 1e6);
  std::printf("  memory of all tables, per record  %6.1f bytes\n\n", static_cast<double>(w.peak_bytes) / count);
}

}  // namespace
}  // namespace sightline::benches

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  if (paths.empty()) paths = {"build/bench/ntff_1GB.ntff"};
  for (const std::string& path : paths) {
    if (std::filesystem::exists(path)) {
      sightline::benches::bench(path);
    } else {
      std::printf("%s is absent: make it with bench/make_ntff.py\n", path.c_str());
    }
  }
}

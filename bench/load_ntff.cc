// Decoding a long device profile, as ratios to the floor measured in the same run: each of its records read once from memory, all
// its fields looked at. Beside it the file's bytes alone, and everything until the tables are ready.
//   load_ntff [FILE...]   (default: build/bench/ntff_1GB.ntff, made by bench/make_ntff.py)
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "readers/neuron/notifications.h"

namespace sightline {
namespace {

// The bytes of a file that is in memory already.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(const std::vector<char>& bytes) : bytes_(bytes) {}
  Result<std::size_t> read(char* to, std::size_t size) override {
    const std::size_t now = std::min(size, bytes_.size() - at_);
    std::memcpy(to, bytes_.data() + at_, now);
    at_ += now;
    return now;
  }
  std::int64_t file_position() const override { return static_cast<std::int64_t>(at_); }
  std::int64_t file_size() const override { return static_cast<std::int64_t>(bytes_.size()); }
  const std::optional<std::string>& damage() const override { return damage_; }
  Result<std::size_t> skip(std::int64_t size) override {
    const std::size_t now = std::min(static_cast<std::size_t>(size), bytes_.size() - at_);
    at_ += now;
    return now;
  }

 private:
  const std::vector<char>& bytes_;
  std::size_t at_ = 0;
  std::optional<std::string> damage_;
};

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
  MemorySource source(bytes);
  ByteStream in(source, path, nullptr);
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
      static_cast<std::int64_t>(bytes.size()) + (sum == 42 ? 1 : 0);  // the sum keeps the work from being left out
}

// Records to rows with a start and a length.
void decode(const std::string& path, Outcome& outcome) {
  const std::vector<char> bytes = bytes_of(path);
  MemorySource source(bytes);
  ByteStream in(source, path, nullptr);
  const auto header = neuron::read_ntff_header(in);
  Profile profile;
  outcome.seconds =
      seconds([&] { outcome.events = neuron::read_notifications(in, *header, header->graphs.front(), profile).records; });
}

void bench(const std::string& path) {
  std::vector<Outcome> file, records, decoded, ready;
  for (int round = 0; round < kRounds; ++round) {
    file.push_back(measure([&](Outcome& o) { only_bytes(path, o); }));
    records.push_back(measure_inside([&](Outcome& o) { only_records(path, o); }));
    decoded.push_back(measure_inside([&](Outcome& o) { decode(path, o); }));
    ready.push_back(measure([&](Outcome& o) { whole_reader(path, o); }));
  }
  const Outcome f = median(file), r = median(records), d = median(decoded), w = median(ready);
  const double megabytes = static_cast<double>(f.text_bytes) / 1e6, count = static_cast<double>(r.events);
  std::printf("%s: %.0f MB, %.1f M records\n", path.c_str(), megabytes, count / 1e6);
  std::printf("  bytes of the file alone           %6.2f s  %6.0f MB/s\n", f.seconds, megabytes / f.seconds);
  std::printf("  records read once from memory     %6.2f s  %6.0f MB/s\n", r.seconds, megabytes / r.seconds);
  std::printf("  records decoded to rows           %6.2f s  %6.0f MB/s\n", d.seconds, megabytes / d.seconds);
  std::printf("  all tables ready                  %6.2f s  %6.0f MB/s\n", w.seconds, megabytes / w.seconds);
  std::printf("  decoding, ratio to reading once   %6.2f\n", d.seconds / r.seconds);
  std::printf("  peak memory per record            %6.1f bytes\n\n", static_cast<double>(w.peak_bytes) / count);
}

}  // namespace
}  // namespace sightline

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  if (paths.empty()) paths = {"build/bench/ntff_1GB.ntff"};
  for (const std::string& path : paths) {
    if (std::filesystem::exists(path)) {
      sightline::bench(path);
    } else {
      std::printf("%s is absent: make it with bench/make_ntff.py\n", path.c_str());
    }
  }
}

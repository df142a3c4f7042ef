// Load-to-ready of a large trace, as ratios to the floor measured in the same run: igzip alone, and simdjson
// touching the fields that the reader reads, in chunks of whole events, on two threads. Each figure is a process
// of its own, so that its peak memory is its own; the order is interleaved and the median of the rounds counts.
//   load_trace [FILE...]   (default: build/bench/modern_1GB.json and .json.gz, made by bench/make_input.py)
#include <simdjson.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "base/parallel.h"
#include "readers/reader.h"
#include "readers/trace_events/windows.h"

namespace sightline {
namespace {

constexpr int kRounds = 3;
constexpr unsigned kThreads = 2;

struct Outcome {
  double seconds = 0;
  std::int64_t events = 0;
  std::int64_t text_bytes = 0;
  std::int64_t peak_bytes = 0;
};

// Runs `work` in a child process; its time, counts and peak memory come back through a pipe.
Outcome measure(const std::function<void(Outcome&)>& work) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    Outcome outcome;
    const auto begin = std::chrono::steady_clock::now();
    work(outcome);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    outcome.peak_bytes = std::int64_t{usage.ru_maxrss} * 1024;
    const bool written = ::write(ends[1], &outcome, sizeof outcome) == static_cast<ssize_t>(sizeof outcome);
    ::_exit(written ? 0 : 1);
  }
  Outcome outcome;
  const bool ok = ::read(ends[0], &outcome, sizeof outcome) == static_cast<ssize_t>(sizeof outcome);
  ::close(ends[0]);
  ::close(ends[1]);
  ::waitpid(child, nullptr, 0);
  if (!ok) {
    std::fprintf(stderr, "a measured process failed\n");
    std::exit(1);
  }
  return outcome;
}

Outcome median(std::vector<Outcome> all) {
  std::sort(all.begin(), all.end(), [](const Outcome& a, const Outcome& b) { return a.seconds < b.seconds; });
  return all[all.size() / 2];
}

// Decompression (or reading) alone.
void only_bytes(const std::string& path, Outcome& outcome) {
  auto source = open_bytes(path);
  std::vector<char> buffer(std::size_t{1} << 20);
  while (true) {
    const auto got = (*source)->read(buffer.data(), buffer.size());
    if (!got || *got == 0) return;
    outcome.text_bytes += static_cast<std::int64_t>(*got);
  }
}

// The members of an event that every trace reader has to look at, by simdjson's On Demand interface.
std::int64_t touch_fields(simdjson::ondemand::parser& parser, const char* text, std::size_t size) {
  simdjson::padded_string_view json(text, size, size + simdjson::SIMDJSON_PADDING);
  std::int64_t events = 0;
  std::int64_t sum = 0;
  auto document = parser.iterate(json);
  for (auto event : document.get_array()) {
    ++events;
    for (auto field : event.get_object()) {
      const simdjson::ondemand::raw_json_string key = field.key();
      if (key == "ph" || key == "name" || key == "cat") {
        sum += static_cast<std::int64_t>(std::string_view(field.value().get_string()).size());
      } else if (key == "ts" || key == "dur") {
        sum += static_cast<std::int64_t>(double(field.value().get_double()));
      } else if (key == "args") {
        std::int64_t correlation = 0;
        auto args = field.value().get_object();
        if (args.find_field_unordered("correlation").get(correlation) == simdjson::SUCCESS) sum += correlation;
      }
    }
  }
  return sum == 42 ? 0 : events;  // the sum keeps the work from being left out
}

void only_simdjson(const std::string& path, Outcome& outcome) {
  auto source = open_bytes(path);
  std::string head(std::size_t{1} << 16, '\0');
  head.resize(*(*source)->read(head.data(), head.size()));
  const std::size_t begin = head.find('[', head.find("\"traceEvents\"")) + 1;
  trace_events::WindowCutter cutter(**source, head.substr(begin), 0, std::size_t{16} << 20);
  std::mutex lock;
  std::atomic<std::int64_t> events{0};
  parallel_for(kThreads, kThreads, [&](std::size_t) {
    simdjson::ondemand::parser parser;
    trace_events::Window window;
    trace_events::Buffer list;
    while (true) {
      {
        const std::lock_guard hold(lock);
        const auto more = cutter.next(window);
        if (!more || !*more || window.last) return;  // the last window holds the end of the file as well
      }
      list.reserve(window.size + 2, 0);
      list.data()[0] = '[';
      std::memcpy(list.data() + 1, window.text.data(), window.size);
      std::size_t size = window.size + 1;
      while (list.data()[size - 1] != '}') --size;
      list.data()[size] = ']';
      events += touch_fields(parser, list.data(), size + 1);
    }
  });
  outcome.events = events;
}

void whole_reader(const std::string& path, Outcome& outcome) {
  ReadProgress progress;
  ReadOptions options;
  options.threads = kThreads;
  options.progress = &progress;
  const auto profile = readers()[0].read(path, options);
  if (!profile.ok()) {
    std::fprintf(stderr, "%s\n", profile.error().to_string().c_str());
    std::exit(1);
  }
  outcome.events = (*profile)->events;
  outcome.text_bytes = progress.text_bytes;
}

void bench(const std::string& path) {
  std::vector<Outcome> bytes, fields, ours;
  for (int round = 0; round < kRounds; ++round) {
    bytes.push_back(measure([&](Outcome& o) { only_bytes(path, o); }));
    fields.push_back(measure([&](Outcome& o) { only_simdjson(path, o); }));
    ours.push_back(measure([&](Outcome& o) { whole_reader(path, o); }));
  }
  const Outcome b = median(bytes), f = median(fields), o = median(ours);
  const double megabytes = static_cast<double>(b.text_bytes) / 1e6;
  std::printf("%s: %.0f MB of JSON, %.2f M events\n", path.c_str(), megabytes, static_cast<double>(o.events) / 1e6);
  std::printf("  bytes alone (igzip or read)       %6.2f s  %6.0f MB/s\n", b.seconds, megabytes / b.seconds);
  std::printf("  simdjson, two threads             %6.2f s  %6.0f MB/s\n", f.seconds, megabytes / f.seconds);
  std::printf("  all tables ready                  %6.2f s  %6.0f MB/s  %.2f M events/s\n", o.seconds, megabytes / o.seconds,
              static_cast<double>(o.events) / 1e6 / o.seconds);
  std::printf("  ratio to simdjson (aim: <= 3)     %6.2f\n", o.seconds / f.seconds);
  std::printf("  ratio to bytes alone              %6.2f\n", o.seconds / b.seconds);
  std::printf("  peak memory per event (aim: <150) %6.1f bytes\n\n",
              static_cast<double>(o.peak_bytes) / static_cast<double>(o.events));
}

}  // namespace
}  // namespace sightline

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  if (paths.empty()) paths = {"build/bench/modern_1GB.json", "build/bench/modern_1GB.json.gz"};
  for (const std::string& path : paths) {
    if (std::filesystem::exists(path)) {
      sightline::bench(path);
    } else {
      std::printf("%s is absent: make it with `python3 bench/make_input.py`\n", path.c_str());
    }
  }
}

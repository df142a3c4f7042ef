// Load-to-ready of a large trace, as ratios to the floor measured in the same run: igzip alone, and simdjson
// touching the fields that the reader reads, in chunks of whole events, on two threads.
//   load_trace [FILE|FOLDER...]   (default: build/bench/modern_1GB.json and .json.gz, made by bench/make_input.py, and
//                                  build/bench/ascend_text and its trace_view.json alone, made by bench/make_ascend.py)
// For a folder all files are read; the floors are those of its trace_view.json.
#include <simdjson.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "bench/measure.h"
#include "formats/trace_events/parse_events.h"

namespace sightline::benches {
namespace {

// The members of an event that every trace reader has to look at, by simdjson's On Demand interface.
std::int64_t touch_fields(simdjson::ondemand::parser& parser, const char* text, std::size_t size, std::string_view id) {
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
      } else if (key == "ts" || key == "dur") {  // some writers quote them
        auto value = field.value();
        const bool quoted = value.type() == simdjson::ondemand::json_type::string;
        sum += static_cast<std::int64_t>(quoted ? double(value.get_double_in_string()) : double(value.get_double()));
      } else if (key == "args") {
        std::int64_t correlation = 0;
        auto args = field.value().get_object();
        if (args.find_field_unordered(id).get(correlation) == simdjson::SUCCESS) sum += correlation;
      }
    }
  }
  return sum == 42 ? 0 : events;  // the sum prevents the compiler from removing the work
}

void only_simdjson(const std::string& path, Outcome& outcome) {
  auto source = open_bytes(path);
  std::string head(std::size_t{1} << 16, '\0');
  head.resize(*(*source)->read(head.data(), head.size()));
  const bool bare = head.starts_with('[');
  const std::string_view id = bare ? "connection_id" : "correlation";
  const std::size_t begin = bare ? 1 : head.find('[', head.find("\"traceEvents\"")) + 1;
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
      events += touch_fields(parser, list.data(), size + 1, id);
    }
  });
  outcome.events = events;
}

void bench(const std::string& path) {
  const std::string trace = std::filesystem::is_directory(path) ? path + "/trace_view.json" : path;
  std::vector<Outcome> bytes, fields, ours;
  for (int round = 0; round < kRounds; ++round) {
    bytes.push_back(measure([&](Outcome& o) { only_bytes(trace, o); }));
    fields.push_back(measure([&](Outcome& o) { only_simdjson(trace, o); }));
    ours.push_back(measure([&](Outcome& o) { whole_reader(path, o); }));
  }
  const Outcome b = median(bytes), f = median(fields), o = median(ours);
  const double megabytes = static_cast<double>(b.text_bytes) / 1e6;
  std::printf("%s: %.0f MB of JSON, %.2f M events\n", path.c_str(), megabytes, static_cast<double>(o.events) / 1e6);
  std::printf("  bytes alone (igzip or read)       %6.2f s  %6.0f MB/s\n", b.seconds, megabytes / b.seconds);
  std::printf("  simdjson, two threads             %6.2f s  %6.0f MB/s\n", f.seconds, megabytes / f.seconds);
  std::printf("  all tables ready                  %6.2f s  %6.0f MB/s  %.2f M events/s\n", o.seconds, megabytes / o.seconds,
              static_cast<double>(o.events) / 1e6 / o.seconds);
  std::printf("  ratio to simdjson (aim: <= 1.5)   %6.2f\n", o.seconds / f.seconds);
  std::printf("  ratio of processor time to it     %6.2f\n", o.work / f.work);
  std::printf("  ratio to bytes alone              %6.2f\n", o.seconds / b.seconds);
  std::printf("  peak memory per event (aim: <90)  %6.1f bytes\n\n",
              static_cast<double>(o.peak_bytes) / static_cast<double>(o.events));
}

}  // namespace
}  // namespace sightline::benches

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  if (paths.empty())
    paths = {"build/bench/modern_1GB.json", "build/bench/modern_1GB.json.gz", "build/bench/ascend_text",
             "build/bench/ascend_text/trace_view.json"};
  for (const std::string& path : paths) {
    if (std::filesystem::exists(path)) {
      sightline::benches::bench(path);
    } else {
      std::printf("%s is absent: make it with bench/make_input.py or bench/make_ascend.py\n", path.c_str());
    }
  }
}

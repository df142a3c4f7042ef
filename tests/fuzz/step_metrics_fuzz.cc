// Fuzzes logs of step metrics: the first byte chooses the kind of log, the rest is one that lies beside a trace. Whatever it
// holds, the profile must pass check_profile.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "formats/registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

FUZZ_TARGET(step_metrics_fuzz, data, size) {
  using namespace sightline::tests;
  if (size == 0) return 0;
  constexpr std::string_view kTrace =
      R"({"baseTimeNanoseconds": 1700000000000000000, "traceEvents": [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#5", "pid": 1, "tid": 1, "ts": 0, "dur": 5000000}]})";
  static InputFolder folder;
  folder.clear();
  folder.write("1.pt.trace.json", kTrace);
  const std::string_view log(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    folder.write("events.out.tfevents.1", log);
  } else {
    std::filesystem::create_directories(folder.path() + "/mlruns/0/run/metrics");
    folder.write("mlruns/0/run/metrics/loss", log);
  }
  ReadOptions options;
  options.threads = 1;
  (void)sound_reading(kineto_reader(), folder.path() + "/1.pt.trace.json", options);
  return 0;
}

// Fuzzes device logs: the input is a table of samples beside a trace. Whatever it holds, the profile must pass check_profile.
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

FUZZ_TARGET(device_log_fuzz, data, size) {
  using namespace sightline::tests;
  constexpr std::string_view kTrace =
      R"({"baseTimeNanoseconds": 1700000000000000000, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 0, "dur": 5000000}]})";
  static InputFolder folder;
  folder.clear();
  folder.write("1.pt.trace.json", kTrace);
  folder.write("log.csv", std::string_view(reinterpret_cast<const char*>(data), size));
  ReadOptions options;
  options.threads = 1;
  (void)sound_reading(kineto_reader(), folder.path() + "/1.pt.trace.json", options);
  return 0;
}

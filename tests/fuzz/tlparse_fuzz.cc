// Fuzzes the folder that tlparse makes of the compiler's log, beside a Kineto trace. The input is compile_directory.json,
// raw.jsonl and a file of reasons, with the character 0x1E between them. For every input, the reader must return a profile that
// passes check_profile, with as many events as the trace alone.
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/reader.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

namespace {

constexpr std::string_view kCompileLog =
    R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "user_annotation", "name": "Torch-Compiled Region: 0/1", )"
    R"("pid": 1, "tid": 1, "ts": 0, "dur": 9}]})";

std::string_view next_part(std::string_view& input) {
  const std::string_view part = input.substr(0, input.find('\x1E'));
  input.remove_prefix(std::min(part.size() + 1, input.size()));
  return part;
}

}  // namespace

FUZZ_TARGET(tlparse_fuzz, data, size) {
  using namespace sightline::tests;
  static InputFolder folder;
  for (const char* inside : {"/tl_out", "/tl_out/-_0_1_0"}) ::mkdir((folder.path() + inside).c_str(), 0700);
  std::string_view input(reinterpret_cast<const char*>(data), size);
  folder.clear();
  folder.write("1.pt.trace.json", kCompileLog);
  folder.write("tl_out/compile_directory.json", next_part(input));
  folder.write("tl_out/raw.jsonl", next_part(input));
  folder.write("tl_out/-_0_1_0/recompile_reasons_1.json", next_part(input));
  ReadOptions options;
  options.threads = 1;
  const auto read = sound_reading(readers()[0], folder.path() + "/1.pt.trace.json", options);
  require(read.ok() && (*read)->events == 1, "a folder beside the trace decides whether it loads");
  return 0;
}

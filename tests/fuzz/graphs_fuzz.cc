// Fuzzes the files that describe the graphs of a Kineto trace. The input is the trace, the recording of a capture and the
// annotations of graph nodes, with the character 0x1E between them. For every input, the reader must return an error or a
// profile that passes check_profile, and damaged files beside the trace must not make the trace unreadable.
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/reader.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

namespace {

std::vector<std::string_view> parts_of(std::string_view input) {
  std::vector<std::string_view> parts;
  while (parts.size() < 3) {
    const std::size_t end = parts.size() == 2 ? input.size() : std::min(input.find('\x1E'), input.size());
    parts.push_back(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return parts;
}

}  // namespace

FUZZ_TARGET(graphs_fuzz, data, size) {
  using namespace sightline::tests;
  static InputFolder folder;
  ::mkdir((folder.path() + "/step").c_str(), 0700);
  ::mkdir((folder.path() + "/step/capture_traces").c_str(), 0700);
  const auto parts = parts_of({reinterpret_cast<const char*>(data), size});
  const Reader& reader = readers()[0];
  ReadOptions options;
  options.threads = 1;
  folder.clear();
  folder.write("step/0.1.pt.trace.json", parts[0]);
  const std::string path = folder.path() + "/step/0.1.pt.trace.json";
  const auto alone = sound_reading(reader, path, options);
  folder.write("step/capture_traces/graph_capture_rank_0.json", parts[1]);
  folder.write("kernel_annotations_rank0_1.json", parts[2]);
  const auto together = sound_reading(reader, path, options);
  require(alone.ok() == together.ok(), "a file beside the trace decides whether it loads");
  if (alone.ok()) require((*alone)->events == (*together)->events, "a file beside the trace changes its events");
  return 0;
}

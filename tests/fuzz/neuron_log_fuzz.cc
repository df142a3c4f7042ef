// Fuzzes the reader of the Neuron TensorBoard plugin's log: the first byte chooses which file of a log the rest is, beside small
// complete ones of the other kinds (or, with the highest bit set, alone). For every input the reader must return an error that
// names its cause, or a profile that passes check_profile.
#include <array>
#include <cstdint>
#include <string_view>

#include "formats/registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

namespace {

struct LogFile {
  const char* name;
  std::string_view text;
};

constexpr std::array kLogFiles = {
    LogFile{"neuron_hlo_op.json", R"({"ops":[{"name":"dot.1","occurrences":2,"time_ns":40,"fused":["a","b"]}],"total_time":40})"},
    LogFile{"neuron_framework_op.json",
            R"({"ops":[{"name":"NN/dot","occurrences":2,"neuron_core":1,"time_ns":40}],"total_time":40})"},
    LogFile{"neuron_op_timeline.json", R"({"neuronStartTimestampNs":5,"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Process Execution"}},
{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"HLO Ops"}},
{"ph":"X","name":"dot.1","pid":1,"tid":1,"ts":1.5,"dur":0.3}]})"}};

}  // namespace

FUZZ_TARGET(neuron_log_fuzz, data, size) {
  if (size == 0) return 0;
  static sightline::tests::InputFolder folder;
  folder.clear();
  const std::size_t chosen = (data[0] & 127) % kLogFiles.size();
  for (std::size_t i = 0; i < kLogFiles.size(); ++i) {
    if (i != chosen && (data[0] & 128) == 0) folder.write(kLogFiles[i].name, kLogFiles[i].text);
  }
  folder.write(kLogFiles[chosen].name, {reinterpret_cast<const char*>(data) + 1, size - 1});
  const sightline::tests::Reader reader = sightline::tests::neuron_log_reader();
  sightline::tests::ReadOptions options;
  options.threads = 1;
  (void)sightline::tests::sound_reading(reader, folder.path(), options);
  return 0;
}

// Fuzzes the Ascend reader: the first byte chooses which file of a profile the rest is, beside a small complete trace and the
// files that others refer to (or, with the highest bit set, alone): counters of tasks belong to rows of kernels, names of
// groups to collectives. For every input the reader must return an error that names its cause, or a profile that passes
// check_profile.
#include <array>
#include <cstdint>
#include <string_view>

#include "formats/registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

namespace {

constexpr std::array kAscendFiles = {"trace_view.json",     "kernel_details.csv",        "operator_details.csv",
                                     "operator_memory.csv", "memory_record.csv",         "npu_module_mem.csv",
                                     "step_trace_time.csv", "communication.json",        "l2_cache.csv",
                                     "data_preprocess.csv", "profiler_info_0.json",      "profiler_metadata.json",
                                     "analysis.db",         "communication_matrix.json", "ascend_pytorch_profiler_0.db",
                                     "op_statistic.csv",    "api_statistic.csv"};

constexpr std::string_view kAscendTrace = R"([
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Python"}},
{"ph":"M","name":"process_name","pid":32,"tid":0,"args":{"name":"Ascend Hardware"}},
{"ph":"M","name":"process_name","pid":64,"tid":0,"args":{"name":"HCCL"}},
{"ph":"X","name":"mm","cat":"cpu_op","pid":1,"tid":1,"ts":"1736408883704010.000","dur":50,"args":{"Input Dims":"2,3"}},
{"ph":"X","name":"k","pid":32,"tid":2,"ts":"1736408883704040.003","dur":7.5,"args":{"Task Type":"AI_CORE","connection_id":5}},
{"ph":"X","name":"hcom_send__1","pid":64,"tid":0,"ts":"1736408883704060.000","dur":3,"args":{"connection_id":6}}])";

constexpr std::string_view kAscendKernels = R"_(Name,Accelerator Core,Start Time(us),Duration(us),Stream ID,Task ID
k,AI_CORE,1736408883704040.003,7.5,2,11
)_";

constexpr std::string_view kAscendCollectives = R"_({"step3": {"collective": {"hcom_send__1@9": {
"Communication Time Info": {"Start Timestamp(us)": 1736408883704060.0, "Elapse Time(ms)": 0.003, "Wait Time(ms)": 0.001},
"Communication Bandwidth Info": {"HCCS": {"Transit Size(MB)": 2.5, "Transit Time(ms)": 0.002}}}}}})_";

}  // namespace

FUZZ_TARGET(ascend_fuzz, data, size) {
  if (size == 0) return 0;
  static sightline::tests::InputFolder folder;
  folder.clear();
  const char* name = kAscendFiles[(data[0] & 127) % kAscendFiles.size()];
  if ((data[0] & 128) == 0) {
    folder.write("trace_view.json", kAscendTrace);
    folder.write("kernel_details.csv", kAscendKernels);
    folder.write("communication.json", kAscendCollectives);
  }
  folder.write(name, {reinterpret_cast<const char*>(data) + 1, size - 1});
  const sightline::tests::Reader reader = sightline::tests::ascend_reader();
  sightline::tests::ReadOptions options;
  options.threads = 1;
  (void)sightline::tests::sound_reading(reader, folder.path(), options);
  return 0;
}

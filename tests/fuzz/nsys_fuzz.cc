// Fuzzes the reader of Nsight Systems with databases that SQLite finds intact (chosen_database.h), and with any bytes. For every
// input it must return an error that names its cause, or a profile that passes check_profile.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/registry.h"
#include "tests/fuzz/chosen_database.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/sound_reading.h"

namespace {

using sightline::tests::Table;

const std::vector<Table> kNsysTables = {
    {"StringIds", {"id", "value"}},
    {"PROCESSES", {"globalPid", "pid", "name"}},
    {"ThreadNames", {"nameId", "globalTid"}},
    {"TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}},
    {"TARGET_INFO_GPU",
     {"id", "name", "totalMemory", "memoryBandwidth", "clockRate", "smCount", "maxWarpsPerSm", "threadsPerWarp",
      "maxRegistersPerSm", "maxShmemPerSm", "maxShmemPerBlock", "computeMajor", "computeMinor"}},
    {"TARGET_INFO_CUDA_DEVICE", {"pid", "cudaId", "gpuId"}},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", {"start", "end", "globalTid", "correlationId", "nameId"}},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", {"start", "end", "globalTid", "overheadType", "nameId"}},
    {"OSRT_API", {"start", "end", "globalTid", "nameId"}},
    {"CUPTI_ACTIVITY_KIND_KERNEL",
     {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "demangledName", "gridX", "gridY",
      "gridZ", "blockX", "blockY", "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory", "graphId",
      "graphNodeId"}},
    {"CUPTI_ACTIVITY_KIND_MEMCPY",
     {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "bytes", "copyKind", "srcKind",
      "dstKind", "graphNodeId"}},
    {"CUPTI_ACTIVITY_KIND_MEMSET",
     {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "bytes", "memKind"}},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
     {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "graphId"}},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
     {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "syncType"}},
    {"NVTX_EVENTS",
     {"start", "end", "eventType", "globalTid", "text", "textId", "domainId", "category", "jsonText", "uint64Value"}},
    {"TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"}},
    {"GPU_METRICS", {"timestamp", "typeId", "metricId", "value"}},
    {"CUDA_GPU_MEMORY_USAGE_EVENTS", {"start", "globalPid", "deviceId", "address", "bytes", "memKind", "memoryOperationType"}},
    {"COMPOSITE_EVENTS", {"id", "start", "globalTid"}},
    {"SAMPLING_CALLCHAINS", {"id", "stackDepth", "symbol"}},
    {"DIAGNOSTIC_EVENT", {"severity", "text"}},
    {"VULKAN_API", {"start", "end"}}};

constexpr std::array<const char*, 14> kNsysTexts = {"",
                                                    "cudaGraphLaunch_v10000",
                                                    "step 1",
                                                    "step 2",
                                                    "aten::mm, seq = 7, op_id = 3, sizes = [[2, 3], [3, 4]]",
                                                    "autograd::engine::evaluate_function: MmBackward0, seq = 7",
                                                    "{''Module'': ''a.b''}",
                                                    "NCCL",
                                                    "ncclAllReduce",
                                                    "ncclDevKernel_AllReduce",
                                                    "{\"Message size [bytes]\": 4096, \"NCCL communicator ID\": 1}",
                                                    "59",
                                                    "60",
                                                    "execute_1_context_1(sq1sk1sqsq1sqsk1)_generation_0(sq0sk0sqsq0sqsk0)"};

}  // namespace

FUZZ_TARGET(nsys_fuzz, data, size, sightline::tests::prepare_databases) {
  sightline::tests::Choices choices(data, size);
  static sightline::tests::InputFolder folder;
  folder.clear();
  if (choices.next() % 4 == 1) {
    folder.write("report.sqlite", {reinterpret_cast<const char*>(data) + 1, size - 1});
  } else {
    write_database(folder, "report.sqlite", kNsysTables, kNsysTexts, choices);
  }
  const sightline::tests::Reader reader = sightline::tests::nsys_reader();
  sightline::tests::ReadOptions options;
  options.threads = 1;
  (void)sightline::tests::sound_reading(reader, folder.path() + "/report.sqlite", options);
  return 0;
}

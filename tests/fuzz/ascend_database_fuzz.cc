// Fuzzes the Ascend reader with databases that SQLite finds intact: the bytes choose the tables, their
// columns, and the content of each cell: numbers at the edges, texts in place of numbers, ids without a row, nothing.
// For every input the reader must return an error that names its cause, or a profile that passes check_profile. (ascend_fuzz has
// databases with damaged bytes.)
#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <vector>

#include "formats/registry.h"
#include "tests/fuzz/chosen_database.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/sound_reading.h"

namespace {

using sightline::tests::Table;

const std::vector<Table> kEvents = {
    {"STRING_IDS", {"id", "value"}},
    {"CONNECTION_IDS", {"id", "connectionId"}},
    {"PYTORCH_CALLCHAINS", {"id", "stack", "stackDepth"}},
    {"PYTORCH_API",
     {"startNs", "endNs", "globalTid", "connectionId", "name", "inputShapes", "inputDtypes", "callchainId", "type"}},
    {"CANN_API", {"startNs", "endNs", "type", "globalTid", "connectionId", "name"}},
    {"TASK",
     {"startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "globalPid", "taskType", "contextId", "streamId",
      "taskId"}},
    {"COMPUTE_TASK_INFO",
     {"globalTaskId", "name", "opType", "taskType", "blockNum", "mixBlockDim", "hf32Eligible", "opState", "inputShapes",
      "outputFormats"}},
    {"COMMUNICATION_TASK_INFO", {"globalTaskId", "taskType", "planeId"}},
    {"COMMUNICATION_OP", {"opName", "startNs", "endNs", "connectionId", "groupName", "dataType", "count", "deviceId"}},
    {"ENUM_HCCL_DATA_TYPE", {"id", "name"}},
    {"RANK_DEVICE_MAP", {"rankId", "deviceId"}},
    {"AICORE_FREQ", {"deviceId", "timestampNs", "freq"}},
    {"HBM", {"deviceId", "timestampNs", "bandwidth", "hbmId", "type"}},
    {"LLC", {"deviceId", "llcId", "timestampNs", "hitRate", "throughput", "mode"}},
    {"TASK_PMU_INFO", {"globalTaskId", "name", "value"}},
    {"OP_MEMORY",
     {"name", "size", "allocationTime", "releaseTime", "allocationTotalAllocated", "allocationTotalReserved",
      "releaseTotalAllocated", "releaseTotalReserved", "deviceId"}},
    {"MEMORY_RECORD", {"component", "timestamp", "totalAllocated", "totalReserved", "totalActive", "deviceId"}},
    {"NPU_MEM", {"type", "hbm", "timestampNs", "deviceId"}},
    {"NPU_MODULE_MEM", {"moduleId", "timestampNs", "totalReserved", "deviceId"}},
    {"ENUM_MODULE", {"id", "name"}},
    {"HOST_INFO", {"hostName"}},
    {"NPU_INFO", {"id", "name"}},
    {"META_DATA", {"name", "value"}}};

const std::vector<Table> kSums = {
    {"StepTraceTime", {"step", "deviceId", "computing", "free", "stage", "bubble", "preparing"}},
    {"CommAnalyzerTime",
     {"hccl_op_name", "group_name", "step", "start_timestamp", "elapse_time", "transit_time", "wait_time",
      "synchronization_time"}},
    {"CommAnalyzerBandwidth", {"hccl_op_name", "group_name", "step", "transport_type", "transit_size", "transit_time"}},
    {"CommAnalyzerMatrix",
     {"hccl_op_name", "group_name", "step", "transport_type", "transit_size", "transit_time", "src_rank", "dst_rank"}}};

constexpr std::array<const char*, 16> kAscendTexts = {"",
                                                      "mm",
                                                      "nn.Module: Linear_0",
                                                      "hcom_allReduce__5_0_1",
                                                      "KERNEL_AICORE",
                                                      "SDMA",
                                                      "HCCS",
                                                      "step3",
                                                      "1736408883704000001",
                                                      "2,3;\r\n4",
                                                      "N/A",
                                                      "app",
                                                      "EVENT_WAIT",
                                                      "Total Op Info",
                                                      "1e400",
                                                      "AI_VECTOR_CORE"};

}  // namespace

FUZZ_TARGET(ascend_database_fuzz, data, size, sightline::tests::prepare_databases) {
  sightline::tests::Choices choices(data, size);
  static sightline::tests::InputFolder folder;
  folder.clear();
  const std::uint8_t which = choices.next();
  if (which % 4 != 1) write_database(folder, "ascend_pytorch_profiler_0.db", kEvents, kAscendTexts, choices);
  if (which % 4 != 0) write_database(folder, "analysis.db", kSums, kAscendTexts, choices);
  const sightline::tests::Reader reader = sightline::tests::ascend_reader();
  sightline::tests::ReadOptions options;
  options.threads = 1;
  (void)sightline::tests::sound_reading(reader, folder.path(), options);
  return 0;
}

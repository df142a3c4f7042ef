// Fuzzes the Ascend reader with databases that SQLite finds intact: the bytes choose the tables, their
// columns, and the content of each cell: numbers at the edges, texts in place of numbers, ids without a row, nothing.
// For every input the reader must return an error that names its cause, or a profile that passes check_profile. (ascend_fuzz has
// databases with damaged bytes.)
#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "formats/registry.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

namespace {

struct Table {
  const char* name;
  std::vector<const char*> columns;
};

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

constexpr std::int64_t kBegin = 1'736'408'883'704'000'000;
constexpr std::array<std::int64_t, 10> kEdges = {0,
                                                 -1,
                                                 4294967295,
                                                 50001,
                                                 50002,
                                                 50003,
                                                 std::numeric_limits<std::int64_t>::max(),
                                                 std::numeric_limits<std::int64_t>::min(),
                                                 20000,
                                                 9'000'000'000'000'000'000};
constexpr std::array<const char*, 16> kTexts = {"",
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

constexpr std::array<std::size_t, 8> kRows = {0, 0, 0, 1, 1, 2, 3, 6};  // of a table: each costs time

// The bytes, one choice after another; 0 once they are used up.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool any() const { return at_ != end_; }
  std::uint8_t next() { return at_ == end_ ? 0 : *at_++; }
  std::size_t below(std::size_t count) { return next() % count; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

void run(sqlite3* file, const std::string& text) { sqlite3_exec(file, text.c_str(), nullptr, nullptr, nullptr); }

// As SQL. Most are small ids and close times, so that tables find each other's rows.
std::string cell(Choices& choices) {
  const std::uint8_t kind = choices.next();
  if (kind < 96) return std::to_string(kind % 16);
  if (kind < 176) return std::to_string(kBegin + 100 * (kind % 16) + choices.below(8));
  if (kind < 200) return std::string("'") + kTexts[choices.below(kTexts.size())] + "'";
  if (kind < 216) return std::to_string(kEdges[choices.below(kEdges.size())]);
  if (kind < 226) return "NULL";
  if (kind < 236) return std::to_string(static_cast<double>(choices.next()) / 16);
  if (kind < 240) return "1e308";
  if (kind < 244) return "x'ff00fe'";
  return "'" + std::to_string(kBegin + choices.next()) + "'";
}

void write(sightline::tests::InputFolder& folder, std::string_view name, const std::vector<Table>& tables, Choices& choices) {
  sqlite3* file = nullptr;
  constexpr int kHow = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", &file, kHow, nullptr) != SQLITE_OK) std::abort();
  run(file, "PRAGMA page_size = 1024; BEGIN");
  for (const Table& table : tables) {
    const std::size_t rows = kRows[choices.below(kRows.size())];
    const std::uint8_t absent = choices.next();  // from 192 on: the number of a missing column
    if (rows == 0) continue;
    std::string list, values;
    std::size_t columns = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (absent >= 192 && i == absent % table.columns.size()) continue;
      list += (columns++ == 0 ? "" : ", ") + std::string(table.columns[i]);
    }
    if (columns == 0) continue;
    run(file, "CREATE TABLE " + std::string(table.name) + " (" + list + ")");
    for (std::size_t row = 0; row < rows; ++row) {
      values += row == 0 ? "(" : "), (";
      for (std::size_t i = 0; i < columns; ++i) values += (i == 0 ? "" : ", ") + cell(choices);
    }
    run(file, "INSERT INTO " + std::string(table.name) + " VALUES " + values + ")");
  }
  run(file, "COMMIT");
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(file, "main", &size, 0);
  if (bytes != nullptr) folder.write(name, {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)});
  sqlite3_free(bytes);
  sqlite3_close(file);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***);
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);  // as the reader does, which comes too late here
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  static sightline::tests::InputFolder folder;
  folder.clear();
  const std::uint8_t which = choices.next();
  if (which % 4 != 1) write(folder, "ascend_pytorch_profiler_0.db", kEvents, choices);
  if (which % 4 != 0) write(folder, "analysis.db", kSums, choices);
  const sightline::tests::Reader reader = sightline::tests::ascend_reader();
  sightline::tests::ReadOptions options;
  options.threads = 1;
  (void)sightline::tests::sound_reading(reader, folder.path(), options);
  return 0;
}

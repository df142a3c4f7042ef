// Load-to-ready of a large Ascend database, as ratios to the floors measured in the same run: reading its bytes, and SQLite's own
// SELECT of the columns that the reader uses, reading every cell, with SQLite's default file access.
//   load_database [FILE...]   (default: build/bench/ascend_database/ascend_pytorch_profiler_0.db, made by bench/make_ascend.py)
#include <sqlite3.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace sightline::benches {
namespace {

constexpr std::array kQuestions = {
    "SELECT id, value FROM STRING_IDS",
    "SELECT startNs, endNs, globalTid, connectionId, name, inputShapes, inputDtypes, callchainId, type FROM PYTORCH_API",
    "SELECT id, connectionId FROM CONNECTION_IDS",
    "SELECT startNs, endNs, type, globalTid, connectionId, name FROM CANN_API",
    "SELECT startNs, endNs, deviceId, connectionId, globalTaskId, globalPid, taskType, streamId, taskId, contextId FROM TASK",
    "SELECT globalTaskId, name, opType, taskType, blockDim, mixBlockDim, inputShapes, inputDataTypes, inputFormats FROM "
    "COMPUTE_TASK_INFO",
    "SELECT globalTaskId, name, value FROM TASK_PMU_INFO",
    "SELECT opName, startNs, endNs, connectionId, groupName, dataType, count FROM COMMUNICATION_OP",
};

// `events` are rows.
void only_sqlite(const std::string& path, Outcome& outcome) {
  sqlite3* file = nullptr;
  const std::string address = "file:" + path + "?mode=ro&immutable=1";
  if (sqlite3_open_v2(address.c_str(), &file, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) != SQLITE_OK) std::exit(1);
  std::int64_t sum = 0;
  for (const char* question : kQuestions) {
    sqlite3_stmt* rows = nullptr;
    if (sqlite3_prepare_v2(file, question, -1, &rows, nullptr) != SQLITE_OK) std::exit(1);
    const int columns = sqlite3_column_count(rows);
    while (sqlite3_step(rows) == SQLITE_ROW) {
      ++outcome.events;
      for (int column = 0; column < columns; ++column) {
        sum += sqlite3_column_type(rows, column) == SQLITE_TEXT ? sqlite3_column_text(rows, column)[0]
                                                                : sqlite3_column_int64(rows, column);
      }
    }
    sqlite3_finalize(rows);
  }
  sqlite3_close(file);
  outcome.text_bytes = sum == 42 ? 1 : 0;  // the sum prevents the compiler from removing the work
}

void bench(const std::string& path) {
  std::vector<Outcome> bytes, rows, ours;
  for (int round = 0; round < kRounds; ++round) {
    bytes.push_back(measure([&](Outcome& o) { only_bytes(path, o); }));
    rows.push_back(measure([&](Outcome& o) { only_sqlite(path, o); }));
    ours.push_back(measure([&](Outcome& o) { whole_reader(path, o); }));
  }
  const Outcome b = median(bytes), r = median(rows), o = median(ours);
  const double megabytes = static_cast<double>(b.text_bytes) / 1e6, events = static_cast<double>(o.events);
  std::printf("%s: %.0f MB, %.2f M rows, %.2f M events\n", path.c_str(), megabytes, static_cast<double>(r.events) / 1e6,
              events / 1e6);
  std::printf("  bytes alone                       %6.2f s  %6.0f MB/s\n", b.seconds, megabytes / b.seconds);
  std::printf("  SQLite alone, one thread          %6.2f s  %6.0f MB/s\n", r.seconds, megabytes / r.seconds);
  std::printf("  all tables ready                  %6.2f s  %6.0f MB/s  %.2f M events/s\n", o.seconds, megabytes / o.seconds,
              events / 1e6 / o.seconds);
  std::printf("  ratio to SQLite                   %6.2f\n", o.seconds / r.seconds);
  std::printf("  ratio of processor time to it     %6.2f\n", o.work / r.work);
  std::printf("  peak memory per event             %6.1f bytes\n\n", static_cast<double>(o.peak_bytes) / events);
}

}  // namespace
}  // namespace sightline::benches

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  if (paths.empty()) paths = {"build/bench/ascend_database/ascend_pytorch_profiler_0.db"};
  for (const std::string& path : paths) {
    if (std::filesystem::exists(path)) {
      sightline::benches::bench(path);
    } else {
      std::printf("%s is absent: make it with bench/make_ascend.py\n", path.c_str());
    }
  }
}

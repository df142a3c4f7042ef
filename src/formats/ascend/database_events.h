// ascend_pytorch_profiler*.db and msprof*.db: the events and figures of a profile as tables of a database, in ns and bytes.
// They fill the same tables as the text exports.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/ascend/database_kernels.h"
#include "formats/ascend/kernel_details.h"
#include "formats/tables/database.h"
#include "formats/trace_events/assemble.h"

namespace sightline::formats::ascend {

class DatabaseEvents {
 public:
  DatabaseEvents(Database& database, const ReadOptions& options) : db_(database), options_(options) {}

  // Host ranges, driver calls, tasks of the device, collectives and counters, as raw events.
  trace_events::ParsedEvents read();

  // Names, cores and counters of kernels. After assemble().
  void add_kernel_facts(KernelFacts& facts, const trace_events::Assembled& assembled);

  // Steps, if no operator marks them: STEP_TIME has their time on the host.
  void add_steps(std::int64_t origin, Profile& profile);

  // Blocks and curves, ns since 1970.
  void add_memory(std::int64_t origin, Profile& profile);

  // Reports what could not be read, and references between tables that lead nowhere. Called last.
  void report(Profile& profile) const;

  // Rank, host, devices, versions.
  void add_about(Profile& profile);

 private:
  struct Task {
    std::int64_t start;
    Row kernel;  // of kernels_
  };
  using Causes = IdTable<std::int64_t>;

  std::string_view string_of(const Database::Row& row, int column) const { return texts_.of(row, column); }
  StringId name(const Database::Row& row, int column) {
    return plain_.name(row, column, *strings_, [](std::string_view text) { return text; });
  }
  StringId intern(const Database::Row& row, int column) {
    return plain_.of(row, column, *strings_, [](std::string_view text) { return text; });
  }

  // The track of a thread, stream or plane: its name is `kind` and, unless that is complete, its number.
  std::uint32_t track(std::int64_t process, std::int64_t thread, int place, std::string_view layer, const char* kind,
                      bool device);
  std::uint32_t counter(std::int64_t device, int place, std::string_view layer, const std::string& name);
  std::uint32_t add_slice(std::int64_t start, std::int64_t end, StringId name, std::uint32_t track, Category category);
  std::int64_t cause_of(std::int64_t connection);
  void add_work(std::uint32_t slice, std::int64_t connection, std::int64_t device, StringId core);
  std::int64_t device_of(std::int64_t stated) const { return stated == kUnknown ? only_device_ : stated; }
  std::int64_t process_of(int place, std::int64_t device) const;
  void find_only_device(const std::set<std::int64_t>& of_tasks);
  void next_batch();
  void swap_shapes_and_types();
  void report_lacks(Profile& profile) const;
  void read_host();
  void read_driver();
  void read_tasks();
  void read_collectives();
  void read_counters();
  void name_process(StringId pid, std::string_view layer, int place, bool device);

  Database& db_;
  const ReadOptions& options_;
  DatabaseStrings texts_;
  SpelledStrings plain_{texts_};
  std::optional<DatabaseKernels> kernels_;
  trace_events::ParsedEvents parsed_;
  trace_events::EventBatch batch_;
  StringPool* strings_ = nullptr;  // of the events, then of the profile that they became: ids stay valid
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> tracks_;   // by process and thread
  std::map<std::pair<std::int64_t, std::string>, std::uint32_t> counters_;  // by process and name
  std::pair<std::pair<std::int64_t, std::int64_t>, std::uint32_t> last_track_{{kUnknown, kUnknown}, 0};
  std::unordered_set<std::string> named_;  // processes
  Causes causes_;                          // connection -> external id of the operator
  Causes::Place cause_;
  std::vector<Task> tasks_;  // those that ran kernels
  std::int64_t process_ = 0;
  // Broken references between tables.
  std::int64_t unnamed_calls_ = 0;  // calls of the driver whose name is a number without a text
  std::int64_t kernels_without_task_ = 0, kernels_without_about_ = 0;
  std::int64_t repeated_ = 0;            // rows of tasks and collectives that repeat another
  std::int64_t only_device_ = kUnknown;  // for rows without a device: the only one in the file
};

// The sums that no other file of the folder states.
struct MissingSums {
  bool steps, collectives, matrix;
};

// analysis.db: sums of steps, collectives and links; adds those that are missing.
void add_sums_database(const std::string& path, std::int64_t origin, MissingSums missing, ReadProgress* progress,
                       Profile& profile);

}  // namespace sightline::formats::ascend

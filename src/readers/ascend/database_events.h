// ascend_pytorch_profiler*.db and msprof*.db: the events and figures of a profile as tables of a database, in ns and bytes,
// filling the same tables as the text exports.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "readers/ascend/database.h"
#include "readers/ascend/kernel_details.h"
#include "readers/trace_events/assemble.h"

namespace sightline::ascend {

class DatabaseEvents {
 public:
  explicit DatabaseEvents(Database& database) : db_(database) {}

  // Host ranges, driver calls, tasks of the device, collectives and counters, as raw events.
  trace_events::ParsedEvents read();

  // Names, cores and counters of kernels. After assemble().
  void add_kernel_facts(KernelFacts& facts, const trace_events::Assembled& assembled);

  // Blocks and curves, ns since 1970.
  void add_memory(std::int64_t origin, Profile& profile);

  // Rank, host, devices, versions.
  void add_about(Profile& profile);

 private:
  struct Task {
    std::int64_t start, key;
  };
  struct Computed {
    StringId name, type, core;
    std::int64_t blocks = kUnknown;
  };
  struct Text {
    std::string text;
    std::optional<StringId> id;  // once it was needed
  };
  using Spelled = std::unordered_map<std::int64_t, StringId>;  // by id of STRING_IDS

  std::string_view string_of(const Database::Row& row, int column) const;
  StringId intern(const Database::Row& row, int column);

  // A cell's text in another spelling, which is made once per id; none of a cell without text.
  template <typename Spell>
  StringId spelled(const Database::Row& row, int column, Spelled& known, Spell&& spell);
  // The track of a thread, stream or plane, which is called by `kind` and, unless that says all, its number.
  std::uint32_t track(std::int64_t process, std::int64_t thread, int place, std::string_view layer, const char* kind,
                      bool device);
  std::uint32_t counter(std::int64_t device, int place, std::string_view layer, const std::string& name);
  std::uint32_t add_slice(std::int64_t start, std::int64_t end, StringId name, std::uint32_t track,
                          trace_events::Category category);
  std::int64_t cause_of(std::int64_t connection) const;
  void add_work(std::uint32_t slice, std::int64_t connection, std::int64_t device, StringId core);
  std::int64_t device_of(std::int64_t stated) const { return stated == kUnknown ? only_device_ : stated; }
  std::int64_t process_of(int place, std::int64_t device) const;
  void find_only_device(const std::set<std::int64_t>& of_tasks);
  void read_strings();
  bool shapes_stand_with_types();
  void read_host();
  void read_driver();
  void read_tasks();
  void read_collectives();
  void read_counters();
  void name_process(StringId pid, std::string_view layer, int place, bool device);

  Database& db_;
  std::unordered_map<std::int64_t, Text> texts_;  // STRING_IDS
  trace_events::ParsedEvents parsed_;
  trace_events::EventBatch batch_;
  StringPool* strings_ = nullptr;  // of the events, then of the profile that they became: ids stay
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> tracks_;   // by process and thread
  std::map<std::pair<std::int64_t, std::string>, std::uint32_t> counters_;  // by process and name
  std::pair<std::pair<std::int64_t, std::int64_t>, std::uint32_t> last_track_{{kUnknown, kUnknown}, 0};
  std::unordered_set<std::string> named_;                  // processes
  std::unordered_map<std::int64_t, std::int64_t> causes_;  // connection -> external id of the operator
  std::unordered_map<std::int64_t, Computed> computed_;    // by task key
  std::vector<Task> kernels_;
  std::int64_t process_ = 0;
  std::int64_t only_device_ = kUnknown;  // where a row does not say on which: the only one that the file speaks of
};

// Which sums no other file of the folder states.
struct MissingSums {
  bool steps, collectives, matrix;
};

// analysis.db: sums of steps, collectives and links, those of them that are missing.
void add_sums_database(const std::string& path, std::int64_t origin, MissingSums missing, ReadProgress* progress,
                       Profile& profile);

}  // namespace sightline::ascend

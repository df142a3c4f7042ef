// Report: an export of Nsight Systems while it is read: its tables, texts and devices, and the events made of its rows.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "formats/tables/table_source.h"
#include "formats/tables/text_table.h"
#include "formats/trace_events/row_events.h"

namespace sightline::formats::nsys {

using TableRow = TableSource::Row;

// Parts of the writer's ids of threads (pid in bits 24 to 47, tid in bits 0 to 23); kUnknown of an unknown thread.
constexpr std::int64_t pid_of(std::int64_t global) { return global == kUnknown ? kUnknown : global >> 24 & 0xffffff; }
constexpr std::int64_t tid_of(std::int64_t global) { return global == kUnknown ? kUnknown : global & 0xffffff; }

// ---- devices ----
// The devices of the machine. A process numbers those that it sees from 0; the export may state which they are.

class Gpus {
 public:
  void read(TableSource& tables);

  // The number of a process's device on the machine.
  std::int64_t ordinal(std::int64_t pid, std::int64_t device) const;

  // Rows of devices: those that the export describes and had work or samples, and those that it does not describe.
  void describe(Profile& profile) const;
  std::string_view name(std::int64_t ordinal) const;  // the product; empty: not described
  void use(std::int64_t pid, std::int64_t device);
  void use_ordinal(std::int64_t ordinal) { used_.insert(ordinal); }

  // Adds problems: devices that are not described, and devices of several processes that may be different ones.
  void report(Profile& profile) const;

 private:
  struct Product {
    std::string name;
    std::int64_t memory, bandwidth, clock, cores, warps, warp_size, registers, shared, shared_per_block, major, minor;
  };

  std::map<std::int64_t, Product> products_;                               // by number on the machine
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> ordinal_;  // by process and its own number
  std::map<std::int64_t, std::set<std::int64_t>> pids_;                    // that use a device, by their own number
  std::set<std::int64_t> used_;
};

// ---- the reading ----

struct GraphOfWork {
  std::int64_t correlation, graph;
};

class Report {
 public:
  explicit Report(TableSource& tables);

  TableSource& tables() { return tables_; }
  const TextTable& texts() const { return texts_; }
  trace_events::RowEvents& events() { return events_; }
  Gpus& gpus() { return gpus_; }

  // The track of a host thread, by the writer's id of it.
  std::uint32_t thread(std::int64_t global_tid);
  // Another track of a thread's process.
  std::uint32_t beside_threads(std::int64_t global_tid, const std::string& name);
  bool has_thread(std::int64_t global_tid) const { return threads_.contains(global_tid); }
  // The track of a stream of a device, which has work of the context.
  std::uint32_t stream(std::int64_t pid, std::int64_t device, std::int64_t context, std::int64_t stream);
  // The device of a context that has work; else `stated`. Rows of synchronizations state a wrong one.
  std::int64_t device_of_context(std::int64_t pid, std::int64_t context, std::int64_t stated) const;
  std::string process_of_device(std::int64_t ordinal);

  // An id of a process's call that is unique in the file; kUnknown if the call has none.
  std::int64_t call_id(std::int64_t pid, std::int64_t correlation);

  // The process of device work; a row without one belongs to the only process that made calls.
  std::int64_t pid_of_work(std::int64_t global_pid) const;

  std::vector<GraphOfWork> graphs;            // of device work that graphs launched
  std::map<StringId, StringId> domain_names;  // placeholders of domains, and what they are called
  std::int64_t unnamed = 0, unfinished_ranges = 0, orphan_ends = 0;

 private:
  TableSource& tables_;
  TextTable texts_;
  Gpus gpus_;
  trace_events::RowEvents events_;
  std::unordered_map<std::int64_t, std::uint32_t> threads_;  // by global id
  std::pair<std::optional<std::int64_t>, std::uint32_t> last_thread_;
  std::map<std::array<std::int64_t, 4>, std::uint32_t> streams_;
  std::pair<std::array<std::int64_t, 4>, std::uint32_t> last_stream_{{kUnknown, 0, 0, 0}, 0};
  std::set<std::pair<std::int64_t, std::int64_t>> stream_numbers_;                 // (device, stream) that have a track
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> context_devices_;  // by process and context
  std::map<std::int64_t, std::int64_t> call_space_;                                // by process
};

// Calls of the host, and what delayed them.
void read_host(Report& report);
// Named ranges and marks.
void read_ranges(Report& report);
// Kernels, copies, fills, synchronizations and graphs.
void read_device_work(Report& report);
// Samples of the devices' counters, and memory that was allocated.
void read_counters(Report& report);
// Call stacks that were sampled on the host.
void read_samples(Report& report);
// Names of threads and processes.
void name_threads(Report& report);

// ---- after assembly ----

// What a range of the writer's communication library states, by the text of its domain.
constexpr std::string_view kDomainFact = "Domain";

// Marks steps and modules among the ranges. REQUIRES: nothing is attributed yet.
void find_steps_and_modules(Profile& profile);
// Rows of graph_launches. REQUIRES: device work has its launches.
void add_graph_launches(const Report& report, Profile& profile);
// Sizes and groups of collectives, from the ranges around their launches. REQUIRES: collectives are complete.
void describe_collectives(Profile& profile);
// Processes without events, what the export states about itself, and what the reader could not use.
void add_about(Report& report, Profile& profile);

}  // namespace sightline::formats::nsys

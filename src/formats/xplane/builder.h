// Builder: puts the lines of all planes together. It writes lanes and their slices one line after the other, and collects
// what refers from line to line until all lines are there.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "formats/common/profile_builder.h"
#include "formats/xplane/lines.h"
#include "model/tables.h"

namespace sightline::formats::xplane {

// A slice that executes an operator of a compiled program, or names one.
struct ProgramUse {
  Row slice;
  StringId hlo_op, hlo_module, category, framework_op, source, shape;
  std::int64_t program;  // kUnknown: not stated
  bool has_program;
  double flops, bytes;
  std::int64_t accesses = kUnknown;        // of MemoryAccesses
  std::int64_t transfer_group = kUnknown;  // devices
};

// Many slices, each with what it executes. Operators are few and their executions many, so most equal uses are stored once.
class ProgramUses {
 public:
  void add(const ProgramUse& use);
  std::size_t size() const { return slices_.size(); }
  bool empty() const { return slices_.empty(); }
  Row slice(std::size_t i) const { return slices_[i]; }
  ProgramUse operator[](std::size_t i) const {
    ProgramUse use = distinct_[which_[i]];
    use.slice = slices_[i];
    return use;
  }

 private:
  static constexpr std::size_t kRecent = 4096;

  std::vector<Row> slices_;
  std::vector<std::uint32_t> which_;  // of distinct_
  std::vector<ProgramUse> distinct_;
  std::vector<std::uint32_t> recent_ = std::vector<std::uint32_t>(kRecent);  // of distinct_, by hash: the last one
};

// One end of an arrow between slices: ends with equal contexts, ids and processes belong together.
struct FlowEnd {
  std::int64_t context;  // kind of the id; those of `flow` differ from those of `_pt`, `_ct`
  std::int64_t id, process;
  Row slice;
  bool producer;
};

// Rows of slices.
struct Arrow {
  Row from, to;
};

// One execution of a compiled program on threads of the host.
struct Execution {
  Row first = kNoRow;  // its first slice
  Time end = 0;
  StringId module = StringId::none;
};

// A change that an allocator reports.
struct MemoryChange {
  Time time;
  Row lane;
  StringId allocator;          // none: only the device is stated
  std::int64_t index;          // of that device; kUnknown: the allocator's name is stated
  bool released;               // else allocated
  std::int64_t address, size;  // kUnknown: a release that does not state its size
  std::int64_t total;
  std::int64_t reserved;   // for the stacks of programs, in addition to what is allocated
  std::int64_t available;  // for further allocations
  double fragmentation;    // 0..1
};

// A step as a device recorded it.
struct DeviceStep {
  Row slice;
  std::int64_t device, number;
};

// A run of a compiled program on a device: it contains the work of its operators.
struct ProgramRun {
  Row slice, process;
  std::int64_t device;
  std::int64_t request;  // the id under which the host requested it; kUnknown: not stated
};

// Executions of an operator of which only the count and the total time are known.
struct ProgramSum {
  ProgramUse use;  // without a slice
  std::int64_t device;
  StringId core;
  std::int64_t calls;
  Time total;
};

struct Builder : ProfileBuilder {
  using ProfileBuilder::add_lane;
  using ProfileBuilder::ProfileBuilder;

  MemoryAccesses accesses;
  ProgramUses program_uses;  // by slice
  std::vector<ProgramSum> program_sums;
  std::vector<FlowEnd> flow_ends;
  std::vector<Arrow> arrows;                     // by `to`; see arrows.h
  std::map<std::int64_t, Execution> executions;  // by run_id
  std::vector<MemoryChange> memory;
  std::vector<DeviceStep> device_steps;
  std::vector<ProgramRun> runs;
  std::vector<StringId> launch_hlo;  // by row of launches: the operator of a program that the call is for
  std::int64_t implausible_details = 0, empty_samples = 0, releases_of_unknown_size = 0;

  // `operator_name`: the operator's, if the event has its name.
  void add_program_use(Row slice, const Facts& facts, StringId operator_name = StringId::none);
  // The ends of arrows at the slice. By ascending slice.
  void add_ends(Row slice, const Facts& facts);
  // The execution that the slice, of a thread of the host, is part of.
  void add_execution(Row slice, const Facts& facts);
  // One lane for the line, with a slice of `kind(event, facts)` for each event; calls `placed(event, facts, row)` by
  // ascending row.
  template <typename Kind, typename Placed>
  void add_lane(const NewLane& lane, const Line& line, Kind&& kind, Placed&& placed);
};

template <typename Kind, typename Placed>
void Builder::add_lane(const NewLane& lane, const Line& line, Kind&& kind, Placed&& placed) {
  std::vector<NewSlice> slices;
  slices.reserve(line.events.size());
  for (const LineEvent& event : line.events)
    slices.push_back({event.start, event.duration, event.name, kind(event, line.facts_of(event)), event.source});
  if (slices.empty()) return;
  add_lane(lane, slices, [&](std::size_t i, Row row) { placed(line.events[i], line.facts_of(line.events[i]), row); });
}

// A plane of the host: a lane per thread.
void add_host_line(Builder& builder, Row process, Line line);

// A plane of a device.
enum class DeviceKind { gpu, tpu, other };
struct DevicePlane {
  DeviceKind kind = DeviceKind::other;
  std::int64_t ordinal = kUnknown;
  std::string core;  // a part of the device, such as SparseCore 1
};
DevicePlane device_plane(std::string_view plane_name);
void add_device_line(Builder& builder, const DevicePlane& plane, Row process, const Line& line);

// The operator that an event executes, from its facts. `operator_name`: the event's name, if it is the operator's.
ProgramUse program_use(const Facts& facts, StringId operator_name);

// Sums of events without times.
void add_aggregates(Builder& builder, const DevicePlane& plane, const Line& line);

// The relations between lines, called in this order when all lines have been added.

// What allocators report becomes memory_events.
void add_memory_events(Builder& builder);

// Steps: those that the program marked, else the best substitute.
void add_steps(Builder& builder);

// Makes launching calls of the ranges of the host that requested runs, and gives the work of a run the id of its call.
// REQUIRES: arrows were added.
void add_run_launches(Builder& builder);

// Adds lanes for the modules, operators, names and source lines of a device's work, after all other lanes, for each stream
// whose work executes operators of programs. REQUIRES: program_work is complete.
void add_derived_lanes(Builder& builder);

// The span: from the end of the call that started the profiler to the start of the one that stopped it, where frames of Python
// show these calls (both may take seconds); else all slices. Steps and device work are inside in any case.
void find_span(Profile& profile);

}  // namespace sightline::formats::xplane

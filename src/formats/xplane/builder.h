// Builder: what the lines of all planes become, put together: lanes and their slices are written one line after the other, and
// what refers from line to line is collected until all of them are there.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "formats/common/profile_builder.h"
#include "formats/xplane/lines.h"
#include "model/tables.h"

namespace sightline::formats::xplane {

// A slice that executes an operator of a compiled program, or that says so.
struct ProgramUse {
  Row slice;
  StringId hlo_op, hlo_module, category, framework_op, source, shape;
  std::int64_t program;  // kUnknown: it does not say
  bool has_program;
  double flops, bytes;
};

// One end of an arrow that the writer put between slices: what equal contexts, ids and processes tell of one another.
struct FlowEnd {
  std::int64_t context;  // kind of the id; those of `flow` and of `_pt`, `_ct` are apart
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
  Row first = kNoRow;  // the slice of it that begins first
  Time end = 0;
  StringId module = StringId::none;
};

// A change that an allocator reports.
struct MemoryChange {
  Time time;
  Row lane;
  StringId allocator;          // none: it says only of which device it is
  std::int64_t index;          // of that device; kUnknown: it says its name
  bool released;               // else allocated
  std::int64_t address, size;  // kUnknown: a release that does not say how much
  std::int64_t total;
  std::int64_t reserved;   // for the stacks of programs, beside what is allocated
  std::int64_t available;  // what the allocator may still hand out
  double fragmentation;    // 0..1
};

// A step as a device recorded it.
struct DeviceStep {
  Row slice;
  std::int64_t device, number;
};

// A run of a compiled program on a device, which holds what its operators did.
struct ProgramRun {
  Row slice, process;
  std::int64_t device;
  std::int64_t asked;  // the id under which the host asked for it; kUnknown: not stated
};

// Executions of an operator of which only a number and a sum are known.
struct ProgramSum {
  ProgramUse use;  // of no slice
  std::int64_t device;
  StringId core;
  std::int64_t calls;
  Time total;
};

struct Builder : ProfileBuilder {
  using ProfileBuilder::add_lane;
  using ProfileBuilder::ProfileBuilder;

  std::vector<ProgramUse> program_uses;  // by slice
  std::vector<ProgramSum> program_sums;
  std::vector<FlowEnd> flow_ends;
  std::vector<Arrow> arrows;                     // by `to`; see arrows.h
  std::map<std::int64_t, Execution> executions;  // by run_id
  std::vector<MemoryChange> memory;
  std::vector<DeviceStep> device_steps;
  std::vector<ProgramRun> runs;
  std::vector<StringId> launch_hlo;  // by row of launches: the operator of a program that the call is for
  std::int64_t implausible_details = 0, empty_samples = 0, releases_of_unknown_size = 0;

  // `operator_name`: of the operator, where the event's own name is that.
  void add_program_use(Row slice, const Facts& facts, StringId operator_name = StringId::none);
  // What the slice says of arrows. By ascending slice.
  void add_ends(Row slice, const Facts& facts);
  // What the slice, of a thread of the host, says of the execution that it is part of.
  void add_execution(Row slice, const Facts& facts);
  // One lane of the line, with a slice of `kind(event, facts)` per event; `placed(event, facts, row)` by ascending row.
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

// What the facts of an event say of the operator that it executes. `operator_name`: the event's own, where that is the
// operator's.
ProgramUse program_use(const Facts& facts, StringId operator_name);

// Sums of events without times.
void add_aggregates(Builder& builder, const DevicePlane& plane, const Line& line);

}  // namespace sightline::formats::xplane

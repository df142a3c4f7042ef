// Profile: the tables of one worker and one span. A reader fills it, check_profile judges it, and from then on
// it is immutable and shared: any number of threads may read it. Nothing in it points into anything else;
// rows refer to rows by number.
#pragma once

#include <memory>
#include <string>

#include "model/tables.h"

namespace sightline {

struct Profile {
  StringPool strings;

  Processes processes;
  Devices devices;
  Lanes lanes;
  Slices slices;
  Operators operators;
  Modules modules;
  Launches launches;
  DeviceWork device_work;
  Collectives collectives;
  Steps steps;
  MemoryEvents memory_events;
  Flows flows;
  Counters counters;
  Metadata metadata;
  Problems problems;

  std::string file;                        // what it was read from, for messages
  std::string format;                      // the reader's id
  std::int64_t origin_unix_ns = kUnknown;  // Unix time of Time 0, when the format tells
  std::int64_t events = 0;                 // events of the file, of any kind, that were read
  std::int64_t rank = kUnknown;            // index in the job
  std::int64_t world_size = kUnknown;
  Time span_start = 0;  // the profiler's own window, or the extent of all slices
  Time span_end = 0;
  bool has_python_stacks = false;

  std::string_view text(StringId id) const { return strings.view(id); }
  Time end_of(Row slice) const { return slices.start[slice] + slices.duration[slice]; }

  // Calls visit(table) for every table, in declaration order.
  template <typename Self, typename Visit>
  static void visit_tables(Self& p, Visit&& visit) {
    visit(p.processes);
    visit(p.devices);
    visit(p.lanes);
    visit(p.slices);
    visit(p.operators);
    visit(p.modules);
    visit(p.launches);
    visit(p.device_work);
    visit(p.collectives);
    visit(p.steps);
    visit(p.memory_events);
    visit(p.flows);
    visit(p.counters);
    visit(p.metadata);
    visit(p.problems);
  }

  void add_problem(Severity severity, std::string_view code, std::string_view message, std::int64_t count, std::int64_t offset);
};

using ProfilePtr = std::shared_ptr<const Profile>;

// The metadata value of `key`; empty when absent.
std::string_view metadata_value(const Profile& profile, std::string_view key);

}  // namespace sightline

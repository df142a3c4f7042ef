// kernel_details.csv (op_summary_*.csv of the command-line profiler): a row per kernel and per collective, with everything
// that the device counted. Rows belong to slices by name and start; without a trace the slices are made from the rows first.
// l2_cache.csv and data_preprocess.csv add facts to kernels by stream and task.
#pragma once

#include <map>
#include <string>

#include "readers/trace_events/assemble.h"

namespace sightline::ascend {

// The rows as events, for a folder without a trace: a lane per stream, collectives on one of their own.
Result<trace_events::ParsedEvents> kernels_as_events(const std::string& path);

class KernelFacts {
 public:
  explicit KernelFacts(trace_events::Assembled& assembled);

  // Fills core, type, grid and facts of the device work that the rows are about.
  void add_kernel_details(const std::string& path);

  // Adds the named columns of a table as facts of the kernels of its "Stream Id" and "Task Id". REQUIRES: add_kernel_details.
  void add_by_task(const std::string& path);

  // The device work of this name that begins then and that was not found before; kNoRow: none.
  Row find(std::string_view name, Time start);

  // What ran on which core, and in how many blocks; empty or "N/A": not known.
  void describe(Row work, std::string_view core, std::string_view type, std::string_view blocks);

  // One value of a slice; a cell without a value adds nothing.
  void add(Row slice, std::string_view title, std::string_view cell) { add_fact(slice, p_.strings.intern(title), cell); }
  void add(Row slice, std::string_view title, double number) {
    facts_.push_back({slice, p_.strings.intern(title), StringId::none, number});
  }

  // Sorts the facts into the profile.
  void finish();

 private:
  struct Fact {
    Row slice;
    StringId name, text;
    double number;
  };
  void add_fact(Row slice, StringId name, std::string_view cell);

  trace_events::Assembled& a_;
  Profile& p_;
  struct Known {
    Time start;
    StringId name;
    Row work;
  };
  std::vector<Known> by_start_;
  std::vector<bool> used_;                                                     // by row of device_work
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Row>> by_task_;  // (stream, task) -> slices
  std::vector<Fact> facts_;
};

}  // namespace sightline::ascend

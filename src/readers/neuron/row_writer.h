// RowWriter: rows of the tables that stand beside the slices, with all that this kind of device does not say left unknown.
#pragma once

#include <string_view>

#include "model/profile.h"

namespace sightline::neuron {

// What is known of what a slice cost; device memory is the HBM.
struct WorkCost {
  double flops = static_cast<double>(kUnknownReal);
  std::int64_t read = kUnknown, written = kUnknown;  // bytes
  std::int64_t moved = kUnknown;                     // both together
};

class RowWriter {
 public:
  explicit RowWriter(Profile& profile) : p_(profile) {}

  // REQUIRES of what belongs to slices: by ascending slice.
  void add_work(Row slice, std::int64_t device, StringId core, CoreType type, StringId what, std::int64_t bytes);
  void add_fact(Row slice, StringId name, double number, StringId text);
  void add_fact(Row slice, StringId name, double number) { add_fact(slice, name, number, StringId::none); }
  void add_fact(Row slice, StringId name, StringId text) { add_fact(slice, name, kUnknownReal, text); }

  // What `start` and `duration` have beyond whole ns, in ps.
  void add_fine_time(Row slice, std::int64_t start, std::int64_t duration);

  // No row, if nothing is known.
  void add_cost(Row slice, const WorkCost& cost);
  void add_program_work(Row slice, Row program_operator);

  // REQUIRES: by lane, then by time.
  void add_sample(Row lane, Time time, double value);

  // Bytes held while the program ran. REQUIRES: by device, then by holder.
  void add_memory(std::string_view device, std::string_view holder, std::int64_t bytes);
  void add_metadata(std::string_view key, std::string_view value);

 private:
  Profile& p_;
};

}  // namespace sightline::neuron

// RowWriter: one function per table.
#include "readers/neuron/row_writer.h"

#include "model/unknown_row.h"

namespace sightline::neuron {

void RowWriter::add_work(Row slice, std::int64_t device, StringId core, CoreType type, StringId what, std::int64_t bytes) {
  DeviceWork& work = p_.device_work;
  const Row row = add_unknown_row(work);
  work.slice[row] = slice;
  work.device[row] = device;
  work.core_type[row] = type;
  work.core[row] = core;
  work.type[row] = what;
  work.bytes[row] = bytes;
}

void RowWriter::add_cost(Row slice, const WorkCost& cost) {
  const bool known = cost.flops == cost.flops || cost.read != kUnknown || cost.written != kUnknown || cost.moved != kUnknown;
  if (!known) return;
  p_.work_costs.slice.push_back(slice);
  p_.work_costs.flops.push_back(cost.flops);
  p_.work_costs.bytes.push_back(cost.moved);
  p_.work_costs.bytes_read.push_back(cost.read);
  p_.work_costs.bytes_written.push_back(cost.written);
}

void RowWriter::add_fine_time(Row slice, std::int64_t start, std::int64_t duration) {
  constexpr std::int64_t kNs = 1000;
  const auto beyond = [](std::int64_t ps) { return static_cast<std::int32_t>((ps % kNs + kNs) % kNs); };
  p_.fine_times.slice.push_back(slice);
  p_.fine_times.start.push_back(beyond(start));
  p_.fine_times.duration.push_back(beyond(duration));
}

void RowWriter::add_program_work(Row slice, Row program_operator) {
  if (program_operator == kNoRow) return;
  p_.program_work.slice.push_back(slice);
  p_.program_work.program_operator.push_back(program_operator);
}

void RowWriter::add_fact(Row slice, StringId name, double number, StringId text) {
  p_.work_facts.slice.push_back(slice);
  p_.work_facts.name.push_back(name);
  p_.work_facts.number.push_back(number);
  p_.work_facts.text.push_back(text);
}

void RowWriter::add_sample(Row lane, Time time, double value) {
  p_.counters.lane.push_back(lane);
  p_.counters.time.push_back(time);
  p_.counters.value.push_back(value);
}

void RowWriter::add_memory(std::string_view device, std::string_view holder, std::int64_t bytes) {
  p_.memory_usage.time.push_back(0);
  p_.memory_usage.device_name.push_back(p_.strings.intern(device));
  p_.memory_usage.component.push_back(p_.strings.intern(holder));
  p_.memory_usage.allocated.push_back(bytes);
  p_.memory_usage.reserved.push_back(kUnknown);
  p_.memory_usage.active.push_back(kUnknown);
}

void RowWriter::add_metadata(std::string_view key, std::string_view value) {
  if (value.empty()) return;
  p_.metadata.key.push_back(p_.strings.intern(key));
  p_.metadata.value.push_back(p_.strings.intern(value));
}

}  // namespace sightline::neuron

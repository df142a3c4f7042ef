// RowWriter: one function per table.
#include "readers/neuron/row_writer.h"

#include "model/unknown_row.h"

namespace sightline::neuron {

void RowWriter::add_work(Row slice, std::int64_t device, StringId core, CoreType type, StringId what, std::int64_t bytes) {
  DeviceWork& work = p_.device_work;
  work.slice.push_back(slice);
  work.device.push_back(device);
  work.launch.push_back(kNoRow);
  work.owner.push_back(kNoRow);
  work.rule.push_back(OwnerRule::none);
  work.core_type.push_back(type);
  work.core.push_back(core);
  work.type.push_back(what);
  work.correlation.push_back(kUnknown);
  work.grid.push_back(StringId::none);
  work.block.push_back(StringId::none);
  work.registers.push_back(-1);
  work.shared_bytes.push_back(kUnknown);
  work.blocks_per_core.push_back(kUnknownReal);
  work.occupancy.push_back(kUnknownReal);
  work.bytes.push_back(bytes);
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

void RowWriter::add_device(std::int64_t ordinal, std::string_view name) {
  const Row row = add_unknown_row(p_.devices);
  p_.devices.ordinal[row] = ordinal;
  p_.devices.name[row] = p_.strings.intern(name);
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

// TableProfile: what the device's tables need beside the rows that every profile has.
#include "formats/neuron/table_profile.h"

#include <fmt/core.h>

#include <algorithm>

#include "formats/common/program_lanes.h"
#include "formats/neuron/hardware.h"
#include "formats/neuron/hlo_text.h"
#include "model/stated_names.h"
#include "model/tables.h"

namespace sightline::formats::neuron {

void TableProfile::add_tensor(const Tensor& tensor) {
  Tensors& table = profile().tensors;
  const Row row = add_unknown_row(table);
  table.name[row] = text(tensor.name);
  table.use[row] = text(tensor.use);
  table.shape[row] = text(tensor.shape);
  table.format[row] = text(tensor.format);
  table.bytes[row] = tensor.bytes;
  table.loads[row] = tensor.loads;
  table.loaded_bytes[row] = tensor.loaded_bytes;
}

// A line of metadata: the tables have no place for what a program declares and never used.
void TableProfile::add_queue(const Queue& queue) {
  const auto number = [](std::int64_t value) { return value == kUnknown ? std::string("?") : std::to_string(value); };
  set_metadata(fmt::format("dma_queue.{}-Q{}-E{}", queue.name, number(queue.queue), number(queue.engine)),
               fmt::format("type {}, AXI port {}, DRAM channel {}", queue.type.empty() ? "unknown" : queue.type,
                           number(queue.port), number(queue.channel)));
}

Row TableProfile::program_operator(const Operator& from) {
  if (from.name.empty() && from.framework_operator.empty()) return kNoRow;
  const std::string_view subgraph = from.subgraph.starts_with('/') ? from.subgraph.substr(1) : from.subgraph;
  const auto [at, is_new] =
      operators_.try_emplace({std::string(subgraph), std::string(from.name), std::string(from.framework_operator)}, kNoRow);
  if (!is_new) return at->second;
  ProgramOperators& table = profile().program_operators;
  const Row row = at->second = add_unknown_row(table);
  const HloLine line = hlo_line(from.name);
  const HloAttributes attributes = hlo_attributes(from.attributes);
  table.program[row] = text(subgraph);
  table.name[row] = text(line.name.empty() ? from.framework_operator : line.name);
  table.opcode[row] = text(line.opcode);
  table.shape[row] = text(line.shape);
  table.category[row] = text(attributes.operation);
  table.source[row] = text(attributes.source.empty() ? from.source : attributes.source);
  table.framework_operator[row] = text(from.framework_operator);
  return row;
}

// A copy has a cost only if no instruction states what it moved, since those would be the same bytes.
void TableProfile::drop_costs_of_copies() {
  const auto states_bytes = [](const TableRow& row) { return row.slice.kind == SliceKind::kernel && row.cost.moved != kUnknown; };
  const auto has_any = [&](const auto& each) {
    return std::any_of(each.second.rows.begin(), each.second.rows.end(), states_bytes);
  };
  if (std::none_of(kept_lanes().begin(), kept_lanes().end(), has_any)) return;
  for (auto& [place, lane] : kept_lanes()) {
    for (TableRow& row : lane.rows) {
      if (row.slice.kind == SliceKind::memcpy) row.cost = {};
    }
  }
}

// The scaled operations of matrix work whose row does not state them.
void TableProfile::placed(Row slice, const TableRow& row) {
  if (row.element_type == StringId::none || !(row.cost.flops > 0)) return;
  const auto [at, is_new] = scales_.try_emplace(row.element_type, 0.0);
  if (is_new) at->second = flops_scale(profile().text(row.element_type), stated_core(about_, instance_));
  if (at->second == at->second) add_fact(slice, text(stated::kScaledFlops), row.cost.flops * at->second);
}

// Operators know their subgraph; the program's own name is elsewhere in the file.
void TableProfile::name_program() {
  const std::string base = program_.substr(program_.rfind('/') + 1);
  if (base.empty()) return;
  ProgramOperators& table = profile().program_operators;
  for (Row i = 0; i < table.rows(); ++i) {
    const std::string_view subgraph = profile().text(table.program[i]);
    table.program[i] = text(subgraph.empty() ? base : fmt::format("{}/{}", base, subgraph));
  }
}

void TableProfile::write_devices() {
  if (devices_.empty() || device() != kUnknown) devices_.insert(device());
  const CoreFacts stated = stated_core(about_, instance_);
  for (const std::int64_t device : devices_) add_core(profile(), device, stated);
}

// When operators ran, unless the file says so itself.
void TableProfile::add_derived_lanes() {
  const auto is_stated = [](const auto& each) { return each.first.group == kLayerGroup && each.first.title == kOperatorLane; };
  if (std::any_of(kept_lanes().begin(), kept_lanes().end(), is_stated)) return;
  add_program_lanes(*this, [](std::int64_t device) {
    return device == kUnknown ? std::string("NeuronCore") : fmt::format("NeuronCore {}", device);
  });
}

std::unique_ptr<Profile> TableProfile::finish() {
  if (profile().events == 0) return ProfileBuilder::finish();
  core_ = device() == kUnknown ? "NeuronCore" : fmt::format("NeuronCore {}", device());
  process_of(kCoreGroup);
  drop_costs_of_copies();
  std::unique_ptr<Profile> made = ProfileBuilder::finish();
  name_program();
  write_devices();
  for (const auto& [holder, bytes] : memory_) add_memory(core_, holder, bytes);
  for (const auto& [key, value] : about_) add_metadata(key, value);
  return made;
}

}  // namespace sightline::formats::neuron

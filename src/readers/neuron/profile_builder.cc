// ProfileBuilder: lanes first, in the order of their places, then counters, then what names slices by their ids.
#include "readers/neuron/profile_builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "model/stated_names.h"
#include "model/unknown_row.h"
#include "readers/binary/program_lanes.h"
#include "readers/neuron/hardware.h"
#include "readers/neuron/hlo_text.h"

namespace sightline::neuron {

namespace {

constexpr Time kUnixTime = 100'000'000'000'000'000;  // 1973: a time from then on is no time since the beginning of a profile

}  // namespace

ProfileBuilder::ProfileBuilder() : p_(std::make_unique<Profile>()), lanes_(*p_), rows_(*p_) {}

ProfileBuilder::Lane& ProfileBuilder::lane(const LanePlace& place, const LaneFacts& about) {
  const auto [at, is_new] = slices_.try_emplace(place);
  if (is_new) at->second.about = about;
  return at->second;
}

void ProfileBuilder::add(Lane& lane, const TableRow& row, const std::vector<RowFact>& facts) {
  lane.rows.push_back(row);
  instructions_state_bytes_ |= row.slice.kind == SliceKind::kernel && row.cost.moved != kUnknown;
  lane.facts.insert(lane.facts.end(), facts.begin(), facts.end());
  lane.fact_end.push_back(static_cast<std::uint32_t>(lane.facts.size()));
  ++p_->events;
}

void ProfileBuilder::add_sample(const LaneGroup& group, const std::string& name, Time time, double value) {
  counters_[{group, name}].emplace_back(time, value);
  ++p_->events;
}

void ProfileBuilder::add_dependency(int from_table, std::int64_t from, int to_table, std::int64_t to) {
  edges_.push_back({from_table, to_table, from, to});
}

std::int32_t ProfileBuilder::add_collective(const Collective& collective) {
  collectives_.push_back(collective);
  return static_cast<std::int32_t>(collectives_.size()) - 1;
}

void ProfileBuilder::add_tensor(const Tensor& tensor) {
  Tensors& table = p_->tensors;
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
void ProfileBuilder::add_queue(const Queue& queue) {
  const auto number = [](std::int64_t value) { return value == kUnknown ? std::string("?") : std::to_string(value); };
  add_metadata(fmt::format("dma_queue.{}-Q{}-E{}", queue.name, number(queue.queue), number(queue.engine)),
               fmt::format("type {}, AXI port {}, DRAM channel {}", queue.type.empty() ? "unknown" : queue.type,
                           number(queue.port), number(queue.channel)));
}

Row ProfileBuilder::program_operator(const Operator& from) {
  if (from.name.empty() && from.framework_operator.empty()) return kNoRow;
  const std::string_view subgraph = from.subgraph.starts_with('/') ? from.subgraph.substr(1) : from.subgraph;
  const auto [at, is_new] =
      operators_.try_emplace({std::string(subgraph), std::string(from.name), std::string(from.framework_operator)}, kNoRow);
  if (!is_new) return at->second;
  ProgramOperators& table = p_->program_operators;
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

// Tables of the host have Unix time, those of a device count from its beginning.
void ProfileBuilder::find_origin() {
  Time first = std::numeric_limits<Time>::max();
  for (const auto& [place, lane] : slices_) {
    for (const TableRow& row : lane.rows) first = std::min(first, row.slice.start);
  }
  for (const auto& [place, samples] : counters_) {
    for (const auto& [time, value] : samples) first = std::min(first, time);
  }
  if (first == std::numeric_limits<Time>::max() || first < kUnixTime) return;
  origin_ = first;
  p_->origin_unix_ns = first;
}

Row ProfileBuilder::process_of(const LaneGroup& group) {
  const auto [at, is_new] = processes_.try_emplace(group, kNoRow);
  if (is_new) at->second = lanes_.add_process(group.of_core ? core_ + group.name : group.name);
  return at->second;
}

// What belongs to a slice beside its facts.
void ProfileBuilder::write_row(Row slice, const TableRow& row, std::int64_t device, StringId core) {
  const SliceKind kind = row.slice.kind;
  if (is_device_work(kind)) rows_.add_work(slice, device, core, row.core_type, row.type, row.bytes);
  if (row.id != kUnknown) slice_of_[row.table].emplace(row.id, slice);
  if (kind != SliceKind::memcpy || !instructions_state_bytes_) rows_.add_cost(slice, row.cost);
  rows_.add_program_work(slice, row.program_operator);
  if (kind == SliceKind::op) p_->operators.slice[add_unknown_row(p_->operators)] = slice;
  if (row.collective < 0) return;
  const Collective& from = collectives_[static_cast<std::size_t>(row.collective)];
  Collectives& table = p_->collectives;
  const Row to = add_unknown_row(table);
  table.slice[to] = slice;
  table.kind[to] = from.kind;
  table.name[to] = from.name;
  table.group[to] = from.group;
  table.group_ranks[to] = from.ranks;
  table.dtype[to] = from.dtype;
  table.in_bytes[to] = from.in_bytes;
  table.out_bytes[to] = from.out_bytes;
}

// Which core it is stands anywhere in a file, so this waits until all is read.
void ProfileBuilder::write_scaled_flops(Row slice, const TableRow& row) {
  if (row.element_type == StringId::none || !(row.cost.flops > 0)) return;
  const auto [at, is_new] = scales_.try_emplace(row.element_type, 0.0);
  if (is_new) at->second = flops_scale(p_->text(row.element_type), stated_core(about_, instance_));
  if (at->second == at->second) rows_.add_fact(slice, text(stated::kScaledFlops), row.cost.flops * at->second);
}

void ProfileBuilder::write_lane(const LanePlace& place, const Lane& lane) {
  const std::int64_t device = device_of(lane.about);
  const StringId core = text(lane.about.core);
  std::vector<NewSlice> slices;
  slices.reserve(lane.rows.size());
  for (const TableRow& row : lane.rows) {
    slices.push_back(row.slice);
    slices.back().start -= origin_;
  }
  lanes_.add_lane({lane.about.kind, process_of(place.group), device, lane.about.track, place.title}, slices,
                  [&](std::size_t i, Row slice) {
                    write_row(slice, lane.rows[i], device, core);
                    for (std::size_t f = i == 0 ? 0 : lane.fact_end[i - 1]; f < lane.fact_end[i]; ++f)
                      rows_.add_fact(slice, lane.facts[f].name, lane.facts[f].number, lane.facts[f].text);
                    write_scaled_flops(slice, lane.rows[i]);
                  });
}

void ProfileBuilder::write_counters() {
  for (auto& [place, samples] : counters_) {
    const Row lane = lanes_.add_counter_lane({LaneKind::counter, process_of(place.first), kUnknown, place.second, place.second});
    std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [time, value] : samples) rows_.add_sample(lane, time - origin_, value);
  }
}

void ProfileBuilder::write_flows() {
  for (const Edge& edge : edges_) {
    const auto &from = slice_of_[edge.from_table], &to = slice_of_[edge.to_table];
    const auto a = from.find(edge.from), b = to.find(edge.to);
    if (a == from.end() || b == to.end()) continue;
    p_->flows.kind.push_back(FlowKind::other);
    p_->flows.from.push_back(a->second);
    p_->flows.to.push_back(b->second);
  }
}

// Operators know their subgraph; the program's own name stands elsewhere in the file.
void ProfileBuilder::name_program() {
  const std::string base = program_.substr(program_.rfind('/') + 1);
  if (base.empty()) return;
  ProgramOperators& table = p_->program_operators;
  for (Row i = 0; i < table.rows(); ++i) {
    const std::string_view subgraph = p_->text(table.program[i]);
    table.program[i] = text(subgraph.empty() ? base : fmt::format("{}/{}", base, subgraph));
  }
}

void ProfileBuilder::write_devices() {
  if (devices_.empty() || device_ != kUnknown) devices_.insert(device_);
  const CoreFacts stated = stated_core(about_, instance_);
  for (const std::int64_t device : devices_) add_core(*p_, device, stated);
}

// When operators ran, unless the file says so itself.
void ProfileBuilder::add_operator_lanes() {
  const auto is_stated = [](const auto& each) { return each.first.group == kLayerGroup && each.first.title == kOperatorLane; };
  if (std::any_of(slices_.begin(), slices_.end(), is_stated)) return;
  add_program_lanes(*p_, lanes_, [](std::int64_t device) {
    return device == kUnknown ? std::string("NeuronCore") : fmt::format("NeuronCore {}", device);
  });
}

std::unique_ptr<Profile> ProfileBuilder::write() {
  find_origin();
  core_ = device_ == kUnknown ? "NeuronCore" : fmt::format("NeuronCore {}", device_);
  process_of(kCoreGroup);
  for (const auto& [place, lane] : slices_) write_lane(place, lane);
  add_operator_lanes();
  write_counters();
  write_flows();
  name_program();
  write_devices();
  for (const auto& [holder, bytes] : memory_) rows_.add_memory(core_, holder, bytes);
  for (const auto& [key, value] : about_) rows_.add_metadata(key, value);
  p_->span_end = end_;
  for (Row i = 0; i < p_->slices.rows() && end_ == 0; ++i) p_->span_end = std::max(p_->span_end, p_->end_of(i));
  return std::move(p_);
}

}  // namespace sightline::neuron

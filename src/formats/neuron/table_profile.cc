// Rows of the vendor's tables to a profile: texts of the compiled program, what the device's tables need, and events of a
// system.
#include "formats/neuron/table_profile.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/sort.h"
#include "formats/common/program_lanes.h"
#include "formats/neuron/device_rows.h"
#include "model/stated_names.h"
#include "model/tables.h"

namespace sightline::formats::neuron {

// ---- text of a program ----
// An operator of the compiled program in the vendor's tables: a line of HLO text, and its attributes.

namespace {

// Parts of "%dot.3 = f32[128,304]{1,0} dot(%p0, %p1)". Text in another form is the name, unchanged.
struct HloLine {
  std::string_view name, shape, opcode;
};

// From [{"op_type": "aten__mm", "source_file": "model.py", "source_line": "7"}]: the first value of each that is not empty; a
// fused operator has several.
struct HloAttributes {
  std::string operation;
  std::string source;  // file:line
};

// The end of a shape that begins `text`: after its closing bracket if it is a tuple, else the first blank.
std::size_t shape_end(std::string_view text) {
  if (!text.starts_with('(')) return text.find(' ');
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace

static HloLine hlo_line(std::string_view text) {
  HloLine line{text, {}, {}};
  const std::size_t equals = text.find(" = ");
  if (equals == std::string_view::npos) return line;
  std::string_view rest = text.substr(equals + 3);
  const std::size_t first_bracket = rest.find('(');
  if (first_bracket == std::string_view::npos) return line;
  // The shape between the name and the operation is optional.
  if (const std::size_t end = shape_end(rest); end != std::string_view::npos && (end < first_bracket || first_bracket == 0)) {
    line.shape = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  line.name = text.substr(0, equals);
  if (line.name.starts_with('%')) line.name.remove_prefix(1);
  line.opcode = rest.substr(0, rest.find('('));
  return line;
}

static HloAttributes hlo_attributes(std::string_view json) {
  HloAttributes found;
  simdjson::dom::parser parser;
  simdjson::dom::array all;
  if (json.empty() || parser.parse(simdjson::padded_string(json)).get(all) != simdjson::SUCCESS) return found;
  for (const simdjson::dom::element one : all) {
    simdjson::dom::object members;
    if (one.get(members) != simdjson::SUCCESS) continue;
    const auto text = [&](std::string_view key) {
      std::string_view value;
      return members[key].get(value) == simdjson::SUCCESS ? value : std::string_view();
    };
    if (found.operation.empty()) found.operation = text("op_type");
    if (const std::string_view file = text("source_file"); found.source.empty() && !file.empty()) {
      const std::string_view at = text("source_line");
      found.source = at.empty() || at == "0" ? std::string(file) : std::string(file).append(":").append(at);
    }
  }
  return found;
}

// ---- tables ----

std::string number_or_mark(std::int64_t value) { return value == kUnknown ? "?" : std::to_string(value); }

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

// A line of metadata: the tables have no place for what a program declares and never uses.
void TableProfile::add_queue(const Queue& queue) {
  set_metadata(fmt::format("dma_queue.{}-Q{}-E{}", queue.name, number_or_mark(queue.queue), number_or_mark(queue.engine)),
               fmt::format("type {}, AXI port {}, DRAM channel {}", queue.type.empty() ? "unknown" : queue.type,
                           number_or_mark(queue.port), number_or_mark(queue.channel)));
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

// A copy has a cost only if no instruction states what it moved, because that would count the same bytes twice.
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

// When operators ran, unless the file states it.
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

// ---- events of a system ----

namespace {

constexpr int kProcessRank = 10;  // after everything that a device profile has

bool is_of_device(const SystemEvent& event) { return event.origin == "neuron_hw" || !event.stream.empty(); }

// An event of the hardware without a duration is a mark, not work. A Python frame is named "file.py(12): function".
SliceKind kind_of(const SystemEvent& event) {
  if (is_of_device(event)) return event.duration > 0 ? SliceKind::kernel : SliceKind::other;
  if (event.origin == "framework") return event.name.find(".py(") != std::string::npos ? SliceKind::python : SliceKind::op;
  return event.origin == "neuron_rt" ? SliceKind::runtime : SliceKind::other;
}

}  // namespace

void SystemEvents::add(const SystemEvent& event, int table, std::int64_t id, const std::vector<RowFact>& facts) {
  const SliceKind kind = kind_of(event);
  const std::string host = event.instance.empty() ? "" : " of " + event.instance;
  LanePlace place;
  place.group = {kProcessRank, fmt::format("Process {}{}", number_or_mark(event.process), host)};
  LaneFacts about{};
  if (is_of_device(event)) {
    const bool on_stream = !event.stream.empty() && event.origin != "neuron_hw";
    place.first = 1;
    place.second = event.core;
    place.title = on_stream ? "stream " + event.stream : "NeuronCore " + number_or_mark(event.core);
    about = {LaneKind::device_stream, place.title, on_stream ? "" : place.title, event.core};
    if (event.core != kUnknown) builder_.add_device(event.core);
  } else {
    place.second = event.thread;
    place.title = fmt::format("thread {}{}", number_or_mark(event.thread), event.origin == "framework" ? ", framework" : "");
    about = {LaneKind::host_thread, number_or_mark(event.thread), "", kUnknown};
  }
  TableRow row{};
  row.slice = {event.start, event.duration, builder_.text(event.name), kind, event.source};
  row.table = table;
  row.id = id;
  builder_.add(builder_.lane(place, about), row, facts);
  for (const std::string& flow : event.flows) flows_[flow].push_back({event.start, table, id});
}

void SystemEvents::link() {
  for (auto& [flow, events] : flows_) {
    sort_up(events, &Place::start);
    for (std::size_t i = 1; i < events.size(); ++i)
      builder_.add_dependency(events[i - 1].table, events[i - 1].id, events[i].table, events[i].id);
  }
  flows_.clear();
}

std::vector<std::string> flow_ids(std::string_view list) {
  std::vector<std::string> ids;
  std::string id;
  for (const char c : list) {
    const bool part = c != '[' && c != ']' && c != ',' && c != ' ' && c != '"' && c != '\'';
    if (part) {
      id += c;
    } else if (!id.empty()) {
      ids.push_back(std::move(id));
      id.clear();
    }
  }
  if (!id.empty()) ids.push_back(std::move(id));
  return ids;
}

}  // namespace sightline::formats::neuron

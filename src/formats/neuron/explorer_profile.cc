// Rows of the tables to rows of the profile, table by table.
#include "formats/neuron/explorer_profile.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "formats/common/collectives.h"
#include "formats/neuron/device_rows.h"
#include "model/stated_names.h"

namespace sightline::formats::neuron {

namespace {

constexpr std::int64_t kRowsPerLook = 1 << 12;  // between two looks at the memory in use
constexpr int kSchema = 7;                      // major version of the known tables
constexpr Time kExplorerFar = std::int64_t{1} << 61;
constexpr std::int64_t kWindows = kAfterQueues + 1;  // place in the core's group, after the engines, of lanes that show windows

const LaneGroup kBusyGroup{1, "Busy time"};
const LaneGroup kMemoryGroup{3, "SBUF"};
const LaneGroup kExplorerHostGroup{5, "Host"};
const LaneGroup kDeviceMemoryGroup{6, "Device memory"};

constexpr std::string_view kFollows = "rows counted: they follow from other tables";
constexpr std::string_view kOrigin = "where instructions come from: their work_facts, and the source of program_operators";
constexpr std::string_view kNoFile = "rows counted: an answer of the vendor's server, which writes no such file";

// The number that begins a text such as "7.4.0"; -1: none.
int leading_number(std::string_view text) {
  int value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::span<const ExplorerTable> explorer_tables() {
  using P = ExplorerProfile;
  static const std::array all = std::to_array<ExplorerTable>({
      {"ActiveTime", &P::take_active_time, "lanes of the group Busy time"},
      {"AssemblyInstruction", &P::take_assembly, kOrigin},
      {"BirInstruction", &P::take_bir, kOrigin},
      {"CcInstruction", &P::take_collective_core, "slices of lanes CC-core N"},
      {"CcOp", &P::take_collective, "collectives, on lanes CC stream N"},
      {"CcStream", &P::take_collective_stream, "metadata: which CC-cores serve a stream"},
      {"CoreBarriers", &P::take_barrier, "waiting, on lanes of barriers"},
      {"CpuUsage", &P::take_cpu_usage, "counters of the host"},
      {"DeviceProfileList", &P::take_device_profile, "metadata: device_profile.NAME"},
      {"DmaPacket", &P::take_packet, "copies, on a lane for each queue and DMA engine"},
      {"DmaPacketAggregated", &P::take_transfer, "whole transfers, on separate lanes"},
      {"DmaQueuesInfo", &P::take_queue, "metadata: dma_queue.NAME-Qn-En"},
      {"DmaUsage", &P::take_dma_usage, "the counter DMA throughput"},
      {"DmaUsageSummary", nullptr, kFollows},
      {"Error", &P::take_error, "instants of the lane Errors, and a problem"},
      {"ExecutionInfo", &P::take_execution, "slices of the lane Executions"},
      {"Flow", &P::take_flow, "flows"},
      {"FrameworkInstruction", &P::take_framework_operator, "slices of the lane Framework operators"},
      {"FrameworkNode", &P::take_layer, "slices of the lane Layers"},
      {"HbmUsage", &P::take_hbm_usage, "the counter HBM throughput"},
      {"HbmUsageSummaryByType", &P::take_memory_type, "memory_usage"},
      {"HloInstruction", &P::take_hlo_operator, "slices of the lane HLO operators"},
      {"HostMemUsage", &P::take_host_memory, "counters of the host"},
      {"Instruction", &P::take_instruction, "slices of a lane for each engine, program_work, work_costs"},
      {"KernelInstructions", &P::take_kernel_instruction, kOrigin},
      {"KernelIterationVariables", &P::take_loop_variable, kOrigin},
      {"KernelStackFrames", &P::take_kernel_frame, kOrigin},
      {"MemoryBandwidthPoint", nullptr, kNoFile},
      {"MemoryBandwidthResponse", nullptr, kNoFile},
      {"MemoryBandwidthSeries", nullptr, kNoFile},
      {"Metadata", &P::take_metadata, "metadata"},
      {"NeffHeader", &P::take_neff_header, "metadata: neff.NAME"},
      {"OpcodeSummary", nullptr, kFollows},
      {"PendingDma", &P::take_pending, "the counter Pending DMA"},
      {"PenguinInstruction", &P::take_penguin_operator, "slices of the lane Tensorizer operators; names of instructions"},
      {"PsumUsage", &P::take_psum_usage, "counters of PSUM, in all and by bank"},
      {"SbufAllocation", &P::take_allocation, "slices of a lane for each partition"},
      {"SbufUsage", &P::take_sbuf_usage, "counters of the state buffer, in all and by partition"},
      {"SchemaFields", nullptr, kFollows},
      {"SemaphoreUpdate", &P::take_semaphore, "counters of the group Semaphores"},
      {"StackFrame", &P::take_frame, kOrigin},
      {"StackFrameFileLocation", &P::take_location, kOrigin},
      {"StackFrameFileName", &P::take_file, kOrigin},
      {"StackFrameFunctionName", &P::take_function, kOrigin},
      {"Summary", &P::take_summary, "metadata: summary.NAME"},
      {"SystemProfileEvents", &P::take_system_event, "slices of threads of the host and of NeuronCores, and flows"},
      {"SystemProfileHbmUsage", &P::take_device_memory, "counters of device memory, by use"},
      {"SystemProfileMetadata", &P::take_metadata, "metadata"},
      {"TensorInfo", &P::take_tensor, "tensors"},
      {"Throttle", &P::take_throttle, "slices of the lane Throttling"},
      {"ThrottleSummary", nullptr, kFollows},
      {"Warning", &P::take_warning, "problems"},
  });
  static_assert(all.size() == 52);
  return all;
}

// ---- rows in general ----

void ExplorerProfile::read(std::size_t table, const std::string& path, std::int64_t first, ReadProgress* progress) {
  const auto problem = [&](const Error& error) {
    profile().add_problem(Severity::error, "unreadable_file", say("{}; its data is missing", error.to_string()), 1, 0);
  };
  Result<ParquetRows> rows = ParquetRows::open(path);
  if (!rows) return problem(rows.error());
  rows_ = &*rows;
  table_ = table;
  row_ = first;
  columns_.clear();
  std::vector<std::size_t> order(rows->columns().size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rows->columns()[a] < rows->columns()[b]; });
  for (const std::size_t column : order) columns_.emplace_back(builder_.text(rows->columns()[column]), column);
  const auto take = explorer_tables()[table].take;
  if (take == nullptr) {
    row_ += rows->rows();
  } else {
    const std::int64_t before = progress == nullptr ? 0 : progress->bytes_done.load();
    const double bytes_per_row =
        static_cast<double>(rows->file_bytes()) / static_cast<double>(std::max<std::int64_t>(1, rows->rows()));
    const auto note_done = [&] {
      const auto bytes = static_cast<std::int64_t>(static_cast<double>(row_ - first) * bytes_per_row);
      if (progress != nullptr) progress->bytes_done = before + bytes;
    };
    const Result<bool> done = rows->for_each(0, [&] {
      (this->*take)();
      ++row_;
      if (progress == nullptr || row_ % kRowsPerLook != 0) return true;
      note_done();
      return !progress->memory.reached();
    });
    note_done();
    if (!done) problem(done.error());
  }
  counts_[table] = row_;
  rows_ = nullptr;
}

std::int64_t ExplorerProfile::core() const { return std::clamp<std::int64_t>(integer("pcore_idx"), 0, 255); }

bool ExplorerProfile::timed(Time& start, Time& duration, std::string_view start_column) {
  start = integer(start_column);
  duration = integer("duration_ns");
  if (const Time end = integer("end_ts"); duration == kUnknown && end != kUnknown && start != kUnknown && end >= start)
    duration = end < kExplorerFar && start > -kExplorerFar ? end - start : kUnknown;
  if (duration == kUnknown) duration = integer("duration");
  duration = std::max<Time>(0, duration);
  const bool known = start != kUnknown && start < kExplorerFar && start > -kExplorerFar && duration < kExplorerFar;
  untimed_ += !known;
  return known;
}

TableRow ExplorerProfile::slice(Time start, Time duration, StringId name, SliceKind kind) {
  TableRow row{};
  row.slice = {start, duration, name, kind, source_of({table_, row_})};
  row.table = static_cast<int>(table_);
  row.id = integer("id");
  return row;
}

void ExplorerProfile::add(TableProfile::Lane& lane, const TableRow& row, std::initializer_list<std::string_view> known) {
  facts_.clear();
  for (const auto& [name, column] : columns_) {
    if (std::find(known.begin(), known.end(), rows_->columns()[column]) != known.end()) continue;
    ParquetCell cell = rows_->cell(column);
    if (cell.kind == ParquetCell::Kind::none ||
        (cell.kind == ParquetCell::Kind::text && (cell.text.empty() || cell.text == "[]")))
      continue;
    if (cell.kind == ParquetCell::Kind::integer && !is_exact(cell.integer))
      cell = {.kind = ParquetCell::Kind::text, .text = std::to_string(cell.integer)};
    const bool is_text = cell.kind == ParquetCell::Kind::text;
    const double value = cell.kind == ParquetCell::Kind::integer ? static_cast<double>(cell.integer) : cell.real;
    facts_.push_back({name, is_text ? builder_.text(cell.text) : StringId::none, is_text ? double{kUnknownReal} : value});
  }
  facts_.insert(facts_.end(), more_facts_.begin(), more_facts_.end());
  more_facts_.clear();
  builder_.add(lane, row, facts_);
}

void ExplorerProfile::sample(const LaneGroup& group, const std::string& name, std::string_view column) {
  const Time time = integer("timestamp");
  const double value = real(column);
  const bool known = time != kUnknown && time < kExplorerFar && time > -kExplorerFar;
  untimed_ += !known;
  if (known && value == value) builder_.add_sample(group, name, time, value);
}

void ExplorerProfile::about(std::string_view prefix) {
  for (const std::string& column : rows_->columns()) builder_.set_metadata(std::string(prefix) + column, text(column));
}

// ---- the timeline ----

void ExplorerProfile::take_instruction() {
  Time start = 0, duration = 0;
  if (!timed(start, duration)) return;
  std::string engine = text("timeline_track");
  if (engine.empty()) engine = text("engine");
  const std::string opcode = text("opcode");
  const TableRow kind = instruction_row(engine, opcode, StringId::none);
  TableRow row = slice(start, duration, builder_.text(opcode), kind.slice.kind);
  row.core_type = kind.core_type;
  row.cost = instruction_cost(integer(stated::kMemoryRead), integer(stated::kMemoryWritten));
  row.cost.flops = real("raw_flops");
  if (real(stated::kScaledFlops) != real(stated::kScaledFlops)) row.element_type = builder_.text(element_type(text("operands")));
  const InstructionOrigin origin = origins_.of(*rows_);
  const std::string attributes = text("hlo_attrs");
  row.program_operator = builder_.program_operator({.subgraph = {},
                                                    .name = origin.hlo_name,
                                                    .framework_operator = origin.layer,
                                                    .attributes = attributes,
                                                    .source = origin.source});
  state_origin(origin);
  if (triggers_.is_wanted({start, start + duration})) triggers_.add_instruction({start, start + duration}, row.id);
  instructions_ = table_;
  add(builder_.lane(engine_place(engine, core()), engine_facts(engine)), row,
      {"start_ts", "end_ts", "duration_ns", "engine", "timeline_track", "opcode", "id", "pcore_idx"});
}

// What other tables state for the current row, as facts of its slice.
void ExplorerProfile::state_origin(const InstructionOrigin& origin) {
  const auto state = [&](std::string_view name, std::string_view words) {
    if (!words.empty()) more_facts_.push_back({builder_.text(name), builder_.text(words), double{kUnknownReal}});
  };
  const auto state_missing = [&](std::string_view column, std::string_view words) {
    if (text(column).empty()) state(column, words);
  };
  state_missing("bir_instruction_name", origin.bir_name);
  state_missing("hlo_name", origin.hlo_name);
  state_missing("layer", origin.layer);
  state("penguin_name", origin.penguin_name);
  state("compiled_from", origin.compiled);
  for (std::size_t i = 0; i < origin.stacks.size(); ++i)
    state(i == 0 ? std::string(stated::kCallStack) : fmt::format("{}_{}", stated::kCallStack, i + 1), origin.stacks[i]);
  state(stated::kKernelStack, origin.kernel_stack);
  state("kernel_loops", origin.loops);
  state(stated::kSourceLine, origin.source);
}

void ExplorerProfile::take_packet() {
  Time start = 0, duration = 0;
  if (!timed(start, duration)) return;
  std::string queue = text("queue_name");
  if (queue.empty()) queue = fmt::format("Q{}-E{}", number_or_mark(integer("queue_idx")), number_or_mark(integer("engine_idx")));
  const QueueName name = queue_name(queue);
  TableRow row = slice(start, duration, builder_.text(name.name), SliceKind::memcpy);
  row.type = builder_.text(text("queue_type"));
  row.bytes = integer("transfer_bytes") < 0 ? kUnknown : integer("transfer_bytes");
  row.cost.moved = row.bytes;
  add(builder_.lane({kDmaGroup, integer("queue_idx"), integer("engine_idx"), queue}, queue_facts(name)), row,
      {"start_ts", "end_ts", "duration_ns", "id", "queue_name", "queue_type", "transfer_bytes", "throughput", "queue_idx",
       "engine_idx"});
}

void ExplorerProfile::take_transfer() {
  Time start = 0, duration = 0;
  if (!timed(start, duration)) return;
  transfers_ = table_;
  const Time trigger = integer("trigger"), completion = integer("completion");
  if (trigger != kUnknown && completion != kUnknown) triggers_.add_transfer({trigger, completion}, integer("id"));
  const std::string queue = text("queue_name");
  const std::string name(queue_name(queue).name);
  const std::string title =
      (name.empty() ? "Queue " + number_or_mark(integer("queue_idx")) : name) + std::string(stated::kTransfersEnding);
  add(builder_.lane({kDmaGroup, kAfterQueues, 0, title}, {LaneKind::queue, title, ""}),
      slice(start, duration, builder_.text(name), SliceKind::other),
      {"start_ts", "end_ts", "duration_ns", "id", "throughput", "queue_name"});
}

void ExplorerProfile::take_throttle() {
  Time start = 0, duration = 0;
  if (!timed(start, duration, "timestamp")) return;
  const std::string type = text("type");
  const bool unknown = type == "unknown" || type == "99";
  const std::string name = unknown ? "limit unknown"
                                   : fmt::format("limit {}/{}", number_or_mark(integer(stated::kLimitAllowed)),
                                                 number_or_mark(integer(stated::kLimitOf)));
  LanePlace place = kThrottlingPlace;
  place.group = core_group(core());
  add(builder_.lane(place, kThrottlingFacts), slice(start, duration, builder_.text(name), SliceKind::other),
      {"timestamp", "duration", "pcore_idx"});
}

// A lane of windows, beside the engines, where their content is drawn.
void ExplorerProfile::add_window(const std::string& lane, const std::string& name,
                                 std::initializer_list<std::string_view> known) {
  Time start = 0, duration = 0;
  if (!timed(start, duration)) return;
  add(builder_.lane({kLayerGroup, kWindows, 0, lane}, {LaneKind::other, lane, ""}),
      slice(start, duration, builder_.text(name), SliceKind::device_annotation), known);
}

void ExplorerProfile::take_layer() { add_window("Layers", text("node_name"), {"start_ts", "end_ts", "node_name"}); }

void ExplorerProfile::take_framework_operator() {
  origins_.take_level(ExplorerOrigins::Level::framework, *rows_);
  add_window("Framework operators", text("framework_name"), {"start_ts", "end_ts", "framework_name", "id"});
}

void ExplorerProfile::take_hlo_operator() {
  origins_.take_level(ExplorerOrigins::Level::hlo, *rows_);
  const std::string name = text("hlo_name");
  add_window(std::string(kOperatorLane), name, {"start_ts", "end_ts", "hlo_name", "id"});
}

void ExplorerProfile::take_penguin_operator() {
  origins_.take_level(ExplorerOrigins::Level::penguin, *rows_);
  add_window("Tensorizer operators", text("penguin_name"), {"start_ts", "end_ts", "penguin_name", "id"});
}

void ExplorerProfile::take_active_time() {
  Time start = 0, duration = 0;
  if (!timed(start, duration)) return;
  const std::string engine = text("engine");
  add(builder_.lane({kBusyGroup, core(), 0, engine}, {LaneKind::other, engine, ""}),
      slice(start, duration, builder_.text("busy"), SliceKind::other), {"start_ts", "end_ts", "duration_ns", "engine"});
}

void ExplorerProfile::take_barrier() {
  Time start = 0, duration = 0;
  if (!timed(start, duration)) return;
  const std::string lane = text("engine_name") + " barriers";
  add(builder_.lane({core_group(core()), kWindows, 0, lane}, {LaneKind::other, lane, ""}),
      slice(start, duration, builder_.text("barrier"), SliceKind::sync),
      {"start_ts", "end_ts", "duration_ns", "id", "engine_name"});
}

void ExplorerProfile::take_collective() {
  Time start = 0, duration = 0;
  if (!timed(start, duration)) return;
  const std::string name = text("operation");
  std::int64_t stream = integer("stream_index");
  if (stream == kUnknown) stream = integer("stream_id");
  const std::string lane = "CC stream " + number_or_mark(stream);
  TableRow row = slice(start, duration, builder_.text(name), SliceKind::collective);
  row.id = integer("op_id");
  row.collective = builder_.add_collective({.kind = collective_kind(name),
                                            .name = builder_.text(name),
                                            .group = builder_.text(text("replica_group_id")),
                                            .ranks = builder_.text(text("replica_group")),
                                            .dtype = builder_.text(text("dtype")),
                                            .in_bytes = integer("input_size"),
                                            .out_bytes = integer("output_size")});
  add(builder_.lane({core_group(0), kWindows + 1, stream, lane}, {LaneKind::engine, lane, lane}), row,
      {"start_ts", "end_ts", "duration_ns", "operation", "dtype", "input_size", "output_size", "replica_group"});
}

void ExplorerProfile::take_collective_core() {
  Time start = 0, duration = 0;
  if (!timed(start, duration)) return;
  const std::string lane = "CC-core " + number_or_mark(integer("core_idx"));
  add(builder_.lane({core_group(0), kWindows + 2, integer("core_idx"), lane}, {LaneKind::engine, lane, ""}),
      slice(start, duration, builder_.text(text("description")), SliceKind::other),
      {"start_ts", "end_ts", "duration_ns", "description", "core_idx"});
}

void ExplorerProfile::take_collective_stream() {
  builder_.set_metadata("cc_stream." + number_or_mark(integer("stream_id")), "CC-cores " + text("cc_core_ids"));
}

// How long each piece of the core's memory held something. Overlapping ones are at other addresses of the partition.
void ExplorerProfile::take_allocation() {
  Time start = 0, duration = 0;
  if (!timed(start, duration)) return;
  std::string name = text("tensor_name");
  if (name.empty()) name = text("opcode");
  if (name.empty()) name = text("queue_name");
  const std::string lane = "partition " + number_or_mark(integer("partition"));
  add(builder_.lane({kMemoryGroup, core(), integer("partition"), lane}, {LaneKind::other, lane, ""}),
      slice(start, duration, builder_.text(name), SliceKind::other), {"start_ts", "end_ts", "partition"});
}

void ExplorerProfile::take_error() {
  Time start = 0, duration = 0;
  ++errors_;
  if (!timed(start, duration, "timestamp")) return;
  add(builder_.lane({core_group(core()), kWindows, 0, "Errors"}, {LaneKind::other, "errors", ""}),
      slice(start, 0, builder_.text(text("description")), SliceKind::other), {"timestamp", "description"});
}

void ExplorerProfile::take_execution() {
  const std::string execution = number_or_mark(integer("execution_index"));
  builder_.set_metadata("execution." + execution, text("neff_name"));
  Time start = integer("execution_start_ts");
  const Time end = integer("execution_end_ts");
  if (start == kUnknown || end == kUnknown || start < -kExplorerFar || end > kExplorerFar || end < start)
    return;  // versions before 6 do not state it
  add(builder_.lane({core_group(0), kWindows, 0, "Executions"}, {LaneKind::other, "executions", ""}),
      slice(start, end - start, builder_.text("execution " + execution), SliceKind::device_annotation),
      {"execution_start_ts", "execution_end_ts"});
}

// ---- samples ----

void ExplorerProfile::take_semaphore() {
  std::string id = text("id");
  const bool event = id.starts_with("E[");
  if (!event && !id.starts_with("S[")) id = "S[" + id + "]";
  sample(kSemaphoreGroup, core() == 0 ? id : fmt::format("{}, physical core {}", id, core()), "value");
}

void ExplorerProfile::take_pending() { sample(kDmaGroup, std::string(stated::kPendingCopies), "value"); }
void ExplorerProfile::take_dma_usage() { sample(kDmaGroup, std::string(stated::kCopyRate), "current_throughput"); }
void ExplorerProfile::take_hbm_usage() { sample(kDmaGroup, std::string(stated::kMemoryRate), "current_throughput"); }

void ExplorerProfile::take_psum_usage() {
  sample(core_group(core()), "PSUM in use (%)", "avg_util_percent");
  for (int bank = 0; bank < 8; ++bank)
    sample(core_group(core()), fmt::format("PSUM bank {} in use (%)", bank), fmt::format("bank_{}_util_percent", bank));
}

void ExplorerProfile::take_sbuf_usage() {
  sample(core_group(core()), "SBUF in use (%)", "avg_util_percent");
  for (const int partition : {0, 32, 64, 96}) {
    sample(core_group(core()), fmt::format("SBUF partition {} in use (%)", partition),
           fmt::format("partition_{}_util_percent", partition));
  }
}

void ExplorerProfile::take_cpu_usage() {
  const std::string instance = text("instance_id");
  sample(kExplorerHostGroup, fmt::format("CPU {} in use (%){}", text("cpu_id"), instance.empty() ? "" : ", " + instance),
         "util_percent");
}

void ExplorerProfile::take_host_memory() {
  const std::string instance = text("instance_id");
  sample(kExplorerHostGroup, "Host memory in use (bytes)" + (instance.empty() ? "" : ", " + instance), "used_bytes");
}

void ExplorerProfile::take_device_memory() {
  const std::string place =
      fmt::format("device {}, HBM {}", number_or_mark(integer("device_idx")), number_or_mark(integer("hbm_idx")));
  for (const std::string& column : rows_->columns()) {
    if (!column.ends_with("_bytes")) continue;
    std::string use = column.substr(0, column.size() - 6);
    std::replace(use.begin(), use.end(), '_', ' ');
    sample(kDeviceMemoryGroup, fmt::format("{}: {} (bytes)", place, use), column);
  }
}

// ---- the rest ----

void ExplorerProfile::take_memory_type() { builder_.set_memory(text("usage_type"), integer("usage_bytes")); }

void ExplorerProfile::take_flow() {
  const auto table_of = [](const std::string& name) {
    const auto all = explorer_tables();
    const auto at = std::find_if(all.begin(), all.end(), [&](const ExplorerTable& table) { return table.name == name; });
    return static_cast<int>(at - all.begin());
  };
  const std::string to = text("out_table");
  const std::int64_t id = integer("out_id");
  if (to == "DmaPacketAggregated" && text("in_table") == "Instruction") triggered_.insert(id);
  builder_.add_dependency(table_of(text("in_table")), integer("in_id"), table_of(to), id);
}

void ExplorerProfile::take_tensor() {
  const std::string name = text("variable_name"), use = text("type"), shape = text("shape"), format = text("format");
  builder_.add_tensor({.name = name,
                       .use = use,
                       .shape = shape,
                       .format = format,
                       .bytes = integer("size"),
                       .loads = integer("load_to_sbuf_dma_count"),
                       .loaded_bytes = integer("load_to_sbuf_total_size_bytes")});
}

void ExplorerProfile::take_queue() {
  const std::string name = text("name"), type = text("type");
  builder_.add_queue({.name = name,
                      .type = type,
                      .queue = integer("idx"),
                      .engine = integer("engine_idx"),
                      .port = integer("axi_port"),
                      .channel = integer("dram_channel")});
}

void ExplorerProfile::take_device_profile() {
  builder_.set_metadata("device_profile." + text("device_profile_name"),
                        fmt::format("instance {}, process {}, NeuronCore {}", text("instance_id"),
                                    number_or_mark(integer("process_id")), number_or_mark(integer("nc_id"))));
}

void ExplorerProfile::take_metadata() {
  about("");
  if (const std::int64_t core = integer("neuroncore_idx"); core >= 0) builder_.set_device(core);
  if (const Time end = integer(stated::kRecordingEnd); end > 0 && end < kExplorerFar) builder_.set_end(end);
  if (const std::string type = text("instance_type"); !type.empty()) builder_.set_instance(type);
  const std::string version = text("profile_schema_version");
  if (!version.empty() && leading_number(version) != kSchema) {
    profile().add_problem(
        Severity::warning, "other_schema",
        say("the tables have version {}; Sightline knows version {}, and ignores other names", version, kSchema), 1, 0);
  }
}

void ExplorerProfile::take_neff_header() {
  about("neff.");
  builder_.set_program(text("network_name"));
}

void ExplorerProfile::take_summary() { about(stated::kSummary); }

void ExplorerProfile::take_warning() {
  profile().add_problem(Severity::warning, stated::kVendorWarning, say(stated::kVendorSays, text("message"), text("category")), 1,
                        0);
}

void ExplorerProfile::take_system_event() {
  SystemEvent event;
  if (!timed(event.start, event.duration)) return;
  event.name = text("name");
  event.origin = text("trace_event_source");
  event.instance = text("instance_id");
  event.process = integer("process_id");
  event.thread = integer("thread_id");
  event.core = integer("nc_idx");
  event.stream = text("framework_stream_id");
  event.flows = flow_ids(text("flow_id"));
  event.source = source_of({table_, row_});
  facts_.clear();
  for (const std::string_view column : {"extra_attributes_json", "worker_gid", "trace_event_source"}) {
    if (const std::string value = text(column); !value.empty())
      facts_.push_back({builder_.text(column), builder_.text(value), double{kUnknownReal}});
  }
  const std::int64_t id = integer("id");
  system_.add(event, static_cast<int>(table_), id == kUnknown ? -1 - row_ : id, facts_);
}

std::unique_ptr<Profile> ExplorerProfile::write() {
  if (untimed_ != 0) profile().add_problem(Severity::warning, "missing_time", "rows without a time were left out", untimed_, 0);
  if (const std::int64_t missing = origins_.missing(); missing != 0) {
    profile().add_problem(
        Severity::note, "missing_origin",
        "instructions name stack frames or lines of a kernel that are not in its tables: their source is not known", missing, 0);
  }
  if (errors_ != 0)
    profile().add_problem(Severity::error, "device_errors", "the device reported errors during the run: see the lane Errors",
                          errors_, 0);
  for (const auto& [table, rows] : counts_)
    builder_.set_metadata("rows." + std::string(explorer_tables()[table].name), std::to_string(rows));
  // If Flow does not state what started a transfer, the transfer's row does.
  triggers_.each([&](std::int64_t instruction, std::int64_t transfer) {
    if (!triggered_.contains(transfer))
      builder_.add_dependency(static_cast<int>(instructions_), instruction, static_cast<int>(transfers_), transfer);
  });
  system_.link();
  return builder_.finish();
}

}  // namespace sightline::formats::neuron

// Sections of the vendor's JSON to rows of a profile: of a system first, then of a device.
#include "formats/neuron/json_profile.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "formats/neuron/device_rows.h"
#include "formats/neuron/table_profile.h"
#include "formats/tables/json_rows.h"
#include "model/stated_names.h"

namespace sightline::formats::neuron {

using namespace json_rows;

// ---- system profiles ----
// A system profile as JSON: what the vendor's tool writes (sections trace_events, mem_usage, cpu_util), and what the runtime
// reports while it runs (section events). The members of an event are documented only for the second, so each member is
// accepted under all names that the vendor's tables use, and events without a usable time are counted.

namespace {

class SystemJson {
 public:
  // Ids of events are those of `table`.
  SystemJson(TableProfile& builder, int table) : builder_(builder), table_(table) {}

  // False if a system profile has no such section.
  bool take(const std::string& section, const simdjson::dom::object& row, std::int64_t offset);
  // Adds what began and never ended, links, and problems. REQUIRES: called once, after all rows.
  void finish();

 private:
  void take_event(const simdjson::dom::object& row, std::int64_t offset);
  void take_phase(const simdjson::dom::object& row, SystemEvent event);
  std::vector<RowFact> facts_of(const simdjson::dom::object& row);
  void sample(const std::string& name, const simdjson::dom::object& row, std::string_view column);

  TableProfile& builder_;
  int table_;
  SystemEvents events_{builder_};
  struct Begun {
    SystemEvent event;
    std::vector<RowFact> facts;
  };
  std::map<std::string, std::vector<Begun>> begun_;  // by what its end has in common with it
  std::int64_t next_id_ = 0;
  std::int64_t untimed_ = 0, unmatched_ = 0;
};

using simdjson::dom::object;

constexpr Time kFarEvent = std::int64_t{1} << 61;
const LaneGroup kHostGroup{5, "Host"};

using Names = std::initializer_list<std::string_view>;

std::int64_t first_integer(const object& row, Names names) {
  for (const std::string_view name : names) {
    if (const std::int64_t found = integer(row, name); found != kUnknown) return found;
  }
  return kUnknown;
}

std::string first_text(const object& row, Names names) {
  for (const std::string_view name : names) {
    simdjson::dom::element value;
    if (row[name].get(value) == simdjson::SUCCESS && !value.is_null()) return shown(value);
  }
  return "";
}

// Chrome's members ts and dur are us.
Time time_of(const object& row, Names names, std::string_view chrome) {
  const Time found = first_integer(row, names);
  if (found != kUnknown) return found;
  const double microseconds = real(row, chrome);
  const bool usable = microseconds > -1e15 && microseconds < 1e15;
  return usable ? static_cast<Time>(microseconds * 1000) : kUnknown;
}

// Events of these groups are the hardware's; all others are the runtime's own.
constexpr std::array<std::string_view, 7> kHardware{
    "nc_exec_running", "cc_running", "cc_exec_barrier", "numerical_err", "nrt_model_switch", "timestamp_sync_point", "hw_notify"};

constexpr std::array<std::string_view, 26> kPlaced{"name",
                                                   "event_type",
                                                   "start_ts",
                                                   "timestamp",
                                                   "timestamp_ns",
                                                   "end_ts",
                                                   "duration_ns",
                                                   "duration",
                                                   "ts",
                                                   "dur",
                                                   "phase",
                                                   "instance_id",
                                                   "process_id",
                                                   "pid",
                                                   "thread_id",
                                                   "tid",
                                                   "nc_idx",
                                                   "lnc_idx",
                                                   "framework_stream_id",
                                                   "flow_id",
                                                   "flow_ids",
                                                   "id",
                                                   "trace_event_source",
                                                   "source",
                                                   "label",
                                                   "ph"};

}  // namespace

bool SystemJson::take(const std::string& section, const object& row, std::int64_t offset) {
  if (section == "trace_events" || section == "events") {
    take_event(row, offset);
    return true;
  }
  const std::string instance(text(row, "instance_id"));
  const std::string of = instance.empty() ? "" : ", " + instance;
  if (section == "mem_usage") {
    sample("Host memory in use (bytes)" + of, row, "usage");
    return true;
  }
  if (section != "cpu_util") return false;
  sample(fmt::format("CPU {} in use (%){}", first_text(row, {"cpu_id"}), of), row, "util");
  return true;
}

void SystemJson::sample(const std::string& name, const object& row, std::string_view column) {
  const Time time = integer(row, "timestamp");
  const double value = real(row, column);
  const bool known = time != kUnknown && time < kFarEvent && time > -kFarEvent;
  untimed_ += !known;
  if (known && value == value) builder_.add_sample(kHostGroup, name, time, value);
}

void SystemJson::take_event(const object& row, std::int64_t offset) {
  SystemEvent event;
  event.name = first_text(row, {"name", "event_type", "label"});
  event.start = time_of(row, {"start_ts", "timestamp", "timestamp_ns"}, "ts");
  event.origin = first_text(row, {"trace_event_source", "source"});
  if (event.origin.empty() && !text(row, "event_type").empty())
    event.origin = std::find(kHardware.begin(), kHardware.end(), event.name) != kHardware.end() ? "neuron_hw" : "neuron_rt";
  event.instance = first_text(row, {"instance_id"});
  event.process = first_integer(row, {"process_id", "pid"});
  event.thread = first_integer(row, {"thread_id", "tid"});
  event.core = first_integer(row, {"nc_idx", "lnc_idx"});
  event.stream = first_text(row, {"framework_stream_id"});
  event.flows = flow_ids(first_text(row, {"flow_id", "flow_ids"}));
  event.source = offset;
  if (event.name.empty() || event.start == kUnknown || event.start >= kFarEvent || event.start <= -kFarEvent) {
    ++untimed_;
    return;
  }
  if (const std::string_view phase = text(row, "phase"); phase == "start" || phase == "stop")
    return take_phase(row, std::move(event));
  const Time end = integer(row, "end_ts");
  const Time length = time_of(row, {"duration_ns", "duration"}, "dur");
  const Time until_end = end != kUnknown && end < kFarEvent && end >= event.start ? end - event.start : 0;
  event.duration = std::clamp<Time>(length == kUnknown ? until_end : length, 0, kFarEvent);
  events_.add(event, table_, next_id_++, facts_of(row));
}

// The runtime writes a start and a stop; both name the same tracking id, or the same thread.
void SystemJson::take_phase(const object& row, SystemEvent event) {
  const std::string key = fmt::format("{} {} {} {}", event.name, first_text(row, {"tracking_id"}), event.thread, event.core);
  std::vector<Begun>& open = begun_[key];
  if (text(row, "phase") == "start") {
    open.push_back({std::move(event), facts_of(row)});
  } else if (open.empty()) {
    ++unmatched_;
  } else {
    Begun begun = std::move(open.back());  // calls of one thread nest
    open.pop_back();
    begun.event.duration = std::max<Time>(0, event.start - begun.event.start);
    events_.add(begun.event, table_, next_id_++, begun.facts);
  }
}

// All members that have no other place.
std::vector<RowFact> SystemJson::facts_of(const object& row) {
  std::vector<RowFact> facts;
  for (const auto& [name, value] : row) {
    if (std::find(kPlaced.begin(), kPlaced.end(), name) != kPlaced.end() || value.is_null()) continue;
    facts.push_back({builder_.text(name), builder_.text(shown(value)), static_cast<double>(kUnknownReal)});
  }
  return facts;
}

void SystemJson::finish() {
  std::int64_t left = 0;
  for (const auto& [key, open] : begun_) left += static_cast<std::int64_t>(open.size());
  const auto note = [&](std::int64_t count, std::string_view code, const char* message) {
    if (count != 0) builder_.profile().add_problem(Severity::warning, code, message, count, 0);
  };
  note(untimed_, "missing_time", "rows without a time were left out");
  note(left, "unfinished_slice", "events of the runtime that were still running at the end of the recording were left out");
  note(unmatched_, "unmatched_end", "an end without a beginning was left out");
  events_.link();
}

// ---- device profiles ----

namespace {

using simdjson::dom::element;

// Sections that the tables already hold in another form: sums of the same rows, and texts of the vendor's pages.
constexpr std::array<std::string_view, 4> kNotNeeded{"active_time", "summary_groups", "summary_group_order", "terminology"};

enum Table { kInstructions, kTransfers, kSystemEvents };

class JsonProfile {
 public:
  explicit JsonProfile(ByteStream& in) : in_(in), p_(builder_.profile()) {}

  Result<std::unique_ptr<Profile>> run() {
    const bool whole = for_each_row(in_, [this](const std::string& section, std::string& row, std::int64_t offset) {
      element parsed;
      object fields;
      const simdjson::error_code code = parser_.parse(row.data(), row.size(), false).get(parsed);
      if (code == simdjson::MEMALLOC) throw std::bad_alloc();
      if (code != simdjson::SUCCESS || parsed.get(fields) != simdjson::SUCCESS) {
        damaged_.emplace_back(offset);
        return;
      }
      take(section, fields, offset);
    });
    if (in_.failed()) return in_.error();
    if (!whole) p_.add_problem(Severity::error, "truncated", "the file ends early: the rest is missing", 1, in_.position());
    if (!damaged_.empty()) {
      p_.add_problem(Severity::error, "malformed_event", "rows that are not JSON were left out",
                     static_cast<std::int64_t>(damaged_.size()), damaged_.front());
    }
    if (untimed_ != 0) p_.add_problem(Severity::warning, "missing_time", "rows without a time were left out", untimed_, 0);
    for (const auto& [section, seen] : unknown_) {
      p_.add_problem(Severity::note, "unknown_section", say("rows of the section {} are not read", section), seen.first,
                     seen.second);
    }
    triggers_.each([&](std::int64_t instruction, std::int64_t transfer) {
      builder_.add_dependency(kInstructions, instruction, kTransfers, transfer);
    });
    system_.finish();
    if (p_.events == 0) in_.fail("it holds none of the sections of a profile");
    if (in_.failed()) return in_.error();
    return builder_.finish();
  }

 private:
  // ---- sections ----

  void take(const std::string& section, const object& row, std::int64_t offset) {
    if (section == "instruction") return take_instruction(row, offset);
    if (section == "dma") return take_dma(row, offset);
    if (section == "ham") return take_throttle(row, offset);
    if (section == "layer_summary") return take_layer(row, offset);
    if (section == "semaphore_update") return take_semaphore(row);
    if (section == "pending_dma") return sample(kDmaGroup, std::string(stated::kPendingCopies), row, "value");
    if (section == "dma_throughput") {
      sample(kDmaGroup, std::string(stated::kCopyRate), row, "transfer_rate");
      return sample(kDmaGroup, std::string(stated::kMemoryRate), row, "hbm_transfer_rate");
    }
    if (section == "instruction_usage") {
      const bool psum = text(row, "type") == "psum";
      return sample(kCoreGroup, std::string(psum ? stated::kSumMemoryInUse : stated::kCoreMemoryInUse), row, "usage_avg");
    }
    if (section == "counter") return sample(group_called(text(row, "group")), std::string(text(row, "name")), row, "value");
    if (section == "nc_mem_usage") return take_memory(row);
    if (section == "neff_node") return take_tensor(row);
    if (section == "dma_queues_info") return take_queue(row);
    if (section == "warnings") {
      return p_.add_problem(Severity::warning, stated::kVendorWarning,
                            say(stated::kVendorSays, text(row, "message"), text(row, "category")), 1, offset);
    }
    if (section == "metadata" || section == "profile_info" || section == "neff_header" || section == "model_info")
      return take_about(row, "");
    if (section == "summary") return take_about(row, stated::kSummary);
    if (system_.take(section, row, offset)) return;
    if (std::find(kNotNeeded.begin(), kNotNeeded.end(), section) != kNotNeeded.end()) return;
    ++unknown_.try_emplace(section, 0, offset).first->second.first;
  }

  // From a section that this program writes: counters for which the vendor has no section.
  static LaneGroup group_called(std::string_view name) {
    for (const LaneGroup& group : {kDmaGroup, kSemaphoreGroup}) {
      if (group.name == name) return group;
    }
    constexpr int kLast = 9;
    return {kLast, std::string(name)};
  }

  // Start and length of a row; false, and counted, if there is none.
  bool timed(const object& row, std::string_view start_key, Time& start, Time& duration) {
    constexpr std::int64_t kFar = std::int64_t{1} << 60;
    start = integer(row, start_key);
    duration = std::max<std::int64_t>(0, integer(row, "duration"));
    const bool known = start != kUnknown && start < kFar && start > -kFar && duration < kFar;
    untimed_ += !known;
    return known;
  }

  static bool is_inexact(const element& value) {
    std::int64_t whole = 0;
    return value.is_uint64() ? value.get(whole) != simdjson::SUCCESS || !is_exact(whole)
                             : value.is_int64() && value.get(whole) == simdjson::SUCCESS && !is_exact(whole);
  }

  void add(TableProfile::Lane& lane, const TableRow& slice, const object& row, std::initializer_list<std::string_view> known) {
    std::vector<std::pair<std::string_view, element>> members;
    for (const auto& [key, value] : row) {
      if (std::find(known.begin(), known.end(), key) == known.end()) members.emplace_back(key, value);
    }
    std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    facts_.clear();
    for (const auto& [key, value] : members) {
      double number = 0;
      const bool numeric = !value.is_string() && !is_inexact(value) && value.get(number) == simdjson::SUCCESS;
      const std::string as_text = numeric ? "" : shown(value);
      if (!numeric && (as_text.empty() || as_text == " " || as_text == "[]" || as_text == "null")) continue;
      facts_.push_back({builder_.text(key), builder_.text(as_text), numeric ? number : static_cast<double>(kUnknownReal)});
    }
    builder_.add(lane, slice, facts_);
  }

  void take_instruction(const object& row, std::int64_t offset) {
    Time start = 0, duration = 0;
    if (!timed(row, "timestamp", start, duration)) return;
    const std::string label(text(row, "label"));
    const std::string_view opcode = text(row, "opcode");
    TableRow slice = instruction_row(label, opcode, builder_.text(opcode));
    slice.slice.start = start;
    slice.slice.duration = duration;
    slice.slice.source = offset;
    slice.table = kInstructions;
    slice.id = integer(row, "id");
    slice.cost = instruction_cost(integer(row, stated::kMemoryRead), integer(row, stated::kMemoryWritten));
    if (const std::int64_t elements = integer(row, "elements"); opcode == "MATMUL" && elements >= 0)
      slice.cost.flops = 2 * static_cast<double>(elements);
    if (real(row, stated::kScaledFlops) != real(row, stated::kScaledFlops))
      slice.element_type = builder_.text(element_type(text(row, "operands")));
    std::string source(text(row, stated::kSourceLine));
    if (source.empty()) source = source_line(text(row, "nki_source_location"));
    slice.program_operator = builder_.program_operator({.subgraph = text(row, "fully_qualified_subgraph"),
                                                        .name = text(row, "hlo_name"),
                                                        .framework_operator = text(row, "layer"),
                                                        .attributes = text(row, "hlo_attrs"),
                                                        .source = source});
    add(builder_.lane(engine_place(label), engine_facts(label)), slice, row,
        {"id", "label", "opcode", "timestamp", "duration", "predecessors", "subgroup", "trigger"});
    if (const Time transfer = integer(row, "trigger"); transfer != kUnknown)
      triggers_.add_instruction({start, transfer}, slice.id);
    take_predecessors(row, kInstructions, slice.id);
  }

  // Whether the row names any.
  bool take_predecessors(const object& row, Table table, std::int64_t id) {
    simdjson::dom::array before;
    if (row["predecessors"].get(before) != simdjson::SUCCESS) return false;
    bool any = false;
    for (const element edge : before) {
      object fields;
      if (edge.get(fields) != simdjson::SUCCESS) continue;
      builder_.add_dependency(text(fields, "type") == "dma" ? kTransfers : kInstructions, integer(fields, "id"), table, id);
      any = true;
    }
    return any;
  }

  // Packets are work. Transfers, which consist of them, are shown and counted by no view.
  void take_dma(const object& row, std::int64_t offset) {
    Time start = 0, duration = 0;
    if (!timed(row, "timestamp", start, duration)) return;
    const bool whole = text(row, "aggregated") == "yes";
    const std::string queue(text(row, "subgroup"));
    const QueueName name = queue_name(queue);
    TableRow slice{.slice = {start, duration, builder_.text(name.name), whole ? SliceKind::other : SliceKind::memcpy, offset},
                   .table = kTransfers,
                   .id = integer(row, "id"),
                   .type = builder_.text(text(row, "queue_type")),
                   .bytes = integer(row, "transfer_size")};
    if (!whole && !stays_on_core(row)) slice.cost.moved = slice.bytes;
    const std::string all_of_queue = std::string(name.name).append(stated::kTransfersEnding);
    TableProfile::Lane& lane =
        whole ? builder_.lane({kDmaGroup, kAfterQueues, 0, all_of_queue}, {LaneKind::queue, all_of_queue, ""})
              : builder_.lane({kDmaGroup, integer(row, "dma_queue"), integer(row, "dma_engine"), queue}, queue_facts(name));
    // The bytes of a copy are in device_work.
    add(lane, slice, row,
        {"id", "timestamp", "duration", "subgroup", "aggregated", whole ? "id" : stated::kTransferBytes, "queue_type",
         "transfer_rate", "trigger", "predecessors"});
    const Time trigger = integer(row, "trigger");
    if (!take_predecessors(row, kTransfers, slice.id) && whole && trigger != kUnknown)
      triggers_.add_transfer({trigger, start}, slice.id);
  }

  // Whether a copy is known not to use device memory.
  static bool stays_on_core(const object& row) {
    const auto only_on_core = [&](std::string_view key) {
      element regions;
      return row[key].get(regions) == simdjson::SUCCESS && is_on_core(simdjson::minify(regions));
    };
    return only_on_core("source") && only_on_core("dest");
  }

  void take_throttle(const object& row, std::int64_t offset) {
    Time start = 0, duration = 0;
    if (!timed(row, "timestamp", start, duration)) return;
    const std::string name =
        integer(row, stated::kLimitKind) == stated::kLimitUnknown
            ? "limit unknown"
            : fmt::format("limit {}/{}", integer(row, stated::kLimitAllowed), integer(row, stated::kLimitOf));
    add(builder_.lane(kThrottlingPlace, kThrottlingFacts),
        {.slice = {start, duration, builder_.text(name), SliceKind::other, offset}}, row, {"timestamp", "duration"});
  }

  // From the first instruction of a layer to the end of the last, whatever is between; layers may overlap.
  void take_layer(const object& row, std::int64_t offset) {
    Time start = 0, duration = 0;
    if (!timed(row, "start", start, duration)) return;
    const StringId name = builder_.text(text(row, "name"));
    add(builder_.lane({kLayerGroup, 0, 0, "Layers"}, {LaneKind::other, std::string(stated::kLayersTrack), ""}),
        {.slice = {start, duration, name, SliceKind::device_annotation, offset}}, row, {"start", "end", "duration", "name"});
  }

  void take_semaphore(const object& row) {
    std::string id(text(row, "id"));
    if (!id.starts_with("S[")) id = "S[" + id + "]";
    sample(kSemaphoreGroup, id, row, "value");
  }

  void sample(const LaneGroup& group, const std::string& name, const object& row, std::string_view key) {
    const std::int64_t time = integer(row, "timestamp");
    const double value = real(row, key);
    untimed_ += time == kUnknown;
    if (time != kUnknown && value == value) builder_.add_sample(group, name, time, value);
  }

  void take_memory(const object& row) {
    const std::string_view holder = text(row, "usage_type");
    if (!holder.empty() && holder != "Total") builder_.set_memory(holder, integer(row, "amount_bytes"));
  }

  // A row of another kind numbers the subgraphs.
  void take_tensor(const object& row) {
    if (text(row, "variable_name").empty()) return;
    builder_.add_tensor({.name = text(row, "variable_name"),
                         .use = text(row, "type"),
                         .shape = text(row, "shape"),
                         .format = text(row, "format"),
                         .bytes = integer(row, "size"),
                         .loads = integer(row, "load_to_sbuf_dma_count"),
                         .loaded_bytes = integer(row, "load_to_sbuf_total_size_bytes")});
  }

  void take_queue(const object& row) {
    builder_.add_queue({.name = text(row, "q_name"),
                        .type = text(row, "q_type"),
                        .queue = integer(row, "q_idx"),
                        .engine = integer(row, "q_eng_idx"),
                        .port = integer(row, "q_axi_port"),
                        .channel = integer(row, "q_dram_channel")});
  }

  void take_about(const object& row, std::string_view prefix) {
    for (const auto& [key, value] : row) {
      if (key == "nc_idx" && integer(row, "nc_idx") >= 0) builder_.set_device(integer(row, "nc_idx"));
      if (key == stated::kRecordingEnd) builder_.set_end(std::max<Time>(0, integer(row, stated::kRecordingEnd)));
      if (key == "instance_type") builder_.set_instance(shown(value));
      if (key == "network_name" || key == "neff_name") builder_.set_program(shown(value));
      builder_.set_metadata(std::string(prefix).append(key), shown(value));
    }
    ++p_.events;
  }

  ByteStream& in_;
  TableProfile builder_;
  Profile& p_;
  simdjson::dom::parser parser_;
  SystemJson system_{builder_, kSystemEvents};
  TransferTriggers triggers_;          // each names the other's start
  std::vector<RowFact> facts_;         // of the current row
  std::vector<std::int64_t> damaged_;  // offsets of rows that are not JSON
  std::int64_t untimed_ = 0;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> unknown_;  // sections: rows, and the offset of the first
};

}  // namespace

Result<std::unique_ptr<Profile>> read_json_profile(ByteStream& in) { return JsonProfile(in).run(); }

bool looks_like_json_profile(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] != '{') return false;
  constexpr std::array<std::string_view, 7> kOnlyThere{"\"trace_events\"",   "\"ntff_version\"", "\"bir_instruction_name\"",
                                                       "\"neff_header\"",    "\"is_cc_dma\"",    "\"semaphore_update\"",
                                                       "\"dma_queues_info\""};
  const auto there = [&](std::string_view name) { return head.find(name) != std::string_view::npos; };
  const bool of_runtime = there("\"event_type\"") && there("\"timestamp_ns\"");
  return of_runtime || std::any_of(kOnlyThere.begin(), kOnlyThere.end(), there);
}

}  // namespace sightline::formats::neuron

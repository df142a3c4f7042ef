// Sections of the JSON to rows of a profile in the making.
#include "formats/neuron/json_profile.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <map>
#include <new>

#include "formats/neuron/device_rows.h"
#include "formats/neuron/json_fields.h"
#include "formats/neuron/json_rows.h"
#include "formats/neuron/system_json.h"
#include "formats/neuron/table_profile.h"
#include "formats/neuron/transfer_triggers.h"
#include "model/stated_names.h"

namespace sightline::formats::neuron {

namespace {

using simdjson::dom::element;
using simdjson::dom::object;

// Sections whose rows say nothing that the tables do not hold already: sums of the same rows, and texts of the vendor's pages.
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
      p_.add_problem(Severity::note, "unknown_section", fmt::format("rows of the section {} are not read", section), seen.first,
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
                            fmt::format("{}{} ({})", stated::kVendorSays, text(row, "message"), text(row, "category")), 1,
                            offset);
    }
    if (section == "metadata" || section == "profile_info" || section == "neff_header" || section == "model_info")
      return take_about(row, "");
    if (section == "summary") return take_about(row, stated::kSummary);
    if (system_.take(section, row, offset)) return;
    if (std::find(kNotNeeded.begin(), kNotNeeded.end(), section) != kNotNeeded.end()) return;
    ++unknown_.try_emplace(section, 0, offset).first->second.first;
  }

  // Of a section that this program writes: counters that the vendor has no section for.
  static LaneGroup group_called(std::string_view name) {
    for (const LaneGroup& group : {kDmaGroup, kSemaphoreGroup}) {
      if (group.name == name) return group;
    }
    constexpr int kLast = 9;
    return {kLast, std::string(name)};
  }

  // Start and length of a row; false, and counted, when there is none.
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

  // Packets are work; transfers, which are made of them, are shown and counted by no view.
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
    // Of a copy its bytes stand in device_work.
    add(lane, slice, row,
        {"id", "timestamp", "duration", "subgroup", "aggregated", whole ? "id" : stated::kTransferBytes, "queue_type",
         "transfer_rate", "trigger", "predecessors"});
    const Time trigger = integer(row, "trigger");
    if (!take_predecessors(row, kTransfers, slice.id) && whole && trigger != kUnknown)
      triggers_.add_transfer({trigger, start}, slice.id);
  }

  // Whether a copy is known to leave device memory alone.
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

  // From the first instruction of a layer to the end of the last, however little of it is in between; layers may overlap.
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
  std::vector<RowFact> facts_;         // of the present row
  std::vector<std::int64_t> damaged_;  // where rows lie that are no JSON
  std::int64_t untimed_ = 0;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> unknown_;  // sections: rows, and where the first lies
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

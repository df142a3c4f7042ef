// Writes section by section. A row has the columns known for the section, and every fact of the slice under its own name.
#include "formats/neuron/device_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "base/json_writer.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/stated_names.h"

namespace sightline::formats {

namespace {

constexpr std::size_t kJsonPiece = 1 << 20;

class Sections {
 public:
  Sections(const Profile& profile, const std::function<bool(std::string_view)>& write)
      : p_(profile), write_(write), json_(text_) {}

  void run() {
    find_predecessors();
    json_.begin_object();
    counters();  // first: readers recognise the format by the name of the first section
    section("instruction", [&] { lanes_of(LaneKind::engine, [&](Row lane) { instructions(lane); }); });
    section("dma", [&] { lanes_of(LaneKind::queue, [&](Row lane) { copies(lane); }); });
    section("ham", [&] { lanes_of(LaneKind::engine, [&](Row lane) { limits(lane); }); });
    section("layer_summary", [&] { lanes_of(LaneKind::other, [&](Row lane) { layers(lane); }); });
    section("nc_mem_usage", [&] { memory(); });
    section("neff_node", [&] { tensors(); });
    section("warnings", [&] { warnings(); });
    about("metadata", [](std::string_view key) { return key.starts_with(stated::kSummary) ? "" : key; });
    about("summary",
          [](std::string_view key) { return key.starts_with(stated::kSummary) ? key.substr(stated::kSummary.size()) : ""; });
    json_.end_object();
    text_ += '\n';
    flush(1);
  }

 private:
  void flush(std::size_t least) {
    if (text_.size() < least) return;
    stopped_ = stopped_ || !write_(text_);
    text_.clear();
  }

  template <typename Fill>
  void section(std::string_view name, Fill&& fill) {
    json_.key(name).begin_array();
    fill();
    json_.end_array();
  }

  template <typename Fill>
  void row(Fill&& fill) {
    if (stopped_) return;
    json_.begin_object();
    fill();
    json_.end_object();
    flush(kJsonPiece);
  }

  template <typename Visit>
  void lanes_of(LaneKind kind, Visit&& visit) {
    for (Row lane = 0; lane < p_.lanes.rows(); ++lane) {
      if (p_.lanes.kind[lane] == kind) visit(lane);
    }
  }

  template <typename Fill>
  void rows_of(Row lane, Fill&& fill) {
    for (Row slice = p_.lanes.first[lane]; slice < p_.lanes.last[lane]; ++slice) row([&] { fill(slice); });
  }

  void member(std::string_view key, StringId value) {
    if (value != StringId::none) json_.member(key, p_.text(value));
  }

  void member_if_known(std::string_view key, std::int64_t value) {
    if (value != kUnknown) json_.member(key, value);
  }

  void number(std::string_view key, double value) {
    const bool whole = std::floor(value) == value && std::abs(value) <= kMostExactReal;
    if (whole) {
      json_.member(key, static_cast<std::int64_t>(value));
    } else {
      json_.member(key, value);
    }
  }

  void times(Row slice) { json_.member("timestamp", p_.slices.start[slice]).member("duration", p_.slices.duration[slice]); }

  // Rows of a side table that belong to one slice.
  template <typename Table>
  static std::pair<std::size_t, std::size_t> rows_beside(const Table& table, Row slice) {
    const Row* const begin = table.slice.data();
    const auto [first, last] = std::equal_range(begin, begin + table.rows(), slice);
    return {static_cast<std::size_t>(first - begin), static_cast<std::size_t>(last - begin)};
  }

  bool has_fact(Row slice, std::string_view name) const {
    const auto [first, last] = rows_beside(p_.work_facts, slice);
    for (std::size_t fact = first; fact < last; ++fact) {
      if (p_.text(p_.work_facts.name[fact]) == name) return true;
    }
    return false;
  }

  void facts(Row slice) {
    const auto [first, last] = rows_beside(p_.work_facts, slice);
    for (std::size_t fact = first; fact < last; ++fact) {
      const std::string_view name = p_.text(p_.work_facts.name[fact]);
      if (std::isnan(p_.work_facts.number[fact])) {
        json_.member(name, p_.text(p_.work_facts.text[fact]));
      } else {
        number(name, p_.work_facts.number[fact]);
      }
    }
  }

  // ---- slices ----

  // What an instruction waited for, by the slice that waited; and which transfers it started.
  void find_predecessors() {
    for (std::size_t flow = 0; flow < p_.flows.rows(); ++flow) {
      if (p_.flows.kind[flow] != FlowKind::other) continue;
      const Row from = p_.flows.from[flow], to = p_.flows.to[flow];
      predecessors_.emplace_back(to, from);
      if (!is_copy(from) && is_copy(to)) started_.emplace_back(from, to);
    }
    for (auto* edges : {&predecessors_, &started_}) sort_up(*edges, [](const auto& each) { return each.first; });
  }

  bool is_copy(Row slice) const { return p_.lanes.kind[p_.slices.lane[slice]] == LaneKind::queue; }

  bool is_instruction_lane(Row lane) const {
    return p_.lanes.kind[lane] == LaneKind::engine && p_.text(p_.lanes.track[lane]) != stated::kThrottlingTrack;
  }

  void instructions(Row lane) {
    if (!is_instruction_lane(lane)) return;
    const std::string_view engine = p_.text(p_.lanes.name[p_.main_lane(lane)]);
    rows_of(lane, [&](Row slice) {
      json_.member("id", std::int64_t{slice}).member("label", engine).member("opcode", p_.text(p_.slices.name[slice]));
      times(slice);
      facts(slice);
      operator_of(slice);
      costs(slice);
      trigger(slice, started_);
      predecessors(slice);
    });
  }

  // The compiler's name of what an instruction is part of, unless it is a fact from the file.
  void operator_of(Row slice) {
    const auto [first, last] = rows_beside(p_.program_work, slice);
    if (first == last) return;
    const Row of = p_.program_work.program_operator[first];
    if (!has_fact(slice, "hlo_name")) member("hlo_name", p_.program_operators.name[of]);
    if (!has_fact(slice, "layer")) member("layer", p_.program_operators.framework_operator[of]);
  }

  // What an instruction computed and moved; a matrix product is two operations per element.
  void costs(Row slice) {
    const auto [first, last] = rows_beside(p_.work_costs, slice);
    if (first == last) return;
    const WorkCosts& costs = p_.work_costs;
    if (!std::isnan(costs.flops[first]) && !has_fact(slice, "elements")) number("elements", costs.flops[first] / 2);
    if (has_fact(slice, stated::kMemoryRead) || has_fact(slice, stated::kMemoryWritten))
      return;  // only one is known: nothing the other way
    member_if_known(stated::kMemoryRead, costs.bytes_read[first]);
    member_if_known(stated::kMemoryWritten, costs.bytes_written[first]);
  }

  using Edges = std::vector<std::pair<Row, Row>>;
  static std::pair<Edges::const_iterator, Edges::const_iterator> edges_of(const Edges& edges, Row slice) {
    return std::equal_range(edges.begin(), edges.end(), std::pair<Row, Row>(slice, 0),
                            [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  // An instruction that starts a transfer and the transfer each name the other's start.
  void trigger(Row slice, const Edges& edges) {
    const auto [first, last] = edges_of(edges, slice);
    const auto other = std::find_if(first, last, [&](const auto& edge) { return is_copy(edge.second) != is_copy(slice); });
    if (other != last) json_.member("trigger", p_.slices.start[other->second]);
  }

  void predecessors(Row slice) {
    const auto [first, last] = edges_of(predecessors_, slice);
    if (first == last) return;
    json_.key("predecessors").begin_array();
    for (auto before = first; before != last; ++before) {
      const bool copy = is_copy(before->second);
      json_.begin_object().member("id", std::int64_t{before->second}).member("type", copy ? "dma" : "instruction").end_object();
    }
    json_.end_array();
  }

  // Single copies, and copies on a separate lane that sum them up.
  void copies(Row lane) {
    const Row main = p_.main_lane(lane);
    const std::string_view name = p_.text(p_.lanes.name[main]), track = p_.text(p_.lanes.track[main]);
    const bool sums = name.ends_with(stated::kTransfersEnding);
    const std::size_t engine = track.find("-E");
    const auto queue_number = whole_number<std::int64_t>(track.starts_with('Q') ? track.substr(1, engine - 1) : "");
    const auto engine_number = whole_number<std::int64_t>(engine == std::string_view::npos ? "" : track.substr(engine + 2));
    rows_of(lane, [&](Row slice) {
      json_.member("id", std::int64_t{slice}).member("aggregated", sums ? "yes" : "no");
      json_.member("subgroup", sums ? name.substr(0, name.size() - stated::kTransfersEnding.size()) : name);
      times(slice);
      const auto [work, end] = rows_beside(p_.device_work, slice);
      if (work != end) {
        member("queue_type", p_.device_work.type[work]);
        member_if_known("transfer_size", p_.device_work.bytes[work]);
      }
      facts(slice);
      if (queue_number && !has_fact(slice, "dma_queue")) json_.member("dma_queue", *queue_number);
      if (engine_number && !has_fact(slice, "dma_engine")) json_.member("dma_engine", *engine_number);
      if (sums) trigger(slice, predecessors_);
      predecessors(slice);
    });
  }

  void limits(Row lane) {
    if (is_instruction_lane(lane)) return;
    rows_of(lane, [&](Row slice) {
      times(slice);
      facts(slice);
      if (!has_fact(slice, stated::kLimitAllowed) && !has_fact(slice, stated::kLimitKind))
        json_.member(stated::kLimitKind, std::int64_t{stated::kLimitUnknown});
    });
  }

  void layers(Row lane) {
    if (p_.text(p_.lanes.track[p_.main_lane(lane)]) != stated::kLayersTrack) return;
    rows_of(lane, [&](Row slice) {
      json_.member("name", p_.text(p_.slices.name[slice])).member("start", p_.slices.start[slice]);
      json_.member("end", p_.end_of(slice)).member("duration", p_.slices.duration[slice]);
      facts(slice);
    });
  }

  // ---- counters ----

  // Calls visit(lane, time, value) for the samples of lanes whose name `is_one` accepts.
  template <typename Is, typename Visit>
  void samples(Is&& is_one, Visit&& visit) {
    for (std::size_t at = 0; at < p_.counters.rows(); ++at) {
      const Row lane = p_.counters.lane[at];
      if (is_one(p_.text(p_.lanes.name[lane]))) visit(lane, p_.counters.time[at], p_.counters.value[at]);
    }
  }

  static bool is_semaphore(std::string_view name) { return name.starts_with("S["); }
  static constexpr std::array<std::string_view, 2> kRates{stated::kCopyRate, stated::kMemoryRate};
  static constexpr std::array<std::string_view, 2> kUses{stated::kCoreMemoryInUse, stated::kSumMemoryInUse};

  static bool is_known(std::string_view name) {
    const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
    return is_semaphore(name) || name == stated::kPendingCopies || among(kRates) || among(kUses);
  }

  void counters() {
    section("semaphore_update", [&] {
      samples(is_semaphore, [&](Row lane, Time time, double value) {
        row([&] {
          json_.member("id", p_.text(p_.lanes.name[lane])).member("timestamp", time);
          number("value", value);
        });
      });
    });
    section("pending_dma", [&] {
      samples([](std::string_view name) { return name == stated::kPendingCopies; },
              [&](Row, Time time, double value) {
                row([&] {
                  json_.member("timestamp", time);
                  number("value", value);
                });
              });
    });
    section("dma_throughput", [&] { rates(); });
    section("instruction_usage", [&] {
      for (const std::string_view use : kUses) {
        samples([&](std::string_view name) { return name == use; },
                [&](Row, Time time, double value) {
                  row([&] {
                    json_.member("type", use == kUses[0] ? "sb" : "psum").member("timestamp", time);
                    number("usage_avg", value);
                  });
                });
      }
    });
    section("counter", [&] {
      samples([](std::string_view name) { return !is_known(name); },
              [&](Row lane, Time time, double value) {
                row([&] {
                  const Row process = p_.lanes.process[lane];
                  json_.member("group", process == kNoRow ? "" : p_.text(p_.processes.name[process]));
                  json_.member("name", p_.text(p_.lanes.name[lane])).member("timestamp", time);
                  number("value", value);
                });
              });
    });
  }

  // Both rates at one time are in one row.
  void rates() {
    std::map<Time, std::array<double, 2>> by_time;
    for (std::size_t which = 0; which < kRates.size(); ++which) {
      samples([&](std::string_view name) { return name == kRates[which]; },
              [&](Row, Time time, double value) {
                const auto [at, is_new] = by_time.try_emplace(time);
                if (is_new) at->second.fill(kUnknownNumber);
                at->second[which] = value;
              });
    }
    for (const auto& each : by_time) {
      row([&] {
        const auto& [time, values] = each;
        json_.member("timestamp", time);
        if (!std::isnan(values[0])) number("transfer_rate", values[0]);
        if (!std::isnan(values[1])) number("hbm_transfer_rate", values[1]);
      });
    }
  }

  // ---- the rest ----

  void memory() {
    for (std::size_t at = 0; at < p_.memory_usage.rows(); ++at) {
      row([&] {
        member("usage_type", p_.memory_usage.component[at]);
        member_if_known("amount_bytes", p_.memory_usage.allocated[at]);
      });
    }
  }

  void tensors() {
    const Tensors& t = p_.tensors;
    for (std::size_t at = 0; at < t.rows(); ++at) {
      row([&] {
        member("variable_name", t.name[at]);
        member("type", t.use[at]);
        member("shape", t.shape[at]);
        member("format", t.format[at]);
        member_if_known("size", t.bytes[at]);
        member_if_known("load_to_sbuf_dma_count", t.loads[at]);
        member_if_known("load_to_sbuf_total_size_bytes", t.loaded_bytes[at]);
      });
    }
  }

  void warnings() {
    for (std::size_t at = 0; at < p_.problems.rows(); ++at) {
      if (p_.problems.severity[at] == Severity::note) continue;
      const Message problem = p_.problem(static_cast<Row>(at));
      std::string_view category = p_.text(p_.problems.code[at]), message = problem;
      if (category == stated::kVendorWarning && problem.kind() == Message::Kind::filled) {  // becomes that warning again
        message = problem.parts().values[0];
        category = problem.parts().values[1];
      }
      row([&] { json_.member("category", category).member("message", message); });
    }
  }

  // Metadata whose key has a name in `name_of`. The end of the recording gives its length.
  template <typename NameOf>
  void about(std::string_view section_name, NameOf&& name_of) {
    section(section_name, [&] {
      row([&] {
        bool has_end = section_name != "metadata";
        for (std::size_t at = 0; at < p_.metadata.rows(); ++at) {
          const std::string_view name = name_of(p_.text(p_.metadata.key[at]));
          if (!name.empty()) member(name, p_.metadata.value[at]);
          has_end = has_end || name == stated::kRecordingEnd;
        }
        if (!has_end) json_.member(stated::kRecordingEnd, p_.span_end);
      });
    });
  }

  const Profile& p_;
  const std::function<bool(std::string_view)>& write_;
  std::string text_;
  JsonWriter json_;
  Edges predecessors_;  // slice that waited, slice it waited for
  Edges started_;       // instruction, copy
  bool stopped_ = false;
};

}  // namespace

Result<bool> export_device_json(const Profile& profile, const std::function<bool(std::string_view)>& write) {
  const auto& kinds = profile.lanes.kind;
  if (std::find(kinds.begin(), kinds.end(), LaneKind::engine) == kinds.end())
    return Error{ErrorCode::unsupported, "this profile has no engines to write: --format chrome is JSON of any timeline",
                 profile.file};
  Sections(profile, write).run();
  return true;
}

}  // namespace sightline::formats

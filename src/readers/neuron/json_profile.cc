// Sections of the JSON to tables. Rows are kept by lane, as columns, until all sections are read; then the lanes are written.
#include "readers/neuron/json_profile.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <tuple>
#include <unordered_map>

#include "readers/binary/lane_writer.h"
#include "readers/neuron/json_rows.h"
#include "readers/neuron/row_writer.h"

namespace sightline::neuron {

namespace {

using simdjson::dom::element;
using simdjson::dom::object;

std::int64_t integer(const object& row, std::string_view key) {
  std::int64_t number = 0;
  if (row[key].get(number) == simdjson::SUCCESS) return number;
  std::string_view text;
  if (row[key].get(text) != simdjson::SUCCESS) return kUnknown;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() && !text.empty() ? number : kUnknown;
}

std::string_view text(const object& row, std::string_view key) {
  std::string_view found;
  return row[key].get(found) == simdjson::SUCCESS ? found : std::string_view();
}

double real(const object& row, std::string_view key) {
  double number = 0;
  return row[key].get(number) == simdjson::SUCCESS ? number : static_cast<double>(kUnknownReal);
}

// A member as text: of a string its content, of anything else its JSON.
std::string shown(const element& value) {
  std::string_view found;
  return value.get(found) == simdjson::SUCCESS ? std::string(found) : simdjson::minify(value);
}

constexpr std::array<std::string_view, 6> kEngineLanes{"TensorMatrix", "Tensor", "Vector", "Scalar", "GpSimd", "Sync"};
constexpr auto kNoWork = [](std::size_t, Row) {};
constexpr std::string_view kWaiting = "EVENT_SEMAPHORE";

struct Fact {
  StringId name, text;
  double number;
};

struct Lane {  // rows of one lane, in the order of the file
  std::vector<NewSlice> slices;
  std::vector<std::uint32_t> fact_end;  // by slice: where its facts end
  std::vector<Fact> facts;
  std::vector<std::int64_t> id, bytes;
  std::vector<StringId> type;
};

class Builder {
 public:
  explicit Builder(ByteStream& in) : in_(in), p_(std::make_unique<Profile>()), lanes_(*p_), rows_(*p_) {}

  Result<std::unique_ptr<Profile>> run() {
    const bool whole = for_each_row(in_, [this](const std::string& section, std::string& row, std::int64_t offset) {
      element parsed;
      object fields;
      if (parser_.parse(row.data(), row.size(), false).get(parsed) != simdjson::SUCCESS ||
          parsed.get(fields) != simdjson::SUCCESS) {
        damaged_.emplace_back(offset);
        return;
      }
      take(section, fields, offset);
    });
    if (in_.failed()) return in_.error();
    if (!whole)
      p_->add_problem(Severity::error, "truncated", "the file ends early: what came after is missing", 1, in_.position());
    if (!damaged_.empty()) {
      p_->add_problem(Severity::error, "malformed_event", "rows that are no JSON were left out",
                      static_cast<std::int64_t>(damaged_.size()), damaged_.front());
    }
    if (untimed_ != 0) p_->add_problem(Severity::warning, "missing_time", "rows without a time were left out", untimed_, 0);
    if (p_->events == 0) in_.fail("it holds none of the sections of a device profile");
    if (in_.failed()) return in_.error();
    write();
    return std::move(p_);
  }

 private:
  // ---- sections ----

  void take(const std::string& section, const object& row, std::int64_t offset) {
    if (section == "instruction") return take_instruction(row, offset);
    if (section == "dma") return take_dma(row, offset);
    if (section == "ham") return take_throttle(row, offset);
    if (section == "semaphore_update") return take_semaphore(row);
    if (section == "pending_dma") return sample("DMA", "Pending DMA", row, "value");
    if (section == "dma_throughput") {
      sample("DMA", "DMA throughput (B/s)", row, "transfer_rate");
      return sample("DMA", "HBM throughput (B/s)", row, "hbm_transfer_rate");
    }
    if (section == "instruction_usage")
      return sample("", text(row, "type") == "psum" ? "PSUM in use (share)" : "SBUF in use (share)", row, "usage_avg");
    if (section == "nc_mem_usage") return take_memory(row);
    if (section == "warnings") {
      return p_->add_problem(Severity::warning, "vendor_warning",
                             fmt::format("the vendor's tool says: {} ({})", text(row, "message"), text(row, "category")), 1,
                             offset);
    }
    if (section == "metadata" || section == "profile_info" || section == "neff_header" || section == "model_info")
      return take_about(row, "");
    if (section == "summary") take_about(row, "summary.");
  }

  // Start and length of a row; false, and counted, when there is none.
  bool timed(const object& row, Time& start, Time& duration) {
    constexpr std::int64_t kFar = std::int64_t{1} << 60;
    start = integer(row, "timestamp");
    duration = std::max<std::int64_t>(0, integer(row, "duration"));
    const bool known = start != kUnknown && start < kFar && start > -kFar && duration < kFar;
    untimed_ += !known;
    return known;
  }

  void add(Lane& lane, const NewSlice& slice, const object& row, std::initializer_list<std::string_view> known) {
    lane.slices.push_back(slice);
    lane.id.push_back(integer(row, "id"));
    lane.bytes.push_back(integer(row, "transfer_size"));
    lane.type.push_back(p_->strings.intern(text(row, "queue_type")));
    std::vector<std::pair<std::string_view, element>> members;
    for (const auto& [key, value] : row) {
      if (std::find(known.begin(), known.end(), key) == known.end()) members.emplace_back(key, value);
    }
    std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [key, value] : members) {
      double number = 0;
      const bool numeric = !value.is_string() && value.get(number) == simdjson::SUCCESS;
      const std::string as_text = numeric ? "" : shown(value);
      if (!numeric && (as_text.empty() || as_text == " " || as_text == "[]" || as_text == "null")) continue;
      lane.facts.push_back({p_->strings.intern(key), p_->strings.intern(as_text), numeric ? number : kUnknownReal});
    }
    lane.fact_end.push_back(static_cast<std::uint32_t>(lane.facts.size()));
    ++p_->events;
  }

  void take_instruction(const object& row, std::int64_t offset) {
    Time start = 0, duration = 0;
    if (!timed(row, start, duration)) return;
    const std::string_view opcode = text(row, "opcode");
    const SliceKind kind = opcode == kWaiting ? SliceKind::sync : SliceKind::kernel;
    add(engines_[std::string(text(row, "label"))], {start, duration, p_->strings.intern(opcode), kind, offset}, row,
        {"id", "label", "opcode", "timestamp", "duration", "predecessors", "subgroup", "trigger"});
    simdjson::dom::array before;
    if (row["predecessors"].get(before) != simdjson::SUCCESS) return;
    for (const element edge : before) {
      object fields;
      if (edge.get(fields) == simdjson::SUCCESS) edges_.emplace_back(integer(fields, "id"), integer(row, "id"));
    }
  }

  // Packets are work; transfers, which are made of them, are shown and counted by no view.
  void take_dma(const object& row, std::int64_t offset) {
    Time start = 0, duration = 0;
    if (!timed(row, start, duration)) return;
    const bool whole = text(row, "aggregated") == "yes";
    const std::string queue(text(row, "subgroup"));
    const std::size_t place = queue.rfind("-Q");  // "name-Q1-E2", or "Q1-E2" where the name is not known
    const std::string name = queue.substr(0, place == std::string::npos ? queue.rfind("-E") : place);
    const NewSlice slice{start, duration, p_->strings.intern(name), whole ? SliceKind::other : SliceKind::memcpy, offset};
    Lane& lane =
        whole ? transfers_[name + " transfers"] : queues_[{integer(row, "dma_queue"), integer(row, "dma_engine"), queue}];
    add(lane, slice, row,
        {"id", "timestamp", "duration", "subgroup", "aggregated", "transfer_size", "queue_type", "transfer_rate", "trigger"});
  }

  void take_throttle(const object& row, std::int64_t offset) {
    Time start = 0, duration = 0;
    if (!timed(row, start, duration)) return;
    constexpr std::int64_t kUnknownState = 99;
    const std::string name = integer(row, "type") == kUnknownState
                                 ? "limit unknown"
                                 : fmt::format("limit {}/{}", integer(row, "k"), integer(row, "n"));
    add(throttling_, {start, duration, p_->strings.intern(name), SliceKind::other, offset}, row, {"timestamp", "duration"});
  }

  void take_semaphore(const object& row) {
    std::string id(text(row, "id"));
    if (!id.starts_with("S[")) id = "S[" + id + "]";
    sample("Semaphores", id, row, "value");
  }

  void sample(std::string_view group, const std::string& name, const object& row, std::string_view key) {
    const std::int64_t time = integer(row, "timestamp");
    const double value = real(row, key);
    untimed_ += time == kUnknown;
    if (time == kUnknown || value != value) return;
    counters_[{std::string(group), name}].emplace_back(time, value);
    ++p_->events;
  }

  void take_memory(const object& row) {
    const std::string_view holder = text(row, "usage_type");
    if (!holder.empty() && holder != "Total") memory_[std::string(holder)] = integer(row, "amount_bytes");
  }

  void take_about(const object& row, std::string_view prefix) {
    for (const auto& [key, value] : row) {
      if (key == "nc_idx" && integer(row, "nc_idx") >= 0) device_ = integer(row, "nc_idx");
      if (key == "last_hw_timestamp") end_ = std::max<Time>(0, integer(row, "last_hw_timestamp"));
      if (key == "instance_type") instance_ = shown(value);
      about_[std::string(prefix).append(key)] = shown(value);
    }
    ++p_->events;
  }

  // ---- tables ----

  void write() {
    const std::string core = device_ == kUnknown ? "NeuronCore" : fmt::format("NeuronCore {}", device_);
    const Row process = lanes_.add_process(core);
    for (const std::string_view name : kEngineLanes) {
      if (const auto at = engines_.find(std::string(name)); at != engines_.end()) write_engine(process, at->first, at->second);
    }
    for (const auto& [name, lane] : engines_) {
      if (std::find(kEngineLanes.begin(), kEngineLanes.end(), name) == kEngineLanes.end()) write_engine(process, name, lane);
    }
    if (!throttling_.slices.empty())
      write_lane(throttling_, {LaneKind::engine, process, device_, "throttling", "Throttling"}, kNoWork);
    std::map<std::string, Row, std::less<>> groups{{"", process}};
    if (!queues_.empty() || !transfers_.empty()) groups["DMA"] = lanes_.add_process("DMA");
    for (const auto& [place, lane] : queues_) write_queue(groups["DMA"], std::get<2>(place), lane);
    for (const auto& [name, lane] : transfers_) write_lane(lane, {LaneKind::queue, groups["DMA"], device_, name, name}, kNoWork);
    for (auto& [place, samples] : counters_) {
      const auto [group, is_new] = groups.try_emplace(place.first, kNoRow);
      if (is_new) group->second = lanes_.add_process(place.first);
      const Row lane = lanes_.add_counter_lane({LaneKind::counter, group->second, kUnknown, place.second, place.second});
      std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (const auto& [time, value] : samples) rows_.add_sample(lane, time, value);
    }
    write_flows();
    rows_.add_device(device_, "NeuronCore" + (instance_.empty() ? "" : " of " + instance_));
    for (const auto& [holder, bytes] : memory_) rows_.add_memory(core, holder, bytes);
    for (const auto& [key, value] : about_) rows_.add_metadata(key, value);
    p_->span_end = end_;
    for (Row i = 0; i < p_->slices.rows() && end_ == 0; ++i) p_->span_end = std::max(p_->span_end, p_->end_of(i));
  }

  template <typename AddWork>
  void write_lane(const Lane& lane, const NewLane& about, AddWork&& add_work) {
    lanes_.add_lane(about, lane.slices, [&](std::size_t i, Row slice) {
      add_work(i, slice);
      if (lane.id[i] != kUnknown) slice_of_.emplace(lane.id[i], slice);
      for (std::size_t f = i == 0 ? 0 : lane.fact_end[i - 1]; f < lane.fact_end[i]; ++f)
        rows_.add_fact(slice, lane.facts[f].name, lane.facts[f].number, lane.facts[f].text);
    });
  }

  void write_engine(Row process, const std::string& name, const Lane& lane) {
    const std::string_view track = name == "TensorMatrix" ? "Tensor" : std::string_view(name);
    const StringId core = p_->strings.intern(name);
    write_lane(lane, {LaneKind::engine, process, device_, track, name}, [&](std::size_t i, Row slice) {
      if (lane.slices[i].kind != SliceKind::kernel) return;
      const std::string_view opcode = p_->text(lane.slices[i].name);
      const CoreType type = opcode == "MATMUL" || opcode == "LDWEIGHTS" ? CoreType::matrix
                            : name == "Vector"                          ? CoreType::vector
                                                                        : CoreType::general;
      rows_.add_work(slice, device_, core, type, StringId::none, kUnknown);
    });
  }

  void write_queue(Row process, const std::string& name, const Lane& lane) {
    const std::size_t cut = name.rfind("-E");
    const StringId core = p_->strings.intern(cut == std::string::npos ? "DMA" : "DMA " + name.substr(cut + 2));
    const std::size_t queue = name.rfind('Q');
    const std::string track = queue == std::string::npos ? name : name.substr(queue);
    write_lane(lane, {LaneKind::queue, process, device_, track, name}, [&](std::size_t i, Row slice) {
      rows_.add_work(slice, device_, core, CoreType::unknown, lane.type[i], lane.bytes[i]);
    });
  }

  void write_flows() {
    for (const auto& [from, to] : edges_) {
      const auto a = slice_of_.find(from), b = slice_of_.find(to);
      if (a == slice_of_.end() || b == slice_of_.end()) continue;
      p_->flows.kind.push_back(FlowKind::other);
      p_->flows.from.push_back(a->second);
      p_->flows.to.push_back(b->second);
    }
  }

  ByteStream& in_;
  std::unique_ptr<Profile> p_;
  LaneWriter lanes_;
  RowWriter rows_;
  simdjson::dom::parser parser_;
  std::map<std::string, Lane> engines_, transfers_;                             // by name
  std::map<std::tuple<std::int64_t, std::int64_t, std::string>, Lane> queues_;  // by queue, DMA engine and name
  Lane throttling_;
  std::map<std::pair<std::string, std::string>, std::vector<std::pair<Time, double>>> counters_;  // by group and name
  std::vector<std::pair<std::int64_t, std::int64_t>> edges_;                                      // ids: from, to
  std::unordered_map<std::int64_t, Row> slice_of_;                                                // by id
  std::map<std::string, std::int64_t> memory_;
  std::map<std::string, std::string> about_;
  std::string instance_;
  std::int64_t device_ = kUnknown;
  Time end_ = 0;
  std::vector<std::int64_t> damaged_;  // where rows lie that are no JSON
  std::int64_t untimed_ = 0;
};

}  // namespace

Result<std::unique_ptr<Profile>> read_json_profile(ByteStream& in) { return Builder(in).run(); }

bool looks_like_json_profile(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || head[first] != '{') return false;
  constexpr std::array<std::string_view, 6> kOnlyThere{"\"ntff_version\"", "\"bir_instruction_name\"", "\"neff_header\"",
                                                       "\"is_cc_dma\"",    "\"semaphore_update\"",     "\"dma_queues_info\""};
  return std::any_of(kOnlyThere.begin(), kOnlyThere.end(),
                     [&](std::string_view name) { return head.find(name) != std::string_view::npos; });
}

}  // namespace sightline::neuron

// Profiles written as text: lines to lanes, lanes to sorted slices with parents, then launches and device work.
#include "tests/support/text_profile.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/kind_names.h"
#include "model/profile.h"
#include "model/tables.h"
#include "tests/support/text_grammar.h"

namespace sightline::tests {

namespace {

struct TextLane {
  LaneKind kind = LaneKind::host_thread;
  std::string track;
  std::int64_t device = kUnknown;
  Row overflow_of = kNoRow;
  std::vector<TextSlice> slices;
};

class Builder {
 public:
  std::unique_ptr<Profile> build(std::string_view text) {
    for (std::string_view line : split(text, '\n')) {
      line = trim(line.substr(0, std::min(line.find('#'), line.size())));
      if (!line.empty()) read_line(line);
    }
    for (const TextLane& lane : lanes_) add_lane(lane);
    add_facts();
    fill_unknown_columns(profile_->reported_steps);
    fill_unknown_columns(profile_->communications);
    sort_memory();
    own_launches();
    own_device_work();
    set_span();
    for (const std::string& broken : check_profile(*profile_, 1)) refuse("not a sound profile", broken);
    return std::move(profile_);
  }

 private:
  // ---- lines ----

  void read_line(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    if (word == "rank") return read_rank(rest);
    if (word == "host") {
      profile_->host = trim(rest);
      return;
    }
    if (word == "origin") {
      profile_->origin_unix_ns = number_in<std::int64_t>(rest);
      return;
    }
    if (word == "meta") return read_metadata(rest);
    if (word == "words") return read_words(rest);
    if (word == "row") return read_row(rest);
    if (word == "communication") return read_communication(rest);
    if (word == "transfer") return read_transfer(rest);
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) refuse("unknown line", line);
    const std::string_view head = trim(rest.substr(0, colon));
    const std::string_view body = trim(rest.substr(colon + 1));
    if (word == "device") return read_device(head, body);
    if (word == "memory") return read_memory(head, body);
    if (word == "program") return read_program(head, body);
    if (word == "ran") return read_ran(head, body);
    if (word == "held") return read_held(head, body);
    if (word == "reported") return read_calls(head, body);
    if (word == "sums") return read_sums(head, body);
    if (word == "counter") return read_counter(head, body);
    if (word == "fact") {
      facts_.emplace_back(head, body);
      return;
    }
    if (const auto kind = lane_kind(word)) return read_lane(*kind, head, body);
    refuse("unknown line", line);
  }

  static std::optional<LaneKind> lane_kind(std::string_view word) {
    if (word == "thread") return LaneKind::host_thread;
    if (word == "stream") return LaneKind::device_stream;
    if (word == "engine") return LaneKind::engine;
    if (word == "queue") return LaneKind::queue;
    return std::nullopt;
  }

  static std::string_view lane_word(LaneKind kind) {
    switch (kind) {
      case LaneKind::host_thread: return "thread ";
      case LaneKind::device_stream: return "stream ";
      case LaneKind::engine: return "engine ";
      case LaneKind::queue: return "queue ";
      default: return "";
    }
  }

  void read_rank(std::string_view text) {
    profile_->rank = number_in<std::int64_t>(take_word(text));
    take_word(text);
    profile_->world_size = number_in<std::int64_t>(text);
  }

  void read_metadata(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) refuse("not meta KEY = VALUE", text);
    profile_->metadata.key.push_back(intern(trim(text.substr(0, equals))));
    profile_->metadata.value.push_back(intern(trim(text.substr(equals + 1))));
  }

  void read_words(std::string_view text) {
    const std::vector<std::string_view> words = split(text, ',');
    if (words.size() != 3) refuse("not words DEVICE, MATRIX UNITS, CORE", text);
    profile_->device_word = words[0];
    profile_->matrix_word = words[1];
    profile_->core_word = words[2];
  }

  void read_calls(std::string_view kind, std::string_view text) {
    ReportedCalls& calls = profile_->reported_calls;
    for (std::string_view piece : split(text, ',')) {
      calls.kind.push_back(kind == "kernel" ? SliceKind::kernel : SliceKind::runtime);
      calls.device.push_back(kUnknown);
      calls.name.push_back(intern(take_word(piece)));
      calls.part.push_back(intern(take_word(piece)));
      calls.calls.push_back(number_in<std::int64_t>(take_word(piece)));
      calls.total.push_back(number_in<Time>(take_word(piece)));
      calls.shortest.push_back(number_in<Time>(take_word(piece)));
      calls.longest.push_back(number_in<Time>(take_word(piece)));
    }
  }

  void read_device(std::string_view ordinal, std::string_view text) {
    const Attributes attributes = take_attributes(text);
    const auto number = [&](std::string_view key) {
      const auto found = attributes.find(key);
      return found == attributes.end() ? kUnknown : number_in<std::int64_t>(found->second);
    };
    Devices& devices = profile_->devices;
    const Row row = add_unknown_row(devices);
    devices.ordinal[row] = number_in<std::int64_t>(ordinal);
    devices.name[row] = intern(text);
    devices.memory[row] = number("memory");
    const auto capability = attributes.find("cc");
    const std::string both = capability == attributes.end() ? "" : capability->second;
    const std::size_t point = both.find('.');
    devices.compute_major[row] = both.empty() ? kUnknown : number_in<std::int64_t>(both.substr(0, point));
    devices.compute_minor[row] = both.empty() ? kUnknown : number_in<std::int64_t>(both.substr(point + 1));
    devices.cores[row] = number("cores");
    devices.threads_per_core[row] = number("threads");
    devices.warp_size[row] = number("warp");
    for (const auto& [key, column] : {std::pair{"clock", &devices.clock}, std::pair{"flops", &devices.peak_flops},
                                      std::pair{"bandwidth", &devices.peak_bandwidth}}) {
      if (const auto found = attributes.find(key); found != attributes.end()) (*column)[row] = number_in<double>(found->second);
    }
  }

  // "TABLE [COLUMN=VALUE ...]": a row of any table.
  void read_row(std::string_view text) {
    const Attributes values = take_attributes(text);
    bool found = false;
    Profile::visit_tables(*profile_, [&](auto& table) {
      if (table.kName == text) add_row(table, values), found = true;
    });
    if (!found) refuse("no such table", text);
  }

  template <typename Table>
  void add_row(Table& table, const Attributes& values) {
    const Row row = add_unknown_row(table);
    std::size_t set = 0;
    table.for_each_column([&]<typename T>(const ColumnInfo& info, Column<T>& column) {
      const auto value = values.find(info.name);
      if (value == values.end()) return;
      column[row] = value_in<T>(value->second);
      ++set;
    });
    if (set != values.size()) refuse("not all of these are columns of the table", Table::kName);
  }

  template <typename T>
  T value_in(std::string_view text) {
    if constexpr (std::is_same_v<T, StringId>) {
      return intern(text);
    } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
      return static_cast<T>(number_in<int>(text));
    } else {
      return number_in<T>(text);
    }
  }

  void read_program(std::string_view program, std::string_view text) {
    ProgramOperators& all = profile_->program_operators;
    for (std::string_view piece : split(text, ',')) {
      const Attributes about = take_attributes(piece);
      const Row row = add_unknown_row(all);
      all.program[row] = intern(program);
      all.program_id[row] = text_in(about, "id");
      all.name[row] = piece == "-" ? StringId::none : intern(piece);
      all.opcode[row] = text_in(about, "op");
      all.category[row] = text_in(about, "category");
      all.framework_operator[row] = text_in(about, "framework");
      all.source[row] = text_in(about, "source");
      all.shape[row] = text_in(about, "shape");
      if (about.contains("into")) all.fused_into[row] = program_operator(about.at("into"));
      if (about.contains("flops")) all.flops[row] = number_in<double>(about.at("flops"));
      all.bytes[row] = integer_in(about, "bytes");
      if (!about.contains("reads")) continue;
      for (const std::string_view input : split(about.at("reads"), '+')) {
        const Row operand = add_unknown_row(profile_->program_inputs);
        profile_->program_inputs.program_operator[operand] = row;
        profile_->program_inputs.input[operand] = program_operator(input);
      }
    }
  }

  void read_ran(std::string_view name, std::string_view text) {
    ReportedProgramWork& all = profile_->reported_program_work;
    const auto number = [](std::string_view word) { return word == "-" ? kUnknown : number_in<std::int64_t>(word); };
    for (std::string_view piece : split(text, ',')) {
      all.program_operator.push_back(program_operator(name));
      all.device.push_back(number(take_word(piece)));
      const std::string_view core = take_word(piece);
      all.core.push_back(core == "-" ? StringId::none : intern(core));
      all.calls.push_back(number(take_word(piece)));
      all.total.push_back(number(piece));
    }
  }

  // The first of that name, else the first that was made from the framework's operator of that path; its line must come before.
  Row program_operator(std::string_view name) {
    const ProgramOperators& all = profile_->program_operators;
    const StringId wanted = intern(name);
    for (const Column<StringId>* names : {&all.name, &all.framework_operator}) {
      const auto found = std::find(names->begin(), names->end(), wanted);
      if (found != names->end()) return static_cast<Row>(found - names->begin());
    }
    refuse("no such operator of a program above", name);
  }

  void read_memory(std::string_view device, std::string_view text) {
    const bool host = device == "host";
    MemoryEvents& events = profile_->memory_events;
    for (std::string_view piece : split(text, ',')) {
      const Attributes attributes = take_attributes(piece);
      const auto number = [&](std::string_view key) {
        const auto found = attributes.find(key);
        return found == attributes.end() ? kUnknown : number_in<std::int64_t>(found->second);
      };
      events.time.push_back(number_in<Time>(take_word(piece)));
      events.bytes.push_back(number_in<std::int64_t>(take_word(piece)));
      events.total_allocated.push_back(trim(piece) == "-" ? kUnknown : number_in<std::int64_t>(piece));
      events.total_reserved.push_back(number("reserved"));
      events.lane.push_back(lane_of_thread(attributes));
      events.device_type.push_back(host ? 0 : 1);
      events.device.push_back(host ? -1 : number_in<std::int64_t>(device));
      events.device_name.push_back(intern(host ? "CPU" : "GPU" + std::string(device)));
      events.address.push_back(number("at"));
    }
  }

  // Of one component; a line per component, those of a device together.
  void read_held(std::string_view who, std::string_view text) {
    MemoryUsage& usage = profile_->memory_usage;
    const StringId device = intern(take_word(who));
    const auto bytes = [](std::string_view word) { return word == "-" ? kUnknown : number_in<std::int64_t>(word); };
    for (std::string_view piece : split(text, ',')) {
      const Attributes attributes = take_attributes(piece);
      const auto active = attributes.find("active");
      usage.time.push_back(number_in<Time>(take_word(piece)));
      usage.device_name.push_back(device);
      usage.component.push_back(intern(trim(who)));
      usage.allocated.push_back(bytes(take_word(piece)));
      usage.reserved.push_back(bytes(trim(piece)));
      usage.active.push_back(active == attributes.end() ? kUnknown : number_in<std::int64_t>(active->second));
    }
  }

  // Figures after their names, such as "Free 30"; a name may have blanks.
  void read_sums(std::string_view step, std::string_view text) {
    ReportedSteps& sums = profile_->reported_steps;
    for (const std::string_view piece : split(text, ',')) {
      const std::size_t blank = piece.rfind(' ');
      if (blank == std::string_view::npos) refuse("not NAME TIME", piece);
      sums.step.push_back(step == "all" ? StringId::none : intern(step));
      sums.device.push_back(kUnknown);
      sums.name.push_back(intern(trim(piece.substr(0, blank))));
      sums.duration.push_back(number_in<Time>(piece.substr(blank + 1)));
    }
  }

  void read_counter(std::string_view name, std::string_view text) {
    TextLane lane;
    lane.kind = LaneKind::counter;
    lane.track = name;
    for (std::string_view piece : split(text, ',')) {
      profile_->counters.lane.push_back(static_cast<Row>(lanes_.size()));
      profile_->counters.time.push_back(number_in<Time>(take_word(piece)));
      profile_->counters.value.push_back(number_in<double>(piece));
    }
    lanes_.push_back(std::move(lane));
  }

  void read_communication(std::string_view text) {
    const Attributes about = take_attributes(text);
    Communications& all = profile_->communications;
    all.slice.push_back(kNoRow);
    all.step.push_back(text_in(about, "step"));
    all.name.push_back(intern(text));
    all.group.push_back(text_in(about, "group"));
    all.start.push_back(integer_in(about, "start"));
    all.elapsed.push_back(integer_in(about, "elapsed"));
    all.transit.push_back(integer_in(about, "transit"));
    all.wait.push_back(integer_in(about, "wait"));
    all.synchronization.push_back(integer_in(about, "sync"));
  }

  // "HCCS [of=NAME ...]": of the communication of that name, whose line comes before.
  void read_transfer(std::string_view text) {
    const Attributes about = take_attributes(text);
    Transfers& all = profile_->transfers;
    const StringId name = text_in(about, "of");
    const auto& known = profile_->communications.name;
    const auto of = std::find(known.begin(), known.end(), name);
    const bool between_ranks = about.contains("from");
    const Row row = of == known.end() || between_ranks ? kNoRow : static_cast<Row>(of - known.begin());
    all.communication.push_back(row);
    all.step.push_back(row == kNoRow ? text_in(about, "step") : profile_->communications.step[row]);
    all.name.push_back(name);
    all.group.push_back(text_in(about, "group"));
    all.group_ranks.push_back(text_in(about, "ranks"));
    all.transport.push_back(intern(text));
    all.source.push_back(integer_in(about, "from"));
    all.target.push_back(integer_in(about, "to"));
    all.bytes.push_back(integer_in(about, "bytes"));
    all.duration.push_back(integer_in(about, "time"));
    if (const auto packets = about.find("packets"); packets != about.end()) read_packets(packets->second);
  }

  // "3x10=40;1x2=5": three of 10 bytes that took 40 ns together, and so on.
  void read_packets(std::string_view text) {
    for (const std::string_view piece : split(text, ';')) {
      const std::size_t times = piece.find('x'), equals = piece.find('=');
      if (times == std::string_view::npos || equals == std::string_view::npos) refuse("not COUNTxBYTES=TIME", piece);
      profile_->packets.transfer.push_back(static_cast<Row>(profile_->transfers.rows() - 1));
      profile_->packets.count.push_back(number_in<std::int64_t>(piece.substr(0, times)));
      profile_->packets.bytes.push_back(number_in<std::int64_t>(piece.substr(times + 1, equals - times - 1)));
      profile_->packets.duration.push_back(number_in<Time>(piece.substr(equals + 1)));
    }
  }

  // By time, whichever lines they came from.
  void sort_memory() {
    MemoryEvents& events = profile_->memory_events;
    fill_unknown_columns(events);
    std::vector<Row> order(events.rows());
    std::iota(order.begin(), order.end(), Row{0});
    std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) { return events.time[a] < events.time[b]; });
    events.for_each_column([&](const ColumnInfo&, auto& column) {
      const std::vector unsorted(column.begin(), column.end());
      for (std::size_t i = 0; i < order.size(); ++i) column[i] = unsorted[order[i]];
    });
  }

  // The lane of "thread=TRACK", whose line must come before; none without it.
  Row lane_of_thread(const Attributes& attributes) const {
    const auto track = attributes.find("thread");
    if (track == attributes.end()) return kNoRow;
    const auto lane = std::find_if(lanes_.begin(), lanes_.end(), [&](const TextLane& l) { return l.track == track->second; });
    if (lane == lanes_.end()) refuse("no such thread above", track->second);
    return static_cast<Row>(lane - lanes_.begin());
  }

  void read_lane(LaneKind kind, std::string_view head, std::string_view text) {
    const bool on_host = kind == LaneKind::host_thread;
    TextLane lane;
    lane.kind = kind;
    if (!on_host) lane.device = 0;
    if (const std::size_t of = head.find(" of "); of != std::string_view::npos) {
      lane.device = number_in<std::int64_t>(head.substr(of + 4));
      head = head.substr(0, of);
    }
    if (head.ends_with('+')) {
      if (lanes_.empty()) refuse("an overflow lane without a lane", head);
      lane.overflow_of = static_cast<Row>(lanes_.size() - 1);
      head.remove_suffix(1);
    }
    lane.track = head;
    for (const std::string_view piece : split(text, ',')) lane.slices.push_back(slice_in(piece, on_host));
    std::stable_sort(lane.slices.begin(), lane.slices.end(), [](const TextSlice& a, const TextSlice& b) {
      return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    lanes_.push_back(std::move(lane));
  }

  // ---- tables ----

  void add_lane(const TextLane& lane) {
    Lanes& lanes = profile_->lanes;
    const Row row = static_cast<Row>(lanes.rows());
    const std::string_view word = lane_word(lane.kind);
    lanes.kind.push_back(lane.kind);
    lanes.process.push_back(kNoRow);
    lanes.device.push_back(lane.device);
    lanes.track.push_back(intern(lane.track));
    lanes.name.push_back(intern(std::string(word) + lane.track));
    lanes.overflow_of.push_back(lane.overflow_of);
    lanes.sort_key.push_back(row);
    lanes.first.push_back(static_cast<Row>(profile_->slices.rows()));
    std::vector<Row> open;
    for (const TextSlice& slice : lane.slices) add_slice(slice, row, lane.device, open);
    lanes.last.push_back(static_cast<Row>(profile_->slices.rows()));
  }

  void add_slice(const TextSlice& slice, Row lane, std::int64_t device, std::vector<Row>& open) {
    Slices& slices = profile_->slices;
    const Row row = static_cast<Row>(slices.rows());
    while (!open.empty() && profile_->end_of(open.back()) <= slice.start) open.pop_back();
    if (!open.empty() && profile_->end_of(open.back()) < slice.end) refuse("overlaps the slice before it", slice.name);
    slices.start.push_back(slice.start);
    slices.duration.push_back(slice.end - slice.start);
    slices.lane.push_back(lane);
    slices.parent.push_back(open.empty() ? kNoRow : open.back());
    slices.name.push_back(intern(slice.name));
    slices.kind.push_back(slice.kind);
    slices.depth.push_back(static_cast<std::uint8_t>(open.size()));
    slices.source.push_back(kUnknown);
    open.push_back(row);
    if (const auto does = slice.attributes.find("does"); does != slice.attributes.end()) {
      profile_->program_work.slice.push_back(row);
      profile_->program_work.program_operator.push_back(program_operator(does->second));
    }
    add_details(slice, row, device);
  }

  void add_details(const TextSlice& slice, Row row, std::int64_t device) {
    ++profile_->events;
    const bool annotates = slice.attributes.contains("annotation");
    if (slice.kind == SliceKind::op || (slice.kind == SliceKind::host_communication && !annotates)) add_operator(slice, row);
    if (slice.kind == SliceKind::collective || slice.kind == SliceKind::host_communication) add_collective(slice, row);
    if (slice.kind == SliceKind::step) add_step(slice, row);
    if (slice.kind == SliceKind::module) add_module(slice, row);
    if (slice.kind == SliceKind::runtime) add_launch(slice, row);
    if (is_device_work(slice.kind)) add_work(slice, row, device);
    add_cost(slice, row);
    for (const auto& [key, value] : slice.attributes) {
      if (key.starts_with("fact.")) add_fact(row, std::string_view(key).substr(5), value);
    }
    if (const auto id = integer(slice, "id"); id != kUnknown) range_with_id_[id] = row;
  }

  void add_operator(const TextSlice& slice, Row row) {
    Operators& operators = profile_->operators;
    operators.slice.push_back(row);
    operators.input_shapes.push_back(text(slice, "shapes"));
    operators.input_types.push_back(text(slice, "types"));
    operators.input_strides.push_back(text(slice, "strides"));
    operators.concrete_inputs.push_back(text(slice, "values"));
    operators.call_stack.push_back(text(slice, "stack"));
    operators.matrix_eligible.push_back(slice.attributes.contains("eligible"));
  }

  void add_collective(const TextSlice& slice, Row row) {
    Collectives& collectives = profile_->collectives;
    const auto named = slice.attributes.find("coll");
    const auto& names = kCollectiveKindNames;
    const auto kind = std::find(names.begin(), names.end(), named == slice.attributes.end() ? names.front() : named->second);
    if (kind == names.end()) refuse("no such collective", named->second);
    collectives.slice.push_back(row);
    collectives.kind.push_back(static_cast<CollectiveKind>(kind - names.begin()));
    collectives.name.push_back(text(slice, "coll"));
    collectives.group.push_back(text(slice, "group"));
    collectives.group_about.push_back(text(slice, "about"));
    collectives.group_ranks.push_back(text(slice, "ranks"));
    collectives.group_size.push_back(integer(slice, "n"));
    collectives.dtype.push_back(text(slice, "dtype"));
    collectives.in_elements.push_back(kUnknown);
    collectives.out_elements.push_back(kUnknown);
    collectives.in_bytes.push_back(integer(slice, "in"));
    collectives.out_bytes.push_back(integer(slice, "out"));
    collectives.sequence.push_back(integer(slice, "seq"));
  }

  void add_module(const TextSlice& slice, Row row) {
    profile_->modules.slice.push_back(row);
    profile_->modules.instance.push_back(integer(slice, "instance"));
  }

  void add_step(const TextSlice& slice, Row row) {
    profile_->steps.number.push_back(number_in<std::int64_t>(slice.name.substr(5)));
    profile_->steps.start.push_back(slice.start);
    profile_->steps.duration.push_back(slice.end - slice.start);
    profile_->steps.slice.push_back(row);
  }

  void add_launch(const TextSlice& slice, Row row) {
    profile_->launches.slice.push_back(row);
    profile_->launches.correlation.push_back(integer(slice, "corr"));
    launch_ext_.push_back(integer(slice, "ext"));
  }

  void add_work(const TextSlice& slice, Row row, std::int64_t device) {
    DeviceWork& work = profile_->device_work;
    work.slice.push_back(row);
    work.device.push_back(device);
    work.correlation.push_back(integer(slice, "corr"));
    work_ext_.push_back(integer(slice, "ext"));
    work.core_type.push_back(slice.attributes.contains("matrix")         ? CoreType::matrix
                             : slice.attributes.contains("vector")       ? CoreType::vector
                             : slice.attributes.contains("mixed")        ? CoreType::mixed
                             : slice.attributes.contains("host_core")    ? CoreType::host
                             : slice.attributes.contains("unknown_core") ? CoreType::unknown
                                                                         : CoreType::general);
    work.core.push_back(text(slice, "core"));
    work.type.push_back(text(slice, "type"));
    work.grid.push_back(text(slice, "grid"));
    work.block.push_back(text(slice, "block"));
    const std::int64_t registers = integer(slice, "registers");
    work.registers.push_back(registers == kUnknown ? -1 : static_cast<std::int32_t>(registers));
    work.shared_bytes.push_back(integer(slice, "shared"));
    work.blocks_per_core.push_back(real(slice, "blocks"));
    work.warps_per_core.push_back(real(slice, "warps"));
    work.occupancy.push_back(real(slice, "occ"));
    work.fill_source.push_back(slice.attributes.contains("computed")            ? FillSource::computed
                               : slice.attributes.contains("computed_for_zero") ? FillSource::computed_for_zero
                                                                                : FillSource::file);
    work.bytes.push_back(integer(slice, "bytes"));
  }

  // Its cost, if the text has any.
  void add_cost(const TextSlice& slice, Row row) {
    const auto said = [](const auto& attribute) { return attribute.first.starts_with("cost."); };
    if (std::none_of(slice.attributes.begin(), slice.attributes.end(), said)) return;
    WorkCosts& costs = profile_->work_costs;
    const Row cost = add_unknown_row(costs);
    costs.slice[cost] = row;
    if (const auto flops = slice.attributes.find("cost.flops"); flops != slice.attributes.end())
      costs.flops[cost] = number_in<double>(flops->second);
    costs.bytes[cost] = integer(slice, "cost.bytes");
    costs.bytes_read[cost] = integer(slice, "cost.read");
    costs.bytes_written[cost] = integer(slice, "cost.written");
  }

  void add_fact(Row slice, std::string_view title, const std::string& value) {
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const bool is_number = end == value.c_str() + value.size();
    profile_->work_facts.slice.push_back(slice);
    profile_->work_facts.name.push_back(intern(title));
    profile_->work_facts.number.push_back(is_number ? number : std::numeric_limits<double>::quiet_NaN());
    profile_->work_facts.text.push_back(is_number ? StringId::none : intern(value));
  }

  // By slice; communications find the slice of their name.
  void add_facts() {
    const auto is_number = [](std::string_view text) { return text.find_first_not_of("0123456789.") == std::string_view::npos; };
    for (Row slice = 0; slice < profile_->slices.rows(); ++slice) {
      const StringId name = profile_->slices.name[slice];
      for (const auto& [of, body] : facts_) {
        if (of != profile_->text(name)) continue;
        for (const std::string_view piece : split(body, ',')) {
          const std::size_t equals = piece.find('=');
          if (equals == std::string_view::npos) refuse("not NAME = VALUE", piece);
          const std::string_view value = trim(piece.substr(equals + 1));
          profile_->work_facts.slice.push_back(slice);
          profile_->work_facts.name.push_back(intern(trim(piece.substr(0, equals))));
          profile_->work_facts.number.push_back(is_number(value) ? number_in<double>(value)
                                                                 : std::numeric_limits<double>::quiet_NaN());
          profile_->work_facts.text.push_back(is_number(value) ? StringId::none : intern(value));
        }
      }
      for (Row i = 0; i < profile_->communications.rows(); ++i) {
        if (profile_->communications.name[i] == name) profile_->communications.slice[i] = slice;
      }
    }
  }

  // ---- attribution ----

  static bool can_own(SliceKind kind) {
    return kind == SliceKind::op || kind == SliceKind::step || kind == SliceKind::module || kind == SliceKind::annotation ||
           kind == SliceKind::data_loading || kind == SliceKind::optimizer || kind == SliceKind::host_communication;
  }

  void own_launches() {
    Launches& launches = profile_->launches;
    for (Row i = 0; i < launches.rows(); ++i) {
      const auto named = range_with_id_.find(launch_ext_[i]);
      Row owner = named == range_with_id_.end() ? profile_->slices.parent[launches.slice[i]] : named->second;
      while (owner != kNoRow && !can_own(profile_->slices.kind[owner])) owner = profile_->slices.parent[owner];
      launches.owner.push_back(owner);
      launches.rule.push_back(owner == kNoRow                 ? OwnerRule::none
                              : named == range_with_id_.end() ? OwnerRule::containment
                                                              : OwnerRule::linked_id);
    }
  }

  void own_device_work() {
    DeviceWork& work = profile_->device_work;
    for (Row i = 0; i < work.rows(); ++i) {
      const Row launch = launch_of(work.correlation[i]);
      const auto named = range_with_id_.find(work_ext_[i]);
      work.launch.push_back(launch);
      if (launch != kNoRow) {
        work.owner.push_back(profile_->launches.owner[launch]);
        work.rule.push_back(profile_->launches.rule[launch]);
      } else {
        work.owner.push_back(named == range_with_id_.end() ? kNoRow : named->second);
        work.rule.push_back(named == range_with_id_.end() ? OwnerRule::none : OwnerRule::device_id);
      }
    }
  }

  Row launch_of(std::int64_t correlation) const {
    const auto& known = profile_->launches.correlation;
    const auto found = std::find(known.begin(), known.end(), correlation);
    return correlation == kUnknown || found == known.end() ? kNoRow : static_cast<Row>(found - known.begin());
  }

  void set_span() {
    const Slices& slices = profile_->slices;
    for (Row row = 0; row < slices.rows(); ++row) {
      profile_->span_start = row == 0 ? slices.start[row] : std::min(profile_->span_start, slices.start[row]);
      profile_->span_end = std::max(profile_->span_end, profile_->end_of(row));
    }
    profile_->file = "text";
    profile_->format = "text";
  }

  // ---- attributes ----

  StringId intern(std::string_view text) { return profile_->strings.intern(text); }

  StringId text(const TextSlice& slice, std::string_view key) { return text_in(slice.attributes, key); }

  StringId text_in(const Attributes& attributes, std::string_view key) {
    const auto found = attributes.find(key);
    return found == attributes.end() ? StringId::none : intern(found->second);
  }

  static std::int64_t integer(const TextSlice& slice, std::string_view key) { return integer_in(slice.attributes, key); }

  static std::int64_t integer_in(const Attributes& attributes, std::string_view key) {
    const auto found = attributes.find(key);
    return found == attributes.end() ? kUnknown : number_in<std::int64_t>(found->second);
  }

  static float real(const TextSlice& slice, std::string_view key) {
    const auto found = slice.attributes.find(key);
    return found == slice.attributes.end() ? kUnknownReal : number_in<float>(found->second);
  }

  std::unique_ptr<Profile> profile_ = std::make_unique<Profile>();
  std::vector<TextLane> lanes_;
  std::map<std::int64_t, Row> range_with_id_;
  std::vector<std::pair<std::string, std::string>> facts_;  // of slices of a name
  std::vector<std::int64_t> launch_ext_;                    // by row of launches
  std::vector<std::int64_t> work_ext_;                      // by row of device_work
};

}  // namespace

std::unique_ptr<Profile> parse_text_profile(std::string_view text) { return Builder().build(text); }

ProfilePtr text_profile(std::string_view text) { return parse_text_profile(text); }

}  // namespace sightline::tests

// From rows in ps to slices in ns: the zero of time, the lanes, and their side tables in the order of the slices.
#include "formats/neuron/ntff_profile.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "base/memory.h"
#include "base/sort.h"
#include "formats/common/profile_builder.h"
#include "formats/neuron/device_rows.h"
#include "formats/neuron/instruction_text.h"
#include "model/stated_names.h"
#include "model/tables.h"

namespace sightline::formats::neuron {

namespace {

constexpr std::size_t kFactsOfInstruction = 5;
constexpr int kProgramBegins = 2;  // hint of the NOTIFY that every engine executes first in the program

std::int64_t nanoseconds(std::int64_t ps) { return ps >= 0 ? ps / 1000 : -((-ps + 999) / 1000); }

// The names are those of the vendor's tool for copies, which uses some others for queues. A queue that engines fill while the
// program runs has its own name; the number of its type does not show it. Engines fetch their instructions over queues that
// no program declares.
std::string_view queue_type(const Queue& queue) {
  if (queue.name.find("DynamicHW") != std::string::npos) return "hardware_dynamic";
  if (queue.name.find("Dynamic") != std::string::npos) return "software_dynamic";
  switch (queue.type) {
    case 1: return "instruction";
    case 2: return "data";
    case 3: return "input";
    case 4: return "output";
    default: return "";
  }
}

struct SlotText {
  StringId opcode = StringId::none, operands = StringId::none;
  std::uint8_t code = 0;
  std::int64_t flops = kUnknown;
  double scaled_flops = kUnknownReal;  // scaled to 16-bit elements
};

// Two instructions use the Tensor engine's matrix units; the others run beside them.
CoreType core_type(Engine engine, std::uint8_t opcode) {
  if (opcode == kMatmul || opcode == kLoadWeights) return CoreType::matrix;
  return engine == Engine::dve ? CoreType::vector : CoreType::general;
}

// Names of facts, as in the vendor's tool.
struct FactNames {
  explicit FactNames(StringPool& strings)
      : operands(strings.intern("operands")),
        pc(strings.intern("pc")),
        evt_wait_time(strings.intern("evt_wait_time")),
        crc_in(strings.intern("crc_in")),
        crc_out(strings.intern("crc_out")),
        flops(strings.intern("flops")),
        scaled_flops(strings.intern(stated::kScaledFlops)),
        crc(strings.intern("crc")),
        k(strings.intern("k")),
        n(strings.intern("n")) {}
  StringId operands, pc, evt_wait_time, crc_in, crc_out, flops, scaled_flops, crc, k, n;
};

class GraphProfile {
 public:
  GraphProfile(const NtffHeader& header, const Graph& graph, NotificationRows& rows, Profile& profile)
      : header_(header), graph_(graph), rows_(rows), p_(profile), out_(profile), names_(profile.strings) {
    for (std::size_t engine = 0; engine < kEngines; ++engine) texts_[engine].resize(slots_of(engine));
  }

  void run() {
    find_begin();
    find_end();
    find_dependencies();
    reserve();
    core_ = fmt::format("NeuronCore {}", graph_.core);
    device_ = graph_.core < 1u << 20 ? static_cast<std::int64_t>(graph_.core) : kUnknown;
    facts_.instance_type = header_.instance_type;
    if (header_.architecture < 16) facts_.generation = static_cast<int>(header_.architecture) + 1;
    const Row core = out_.add_process(core_);
    add_engines(core);
    add_throttling(core);
    const Row dma = out_.add_process("DMA");
    add_queues(dma);
    add_packets_in_flight(dma);
    add_semaphores(out_.add_process("Semaphores"));
    add_flows();
    fill_what_is_the_same();
    add_core(p_, device_, facts_);
    add_memory();
    p_.span_end = since_begin(end_);
    note_lost();
    const auto note = [&](std::int64_t count, Severity severity, std::string_view code, const char* message) {
      if (count != 0) p_.add_problem(severity, code, message, count, 0);
    };
    note(unfinished_, Severity::warning, "unfinished_slice",
         "instructions that were still running at the end of the recording are drawn to its end");
    note(outside_, Severity::note, "of_the_runtime",
         "work of the runtime before the program began, and its waiting for the next program, were left out");
    note(strangers_, Severity::note, "not_of_the_program",
         "instructions that ran during the program but are not part of it were left out");
  }

 private:
  std::size_t slots_of(std::size_t engine) const {
    std::size_t slots = 0;
    for (const Code& code : graph_.code) slots += code.engine == engine ? code.slots.size() / kSlotBytes : 0;
    return slots;
  }

  // Reserves room for all rows at once: growing by halves would copy long columns several times.
  void reserve() {
    const std::size_t instructions = rows_in(rows_.instructions), packets = rows_in(rows_.packets);
    const auto room = [](auto& table, std::size_t rows) {
      table.for_each_column([&](const ColumnInfo&, auto& column) { column.reserve(rows); });
    };
    room(p_.slices, instructions + packets + rows_.throttle.size());
    room(p_.fine_times, instructions + packets + rows_.throttle.size());
    room(p_.work_facts, kFactsOfInstruction * instructions + packets + 2 * rows_.throttle.size());
    room(p_.counters, rows_in(rows_.semaphores) + 2 * packets);
    begun_.reserve(packets);
    ended_.reserve(packets);
    p_.device_work.slice.reserve(instructions + packets);
    p_.device_work.core_type.reserve(instructions + packets);
    p_.device_work.core.reserve(instructions + packets);
    p_.device_work.type.reserve(instructions + packets);
    p_.device_work.bytes.reserve(instructions + packets);
    p_.work_costs.slice.reserve(packets);
    p_.work_costs.flops.reserve(packets);
    p_.work_costs.bytes.reserve(packets);
  }

  // The columns of these tables that add_work and add_cost do not write.
  void fill_what_is_the_same() {
    p_.device_work.device = uniform_column(p_.device_work.rows(), device_);
    fill_unknown_columns(p_.device_work);
    fill_unknown_columns(p_.work_costs);
  }

  void add_work(Row slice, StringId core, CoreType core_type, StringId type, std::int64_t bytes) {
    p_.device_work.slice.push_back(slice);
    p_.device_work.core_type.push_back(core_type);
    p_.device_work.core.push_back(core);
    p_.device_work.type.push_back(type);
    p_.device_work.bytes.push_back(bytes);
  }

  void add_cost(Row slice, double flops, std::int64_t bytes) {
    p_.work_costs.slice.push_back(slice);
    p_.work_costs.flops.push_back(flops);
    p_.work_costs.bytes.push_back(bytes);
  }

  template <typename Row, std::size_t lanes>
  static std::size_t rows_in(const std::array<RowChunks<Row>, lanes>& by_lane) {
    std::size_t rows = 0;
    for (const RowChunks<Row>& of_lane : by_lane) rows += of_lane.size();
    return rows;
  }

  // Frees rows that have become a lane, lane by lane, so rows and tables are never in memory together.
  template <typename Row>
  static void give_back(RowChunks<Row>& rows) {
    if (rows.empty()) return;
    rows.clear();
    return_freed_memory();
  }

  // ---- time ----

  // The end of the last engine's mark that the program begins; without a mark, the first instruction of the program.
  void find_begin() {
    std::int64_t marked = kUnknown, first = std::numeric_limits<std::int64_t>::max();
    for (std::size_t engine = 0; engine < kEngines; ++engine) {
      const std::vector<bool> begins = begin_marks(engine);
      for (const InstructionRow& row : rows_.instructions[engine]) {
        if (row.slot == kNoSlot) continue;
        first = std::min(first, row.start);
        if (begins[row.slot]) marked = std::max(marked, row.unfinished() ? row.start : row.end());
      }
    }
    if (marked == kUnknown) {
      each_row(rows_.packets, [&](const PacketRow& row) { first = std::min(first, row.start); });
      each_row(rows_.semaphores, [&](const SemaphoreRow& row) { first = std::min(first, row.time); });
      for (const ThrottleRow& row : rows_.throttle) first = std::min(first, row.time);
      marked = first == std::numeric_limits<std::int64_t>::max() ? 0 : first;
      p_.add_problem(Severity::warning, "no_begin",
                     "no instruction marks the start of the program: times count from the first recorded instruction, and "
                     "earlier work of the runtime cannot be separated",
                     1, 0);
    }
    begin_ = marked;
  }

  // By slot: whether it marks the beginning of the program.
  std::vector<bool> begin_marks(std::size_t engine) const {
    std::vector<bool> marks;
    for (std::uint32_t slot = 0; slot < texts_[engine].size(); ++slot)
      marks.push_back(notify_hint(slot_bytes(graph_, static_cast<Engine>(engine), slot)) == kProgramBegins);
    return marks;
  }

  // The latest end of what was recorded of the program.
  void find_end() {
    end_ = begin_;
    const auto reach = [&](std::int64_t time) { end_ = std::max(end_, time); };
    each_row(rows_.instructions, [&](const InstructionRow& row) {
      if (row.slot != kNoSlot && !row.unfinished()) reach(row.end());
    });
    each_row(rows_.packets, [&](const PacketRow& row) { reach(row.start + row.duration); });
    each_row(rows_.semaphores, [&](const SemaphoreRow& row) { reach(row.time); });
    for (const ThrottleRow& row : rows_.throttle) reach(row.time);
  }

  template <typename Row, std::size_t lanes, typename Take>
  static void each_row(const std::array<RowChunks<Row>, lanes>& by_lane, const Take& take) {
    for (const RowChunks<Row>& rows : by_lane) {
      for (const Row& row : rows) take(row);
    }
  }

  // ns since the program began.
  Time since_begin(std::int64_t ps) const { return nanoseconds(ps - begin_); }

  bool is_outside(std::int64_t ps) {
    outside_ += ps < begin_;
    return ps < begin_;
  }

  // ---- engines ----

  const SlotText& text_of(std::size_t engine, std::uint32_t slot) {
    SlotText& text = texts_[engine][slot];
    if (text.opcode == StringId::none) {
      const std::string_view bytes = slot_bytes(graph_, static_cast<Engine>(engine), slot);
      text.code = static_cast<std::uint8_t>(bytes[0]);
      text.opcode = p_.strings.intern(opcode_name(text.code));
      text.operands = p_.strings.intern(operand_text(bytes));
      text.flops = matmul_flops(bytes);
      if (text.flops != kUnknown)
        text.scaled_flops = static_cast<double>(text.flops) * flops_scale(element_type(p_.text(text.operands)), facts_);
    }
    return text;
  }

  // Matrix products run beside the other instructions of their engine, so they have a separate lane.
  void add_engines(Row process) {
    add_engine(process, Engine::pe, true, "TensorMatrix");
    for (const Engine engine : {Engine::pe, Engine::dve, Engine::act, Engine::pool, Engine::sp}) {
      add_engine(process, engine, false, engine_name(engine));
      give_back(rows_.instructions[static_cast<std::size_t>(engine)]);
    }
  }

  void add_engine(Row process, Engine which, bool matrix, std::string_view name) {
    const auto engine = static_cast<std::size_t>(which);
    const RowChunks<InstructionRow>& rows = rows_.instructions[engine];
    std::vector<NewSlice> slices;
    std::vector<std::uint32_t> from;  // rows
    slices.reserve(rows.size());
    from.reserve(rows.size());
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const InstructionRow& row = rows[i];
      if (row.slot == kNoSlot) {
        if (!matrix && !is_outside(row.start)) ++strangers_;
        continue;
      }
      const SlotText& text = text_of(engine, row.slot);
      if ((which == Engine::pe && text.code == kMatmul) != matrix || is_outside(row.start)) continue;
      // The runtime waits for its next program.
      if (row.unfinished() && row.start >= end_) {
        ++outside_;
        continue;
      }
      const std::int64_t duration = row.unfinished() ? end_ - row.start : row.duration;
      // Waiting for a semaphore is not work.
      const SliceKind kind = text.code == kEventSemaphore ? SliceKind::sync : SliceKind::kernel;
      slices.push_back({since_begin(row.start), nanoseconds(duration), text.opcode, kind, row.source});
      from.push_back(i);
      unfinished_ += row.unfinished();
    }
    if (slices.empty()) return;
    const StringId core = p_.strings.intern(name);
    out_.add_lane({LaneKind::engine, process, device_, engine_name(which), name}, slices, [&](std::size_t i, Row slice) {
      const InstructionRow& row = rows[from[i]];
      const SlotText& text = text_of(engine, row.slot);
      out_.add_fine_time(slice, row.start - begin_, row.unfinished() ? end_ - row.start : row.duration);
      if (slices[i].kind == SliceKind::kernel) add_work(slice, core, core_type(which, text.code), StringId::none, kUnknown);
      if (text.flops != kUnknown) add_cost(slice, static_cast<double>(text.flops), kUnknown);
      add_instruction_facts(slice, row, text);
      if (!slice_of_[engine].empty()) slice_of_[engine][from[i]] = slice;
    });
  }

  // Waiting is counted in cycles of 1.4 GHz, regardless of the engine's clock.
  void add_instruction_facts(Row slice, const InstructionRow& row, const SlotText& text) {
    out_.add_fact(slice, names_.operands, text.operands);
    out_.add_fact(slice, names_.pc, row.slot);
    const int whole_ns_waited = row.wait_cycles * 10 / 14;
    out_.add_fact(slice, names_.evt_wait_time, whole_ns_waited);
    if (!row.unfinished()) {
      out_.add_fact(slice, names_.crc_in, row.crc_in());
      out_.add_fact(slice, names_.crc_out, row.crc_out());
    }
    if (text.flops != kUnknown) out_.add_fact(slice, names_.flops, static_cast<double>(text.flops));
    if (text.scaled_flops == text.scaled_flops) out_.add_fact(slice, names_.scaled_flops, text.scaled_flops);
  }

  // Each state lasts until the next one, exact to the ps.
  void add_throttling(Row process) {
    std::vector<NewSlice> slices;
    std::vector<const ThrottleRow*> from;
    std::vector<std::int64_t> lengths;  // ps
    for (std::size_t i = 0; i < rows_.throttle.size(); ++i) {
      const ThrottleRow& row = rows_.throttle[i];
      if (is_outside(row.time)) continue;
      const std::int64_t end = i + 1 < rows_.throttle.size() ? rows_.throttle[i + 1].time : end_;
      lengths.push_back(std::max<std::int64_t>(0, end - row.time));
      const std::string name = row.of == 0 ? "limit unknown" : fmt::format("limit {}/{}", row.limit, row.of);
      slices.push_back(
          {since_begin(row.time), nanoseconds(lengths.back()), p_.strings.intern(name), SliceKind::other, row.source});
      from.push_back(&row);
    }
    if (slices.empty()) return;
    out_.add_lane({LaneKind::engine, process, device_, "throttling", "Throttling"}, slices, [&](std::size_t i, Row slice) {
      out_.add_fine_time(slice, from[i]->time - begin_, lengths[i]);
      if (from[i]->of == 0) return;
      out_.add_fact(slice, names_.k, from[i]->limit);
      out_.add_fact(slice, names_.n, from[i]->of);
    });
  }

  // ---- DMA ----

  void add_queues(Row process) {
    for (std::size_t key = 0; key < rows_.packets.size(); ++key) {
      add_queue(process, key / NotificationRows::kDmaEngines, key % NotificationRows::kDmaEngines, rows_.packets[key]);
      give_back(rows_.packets[key]);
    }
  }

  void add_queue(Row process, std::size_t queue, std::size_t engine, const RowChunks<PacketRow>& rows) {
    const auto known = std::find_if(graph_.queues.begin(), graph_.queues.end(),
                                    [&](const Queue& q) { return q.queue == queue && q.engine == engine; });
    const bool named = known != graph_.queues.end() && !known->name.empty();
    const std::string name = named ? known->name : fmt::format("Q{}", queue);
    const std::string title = named ? fmt::format("{}-Q{}-E{}", name, queue, engine) : fmt::format("Q{}-E{}", queue, engine);
    std::vector<NewSlice> slices;
    std::vector<std::uint32_t> from;  // rows
    slices.reserve(rows.size());
    from.reserve(rows.size());
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const PacketRow& row = rows[i];
      if (is_outside(row.start)) continue;
      slices.push_back({since_begin(row.start), nanoseconds(row.duration), StringId::none, SliceKind::memcpy, row.source});
      from.push_back(i);
      begun_.push_back(since_begin(row.start));
      ended_.push_back(since_begin(row.start + row.duration));
    }
    if (slices.empty()) return;
    const StringId type = p_.strings.intern(known != graph_.queues.end() ? queue_type(*known) : "instruction");
    const StringId called = p_.strings.intern(name);
    for (NewSlice& slice : slices) slice.name = called;
    const std::string track = fmt::format("Q{}-E{}", queue, engine);
    const StringId core = p_.strings.intern(fmt::format("DMA {}", engine));
    out_.add_lane({LaneKind::queue, process, device_, track, title}, slices, [&](std::size_t i, Row slice) {
      const PacketRow& row = rows[from[i]];
      out_.add_fine_time(slice, row.start - begin_, row.duration);
      add_work(slice, core, CoreType::unknown, type, row.bytes);
      add_cost(slice, static_cast<double>(kUnknownReal), row.bytes);
      out_.add_fact(slice, names_.crc, row.crc);
    });
  }

  void add_packets_in_flight(Row process) {
    if (begun_.empty()) return;
    sort_times(begun_);
    sort_times(ended_);
    const Row lane =
        out_.add_counter_lane({LaneKind::counter, process, kUnknown, "DMA packets in flight", "DMA packets in flight"});
    std::size_t begun = 0, ended = 0;  // how many, by the time
    while (ended < ended_.size()) {
      const Time time = begun < begun_.size() ? std::min(begun_[begun], ended_[ended]) : ended_[ended];
      while (begun < begun_.size() && begun_[begun] == time) ++begun;
      while (ended < ended_.size() && ended_[ended] == time) ++ended;
      out_.add_sample(lane, time, static_cast<double>(begun - ended));
    }
    begun_ = {};
    ended_ = {};
  }

  // The times are those of one queue after the other, each mostly in order: sorted runs are merged until one is left.
  static void sort_times(std::vector<Time>& times) {
    std::vector<std::vector<Time>::iterator> ends{times.begin()};  // of runs
    while (ends.back() != times.end()) ends.push_back(std::is_sorted_until(ends.back(), times.end()));
    while (ends.size() > 2) {
      std::vector<std::vector<Time>::iterator> merged{times.begin()};
      for (std::size_t run = 0; run + 1 < ends.size(); run += 2) {
        const std::size_t end = std::min(run + 2, ends.size() - 1);
        std::inplace_merge(ends[run], ends[run + 1], ends[end]);
        merged.push_back(ends[end]);
      }
      ends = std::move(merged);
    }
  }

  // ---- semaphores ----

  void add_semaphores(Row process) {
    for (std::size_t number = 0; number < rows_.semaphores.size(); ++number) {
      std::vector<SemaphoreRow> changes;
      for (const SemaphoreRow& row : rows_.semaphores[number]) {
        if (!is_outside(row.time)) changes.push_back(row);
      }
      give_back(rows_.semaphores[number]);
      if (changes.empty()) continue;
      sort_up(changes, &SemaphoreRow::time);
      const bool event = number >= NotificationRows::kSemaphores;
      const std::string name = fmt::format("{}[{}]", event ? "E" : "S", number % NotificationRows::kSemaphores);
      const Row lane = out_.add_counter_lane({LaneKind::counter, process, kUnknown, name, name});
      for (const SemaphoreRow& row : changes) out_.add_sample(lane, since_begin(row.time), row.value);
    }
  }

  // ---- the rest ----

  void find_dependencies() {
    dependencies_ = dependencies(graph_, rows_);
    if (dependencies_.empty()) return;
    for (std::size_t engine = 0; engine < kEngines; ++engine) slice_of_[engine].resize(rows_.instructions[engine].size(), kNoRow);
  }

  void add_flows() {
    for (const Dependency& dependency : dependencies_) {
      const Row from = slice_of_[dependency.from.engine][dependency.from.row];
      const Row to = slice_of_[dependency.to.engine][dependency.to.row];
      if (from == kNoRow || to == kNoRow) continue;
      out_.add_flow(FlowKind::other, from, to);
    }
  }

  // Records for which the device had no room: each mark follows one or more of them. Setting up a program changes all
  // semaphores at once, so nearly always some are lost before it begins, where nothing is shown.
  void note_lost() {
    std::map<TraceKind, std::pair<std::int64_t, std::int64_t>> lost;  // in the program: marks, and the place of the first
    std::int64_t before = 0, first_before = 0;
    for (const LostMark& mark : rows_.lost) {
      const bool outside = mark.time != kUnknown && mark.time < begin_;
      if (outside && before++ == 0) first_before = mark.source;
      if (!outside) ++lost.try_emplace(mark.kind, 0, mark.source).first->second.first;
    }
    if (before != 0) {
      p_.add_problem(Severity::note, "overflow_before",
                     "places before the start of the program at which the device had no room for a record: no data of the "
                     "program is missing",
                     before, first_before);
    }
    for (const auto& [kind, marks] : lost) {
      p_.add_problem(kind == TraceKind::event ? Severity::note : Severity::warning, "overflow",
                     say("places at which the device had no room for {}: one or more are missing before each", what_of(kind)),
                     marks.first, marks.second);
    }
  }

  static Message what_of(TraceKind kind) {
    switch (kind) {
      case TraceKind::event: return say("changes of semaphores");
      case TraceKind::dma: return say("DMA packets");
      case TraceKind::throttle: return say("throttle states");
      default: return say("instructions");
    }
  }

  // The device memory that each kind of data used while the program ran.
  void add_memory() {
    std::map<std::string_view, std::uint64_t> by_holder;
    for (const MemoryShare& share : graph_.memory) by_holder[share.holder] += share.bytes;
    for (const auto& [holder, bytes] : by_holder)
      out_.add_memory(core_, holder, bytes >> 62 == 0 ? static_cast<std::int64_t>(bytes) : kUnknown);
  }

  const NtffHeader& header_;
  const Graph& graph_;
  NotificationRows& rows_;
  Profile& p_;
  ProfileBuilder out_;
  FactNames names_;
  std::string core_;                                   // as shown to people
  std::int64_t device_ = kUnknown;                     // its ordinal
  CoreFacts facts_;                                    // its properties
  std::array<std::vector<SlotText>, kEngines> texts_;  // by slot, made on first use
  std::vector<Dependency> dependencies_;
  std::array<std::vector<Row>, kEngines> slice_of_;            // by row of instructions; kNoRow: left out; empty: not needed
  std::vector<Time> begun_, ended_;                            // of all packets, queue by queue
  std::int64_t begin_ = 0;                                     // ps
  std::int64_t end_ = 0;                                       // ps
  std::int64_t outside_ = 0, strangers_ = 0, unfinished_ = 0;  // counted
};

}  // namespace

std::string_view engine_name(Engine engine) {
  constexpr std::array<std::string_view, kEngines> kNames{"Tensor", "Scalar", "GpSimd", "Vector", "Sync"};
  return kNames[static_cast<std::size_t>(engine)];
}

void add_graph(const NtffHeader& header, const Graph& graph, NotificationRows& rows, Profile& profile) {
  GraphProfile(header, graph, rows, profile).run();
}

}  // namespace sightline::formats::neuron

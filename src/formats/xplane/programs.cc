// Fills the tables operators, programs and program_work.
#include "formats/xplane/programs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <unordered_set>

#include "base/sort.h"
#include "base/text.h"
#include "formats/common/categories.h"
#include "formats/xplane/hlo_module.h"

namespace sightline::formats::xplane {

// ---- operators of the host ----

void add_operators(Builder& b) {
  Profile& p = b.profile();
  std::unordered_set<StringId> launched(b.launch_hlo.begin(), b.launch_hlo.end());
  launched.erase(StringId::none);
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    SliceKind& kind = p.slices.kind[slice];
    if (kind == SliceKind::annotation && launched.contains(p.slices.name[slice])) kind = SliceKind::op;
    if (kind != SliceKind::op) continue;
    const Row row = add_unknown_row(p.operators);
    p.operators.slice[row] = slice;
    p.operators.matrix_eligible[row] = is_matrix_eligible(p.text(p.slices.name[slice]));
  }
}

void find_matrix_operators(Builder& b) {
  Profile& p = b.profile();
  Row work = 0;
  for (Row row = 0; row < p.operators.rows(); ++row) {
    while (work < p.program_work.rows() && p.program_work.slice[work] < p.operators.slice[row]) ++work;
    if (work == p.program_work.rows()) break;
    if (p.program_work.slice[work] != p.operators.slice[row]) continue;
    const Row executed = p.program_work.program_operator[work];
    if (!std::isnan(p.program_operators.flops[executed])) p.operators.matrix_eligible[row] = true;
  }
}

// ---- programs ----
// Rows of operators are in an order in which an operator comes before those that are fused into it: computations from the
// entry on, each with the first instruction that calls it.

namespace {

// The start and the end of an asynchronous operator: its bytes move between them, not in their time.
bool is_part_of_asynchronous(std::string_view opcode) { return opcode.ends_with("-start") || opcode.ends_with("-done"); }

// "jit_f(17)" -> "17"; the whole name if it has no number.
std::string_view number_in(std::string_view name) {
  const std::size_t open = name.rfind('(');
  return open != std::string_view::npos && name.ends_with(')') ? name.substr(open + 1, name.size() - open - 2) : name;
}

// The kernel of the operator "dot.15" is called "dot_15".
std::string kernel_name(std::string_view operator_name) {
  std::string name(operator_name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

// Fusions by the usual name of their kind; everything else by its operation.
std::string category_of(const HloInstruction& instruction) {
  if (instruction.opcode != "fusion") return to_utf8(instruction.opcode);
  if (instruction.fusion_kind == "kLoop") return "loop fusion";
  if (instruction.fusion_kind == "kInput") return "input fusion";
  if (instruction.fusion_kind == "kOutput") return "output fusion";
  if (instruction.fusion_kind == "kCustom") return "custom fusion";
  return "fusion";
}

// These run other computations one after the other; all others contain what they call.
bool runs_others(std::string_view opcode) {
  return opcode == "while" || opcode == "conditional" || opcode == "call" || opcode.starts_with("async");
}

// Instructions in the order in which they run; called computations are inside their caller.
std::unordered_map<std::int64_t, std::int64_t> places_of(const HloModule& module) {
  std::unordered_map<std::int64_t, const HloInstruction*> instructions;
  for (const HloComputation& computation : module.computations) {
    for (const HloInstruction& instruction : computation.instructions) instructions[instruction.id] = &instruction;
  }
  std::unordered_map<std::int64_t, std::int64_t> places;
  std::unordered_set<std::int64_t> entered;
  struct Open {
    const std::vector<std::int64_t>* order;
    std::size_t next;
  };
  std::vector<Open> open;
  const auto enter = [&](std::int64_t computation) {
    const auto order = module.schedule.find(computation);
    if (order != module.schedule.end() && entered.insert(computation).second) open.push_back({&order->second, 0});
  };
  enter(module.entry);
  while (!open.empty()) {
    Open& at = open.back();
    if (at.next == at.order->size()) {
      open.pop_back();
      continue;
    }
    const std::int64_t id = (*at.order)[at.next++];
    places.try_emplace(id, static_cast<std::int64_t>(places.size()));
    const auto instruction = instructions.find(id);
    if (instruction == instructions.end() || !runs_others(instruction->second->opcode)) continue;
    // Last in, first out; a loop names its body before its condition, which runs before it.
    std::vector<std::int64_t> called = instruction->second->called;
    if (instruction->second->opcode != "while") std::reverse(called.begin(), called.end());
    for (const std::int64_t computation : called) enter(computation);
  }
  return places;
}

// With its memory space, unless that is the device's default memory.
std::string use_of(const HloAllocation& allocation) {
  const std::string_view use = allocation.constant        ? "constant"
                               : allocation.parameter     ? "parameter"
                               : allocation.output        ? "output"
                               : allocation.thread_local_ ? "thread-local"
                                                          : "temporary";
  return allocation.space == 0 ? std::string(use) : fmt::format("{}, memory space {}", use, allocation.space);
}

// Sizes larger than any memory come from a damaged file.
std::int64_t plausible_size(std::int64_t bytes) { return bytes >= 0 && bytes < std::int64_t{1} << 44 ? bytes : kUnknown; }

std::int64_t whole(double bytes) { return bytes >= 0 && bytes < 9e18 ? std::llround(bytes) : kUnknown; }

// The first and last place of a value in the schedule.
struct Life {
  std::int64_t first = kUnknown, last = kUnknown;
};

// The events of a heap are in order, and the instruction that produces a value gives the place in the schedule. In a program
// without a schedule each new value is a separate place.
template <typename PlaceOf>
void add_lives(const std::vector<HloHeapEvent>& heap, bool scheduled, PlaceOf&& place_of,
               std::unordered_map<std::int64_t, Life>& lives) {
  std::int64_t now = -1;
  for (const HloHeapEvent& event : heap) {
    Life& life = lives[event.buffer];
    if (event.kind == HloHeapEvent::Kind::free) {
      life.last = now;
    } else {
      now = scheduled ? std::max({now, std::int64_t{0}, place_of(event.buffer)}) : now + 1;
      life.first = now;
    }
  }
  // A value that is never freed lives until the end.
  for (const HloHeapEvent& event : heap) {
    Life& life = lives[event.buffer];
    if (life.last == kUnknown) life.last = now;
  }
}

}  // namespace

Row Programs::add_operator(const Program& program, StringId program_id, StringId name) {
  const Row row = add_unknown_row(p_.program_operators);
  p_.program_operators.program[row] = program.name;
  p_.program_operators.program_id[row] = program_id;
  p_.program_operators.name[row] = name;
  return row;
}

void Programs::add_operators(const HloModule& module, const Places& places, Program& program, StringId program_id) {
  std::unordered_map<std::int64_t, const HloComputation*> computations;
  for (const HloComputation& computation : module.computations) computations[computation.id] = &computation;
  HloCosts costs(module);
  const auto first_row = static_cast<Row>(p_.program_operators.rows());
  std::map<std::int64_t, Row> library_calls;  // by place
  std::unordered_set<std::int64_t> taken;
  std::vector<std::pair<const HloComputation*, Row>> waiting;  // and the operator that they are fused into
  const auto call = [&](std::int64_t id, Row into) {
    const auto at = computations.find(id);
    if (at != computations.end() && taken.insert(id).second) waiting.emplace_back(at->second, into);
  };
  const auto text = [&](std::string_view view) { return p_.strings.intern(to_utf8(view)); };
  call(module.entry, kNoRow);
  std::size_t rest = 0;  // computations without a caller come last
  for (std::size_t next = 0; next < waiting.size() || rest < module.computations.size(); ++next) {
    while (next == waiting.size() && rest < module.computations.size()) call(module.computations[rest++].id, kNoRow);
    if (next == waiting.size()) break;
    const auto [computation, into] = waiting[next];
    for (const HloInstruction& instruction : computation->instructions) {
      const Row row = add_operator(program, program_id, text(instruction.name));
      ProgramOperators& operators = p_.program_operators;
      operators.opcode[row] = text(instruction.opcode);
      operators.category[row] = p_.strings.intern(category_of(instruction));
      operators.framework_operator[row] = text(instruction.framework_operator);
      operators.source[row] = text(module.source_of(instruction));
      operators.shape[row] = p_.strings.intern(shape_text(instruction.shape));
      operators.fused_into[row] = into;
      const HloCost cost = costs.of(instruction);
      operators.flops[row] = cost.flops;
      operators.bytes[row] = whole(cost.bytes);
      program.operators.try_emplace(operators.name[row], row);
      if (into == kNoRow) {
        const auto [at, is_new] = program.kernels.try_emplace(kernel_name(instruction.name), row);
        if (!is_new) at->second = kNoRow;
        const auto place = places.find(instruction.id);
        if (instruction.opcode == "custom-call" && place != places.end()) library_calls.emplace(place->second, row);
      }
      by_instruction_.try_emplace(instruction.id, row);
      for (const std::int64_t id : instruction.called) call(id, runs_others(instruction.opcode) ? kNoRow : row);
    }
  }
  for (const auto& [place, row] : library_calls) program.library_calls.push_back(row);
  Row reader = first_row;
  for (const auto& [computation, into] : waiting) {
    for (const HloInstruction& instruction : computation->instructions) add_inputs(instruction, reader++);
  }
}

// A damaged module may name an operand that it lacks: it is left out.
void Programs::add_inputs(const HloInstruction& instruction, Row reader) {
  for (const std::int64_t operand : instruction.operands) {
    const auto input = by_instruction_.find(operand);
    if (input == by_instruction_.end()) continue;
    const Row row = add_unknown_row(p_.program_inputs);
    p_.program_inputs.program_operator[row] = reader;
    p_.program_inputs.input[row] = input->second;
  }
}

// The waits for a transfer name only the channel of the operators that begin it.
void Programs::add_transfers(const HloModule& module) {
  using Part = Transfer::Part;
  constexpr std::pair<std::string_view, Part> kParts[] = {
      {"send", Part::send}, {"recv", Part::receive}, {"send-done", Part::send_done}, {"recv-done", Part::receive_done}};
  struct Named {
    StringId name = StringId::none, kind = StringId::none;
  };
  std::unordered_map<std::int64_t, Named> channels;
  const auto text = [&](std::string_view view) { return p_.strings.intern(to_utf8(view)); };
  const auto each = [&](const auto& take) {
    for (const HloComputation& computation : module.computations) {
      for (const HloInstruction& instruction : computation.instructions) {
        for (const auto& [opcode, part] : kParts) {
          if (instruction.opcode == opcode) take(instruction, part);
        }
      }
    }
  };
  each([&](const HloInstruction& instruction, Part) {
    Named& named = channels[instruction.channel];
    if (!instruction.rendezvous.empty()) named.name = text(instruction.rendezvous);
    if (!instruction.transfer_kind.empty()) named.kind = text(instruction.transfer_kind);
  });
  each([&](const HloInstruction& instruction, Part part) {
    const Named& named = channels[instruction.channel];
    const auto row = by_instruction_.find(instruction.id);
    if (named.name == StringId::none || row == by_instruction_.end()) return;
    const StringId name = instruction.rendezvous.empty() ? named.name : text(instruction.rendezvous);
    transfers_[row->second] = {part, name, named.kind, whole(shape_bytes(instruction.shape))};
  });
}

const Programs::Transfer* Programs::transfer_of(Row program_operator) const {
  const auto at = transfers_.find(program_operator);
  return at == transfers_.end() ? nullptr : &at->second;
}

// The heap's order of events gives the lifetime of a temporary; other values live from the first to the last place.
void Programs::add_buffers(const HloProgram& hlo, const Places& places, const Program& program, StringId program_id) {
  std::unordered_map<std::int64_t, const HloBuffer*> buffers;
  for (const HloBuffer& buffer : hlo.buffers.buffers) buffers[buffer.id] = &buffer;
  const auto end = static_cast<std::int64_t>(places.size()) - 1;
  std::unordered_map<std::int64_t, Life> lives;
  for (const std::vector<HloHeapEvent>& heap : hlo.buffers.heaps) {
    const auto place_of = [&](std::int64_t id) {
      const auto buffer = buffers.find(id);
      const auto place = buffer == buffers.end() ? places.end() : places.find(buffer->second->instruction);
      return place == places.end() ? kUnknown : place->second;
    };
    add_lives(heap, !places.empty(), place_of, lives);
  }
  for (const HloAllocation& allocation : hlo.buffers.allocations) {
    for (const HloAllocation::Assigned& assigned : allocation.assigned) {
      const auto buffer = buffers.find(assigned.buffer);
      const Row row = add_unknown_row(p_.program_buffers);
      ProgramBuffers& table = p_.program_buffers;
      table.program[row] = program.name;
      table.program_id[row] = program_id;
      table.use[row] = p_.strings.intern(use_of(allocation));
      table.allocation[row] = allocation.index;
      table.offset[row] = plausible_size(assigned.offset);
      table.bytes[row] = plausible_size(assigned.bytes);
      if (buffer != buffers.end()) {
        const auto made_by = by_instruction_.find(buffer->second->instruction);
        if (made_by != by_instruction_.end()) {
          table.program_operator[row] = made_by->second;
          std::string value(p_.text(p_.program_operators.name[made_by->second]));
          for (const std::int64_t part : buffer->second->part) value += fmt::format("{{{}}}", part);
          table.value[row] = p_.strings.intern(value);
        }
      }
      const bool throughout = allocation.parameter || allocation.output || allocation.constant;
      if (throughout && end >= 0) {
        table.first[row] = 0;
        table.last[row] = end;
      } else if (const auto life = lives.find(assigned.buffer); life != lives.end() && life->second.first != kUnknown) {
        table.first[row] = life->second.first;
        table.last[row] = std::max(life->second.first, life->second.last);
      }
    }
  }
}

void Programs::add(std::string_view name, const HloProgram& hlo) {
  const StringId id = p_.strings.intern(to_utf8(number_in(name)));
  const auto [at, is_new] = by_id_.try_emplace(id);
  if (!is_new) return;  // written twice
  Program& program = at->second;
  program.name = p_.strings.intern(to_utf8(hlo.module.name.empty() ? name : hlo.module.name));
  const auto [named, first] = id_of_name_.try_emplace(program.name, id);
  if (!first) named->second = StringId::none;
  by_instruction_.clear();
  const Places places = places_of(hlo.module);
  add_operators(hlo.module, places, program, id);
  add_transfers(hlo.module);
  add_buffers(hlo, places, program, id);
}

StringId Programs::id_of(const ProgramUse& use) {
  return use.has_program ? p_.strings.intern(fmt::format("{}", static_cast<std::uint64_t>(use.program))) : StringId::none;
}

Programs::Program* Programs::program_of(const ProgramUse& use) {
  if (const auto at = by_id_.find(id_of(use)); use.has_program && at != by_id_.end()) return &at->second;
  const auto named = id_of_name_.find(use.hlo_module);
  if (use.hlo_module == StringId::none || named == id_of_name_.end() || named->second == StringId::none) return nullptr;
  return &by_id_.at(named->second);
}

Row Programs::operator_of(const ProgramUse& use) {
  if (use.hlo_op == StringId::none) return kNoRow;
  Program* program = program_of(use);
  if (program == nullptr) {  // the profile does not contain its module
    const StringId key = use.has_program ? id_of(use) : use.hlo_module;
    program = &by_id_.try_emplace(key, Program{use.hlo_module, {}, {}, {}}).first->second;
  }
  // The writer assigns all work of a replayed graph to the graph itself; there the kernel's name tells the operator.
  const auto known = program->operators.try_emplace(use.hlo_op, kNoRow).first;
  const bool of_module = known->second != kNoRow && p_.program_operators.opcode[known->second] != StringId::none;
  if (!of_module && use.slice != kNoRow) {
    const auto named = program->kernels.find(std::string(p_.text(p_.slices.name[use.slice])));
    if (named != program->kernels.end() && named->second != kNoRow) return named->second;
  }
  if (known->second == kNoRow) known->second = add_operator(*program, id_of(use), use.hlo_op);
  const Row row = known->second;
  ProgramOperators& operators = p_.program_operators;
  // What the profile states wins over what follows from shapes.
  const auto state = [&](auto& column, StringId stated) {
    if (stated != StringId::none) column[row] = stated;
  };
  state(operators.category, use.category);
  if (operators.framework_operator[row] == StringId::none) operators.framework_operator[row] = use.framework_op;
  if (operators.source[row] == StringId::none) operators.source[row] = use.source;
  if (operators.shape[row] == StringId::none) operators.shape[row] = use.shape;
  if (!std::isnan(use.flops)) operators.flops[row] = use.flops;
  if (!std::isnan(use.bytes)) operators.bytes[row] = whole(use.bytes);
  if (use.accesses != kUnknown) accesses_[row] = use.accesses;
  return row;
}

void Programs::add_traffic(const MemoryAccesses& accesses) {
  for (const auto& [program_operator, which] : accesses_) {
    const StringId opcode = p_.program_operators.opcode[program_operator];  // none: the file has no program
    const StringId of = opcode == StringId::none ? p_.program_operators.category[program_operator] : opcode;
    if (is_part_of_asynchronous(p_.text(of))) continue;
    for (const MemoryAccess& access : accesses[which]) {
      ProgramTraffic& traffic = p_.program_traffic;
      const Row row = add_unknown_row(traffic);
      traffic.program_operator[row] = program_operator;
      traffic.memory[row] = p_.strings.intern(memory_name(access.memory));
      traffic.bytes[row] = access.bytes;
      traffic.bytes_read[row] = access.read;
      traffic.bytes_written[row] = access.written;
    }
  }
}

std::span<const Row> Programs::library_calls(const ProgramUse& use) {
  const Program* program = program_of(use);
  return program == nullptr ? std::span<const Row>() : program->library_calls;
}

namespace {

// The row of the slice in device_work; kNoRow: the slice is of the host.
Row work_of(const Profile& p, Row slice) {
  const auto at = std::lower_bound(p.device_work.slice.begin(), p.device_work.slice.end(), slice);
  return at == p.device_work.slice.end() || *at != slice ? kNoRow : static_cast<Row>(at - p.device_work.slice.begin());
}

// The writer states only the graph for the work of a replayed graph, and kernels of libraries are not named like operators.
// If an execution of the program has as many such kernels as the program otherwise calls libraries, they are these calls in
// order. `rows`: the operator of each use, which is corrected.
void find_replayed_library_calls(const Builder& b, Programs& programs, std::vector<Row>& rows) {
  const Profile& p = b.profile();
  std::vector<bool> executed(p.program_operators.rows(), false);                      // with a name of its own
  std::map<std::tuple<Row, std::int64_t, Row>, std::vector<std::size_t>> executions;  // by operator, device and range of the host
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == kNoRow) continue;
    executed[rows[i]] = true;
    const ProgramUse use = b.program_uses[i];
    if (p.program_operators.opcode[rows[i]] != StringId::none || p.slices.kind[use.slice] != SliceKind::kernel) continue;
    const Row work = work_of(p, use.slice);
    if (work == kNoRow || p.device_work.owner[work] == kNoRow) continue;
    executions[{rows[i], p.device_work.device[work], p.device_work.owner[work]}].push_back(i);
  }
  for (auto& [execution, uses] : executions) {
    const std::span<const Row> all = programs.library_calls(b.program_uses[uses.front()]);
    std::vector<Row> calls;
    std::copy_if(all.begin(), all.end(), std::back_inserter(calls), [&](Row row) { return !executed[row]; });
    if (calls.size() != uses.size()) continue;
    sort_up(uses, [&](std::size_t each) { return p.slices.start[b.program_uses.slice(each)]; });
    for (std::size_t i = 0; i < uses.size(); ++i) rows[uses[i]] = calls[i];
  }
}

// Bytes that cross the network for one device, of a received value of `bytes` in a group of `devices`; kUnknown: the kind is
// another, or a figure is unknown.
std::int64_t network_bytes(std::string_view kind, std::int64_t devices, std::int64_t bytes) {
  if (devices == kUnknown || bytes == kUnknown) return kUnknown;
  const auto group = static_cast<double>(devices), received = static_cast<double>(bytes);
  if (kind == "ONE_TO_ONE") return bytes;
  if (kind == "ALL_GATHER" || kind == "ALL_TO_ALL") return whole((group - 1) / group * received);
  if (kind == "ALL_REDUCE") return whole(2 * (group - 1) / group * received);
  if (kind == "REDUCE_SCATTER") return whole((group - 1) * received);
  return kUnknown;
}

// Pairs the operators of each transfer, in the order in which a lane executed them: a receive's wait ends what the last send
// of the same name began.
void add_network_transfers(const Builder& b, const Programs& programs, const std::vector<Row>& rows) {
  using Part = Programs::Transfer::Part;
  struct Open {
    Row send = kNoRow, receive = kNoRow, send_done = kNoRow;
    std::int64_t devices = kUnknown;
    Row ended = kNoRow;  // row of network_transfers
  };
  Profile& p = b.profile();
  std::map<std::pair<Row, StringId>, Open> all;  // by lane and name
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Programs::Transfer* transfer = rows[i] == kNoRow ? nullptr : programs.transfer_of(rows[i]);
    if (transfer == nullptr) continue;
    const ProgramUse use = b.program_uses[i];
    Open& open = all[{p.main_lane(p.slices.lane[use.slice]), transfer->name}];
    switch (transfer->part) {
      case Part::receive: open.receive = use.slice; break;
      case Part::send:
        open.send = use.slice;
        open.send_done = open.ended = kNoRow;
        open.devices = use.transfer_group;
        break;
      case Part::send_done:
        open.send_done = use.slice;
        if (open.ended != kNoRow) p.network_transfers.send_done[open.ended] = use.slice;
        break;
      case Part::receive_done: {
        if (open.send == kNoRow) break;
        NetworkTransfers& transfers = p.network_transfers;
        const Row row = add_unknown_row(transfers);
        transfers.send[row] = open.send;
        transfers.receive[row] = open.receive;
        transfers.send_done[row] = open.send_done;
        transfers.receive_done[row] = use.slice;
        transfers.name[row] = transfer->name;
        transfers.kind[row] = transfer->kind;
        transfers.group_size[row] = open.devices;
        transfers.bytes[row] = network_bytes(p.text(transfer->kind), open.devices, transfer->bytes);
        const bool is_sending = open.send_done == kNoRow;
        open = Open();
        if (is_sending) open.ended = row;
        break;
      }
    }
  }
}

}  // namespace

void add_program_work(Builder& b, Programs& programs) {
  Profile& p = b.profile();
  for (const ProgramSum& sum : b.program_sums) {
    const Row program_operator = programs.operator_of(sum.use);
    const Row row = add_unknown_row(p.reported_program_work);
    p.reported_program_work.program_operator[row] = program_operator;
    p.reported_program_work.device[row] = sum.device;
    p.reported_program_work.core[row] = sum.core;
    p.reported_program_work.calls[row] = sum.calls;
    p.reported_program_work.total[row] = sum.total;
  }
  std::vector<Row> rows;
  rows.reserve(b.program_uses.size());
  for (std::size_t i = 0; i < b.program_uses.size(); ++i) rows.push_back(programs.operator_of(b.program_uses[i]));
  programs.add_traffic(b.accesses);
  find_replayed_library_calls(b, programs, rows);
  add_network_transfers(b, programs, rows);
  const auto owner_of = [&](Row slice) {
    const Row work = work_of(p, slice);
    return work == kNoRow ? slice : p.device_work.owner[work];  // of the host: a separate execution
  };
  for (std::size_t i = 0; i < rows.size();) {
    // One execution may be several consecutive kernels of a stream that one range of the host launched.
    std::size_t end = i + 1;
    const ProgramUse first = b.program_uses[i];
    const Row lane = p.slices.lane[first.slice], owner = owner_of(first.slice);
    Time total = p.slices.duration[first.slice];
    const bool host = owner == first.slice;
    const bool replayed = rows[i] != kNoRow && p.program_operators.name[rows[i]] != first.hlo_op;  // each kernel is an execution
    for (; !host && !replayed && end < rows.size() && rows[end] == rows[i] && rows[i] != kNoRow; ++end) {
      const Row slice = b.program_uses.slice(end);
      if (p.slices.lane[slice] != lane || owner_of(slice) != owner) break;
      total += p.slices.duration[slice];
    }
    for (std::size_t at = i; at < end; ++at) {
      const ProgramUse use = b.program_uses[at];
      b.add_program_work(use.slice, rows[at]);
      const double share = end - i == 1 ? 1
                           : total > 0  ? static_cast<double>(p.slices.duration[use.slice]) / static_cast<double>(total)
                                        : 1 / static_cast<double>(end - i);
      double flops = use.flops;
      std::int64_t bytes = whole(use.bytes);
      if (rows[at] != kNoRow && std::isnan(flops)) flops = p.program_operators.flops[rows[at]] * share;
      if (rows[at] != kNoRow && bytes == kUnknown && p.program_operators.bytes[rows[at]] != kUnknown)
        bytes = whole(static_cast<double>(p.program_operators.bytes[rows[at]]) * share);
      b.add_cost(use.slice, {.flops = flops, .moved = bytes});
    }
    i = end;
  }
  b.program_uses = {};  // as large as the tables made from it
}

}  // namespace sightline::formats::xplane

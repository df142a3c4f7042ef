// How rows of the vendor's tables of a device become slices, from any kind of file: places of lanes, kinds of work, costs,
// the core's peaks, and which instruction started which transfer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "formats/neuron/table_profile.h"
#include "model/profile.h"
#include "model/stated_names.h"
#include "model/tables.h"

namespace sightline::formats::neuron {

// ---- rows ----

// Facts are reals: a whole number that would be rounded (an id of 63 bits) is stored as text.
inline bool is_exact(std::int64_t number) { return number >= -kMostExactReal && number <= kMostExactReal; }

inline constexpr std::int64_t kAfterQueues = std::int64_t{1} << 32;  // place in a group, after everything that is numbered

inline const LanePlace kThrottlingPlace{kCoreGroup, kAfterQueues, 0, "Throttling"};
inline const LaneFacts kThrottlingFacts{LaneKind::engine, std::string(stated::kThrottlingTrack), ""};

// The lane of an engine ("Tensor", "TensorMatrix", ...), in the order of the vendor's pages. `physical_core` is the number
// within the physical cores of one logical core.
LanePlace engine_place(const std::string& engine, std::int64_t physical_core = 0);
LaneFacts engine_facts(const std::string& engine);

// The core's own group, or that of one of its physical cores.
LaneGroup core_group(std::int64_t physical_core);

// Name, kind and core type of an executed instruction. Waiting for a semaphore is not work.
TableRow instruction_row(std::string_view engine, std::string_view opcode, StringId name);

// The bytes that an instruction caused to move between device memory and the core; kUnknown if not stated. An instruction
// that names only one direction moves nothing in the other.
WorkCost instruction_cost(std::int64_t read, std::int64_t written);

// Type of the elements that an instruction reads: "fp16" of operands "... src=fp16@0x10[1,0,0] ..."; empty if not stated.
std::string_view element_type(std::string_view operands);

// Parts of "name-Q1-E2", or of "Q1-E2" if the queue's name is unknown.
struct QueueName {
  std::string_view name;   // "name", or "Q1"
  std::string_view track;  // "Q1-E2"
  std::string_view engine;
};
QueueName queue_name(std::string_view whole);
LaneFacts queue_facts(const QueueName& name);

// Whether a list of memories such as [["SB"]] names only those of the core: the state buffer and PSUM.
bool is_on_core(std::string_view regions);

// "file:line" of a frame "file(line): function", of the first of a list "[a.py:1, b.py:2]", or of a text in that form; else
// empty.
std::string source_line(std::string_view text);

// ---- hardware ----
// The peaks of a NeuronCore: as a file states them, else from the vendor's documents of its generation.

// What a file states about its core; NaN and empty: not stated.
struct CoreFacts {
  std::string instance_type;                                 // such as inf2.xlarge
  int generation = 0;                                        // 1: NeuronCore v1; 0: not stated
  double clock = kUnknownReal, matrix_clock = kUnknownReal;  // cycles a second
  double rows = kUnknownReal, columns = kUnknownReal;        // of the matrix unit
  double memory_bandwidth = kUnknownReal;                    // bytes a second, of this core's share of the memory
};

// The core's values in a file's tables, by their names there.
CoreFacts stated_core(const std::map<std::string, std::string>& members, std::string_view instance_type);

// How long a floating-point operation on elements of a type takes, relative to 16-bit elements; NaN: unknown for this core.
double flops_scale(std::string_view element_type, const CoreFacts& facts);

// Appends the core's row of devices.
void add_core(Profile& profile, std::int64_t ordinal, const CoreFacts& facts);

// ---- triggers of transfers ----
// TransferTriggers: which instruction started which transfer, for rows that state it by times and not by ids.

class TransferTriggers {
 public:
  // Two times that both rows have: the instruction's start, and the transfer's start or the instruction's end.
  using Times = std::pair<Time, Time>;

  void add_instruction(const Times& times, std::int64_t id) {
    Pair& pair = pairs_[times];
    ++pair.instructions;
    pair.instruction = id;
  }
  void add_transfer(const Times& times, std::int64_t id) { pairs_[times].transfers.push_back(id); }
  bool is_wanted(const Times& times) const { return pairs_.find(times) != pairs_.end(); }

  // Calls visit(instruction, transfer) by ids, in order of time. If several instructions have the same times, none is
  // visited.
  template <typename Visit>
  void each(Visit&& visit) const {
    for (const auto& [times, pair] : pairs_) {
      if (pair.instructions != 1) continue;
      for (const std::int64_t transfer : pair.transfers) visit(pair.instruction, transfer);
    }
  }

 private:
  struct Pair {
    int instructions = 0;
    std::int64_t instruction = kUnknown;  // the last one
    std::vector<std::int64_t> transfers;
  };
  std::map<Times, Pair> pairs_;
};

}  // namespace sightline::formats::neuron

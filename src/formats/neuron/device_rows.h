// How rows of the vendor's tables of a device become slices, whichever file holds them: places of lanes, kinds of work, costs.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"
#include "formats/neuron/table_profile.h"
#include "model/stated_names.h"

namespace sightline::formats::neuron {

// Facts are reals: a whole number that would be rounded (an id of 63 bits) is kept as text.
inline bool is_exact(std::int64_t number) { return number >= -kMostExactReal && number <= kMostExactReal; }

inline constexpr std::int64_t kAfterQueues = std::int64_t{1} << 32;  // place in a group, behind all that is numbered

inline const LanePlace kThrottlingPlace{kCoreGroup, kAfterQueues, 0, "Throttling"};
inline const LaneFacts kThrottlingFacts{LaneKind::engine, std::string(stated::kThrottlingTrack), ""};

// The lane of an engine ("Tensor", "TensorMatrix", ...), in the order of the vendor's pages. `physical_core` counts the cores
// that one logical core is made of.
LanePlace engine_place(const std::string& engine, std::int64_t physical_core = 0);
LaneFacts engine_facts(const std::string& engine);

// The core's own group, or that of one of the physical cores that it is made of.
LaneGroup core_group(std::int64_t physical_core);

// Name, kind and core type of an executed instruction. Waiting for a semaphore is no work.
TableRow instruction_row(std::string_view engine, std::string_view opcode, StringId name);

// Of what an instruction made move between device memory and the core; kUnknown where nothing is said. An instruction that names
// one direction only moves nothing in the other.
WorkCost instruction_cost(std::int64_t read, std::int64_t written);

// Type of the elements that an instruction reads: "fp16" of operands "... src=fp16@0x10[1,0,0] ..."; empty: they do not say.
std::string_view element_type(std::string_view operands);

// Parts of "name-Q1-E2", or of "Q1-E2" where the queue's name is not known.
struct QueueName {
  std::string_view name;   // "name", or "Q1"
  std::string_view track;  // "Q1-E2"
  std::string_view engine;
};
QueueName queue_name(std::string_view whole);
LaneFacts queue_facts(const QueueName& name);

// Whether a list of memories such as [["SB"]] names only those of the core: the state buffer and PSUM.
bool is_on_core(std::string_view regions);

// "file:line" of a frame "file(line): function", of the first of a list "[a.py:1, b.py:2]", or of a text that is one; empty:
// none.
std::string source_line(std::string_view text);

}  // namespace sightline::formats::neuron

// Lines: the events of one line of a plane with their facts, read from the file, with times in ns.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/xplane/xspace.h"
#include "model/profile.h"
#include "model/tables.h"

namespace sightline::formats::xplane {

// ---- facts of events ----
// Facts: the stats of one event whose names have a meaning here. A stat is known by its name; its id, and whether its value
// is signed, differ from file to file.

enum class Number : std::uint8_t {
  correlation,
  program,  // bits of an unsigned number: see has_program
  step,
  root,
  producer_type,
  producer,
  consumer_type,
  consumer,
  flow,  // bits: see arrows.cc
  flow_process,
  async,
  run,
  allocation_bytes,
  bytes_allocated,
  bytes_available,
  bytes_reserved,
  memory_index,  // of the device that the allocator belongs to
  address,
  device_offset,    // ps by the device's clock, which has its own zero
  device_duration,  // ps by that clock
  accesses,         // of MemoryAccesses
  transfer_group,   // devices that exchange data over the hosts' network
  count
};

enum class Text : std::uint8_t {
  hlo_op,
  hlo_module,
  framework_op,
  category,
  source,
  shape,
  kernel_details,
  copy_details,
  fill_details,
  allocator,
  count
};

enum class Real : std::uint8_t {
  flops,
  bytes_accessed,
  device_bytes,
  occupancy,
  counter,
  shortest_ps,
  fragmentation,
  energy,
  count
};

// ---- bytes by memory ----

// What one execution of an operator moves to and from one memory.
struct MemoryAccess {
  std::uint64_t memory = 0;                          // number of its kind
  std::int64_t bytes = 0;                            // in any direction
  std::int64_t read = kUnknown, written = kUnknown;  // kUnknown: not stated
};

// The name of a kind of memory, such as HBM.
std::string memory_name(std::uint64_t memory);
inline constexpr std::uint64_t kDeviceMemory = 1, kCmem = 2, kVmem = 3;

// The stated accesses of all operators. Many operators have equal ones, which are stored once.
class MemoryAccesses {
 public:
  // Of a MemoryAccessBreakdown message; kUnknown if it states nothing.
  std::int64_t add(std::string_view message);
  const std::vector<MemoryAccess>& operator[](std::int64_t which) const { return all_[static_cast<std::size_t>(which)]; }

 private:
  std::vector<std::vector<MemoryAccess>> all_;
  std::unordered_map<std::string, std::int64_t> known_;  // by message
};

struct Facts {
  Facts() {
    numbers.fill(kUnknown);
    texts.fill(StringId::none);
    reals.fill(kUnknownNumber);
  }
  std::int64_t operator[](Number which) const { return numbers[static_cast<std::size_t>(which)]; }
  StringId operator[](Text which) const { return texts[static_cast<std::size_t>(which)]; }
  double operator[](Real which) const { return reals[static_cast<std::size_t>(which)]; }

  bool has_program = false;  // any 64 bits may be an id
  std::array<std::int64_t, static_cast<std::size_t>(Number::count)> numbers;
  std::array<StringId, static_cast<std::size_t>(Text::count)> texts;
  std::array<double, static_cast<std::size_t>(Real::count)> reals;
};

// The names of one plane: of its stats and events, and the facts that all events of a kind share.
class PlaneNames {
 public:
  // Without `accesses`, bytes by memory are no facts. REQUIRES: all outlive it.
  PlaneNames(const Plane& plane, StringPool& strings, MemoryAccesses* accesses = nullptr);

  struct Event {
    StringId name = StringId::none;
    bool has_facts = false;
    Facts facts;  // of the metadata; those of the event itself override them
  };
  // By id; for an unknown id, an event without a name.
  const Event& event(std::int64_t id);

  // Adds what an XStat message states; true if it is a fact.
  bool add(std::string_view message, Facts& to) const;

  // A stat with a number, of any name.
  struct Reading {
    StringId stat;
    double value;
    bool is_fact;  // its name has a meaning here
  };
  std::optional<Reading> reading(std::string_view message) const;

  // The value as text, for people; empty if there is none.
  std::string text(const Stat& stat) const;
  std::string_view name(const Stat& stat) const;

 private:
  struct Slot {
    enum class Kind : std::uint8_t { number, text, real, accesses, transfer_group } kind;
    std::uint8_t index;
  };
  static const std::unordered_map<std::string_view, Slot>& known();
  StringId text_id(const Stat& stat) const;
  bool add_accesses(const Stat& stat, Facts& to) const;

  const Plane& plane_;
  StringPool& strings_;
  MemoryAccesses* accesses_;
  std::unordered_map<std::int64_t, Slot> slots_;  // by stat id
  std::unordered_map<std::int64_t, Event> events_;
  mutable std::unordered_map<std::uint64_t, StringId> references_;
};

// ---- lines ----

// ps to ns, rounded down.
constexpr std::int64_t floor_ns(std::int64_t ps) { return ps >= 0 ? ps / 1000 : -((-(ps + 1)) / 1000) - 1; }

// How much was read, and left out, in all lines.
struct LineTally {
  std::int64_t events = 0;
  std::int64_t malformed = 0;                // events that are damaged, left out
  std::int64_t first_malformed = kUnknown;   // byte
  std::int64_t impossible = 0;               // events with an impossible time, left out
  std::int64_t first_impossible = kUnknown;  // byte
  LongValues left_out;                       // including names
};

// When the profile began: lines count from there, or from 1970.
struct Origin {
  std::int64_t unix_ns = kUnknown;

  // ns since the profile began. A line that counts from 1970 defines the beginning if nothing else did.
  std::int64_t since_begin(std::int64_t timestamp_ns);
};

// The line of a device whose events are samples of counters, and lines with the hardware's counters of a kernel or a reading,
// such as "counters_0".
inline constexpr std::string_view kCounterLine = "_counters_", kHardwareCounters = "counters_";
constexpr bool is_counter_line(std::string_view name) { return name == kCounterLine || name.starts_with(kHardwareCounters); }

inline constexpr std::uint32_t kNoFacts = ~std::uint32_t{0};

struct LineEvent {
  Time start, duration;
  StringId name;
  std::uint32_t facts;  // of Line::facts, or kNoFacts
  std::int64_t source;  // offset of its message in the file
};

// A number that an event of a line of counters states in one stat.
struct Reading {
  std::size_t event;  // of Line::events
  StringId stat;
  double value;
};

// Events of which only the count and the total time are known.
struct Aggregate {
  StringId name;
  Facts facts;
  std::int64_t occurrences;
  Time total;
};

struct Line {
  std::int64_t id = 0;
  std::string name, display_name;
  std::vector<LineEvent> events;
  std::vector<Facts> facts;
  std::vector<Aggregate> aggregates;
  std::vector<Reading> readings;  // of a line of counters: numbers of stats without a meaning elsewhere

  const Facts* facts_of(const LineEvent& event) const { return event.facts == kNoFacts ? nullptr : &facts[event.facts]; }
  std::string_view shown_name() const { return display_name.empty() ? name : display_name; }
};

// The line's message, which begins at `in`. What precedes damage is kept: check whether the stream failed.
Line read_line(ByteStream& in, ProtoMessage message, PlaneNames& names, Origin& origin, LineTally& tally);

}  // namespace sightline::formats::xplane

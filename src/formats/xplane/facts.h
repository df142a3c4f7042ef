// Facts: what the stats of one event say, of all stats whose names are known to mean something here. A stat is known by its
// name; its id, and whether its value is signed, differ from file to file.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

#include "formats/xplane/xspace.h"
#include "model/tables.h"

namespace sightline::formats::xplane {

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
  memory_index,  // of the device whose allocator reports
  address,
  device_offset,    // ps by the clock of the device, from a time of its own
  device_duration,  // ps by that clock
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

enum class Real : std::uint8_t { flops, bytes_accessed, occupancy, counter, shortest_ps, fragmentation, count };

struct Facts {
  Facts() {
    numbers.fill(kUnknown);
    texts.fill(StringId::none);
    reals.fill(std::numeric_limits<double>::quiet_NaN());
  }
  std::int64_t operator[](Number which) const { return numbers[static_cast<std::size_t>(which)]; }
  StringId operator[](Text which) const { return texts[static_cast<std::size_t>(which)]; }
  double operator[](Real which) const { return reals[static_cast<std::size_t>(which)]; }

  bool has_program = false;  // any 64 bits may be one
  std::array<std::int64_t, static_cast<std::size_t>(Number::count)> numbers;
  std::array<StringId, static_cast<std::size_t>(Text::count)> texts;
  std::array<double, static_cast<std::size_t>(Real::count)> reals;
};

// The names of one plane: what its stats and events are called, and what is said of all events of a kind.
class PlaneNames {
 public:
  PlaneNames(const Plane& plane, StringPool& strings);

  struct Event {
    StringId name = StringId::none;
    bool has_facts = false;
    Facts facts;  // of the metadata: those of the event itself come first
  };
  // Of the id, or of an event whose name is lost.
  const Event& event(std::int64_t id);

  // Adds what an XStat message says; true when it is a fact.
  bool add(std::string_view message, Facts& to) const;

  // A stat with a number, of any name.
  struct Reading {
    StringId stat;
    double value;
    bool is_fact;  // a stat whose name means something here
  };
  std::optional<Reading> reading(std::string_view message) const;

  // The value as text, for people; empty when there is none.
  std::string text(const Stat& stat) const;
  std::string_view name(const Stat& stat) const;

 private:
  struct Slot {
    enum class Kind : std::uint8_t { number, text, real } kind;
    std::uint8_t index;
  };
  static const std::unordered_map<std::string_view, Slot>& known();
  StringId text_id(const Stat& stat) const;

  const Plane& plane_;
  StringPool& strings_;
  std::unordered_map<std::int64_t, Slot> slots_;  // by stat id
  std::unordered_map<std::int64_t, Event> events_;
  mutable std::unordered_map<std::uint64_t, StringId> references_;
};

}  // namespace sightline::formats::xplane

// Lines: the events of one line of a plane, read from the file, with times in ns.
#pragma once

#include <vector>

#include "formats/xplane/facts.h"
#include "model/profile.h"

namespace sightline::formats::xplane {

// What was read, or left out, of all lines.
struct LineTally {
  std::int64_t events = 0;
  std::int64_t malformed = 0;                // events that are damaged, left out
  std::int64_t first_malformed = kUnknown;   // byte
  std::int64_t impossible = 0;               // events whose time cannot be, left out
  std::int64_t first_impossible = kUnknown;  // byte
  LongValues left_out;                       // of the names as well
};

// When the profile began: a line counts from there, or from 1970.
struct Origin {
  std::int64_t unix_ns = kUnknown;

  // ns since the profile began. A line that counts from 1970 gives the beginning when nothing else did.
  std::int64_t since_begin(std::int64_t timestamp_ns);
};

// The line of a device whose events are samples of counters.
inline constexpr std::string_view kCounterLine = "_counters_";

inline constexpr std::uint32_t kNoFacts = ~std::uint32_t{0};

struct LineEvent {
  Time start, duration;
  StringId name;
  std::uint32_t facts;  // of Line::facts, or kNoFacts
  std::int64_t source;  // offset of its message in the file
};

// What an event of a line of counters says under the name of one stat.
struct Reading {
  std::size_t event;  // of Line::events
  StringId stat;
  double value;
};

// Events of which only a number and a sum are known.
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
  std::vector<Reading> readings;  // of a line of counters: numbers by stats that mean nothing elsewhere

  const Facts* facts_of(const LineEvent& event) const { return event.facts == kNoFacts ? nullptr : &facts[event.facts]; }
  std::string_view shown_name() const { return display_name.empty() ? name : display_name; }
};

// The line's message, which begins at `in`. What stands before damage is kept: ask the stream whether it failed.
Line read_line(ByteStream& in, ProtoMessage message, PlaneNames& names, Origin& origin, LineTally& tally);

}  // namespace sightline::formats::xplane

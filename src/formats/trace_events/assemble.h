// assemble: from batches of raw events to the tables of a Profile. Slices are moved to their lanes, sorted, nested and, where
// they overlap, spread over overflow lanes; side tables follow their slices.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "formats/common/attribution.h"
#include "formats/common/collectives.h"
#include "formats/trace_events/parse_events.h"
#include "formats/trace_events/root_members.h"
#include "model/profile.h"
#include "model/tables.h"

namespace sightline::formats::trace_events {

// ---- places of rows ----

// RowRank: counts, for a set of rows, how many of them come before a given one. That is where a side table's row belongs,
// found without sorting. The set is bits of slice rows with running counts.
class RowRank {
 public:
  explicit RowRank(std::size_t rows) : words_(rows / 64 + 1, 0), before_(rows / 64 + 2, 0) {}
  void insert(Row row) { words_[row / 64] |= std::uint64_t{1} << (row % 64); }
  void count() {
    for (std::size_t w = 0; w < words_.size(); ++w)
      before_[w + 1] = before_[w] + static_cast<Row>(__builtin_popcountll(words_[w]));
  }
  bool contains(Row row) const { return (words_[row / 64] >> (row % 64) & 1) != 0; }
  Row size() const { return before_.back(); }
  Row rank(Row row) const {
    const std::uint64_t below = words_[row / 64] & ((std::uint64_t{1} << (row % 64)) - 1);
    return before_[row / 64] + static_cast<Row>(__builtin_popcountll(below));
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<Row> before_;
};

// ---- facts of slices ----
// Facts of slices for the table work_facts, which is in the order of slices.

struct SliceFact {
  Row slice;
  StringId name;
  double number;  // NaN: a text
  StringId text;
};

// Adds the facts to those of the profile; those of one slice in the order given, after the ones it has.
void put_facts(std::vector<SliceFact> facts, Profile& profile);

// ---- assemble ----

struct Assembled {
  std::unique_ptr<Profile> profile;
  std::int64_t origin = 0;  // what was subtracted from every time of the file
  LinkIds ids;
  std::vector<StringId> launched_kernels;  // by row of launches: the kernel's name, if the call states it
  std::vector<HostCommunication> communication;
  std::vector<std::pair<Row, Row>> device_flows;  // (host slice, slice on the device) for each of the writer's arrows
};

// Consumes `parsed`. `threads` is 0 for all cores. The profile has no attribution yet (see attribution.h), and only those
// collectives that carry arguments (see collectives.h).
Assembled assemble(ParsedEvents parsed, const RootMembers& members, unsigned threads);

}  // namespace sightline::formats::trace_events

// The collectives of one rank as rows of a lake, with the keys by which those of other ranks are found.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyses/ranks/rank_summary.h"

namespace sightline::fleet {

// A hash of 62 bits; equal texts have equal hashes on every machine.
std::int64_t hash_of(std::string_view text);

struct GroupRow {
  std::int64_t id = 0;
  std::uint32_t name = 0, about = 0, ranks = 0;  // index of RankSummary::texts; `about` as its first call says
  std::int64_t size = kUnknown;
  std::int64_t collectives = 0;
};

struct OperationRow {
  std::string title, name, group;
};

struct CollectiveRow {
  std::uint32_t index = 0;  // of RankSummary::collectives
  std::int64_t operation = 0;
  std::int64_t group = 0;
  std::int64_t stream = 0;  // the key without what counts calls; rows are sorted by it
  std::int64_t match_key = kUnknown;
  std::int64_t occurrence = kUnknown;
  bool by_order = false;
  bool apart = false;
  std::int64_t window_step = kUnknown;
};

struct CollectiveRows {
  std::vector<GroupRow> groups;
  std::vector<OperationRow> operations;
  std::vector<CollectiveRow> rows;  // by group, stream and count
};

CollectiveRows collective_rows(const RankSummary& rank);

}  // namespace sightline::fleet

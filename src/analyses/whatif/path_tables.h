// What critical paths consist of, for one profile or for the ranks of a job: sums of their pieces by kind, name, operator, module
// and line of source, as tables and panels of a report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyses/group_index.h"
#include "analyses/whatif/critical_path.h"
#include "model/report.h"
#include "model/string_pool.h"

namespace sightline::analyses {

// Pieces that have something in common.
struct PieceSum {
  std::uint32_t rank = 0;  // of all pieces, or of the longest one
  PathClass of = PathClass::unknown;
  StringId name = StringId::none;  // of PathScope::texts
  std::int64_t pieces = 0;
  Time time = 0, longest = 0;
  Row slice = kNoRow;  // of the longest piece, in the profile of its rank
};

// Sums by rank, kind and name, as far as `add` is given them.
class PieceSums {
 public:
  void add(std::uint32_t split_by_rank, const PieceSum& piece);
  bool empty() const { return sums_.empty(); }
  std::vector<PieceSum> sorted() const;  // the longest time first

 private:
  GroupIndex<3> groups_;
  std::vector<PieceSum> sums_;  // by group
  std::uint32_t last_ = 0;      // group
};

class PathTables {
 public:
  explicit PathTables(bool over_ranks) : over_ranks_(over_ranks) {}

  // Ranks are numbered in this order. The profiles must outlive this.
  void add_rank(const Profile& profile, std::string worker);
  void add(std::uint32_t rank, const PathPiece& piece);

  // `steps`: how many; `length`: the sum of their lengths, ns.
  void add_to(Report& report, std::size_t steps, Time length) const;

  static std::vector<ReportTable> blank(bool over_ranks);

 private:
  struct Rank {
    const Profile* profile;
    std::vector<Row> modules;  // by slice; empty if there are none
    bool has_lines;
    std::vector<StringId> texts;  // by text of the profile: the same in texts_, or none so far
  };

  // A text of the rank's profile in texts_.
  StringId text_of(Rank& rank, StringId text);

  bool over_ranks_;
  std::vector<Rank> ranks_;
  std::vector<std::string> workers_;
  StringPool texts_;
  PieceSums of_ranks_, classes_, names_, operators_, modules_, lines_;
};

}  // namespace sightline::analyses

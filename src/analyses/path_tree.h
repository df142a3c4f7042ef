// PathTree: the calls of a profile merged by path, so that a million calls are a few thousand rows: what is called by the
// same names from the top of a thread down is one row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyses/group_sums.h"
#include "analyses/operators/host_tree.h"
#include "analyses/steps/step_windows.h"

namespace sightline::analyses {

// A row represents calls, or holds them together: a thread, or a frame of the call stacks that were recorded.
struct PathTree {
  enum class Holder : std::uint8_t { none, thread, frame };

  // By row; parents precede their children.
  std::vector<Row> parent;  // row, kNoRow at the top
  std::vector<std::string> name;
  std::vector<Holder> holder;
  std::vector<Row> longest;     // row of slices, the first of equals; kNoRow for holders
  std::vector<GroupSums> sums;  // of a holder: the totals of the rows in it

  std::vector<Row> row_of_node;  // kNoRow: not in the tree
  std::size_t rows() const { return parent.size(); }
};

struct PathChoice {
  Row thread = kNoRow;  // its main lane; kNoRow: each of them, below a row of its own when there are several
  std::optional<StepWindow> step;
  bool by_stack = false;  // below the frames of the call stacks that were recorded with the operators
};

PathTree path_tree(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work, const PathChoice& choice);

// The threads that the tree has nodes on, as main lanes in their order, and how a thread is called.
std::vector<Row> threads_of(const Profile& profile, const HostTree& tree);
std::string thread_words(const Profile& profile, Row lane);

// At most `most` rows: those with the largest share of the time, and what they are in. Old row numbers, ascending.
std::vector<Row> largest_rows(const PathTree& paths, std::size_t most);

}  // namespace sightline::analyses

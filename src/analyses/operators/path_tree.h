// PathTree: the calls of a profile merged by path. Calls by the same names from the top of a thread down are one row, so a
// million calls become a few thousand rows. And its rows merged by function: who called a function, and what it called.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

  std::size_t rows() const { return parent.size(); }
};

std::int64_t held_bytes(const PathTree& paths);

struct PathChoice {
  Row thread = kNoRow;  // its main lane; kNoRow: all threads, each below its own row if there are several
  std::optional<StepWindow> step;
  bool by_stack = false;  // below the frames of the call stacks that were recorded with the operators
};

PathTree path_tree(const Profile& profile, const HostTree& tree, const std::vector<WorkInterval>& work, const PathChoice& choice);

// The threads that the tree has nodes on, as main lanes in their order, and how a thread is called.
std::vector<Row> threads_of(const Profile& profile, const HostTree& tree);
std::string thread_words(const Profile& profile, Row lane);

// At most `most` rows: those with the largest share of the time, and the rows around them. Old row numbers, ascending.
std::vector<Row> largest_rows(const PathTree& paths, std::size_t most);

// ---- rows merged by function ----
// A row of a merged tree is a function and the calls on the way to it. Its sums are those of the paths in it, without the busy
// time of the device, which is a union. The rows with the largest share of the time come first; at most `most` are made.

struct MergedTree {
  PathTree paths;
  std::size_t functions = 0;  // at the top
  bool has_more = false;      // there are smaller rows
};

// Every function, and in it its callers: each row has the costs of the function at its top, as far as these callers made it.
// Shares are of self time.
MergedTree callers_of_all(const Profile& profile, const PathTree& paths, std::size_t most);

// One function. A call inside another call of it is a part of that one. Shares are of total time. Both are empty if there is no
// such function.
MergedTree callers_of(const Profile& profile, const PathTree& paths, std::string_view function, std::size_t most);
MergedTree callees_of(const Profile& profile, const PathTree& paths, std::string_view function, std::size_t most);

}  // namespace sightline::analyses

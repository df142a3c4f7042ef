// Running a piece of work in a copy of this program (a fork), so that it can be ended at any moment, and can take no more memory
// than it is given, whatever it does: what it breaks ends with it. It sees all memory as it was, without copying it, and answers
// through a pipe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::sql {

struct ChildLimits {
  double seconds = 0;          // 0: as long as it takes
  std::int64_t memory = 0;     // bytes that it may take beyond what is there already; 0: any
  std::int64_t file_size = 0;  // most bytes of a file that it writes; 0: any
  std::function<bool()> stop = {};
};

enum class ChildEnd {
  done,
  enough,   // `take` said so
  late,     // its time was over
  stopped,  // `stop` said so
  broken,   // it ended by itself before its work was done
};

// Where the child writes. False: the reader has left.
using ChildOutput = std::function<bool(std::string_view)>;

// Calls `work` in the child and `take` here with the bytes that it wrote, as they come; `take` answers false when it has had
// enough. All but `done` end the child at once. `stop` is asked every 50 ms. unavailable: the system gives no process or pipe.
Result<ChildEnd> run_in_child(const ChildLimits& limits, const std::function<void(const ChildOutput&)>& work,
                              const std::function<bool(std::string_view)>& take);

}  // namespace sightline::sql

// Runs work in a fork of this program. So the work can be ended at any moment,
// its memory is limited, and any damage ends with the fork. The fork sees the
// memory of the program without copying it, and sends its answer through a pipe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::sql {

struct ChildLimits {
  double seconds = 0;          // 0: as long as it takes
  std::int64_t memory = 0;     // bytes that it may use in addition to the memory of this program; 0: any
  std::int64_t file_size = 0;  // most bytes of a file that it writes; 0: any
  std::function<bool()> stop = {};
};

enum class ChildEnd {
  done,
  enough,   // `take` returned false
  late,     // its time was over
  stopped,  // `stop` returned true
  broken,   // it ended before its work was done
};

// Where the child writes. False: the reader has left.
using ChildOutput = std::function<bool(std::string_view)>;

// Calls `work` in the child, and `take` in this process with the bytes
// that the child writes, as they come; `take` returns false to end the
// child. Every end except `done` ends the child at once. `stop` is called
// every 50 ms. unavailable: the system has no process or pipe left.
Result<ChildEnd> run_in_child(const ChildLimits& limits, const std::function<void(const ChildOutput&)>& work,
                              const std::function<bool(std::string_view)>& take);

}  // namespace sightline::sql

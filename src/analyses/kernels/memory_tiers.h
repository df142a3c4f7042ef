// The memories of a device as limits of an operator's speed: the bytes that it moves to and from each of them in its time, beside
// the peak of that memory. Only some files state the bytes by memory.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/devices/device_totals.h"
#include "model/report.h"

namespace sightline::analyses {

// Bytes by memory, summed over executions. NaN: not stated.
struct MovedBytes {
  double any = kUnknownReal, read = kUnknownReal, written = kUnknownReal;
};
using Traffic = std::map<StringId, MovedBytes>;  // by memory

enum class Direction { both, read, written };

// What moved to or from one memory in the time of the work, and the peak of that.
struct MemoryUse {
  std::string name;    // of the work
  std::string memory;  // its name in the file
  Direction direction = Direction::both;
  bool of_device = false;  // the memory is no part of the chip
  std::int64_t calls = 0;
  double time = 0;  // ns
  double flops = kUnknownReal, bytes = kUnknownReal, peak = kUnknownReal;
  bool closest = false;  // to its peak, of all memories and computing
  Row longest = kNoRow;

  double rate() const;  // bytes per second
  double of_peak() const;
};

class MemoryTiers {
 public:
  // `device`: its ordinal. REQUIRES: the profile outlives it.
  MemoryTiers(const Profile& profile, std::int64_t device);

  // Adds what one execution moves; false if the file does not state it.
  bool add(Row program_operator, Traffic& to) const;

  // Of each memory and direction that has a peak, else of the memory as a whole.
  std::vector<MemoryUse> uses(const Traffic& traffic) const;

 private:
  struct Peaks {
    double any = kUnknownReal, read = kUnknownReal, written = kUnknownReal;
  };

  const Profile& p_;
  std::map<StringId, Peaks> peaks_;  // by memory
};

// What limits work: the words of it, and the share of its peak. Marks the use that is closest to its peak, if computing is not
// closer. `computing`: the share of the peak of operations. Empty words if this, or the share of the device's memory, is unknown.
struct ClosestLimit {
  std::string_view words;
  double share = kUnknownReal;
};
ClosestLimit closest_limit(double computing, std::vector<MemoryUse>& uses);

// The table `memories` of these rows.
ReportTable memories_table(const std::vector<MemoryUse>& rows);

}  // namespace sightline::analyses

// Memory plans: where compilers placed the values of a program, and when they are live. A plan is of one program in one memory
// space; its places are those of the program's schedule. Parameters, results and constants are there throughout. What a core
// keeps for itself while it runs one operator (thread-local) is not part of a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

// Bytes that hold at least one value. Values may overlap, wholly or in part: shared bytes count once.
class Coverage {
 public:
  // Both return by how much the covered bytes grow or shrink. REQUIRES: a removed range was added before.
  std::int64_t add(std::int64_t piece, std::int64_t begin, std::int64_t end);
  std::int64_t remove(std::int64_t piece, std::int64_t begin, std::int64_t end);

 private:
  struct Stretch {
    std::int64_t end;
    int values;
  };
  using Stretches = std::map<std::pair<std::int64_t, std::int64_t>, Stretch>;  // by piece of memory and offset; disjoint
  Stretches::iterator cut(std::int64_t piece, std::int64_t at);

  Stretches stretches_;
};

struct MemoryPlan {
  StringId program = StringId::none, program_id = StringId::none;
  std::string_view space;  // empty: the device's own memory

  std::vector<Row> throughout;  // rows of program_buffers that live from the first to the last place
  std::vector<Row> timed;       // those that come and go, by the place at which they begin to live
  std::vector<Row> unplaced;    // those without a stated lifetime

  // Bytes covered; a value with several uses counts as the first of parameter, output, constant.
  std::int64_t parameters = 0, outputs = 0, constants = 0;
  std::int64_t set_aside = 0;  // for values that come and go: up to the end of the last one, in each piece of memory
  std::int64_t unplaced_bytes = 0;

  // The curve, a point for each place at which anything changes; a value lives at its last place still.
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> live;  // bytes covered by values that come and go, from there on
  std::vector<Row> changed;        // the largest value that comes there; where none does, the largest that has gone
  std::size_t peak = 0;            // the first point at which most is live

  std::int64_t held() const { return parameters + outputs + constants; }
  std::int64_t live_at(std::size_t point) const { return held() + (live.empty() ? 0 : live[point]); }
  std::int64_t peak_bytes() const { return live_at(peak); }
};

// All plans of the profile, in the order of their first values.
std::vector<MemoryPlan> memory_plans(const Profile& profile);

// The values that live at a point of the curve, the largest first, with the bytes that no value before it in the list covers:
// they sum to live_at(point).
struct LiveValue {
  Row buffer = kNoRow;
  std::int64_t own = 0;
};
std::vector<LiveValue> live_values(const Profile& profile, const MemoryPlan& plan, std::size_t point);

}  // namespace sightline::analyses

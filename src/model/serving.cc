// An engine may have several threads, each with its own steps; they are not one sequence.
#include "model/serving.h"

#include <unordered_map>

#include "base/sort.h"

namespace sightline::model {

namespace {

// The thread that has most; of equals, the first to have that many.
Row busiest_thread(const Profile& p) {
  std::unordered_map<Row, std::int64_t> steps;
  Row most = kNoRow;
  for (const Row slice : p.serving_steps.slice) {
    const Row thread = p.main_lane(p.slices.lane[slice]);
    const std::int64_t count = ++steps[thread];
    if (most == kNoRow || count > steps[most]) most = thread;
  }
  return most;
}

}  // namespace

std::vector<Row> main_serving_steps(const Profile& profile) {
  const auto& slices = profile.serving_steps.slice;
  const Row thread = busiest_thread(profile);
  std::vector<Row> rows;
  for (Row row = 0; row < slices.size(); ++row) {
    if (profile.main_lane(profile.slices.lane[slices[row]]) == thread) rows.push_back(row);
  }
  const auto start = [&](Row row) { return profile.slices.start[slices[row]]; };
  sort_up(rows, [&](Row each) { return start(each); });
  std::vector<Row> outermost;
  for (const Row row : rows) {
    if (outermost.empty() || start(row) >= profile.end_of(slices[outermost.back()])) outermost.push_back(row);
  }
  return outermost;
}

}  // namespace sightline::model

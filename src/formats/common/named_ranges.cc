// Steps and modules among named ranges.
#include "formats/common/named_ranges.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/sort.h"
#include "formats/common/range_text.h"

namespace sightline::formats {

namespace {

// ---- steps ----

struct Candidates {
  int rank = 99;
  std::vector<std::pair<Row, std::int64_t>> ranges;  // slice and its number
};

// By family of names and lane; a range inside another of its family is part of that one.
std::map<std::pair<std::string, Row>, Candidates> candidates(const Profile& p) {
  std::map<std::pair<std::string, Row>, Candidates> found;
  std::unordered_map<StringId, std::optional<StepText>> known;
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (p.slices.kind[slice] != SliceKind::annotation || p.slices.duration[slice] == 0) continue;
    const StringId name = p.slices.name[slice];
    const auto [at, is_new] = known.try_emplace(name);
    if (is_new) at->second = step_text(p.text(name));
    if (!at->second) continue;
    Candidates& of_family = found[{at->second->family, p.main_lane(p.slices.lane[slice])}];
    of_family.rank = at->second->rank;
    auto& ranges = of_family.ranges;
    if (!ranges.empty() && p.slices.start[slice] < p.end_of(ranges.back().first)) continue;
    ranges.emplace_back(slice, at->second->number);
  }
  return found;
}

// The family that is surest to be the steps: by its word, then the one whose ranges cover most time. One range is no series.
const Candidates* best(const Profile& p, const std::map<std::pair<std::string, Row>, Candidates>& all) {
  const Candidates* chosen = nullptr;
  Time longest = 0;
  for (const auto& [family, found] : all) {
    if (found.ranges.size() < 2) continue;
    Time time = 0;
    for (const auto& [slice, number] : found.ranges) time += p.slices.duration[slice];
    const bool better = chosen == nullptr || found.rank < chosen->rank || (found.rank == chosen->rank && time > longest);
    if (!better) continue;
    chosen = &found;
    longest = time;
  }
  return chosen;
}

bool numbers_differ(const Candidates& found) {
  std::set<std::int64_t> numbers;
  for (const auto& [slice, number] : found.ranges) numbers.insert(number);
  return numbers.size() == found.ranges.size();
}

}  // namespace

void mark_steps(Profile& p) {
  if (p.steps.rows() != 0) return;
  const auto all = candidates(p);
  const Candidates* chosen = best(p, all);
  if (chosen == nullptr) return;
  const bool numbered = numbers_differ(*chosen);
  auto ranges = chosen->ranges;
  sort_up(ranges, [&](const auto& each) { return p.slices.start[each.first]; });
  std::int64_t position = 0;
  for (const auto& [slice, number] : ranges) {
    p.slices.kind[slice] = SliceKind::step;
    p.steps.number.push_back(numbered ? number : position);
    p.steps.start.push_back(p.slices.start[slice]);
    p.steps.duration.push_back(p.slices.duration[slice]);
    p.steps.slice.push_back(slice);
    ++position;
  }
}

// ---- modules ----

void mark_modules(Profile& p, const std::set<Row>& except) {
  const std::set<Row> serving(p.serving_steps.slice.begin(), p.serving_steps.slice.end());
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (p.slices.kind[slice] != SliceKind::annotation || p.slices.duration[slice] == 0) continue;
    const bool on_thread = p.text(p.lanes.track[p.slices.lane[slice]]).find_first_not_of("0123456789") == std::string_view::npos;
    if (!on_thread || except.contains(slice) || serving.contains(slice)) continue;
    p.slices.kind[slice] = SliceKind::module;
    p.modules.slice.push_back(slice);
    p.modules.instance.push_back(kUnknown);
  }
}

}  // namespace sightline::formats

// Memory plans: one sweep over the places of each plan.
#include "analyses/memory/memory_plans.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/sort.h"

namespace sightline::analyses {

namespace {

struct Extent {
  std::int64_t piece, begin, end;
};

// Nullopt if the file does not state the place or size of the value.
std::optional<Extent> extent_of(const ProgramBuffers& buffers, Row row) {
  const std::int64_t offset = buffers.offset[row], bytes = buffers.bytes[row];
  std::int64_t end = 0;
  if (offset < 0 || bytes < 0 || __builtin_add_overflow(offset, bytes, &end)) return std::nullopt;
  return Extent{buffers.allocation[row], offset, end};
}

// "temporary, memory space 1" is for a temporary, in memory space 1.
std::pair<std::string_view, std::string_view> use_of(const Profile& profile, Row row) {
  const std::string_view text = profile.text(profile.program_buffers.use[row]);
  const std::size_t comma = text.find(", ");
  return {text.substr(0, comma), comma == std::string_view::npos ? "" : text.substr(comma + 2)};
}

void sort_value(const Profile& profile, MemoryPlan& plan, Row row) {
  const ProgramBuffers& buffers = profile.program_buffers;
  const std::string_view use = use_of(profile, row).first;
  if (use == "thread-local") return;
  if (!extent_of(buffers, row)) {
    plan.unplaced.push_back(row);
  } else if (use == "parameter" || use == "output" || use == "constant") {
    plan.throughout.push_back(row);
  } else if (buffers.first[row] != kUnknown && buffers.last[row] >= buffers.first[row]) {
    plan.timed.push_back(row);
  } else {
    plan.unplaced.push_back(row);
    plan.unplaced_bytes += buffers.bytes[row];
  }
}

void sum_held(const Profile& profile, MemoryPlan& plan) {
  const ProgramBuffers& buffers = profile.program_buffers;
  Coverage coverage;
  for (const auto& [use, sum] :
       {std::pair{"parameter", &plan.parameters}, std::pair{"output", &plan.outputs}, std::pair{"constant", &plan.constants}}) {
    for (const Row row : plan.throughout) {
      if (use_of(profile, row).first != use) continue;
      const Extent at = *extent_of(buffers, row);
      *sum += coverage.add(at.piece, at.begin, at.end);
    }
  }
}

void sum_set_aside(const ProgramBuffers& buffers, MemoryPlan& plan) {
  std::map<std::int64_t, std::int64_t> ends;  // by piece of memory
  for (const std::vector<Row>* values : {&plan.timed, &plan.unplaced}) {
    for (const Row row : *values) {
      const auto at = extent_of(buffers, row);
      if (at) ends[at->piece] = std::max(ends[at->piece], at->end);
    }
  }
  for (const auto& [piece, end] : ends) plan.set_aside += end;
}

void sweep(const ProgramBuffers& buffers, MemoryPlan& plan) {
  struct Change {
    std::int64_t place;
    bool comes;
    Row row;
  };
  std::vector<Change> changes;
  for (const Row row : plan.timed) {
    changes.push_back({buffers.first[row], true, row});
    changes.push_back({buffers.last[row] + 1, false, row});
  }
  // Values that end before values that begin, each by size, so that the last change of a place is the one to name.
  std::sort(changes.begin(), changes.end(), [&](const Change& x, const Change& y) {
    const auto key = [&](const Change& change) {
      return std::tuple{change.place, change.comes, buffers.bytes[change.row], change.row};
    };
    return key(x) < key(y);
  });
  Coverage coverage;
  std::int64_t live = 0;
  for (const Change& change : changes) {
    const Extent at = *extent_of(buffers, change.row);
    live += change.comes ? coverage.add(at.piece, at.begin, at.end) : -coverage.remove(at.piece, at.begin, at.end);
    if (plan.places.empty() || plan.places.back() != change.place) {
      plan.places.push_back(change.place);
      plan.live.push_back(live);
      plan.changed.push_back(change.row);
    }
    plan.live.back() = live;
    plan.changed.back() = change.row;
  }
  const auto most = std::max_element(plan.live.begin(), plan.live.end());
  plan.peak = static_cast<std::size_t>(most - plan.live.begin());
}

}  // namespace

// Cuts the stretch around `at` in two there; the first stretch of the piece that begins at or behind `at`.
Coverage::Stretches::iterator Coverage::cut(std::int64_t piece, std::int64_t at) {
  const auto next = stretches_.lower_bound({piece, at});
  if (next == stretches_.begin()) return next;
  const auto before = std::prev(next);
  if (before->first.first != piece || before->second.end <= at) return next;
  const auto behind = stretches_.insert(next, {{piece, at}, before->second});
  before->second.end = at;
  return behind;
}

std::int64_t Coverage::add(std::int64_t piece, std::int64_t begin, std::int64_t end) {
  if (begin >= end) return 0;
  cut(piece, end);
  std::int64_t grown = 0;
  auto next = cut(piece, begin);
  for (std::int64_t at = begin; at < end;) {
    const bool covered = next != stretches_.end() && next->first == std::pair{piece, at};
    if (covered) {
      ++next->second.values;
    } else {
      const bool more = next != stretches_.end() && next->first.first == piece && next->first.second < end;
      const std::int64_t until = more ? next->first.second : end;
      next = stretches_.insert(next, {{piece, at}, {until, 1}});
      grown += until - at;
    }
    at = next->second.end;
    ++next;
  }
  return grown;
}

std::int64_t Coverage::remove(std::int64_t piece, std::int64_t begin, std::int64_t end) {
  if (begin >= end) return 0;
  cut(piece, end);
  std::int64_t shrunk = 0;
  for (auto at = cut(piece, begin); at != stretches_.end() && at->first < std::pair{piece, end};) {
    if (--at->second.values > 0) {
      ++at;
      continue;
    }
    shrunk += at->second.end - at->first.second;
    at = stretches_.erase(at);
  }
  return shrunk;
}

std::vector<MemoryPlan> memory_plans(const Profile& profile) {
  const ProgramBuffers& buffers = profile.program_buffers;
  std::vector<MemoryPlan> plans;
  std::map<std::tuple<StringId, StringId, std::string_view>, std::size_t> known;
  for (Row row = 0; row < buffers.rows(); ++row) {
    const auto key = std::tuple{buffers.program[row], buffers.program_id[row], use_of(profile, row).second};
    const auto [at, is_new] = known.try_emplace(key, plans.size());
    if (is_new) {
      MemoryPlan& plan = plans.emplace_back();
      std::tie(plan.program, plan.program_id, plan.space) = key;
    }
    sort_value(profile, plans[at->second], row);
  }
  for (MemoryPlan& plan : plans) {
    sort_up(plan.timed, [&](Row each) { return buffers.first[each]; });
    sum_held(profile, plan);
    sum_set_aside(buffers, plan);
    sweep(buffers, plan);
  }
  return plans;
}

std::vector<LiveValue> live_values(const Profile& profile, const MemoryPlan& plan, std::size_t at) {
  const ProgramBuffers& buffers = profile.program_buffers;
  std::vector<LiveValue> live;
  for (const Row row : plan.throughout) live.push_back({row, 0});
  for (const Row row : plan.timed) {
    if (at < plan.places.size() && buffers.first[row] <= plan.places[at] && plan.places[at] <= buffers.last[row])
      live.push_back({row, 0});
  }
  // The largest first, so that it counts and what shares its place does not.
  sort_down(live, [&](const LiveValue& each) { return buffers.bytes[each.buffer]; });
  Coverage coverage;
  for (LiveValue& value : live) {
    const Extent where = *extent_of(buffers, value.buffer);
    value.own = coverage.add(where.piece, where.begin, where.end);
  }
  return live;
}

}  // namespace sightline::analyses

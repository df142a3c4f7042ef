// One pass over the boundaries of a few sets of intervals gives the exact runs; one pass over runs joins them to pixels.
#include "analyses/ranks/rank_activity.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "analyses/ranks/rank_summary.h"
#include "analyses/steps/step_passes.h"
#include "analyses/steps/step_summary.h"

namespace sightline::analyses {

std::string_view rank_does_key(RankDoes does) {
  switch (does) {
    case RankDoes::idle: return "idle";
    case RankDoes::copying: return "copying";
    case RankDoes::communicating: return "communicating";
    case RankDoes::computing: return "computing";
    case RankDoes::forward: return "forward";
    case RankDoes::backward: return "backward";
    case RankDoes::recomputing: return "recomputing";
    case RankDoes::optimizing: return "optimizing";
  }
  return "idle";
}

namespace {

using Sets = std::array<IntervalSet, kRankDoes>;  // by what it does; that of idle stays empty

RankDoes does_in(Pass pass) {
  switch (pass) {
    case Pass::forward: return RankDoes::forward;
    case Pass::backward: return RankDoes::backward;
    case Pass::recomputation: return RankDoes::recomputing;
    case Pass::optimizer: return RankDoes::optimizing;
    default: return RankDoes::computing;
  }
}

// Without any backward pass, all work would be called forward: inference computes.
void add_kernels(const Profile& profile, std::array<std::vector<Interval>, kRankDoes>& intervals) {
  const std::vector<Pass> passes = passes_of_work(profile);
  const bool trains = std::find(passes.begin(), passes.end(), Pass::backward) != passes.end();
  for (Row work = 0; work < profile.device_work.rows(); ++work) {
    const Row slice = profile.device_work.slice[work];
    if (profile.slices.kind[slice] != SliceKind::kernel) continue;
    const RankDoes does = trains ? does_in(passes[work]) : RankDoes::computing;
    intervals[static_cast<std::size_t>(does)].push_back({profile.slices.start[slice], profile.end_of(slice)});
  }
}

Sets sets_of(const Profile& profile) {
  std::array<std::vector<Interval>, kRankDoes> intervals;
  const auto list = [&](RankDoes does) -> std::vector<Interval>& { return intervals[static_cast<std::size_t>(does)]; };
  add_kernels(profile, intervals);
  for (const Row slice : collective_slices(profile)) {
    list(RankDoes::communicating).push_back({profile.slices.start[slice], profile.end_of(slice)});
  }
  const RoleSets roles = role_sets(profile);
  Sets sets;
  for (std::size_t does = 0; does < kRankDoes; ++does) sets[does] = merge(std::move(intervals[does]));
  sets[static_cast<std::size_t>(RankDoes::copying)] = unite(roles[Role::memcpy], roles[Role::memset]);
  const bool on_device = std::any_of(sets.begin() + static_cast<int>(RankDoes::computing), sets.end(),
                                     [](const IntervalSet& set) { return !set.empty(); });
  if (!on_device) sets[static_cast<std::size_t>(RankDoes::computing)] = roles[Role::host];
  return sets;
}

// Of the sets that hold at an instant.
std::uint8_t code_of(const std::array<bool, kRankDoes>& active) {
  std::size_t does = kRankDoes - 1;
  while (does > 0 && !active[does]) --does;
  const auto code = static_cast<std::uint8_t>(does);
  return computes(code) && active[static_cast<std::size_t>(RankDoes::communicating)] ? code | kOverlapped : code;
}

void add_run(RankActivity& activity, Time end, std::uint8_t code, std::uint8_t share) {
  const bool same = !activity.end.empty() && activity.code.back() == code && activity.share.back() == share;
  if (same) {
    activity.end.back() = end;
    return;
  }
  activity.end.push_back(end);
  activity.code.push_back(code);
  activity.share.push_back(share);
}

}  // namespace

RankActivity activity_of(const Profile& profile) {
  const Sets sets = sets_of(profile);
  constexpr Time kNever = std::numeric_limits<Time>::max();
  std::array<std::size_t, kRankDoes> at{};
  std::array<bool, kRankDoes> active{};
  const auto next_of = [&](std::size_t set) {
    if (at[set] == sets[set].size()) return kNever;
    const Interval& interval = sets[set][at[set]];
    return active[set] ? interval.end : interval.start;
  };
  RankActivity activity;
  for (bool begun = false;;) {
    Time next = kNever;
    for (std::size_t set = 0; set < kRankDoes; ++set) next = std::min(next, next_of(set));
    if (next == kNever) return activity;
    if (begun) {
      const std::uint8_t code = code_of(active);
      add_run(activity, next, code, code == 0 ? 0 : 255);
    } else {
      activity.start = next;
    }
    begun = true;
    for (std::size_t set = 0; set < kRankDoes; ++set) {
      if (next_of(set) != next) continue;
      at[set] += active[set];
      active[set] = !active[set];
    }
  }
}

std::shared_ptr<const RankActivity> rank_activity(const ProfilePtr& profile) {
  return derived<RankActivity>(profile, [](const ProfilePtr& of) { return activity_of(*of); });
}

namespace {

// What is done most in one pixel: first whether it computes alone, computes while it communicates, communicates or copies; then
// in which pass.
class Pixel {
 public:
  void add(std::uint8_t code, double time) {
    time_[code] += time;
    touched_ = true;
  }

  bool empty() const { return !touched_; }

  // Adds the pixel as a run, and begins the next one.
  void flush(RankActivity& to, Time begin, Time end) {
    double copying = time_[static_cast<std::size_t>(RankDoes::copying)];
    double communicating = time_[static_cast<std::size_t>(RankDoes::communicating)];
    std::array<double, 2> computing{};  // alone, overlapped
    std::array<std::uint8_t, 2> pass{};
    for (std::uint8_t code = 0; code < time_.size(); ++code) {
      if (!computes(code)) continue;
      const std::size_t kind = code >= kOverlapped;
      computing[kind] += time_[code];
      if (pass[kind] == 0 || time_[code] > time_[pass[kind]]) pass[kind] = code;
    }
    const double busy = copying + communicating + computing[0] + computing[1];
    std::uint8_t code = 0;
    double most = 0;
    for (const auto& [time, of] : {std::pair(computing[0], pass[0]), std::pair(communicating, std::uint8_t{2}),
                                   std::pair(computing[1], pass[1]), std::pair(copying, std::uint8_t{1})}) {
      if (time > most) {
        most = time;
        code = of;
      }
    }
    const double share = busy / static_cast<double>(end - begin);
    const auto rounded = static_cast<std::uint8_t>(std::clamp(share * 255 + 0.5, 0.0, 255.0));
    add_run(to, end, code, code == 0 ? 0 : std::max<std::uint8_t>(1, rounded));
    time_.fill(0);
    touched_ = false;
  }

 private:
  std::array<double, 2 * kOverlapped> time_{};
  bool touched_ = false;
};

}  // namespace

RankActivity joined(const RankActivity& activity, Interval window, Time pixel) {
  RankActivity out{.start = std::max(window.start, activity.start), .pixel = pixel};
  const auto first = std::upper_bound(activity.end.begin(), activity.end.end(), window.start);
  auto i = static_cast<std::size_t>(first - activity.end.begin());
  Pixel current;
  Time at = out.start;
  const auto edge_after = [&](Time time) { return window.start + ((time - window.start) / pixel + 1) * pixel; };
  Time edge = edge_after(at), begin = at;
  for (; i < activity.runs() && at < window.end; ++i) {
    const Time run_end = std::min(activity.end[i], window.end);
    const double share = activity.share[i] / 255.0;
    while (at < run_end) {
      const bool whole = at == begin && run_end >= edge;
      if (whole && current.empty()) {  // as many whole pixels as the run has
        const Time until = run_end == window.end ? run_end : run_end - (run_end - window.start) % pixel;
        add_run(out, std::max(until, edge), activity.code[i], activity.share[i]);
        at = begin = std::max(until, edge);
        edge = edge_after(at);
        continue;
      }
      const Time part = std::min(run_end, edge);
      current.add(activity.code[i], static_cast<double>(part - at) * (activity.code[i] == 0 ? 1 : share));
      at = part;
      if (at == edge) {
        current.flush(out, begin, edge);
        begin = edge;
        edge = edge_after(at);
      }
    }
  }
  if (!current.empty()) current.flush(out, begin, at);
  if (pixel < activity.pixel) out.pixel = activity.pixel;
  return out;
}

RankActivity overview_of(const RankActivity& exact) {
  if (exact.runs() <= kMostRuns) return exact;
  const Interval extent = exact.extent();
  const auto least = static_cast<std::uint64_t>(extent.length()) / kMostRuns + 1;
  auto pixel = static_cast<Time>(std::bit_ceil(least));
  RankActivity best = joined(exact, extent, pixel);
  while (pixel > 1 && best.runs() <= kMostRuns / 2) {  // long runs leave room for a finer pixel
    RankActivity finer = joined(exact, extent, pixel / 2);
    if (finer.runs() > kMostRuns) break;
    best = std::move(finer);
    pixel /= 2;
  }
  best.pixel = pixel;
  return best;
}

}  // namespace sightline::analyses

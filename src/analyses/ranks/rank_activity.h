// RankActivity: what one rank did at each instant, as runs of time that do not overlap: computing (in which pass of the
// training), communicating, copying, idle. Exact, or joined to pixels so that a rank takes at most a few thousand runs, whatever
// its length: a thousand ranks then fit in memory and on one screen. Times are ns on the rank's own clock.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "analyses/derived_data.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

// The first that holds, from the end of the list; a pass is that of the work (analyses/steps/step_passes.h).
enum class RankDoes : std::uint8_t { idle, copying, communicating, computing, forward, backward, recomputing, optimizing };
inline constexpr std::size_t kRankDoes = 8;
// Added to those that compute while a collective runs: this communication costs no time.
inline constexpr std::uint8_t kOverlapped = 8;

std::string_view rank_does_key(RankDoes does);

constexpr RankDoes does_of(std::uint8_t code) { return static_cast<RankDoes>(code & 7); }
constexpr bool computes(std::uint8_t code) { return does_of(code) >= RankDoes::computing; }

// Runs that follow one another without gaps: run i is [end[i - 1], end[i]), the first from `start` on.
struct RankActivity {
  Time start = 0;
  Time pixel = 0;  // runs are whole pixels of this many ns; 0: exact
  std::vector<Time> end{};
  std::vector<std::uint8_t> code{};   // RankDoes, and kOverlapped; of a pixel with several: what it does most, when not idle
  std::vector<std::uint8_t> share{};  // 255 times the share of the run in which it is not idle; at least 1 unless idle

  std::size_t runs() const { return end.size(); }
  Interval extent() const { return {start, end.empty() ? start : end.back()}; }
};

inline constexpr std::size_t kMostRuns = 4096;

// Exact.
RankActivity activity_of(const Profile& profile);

// Computed once per profile, for looking closely.
std::shared_ptr<const RankActivity> rank_activity(const ProfilePtr& profile);

// With at most kMostRuns runs.
RankActivity overview_of(const RankActivity& exact);

// The runs within [window.start, window.end), joined to pixels of `pixel` ns that begin at window.start. What is finer in the
// request than in `activity` stays as coarse as it is. Outside of its extent nothing is known: there are no runs there.
RankActivity joined(const RankActivity& activity, Interval window, Time pixel);

inline std::int64_t held_bytes(const RankActivity& activity) { return held_bytes(activity.end, activity.code, activity.share); }

}  // namespace sightline::analyses

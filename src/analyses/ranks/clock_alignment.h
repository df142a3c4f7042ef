// The clocks of the ranks of a job on one axis: how far each is ahead of the clock of a reference rank, how well that is known,
// and by which rule; or why it is not known. Nothing is guessed: a rank whose clock is not known stays on its own clock.
//
// A collective that synchronises (all-reduce, all-gather, reduce-scatter, all-to-all, barrier) ends on all its ranks together. So
// the difference of its ends on two ranks is the difference of their clocks, with the noise of the measurement: the offset is the
// median of these differences, the spread their interquartile range. Over more than 10 s the drift is known, too. Other
// collectives end on each rank when it is done, so they only check the result: a receiver ends after its sender has begun.
//
// Ranks that share no collective with the reference are reached through ranks that do; spreads add up on the way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyses/ranks/collectives.h"
#include "base/message.h"

namespace sightline::analyses {

// How the clock of a rank is known.
enum class ClockRule : std::uint8_t {
  reference,        // it is the reference
  one_clock,        // same host as a rank that is known, both files state Unix times, and the collectives do not contradict
  collective_ends,  // the ends of matched collectives
  order_of_ends,    // likewise, of collectives without sequence numbers, matched by the shift of their order that fits best
  unknown
};

inline constexpr std::int64_t kFewestEnds = 5;
inline constexpr Time kLeastLimit = 50'000;         // ns of spread that are always accepted
inline constexpr double kLimitShare = 0.05;         // of the median collective
inline constexpr Time kDriftFrom = 10'000'000'000;  // ns between the first and the last end, from which the drift is known

struct RankClock {
  ClockRule rule = ClockRule::unknown;
  Time origin = 0;                 // its Time 0 on the reference's axis by the Unix times of the files; 0: not stated
  double offset = kUnknownNumber;  // ns that it is ahead of the reference, at its time `at`
  double spread = kUnknownNumber;  // ns
  double drift = kUnknownNumber;   // ns ahead per ns
  Time at = 0;
  std::int64_t ends = 0;      // differences of ends that the offset is the median of; through several ranks: the fewest
  std::uint32_t through = 0;  // index of the rank that it is compared with
  std::int64_t checked = 0;   // transfers from rank to rank with this rank, on known clocks
  std::int64_t violated = 0;  // of these, how many end at the receiver before they begin at the sender
  Message why;                // it is not known

  bool is_known() const { return rule != ClockRule::unknown; }
  // A time of the rank on the reference's axis. REQUIRES: it is known.
  Time on_axis(Time own) const;
};

// By rank, in the order of `ranks`.
std::vector<RankClock> align_clocks(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match,
                                    std::uint32_t reference = 0);

// Whether a collective of this kind ends on all its ranks together.
bool ends_together(CollectiveKind kind);

}  // namespace sightline::analyses

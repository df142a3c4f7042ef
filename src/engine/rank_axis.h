// RankAxis: the workers of a span, and of another span or run if one is added, for one timeline: which they are, what each did,
// and how their clocks are related. Made once for the workers that are ready, and kept while they stay the same.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "analyses/ranks/clock_alignment.h"
#include "analyses/ranks/collectives.h"
#include "engine/capture.h"

namespace sightline::engine {

// One row of the axis.
struct AxisRank {
  CapturePtr capture;
  ProfileSelector name;
  LoadStatus status = LoadStatus::queued;
  RankSummaryPtr summary{};  // null unless it is ready
  std::uint32_t job = 0;
  std::uint32_t in_job = 0;  // index of AxisJob::ranks; meaningless without a summary
};

// The workers of one span of one run. Collectives and clocks are matched within it.
struct AxisJob {
  std::string run, span;
  std::vector<RankSummaryPtr> ranks{};  // those that are ready
  std::vector<std::uint32_t> rows{};    // of them, in RankAxis::ranks
  std::uint32_t reference = 0;          // of them: times of the job are on its clock
  CollectiveMatch match{};
  std::vector<RankClock> clocks{};
  std::vector<TimesOfRank> times{};
};

struct RankAxis {
  std::vector<AxisRank> ranks;  // by job, then by role and rank, those of unknown rank last
  std::vector<AxisJob> jobs;    // the first is that of the selected profile, whose clock is its reference

  const RankClock* clock_of(const AxisRank& rank) const {
    return rank.summary == nullptr ? nullptr : &jobs[rank.job].clocks[rank.in_job];
  }
};

using RankAxisPtr = std::shared_ptr<const RankAxis>;

// `spans`: all workers of each job, with the one whose clock is the reference.
struct SpanOnAxis {
  std::vector<CapturePtr> captures;
  CapturePtr reference;
};
RankAxis make_rank_axis(const std::vector<SpanOnAxis>& spans);

// The last axes. Thread-safe; its lock is a leaf.
class RankAxes {
 public:
  // Made again only when a worker was added, became ready, or was read again.
  RankAxisPtr of(const std::vector<SpanOnAxis>& spans);

 private:
  struct Kept {
    std::vector<std::shared_ptr<const void>> key;
    RankAxisPtr axis;
  };

  std::mutex mutex_;
  std::vector<Kept> kept_;  // the last used is first
};

}  // namespace sightline::engine

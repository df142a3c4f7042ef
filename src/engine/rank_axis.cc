#include "engine/rank_axis.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace sightline::engine {

namespace {

constexpr std::size_t kMostMatches = 2;  // the matches of a thousand ranks take a hundred MB

AxisRank row_of(const CapturePtr& capture, std::uint32_t job) {
  AxisRank row{.capture = capture, .name = capture->name(), .status = capture->status(), .summary = nullptr, .job = job};
  if (row.status == LoadStatus::ready) row.summary = capture->rank();
  return row;
}

std::pair<std::string, std::int64_t> place_of(const AxisRank& row) {
  const bool known = row.summary != nullptr && row.summary->rank != kUnknown;
  return {row.capture->role, known ? row.summary->rank : std::numeric_limits<std::int64_t>::max()};
}

void match(AxisJob& job) {
  job.match = match_collectives(job.ranks);
  job.clocks = align_clocks(job.ranks, job.match, job.reference);
  job.times = times_of_ranks(job.ranks, job.match);
}

}  // namespace

RankAxis make_rank_axis(const std::vector<SpanOnAxis>& spans) {
  RankAxis axis;
  for (std::uint32_t number = 0; number < spans.size(); ++number) {
    const SpanOnAxis& span = spans[number];
    std::vector<AxisRank> rows;
    for (const CapturePtr& capture : span.captures) rows.push_back(row_of(capture, number));
    std::stable_sort(rows.begin(), rows.end(), [](const AxisRank& a, const AxisRank& b) { return place_of(a) < place_of(b); });
    AxisJob job{.run = span.reference->name().run, .span = span.reference->name().span};
    for (AxisRank& row : rows) {
      if (row.summary != nullptr) {
        row.in_job = static_cast<std::uint32_t>(job.ranks.size());
        if (row.capture == span.reference) job.reference = row.in_job;
        job.ranks.push_back(row.summary);
        job.rows.push_back(static_cast<std::uint32_t>(axis.ranks.size()));
      }
      axis.ranks.push_back(std::move(row));
    }
    if (!job.ranks.empty()) match(job);
    axis.jobs.push_back(std::move(job));
  }
  return axis;
}

RankAxisPtr RankAxes::of(const std::vector<SpanOnAxis>& spans) {
  std::vector<std::shared_ptr<const void>> key;
  for (const SpanOnAxis& span : spans) {
    key.push_back(span.reference);
    for (const CapturePtr& capture : span.captures) {
      key.push_back(capture);
      if (capture->status() == LoadStatus::ready) key.push_back(capture->rank());
    }
    key.push_back(nullptr);
  }
  {
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.key == key; });
    if (known != kept_.end()) {
      std::rotate(kept_.begin(), known, known + 1);
      return kept_.front().axis;
    }
  }
  auto made = std::make_shared<const RankAxis>(make_rank_axis(spans));
  const std::lock_guard lock(mutex_);
  kept_.insert(kept_.begin(), {std::move(key), made});
  if (kept_.size() > kMostMatches) kept_.pop_back();
  return made;
}

}  // namespace sightline::engine

// Timeline: a counting sort by depth within each lane, then one tree per row.
#include "timeline/timeline.h"

#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "model/enclosing_module.h"

namespace sightline {

std::vector<Timeline::DepthRow> Timeline::split_by_depth(Row lane) {
  const Slices& s = profile_->slices;
  const Row first = profile_->lanes.first[lane];
  const Row last = profile_->lanes.last[lane];
  std::vector<std::size_t> ends;
  for (Row i = first; i < last; ++i) {
    if (s.depth[i] >= ends.size()) ends.resize(s.depth[i] + std::size_t{1}, 0);
    ++ends[s.depth[i]];
  }
  std::vector<DepthRow> rows;
  std::size_t next = first;
  for (std::size_t& count : ends) {
    rows.push_back({next, next + count});
    next += count;
    count = rows.back().first;
  }
  for (Row i = first; i < last; ++i) order_[ends[s.depth[i]]++] = i;
  return rows;
}

Timeline::Timeline(ProfilePtr profile, unsigned threads) : profile_(std::move(profile)), order_(profile_->slices.rows()) {
  const Profile& p = *profile_;
  if (threads == 0) threads = default_threads();
  std::vector<std::vector<DepthRow>> rows_of_lane(p.lanes.rows());
  parallel_for(p.lanes.rows(), threads, [&](std::size_t lane) { rows_of_lane[lane] = split_by_depth(static_cast<Row>(lane)); });

  std::vector<DepthRow> rows;
  std::vector<std::size_t> drawn_as(p.lanes.rows());  // by lane: index in lanes_
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    const Row main = p.lanes.overflow_of[lane];
    if (main == kNoRow) {
      drawn_as[lane] = lanes_.size();
      lanes_.push_back({lane, 0, 0, 0, {}});
    }
    DrawnLane& drawn = lanes_[main == kNoRow ? drawn_as[lane] : drawn_as[main]];
    for (const DepthRow& row : rows_of_lane[lane]) {
      drawn.rows.push_back(static_cast<std::uint32_t>(rows.size()));
      rows.push_back(row);
    }
    for (Row i = p.lanes.first[lane]; i < p.lanes.last[lane]; ++i) {
      drawn.start = drawn.slices == 0 ? p.slices.start[i] : std::min(drawn.start, p.slices.start[i]);
      drawn.end = drawn.slices == 0 ? p.end_of(i) : std::max(drawn.end, p.end_of(i));
      ++drawn.slices;
    }
  }
  std::vector<std::optional<LevelOfDetail>> built(rows.size());
  parallel_for(rows.size(), threads, [&](std::size_t r) {
    built[r].emplace(p.slices, std::span<const Row>(order_.data() + rows[r].first, rows[r].last - rows[r].first));
  });
  details_.reserve(rows.size());
  for (auto& detail : built) details_.push_back(*std::move(detail));
}

const std::vector<Row>& Timeline::modules() const {
  std::call_once(modules_known_, [this] { modules_ = enclosing_modules(*profile_); });
  return modules_;
}

std::size_t Timeline::bytes() const {
  std::size_t sum = order_.capacity() * sizeof(Row);
  for (const LevelOfDetail& detail : details_) sum += detail.bytes();
  return sum;
}

}  // namespace sightline

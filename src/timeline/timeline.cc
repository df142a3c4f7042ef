// Timeline: each lane is laid out and sorted by row together with its overflow lanes; then one tree per row.
#include "timeline/timeline.h"

#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "model/drawn_lanes.h"
#include "model/modules.h"
#include "timeline/row_layout.h"

namespace sightline::timeline {

namespace {

constexpr std::size_t kParts = 2;

// One part of a lane while it is laid out.
struct Part {
  std::vector<std::size_t> sizes;  // slices by place, then by row
  Time start = 0;
  Time end = 0;
  std::uint64_t slices = 0;
};

}  // namespace

// A lane, the overflow lanes that relieve it, and their range in order_.
struct Timeline::Family {
  std::vector<Row> lanes;
  std::size_t first = 0;
  std::array<Part, kParts> parts{};
};

// Rows for the slices of a family, which then are in order_ by part, row and start.
void Timeline::lay_out(Family& family) {
  const Slices& s = profile_->slices;
  std::array<RowLayout, kParts> layouts;
  const LaneKind kind = profile_->lanes.kind[family.lanes[0]];
  const auto part_at = [&](Row i) { return static_cast<std::size_t>(part_of(kind, s.kind[i])); };
  std::vector<SliceRun> runs;
  for (const Row lane : family.lanes) runs.push_back({profile_->lanes.first[lane], profile_->lanes.last[lane]});
  for_each_merged(*profile_, runs, [&](Row i) {
    const std::size_t which = part_at(i);
    Part& part = family.parts[which];
    const Time end = s.start[i] + s.duration[i];
    row_[i] = layouts[which].place(s.start[i], end);
    if (row_[i] >= part.sizes.size()) part.sizes.resize(row_[i] + std::size_t{1}, 0);
    ++part.sizes[row_[i]];
    if (part.slices++ == 0) part.start = s.start[i];
    part.end = part.slices == 1 ? end : std::max(part.end, end);
  });
  std::array<std::vector<std::uint16_t>, kParts> rows;
  std::array<std::vector<std::size_t>, kParts> next;  // by row: where its next slice goes
  std::size_t at = family.first;
  for (std::size_t which = 0; which < kParts; ++which) {
    rows[which] = layouts[which].rows();
    std::vector<std::size_t> sizes(rows[which].size(), 0);
    for (std::size_t place = 0; place < sizes.size(); ++place) sizes[rows[which][place]] += family.parts[which].sizes[place];
    for (const std::size_t size : sizes) {
      next[which].push_back(at);
      at += size;
    }
    family.parts[which].sizes = std::move(sizes);
  }
  for_each_merged(*profile_, runs, [&](Row i) {
    const std::size_t which = part_at(i);
    row_[i] = rows[which][row_[i]];
    order_[next[which][row_[i]]++] = i;
  });
}

void Timeline::add_lanes(const Family& family) {
  for (std::size_t which = 0; which < kParts; ++which) {
    const Part& part = family.parts[which];
    if (part.slices == 0) continue;
    const auto number = static_cast<std::uint32_t>(lanes_.size());
    for (const Row lane : family.lanes) drawn_as_[lane][which] = number;
    lanes_.push_back({number, family.lanes[0], static_cast<LanePart>(which), part.start, part.end, part.slices, {}});
    for (const std::size_t size : part.sizes) {
      lanes_.back().rows.push_back(static_cast<std::uint32_t>(bounds_.size() - 1));
      bounds_.push_back(bounds_.back() + size);
    }
  }
}

Timeline::Timeline(ProfilePtr profile, unsigned threads) : profile_(std::move(profile)), drawn_as_(profile_->lanes.rows()) {
  const Profile& p = *profile_;
  row_.resize(p.slices.rows());
  order_.resize(p.slices.rows());
  if (threads == 0) threads = default_threads();
  std::vector<Family> families;
  for (const DrawnLaneSource& source : drawn_lanes(p)) {
    if (families.empty() || families.back().lanes[0] != source.lanes[0]) families.push_back({source.lanes, 0});
  }
  std::size_t first = 0;
  for (Family& family : families) {
    family.first = first;
    for (const Row lane : family.lanes) first += p.lanes.last[lane] - p.lanes.first[lane];
  }
  parallel_for(families.size(), threads, [&](std::size_t i) { lay_out(families[i]); });
  bounds_.push_back(0);
  for (const Family& family : families) add_lanes(family);

  std::vector<std::optional<LevelOfDetail>> built(bounds_.size() - 1);
  parallel_for(built.size(), threads,
               [&](std::size_t r) { built[r].emplace(p.slices, slices_of(static_cast<std::uint32_t>(r))); });
  details_.reserve(built.size());
  for (auto& detail : built) details_.push_back(*std::move(detail));
}

const Relations& Timeline::relations() const {
  std::call_once(relations_made_, [this] {
    relations_ = std::make_unique<const Relations>(*profile_);
    later_bytes_ += relations_->bytes();
  });
  return *relations_;
}

const std::vector<Row>& Timeline::modules() const {
  std::call_once(modules_known_, [this] {
    modules_ = enclosing_modules(*profile_);
    later_bytes_ += modules_.capacity() * sizeof(Row);
  });
  return modules_;
}

std::size_t Timeline::bytes() const {
  std::size_t sum = order_.capacity() * sizeof(Row) + row_.capacity() * sizeof(row_[0]) +
                    bounds_.capacity() * sizeof(bounds_[0]) + drawn_as_.capacity() * sizeof(drawn_as_[0]) + later_bytes_;
  for (const DrawnLane& lane : lanes_) sum += sizeof lane + lane.rows.capacity() * sizeof(lane.rows[0]);
  for (const LevelOfDetail& detail : details_) sum += sizeof detail + detail.bytes();
  return sum;
}

}  // namespace sightline::timeline

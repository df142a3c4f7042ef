// Timeline: each lane is laid out and sorted by row together with its overflow lanes; then one tree is built per row. A timeline
// is kept in a file as sections: its long columns and all marks as they are in memory, and a small packed record of their shape.
#include "timeline/timeline.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/packed.h"
#include "base/parallel.h"
#include "model/drawn_lanes.h"
#include "model/modules.h"

namespace sightline::timeline {

// ---- rows ----

std::uint16_t RowLayout::place(Time start, Time end) {
  const Nester::Place at = nester_.add(start, end, kNoRow);
  if (at.pile >= places_.size()) places_.resize(at.pile + 1);
  std::vector<std::uint16_t>& of_pile = places_[at.pile];
  if (at.depth == of_pile.size()) {
    of_pile.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(used_++, std::numeric_limits<std::uint16_t>::max())));
  }
  return of_pile[at.depth];
}

std::vector<std::uint16_t> RowLayout::rows() const {
  std::vector<std::uint16_t> rows(std::min<std::size_t>(used_, std::size_t{1} << 16), 0);
  std::size_t row = 0;
  for (const std::vector<std::uint16_t>& of_pile : places_) {
    for (const std::uint16_t place : of_pile) rows[place] = static_cast<std::uint16_t>(std::min(row++, rows.size() - 1));
  }
  return rows;
}

// ---- the timeline ----

namespace {

constexpr std::size_t kParts = 2;

std::size_t drawn_slices(const Profile& p, Row lane) {
  const Column<Row>& replayed = p.replayed_ranges.slice;
  const auto at = [&](Row slice) { return std::lower_bound(replayed.begin(), replayed.end(), slice); };
  const Row first = p.lanes.first[lane], last = p.lanes.last[lane];
  return last - first - static_cast<std::size_t>(at(last) - at(first));
}

// One part of a lane during the layout.
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
    if (is_replayed(*profile_, i)) return;
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
    if (is_replayed(*profile_, i)) return;
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
  order_.resize(p.slices.rows() - p.replayed_ranges.rows());
  if (threads == 0) threads = default_threads();
  std::vector<Family> families;
  for (const DrawnLaneSource& source : drawn_lanes(p)) {
    if (families.empty() || families.back().lanes[0] != source.lanes[0]) families.push_back({source.lanes, 0});
  }
  std::size_t first = 0;
  for (Family& family : families) {
    family.first = first;
    for (const Row lane : family.lanes) first += drawn_slices(p, lane);
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

// ---- sections of a file ----

namespace {

constexpr std::string_view kShape = "timeline.shape";
constexpr std::string_view kRows = "timeline.row";
constexpr std::string_view kOrder = "timeline.order";
constexpr std::string_view kMarks = "timeline.marks";

// The values in a section; nullopt when the section is missing, or does not contain whole values.
template <typename T>
std::optional<std::span<const T>> values_in(const Section* section) {
  if (section == nullptr || section->bytes.size() % sizeof(T) != 0) return std::nullopt;
  if (reinterpret_cast<std::uintptr_t>(section->bytes.data()) % alignof(T) != 0) return std::nullopt;
  return std::span(reinterpret_cast<const T*>(section->bytes.data()), section->bytes.size() / sizeof(T));
}

template <typename T>
bool borrow(const Sections& sections, std::string_view name, Column<T>& column) {
  const Section* const section = find_section(sections, name);
  const auto values = values_in<T>(section);
  if (values) column = Column<T>::borrowed(*values, section->owner);
  return values.has_value();
}

}  // namespace

struct KeptLevels {
  std::uint32_t first_shift = 0;
  std::vector<std::uint64_t> sizes;  // of each level, in marks
};

struct Timeline::Shape {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> drawn_as;
  std::vector<std::uint64_t> bounds;
  std::vector<DrawnLane> lanes;
  std::vector<KeptLevels> levels;  // by row
};

SIGHTLINE_MEMBERS(DrawnLane, lane, source, part, start, end, slices, rows)
SIGHTLINE_MEMBERS(KeptLevels, first_shift, sizes)

void Timeline::keep(const std::shared_ptr<const Timeline>& timeline, Sections& sections) {
  const Timeline& t = *timeline;
  Shape shape{.drawn_as = {}, .bounds = {t.bounds_.begin(), t.bounds_.end()}, .lanes = t.lanes_, .levels = {}};
  for (const auto& [first, second] : t.drawn_as_) shape.drawn_as.emplace_back(first, second);
  std::string marks;
  for (const LevelOfDetail& detail : t.details_) {
    shape.levels.push_back({detail.first_shift(), {}});
    for (const std::span<const Mark> level : detail.levels()) {
      shape.levels.back().sizes.push_back(level.size());
      marks.append(reinterpret_cast<const char*>(level.data()), level.size_bytes());
    }
  }
  Packer packer;
  packer.add(shape.drawn_as);
  packer.add(shape.bounds);
  packer.add(shape.lanes);
  packer.add(shape.levels);
  add_section(sections, std::string(kShape), packer.take());
  add_section(sections, std::string(kMarks), std::move(marks));
  sections.push_back({std::string(kRows), std::as_bytes(std::span(t.row_.data(), t.row_.size())), timeline});
  sections.push_back({std::string(kOrder), std::as_bytes(std::span(t.order_.data(), t.order_.size())), timeline});
}

std::shared_ptr<const Timeline> Timeline::kept(const ProfilePtr& profile, const Sections& sections) {
  const std::shared_ptr<Timeline> timeline(new Timeline(profile));
  return timeline->take(sections) ? timeline : nullptr;
}

// The file's checksums agree, so the bytes are those that keep() wrote. Checks that they belong to this profile.
bool Timeline::take(const Sections& sections) {
  const Section* const packed_shape = find_section(sections, kShape);
  const Section* const mark_section = find_section(sections, kMarks);
  const auto marks = values_in<Mark>(mark_section);
  if (packed_shape == nullptr || !marks || !borrow(sections, kRows, row_) || !borrow(sections, kOrder, order_)) return false;
  Shape shape;
  Unpacker unpacker(packed_shape->bytes);
  if (!unpacker.get(shape.drawn_as) || !unpacker.get(shape.bounds) || !unpacker.get(shape.lanes) || !unpacker.get(shape.levels))
    return false;
  const std::size_t slices = profile_->slices.rows(), drawn = slices - profile_->replayed_ranges.rows();
  if (row_.size() != slices || order_.size() != drawn || shape.drawn_as.size() != profile_->lanes.rows()) return false;
  if (shape.bounds.size() != shape.levels.size() + 1 || shape.bounds.back() != drawn ||
      !std::is_sorted(shape.bounds.begin(), shape.bounds.end()))
    return false;
  for (const auto& [first, second] : shape.drawn_as) drawn_as_.push_back({first, second});
  bounds_.assign(shape.bounds.begin(), shape.bounds.end());
  lanes_ = std::move(shape.lanes);
  marks_ = mark_section->owner;
  std::size_t next = 0;
  for (std::size_t row = 0; row < shape.levels.size(); ++row) {
    LevelOfDetail::Levels levels;
    for (const std::uint64_t size : shape.levels[row].sizes) {
      if (size > marks->size() - next) return false;
      levels.push_back(marks->subspan(next, size));
      next += size;
    }
    details_.emplace_back(profile_->slices, slices_of(static_cast<std::uint32_t>(row)), shape.levels[row].first_shift,
                          std::move(levels));
  }
  return next == marks->size();
}

}  // namespace sightline::timeline

// A timeline as sections of a file: its long columns and all marks as they are in memory, and the shape that they have.
#include <algorithm>

#include "base/packed.h"
#include "timeline/timeline.h"

namespace sightline::timeline {

namespace {

constexpr std::string_view kShape = "timeline.shape";
constexpr std::string_view kRows = "timeline.row";
constexpr std::string_view kOrder = "timeline.order";
constexpr std::string_view kMarks = "timeline.marks";

// What a section holds; nothing when it is not there, or not of whole values.
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

// The bytes are what keep() wrote, since the file's checksums agree; it is compared whether they are of this profile.
bool Timeline::take(const Sections& sections) {
  const Section* const packed_shape = find_section(sections, kShape);
  const Section* const mark_section = find_section(sections, kMarks);
  const auto marks = values_in<Mark>(mark_section);
  if (packed_shape == nullptr || !marks || !borrow(sections, kRows, row_) || !borrow(sections, kOrder, order_)) return false;
  Shape shape;
  Unpacker unpacker(packed_shape->bytes);
  if (!unpacker.get(shape.drawn_as) || !unpacker.get(shape.bounds) || !unpacker.get(shape.lanes) || !unpacker.get(shape.levels))
    return false;
  const std::size_t slices = profile_->slices.rows();
  if (row_.size() != slices || order_.size() != slices || shape.drawn_as.size() != profile_->lanes.rows()) return false;
  if (shape.bounds.size() != shape.levels.size() + 1 || shape.bounds.back() != slices ||
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

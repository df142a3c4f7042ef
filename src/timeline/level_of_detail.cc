// LevelOfDetail: one function joins slices to marks, another joins marks to coarser ones. CounterLevels: a tree of minima and
// maxima with a fan-out of 16.
#include "timeline/level_of_detail.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sightline::timeline {

// ---- slices ----

namespace {

constexpr std::size_t kSlicesPerMark = 8;      // in the finest level kept, on average: all levels together then have
                                               // a quarter as many marks as there are slices, at most
constexpr std::size_t kLeastForLevels = 1024;  // shorter rows are quick to read
constexpr unsigned kCoarsest = 62;

bool lasts_a_pixel(Time duration, unsigned shift) { return (duration >> shift) != 0; }
bool is_single_slice(const Mark& mark, unsigned shift) { return mark.count == 1 && lasts_a_pixel(mark.busy, shift); }

}  // namespace

Window aligned(const Window& window) {
  const Time pixel = Time{1} << (63 - std::countl_zero(static_cast<std::uint64_t>(std::max<Time>(1, window.pixel))));
  const auto down = [&](Time t) { return t - ((t % pixel) + pixel) % pixel; };
  return {down(window.start), down(window.end + pixel - 1), pixel};
}

LevelOfDetail::LevelOfDetail(const Slices& slices, std::span<const Row> rows) : slices_(slices), rows_(rows) {
  if (rows.size() >= kLeastForLevels) build_levels();
}

Mark LevelOfDetail::one(std::size_t i) const {
  const Row row = rows_[i];
  const Time start = slices_.start[row];
  const Time duration = slices_.duration[row];
  return {start, start + duration, duration, row, 1, slices_.name[row], slices_.kind[row]};
}

std::size_t LevelOfDetail::first_starting(Time time) const {
  const auto starts_before = [&](Row row, Time t) { return slices_.start[row] < t; };
  return static_cast<std::size_t>(std::lower_bound(rows_.begin(), rows_.end(), time, starts_before) - rows_.begin());
}

std::size_t LevelOfDetail::join_slices(std::size_t from, Time until, unsigned shift, std::size_t most,
                                       std::vector<Mark>& marks) const {
  const Time* starts = slices_.start.data();
  const Time* durations = slices_.duration.data();
  std::size_t i = from;
  for (std::size_t made = 0; i < rows_.size() && starts[rows_[i]] < until; ++made) {
    if (made == most) return i;
    const Row first = rows_[i++];
    const Time pixel = starts[first] >> shift;
    Time longest = durations[first];
    Time busy = longest;
    Row longest_row = first;
    Row last = first;
    std::uint32_t count = 1;
    while (!lasts_a_pixel(longest, shift) && i < rows_.size()) {
      const Row row = rows_[i];
      const Time duration = durations[row];
      if ((starts[row] >> shift) != pixel || lasts_a_pixel(duration, shift)) break;
      busy += duration;
      if (duration > longest) {
        longest = duration;
        longest_row = row;
      }
      last = row;
      ++count;
      ++i;
    }
    marks.push_back({starts[first], starts[last] + durations[last], busy, longest_row, count, slices_.name[longest_row],
                     slices_.kind[longest_row]});
  }
  return i;
}

// The marks of `finer`, joined for pixels of 2^shift ns, which are twice as wide.
std::vector<Mark> LevelOfDetail::join_marks(std::span<const Mark> finer, unsigned shift) const {
  std::vector<Mark> marks;
  marks.reserve(finer.size() / 2 + 1);
  for (const Mark& next : finer) {
    if (marks.empty() || (marks.back().start >> shift) != (next.start >> shift) || is_single_slice(next, shift) ||
        is_single_slice(marks.back(), shift)) {
      marks.push_back(next);
      continue;
    }
    Mark& last = marks.back();
    last.end = next.end;
    last.busy += next.busy;
    last.count += next.count;
    if (slices_.duration[next.longest] > slices_.duration[last.longest]) {
      last.longest = next.longest;
      last.name = next.name;
      last.kind = next.kind;
    }
  }
  marks.shrink_to_fit();
  return marks;
}

// The finest level has the finest pixels that do not
// give too many marks; where slices are in clusters,
// it is finer than their mean distance suggests.
void LevelOfDetail::build_levels() {
  const std::size_t most = rows_.size() / kSlicesPerMark;
  const Time extent = slices_.start[rows_.back()] - slices_.start[rows_.front()];
  unsigned shift = 0;
  while (shift < kCoarsest && (extent >> shift) > static_cast<Time>(most / 2)) ++shift;
  std::vector<Mark> finest;
  for (bool found = false; !found && shift <= kCoarsest; ++shift) {
    finest.clear();
    found = join_slices(0, std::numeric_limits<Time>::max(), shift, most, finest) == rows_.size();
  }
  first_shift_ = shift - 1;
  while (first_shift_ > 0) {
    std::vector<Mark> finer;
    finer.reserve(most);
    if (join_slices(0, std::numeric_limits<Time>::max(), first_shift_ - 1, most, finer) != rows_.size()) break;
    finest = std::move(finer);
    --first_shift_;
  }
  finest.shrink_to_fit();
  add_level(std::move(finest));
  for (unsigned s = first_shift_ + 1; levels_.back().size() > 1 && s <= kCoarsest; ++s) {
    add_level(join_marks(levels_.back(), s));
  }
}

void LevelOfDetail::add_level(std::vector<Mark> marks) {
  built_.push_back(std::move(marks));
  levels_.emplace_back(built_.back());
}

std::size_t LevelOfDetail::bytes() const {
  std::size_t sum = 0;
  for (const std::span<const Mark> level : levels_) sum += level.size_bytes();
  return sum;
}

void LevelOfDetail::query(const Window& window, std::vector<Mark>& marks) const {
  const auto shift = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(window.pixel)));
  const std::size_t first = first_starting(window.start);
  // Slices do not overlap, so ends ascend with starts and at most one slice before the window reaches into it.
  if (first > 0 && end(first - 1) > window.start && start(first - 1) < window.end) marks.push_back(one(first - 1));
  if (levels_.empty() || shift < first_shift_) {
    join_slices(first, window.end, shift, std::numeric_limits<std::size_t>::max(), marks);
    return;
  }
  const std::span<const Mark> level = levels_[std::min<std::size_t>(shift - first_shift_, levels_.size() - 1)];
  const auto starts_before = [](const Mark& mark, Time time) { return mark.start < time; };
  const auto from = std::lower_bound(level.begin(), level.end(), window.start, starts_before);
  marks.insert(marks.end(), from, std::lower_bound(from, level.end(), window.end, starts_before));
}

// ---- counters ----

namespace {

constexpr std::size_t kFanOut = 16;

}  // namespace

void CounterLevels::Bounds::add(const Bounds& other) {
  least = std::fmin(least, other.least);  // fmin and fmax ignore NaN
  most = std::fmax(most, other.most);
}

CounterLevels::CounterLevels(std::span<const Time> time, std::span<const double> value) : time_(time), value_(value) {
  const auto raise = [](std::size_t count, auto&& below) {
    std::vector<Bounds> level;
    for (std::size_t i = 0; i < count; ++i) {
      if (i % kFanOut == 0) {
        level.push_back(below(i));
      } else {
        level.back().add(below(i));
      }
    }
    return level;
  };
  if (value.size() <= kFanOut) return;
  levels_.push_back(raise(value.size(), [&](std::size_t i) { return bounds_of(i); }));
  while (levels_.back().size() > kFanOut) {
    levels_.push_back(raise(levels_.back().size(), [&](std::size_t i) { return levels_.back()[i]; }));
  }
}

std::size_t CounterLevels::bytes() const {
  std::size_t bytes = 0;
  for (const std::vector<Bounds>& level : levels_) bytes += level.capacity() * sizeof(Bounds);
  return bytes;
}

// Of the values [from, to): climbs to wide blocks and down again. REQUIRES: from < to.
CounterLevels::Bounds CounterLevels::bounds(std::size_t from, std::size_t to) const {
  Bounds sum = bounds_of(from);
  std::size_t i = from + 1;
  while (i < to) {
    std::size_t width = 1;
    std::size_t level = 0;
    while (level < levels_.size() && i % (width * kFanOut) == 0 && i + width * kFanOut <= to) {
      width *= kFanOut;
      ++level;
    }
    sum.add(level == 0 ? bounds_of(i) : levels_[level - 1][i / width]);
    i += width;
  }
  return sum;
}

// The first point i >= from at or after `time`; gallops, since the answer is usually near.
std::size_t CounterLevels::first_from(std::size_t from, Time time) const {
  std::size_t step = 1;
  std::size_t low = from;
  while (low + step < time_.size() && time_[low + step] < time) {
    low += step;
    step *= 2;
  }
  const auto begin = time_.begin();
  const std::size_t high = std::min(time_.size(), low + step + 1);
  return static_cast<std::size_t>(
      std::lower_bound(begin + static_cast<std::ptrdiff_t>(low), begin + static_cast<std::ptrdiff_t>(high), time) - begin);
}

void CounterLevels::query(const Window& window, std::vector<CounterEntry>& entries) const {
  std::size_t i = first_from(0, window.start);
  if (i > 0) entries.push_back({time_[i - 1], value_[i - 1], value_[i - 1], value_[i - 1]});
  while (i < time_.size() && time_[i] < window.end) {
    const Time pixel_end = window.start + ((time_[i] - window.start) / window.pixel + 1) * window.pixel;
    const std::size_t after = first_from(i, std::min(pixel_end, window.end));
    const Bounds in_pixel = bounds(i, after);
    entries.push_back({time_[i], in_pixel.least, in_pixel.most, value_[after - 1]});
    i = after;
  }
}

}  // namespace sightline::timeline

// LevelOfDetail: a prefix sum and a range-maximum tree of fan-out 16.
#include "timeline/level_of_detail.h"

#include <algorithm>
#include <bit>

namespace sightline {

LevelOfDetail::LevelOfDetail(const Slices& slices, std::span<const Row> rows) : slices_(slices), rows_(rows) {
  const std::size_t blocks = (rows.size() + kFanOut - 1) / kFanOut;
  block_busy_.resize(blocks + 1, 0);
  std::vector<Time> level(blocks, 0);
  for (std::size_t b = 0; b < blocks; ++b) {
    Time busy = 0;
    for (std::size_t i = b * kFanOut; i < std::min(rows.size(), (b + 1) * kFanOut); ++i) {
      busy += duration(i);
      level[b] = std::max(level[b], duration(i));
    }
    block_busy_[b + 1] = block_busy_[b] + busy;
  }
  while (true) {
    longest_in_.push_back(std::move(level));
    const std::vector<Time>& below = longest_in_.back();
    if (below.size() <= 1) break;
    level.assign((below.size() + kFanOut - 1) / kFanOut, 0);
    for (std::size_t i = 0; i < below.size(); ++i) level[i / kFanOut] = std::max(level[i / kFanOut], below[i]);
  }
  build_levels();
}

Window aligned(const Window& window) {
  const Time pixel = Time{1} << (63 - std::countl_zero(static_cast<std::uint64_t>(std::max<Time>(1, window.pixel))));
  const auto down = [&](Time t) { return t - ((t % pixel) + pixel) % pixel; };
  return {down(window.start), down(window.end + pixel - 1), pixel};
}

void LevelOfDetail::join(std::vector<Mark>& level, const Mark& next, unsigned shift) const {
  const Time pixel = Time{1} << shift;
  const auto stands_alone = [&](const Mark& mark) { return mark.count == 1 && mark.busy >= pixel; };
  if (level.empty() || stands_alone(next) || stands_alone(level.back()) ||
      (level.back().start >> shift) != (next.start >> shift)) {
    level.push_back(next);
    return;
  }
  Mark& last = level.back();
  last.end = next.end;
  last.busy += next.busy;
  last.count += next.count;
  if (slices_.duration[next.longest] > slices_.duration[last.longest]) last.longest = next.longest;
}

// The finest level is made from the slices, each coarser one from the one below. A level is kept when a mark of it stands
// for kFanOut slices on average: all levels together are then an eighth of the slices at most.
void LevelOfDetail::build_levels() {
  if (rows_.size() < kLeastForLevels || start(0) < 0) return;
  const Time extent = end(rows_.size() - 1) - start(0);
  std::size_t most = rows_.size() / kFanOut;
  while ((extent >> first_shift_) > static_cast<Time>(most)) ++first_shift_;
  std::vector<Mark> level;
  level.reserve(most + most / 2);
  Mark open{start(0), end(0), duration(0), rows_[0], 1};
  Time longest = duration(0);
  bool alone = longest >= Time{1} << first_shift_;
  for (std::size_t i = 1; i < rows_.size(); ++i) {  // join, with the last mark in registers
    const Time begin = start(i);
    const Time length = duration(i);
    const bool long_one = length >= Time{1} << first_shift_;
    if (alone || long_one || (open.start >> first_shift_) != (begin >> first_shift_)) {
      level.push_back(open);
      open = {begin, begin + length, length, rows_[i], 1};
      longest = length;
      alone = long_one;
      continue;
    }
    open.end = begin + length;
    open.busy += length;
    open.count += 1;
    if (length > longest) {
      longest = length;
      open.longest = rows_[i];
    }
  }
  level.push_back(open);
  for (unsigned shift = first_shift_ + 1; level.size() > 1 && shift < 62; ++shift) {
    std::vector<Mark> coarser;
    coarser.reserve(level.size() / 2 + 1);
    for (const Mark& mark : level) join(coarser, mark, shift);
    level.shrink_to_fit();
    levels_.push_back(std::move(level));
    level = std::move(coarser);
  }
  levels_.push_back(std::move(level));
}

std::size_t LevelOfDetail::bytes() const {
  std::size_t sum = block_busy_.capacity() * sizeof(Time);
  for (const auto& level : longest_in_) sum += level.capacity() * sizeof(Time);
  for (const auto& level : levels_) sum += level.capacity() * sizeof(Mark);
  return sum;
}

std::size_t LevelOfDetail::first_long(std::size_t from, std::size_t to, Time least) const {
  std::size_t i = from;
  while (i < to) {
    if (i % kFanOut != 0) {
      if (duration(i) >= least) return i;
      ++i;
      continue;
    }
    // At the start of a block: climb while whole blocks are too short, then step over the largest of them.
    std::size_t block = i / kFanOut;
    if (longest_in_[0][block] >= least) {
      for (; i < to && duration(i) < least; ++i) {
      }
      return i;
    }
    std::size_t level = 0;
    while (level + 1 < longest_in_.size() && block % kFanOut == 0 && longest_in_[level + 1][block / kFanOut] < least) {
      ++level;
      block /= kFanOut;
    }
    std::size_t width = kFanOut;
    for (std::size_t l = 0; l < level; ++l) width *= kFanOut;
    i += width;
  }
  return to;
}

std::size_t LevelOfDetail::longest(std::size_t from, std::size_t to) const {
  std::size_t best = from;
  Time most = duration(from);
  for (std::size_t i = from + 1; i < to;) {
    if (i % kFanOut == 0 && i + kFanOut <= to && longest_in_[0][i / kFanOut] <= most) {
      // Step over the widest aligned run of blocks that holds nothing longer.
      std::size_t level = 0;
      std::size_t block = i / kFanOut;
      std::size_t width = kFanOut;
      while (level + 1 < longest_in_.size() && block % kFanOut == 0 && i + width * kFanOut <= to &&
             longest_in_[level + 1][block / kFanOut] <= most) {
        ++level;
        block /= kFanOut;
        width *= kFanOut;
      }
      i += width;
      continue;
    }
    if (duration(i) > most) {
      most = duration(i);
      best = i;
    }
    ++i;
  }
  return best;
}

Time LevelOfDetail::busy_before(std::size_t i) const {
  const std::size_t block = i / kFanOut;
  Time sum = block_busy_[block];
  for (std::size_t k = block * kFanOut; k < i; ++k) sum += duration(k);
  return sum;
}

std::size_t LevelOfDetail::first_starting(std::size_t from, Time time) const {
  std::size_t step = 1;
  std::size_t low = from;
  while (low + step < rows_.size() && start(low + step) < time) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(rows_.size(), low + step + 1);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (start(middle) < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::size_t LevelOfDetail::left_edge(const Window& window, std::vector<Mark>& marks) const {
  // Slices do not overlap, so ends ascend with starts and at most one slice before the window reaches into it.
  const std::size_t first = first_starting(0, window.start);
  if (first > 0 && end(first - 1) > window.start && start(first - 1) < window.end) {
    marks.push_back({start(first - 1), end(first - 1), duration(first - 1), rows_[first - 1], 1});
  }
  return first;
}

void LevelOfDetail::query(const Window& window, std::vector<Mark>& marks) const {
  const auto pixel = static_cast<std::uint64_t>(window.pixel);
  const auto shift = static_cast<unsigned>(std::countr_zero(pixel));
  const bool whole_pixels = std::has_single_bit(pixel) && window.start % window.pixel == 0 && window.end % window.pixel == 0;
  if (!whole_pixels || levels_.empty() || shift < first_shift_) {
    query_slices(window, marks);
  } else if (shift - first_shift_ < levels_.size()) {
    query_level(levels_[shift - first_shift_], window, marks);
  } else {
    query_slices(window, marks);  // a pixel wider than the row: a mark or two
  }
}

void LevelOfDetail::query_level(const std::vector<Mark>& level, const Window& window, std::vector<Mark>& marks) const {
  left_edge(window, marks);
  const auto starts_before = [](const Mark& mark, Time time) { return mark.start < time; };
  const auto first = std::lower_bound(level.begin(), level.end(), window.start, starts_before);
  marks.insert(marks.end(), first, std::lower_bound(first, level.end(), window.end, starts_before));
}

void LevelOfDetail::query_slices(const Window& window, std::vector<Mark>& marks) const {
  std::size_t i = left_edge(window, marks);
  while (i < rows_.size() && start(i) < window.end) {
    if (duration(i) >= window.pixel) {
      marks.push_back({start(i), end(i), duration(i), rows_[i], 1});
      ++i;
      continue;
    }
    const Time pixel_end = window.start + ((start(i) - window.start) / window.pixel + 1) * window.pixel;
    const std::size_t after = first_starting(i, std::min(pixel_end, window.end));
    const std::size_t stop = first_long(i, after, window.pixel);
    marks.push_back({start(i), end(stop - 1), busy_before(stop) - busy_before(i), rows_[longest(i, stop)],
                     static_cast<std::uint32_t>(stop - i)});
    i = stop;
  }
}

}  // namespace sightline

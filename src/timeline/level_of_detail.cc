// LevelOfDetail: a prefix sum and a range-maximum tree of fan-out 16.
#include "timeline/level_of_detail.h"

#include <algorithm>

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
    if (below.size() <= 1) return;
    level.assign((below.size() + kFanOut - 1) / kFanOut, 0);
    for (std::size_t i = 0; i < below.size(); ++i) level[i / kFanOut] = std::max(level[i / kFanOut], below[i]);
  }
}

std::size_t LevelOfDetail::bytes() const {
  std::size_t sum = block_busy_.capacity() * sizeof(Time);
  for (const auto& level : longest_in_) sum += level.capacity() * sizeof(Time);
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

void LevelOfDetail::query(const Window& window, std::vector<Mark>& marks) const {
  // Slices do not overlap, so ends ascend with starts and at most one slice before the window reaches into it.
  std::size_t i = first_starting(0, window.start);
  if (i > 0 && end(i - 1) > window.start) --i;
  while (i < rows_.size() && start(i) < window.end) {
    if (duration(i) >= window.pixel || start(i) < window.start) {
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

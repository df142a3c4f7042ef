// The textbook table of lengths, filled from the end so that it is read from the front. Equal beginnings and ends are set
// aside first: of two runs of one program, hardly anything is left.
#include "analyses/diff/longest_common.h"

#include <algorithm>
#include <cmath>

namespace sightline::analyses {

namespace {

using Numbers = std::span<const std::uint32_t>;
using CommonPairs = std::vector<std::pair<std::size_t, std::size_t>>;

// Positions are relative to the spans.
CommonPairs exact(Numbers a, Numbers b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> longest((a.size() + 1) * width, 0);  // [i * width + j]: of a from i on and b from j on
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      longest[i * width + j] = a[i] == b[j] ? longest[(i + 1) * width + j + 1] + 1
                                            : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  CommonPairs pairs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      pairs.emplace_back(i++, j++);
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

// Each window keeps the matches of its first half: those near its end might be better ones with what follows.
CommonPairs by_windows(Numbers a, Numbers b, std::size_t most_cells) {
  const auto side = std::max<std::size_t>(2, static_cast<std::size_t>(std::sqrt(static_cast<double>(most_cells))));
  CommonPairs pairs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Numbers window_a = a.subspan(i, std::min(side, a.size() - i));
    const Numbers window_b = b.subspan(j, std::min(side, b.size() - j));
    const bool last = i + window_a.size() == a.size() && j + window_b.size() == b.size();
    const std::size_t half_a = i + side / 2, half_b = j + side / 2, from_a = i, from_b = j;
    bool to_half_a = true, to_half_b = true;  // what was not matched up to there matches nothing
    for (const auto& [x, y] : exact(window_a, window_b)) {
      const std::size_t at_a = from_a + x, at_b = from_b + y;
      if (!last && (at_a >= half_a || at_b >= half_b)) {
        to_half_a = at_a >= half_a;
        to_half_b = at_b >= half_b;
        break;
      }
      pairs.emplace_back(at_a, at_b);
      i = at_a + 1;
      j = at_b + 1;
    }
    if (last) break;
    if (to_half_a) i = std::max(i, std::min(a.size(), half_a));
    if (to_half_b) j = std::max(j, std::min(b.size(), half_b));
  }
  return pairs;
}

}  // namespace

CommonPairs longest_common(Numbers a, Numbers b, std::size_t most_cells) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t front = 0, back = 0;
  while (front < shorter && a[front] == b[front]) ++front;
  while (back < shorter - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  CommonPairs pairs;
  for (std::size_t i = 0; i < front; ++i) pairs.emplace_back(i, i);
  const Numbers middle_a = a.subspan(front, a.size() - front - back);
  const Numbers middle_b = b.subspan(front, b.size() - front - back);
  const bool fits = middle_a.empty() || middle_b.size() <= most_cells / middle_a.size();
  for (const auto& [i, j] : fits ? exact(middle_a, middle_b) : by_windows(middle_a, middle_b, most_cells)) {
    pairs.emplace_back(front + i, front + j);
  }
  for (std::size_t i = back; i > 0; --i) pairs.emplace_back(a.size() - i, b.size() - i);
  return pairs;
}

}  // namespace sightline::analyses

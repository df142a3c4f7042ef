// Thinning: one pass over stretches of equal time.
#include "analyses/thinned.h"

#include <algorithm>

namespace sightline::analyses {

std::vector<std::size_t> thinned_rows(std::span<const Time> time, const std::vector<std::span<const std::int64_t>>& series,
                                      std::size_t most) {
  std::vector<std::size_t> kept;
  if (time.size() <= most) {
    for (std::size_t row = 0; row < time.size(); ++row) kept.push_back(row);
    return kept;
  }
  const std::size_t per_stretch = 2 + 2 * series.size();
  const auto stretches = static_cast<Time>(std::max<std::size_t>(most / per_stretch, 2) - 1);
  const Time width = (time.back() - time.front()) / stretches + 1;
  std::vector<std::size_t> rows;
  for (std::size_t from = 0; from < time.size();) {
    const Time until = time.front() + ((time[from] - time.front()) / width + 1) * width;
    const auto rest = time.subspan(from);
    const auto count = static_cast<std::size_t>(std::lower_bound(rest.begin(), rest.end(), until) - rest.begin());
    const std::size_t to = from + count;
    rows = {from, to - 1};
    for (const auto& values : series) {
      const auto stretch = values.subspan(from, count);
      const auto bounds = std::minmax_element(stretch.begin(), stretch.end());
      rows.push_back(from + static_cast<std::size_t>(bounds.first - stretch.begin()));
      rows.push_back(from + static_cast<std::size_t>(bounds.second - stretch.begin()));
    }
    std::sort(rows.begin(), rows.end());
    kept.insert(kept.end(), rows.begin(), std::unique(rows.begin(), rows.end()));
    from = to;
  }
  return kept;
}

}  // namespace sightline::analyses

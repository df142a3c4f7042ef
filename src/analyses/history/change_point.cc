#include "analyses/history/change_point.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "analyses/percentile.h"

namespace sightline::analyses {

namespace {

constexpr int kOrders = 9'999;  // random ones, the same in each call

// By value: n + 1 - 2 * rank, where equal values share the mean of their ranks. The sum over the first values is U of the split
// after them.
std::vector<std::int64_t> rank_scores(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<std::int64_t> scores(values.size());
  const auto n = static_cast<std::int64_t>(values.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t at = first; at < last; ++at) scores[order[at]] = n - static_cast<std::int64_t>(first + last);
  }
  return scores;
}

struct Split {
  std::size_t first = 0;  // value after it
  std::int64_t u = 0;     // |U|
};

Split largest_split(const std::vector<std::int64_t>& scores) {
  Split best;
  std::int64_t sum = 0;
  for (std::size_t at = 1; at < scores.size(); ++at) {
    sum += scores[at - 1];
    if (std::abs(sum) > best.u) best = {at, std::abs(sum)};
  }
  return best;
}

double p_value(std::vector<std::int64_t> scores, std::int64_t u) {
  std::mt19937_64 random(1979);
  int as_large = 0;
  for (int order = 0; order < kOrders; ++order) {
    for (std::size_t last = scores.size() - 1; last > 0; --last) std::swap(scores[last], scores[random() % (last + 1)]);
    as_large += largest_split(scores).u >= u;
  }
  return (1.0 + as_large) / (1.0 + kOrders);
}

}  // namespace

std::optional<ChangePoint> change_point(std::span<const double> values) {
  std::vector<std::size_t> places;
  std::vector<double> known;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (std::isnan(values[at])) continue;
    places.push_back(at);
    known.push_back(values[at]);
  }
  if (known.size() < 2) return std::nullopt;
  const std::vector<std::int64_t> scores = rank_scores(known);
  const Split split = largest_split(scores);
  if (split.u == 0) return std::nullopt;
  const std::span<const double> all(known);
  return ChangePoint{places[split.first], median_of(all.first(split.first)), median_of(all.subspan(split.first)),
                     p_value(scores, split.u)};
}

}  // namespace sightline::analyses

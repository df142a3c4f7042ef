// Dixon's ratios. Critical values to 30 figures: Dixon 1951, confidence 99.5% on one side; above: the 99.5% quantile over 300,000
// samples of normal figures each, linear between the sizes that were sampled. outliers_test.cc samples again.
#include "analyses/steps/outliers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace sightline::analyses {

namespace {

constexpr std::array<double, 28> kCritical = {0.994, 0.926, 0.821, 0.740, 0.680, 0.725, 0.677, 0.639, 0.713, 0.675,
                                              0.649, 0.674, 0.647, 0.624, 0.605, 0.589, 0.575, 0.562, 0.551, 0.541,
                                              0.532, 0.524, 0.516, 0.508, 0.501, 0.495, 0.489, 0.483};
constexpr std::size_t kFewest = 3, kMost = 100;

struct Sampled {
  double figures, critical;
};
constexpr std::array<Sampled, 10> kSampled = {{{30, 0.483},
                                               {35, 0.460},
                                               {40, 0.439},
                                               {45, 0.424},
                                               {50, 0.410},
                                               {60, 0.389},
                                               {70, 0.372},
                                               {80, 0.359},
                                               {90, 0.349},
                                               {100, 0.342}}};

double critical_value(std::size_t n) {
  if (n - kFewest < kCritical.size()) return kCritical[n - kFewest];
  const auto count = static_cast<double>(n);
  const auto* after = std::find_if(kSampled.begin(), kSampled.end(), [&](const Sampled& s) { return s.figures >= count; });
  const auto* before = after - 1;
  const double part = (count - before->figures) / (after->figures - before->figures);
  return before->critical + part * (after->critical - before->critical);
}

}  // namespace

bool is_least_outlying(std::span<const double> x) {
  const std::size_t n = x.size();
  if (n < kFewest) return false;
  if (n > kMost) {
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(n);
    double squares = 0;
    for (const double figure : x) squares += (figure - mean) * (figure - mean);
    return x.front() < mean - 3 * std::sqrt(squares / static_cast<double>(n - 1));
  }
  const std::size_t next = n <= 10 ? 1 : 2;
  const std::size_t top = n <= 7 ? n - 1 : n <= 13 ? n - 2 : n - 3;
  const double range = x[top] - x[0];
  return range > 0 && (x[next] - x[0]) / range > critical_value(n);
}

}  // namespace sightline::analyses

// Outliers among a few figures.
#pragma once

#include <span>

namespace sightline::analyses {

// Whether the least of the figures is too far below the others to be one of them, with 99.5% confidence: Dixon's test on one
// side (r10 to 7 figures, r11 to 10, r21 to 13, r22 above) up to 100 figures, below mean - 3 standard deviations with more.
// Two figures tell nothing. REQUIRES: ascending.
bool is_least_outlying(std::span<const double> figures);

}  // namespace sightline::analyses

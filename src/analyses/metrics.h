// The page docs/metrics.md, made from the columns and rules themselves: one truth.
#pragma once

#include <string>

namespace sightline::analyses {

// Every metric of every view with unit, meaning, formula and source, and where it differs from the TensorBoard plugin.
std::string metrics_markdown();

}  // namespace sightline::analyses

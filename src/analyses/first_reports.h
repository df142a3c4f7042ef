// The first report of a view is that with default parameters; it is stored with the profile in the cache.
#pragma once

#include "analyses/analysis.h"

namespace sightline::analyses {

// Whether its first report takes about as long as reading the file. Then only a server computes it ahead, in the background;
// other commands compute it when it is requested.
bool is_first_report_long(const Analysis& view);

}  // namespace sightline::analyses

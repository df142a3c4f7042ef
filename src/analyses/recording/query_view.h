// The view that represents the SQL console.
#pragma once

#include "analyses/analysis.h"

namespace sightline::analyses {

Analysis query_analysis();

}  // namespace sightline::analyses

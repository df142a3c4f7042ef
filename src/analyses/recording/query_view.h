// The view that represents the SQL console.
#pragma once

#include "analyses/analysis.h"

namespace sightline {

Analysis query_analysis();

}  // namespace sightline

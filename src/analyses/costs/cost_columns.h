// The columns of tables of operators, kernels, modules and paths that compare what was computed with what the device could do.
#pragma once

#include "analyses/costs/cost_sums.h"
#include "model/table_of.h"

namespace sightline::analyses {

// Time to win, share of attainable, FLOP/s, bytes/s. Unknown where no operator of a row has a cost.
TableOf<CostSums> cost_columns();

}  // namespace sightline::analyses

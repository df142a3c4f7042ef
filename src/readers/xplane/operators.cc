// add_operators.
#include "readers/xplane/operators.h"

#include <unordered_set>

#include "readers/trace_events/matrix_units.h"

namespace sightline::xplane {

void add_operators(Builder& b) {
  Profile& p = b.profile;
  std::unordered_set<StringId> launched(b.launch_hlo.begin(), b.launch_hlo.end());
  launched.erase(StringId::none);
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    SliceKind& kind = p.slices.kind[slice];
    if (kind == SliceKind::annotation && launched.contains(p.slices.name[slice])) kind = SliceKind::op;
    if (kind != SliceKind::op) continue;
    const Row row = add_unknown_row(p.operators);
    p.operators.slice[row] = slice;
    p.operators.matrix_eligible[row] = trace_events::is_matrix_eligible(p.text(p.slices.name[slice]));
  }
}

}  // namespace sightline::xplane

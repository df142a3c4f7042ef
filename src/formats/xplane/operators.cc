// add_operators, find_matrix_operators.
#include "formats/xplane/operators.h"

#include <cmath>
#include <unordered_set>

#include "formats/trace_events/matrix_units.h"

namespace sightline::formats::xplane {

void add_operators(Builder& b) {
  Profile& p = b.profile();
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

void find_matrix_operators(Builder& b) {
  Profile& p = b.profile();
  Row work = 0;
  for (Row row = 0; row < p.operators.rows(); ++row) {
    while (work < p.program_work.rows() && p.program_work.slice[work] < p.operators.slice[row]) ++work;
    if (work == p.program_work.rows()) break;
    if (p.program_work.slice[work] != p.operators.slice[row]) continue;
    const Row executed = p.program_work.program_operator[work];
    if (!std::isnan(p.program_operators.flops[executed])) p.operators.matrix_eligible[row] = true;
  }
}

}  // namespace sightline::formats::xplane

// Events of which a file states only how many there were and how long they took: executions of operators of programs, else calls.
#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

void add_aggregates(Builder& b, const DevicePlane& plane, const Line& line) {
  const bool operators = plane.kind == DeviceKind::tpu && line.name.ends_with("Ops");
  for (const Aggregate& sum : line.aggregates) {
    const ProgramUse use = program_use(sum.facts, operators ? sum.name : StringId::none);
    if (plane.kind != DeviceKind::other && use.hlo_op != StringId::none) {
      b.program_sums.push_back({use, plane.ordinal, b.profile().strings.intern(plane.core), sum.occurrences, sum.total});
      continue;
    }
    ReportedCalls& calls = b.profile().reported_calls;
    const Row row = add_unknown_row(calls);
    calls.kind[row] = plane.kind == DeviceKind::other ? SliceKind::runtime : SliceKind::kernel;
    calls.device[row] = plane.ordinal;
    calls.name[row] = sum.name;
    calls.part[row] = b.profile().strings.intern(line.shown_name());
    calls.calls[row] = sum.occurrences;
    calls.total[row] = sum.total;
    const double shortest = sum.facts[Real::shortest_ps];
    if (shortest >= 0 && shortest < 9e18) calls.shortest[row] = static_cast<Time>(shortest / 1000);
  }
}

}  // namespace sightline::formats::xplane

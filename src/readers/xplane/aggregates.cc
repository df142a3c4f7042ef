// Events of which a file states only how many there were and how long they took.
#include "readers/xplane/builder.h"

namespace sightline::xplane {

void add_aggregates(Builder& b, std::int64_t device, const Line& line) {
  for (const Aggregate& sum : line.aggregates) {
    ReportedCalls& calls = b.profile.reported_calls;
    const Row row = add_unknown_row(calls);
    calls.kind[row] = device == kUnknown ? SliceKind::runtime : SliceKind::kernel;
    calls.device[row] = device;
    calls.name[row] = sum.name;
    calls.part[row] = b.profile.strings.intern(line.shown_name());
    calls.calls[row] = sum.occurrences;
    calls.total[row] = sum.total;
    const double shortest = sum.facts[Real::shortest_ps];
    if (shortest >= 0 && shortest < 9e18) calls.shortest[row] = static_cast<Time>(shortest / 1000);
  }
}

}  // namespace sightline::xplane

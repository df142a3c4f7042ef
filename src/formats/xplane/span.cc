// find_span: frames that start and stop the profiler, around what was done.
#include "formats/xplane/span.h"

#include <algorithm>
#include <optional>

#include "model/interval.h"

namespace sightline::formats::xplane {

namespace {

using Extent = std::optional<Interval>;

void widen(Extent& by, Time start, Time end) {
  by = by ? Interval{std::min(by->start, start), std::max(by->end, end)} : Interval{start, end};
}

}  // namespace

void find_span(Profile& p) {
  Extent all, work;
  std::optional<Time> started, stopped;  // the end of the first call that starts it, the start of the last that stops it
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    const Time start = p.slices.start[slice], end = p.end_of(slice);
    widen(all, start, end);
    if (is_device_work(p.slices.kind[slice])) widen(work, start, end);
    if (p.slices.kind[slice] != SliceKind::python) continue;
    const std::string_view name = p.text(p.slices.name[slice]);
    if (!name.starts_with("$profiler.py:")) continue;
    if (name.ends_with(" start_trace")) started = std::min(started.value_or(end), end);
    if (name.ends_with(" stop_trace")) stopped = std::max(stopped.value_or(start), start);
  }
  if (!all) return;
  for (Row step = 0; step < p.steps.rows(); ++step)
    widen(work, p.steps.start[step], p.steps.start[step] + p.steps.duration[step]);
  const Interval asked{started.value_or(all->start), stopped.value_or(all->end)};
  Extent span = asked.start < asked.end ? asked : *all;
  if (work) widen(span, work->start, work->end);
  p.span_start = span->start;
  p.span_end = span->end;
}

}  // namespace sightline::formats::xplane

// A window of the timeline as a trace for other programs: slices, launches, pairs of forward and backward operators, and
// counters, with what the columns know as args. A Chrome trace is for chrome://tracing, Perfetto and Sightline itself; a native
// Perfetto trace (protocol buffers) can have any size.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "analyses/devices/counters.h"
#include "output/timeline_query.h"

namespace sightline::output {

// Slices are whole: those that touch the range. A flow has both ends among them. Text goes to `write` in pieces of about 1 MiB,
// until it answers false. A thread's slices nest: Python frames, and what truly overlaps, are threads of their own.
void export_trace(const Timeline& timeline, const std::vector<Counter>& counters, const ExportRequest& request,
                  const std::function<bool(std::string_view)>& write);

// As export_trace writes it: processes, threads and streams as tracks, slices with what the columns know as annotations, launches
// and pairs as flows, counters. Frames, and slices that truly overlap, have tracks of their own. Names are written once. Bytes go
// to `write` in pieces of about 1 MiB, until it answers false.
void export_perfetto(const Timeline& timeline, const std::vector<Counter>& counters, const ExportRequest& request,
                     const std::function<bool(std::string_view)>& write);

}  // namespace sightline::output

// Graphs of device work in a recording: finds what was captured, in the recording and in files beside it, and gives the device
// work of each launch the operators, modules and stacks of the calls that were captured.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/read_context.h"
#include "model/profile.h"

namespace sightline::formats::kineto {

// The files beside a trace that describe its graphs: recordings of captures in the folder capture_traces, with a file about
// them, and a file of annotations of graph nodes one folder up, if they are not of another rank. Full paths, in order.
struct GraphFiles {
  std::vector<std::string> captures;
  std::string details;      // how many tokens each was captured for; empty: none
  std::string annotations;  // empty: none
};

GraphFiles graph_files_beside(const std::string& path);

// Fills captured_graphs and graph_launches. Device work that is matched to a capture gets its owner by the rule `captured`: each
// launch of a graph gets instants inside it, in slices and replayed_ranges, for the ranges of the capture. A walk from device
// work to its owner and on through parents passes these ranges, the launching call and the ranges around it. Their rows of
// operators have every column of the capture's operators (without inputs, if the match is without_shapes). Adds the
// annotations of graph nodes as facts of their work. What cannot be matched becomes problems. `kernels`: by row of launches,
// the kernel that a call names. REQUIRES: device work has its launches and owners, and only tables refer to rows of slices.
void replay_graphs(const ReadContext& context, std::span<const StringId> kernels, Profile& profile);

}  // namespace sightline::formats::kineto

// What the tables of a PyTorch trace need after they are assembled, in whatever form the events were written.
#pragma once

#include <string>
#include <vector>

#include "formats/read_context.h"
#include "formats/trace_events/assemble.h"

namespace sightline::formats::kineto {

// Owners of device work, collectives, replayed graphs, computed launch figures, compiled code, and the words for devices.
void complete(ReadContext& context, trace_events::Assembled& assembled);

// The trace at `path` and the files beside it that `complete` reads; empty if there are none.
Result<std::vector<std::string>> files_of(const std::string& path);

}  // namespace sightline::formats::kineto

// Conditions that every reading must meet, for any input: a fuzz target ends the process if one does not hold.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "analyses/whatif/critical_path.h"
#include "analyses/whatif/replay.h"
#include "formats/reader.h"
#include "model/profile.h"
#include "tests/fuzz/require.h"

namespace sightline::tests {

// The replay of the dependency graph moves nothing, and the critical path of a step covers the step.
inline void sound_dependencies(const Profile& profile) {
  const analyses::DependencyGraph graph = analyses::build_dependency_graph(profile);
  require(analyses::replay(graph, analyses::unchanged(graph)) == graph.time, "a replay without a change moves nothing");
  const analyses::CriticalPath path(profile, graph);
  for (const analyses::GraphStep& step : graph.steps) {
    Time at = step.window.start;
    for (const analyses::PathPiece& piece : path.of(step)) {
      require(piece.interval.start == at && piece.interval.end > at, "pieces of the critical path are in order, without gaps");
      at = piece.interval.end;
    }
    require(at == std::max(step.window.start, step.window.end), "the critical path covers the step");
  }
}

// Reads `path`: an error names its cause and place; a profile is valid and the text of its slices can be read: of two of them,
// because each is searched for in the file.
inline auto sound_reading(const Reader& reader, const std::string& path, const ReadOptions& options) {
  auto read = reader.read(path, options);
  if (!read.ok()) {
    require(!read.error().message.empty() && !read.error().where.empty(), "an error names its cause and place");
    return read;
  }
  for (const std::string& broken : check_profile(**read)) require(false, broken);
  sound_dependencies(**read);
  const auto& sources = (*read)->slices.source;
  for (std::size_t i = 0; i < sources.size(); i += sources.size() / 2 + 1) (void)reader.event_text(path, sources[i]);
  return read;
}

}  // namespace sightline::tests

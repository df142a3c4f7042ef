// The dependency graph of a real trace, its replays and its critical path, in ms and as a ratio to a scan of its slices.
//   what_if [FILE]   (default: build/bench/modern_1GB.json, made by bench/make_input.py)
#include <chrono>
#include <cstdio>
#include <string>

#include "analyses/whatif/critical_path.h"
#include "analyses/whatif/scenario.h"
#include "formats/reader.h"

namespace sightline::benches {
namespace {

using namespace analyses;
using Clock = std::chrono::steady_clock;

double scan_ms = 0;

template <typename Work>
void measure(const char* what, Work&& work) {
  const auto begin = Clock::now();
  const std::string note = work();
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  if (scan_ms == 0) scan_ms = ms;
  std::printf("%-44s %9.2f ms  %8.2f scans  %s\n", what, ms, ms / scan_ms, note.c_str());
}

int run(const std::string& path) {
  Result<std::unique_ptr<Profile>> read = readers().front().read(path, {});
  if (!read) return 1;
  const ProfilePtr profile = std::move(*read);
  const Slices& s = profile->slices;
  measure("scan of start and duration", [&] {
    Time sum = 0;
    for (std::size_t i = 0; i < s.rows(); ++i) sum += s.start[i] ^ s.duration[i];
    return std::to_string(s.rows()) + " slices, sum " + std::to_string(sum & 1);
  });
  DependencyGraph graph;
  measure("dependency graph", [&] {
    graph = build_dependency_graph(*profile);
    return std::to_string(graph.nodes()) + " nodes, " +
           std::to_string(held_bytes(graph) / static_cast<std::int64_t>(std::max<std::size_t>(1, graph.nodes()))) +
           " bytes a node";
  });
  measure("replay without a change",
          [&] { return std::to_string(replay(graph, unchanged(graph)) == graph.time) + " (1: identical)"; });
  std::unique_ptr<WorkSelection> selection;
  measure("selection of device work", [&] {
    selection = std::make_unique<WorkSelection>(profile, graph);
    return std::string();
  });
  for (const char* change : {"category:other kernels*0.5", "host*0.5", "no-sync", "one-graph"}) {
    measure(change, [&] {
      const Result<Scenario> scenario = make_scenario(profile, graph, *selection, change);
      return scenario ? std::to_string(predict(graph, scenario->change).mean / 1e6) + " ms a step"
                      : std::string("selects nothing");
    });
  }
  measure("critical paths of all steps", [&] {
    const CriticalPath paths(*profile, graph);
    std::size_t pieces = 0;
    for (const GraphStep& step : graph.steps) pieces += paths.of(step).size();
    return std::to_string(pieces) + " pieces, " + std::to_string(graph.steps.size()) + " steps";
  });
  return 0;
}

}  // namespace
}  // namespace sightline::benches

int main(int argc, char** argv) { return sightline::benches::run(argc > 1 ? argv[1] : "build/bench/modern_1GB.json"); }

// The critical path of a step: the chain of binding dependencies back from what ended the step. Its pieces cover the step without
// overlap, so their lengths sum exactly to the step's.
#pragma once

#include <string_view>
#include <vector>

#include "analyses/whatif/dependency_graph.h"

namespace sightline::analyses {

enum class PathClass : std::uint8_t {
  kernel,
  collective,
  copy,        // and fill
  device_gap,  // between two pieces of device work of which one waited for the other
  latency,     // from the end of a launching call to the start of its work
  call,        // in runtime calls
  op,          // in operators on the host
  loading,     // fetching batches
  host,        // in other ranges of the host
  outside,     // the host outside all recorded ranges
  wait,        // from the end of device work to that of the call that waited for it; whole calls that waited for something else
  unknown,     // the recording does not say what was waited for
};
inline constexpr std::size_t kPathClasses = 12;
std::string_view path_class_words(PathClass of);
std::string_view path_class_hue(PathClass of);  // LaneClass::hue

struct PathPiece {
  Interval interval;
  PathClass of;
  Row slice = kNoRow;  // device work, call or range
};

// How far a walk backwards has come: its pieces cover the time from `at` on, the last first.
struct PathWalk {
  Time begin, at;  // where it ends; where it is
  std::vector<PathPiece> pieces{};

  void take(PathClass of, Time from, Row slice);
};

// What ended last in a step; device work, if the host ended at the same time. kNoNode: nothing is known of it.
Node last_of(const DependencyGraph& graph, const GraphStep& step);

// Walks the binding chains. The profile and the graph must outlive it.
class CriticalPath {
 public:
  CriticalPath(const Profile& profile, const DependencyGraph& graph);

  // In the order of time.
  std::vector<PathPiece> of(const GraphStep& step) const;

  // Takes the node itself, if it is device work.
  void through(PathWalk& walk, Node node) const;

  // Takes the time from what the node waited for, which is returned, to the node. kNoNode: the recording does not say.
  Node before(PathWalk& walk, Node node) const;

 private:
  // By lane of the chain: the first slice that begins after `time`.
  std::vector<Row> begin_after(Row chain, Time time) const;

  // The range of the chain that began last among those open at `time`; `until`: where this may change. `next`: by lane, the first
  // slice that begins after an earlier time, and then after this one.
  Row innermost(Row chain, std::vector<Row>& next, Time time, Time& until) const;
  void add_host(std::vector<PathPiece>& pieces, Row chain, Interval interval) const;
  Row chain_of(Node node) const;

  const Profile& p_;
  const DependencyGraph& g_;
  std::vector<std::vector<Row>> lanes_of_chain_;  // by chain
};

}  // namespace sightline::analyses

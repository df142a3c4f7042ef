// The captures of graphs of device work: what a recording shows between a call that begins a capture on a thread and the call
// that ends it. Each call in between that would enqueue a piece of device work adds a node to the graph instead.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace sightline::formats::kineto {

// What a runtime call is for, by its name without the prefix of its library.
enum class GraphCall : std::uint8_t { other, begin_capture, end_capture, launch_graph, kernel, copy, fill };

GraphCall graph_call(std::string_view name);

// A node of a graph. Strings are those of the profile whose launches are to be matched.
struct GraphNode {
  GraphCall call = GraphCall::kernel;  // kernel, copy or fill
  StringId kernel = StringId::none;    // its name, if the call states it
  std::vector<StringId> usual;         // else: the kernels that the same operator launched outside of captures
  Row range = kNoRow;                  // the range that made the call: a row of CapturedGraph::ranges->slices, or kNoRow
};

// One capture. `ranges` has the operators, modules and annotations around its calls, without those that began before the
// capture: slices (name, kind, parent, source; no times), operators, modules and work_facts.
struct CapturedGraph {
  StringId name = StringId::none;  // of the range around the capture
  StringId file = StringId::none;  // none: the recording itself
  std::size_t root = 0;            // captures in one range have the same number
  std::int64_t part = 0;           // number of the capture within the range
  std::int64_t batch = kUnknown;   // tokens that it was captured for, by the name of the range
  GraphMatch match = GraphMatch::by_name;
  std::vector<GraphNode> nodes;           // those of the thread that began the capture
  std::vector<GraphNode> of_all_threads;  // empty if no other thread made calls meanwhile
  std::unique_ptr<Profile> ranges = std::make_unique<Profile>();
};

// The captures in `from`, in order of time, appended to `graphs`. Their texts go to the strings of `into`, which may be `from`.
// `kernels`: by row of launches, the kernel that a call names. `file`: empty if the captures are part of the recording itself.
void add_captured_graphs(const Profile& from, std::span<const StringId> kernels, std::string_view file, Profile& into,
                         std::vector<CapturedGraph>& graphs);

// The number in "capture_32_FULL" or "capture_8192_PIECEWISE"; kUnknown for other names.
std::int64_t batch_of_capture(std::string_view name);

// The tokens of an engine's step by the name of its range, such as "execute_32_context_0(...)_generation_32(...)",
// "execute_context_1(5)_generation_3(3)" (8), or "decode[bs=7/8 ...]" (7); kUnknown for other names.
std::int64_t batch_of_step(std::string_view name);

}  // namespace sightline::formats::kineto

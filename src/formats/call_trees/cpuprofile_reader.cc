// V8's CPU profiles: nodes of a call tree, and samples that name a node each.
#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "formats/call_trees/call_stacks.h"
#include "formats/call_trees/json_file.h"
#include "formats/common/decimal.h"
#include "formats/registry.h"

namespace sightline::formats {

namespace call_trees {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;
using simdjson::dom::object;

struct V8Node {
  StringId name;
  std::vector<std::int64_t> children;
  Node node = kRoot;
};

using V8Nodes = std::unordered_map<std::int64_t, V8Node>;

V8Nodes read_nodes(const std::vector<element>& nodes, ProfileBuilder& out, std::vector<std::int64_t>& order) {
  V8Nodes all;
  std::vector<std::pair<std::int64_t, std::int64_t>> older;  // child, parent: another way to write the tree
  for (const element each : nodes) {
    object node, frame;
    if (each.get_object().get(node) != SUCCESS) continue;
    const std::int64_t id = integer_of(node, "id", -1);
    const bool has_frame = node["callFrame"].get_object().get(frame) == SUCCESS;
    std::string name = has_frame ? to_utf8(text_of(frame, "functionName")) : std::string();
    if (name.empty()) name = "(anonymous)";
    const auto [at, is_new] = all.try_emplace(id);
    if (!is_new || id < 0) {
      out.report(Severity::error, "malformed_node", "a node has no id, or that of another node; it was left out", kUnknown);
      continue;
    }
    order.push_back(id);
    at->second = {out.text(name), {}, kRoot};
    for (const element child : list_of(node, "children")) {
      std::int64_t number = 0;
      if (child.get_int64().get(number) == SUCCESS) at->second.children.push_back(number);
    }
    if (const std::int64_t parent = integer_of(node, "parent", -1); parent >= 0) older.emplace_back(id, parent);
  }
  for (const auto& [child, parent] : older) {
    if (const auto found = all.find(parent); found != all.end()) found->second.children.push_back(child);
  }
  return all;
}

// Gives each node its place in the tree. The root, which only collects the others, has none.
void place_nodes(V8Nodes& nodes, const std::vector<std::int64_t>& order, CallTree& tree, ProfileBuilder& out) {
  std::unordered_map<std::int64_t, bool> has_parent;
  for (const auto& [id, node] : nodes) {
    for (const std::int64_t child : node.children) has_parent[child] = true;
  }
  std::vector<std::pair<std::int64_t, Node>> next;
  std::unordered_map<std::int64_t, bool> seen;
  for (const std::int64_t id : order) {
    if (!has_parent[id]) next.emplace_back(id, kRoot);
  }
  std::reverse(next.begin(), next.end());
  while (!next.empty()) {
    const auto [id, parent] = next.back();
    next.pop_back();
    const auto found = nodes.find(id);
    if (found == nodes.end() || seen[id]) {
      out.report(Severity::error, "malformed_node", "a node has no id, or that of another node; it was left out", kUnknown);
      continue;
    }
    seen[id] = true;
    V8Node& node = found->second;
    const bool is_root = parent == kRoot && out.profile().text(node.name) == "(root)";
    if (!is_root) node.node = tree.child(parent, node.name);
    for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) next.emplace_back(*child, node.node);
  }
}

// A sample holds until the next one.
void read_samples(object root, const V8Nodes& nodes, const CallTree& tree, ProfileBuilder& out, ReadProgress* progress) {
  constexpr std::int64_t kFarthestUs = kFarthestNs / 1000;
  const std::vector<element> samples = list_of(root, "samples"), deltas = list_of(root, "timeDeltas");
  StackTimeline timeline(out, tree, out.thread("main"), progress);
  Time now = std::clamp(integer_of(root, "startTime", 0), std::int64_t{0}, kFarthestUs);
  for (std::size_t i = 0; i < samples.size() && !timeline.is_over(); ++i) {
    std::int64_t id = 0, us = 0;
    const bool has_time = i < deltas.size() && deltas[i].get_int64().get(us) == SUCCESS;
    if (has_time) now = std::min(now + std::clamp(us, std::int64_t{0}, kFarthestUs), kFarthestUs);
    const auto node = samples[i].get_int64().get(id) == SUCCESS ? nodes.find(id) : nodes.end();
    if (!has_time || node == nodes.end()) {
      out.report(Severity::error, "malformed_sample",
                 "a sample has no time, or a node that the file does not list; it was left out", kUnknown);
      continue;
    }
    if (us < 0) {
      out.report(Severity::warning, "time_runs_back",
                 "the time of a sample is before that of the last one; it counts as the same", kUnknown);
    }
    timeline.set(node->second.node, now * 1000);
  }
  const std::int64_t end = timeline.is_over() ? now : integer_of(root, "endTime", now);
  timeline.end(std::clamp(end, now, std::max(now, kFarthestUs)) * 1000);
}

Result<std::unique_ptr<Profile>> read_cpuprofile(ReadContext& context) {
  JsonFile file;
  const Result<bool> loaded = file.load(context);
  if (!loaded) return loaded.error();
  object root;
  if (const auto failed = file.parse().get_object().get(root)) return file.error(failed);
  const std::vector<element> list = list_of(root, "nodes");
  if (root["nodes"].error() != SUCCESS) return Error{ErrorCode::malformed, "the file has no `nodes`", context.path() + ":0"};
  if (list_of(root, "samples").empty())
    return Error{ErrorCode::malformed, "the profile has no samples with times", context.path() + ":0"};
  ProfileBuilder out;
  std::vector<std::int64_t> order;
  V8Nodes nodes = read_nodes(list, out, order);
  CallTree tree;
  place_nodes(nodes, order, tree, out);
  read_samples(root, nodes, tree, out, context.progress());
  std::unique_ptr<Profile> profile = out.finish();
  note_samples(*profile);
  return profile;
}

}  // namespace
}  // namespace call_trees

Reader cpuprofile_reader() {
  return {.id = "cpuprofile", .title = "V8 CPU profile", .endings = {".cpuprofile"}, .read_capture = call_trees::read_cpuprofile};
}

}  // namespace sightline::formats

// CallTree and StackTimeline.
#include "formats/call_trees/call_stacks.h"

#include <algorithm>

namespace sightline::formats::call_trees {

Node CallTree::child(Node parent, StringId name) {
  const auto [at, is_new] = known_.try_emplace({parent, name}, static_cast<Node>(nodes_.size()));
  if (is_new) nodes_.push_back({parent, name});
  return at->second;
}

void StackTimeline::set(Node node, Time time) {
  path_.clear();
  for (Node at = node; at != kRoot; at = tree_.parent(at)) path_.push_back(at);
  std::reverse(path_.begin(), path_.end());
  std::size_t same = 0;
  while (same < open_.size() && same < path_.size() && open_[same].node == path_[same]) ++same;
  for (; open_.size() > same; open_.pop_back()) {
    const Open& ended = open_.back();
    if (time > ended.start)
      out_.add(lane_, {ended.start, time - ended.start, tree_.name(ended.node), SliceKind::python, kUnknown});
  }
  for (std::size_t i = same; i < path_.size(); ++i) open_.push_back({path_[i], time});
}

void note_samples(Profile& profile) {
  profile.add_problem(Severity::note, "samples", "slices are made of samples: what ran between two samples is not known", 1,
                      kUnknown);
}

}  // namespace sightline::formats::call_trees

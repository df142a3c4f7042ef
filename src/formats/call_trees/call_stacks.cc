// CallTree, StackTimeline and WeightedStackList.
#include "formats/call_trees/call_stacks.h"

namespace sightline::formats::call_trees {

namespace {

constexpr std::int64_t kSlicesPerLook = 1 << 13;

}  // namespace

Node CallTree::child(Node parent, StringId name) {
  const auto [at, is_new] = known_.try_emplace({parent, name}, static_cast<Node>(nodes_.size()));
  if (is_new) {
    nodes_.push_back({parent, name});
    depths_.push_back(depth(parent) + 1);
  }
  return at->second;
}

// Looks only at what differs from the stack before: that may be deep.
void StackTimeline::set(Node node, Time time) {
  path_.clear();
  std::size_t same = tree_.depth(node);
  while (same > open_.size() || (same > 0 && open_[same - 1].node != node)) {
    path_.push_back(node);
    node = tree_.parent(node);
    --same;
  }
  for (; open_.size() > same; open_.pop_back()) {
    const Open& ended = open_.back();
    if (time <= ended.start) continue;
    out_.add(lane_, {ended.start, time - ended.start, tree_.name(ended.node), SliceKind::python, kUnknown});
    if (++slices_ % kSlicesPerLook == 0 && progress_ != nullptr) is_over_ |= progress_->is_over();
  }
  for (auto at = path_.rbegin(); at != path_.rend(); ++at) open_.push_back({*at, time});
}

void WeightedStackList::add(std::string_view thread, std::span<const Row> frames, double weight, std::string_view counts,
                            std::size_t text) {
  if (weight == 0 || frames.empty()) return;
  innermost_first_.assign(frames.rbegin(), frames.rend());
  const Row stack = pool_.stack(innermost_first_, kFew + text / 5);
  if (stack == kNoRow) {
    out_.report(Severity::error, "stack_missing", "a stack was left out: the file has more than its size explains", kUnknown);
    return;
  }
  WeightedStacks& to = out_.profile().weighted_stacks;
  const Row row = add_unknown_row(to);
  if (!thread.empty()) to.thread[row] = out_.text(thread);
  to.stack[row] = stack;
  to.weight[row] = weight;
  if (!counts.empty()) to.counts[row] = out_.text(counts);
}

void note_samples(Profile& profile) {
  profile.add_problem(Severity::note, "samples", "slices are made of samples: what ran between two samples is not known", 1,
                      kUnknown);
}

}  // namespace sightline::formats::call_trees

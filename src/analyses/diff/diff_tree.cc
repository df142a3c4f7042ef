// Matches two trees, one level at a time.
#include "analyses/diff/diff_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "analyses/operators/host_tree.h"
#include "base/sort.h"

namespace sightline::analyses {

// ---- longest common subsequence ----
// The textbook table of lengths, filled from the end so that it is read from the front. Equal beginnings and ends are removed
// first: two runs of one program differ little.

namespace {

using Numbers = std::span<const std::uint32_t>;
using CommonPairs = std::vector<std::pair<std::size_t, std::size_t>>;

// Positions are relative to the spans.
CommonPairs exact(Numbers a, Numbers b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> longest((a.size() + 1) * width, 0);  // [i * width + j]: of a from i on and b from j on
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      longest[i * width + j] = a[i] == b[j] ? longest[(i + 1) * width + j + 1] + 1
                                            : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  CommonPairs pairs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      pairs.emplace_back(i++, j++);
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

// Each window keeps the matches of its first half: matches near its end might be better with the elements that follow.
CommonPairs by_windows(Numbers a, Numbers b, std::size_t most_cells) {
  const auto side = std::max<std::size_t>(2, static_cast<std::size_t>(std::sqrt(static_cast<double>(most_cells))));
  CommonPairs pairs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Numbers window_a = a.subspan(i, std::min(side, a.size() - i));
    const Numbers window_b = b.subspan(j, std::min(side, b.size() - j));
    const bool last = i + window_a.size() == a.size() && j + window_b.size() == b.size();
    const std::size_t half_a = i + side / 2, half_b = j + side / 2, from_a = i, from_b = j;
    bool to_half_a = true, to_half_b = true;  // elements without a match up to here have no match
    for (const auto& [x, y] : exact(window_a, window_b)) {
      const std::size_t at_a = from_a + x, at_b = from_b + y;
      if (!last && (at_a >= half_a || at_b >= half_b)) {
        to_half_a = at_a >= half_a;
        to_half_b = at_b >= half_b;
        break;
      }
      pairs.emplace_back(at_a, at_b);
      i = at_a + 1;
      j = at_b + 1;
    }
    if (last) break;
    if (to_half_a) i = std::max(i, std::min(a.size(), half_a));
    if (to_half_b) j = std::max(j, std::min(b.size(), half_b));
  }
  return pairs;
}

}  // namespace

CommonPairs longest_common(Numbers a, Numbers b, std::size_t most_cells) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t front = 0, back = 0;
  while (front < shorter && a[front] == b[front]) ++front;
  while (back < shorter - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  CommonPairs pairs;
  for (std::size_t i = 0; i < front; ++i) pairs.emplace_back(i, i);
  const Numbers middle_a = a.subspan(front, a.size() - front - back);
  const Numbers middle_b = b.subspan(front, b.size() - front - back);
  const bool fits = middle_a.empty() || middle_b.size() <= most_cells / middle_a.size();
  for (const auto& [i, j] : fits ? exact(middle_a, middle_b) : by_windows(middle_a, middle_b, most_cells)) {
    pairs.emplace_back(front + i, front + j);
  }
  for (std::size_t i = back; i > 0; --i) pairs.emplace_back(a.size() - i, b.size() - i);
  return pairs;
}

// ---- the tree ----

namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// Which of two lists of keys correspond.
Pairs aligned(const std::array<std::vector<std::string>, 2>& keys) {
  std::map<std::string_view, std::uint32_t> numbers;
  std::array<std::vector<std::uint32_t>, 2> numbered;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const std::string& key : keys[side]) {
      numbered[side].push_back(numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second);
    }
  }
  return longest_common(numbered[kBaseline], numbered[kCompared]);
}

// "nn.Module: Linear_0" and "Optimizer.step#SGD.step" without the part that their kind already expresses.
std::string shown_name(SliceKind kind, std::string_view name) {
  constexpr std::string_view kModule = "nn.Module: ";
  if (kind == SliceKind::module && name.starts_with(kModule)) name.remove_prefix(kModule.size());
  if (kind == SliceKind::data_loading || kind == SliceKind::optimizer) {
    if (const std::size_t mark = name.find('#'); mark != std::string_view::npos && mark + 1 < name.size())
      name.remove_prefix(mark + 1);
  }
  return std::string(name);
}

DiffKind diff_kind(SliceKind kind) {
  switch (kind) {
    case SliceKind::module: return DiffKind::module;
    case SliceKind::data_loading: return DiffKind::data_loading;
    case SliceKind::optimizer: return DiffKind::optimizer;
    case SliceKind::step: return DiffKind::step;
    default: return DiffKind::call;
  }
}

}  // namespace

std::string_view diff_kind_name(DiffKind kind) {
  switch (kind) {
    case DiffKind::whole: return "whole run";
    case DiffKind::step: return "step";
    case DiffKind::outside: return "outside of steps";
    case DiffKind::module: return "module";
    case DiffKind::data_loading: return "data loading";
    case DiffKind::optimizer: return "optimizer";
    case DiffKind::backward: return "backward";
    case DiffKind::operators: return "operators";
    case DiffKind::call: return "call";
  }
  return "";
}

// ---- one side ----

DiffSide::DiffSide(ProfilePtr profile) : profile_(std::move(profile)), tree_(host_tree(profile_)) {
  index_children();
  find_steps();
}

void DiffSide::index_children() {
  const std::size_t nodes = tree_->nodes();
  first_child_.assign(nodes + 1, 0);
  const auto child_of = [&](Row node) { return tree_->absorbed(node) ? kNoRow : tree_->parent[node]; };
  for (Row node = 0; node < nodes; ++node) {
    if (child_of(node) != kNoRow) ++first_child_[child_of(node) + 1];
  }
  for (std::size_t node = 0; node < nodes; ++node) first_child_[node + 1] += first_child_[node];
  children_.resize(first_child_[nodes]);
  std::vector<Row> next(first_child_.begin(), first_child_.end() - 1);
  for (Row node = 0; node < nodes; ++node) {
    if (child_of(node) != kNoRow) children_[next[child_of(node)]++] = node;
  }
}

std::vector<Row> DiffSide::inside(Row node) const {
  return {children_.begin() + first_child_[node], children_.begin() + first_child_[node + 1]};
}

std::vector<Row> DiffSide::all() const {
  std::vector<Row> nodes;
  for (Row node = 0; node < tree_->nodes(); ++node) {
    if (tree_->parent[node] == kNoRow && !tree_->absorbed(node)) nodes.push_back(node);
  }
  sort_up(nodes, [&](Row each) { return start(each); });
  return nodes;
}

void DiffSide::find_steps() {
  const std::shared_ptr<const StepWindows> found = steps_of(profile_);
  const StepWindows& windows = *found;
  outside_ = all();
  if (windows.source != StepSource::recorded) return;
  std::vector<bool> taken(tree_->nodes(), false);  // steps, and the ranges around them
  std::vector<bool> is_step(tree_->nodes(), false);
  for (std::size_t i = 0; i < windows.kept.size(); ++i) {
    const Row slice = profile_->steps.slice[i];
    const Row at = slice == kNoRow ? kNoRow : tree_->node_of_slice[slice];
    const Row node = at != kNoRow && tree_->slice[at] == slice ? at : kNoRow;
    steps_.push_back({windows.kept[i], node, node == kNoRow ? std::vector<Row>{} : inside(node)});
    if (node != kNoRow) is_step[node] = true;
    for (Row around = node; around != kNoRow; around = tree_->parent[around]) taken[around] = true;
  }
  // A range around steps is divided: each range inside it belongs to the step in which it starts, or to none.
  for (Row node = 0; node < tree_->nodes(); ++node) {
    if (!taken[node] || is_step[node]) continue;
    for (const Row child : inside(node)) outside_.push_back(child);
  }
  sort_up(outside_, [&](Row each) { return start(each); });
  std::vector<Row> rest;
  for (const Row node : outside_) {
    if (taken[node]) continue;
    const auto after = std::upper_bound(steps_.begin(), steps_.end(), start(node),
                                        [](Time time, const Step& step) { return time < step.window.host.start; });
    if (after != steps_.begin() && starts_in(std::prev(after)->window, start(node))) {
      std::prev(after)->inner.push_back(node);
    } else {
      rest.push_back(node);
    }
  }
  outside_ = std::move(rest);
  for (Step& step : steps_) {
    sort_up(step.inner, [&](Row each) { return start(each); });
  }
}

// ---- both ----

DiffPart DiffTree::whole() const {
  return {DiffKind::whole, "Whole run", {sides_[kBaseline].all(), sides_[kCompared].all()}, {}};
}

std::vector<DiffPart> DiffTree::step_parts() const {
  std::vector<DiffPart> parts;
  const std::size_t count = std::max(sides_[kBaseline].steps().size(), sides_[kCompared].steps().size());
  for (std::size_t i = 0; i < count; ++i) {
    DiffPart part{.kind = DiffKind::step, .name = "Step", .nodes = {}, .steps = {}};
    std::string before;
    for (std::size_t side = 0; side < 2; ++side) {
      if (i >= sides_[side].steps().size()) continue;
      const DiffSide::Step& step = sides_[side].steps()[i];
      part.steps[side] = &step.window;
      if (step.node != kNoRow) part.nodes[side].push_back(step.node);
      for (const Row node : step.inner) {
        if (sides_[side].tree().parent[node] != step.node || step.node == kNoRow) part.nodes[side].push_back(node);
      }
      const std::string number = std::to_string(step.window.number);
      if (number != before) part.name += (before.empty() ? " " : " / ") + number;
      before = number;
    }
    parts.push_back(std::move(part));
  }
  const Nodes outside{sides_[kBaseline].outside(), sides_[kCompared].outside()};
  if (!outside[kBaseline].empty() || !outside[kCompared].empty()) {
    parts.push_back({DiffKind::outside, "Outside of steps", outside, {}});
  }
  return parts;
}

// The nodes that `part` is made of on one side, seen from inside.
std::vector<Row> DiffTree::inner(const DiffPart& part, std::size_t which) const {
  const DiffSide& side = sides_[which];
  switch (part.kind) {
    case DiffKind::whole: {  // one of the two has no steps: those of the other are looked through
      std::vector<Row> nodes = side.outside();
      for (const DiffSide::Step& step : side.steps()) nodes.insert(nodes.end(), step.inner.begin(), step.inner.end());
      sort_up(nodes, [&](Row each) { return side.start(each); });
      return nodes;
    }
    case DiffKind::step:
      for (const DiffSide::Step& step : side.steps()) {
        if (&step.window == part.steps[which]) return step.inner;
      }
      [[fallthrough]];
    default: break;
  }
  if (part.kind == DiffKind::outside || part.kind == DiffKind::backward || part.kind == DiffKind::operators)
    return part.nodes[which];
  std::vector<Row> nodes;
  for (const Row node : part.nodes[which]) {
    const std::vector<Row> inside = side.inside(node);
    nodes.insert(nodes.end(), inside.begin(), inside.end());
  }
  return nodes;
}

bool DiffTree::is_anchor(std::size_t side, Row node) const { return diff_kind(sides_[side].kind(node)) != DiffKind::call; }

// Modules correspond by name; data loading and optimizer match whatever their names are.
std::string DiffTree::anchor_key(std::size_t side, Row node) const {
  const DiffKind kind = diff_kind(sides_[side].kind(node));
  std::string key(diff_kind_name(kind));
  if (kind == DiffKind::module) key.append(" ").append(sides_[side].name(node));
  return key;
}

bool DiffTree::has_parts(const DiffPart& part) const {
  if (part.kind == DiffKind::whole || part.kind == DiffKind::outside || part.kind == DiffKind::backward ||
      part.kind == DiffKind::operators) {
    return part.has(kBaseline) || part.has(kCompared);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (part.kind == DiffKind::step && !inner(part, side).empty()) return true;
    for (const Row node : part.nodes[side]) {
      if (sides_[side].has_inside(node)) return true;
    }
  }
  return false;
}

std::vector<std::array<std::vector<Row>, 2>> DiffTree::sequences(const DiffPart& part) const {
  if (part.kind != DiffKind::whole && part.kind != DiffKind::step) return {part.nodes};
  if (part.kind == DiffKind::step || !both_have_steps()) return {{inner(part, kBaseline), inner(part, kCompared)}};
  std::vector<std::array<std::vector<Row>, 2>> lists;
  for (const DiffPart& each : step_parts()) lists.push_back({inner(each, kBaseline), inner(each, kCompared)});
  return lists;
}

bool DiffTree::both_have_steps() const { return !sides_[kBaseline].steps().empty() && !sides_[kCompared].steps().empty(); }

std::vector<DiffPart> DiffTree::parts(const DiffPart& outer) const {
  if (outer.kind == DiffKind::whole && both_have_steps()) return step_parts();
  const Nodes nodes{inner(outer, kBaseline), inner(outer, kCompared)};
  if (outer.kind == DiffKind::backward || outer.kind == DiffKind::operators) return one_by_one(nodes);
  bool anchors = false, backward = false, others = false;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const Row node : nodes[side]) {
      const bool is_back = is_backward(sides_[side].name(node));
      anchors = anchors || is_anchor(side, node);
      backward = backward || is_back;
      others = others || !is_back;
    }
  }
  return anchors || (backward && others && outer.kind != DiffKind::call) ? by_anchors(nodes) : one_by_one(nodes);
}

std::vector<DiffPart> DiffTree::by_anchors(const Nodes& nodes) const {
  std::array<std::vector<std::string>, 2> keys;
  std::array<std::vector<std::size_t>, 2> at;  // of the anchors, in `nodes`
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t i = 0; i < nodes[side].size(); ++i) {
      if (!is_anchor(side, nodes[side][i])) continue;
      keys[side].push_back(anchor_key(side, nodes[side][i]));
      at[side].push_back(i);
    }
  }
  Pairs pairs = aligned(keys);
  std::vector<DiffPart> parts;
  std::array<std::size_t, 2> from{};
  const auto add_gap = [&](std::size_t to_baseline, std::size_t to_compared) {
    const std::array<std::size_t, 2> to{to_baseline, to_compared};
    Nodes between;
    for (std::size_t side = 0; side < 2; ++side) {
      using Offset = std::vector<Row>::difference_type;
      between[side].assign(nodes[side].begin() + static_cast<Offset>(from[side]),
                           nodes[side].begin() + static_cast<Offset>(to[side]));
      from[side] = to[side] + 1;
    }
    add_between(parts, between);
  };
  for (const auto& [baseline, compared] : pairs) {
    const std::size_t i = at[kBaseline][baseline], j = at[kCompared][compared];
    add_gap(i, j);
    parts.push_back(call_part({std::vector<Row>{nodes[kBaseline][i]}, std::vector<Row>{nodes[kCompared][j]}}));
  }
  add_gap(nodes[kBaseline].size(), nodes[kCompared].size());
  return parts;
}

// Between two anchors that correspond: operators together, anchors that only one side has, the backward pass together.
void DiffTree::add_between(std::vector<DiffPart>& parts, const Nodes& nodes) const {
  Nodes operators, backward;
  std::vector<DiffPart> single;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const Row node : nodes[side]) {
      if (is_anchor(side, node)) {
        Nodes alone;
        alone[side].push_back(node);
        single.push_back(call_part(std::move(alone)));
      } else {
        (is_backward(sides_[side].name(node)) ? backward : operators)[side].push_back(node);
      }
    }
  }
  const auto add = [&](DiffKind kind, std::string name, Nodes& of) {
    const bool one = of[kBaseline].size() == 1 && of[kCompared].size() == 1 &&
                     sides_[kBaseline].name(of[kBaseline][0]) == sides_[kCompared].name(of[kCompared][0]);
    if (one) {
      parts.push_back(call_part(std::move(of)));
    } else if (!of[kBaseline].empty() || !of[kCompared].empty()) {
      parts.push_back({kind, std::move(name), std::move(of), {}});
    }
  };
  add(DiffKind::operators, "Operators", operators);
  for (DiffPart& part : single) parts.push_back(std::move(part));
  add(DiffKind::backward, "Backward", backward);
}

std::vector<DiffPart> DiffTree::one_by_one(const Nodes& nodes) const {
  std::array<std::vector<std::string>, 2> keys;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const Row node : nodes[side]) keys[side].emplace_back(sides_[side].name(node));
  }
  std::vector<DiffPart> parts;
  std::array<std::size_t, 2> next{};
  const auto add_alone = [&](std::size_t side, std::size_t until) {
    for (; next[side] < until; ++next[side]) {
      Nodes alone;
      alone[side].push_back(nodes[side][next[side]]);
      parts.push_back(call_part(std::move(alone)));
    }
  };
  for (const auto& [i, j] : aligned(keys)) {
    add_alone(kBaseline, i);
    add_alone(kCompared, j);
    parts.push_back(call_part({std::vector<Row>{nodes[kBaseline][i]}, std::vector<Row>{nodes[kCompared][j]}}));
    next = {i + 1, j + 1};
  }
  add_alone(kBaseline, nodes[kBaseline].size());
  add_alone(kCompared, nodes[kCompared].size());
  return parts;
}

// One range of each side, or of one.
DiffPart DiffTree::call_part(Nodes nodes) const {
  DiffPart part;
  std::string before;
  for (std::size_t side = 0; side < 2; ++side) {
    if (nodes[side].empty()) continue;
    const Row node = nodes[side].front();
    part.kind = diff_kind(sides_[side].kind(node));
    const std::string name = shown_name(sides_[side].kind(node), sides_[side].name(node));
    if (name != before) part.name += (before.empty() ? "" : " / ") + name;
    before = name;
  }
  part.nodes = std::move(nodes);
  return part;
}

Result<std::vector<DiffPart>> DiffTree::trail(const std::string& path) const {
  std::vector<DiffPart> trail{whole()};
  const char* at = path.data();
  const char* const end = at + path.size();
  while (at != end) {
    std::size_t number = 0;
    const auto [stop, failed] = std::from_chars(at, end, number);
    const bool good = failed == std::errc() && (stop == end || (*stop == '-' && stop + 1 != end));
    if (!good) return Error{ErrorCode::invalid_argument, say("node: '{}' is not a path such as 0-3-1", path), ""};
    std::vector<DiffPart> parts = this->parts(trail.back());
    if (number >= parts.size()) {
      return Error{ErrorCode::invalid_argument,
                   say("node: {} leads nowhere: {} has {} parts", path, trail.back().name, parts.size()), ""};
    }
    trail.push_back(std::move(parts[number]));
    at = stop == end ? end : stop + 1;
  }
  return trail;
}

}  // namespace sightline::analyses

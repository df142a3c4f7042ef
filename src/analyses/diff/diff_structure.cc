// Lists of ranges are aligned in order, first by name and shapes, then by name. Matched ranges are opened and what is in them is
// aligned; unmatched ranges between two matches are opened until something in them matches or only launching operators are left.
#include "analyses/diff/diff_structure.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/sort.h"

namespace sightline::analyses {

std::string_view structure_kind_name(StructureKind kind) {
  switch (kind) {
    case StructureKind::same_kernels: return "same kernels";
    case StructureKind::other_kernels: return "other kernels";
    case StructureKind::replaced: return "replaced";
    case StructureKind::only_baseline: return "only in the baseline";
    case StructureKind::only_compared: return "only in the compared profile";
    case StructureKind::no_operator: return "not attributed";
  }
  return "";
}

namespace {

// A range with everything in it, or only the work that it launched itself.
struct Element {
  Row node = kNoRow;
  bool itself = false;
};
using Elements = std::vector<Element>;
using BothElements = OnBothSides<Elements>;

// What corresponds: ranges that launched work. `around` is a range that both profiles have.
struct Match {
  OnBothSides<std::vector<Row>> nodes;
  OnBothSides<Row> around{kNoRow, kNoRow};
};

// One profile: what each of its ranges launched.
class WorkTree {
 public:
  explicit WorkTree(const DiffSide& side) : side_(side), own_(side.tree().nodes(), 0) {
    const Profile& profile = side.profile();
    for (Row i = 0; i < profile.device_work.rows(); ++i) {
      const Row node = side.tree().node_of_owner(profile.device_work.owner[i]);
      if (node != kNoRow) ++own_[node];
    }
    inside_ = own_;
    for (Row node = static_cast<Row>(own_.size()); node-- > 0;) {
      if (const Row parent = side.tree().parent[node]; parent != kNoRow) inside_[parent] += inside_[node];
    }
  }

  bool launches(Row node) const { return own_[node] > 0; }
  bool is_leaf(const Element& element) const { return element.itself || inside_[element.node] == own_[element.node]; }

  // The ranges among `nodes` that caused device work.
  Elements elements(const std::vector<Row>& nodes) const {
    Elements found;
    for (const Row node : nodes) {
      if (inside_[node] > 0) found.push_back({node, false});
    }
    return found;
  }

  // What an element consists of.
  Elements opened(const Element& element) const {
    if (is_leaf(element)) return {{element.node, true}};
    Elements inner = elements(side_.inside(element.node));
    if (launches(element.node)) inner.insert(inner.begin(), {element.node, true});
    return inner;
  }

  // All ranges in them that launched work.
  std::vector<Row> leaves(const Elements& elements) const {
    std::vector<Row> nodes;
    Elements open(elements.rbegin(), elements.rend());
    while (!open.empty()) {
      const Element element = open.back();
      open.pop_back();
      if (is_leaf(element)) {
        nodes.push_back(element.node);
        continue;
      }
      const Elements inner = opened(element);
      open.insert(open.end(), inner.rbegin(), inner.rend());
    }
    return nodes;
  }

 private:
  const DiffSide& side_;
  std::vector<std::int64_t> own_, inside_;  // by node: pieces of device work that it launched; with those of the ranges in it
};

std::string_view shapes_of(const DiffSide& side, Row node) {
  const Row row = side.tree().operator_row[node];
  return row == kNoRow ? std::string_view{} : side.profile().text(side.profile().operators.input_shapes[row]);
}

class Aligner {
 public:
  explicit Aligner(const DiffTree& tree) : tree_(tree), work_{WorkTree(tree.side(kBaseline)), WorkTree(tree.side(kCompared))} {
    for (std::size_t side = 0; side < 2; ++side) {
      for (auto* keys : {&exact_[side], &named_[side]}) keys->assign(tree.side(side).tree().nodes(), kNoKey);
    }
  }

  std::vector<Match> align(const OnBothSides<std::vector<Row>>& nodes) {
    matches_.clear();
    open_.push_back({{work_[kBaseline].elements(nodes[kBaseline]), work_[kCompared].elements(nodes[kCompared])}});
    while (!open_.empty()) {
      const Task task = std::move(open_.back());
      open_.pop_back();
      align_by(task, true);
    }
    return std::move(matches_);
  }

 private:
  static constexpr std::uint32_t kNoKey = 0;
  static constexpr int kMostOpenings = 32;  // of unmatched ranges: deeper ones are no longer opened level by level

  struct Task {
    BothElements elements;
    OnBothSides<Row> around{kNoRow, kNoRow};
    int openings = 0;
  };

  std::uint32_t key_of(std::size_t side, Row node, bool exact) {
    std::uint32_t& key = (exact ? exact_ : named_)[side][node];
    if (key != kNoKey) return key;
    std::pair<std::string, std::string> text{tree_.side(side).name(node), exact ? shapes_of(tree_.side(side), node) : ""};
    key = numbers_[exact].try_emplace(std::move(text), static_cast<std::uint32_t>(numbers_[exact].size() + 1)).first->second;
    return key;
  }

  void align_by(const Task& task, bool exact) {
    OnBothSides<std::vector<std::uint32_t>> keys;
    for (std::size_t side = 0; side < 2; ++side) {
      for (const Element& element : task.elements[side]) keys[side].push_back(key_of(side, element.node, exact));
    }
    OnBothSides<std::size_t> from{};
    const auto add_gap = [&](const OnBothSides<std::size_t>& to) {
      Task gap{.elements = {}, .around = task.around, .openings = task.openings};
      for (std::size_t side = 0; side < 2; ++side) {
        using Offset = Elements::difference_type;
        const auto begin = task.elements[side].begin();
        gap.elements[side].assign(begin + static_cast<Offset>(from[side]), begin + static_cast<Offset>(to[side]));
      }
      between(gap, exact);
    };
    for (const auto& [i, j] : longest_common(keys[kBaseline], keys[kCompared])) {
      add_gap({i, j});
      matched({task.elements[kBaseline][i], task.elements[kCompared][j]}, task.around);
      from = {i + 1, j + 1};
    }
    add_gap({task.elements[kBaseline].size(), task.elements[kCompared].size()});
  }

  void matched(const OnBothSides<Element>& pair, const OnBothSides<Row>& around) {
    const OnBothSides<Row> nodes{pair[kBaseline].node, pair[kCompared].node};
    if (work_[kBaseline].is_leaf(pair[kBaseline]) && work_[kCompared].is_leaf(pair[kCompared])) {
      matches_.push_back({{std::vector<Row>{nodes[kBaseline]}, std::vector<Row>{nodes[kCompared]}}, around});
      return;
    }
    open_.push_back(
        {.elements = {work_[kBaseline].opened(pair[kBaseline]), work_[kCompared].opened(pair[kCompared])}, .around = nodes});
  }

  // Elements between two matches, of which none has the key of one on the other side.
  void between(const Task& gap, bool was_exact) {
    if (gap.elements[kBaseline].empty() || gap.elements[kCompared].empty()) {
      for (std::size_t side = 0; side < 2; ++side) {
        for (const Row node : work_[side].leaves(gap.elements[side])) {
          Match alone{.nodes = {}, .around = gap.around};
          alone.nodes[side].push_back(node);
          matches_.push_back(std::move(alone));
        }
      }
      return;
    }
    if (was_exact) return align_by(gap, false);
    Task opened{.elements = {}, .around = gap.around, .openings = gap.openings + 1};
    bool any = false;
    for (std::size_t side = 0; side < 2; ++side) {
      for (const Element& element : gap.elements[side]) {
        any = any || !work_[side].is_leaf(element);
        const Elements inner = work_[side].opened(element);
        opened.elements[side].insert(opened.elements[side].end(), inner.begin(), inner.end());
      }
    }
    if (any && gap.openings < kMostOpenings) {
      open_.push_back(std::move(opened));
    } else {
      matches_.push_back(
          {{work_[kBaseline].leaves(gap.elements[kBaseline]), work_[kCompared].leaves(gap.elements[kCompared])}, gap.around});
    }
  }

  const DiffTree& tree_;
  OnBothSides<WorkTree> work_;
  OnBothSides<std::vector<std::uint32_t>> exact_, named_;                                // by node; kNoKey: not computed yet
  std::array<std::map<std::pair<std::string, std::string>, std::uint32_t>, 2> numbers_;  // by name, or by name and shapes
  std::vector<Task> open_;
  std::vector<Match> matches_;
};

// ---- rows of matches ----

// "aten::mul ×2 + aten::add": in order of first appearance.
std::string names_of(const DiffSide& side, const std::vector<Row>& nodes) {
  constexpr std::size_t kMostNames = 8;
  std::vector<std::pair<std::string_view, std::size_t>> counts;
  std::map<std::string_view, std::size_t> at;
  for (const Row node : nodes) {
    const auto [found, is_new] = at.try_emplace(side.name(node), counts.size());
    if (is_new) counts.emplace_back(side.name(node), 0);
    ++counts[found->second].second;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(counts.size(), kMostNames); ++i) {
    text.append(text.empty() ? "" : " + ").append(counts[i].first);
    if (counts[i].second > 1) text.append(" \u00d7").append(std::to_string(counts[i].second));
  }
  if (counts.size() > kMostNames) text.append(" + \u2026 (").append(std::to_string(counts.size())).append(")");
  return text;
}

// Of a single operator; "[[2, 3]] / [[4, 3]]" where the two differ.
std::string shapes_of(const DiffTree& tree, const Match& match) {
  std::string text;
  for (std::size_t side = 0; side < 2; ++side) {
    if (match.nodes[side].size() > 1) return "";
    if (match.nodes[side].empty()) continue;
    const std::string_view shapes = shapes_of(tree.side(side), match.nodes[side].front());
    if (!shapes.empty() && shapes != text) text.append(text.empty() ? "" : " / ").append(shapes);
  }
  return text;
}

StructureKind kind_of(const StructurePair& pair, bool one_of_each) {
  if (pair.operators[kBaseline].empty()) return StructureKind::only_compared;
  if (pair.operators[kCompared].empty()) return StructureKind::only_baseline;
  return one_of_each && pair.operators[kBaseline] == pair.operators[kCompared] ? StructureKind::other_kernels
                                                                               : StructureKind::replaced;
}

// Rows of matches, and what their ranges launched.
class Rows {
 public:
  explicit Rows(const DiffTree& tree) : tree_(tree) {
    for (std::size_t side = 0; side < 2; ++side) row_of_[side].assign(tree.side(side).tree().nodes(), kNoRow);
  }

  void add(const Match& match) {
    StructurePair pair;
    for (std::size_t side = 0; side < 2; ++side) pair.operators[side] = names_of(tree_.side(side), match.nodes[side]);
    pair.kind = kind_of(pair, match.nodes[kBaseline].size() == 1 && match.nodes[kCompared].size() == 1);
    pair.shapes = shapes_of(tree_, match);
    if (match.around[kBaseline] != kNoRow) pair.inside = tree_.side(kBaseline).name(match.around[kBaseline]);
    const Row row = row_for(std::move(pair));
    for (std::size_t side = 0; side < 2; ++side) {
      rows_[row].calls[side] += std::ssize(match.nodes[side]);
      for (const Row node : match.nodes[side]) row_of_[side][node] = row;
    }
  }

  // Adds the device work of the part: that of no match is outside operators.
  void add_work(const DiffPart& part) {
    for (std::size_t which = 0; which < 2; ++which) {
      const DiffSide& side = tree_.side(which);
      const Profile& profile = side.profile();
      const std::vector<bool> inside = nodes_inside(side.tree(), part.nodes[which]);
      for (Row i = 0; i < profile.device_work.rows(); ++i) {
        const Row node = side.tree().node_of_owner(profile.device_work.owner[i]);
        if (part.kind != DiffKind::whole && (node == kNoRow || !inside[node])) continue;
        add_one(which, profile.device_work.slice[i], node == kNoRow ? kNoRow : row_of_[which][node]);
      }
    }
  }

  std::vector<StructurePair> take() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::array<std::vector<std::string_view>, 2> names;
      for (std::size_t side = 0; side < 2; ++side) {
        for (const auto& [name, time] : kernels_[i][side]) names[side].push_back(name);
        rows_[i].kernels[side] = longest_first(kernels_[i][side]);
      }
      if (rows_[i].kind == StructureKind::other_kernels && names[kBaseline] == names[kCompared])
        rows_[i].kind = StructureKind::same_kernels;
    }
    return std::move(rows_);
  }

 private:
  using KernelTimes = std::map<std::string_view, Time>;

  Row row_for(StructurePair pair) {
    std::string key = pair.operators[kBaseline];
    for (const std::string_view text : {std::string_view(pair.operators[kCompared]), std::string_view(pair.shapes)})
      key.append(1, '\0').append(text);
    const auto [found, is_new] = numbers_.try_emplace(std::move(key), static_cast<Row>(rows_.size()));
    if (is_new) {
      rows_.push_back(std::move(pair));
      kernels_.emplace_back();
    }
    return found->second;
  }

  void add_one(std::size_t side, Row slice, Row row) {
    if (row == kNoRow) row = row_for({});
    const Profile& profile = tree_.side(side).profile();
    StructurePair& pair = rows_[row];
    const Time duration = profile.slices.duration[slice];
    ++pair.works[side];
    pair.device[side] += duration;
    kernels_[row][side][profile.text(profile.slices.name[slice])] += duration;
    if (pair.longest[side] == kNoRow || duration > profile.slices.duration[pair.longest[side]]) pair.longest[side] = slice;
  }

  static std::string longest_first(const KernelTimes& times) {
    constexpr std::size_t kMostNames = 3;
    std::vector<std::pair<std::string_view, Time>> sorted(times.begin(), times.end());
    sort_down(sorted, [](const auto& each) { return each.second; });
    std::string text;
    for (std::size_t i = 0; i < std::min(sorted.size(), kMostNames); ++i)
      text.append(text.empty() ? "" : " + ").append(sorted[i].first);
    if (sorted.size() > kMostNames) text.append(" + \u2026 (").append(std::to_string(sorted.size())).append(")");
    return text;
  }

  const DiffTree& tree_;
  OnBothSides<std::vector<Row>> row_of_;  // by node: its row
  std::map<std::string, Row> numbers_;    // by operators of both and shapes
  std::vector<StructurePair> rows_;
  std::vector<OnBothSides<KernelTimes>> kernels_;  // by row
};

}  // namespace

std::vector<StructurePair> structure_pairs(const DiffTree& tree, const DiffPart& part) {
  Aligner aligner(tree);
  Rows rows(tree);
  for (const auto& nodes : tree.sequences(part)) {
    for (const Match& match : aligner.align(nodes)) rows.add(match);
  }
  rows.add_work(part);
  return rows.take();
}

}  // namespace sightline::analyses

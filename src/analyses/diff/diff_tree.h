// DiffTree: two profiles matched by their logical order and not by the clock. Steps correspond by position. Inside a step, its
// parts (modules by name, data loading, optimizer) correspond in order, and the operators between two such parts are one part.
// Without such parts, calls correspond by name. Each part can be opened; nothing is computed in advance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyses/operators/host_tree.h"
#include "analyses/steps/step_windows.h"
#include "base/result.h"

namespace sightline::analyses {

// ---- longest common subsequence ----
// Which elements of two sequences correspond when order is kept.

// Pairs of positions (in `a`, in `b`) with equal values, ascending in both. As many as possible while the differing parts fit
// into a table of `most_cells`; longer sequences are matched window by window, each window exactly, so that time stays linear in
// the length. Matches further apart than half a window are then missed.
std::vector<std::pair<std::size_t, std::size_t>> longest_common(std::span<const std::uint32_t> a,
                                                                std::span<const std::uint32_t> b,
                                                                std::size_t most_cells = 1'000'000);

// ---- the tree ----

inline constexpr std::size_t kBaseline = 0, kCompared = 1;

enum class DiffKind : std::uint8_t { whole, step, outside, module, data_loading, optimizer, backward, operators, call };
std::string_view diff_kind_name(DiffKind kind);

// Nodes of the baseline's tree that correspond to nodes of the other. One side is empty if only the other has them.
struct DiffPart {
  DiffKind kind = DiffKind::whole;
  std::string name;
  std::array<std::vector<Row>, 2> nodes{};   // in order of start; none is in another
  std::array<const StepWindow*, 2> steps{};  // of a step
  bool has(std::size_t side) const { return !nodes[side].empty() || steps[side] != nullptr; }
  // Whether Sightline made `name`: it is not the name of a range.
  bool has_own_name() const {
    return steps[0] != nullptr || steps[1] != nullptr || kind == DiffKind::whole || kind == DiffKind::outside ||
           kind == DiffKind::backward || kind == DiffKind::operators;
  }
};

// One side of the diff: which ranges are directly inside which, and which step they belong to.
class DiffSide {
 public:
  explicit DiffSide(ProfilePtr profile);

  // Inside a step: the ranges that it encloses on its thread, and the top-level ranges that begin meanwhile on other threads.
  struct Step {
    StepWindow window;
    Row node = kNoRow;  // the step's range; kNoRow if it is not in the tree
    std::vector<Row> inner;
  };

  const Profile& profile() const { return *profile_; }
  const ProfilePtr& pointer() const { return profile_; }
  const HostTree& tree() const { return *tree_; }
  const std::vector<Step>& steps() const { return steps_; }     // without those that the end of the recording cut off
  const std::vector<Row>& outside() const { return outside_; }  // outermost ranges that belong to no step
  std::vector<Row> all() const;                                 // the outermost ranges, steps included
  std::vector<Row> inside(Row node) const;
  bool has_inside(Row node) const { return first_child_[node] != first_child_[node + 1]; }

  std::string_view name(Row node) const { return profile_->text(profile_->slices.name[tree_->slice[node]]); }
  SliceKind kind(Row node) const { return profile_->slices.kind[tree_->slice[node]]; }
  Time start(Row node) const { return profile_->slices.start[tree_->slice[node]]; }
  Time duration(Row node) const { return profile_->slices.duration[tree_->slice[node]]; }

 private:
  void index_children();
  void find_steps();

  ProfilePtr profile_;
  std::shared_ptr<const HostTree> tree_;
  std::vector<Row> first_child_, children_;  // by node: where its children begin; they end where the next one's begin
  std::vector<Step> steps_;
  std::vector<Row> outside_;
};

class DiffTree {
 public:
  DiffTree(ProfilePtr baseline, ProfilePtr compared) : sides_{DiffSide(std::move(baseline)), DiffSide(std::move(compared))} {}

  const DiffSide& side(std::size_t which) const { return sides_[which]; }
  DiffPart whole() const;

  // The parts directly inside a part, in logical order; empty if there is only one.
  std::vector<DiffPart> parts(const DiffPart& outer) const;
  bool has_parts(const DiffPart& part) const;

  // The ranges of a part that are compared in order: of the whole one pair of lists for each step, else one pair.
  std::vector<std::array<std::vector<Row>, 2>> sequences(const DiffPart& part) const;

  // The parts from the whole down to `path`: "0-3-1" is the second part of the fourth of the first; empty is the whole. For a
  // path that does not exist, an invalid_argument error says how much of it exists.
  Result<std::vector<DiffPart>> trail(const std::string& path) const;

 private:
  using Nodes = std::array<std::vector<Row>, 2>;

  bool both_have_steps() const;
  std::vector<DiffPart> step_parts() const;
  std::vector<Row> inner(const DiffPart& part, std::size_t side) const;
  std::vector<DiffPart> by_anchors(const Nodes& nodes) const;
  std::vector<DiffPart> one_by_one(const Nodes& nodes) const;
  void add_between(std::vector<DiffPart>& parts, const Nodes& nodes) const;
  bool is_anchor(std::size_t side, Row node) const;
  std::string anchor_key(std::size_t side, Row node) const;
  DiffPart call_part(Nodes nodes) const;

  std::array<DiffSide, 2> sides_;
};

}  // namespace sightline::analyses

// The call trees of a profile of samples: slices of stacks whose times are known, and rows of stacks that have only weights.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/common/profile_builder.h"
#include "formats/common/stack_pool.h"
#include "formats/reader.h"

namespace sightline::formats::call_trees {

// The frame of samples that found no stack; so their weights count.
inline constexpr std::string_view kNoStack = "(no stack)";

using Node = std::uint32_t;
inline constexpr Node kRoot = 0xFFFFFFFF;

class CallTree {
 public:
  // The child of `parent` (or of kRoot) with this name; a new one is made.
  Node child(Node parent, StringId name);
  Node parent(Node node) const { return nodes_[node].parent; }
  StringId name(Node node) const { return nodes_[node].name; }
  std::uint32_t depth(Node node) const { return node == kRoot ? 0 : depths_[node]; }

 private:
  struct Key {
    Node parent;
    StringId name;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      const std::uint64_t mixed = (std::uint64_t{key.parent} << 32 | static_cast<std::uint32_t>(key.name)) * 0x9E3779B97F4A7C15;
      return static_cast<std::size_t>(mixed ^ mixed >> 29);
    }
  };
  std::vector<Key> nodes_;
  std::vector<std::uint32_t> depths_;
  std::unordered_map<Key, Node, Hash> known_;
};

// The slices of one thread from its stacks in the order of time: a function that is on the stack in consecutive samples is one
// slice.
class StackTimeline {
 public:
  StackTimeline(ProfileBuilder& out, const CallTree& tree, ProfileBuilder::Lane& lane, ReadProgress* progress)
      : out_(out), tree_(tree), lane_(lane), progress_(progress) {}

  // From `time` on, `node` is the innermost function. REQUIRES: times do not decrease.
  void set(Node node, Time time);
  void end(Time time) { set(kRoot, time); }
  // Whether to read no further: few samples may make many slices.
  bool is_over() const { return is_over_; }

 private:
  struct Open {
    Node node;
    Time start;
  };
  ProfileBuilder& out_;
  const CallTree& tree_;
  ProfileBuilder::Lane& lane_;
  ReadProgress* progress_;  // may be null
  std::int64_t slices_ = 0;
  bool is_over_ = false;
  std::vector<Open> open_;
  std::vector<Node> path_;
};

// Rows of weighted_stacks.
class WeightedStackList {
 public:
  explicit WeightedStackList(ProfileBuilder& out) : out_(out), pool_(out.profile()) {}

  Row frame(const StackFrame& frame) { return pool_.frame(frame); }
  // `text`: bytes of the file up to here; they bound the rows of stacks. `frames`: what frame() returned, outermost first.
  // `counts`: what the weight counts; empty: the file does not state it. A stack that weighs nothing, or has no frames, is no
  // row.
  void add(std::string_view thread, std::span<const Row> frames, double weight, std::string_view counts, std::size_t text);

 private:
  static constexpr std::size_t kFew = 100'000;  // rows of stacks for any file

  ProfileBuilder& out_;
  StackPool pool_;
  std::vector<Row> innermost_first_;
};

// The note that a profile of samples has.
void note_samples(Profile& profile);

}  // namespace sightline::formats::call_trees

// TreeBuilder: the call trees of a profile, from stacks with weights or from nodes, and the slices of stacks whose times are
// known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/common/profile_builder.h"
#include "formats/reader.h"

namespace sightline::formats::call_trees {

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

// The note that a profile of samples has.
void note_samples(Profile& profile);

}  // namespace sightline::formats::call_trees

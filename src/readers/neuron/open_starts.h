// OpenStarts: what has begun and not ended, first in, first out by key. Nodes are reused, so that those that are open stay in the
// processor's cache, however long the recording.
#pragma once

#include <cstdint>
#include <vector>

namespace sightline::neuron {

struct Start {
  std::int64_t time, source;
  std::uint16_t wait_cycles;
};

class OpenStarts {
 public:
  // Keys are 0 .. keys - 1.
  explicit OpenStarts(std::size_t keys) : keys_(keys) {}

  void push(std::size_t key, const Start& start) {
    if (first_.empty()) [[unlikely]]
      first_.assign(keys_, kNone);
    const std::uint32_t node = take_node(start);
    std::uint32_t& first = first_[key];
    if (first == kNone) {
      first = node;
    } else {
      nodes_[nodes_[first].last].next = node;
    }
    nodes_[first].last = node;
  }

  bool empty(std::size_t key) const { return first_.empty() || first_[key] == kNone; }

  // REQUIRES: !empty(key).
  Start pop(std::size_t key) {
    const std::uint32_t node = first_[key];
    first_[key] = nodes_[node].next;
    if (first_[key] != kNone) nodes_[first_[key]].last = nodes_[node].last;
    nodes_[node].next = free_;
    free_ = node;
    return nodes_[node].start;
  }

  // All that is open: take(key, start), by key and then in order.
  template <typename Take>
  void for_each(Take&& take) const {
    for (std::size_t key = 0; key < first_.size(); ++key) {
      for (std::uint32_t node = first_[key]; node != kNone; node = nodes_[node].next) take(key, nodes_[node].start);
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Node {
    Start start;
    std::uint32_t next, last;  // last: of the first node of a key, the end of its list
  };

  std::uint32_t take_node(const Start& start) {
    std::uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({start, kNone, node});
    } else {
      free_ = nodes_[node].next;
      nodes_[node] = {start, kNone, node};
    }
    return node;
  }

  std::size_t keys_;
  std::vector<std::uint32_t> first_;  // node, by key; empty: nothing was ever pushed
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;
};

}  // namespace sightline::neuron

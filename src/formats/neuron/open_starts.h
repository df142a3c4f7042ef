// OpenStarts: what has begun and not ended, first in, first out by key. The first of each key lies in a table by key, of which
// only the pages exist that have a key in use; the few that begin while another of their key is open wait in a list behind it,
// whose nodes are reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sightline::formats::neuron {

struct Start {
  std::int64_t time;
  std::int64_t source;  // position of its record; never 0, where a file's header lies
  std::uint16_t wait_cycles;
};

class OpenStarts {
 public:
  // Keys are 0 .. keys - 1.
  explicit OpenStarts(std::size_t keys) : pages_((keys + kPageKeys - 1) / kPageKeys, const_cast<First*>(kNothing)) {}
  OpenStarts(const OpenStarts&) = delete;

  void push(std::size_t key, const Start& start) {
    if (pages_[key / kPageKeys] == kNothing) [[unlikely]]
      add_page(key / kPageKeys);
    First& first = at(key);
    if (first.start.source != 0) [[unlikely]]
      return wait(first, start);
    first.start = start;  // and first.next is none
  }

  // Whether something of this key is open whose record lies before `position`. REQUIRES: position > 0.
  bool any_before(std::size_t key, std::int64_t position) const {
    return static_cast<std::uint64_t>(at(key).start.source) - 1 < static_cast<std::uint64_t>(position) - 1;
  }
  // What began first. REQUIRES: something is open.
  const Start& front(std::size_t key) const { return at(key).start; }
  // Forgets what began first. REQUIRES: something is open.
  void pop(std::size_t key) {
    First& first = at(key);
    if (first.next == kNone) [[likely]] {
      first.start.source = 0;
    } else {
      move_up(first);
    }
  }

  // All that is open: take(key, start), by key and then in order.
  template <typename Take>
  void for_each(Take&& take) const {
    for (std::size_t page = 0; page < pages_.size(); ++page) {
      if (pages_[page] == kNothing) continue;
      for (std::size_t key = page * kPageKeys; key < (page + 1) * kPageKeys; ++key) {
        if (front(key).source == 0) continue;
        take(key, front(key));
        for (std::uint32_t node = at(key).next; node != kNone; node = nodes_[node].next) take(key, nodes_[node].start);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0;
  static constexpr std::size_t kPageKeys = std::size_t{1} << 11;

  struct First {
    Start start;         // of source 0: nothing is open
    std::uint32_t next;  // node of what began next, or none
  };

  struct Node {
    Start start;
    std::uint32_t next, last;  // last: of the first node of a list, its end
  };

  // A page in which nothing is open; never written to.
  static constexpr First kNothing[kPageKeys] = {};

  First& at(std::size_t key) { return pages_[key / kPageKeys][key % kPageKeys]; }
  const First& at(std::size_t key) const { return pages_[key / kPageKeys][key % kPageKeys]; }

  void add_page(std::size_t page) {
    owned_.push_back(std::make_unique<First[]>(kPageKeys));
    pages_[page] = owned_.back().get();
  }

  void wait(First& first, const Start& start) {
    const std::uint32_t node = take_node(start);
    if (first.next == kNone) {
      first.next = node;
    } else {
      nodes_[nodes_[first.next].last].next = node;
    }
    nodes_[first.next].last = node;
  }

  void move_up(First& first) {
    const std::uint32_t node = first.next;
    const std::uint32_t next = nodes_[node].next;
    if (next != kNone) nodes_[next].last = nodes_[node].last;
    first = {nodes_[node].start, next};
    nodes_[node].next = free_;
    free_ = node;
  }

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

  std::vector<First*> pages_;                       // by key
  std::vector<std::unique_ptr<First[]>> owned_;     // those of them that are not kNothing
  std::vector<Node> nodes_ = std::vector<Node>(1);  // from 1 on
  std::uint32_t free_ = kNone;
};

}  // namespace sightline::formats::neuron

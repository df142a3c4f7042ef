// nest: one stack per sub-lane. order_by_start: merges of ascending runs.
#include "model/nesting.h"

#include <algorithm>

namespace sightline {

namespace {

struct Open {
  Time end;
  std::uint32_t index;
};

using Stack = std::vector<Open>;

struct Key {
  Time start;
  Time duration;
  std::uint32_t index;
};

bool before(const Key& a, const Key& b) { return a.start != b.start ? a.start < b.start : a.duration > b.duration; }

// The sub-lane for [start, end): see nest. Adds one when there is none.
std::size_t choose(std::vector<Stack>& stacks, Time end) {
  std::size_t chosen = stacks.size();
  std::size_t empty = stacks.size();
  std::uint32_t latest = 0;
  for (std::size_t s = 0; s < stacks.size(); ++s) {
    if (stacks[s].empty()) {
      empty = std::min(empty, s);
    } else if (stacks[s].back().end >= end && (chosen == stacks.size() || stacks[s].back().index > latest)) {
      chosen = s;
      latest = stacks[s].back().index;
    }
  }
  if (chosen != stacks.size()) return chosen;
  if (empty == stacks.size()) stacks.emplace_back();
  return empty;
}

}  // namespace

Nesting nest(std::span<const Time> start, std::span<const Time> duration, Row base, std::span<Row> parent,
             std::span<std::uint16_t> depth) {
  Nesting result;
  std::vector<Stack> stacks(1);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const Time end = start[i] + duration[i];
    for (Stack& stack : stacks) {
      while (!stack.empty() && stack.back().end <= start[i]) stack.pop_back();
    }
    const std::size_t s = stacks.size() == 1 && (stacks[0].empty() || stacks[0].back().end >= end) ? 0 : choose(stacks, end);
    Stack& stack = stacks[s];
    parent[i] = stack.empty() ? kNoRow : base + stack.back().index;
    depth[i] = static_cast<std::uint16_t>(std::min<std::size_t>(stack.size(), 65535));
    stack.push_back({end, static_cast<std::uint32_t>(i)});
    if (s != 0 && result.sublane.empty()) result.sublane.resize(start.size(), 0);
    if (s != 0) result.sublane[i] = static_cast<std::uint16_t>(std::min<std::size_t>(s, 65535));
  }
  result.sublanes = static_cast<unsigned>(stacks.size());
  return result;
}

std::vector<std::uint32_t> order_by_start(std::span<const Time> start, std::span<const Time> duration) {
  const std::size_t n = start.size();
  std::vector<std::size_t> runs{0};
  for (std::size_t i = 1; i < n; ++i) {
    if (start[i] < start[i - 1] || (start[i] == start[i - 1] && duration[i] > duration[i - 1])) runs.push_back(i);
  }
  if (runs.size() <= 1) return {};
  runs.push_back(n);
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = {start[i], duration[i], static_cast<std::uint32_t>(i)};
  std::vector<Key> merged(n);
  while (runs.size() > 2) {
    std::vector<std::size_t> next;
    for (std::size_t r = 0; r + 1 < runs.size(); r += 2) {
      next.push_back(runs[r]);
      const auto a = keys.begin() + static_cast<std::ptrdiff_t>(runs[r]);
      const auto m = keys.begin() + static_cast<std::ptrdiff_t>(runs[r + 1]);
      const auto b = keys.begin() + static_cast<std::ptrdiff_t>(r + 2 < runs.size() ? runs[r + 2] : runs[r + 1]);
      std::merge(a, m, m, b, merged.begin() + static_cast<std::ptrdiff_t>(runs[r]), before);
    }
    next.push_back(n);
    runs = std::move(next);
    keys.swap(merged);
  }
  std::vector<std::uint32_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = keys[i].index;
  return order;
}

}  // namespace sightline

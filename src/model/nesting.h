// Nesting of the slices of one lane: who encloses whom, how deep, and which slices truly overlap. A slice that
// overlaps another without being inside it goes to an overflow sub-lane; nothing is dropped, clipped or moved.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/tables.h"

namespace sightline {

struct Nesting {
  std::vector<std::uint16_t> sublane;  // empty when one lane suffices
  unsigned sublanes = 1;
};

// `start` and `duration` are sorted by (start, -duration). Fills parent[i] with `base` + the index of the enclosing
// slice (kNoRow: none) and depth[i]. A slice that starts where another ends is not inside it. A slice goes to the
// sub-lane of the most recently opened slice that contains it whole, else to the first sub-lane with nothing open.
Nesting nest(std::span<const Time> start, std::span<const Time> duration, Row base, std::span<Row> parent,
             std::span<std::uint16_t> depth);

// The order of rows by (start, -duration), equal rows in their present order; empty when they are in order already.
// Natural merge sort: traces are a few sorted runs one after the other.
std::vector<std::uint32_t> order_by_start(std::span<const Time> start, std::span<const Time> duration);

}  // namespace sightline

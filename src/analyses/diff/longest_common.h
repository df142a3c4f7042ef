// A longest common subsequence: which elements of two sequences correspond when order is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sightline::analyses {

// Pairs of positions (in `a`, in `b`) with equal values, ascending in both. As many as possible while what differs fits into
// a table of `most_cells`; longer sequences are matched window by window, each window exactly, so that time stays
// linear in the length: a match further apart than half a window is then missed.
std::vector<std::pair<std::size_t, std::size_t>> longest_common(std::span<const std::uint32_t> a,
                                                                std::span<const std::uint32_t> b,
                                                                std::size_t most_cells = 1'000'000);

}  // namespace sightline::analyses

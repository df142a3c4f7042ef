// The two sorts of sort.h.
#include "base/sort.h"

#include <algorithm>

namespace sightline::base {

namespace {

template <typename Number>
bool sort_by_number(std::vector<SortKey<Number>>& keys) {
  const auto before = [](const SortKey<Number>& a, const SortKey<Number>& b) { return a.number < b.number; };
  if (std::is_sorted(keys.begin(), keys.end(), before)) return false;
  std::stable_sort(keys.begin(), keys.end(), before);
  return true;
}

}  // namespace

bool sort_keys(std::vector<SortKey<std::int64_t>>& keys) { return sort_by_number(keys); }
bool sort_keys(std::vector<SortKey<double>>& keys) { return sort_by_number(keys); }

}  // namespace sightline::base

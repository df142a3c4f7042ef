// IdTable: from ids to values. Tables of a database are mostly written in the order of their ids and speak of the same things in
// the same order, so a sorted list, searched from where the last one was found, is smaller and faster than a hash table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "formats/trace_events/near_search.h"
#include "model/column.h"

namespace sightline::formats::ascend {

template <typename Value>
class IdTable {
 public:
  struct Entry {
    std::int64_t id;
    Value value;
  };
  // Where one who asks again and again found the last one.
  struct Place {
    std::size_t row = 0;
  };

  void add(std::int64_t id, Value value) { entries_.push_back({id, value}); }

  // To be called when all are added. Equal ids keep the order in which they were.
  void settle() {
    const auto before = [](const Entry& a, const Entry& b) { return a.id < b.id; };
    if (!std::is_sorted(entries_.begin(), entries_.end(), before)) std::stable_sort(entries_.begin(), entries_.end(), before);
  }

  // How many different ids there are.
  std::int64_t ids() const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) count += i == 0 || entries_[i].id != entries_[i - 1].id;
    return count;
  }

  // All of an id, in order.
  std::span<const Entry> all(std::int64_t id, Place& place) const {
    const Entry *first = entries_.begin(), *last = entries_.end();
    const Entry* at =
        trace_events::partition_point_near(first, last, first + place.row, [&](const Entry& entry) { return entry.id < id; });
    place.row = static_cast<std::size_t>(at - first);
    const Entry* end = at;
    while (end != last && end->id == id) ++end;
    return {at, end};
  }

  // The one that was added first, or last; null where there is none.
  const Value* first(std::int64_t id, Place& place) const {
    const auto found = all(id, place);
    return found.empty() ? nullptr : &found.front().value;
  }
  const Value* last(std::int64_t id, Place& place) const {
    const auto found = all(id, place);
    return found.empty() ? nullptr : &found.back().value;
  }

 private:
  Column<Entry> entries_;
};

}  // namespace sightline::formats::ascend

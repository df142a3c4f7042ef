// attribute: two lookups by id and, where ids fail, a search by time.
#include "formats/common/attribution.h"

#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "formats/common/near_search.h"

namespace sightline::formats {

namespace {

// From id to row. Ids are mostly dense numbers from a counter: then it is an array, else a sorted list.
class IdIndex {
 public:
  // `prefer(a, b)`: whether row a wins over row b for the same id.
  template <typename Prefer>
  IdIndex(std::vector<std::pair<std::int64_t, Row>> entries, Prefer&& prefer) {
    if (entries.empty()) return;
    const auto [low, high] =
        std::minmax_element(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    low_ = low->first;
    const std::uint64_t range = static_cast<std::uint64_t>(high->first) - static_cast<std::uint64_t>(low_) + 1;
    if (range != 0 && range <= entries.size() * 8 + 1024) {
      dense_.assign(range, kNoRow);
      for (const auto& [id, row] : entries) {
        Row& slot = dense_[static_cast<std::size_t>(id - low_)];
        if (slot == kNoRow || prefer(row, slot)) slot = row;
      }
      return;
    }
    std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second != b.second && prefer(a.second, b.second);
    });
    entries.erase(std::unique(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
                  entries.end());
    sparse_ = std::move(entries);
  }

  Row find(std::int64_t id) const {
    if (!dense_.empty()) {
      const std::uint64_t at = static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(low_);
      return id >= low_ && at < dense_.size() ? dense_[static_cast<std::size_t>(at)] : kNoRow;
    }
    const auto at = std::lower_bound(sparse_.begin(), sparse_.end(), id,
                                     [](const auto& entry, std::int64_t wanted) { return entry.first < wanted; });
    return at != sparse_.end() && at->first == id ? at->second : kNoRow;
  }

 private:
  std::int64_t low_ = 0;
  std::vector<Row> dense_;
  std::vector<std::pair<std::int64_t, Row>> sparse_;
};

constexpr Row kFewLaunches = Row{1} << 12;  // take less time than starting a thread

bool can_own(SliceKind kind) {
  switch (kind) {
    case SliceKind::step:
    case SliceKind::op:
    case SliceKind::module:
    case SliceKind::annotation:
    case SliceKind::data_loading:
    case SliceKind::optimizer:
    case SliceKind::host_communication: return true;
    default: return false;
  }
}

class Attributor {
 public:
  Attributor(Profile& profile, LinkIds ids) : p_(profile), ids_(std::move(ids)) {
    // Overflow lanes belong to the thread of their main lane.
    near_.assign(p_.lanes.first.begin(), p_.lanes.first.end());
    main_lane_.resize(p_.lanes.rows());
    overflow_.resize(p_.lanes.rows());
    for (Row lane = 0; lane < p_.lanes.rows(); ++lane) {
      main_lane_[lane] = p_.main_lane(lane);
      overflow_[main_lane_[lane]].push_back(lane);
    }
  }

  void run(unsigned threads) {
    const auto& start = p_.slices.start;
    const auto earlier = [&](Row x, Row y) { return start[x] != start[y] ? start[x] < start[y] : x < y; };
    std::optional<IdIndex> hosts;
    std::vector<std::pair<std::int64_t, Row>> launches;
    const auto own = [&] {
      hosts.emplace(std::move(ids_.ranges), earlier);  // the first range with an id owns it
      own_launches(*hosts);
    };
    base::run_together({own, [&] { launches = launches_by_correlation(); }}, threads_for(threads));
    own_device_work(*hosts, launches);
  }

 private:
  unsigned threads_for(unsigned most) const {
    if (p_.launches.rows() < kFewLaunches) return 1;
    return most == 0 ? base::default_threads() : most;
  }

  void own_launches(const IdIndex& hosts) {
    Launches& l = p_.launches;
    for (Row i = 0; i < l.rows(); ++i) {
      const std::int64_t id = ids_.launches[i];
      Row owner = id == kUnknown || id == 0 ? kNoRow : hosts.find(id);
      // An id equal to the call's own correlation id is filler, unless the range with that id contains the call.
      if (owner != kNoRow && id == l.correlation[i] && !holds(owner, l.slice[i])) owner = kNoRow;
      if (owner != kNoRow) {
        l.rule[i] = OwnerRule::linked_id;
      } else {
        owner = innermost(l.slice[i]);
        l.rule[i] = owner == kNoRow ? OwnerRule::none : OwnerRule::containment;
      }
      l.owner[i] = owner;
    }
  }

  // Launches by (correlation, start). Ids are unique, except when a call is recorded twice.
  std::vector<std::pair<std::int64_t, Row>> launches_by_correlation() const {
    const Launches& l = p_.launches;
    std::vector<std::pair<std::int64_t, Row>> sorted;
    sorted.reserve(l.rows());
    for (Row i = 0; i < l.rows(); ++i) {
      if (l.correlation[i] != kUnknown && l.correlation[i] != 0) sorted.emplace_back(l.correlation[i], i);
    }
    const auto& start = p_.slices.start;
    const auto before = [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : start[l.slice[a.second]] < start[l.slice[b.second]];
    };
    if (!std::is_sorted(sorted.begin(), sorted.end(), before)) std::stable_sort(sorted.begin(), sorted.end(), before);
    return sorted;
  }

  // `launches`: the result of launches_by_correlation().
  void own_device_work(const IdIndex& hosts, const std::vector<std::pair<std::int64_t, Row>>& launches) {
    DeviceWork& w = p_.device_work;
    std::vector<std::pair<std::int64_t, Row>> first;  // (correlation, index in launches) of the first of each id
    for (Row k = 0; k < launches.size(); ++k) {
      if (k == 0 || launches[k].first != launches[k - 1].first) first.emplace_back(launches[k].first, k);
    }
    const IdIndex index(std::move(first), [](Row, Row) { return false; });
    for (Row i = 0; i < w.rows(); ++i) {
      const std::int64_t correlation = w.correlation[i];
      Row k = correlation == kUnknown || correlation == 0 ? kNoRow : index.find(correlation);
      if (k != kNoRow) {
        // If several calls have the id, the last one that began before the work did.
        const Time start = p_.slices.start[w.slice[i]];
        while (k + 1 < launches.size() && launches[k + 1].first == correlation &&
               p_.slices.start[p_.launches.slice[launches[k + 1].second]] <= start) {
          ++k;
        }
        w.launch[i] = launches[k].second;
        w.owner[i] = p_.launches.owner[w.launch[i]];
        w.rule[i] = p_.launches.rule[w.launch[i]];
        continue;
      }
      const std::int64_t id = ids_.work[i];
      w.owner[i] = id == kUnknown || id == 0 || id == correlation ? kNoRow : hosts.find(id);  // its own correlation id is filler
      w.rule[i] = w.owner[i] == kNoRow ? OwnerRule::none : OwnerRule::device_id;
    }
  }

  bool holds(Row range, Row call) const {
    const Time t = p_.slices.start[call];
    return p_.slices.start[range] <= t && t < p_.end_of(range) &&
           main_lane_[p_.slices.lane[range]] == main_lane_[p_.slices.lane[call]];
  }

  // The innermost range of the call's thread that is open when the call begins.
  Row innermost(Row call) {
    const Slices& s = p_.slices;
    const Time t = s.start[call];
    Row best = kNoRow;
    for (const Row lane : overflow_[main_lane_[s.lane[call]]]) {
      const Time* const begin = s.start.data();
      const Time* const first = begin + p_.lanes.first[lane];
      const Time* at =
          partition_point_near(first, begin + p_.lanes.last[lane], begin + near_[lane], [t](Time start) { return start <= t; });
      near_[lane] = static_cast<Row>(at - begin);
      if (at == first) continue;
      Row row = near_[lane] - 1;
      while (row != kNoRow && !(can_own(s.kind[row]) && p_.end_of(row) > t)) row = s.parent[row];
      if (row != kNoRow && (best == kNoRow || s.start[row] > s.start[best])) best = row;
    }
    return best;
  }

  Profile& p_;
  LinkIds ids_;
  std::vector<Row> main_lane_;
  std::vector<std::vector<Row>> overflow_;  // by main lane: itself and its overflow lanes
  std::vector<Row> near_;                   // by lane: where the previous call was found; calls come in order
};

}  // namespace

void attribute(Profile& profile, LinkIds ids, unsigned threads) { Attributor(profile, std::move(ids)).run(threads); }

}  // namespace sightline::formats

// flows_in: slices of a lane are sorted by start, so the slices in the window are a range of rows, and their flows are a range
// of an index.
// A flow with both ends in the window is counted where it begins.
#include "timeline/flows.h"

#include <algorithm>
#include <bit>

#include "timeline/relations.h"

namespace sightline::timeline {

namespace {

// A set of keys by open addressing.
class KeySet {
 public:
  struct Key {
    std::uint64_t lanes = 0;  // and the kind; never 0
    std::int64_t from = 0;    // pixels
    std::int64_t to = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };

  // Whether the key is new.
  bool insert(const Key& key) {
    if (size_ * 2 >= slots_.size()) grow();
    Key& slot = find(key);
    if (slot.lanes != 0) return false;
    slot = key;
    ++size_;
    return true;
  }

 private:
  Key& find(const Key& key) {
    std::uint64_t hash = key.lanes * 0x9E3779B97F4A7C15ull;
    hash = (hash ^ static_cast<std::uint64_t>(key.from)) * 0xBF58476D1CE4E5B9ull;
    hash ^= hash >> 31;
    hash = (hash ^ static_cast<std::uint64_t>(key.to)) * 0x94D049BB133111EBull;
    std::size_t at = (hash ^ (hash >> 29)) & (slots_.size() - 1);
    while (slots_[at].lanes != 0 && !(slots_[at] == key)) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    std::vector<Key> before(slots_.size() * 2);
    before.swap(slots_);
    for (const Key& key : before) {
      if (key.lanes != 0) find(key) = key;
    }
  }

  std::vector<Key> slots_ = std::vector<Key>(1024);
  std::size_t size_ = 0;
};

class Collector {
 public:
  Collector(const Timeline& timeline, const FlowRequest& request)
      : timeline_(timeline), p_(timeline.profile()), request_(request), is_requested_(timeline.lanes().size(), false) {
    shift_ = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(aligned(request.window).pixel)));
    for (const std::uint32_t lane : request.lanes) is_requested_[lane] = true;
  }

  FlowsInWindow collect() {
    std::vector<bool> visited(p_.lanes.rows(), false);
    for (const std::uint32_t lane : request_.lanes) visited[timeline_.lanes()[lane].source] = true;
    for (Row lane = 0; lane < p_.lanes.rows(); ++lane) {
      if (visited[p_.main_lane(lane)]) add_lane(lane);
    }
    return std::move(found_);
  }

 private:
  bool in_window(Row slice) const {
    return request_.window.start <= p_.slices.start[slice] && p_.slices.start[slice] < request_.window.end;
  }

  // All flows that begin on the lane in the window, and flows that end there and begin elsewhere.
  void add_lane(Row lane) {
    const auto start = p_.slices.start.begin();
    const auto row_at = [&](Time time) {
      return static_cast<Row>(std::lower_bound(start + p_.lanes.first[lane], start + p_.lanes.last[lane], time) - start);
    };
    const Row first = row_at(request_.window.start);
    const Row last = row_at(request_.window.end);
    if (first >= last) return;
    const Relations& relations = timeline_.relations();
    if (wanted(FlowKind::launch)) add_launches(relations, first, last);
    for (const Row flow : relations.flows_from_range(first, last)) {
      if (wanted(p_.flows.kind[flow])) add(p_.flows.kind[flow], p_.flows.from[flow], p_.flows.to[flow]);
    }
    for (const Row flow : relations.flows_to_range(first, last)) {
      if (wanted(p_.flows.kind[flow]) && !in_window(p_.flows.from[flow]))
        add(p_.flows.kind[flow], p_.flows.from[flow], p_.flows.to[flow]);
    }
  }

  void add_launches(const Relations& relations, Row first, Row last) {
    const DeviceWork& work = p_.device_work;
    for (const Row w : relations.launched_by_calls(first, last)) {
      add(FlowKind::launch, p_.launches.slice[work.launch[w]], work.slice[w]);
    }
    const auto begin = std::lower_bound(work.slice.begin(), work.slice.end(), first);
    const auto end = std::lower_bound(begin, work.slice.end(), last);
    for (auto at = begin; at != end; ++at) {
      const Row launch = work.launch[static_cast<std::size_t>(at - work.slice.begin())];
      if (launch == kNoRow || in_window(p_.launches.slice[launch])) continue;
      add(FlowKind::launch, p_.launches.slice[launch], *at);
    }
  }

  bool wanted(FlowKind kind) const { return request_.kinds[static_cast<std::size_t>(kind)]; }

  void add(FlowKind kind, Row from, Row to) {
    const std::uint32_t from_lane = timeline_.place_of(from).lane;
    const std::uint32_t to_lane = timeline_.place_of(to).lane;
    if (!is_requested_[from_lane] || !is_requested_[to_lane]) return;
    ++found_.count;
    const KeySet::Key key{((std::uint64_t{from_lane} << 32 | to_lane) << 2) + static_cast<std::uint64_t>(kind) + 1,
                          p_.slices.start[from] >> shift_, p_.slices.start[to] >> shift_};
    if (key == last_ || !seen_.insert(key)) return;
    last_ = key;
    found_.shown.push_back({kind, from, to});
  }

  const Timeline& timeline_;
  const Profile& p_;
  const FlowRequest& request_;
  unsigned shift_ = 0;
  std::vector<std::uint8_t> is_requested_;  // by drawn lane
  KeySet seen_;
  KeySet::Key last_;
  FlowsInWindow found_;
};

}  // namespace

FlowsInWindow flows_in(const Timeline& timeline, const FlowRequest& request) { return Collector(timeline, request).collect(); }

}  // namespace sightline::timeline

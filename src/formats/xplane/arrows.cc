// Arrows from the ids at their ends, and owners from arrows, names and nesting.
#include "formats/xplane/arrows.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_map>

#include "base/sort.h"
#include "formats/common/attribution.h"

namespace sightline::formats::xplane {

// ---- arrows ----
// Ends with the same context, id and process are processed in order of time. A producer's arrows lead to the consumers that
// begin after it, until a later slice produces the same id again: ids are reused, as addresses are.

namespace {

constexpr std::int64_t kCrowd = 64;                            // with so many ends on both sides, equal ids mean nothing
constexpr std::int64_t kFlowContexts = std::int64_t{1} << 32;  // added to contexts of `flow`, so they differ from the others
constexpr std::uint64_t kFlowId = (std::uint64_t{1} << 56) - 1;

constexpr std::string_view kContexts[] = {"generic",
                                          "legacy",
                                          "TF executor",
                                          "TFRT executor",
                                          "shared batch scheduler",
                                          "PJRT",
                                          "adaptive shared batch scheduler",
                                          "TFRT TPU runtime",
                                          "TPU embedding engine",
                                          "GPU launch",
                                          "batcher",
                                          "TPU stream",
                                          "TPU launch",
                                          "Pathways executor",
                                          "PJRT library call",
                                          "thread pool event",
                                          "JAX serving executor",
                                          "SparseCore offload"};

// A slice that consumes and then produces (a link of a chain) consumes first.
int order_of(const FlowEnd& end, bool is_link) { return end.producer ? 1 : is_link ? 0 : 2; }

}  // namespace

std::string_view context_name(std::int64_t context) {
  return context >= 0 && context < std::ssize(kContexts) ? kContexts[context] : "";
}

std::span<const Arrow> arrows_to(const Builder& b, Row slice) {
  const auto first =
      std::lower_bound(b.arrows.begin(), b.arrows.end(), slice, [](const Arrow& arrow, Row row) { return arrow.to < row; });
  auto last = first;
  while (last != b.arrows.end() && last->to == slice) ++last;
  return {first, last};
}

Flow flow_of(std::int64_t bits) {
  const auto all = static_cast<std::uint64_t>(bits);
  return {(all & 1) != 0, (all & 2) != 0, static_cast<std::int64_t>(all >> 2 & kFlowId), static_cast<std::int64_t>(all >> 58)};
}

void Builder::add_ends(Row slice, const Facts& facts) {
  const std::int64_t process = facts[Number::flow_process];
  const auto add = [&](std::int64_t context, std::int64_t id, bool producer) {
    flow_ends.push_back({context, id, process, slice, producer});
  };
  if (facts[Number::consumer] != kUnknown) add(facts[Number::consumer_type], facts[Number::consumer], false);
  if (facts[Number::producer] != kUnknown) add(facts[Number::producer_type], facts[Number::producer], true);
  if (facts[Number::flow] != kUnknown) {
    const Flow flow = flow_of(facts[Number::flow]);
    if (flow.in) add(kFlowContexts + flow.context, flow.id, false);
    if (flow.out) add(kFlowContexts + flow.context, flow.id, true);
  }
}

void add_arrows(Builder& b) {
  const Profile& p = b.profile();
  struct End {
    const FlowEnd* end;
    Time start;
    int order;
  };
  std::vector<End> ends;
  ends.reserve(b.flow_ends.size());
  const auto key = [](const FlowEnd& end) { return std::tie(end.context, end.id, end.process); };
  for (std::size_t i = 0; i < b.flow_ends.size(); ++i) {
    const FlowEnd& end = b.flow_ends[i];
    const auto is_other_end = [&](std::size_t j) {
      return j < b.flow_ends.size() && b.flow_ends[j].slice == end.slice && key(b.flow_ends[j]) == key(end);
    };
    ends.push_back({&end, p.slices.start[end.slice], order_of(end, is_other_end(i + 1) || is_other_end(i - 1))});
  }
  std::stable_sort(ends.begin(), ends.end(), [&](const End& x, const End& y) {
    const auto of_x = key(*x.end), of_y = key(*y.end);
    return of_x != of_y ? of_x < of_y : std::tie(x.start, x.order) < std::tie(y.start, y.order);
  });
  for (std::size_t at = 0; at < ends.size();) {
    const std::size_t producers = at;
    const auto same = [&](std::size_t i, bool producer) {
      return i < ends.size() && ends[i].end->producer == producer && key(*ends[i].end) == key(*ends[producers].end);
    };
    while (same(at, true)) ++at;
    const std::size_t consumers = at;
    while (same(at, false)) ++at;
    const auto crowd = [](std::size_t count) { return static_cast<std::int64_t>(count) >= kCrowd; };
    if (crowd(consumers - producers) && crowd(at - consumers)) continue;
    for (std::size_t to = consumers; to < at; ++to) {
      for (std::size_t from = producers; from < consumers; ++from) {
        if (ends[from].end->slice != ends[to].end->slice) b.arrows.push_back({ends[from].end->slice, ends[to].end->slice});
      }
    }
  }
  sort_up(b.arrows, &Arrow::to);
  for (const Arrow& arrow : b.arrows) b.add_flow(FlowKind::other, arrow.from, arrow.to);
}

// ---- owners ----
// Owners of launching calls, strongest first:
//   - the range for the same operator of a program (hlo_op) on the thread that made the call. If the writer knows the thread of
//     driver calls only by a number of its own, the thread is the one whose ranges contain most of those calls;
//   - the innermost range open on the call's own thread;
//   - if there is none, or only annotations: the operator or step of another thread that produced what this one consumes (_pt,
//     _p -> _ct, _c), possibly over several threads; else any range of the other thread.
// Device work has its launch by correlation_id.

namespace {

constexpr std::int64_t kFirstOwnId = std::int64_t{1} << 62;  // our own ids, which no writer uses
constexpr int kMostArrows = 16;                              // arrows that are followed from one call
constexpr std::size_t kMaxOpenRanges = 64;                   // of one name that are looked at

bool is_owner(SliceKind kind) {
  return kind == SliceKind::op || kind == SliceKind::annotation || kind == SliceKind::step || kind == SliceKind::data_loading;
}

bool is_strong(SliceKind kind) { return is_owner(kind) && kind != SliceKind::annotation; }

class Links {
 public:
  explicit Links(Builder& builder) : b_(builder), p_(builder.profile()) {}

  // Our own ids: each launch with an owner gets the owner's id.
  LinkIds run() {
    LinkIds ids;
    find_ranges();
    find_threads();
    const std::size_t launches = p_.launches.rows();
    ids.launches.assign(launches, kUnknown);
    ids.work.assign(p_.device_work.rows(), kUnknown);
    for (Row launch = 0; launch < launches; ++launch) {
      Row owner = range_of(launch);
      int left = kMostArrows;
      if (owner == kNoRow) owner = producer_of(p_.launches.slice[launch], left);
      if (owner == kNoRow) continue;
      ids.launches[launch] = kFirstOwnId + owner;
      ids.ranges.emplace_back(kFirstOwnId + owner, owner);
    }
    return ids;
  }

 private:
  struct Range {
    Time start, end;
    Row slice, lane;
  };

  // The ranges of the host that are named like the operator of a launch.
  void find_ranges() {
    for (const StringId name : b_.launch_hlo) {
      if (name != StringId::none) ranges_[name];
    }
    if (ranges_.empty()) return;
    for (Row slice = 0; slice < p_.slices.rows(); ++slice) {
      if (!is_owner(p_.slices.kind[slice])) continue;
      const auto at = ranges_.find(p_.slices.name[slice]);
      if (at == ranges_.end()) continue;
      at->second.push_back({p_.slices.start[slice], p_.end_of(slice), slice, p_.main_lane(p_.slices.lane[slice])});
    }
    for (auto& [name, ranges] : ranges_)
      std::sort(ranges.begin(), ranges.end(), [](const Range& x, const Range& y) { return x.start < y.start; });
  }

  // Calls visit(range) for those of the launch's operator that are open when the call begins.
  template <typename Visit>
  void each_range(Row launch, Visit&& visit) const {
    const auto known = ranges_.find(b_.launch_hlo[launch]);
    if (known == ranges_.end()) return;
    const std::vector<Range>& ranges = known->second;
    const Time t = p_.slices.start[p_.launches.slice[launch]];
    auto at = std::upper_bound(ranges.begin(), ranges.end(), t, [](Time time, const Range& range) { return time < range.start; });
    for (std::size_t looked = 0; at != ranges.begin() && looked < kMaxOpenRanges; ++looked) {
      --at;
      if (at->end > t) visit(*at);
    }
  }

  void find_threads() {
    std::unordered_map<Row, std::unordered_map<Row, std::int64_t>> votes;  // by lane of calls, by lane of ranges
    for (Row launch = 0; launch < p_.launches.rows(); ++launch) {
      const Row lane = lane_of(launch);
      each_range(launch, [&](const Range& range) { ++votes[lane][range.lane]; });
    }
    for (const auto& [lane, counted] : votes) {
      if (counted.contains(lane)) {
        thread_[lane] = lane;
        continue;
      }
      const auto most = std::max_element(counted.begin(), counted.end(), [](const auto& x, const auto& y) {
        return x.second != y.second ? x.second < y.second : x.first > y.first;
      });
      thread_[lane] = most->first;
    }
  }

  Row lane_of(Row launch) const { return p_.main_lane(p_.slices.lane[p_.launches.slice[launch]]); }

  Row range_of(Row launch) const {
    const auto thread = thread_.find(lane_of(launch));
    Row found = kNoRow;
    if (thread == thread_.end()) return found;
    each_range(launch, [&](const Range& range) {
      if (range.lane == thread->second && (found == kNoRow || range.start >= p_.slices.start[found])) found = range.slice;
    });
    return found;
  }

  // Goes up from a slice to one that consumes what another thread produced, and returns the range around the producer, or
  // goes on from there; kNoRow if an operator or a step of the same thread comes first. An annotation of the same thread
  // comes first too, unless an operator or step of the other thread is around the producer: then that one wins. `left`:
  // arrows that may still be followed.
  Row producer_of(Row slice, int& left) const {
    bool annotated = false;
    for (Row at = p_.slices.parent[slice]; at != kNoRow && !is_strong(p_.slices.kind[at]); at = p_.slices.parent[at]) {
      annotated = annotated || is_owner(p_.slices.kind[at]);
      const auto arrows = arrows_to(b_, at);
      if (arrows.size() != 1 || left-- <= 0) continue;
      const Row producer = arrows.front().from, near = up_from(producer, is_owner), far = producer_of(producer, left);
      for (const Row range : {near, far}) {
        const Row strong = up_from(range, is_strong);
        if (strong != kNoRow) return annotated ? strong : range;
      }
      if (annotated) continue;
      if (near != kNoRow || far != kNoRow) return near != kNoRow ? near : far;
    }
    return kNoRow;
  }

  // The innermost slice of such a kind that is this slice or contains it.
  Row up_from(Row slice, bool (*is)(SliceKind)) const {
    while (slice != kNoRow && !is(p_.slices.kind[slice])) slice = p_.slices.parent[slice];
    return slice;
  }

  Builder& b_;
  Profile& p_;
  std::unordered_map<StringId, std::vector<Range>> ranges_;  // by name, by start
  std::unordered_map<Row, Row> thread_;                      // lane of calls -> lane of the ranges that they belong to
};

}  // namespace

void add_links(Builder& builder) { attribute(builder.profile(), Links(builder).run()); }

}  // namespace sightline::formats::xplane

// Owners of launching calls, strongest first:
//   - the range that stands for the same operator of a program (hlo_op) on the thread that made the call. A writer that knows a
//     thread of driver calls by a number of its own leaves open which thread that is: it is the one whose ranges hold most of
//     those calls;
//   - the innermost range open on the call's own thread;
//   - where there is none, or only annotations, the operator or step of another thread, over some threads if need be, which
//     produced what this one consumes (_pt, _p -> _ct, _c); where there is none at all, any range of the other thread.
// Device work has its launch by correlation_id.
#include "formats/xplane/links.h"

#include <algorithm>
#include <unordered_map>

#include "formats/trace_events/attribution.h"
#include "formats/xplane/arrows.h"

namespace sightline::formats::xplane {

namespace {

constexpr std::int64_t kFirstOwnId = std::int64_t{1} << 62;  // ids of our own making, which no writer uses
constexpr int kMostArrows = 16;                              // that are followed from one call
constexpr std::size_t kMaxOpenRanges = 64;                   // open ranges of a name from which on they are not looked at

bool is_owner(SliceKind kind) {
  return kind == SliceKind::op || kind == SliceKind::annotation || kind == SliceKind::step || kind == SliceKind::data_loading;
}

bool is_strong(SliceKind kind) { return is_owner(kind) && kind != SliceKind::annotation; }

class Links {
 public:
  Links(Builder& builder, trace_events::Assembled& assembled) : b_(builder), p_(builder.profile()), a_(assembled) {}

  void run() {
    find_ranges();
    find_threads();
    const std::size_t launches = p_.launches.rows();
    a_.launch_external_ids.assign(launches, kUnknown);
    a_.work_external_ids.assign(p_.device_work.rows(), kUnknown);
    for (Row launch = 0; launch < launches; ++launch) {
      Row owner = range_of(launch);
      int left = kMostArrows;
      if (owner == kNoRow) owner = producer_of(p_.launches.slice[launch], left);
      if (owner == kNoRow) continue;
      a_.launch_external_ids[launch] = kFirstOwnId + owner;
      a_.external_ids.emplace_back(kFirstOwnId + owner, owner);
    }
  }

 private:
  struct Range {
    Time start, end;
    Row slice, lane;
  };

  // The ranges of the host that are called like an operator that some launch is for.
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

  // Up from a slice to one that consumes what another thread produced, and there to the range around the producer, or on from
  // there; none when an operator or a step of its own thread comes first. An annotation of its own thread comes first too, unless
  // an operator or a step of the other thread asked for all of it: then that. `left`: arrows that may still be followed.
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

  // The innermost slice of such a kind that is or holds this one.
  Row up_from(Row slice, bool (*is)(SliceKind)) const {
    while (slice != kNoRow && !is(p_.slices.kind[slice])) slice = p_.slices.parent[slice];
    return slice;
  }

  Builder& b_;
  Profile& p_;
  trace_events::Assembled& a_;
  std::unordered_map<StringId, std::vector<Range>> ranges_;  // by name, by start
  std::unordered_map<Row, Row> thread_;                      // lane of calls -> lane of the ranges that they belong to
};

}  // namespace

std::unique_ptr<Profile> add_links(Builder& builder, std::unique_ptr<Profile> profile) {
  trace_events::Assembled assembled;
  Links(builder, assembled).run();
  assembled.profile = std::move(profile);
  trace_events::attribute(assembled);
  return std::move(assembled.profile);
}

}  // namespace sightline::formats::xplane

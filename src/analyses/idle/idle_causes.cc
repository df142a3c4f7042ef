// Gaps are classified whole, then cut to the steps: work after a step may explain the gap at its end.
#include "analyses/idle/idle_causes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "analyses/idle/host_states.h"
#include "analyses/whatif/host_calls.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::array<IdleCauseInfo, kIdleCauses> kInfo{{
    {"Profiler", "The profiler itself worked on the host. Without it, the gap would be shorter.", "Profiler"},
    {"Graph that was not recorded", "A graph was launched, and what it ran is not recorded. The device may have been busy.",
     "idle"},
    {"Work before the recording",
     "The next work was launched long before it began, and no work before it is recorded. The device may have been busy with "
     "what "
     "was launched before the recording.",
     "Work before the recording"},
    {"No launch recorded", "The recording does not contain the call that launched the next work.", "other"},
    {"Inside a graph", "Between two pieces of work of one launch of a graph.", "kernel"},
    {"Waiting for an event", "The next work was launched, and its stream waited for an event.", "communication"},
    {"Between queued work", "The next work was launched before the gap began: the device takes this long from one to the next.",
     "memcpy"},
    {"Launch latency", "The launching call has returned, and the work has not yet started.", "memset"},
    {"Launching call", "The host was in the call that launched the next work.", "runtime"},
    {"Synchronization", "The host waited for the device in a call, and launched the next work only afterwards.",
     "Synchronization"},
    {"Other runtime call", "The host was in another call of the runtime.", "Other runtime call"},
    {"Data loading", "The host fetched the next batch.", "dataloader"},
    {"Optimizer", "The host was in an optimizer step.", "Optimizer"},
    {"Operator", "The host was in an operator, outside runtime calls.", "host"},
    {"Annotated code", "The host was in a named range, outside operators.", "Annotated code"},
    {"Python", "The host was in a Python function, outside operators.", "Python"},
    {"Outside of recorded code", "The host was in no recorded range.", "Outside of recorded code"},
}};

// Work that is launched on an empty stream starts sooner.
constexpr Time kLongestLatency = 1'000'000;

struct Gap {
  Interval time;
  Row before = kNoRow, after = kNoRow;  // rows of device_work
};

class CauseFinder {
 public:
  CauseFinder(const Profile& profile, const IntervalSet& steps)
      : p_(profile), steps_(steps), states_(profile), chains_(joined_threads(profile)), calls_(profile) {
    find_waits();
    find_overhead();
    find_missing_graphs();
    find_device_waits();
    find_main_thread();
  }

  IdleTimes run(const std::vector<WorkInterval>& work) {
    std::map<std::int64_t, std::vector<WorkInterval>> devices;
    for (const WorkInterval& each : work) devices[p_.device_work.device[each.work]].push_back(each);
    for (const auto& [device, works] : devices) {
      device_ = device;
      each_gap(works, [&](const Gap& gap) { explain(gap); });
    }
    return std::move(out_);
  }

 private:
  // ---- what is looked up ----

  void find_waits() {
    for (const HostCall& call : calls_.all()) {
      if (call.waits) waits_.push_back(call.slice);
    }
  }

  void find_overhead() {
    for (Row slice = 0; slice < p_.slices.rows(); ++slice) {
      if (p_.slices.kind[slice] == SliceKind::overhead && p_.slices.duration[slice] > 0) overhead_.push_back(slice);
    }
    keep_disjoint(overhead_);
  }

  void find_missing_graphs() {
    for (Row row = 0; row < p_.graph_launches.rows(); ++row) {
      if (p_.graph_launches.works[row] == 0) missing_graphs_.push_back(p_.launches.slice[p_.graph_launches.launch[row]]);
    }
    sort_by_start(missing_graphs_);
  }

  void find_device_waits() {
    for (Row slice = 0; slice < p_.slices.rows(); ++slice) {
      if (p_.slices.kind[slice] == SliceKind::sync) device_waits_[p_.main_lane(p_.slices.lane[slice])].push_back(slice);
    }
    for (auto& [lane, waits] : device_waits_) keep_disjoint(waits);
  }

  void sort_by_start(std::vector<Row>& slices) const {
    sort_up(slices, [&](Row each) { return p_.slices.start[each]; });
  }

  // Sorts the slices by start; one that begins during another is dropped.
  void keep_disjoint(std::vector<Row>& slices) const {
    sort_by_start(slices);
    std::vector<Row> kept;
    for (const Row slice : slices) {
      if (kept.empty() || p_.slices.start[slice] >= p_.end_of(kept.back())) kept.push_back(slice);
    }
    slices = std::move(kept);
  }

  // Calls visit(interval, slice) for what lies inside the window of disjoint slices, by start.
  template <typename Visit>
  void each_inside(const std::vector<Row>& slices, Interval window, Visit&& visit) const {
    auto slice =
        std::upper_bound(slices.begin(), slices.end(), window.start, [&](Time time, Row each) { return time < p_.end_of(each); });
    for (; slice != slices.end() && p_.slices.start[*slice] < window.end; ++slice) {
      visit(Interval{std::max(window.start, p_.slices.start[*slice]), std::min(window.end, p_.end_of(*slice))}, *slice);
    }
  }

  void find_main_thread() {
    std::map<Row, std::int64_t> launches;
    for (const Row slice : p_.launches.slice) ++launches[p_.main_lane(p_.slices.lane[slice])];
    const auto most =
        std::max_element(launches.begin(), launches.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != launches.end()) main_thread_ = most->first;
  }

  // ---- gaps ----

  template <typename Visit>
  void each_gap(const std::vector<WorkInterval>& works, Visit&& visit) {
    if (steps_.empty()) return;
    Time busy_until = steps_.front().start;
    Time latest = std::numeric_limits<Time>::min();  // end of `before`, which may be earlier than the steps
    Row before = kNoRow;
    for (const WorkInterval& work : works) {
      if (work.start > busy_until) visit(Gap{{busy_until, work.start}, before, work.work});
      busy_until = std::max(busy_until, work.end);
      if (work.end >= latest) {
        latest = work.end;
        before = work.work;
      }
    }
    if (busy_until < steps_.back().end) visit(Gap{{busy_until, steps_.back().end}, before, kNoRow});
  }

  // ---- causes ----

  void explain(const Gap& gap) {
    parts_.clear();
    Interval rest = gap.time;
    if (const Row graph = missing_graph(gap); graph != kNoRow) {
      const Time from = std::max(rest.start, p_.slices.start[graph]);
      before_launch(launch_thread(gap), {rest.start, from});
      add({from, rest.end}, IdleCause::missing_graph, graph);
    } else if (gap.after == kNoRow) {
      before_launch(main_thread_, rest);
    } else {
      until_work(gap, rest);
    }
    cut_overhead();
    put(gap);
  }

  void until_work(const Gap& gap, Interval rest) {
    const Row launch = p_.device_work.launch[gap.after];
    if (launch == kNoRow) return add(rest, IdleCause::no_launch, kNoRow);
    const Row call = p_.launches.slice[launch];
    if (gap.before != kNoRow && p_.device_work.launch[gap.before] == launch) return add(rest, IdleCause::in_graph, call);
    const Time begin = std::clamp(p_.slices.start[call], rest.start, rest.end);
    const Time end = std::clamp(p_.end_of(call), begin, rest.end);
    before_launch(p_.main_lane(p_.slices.lane[call]), {rest.start, begin});
    add({begin, end}, IdleCause::launch, call);
    if (gap.before == kNoRow && rest.end - end > kLongestLatency) return add({end, rest.end}, IdleCause::earlier_work, call);
    const bool queued = p_.end_of(call) < rest.start;
    after_launch(gap.after, {end, rest.end}, queued ? IdleCause::queued : IdleCause::latency,
                 queued ? p_.device_work.slice[gap.after] : call);
  }

  // The device may have been busy from the launch of such a graph on, if that came after the launch of the work before the gap.
  Row missing_graph(const Gap& gap) const {
    const auto start = [&](Row slice) { return p_.slices.start[slice]; };
    const auto after = std::lower_bound(missing_graphs_.begin(), missing_graphs_.end(), gap.time.end,
                                        [&](Row slice, Time time) { return start(slice) < time; });
    if (after == missing_graphs_.begin()) return kNoRow;
    const Row last = *(after - 1);
    const Row before = gap.before == kNoRow ? kNoRow : p_.device_work.launch[gap.before];
    const Time earliest = before == kNoRow ? gap.time.start : start(p_.launches.slice[before]);
    return start(last) >= earliest ? last : kNoRow;
  }

  Row launch_thread(const Gap& gap) const {
    const Row launch = gap.after == kNoRow ? kNoRow : p_.device_work.launch[gap.after];
    return launch == kNoRow ? main_thread_ : p_.main_lane(p_.slices.lane[p_.launches.slice[launch]]);
  }

  // Waits of the work's stream for an event, as the recording shows them on the device; the rest has the given cause.
  void after_launch(Row work, Interval time, IdleCause cause, Row slice) {
    const auto found = device_waits_.find(p_.main_lane(p_.slices.lane[p_.device_work.slice[work]]));
    if (found != device_waits_.end()) {
      each_inside(found->second, time, [&](Interval inside, Row wait) {
        add({time.start, inside.start}, cause, slice);
        add(inside, IdleCause::event, wait);
        time.start = inside.end;
      });
    }
    add(time, cause, slice);
  }

  // Where the thread was in no range, another thread of its chain may have worked for it.
  void before_launch(Row thread, Interval time) {
    if (time.length() <= 0) return;
    if (thread == kNoRow) return add(time, IdleCause::outside, kNoRow);
    states_.each(thread, time, [&](Interval part, Row slice) {
      if (const auto known = state_of(slice)) return add(part, known->cause, known->slice);
      on_other_threads(thread, 0, part);
    });
  }

  void on_other_threads(Row thread, Row from, Interval time) {
    for (Row lane = from; lane < chains_.size(); ++lane) {
      if (chains_[lane] != chains_[thread] || lane == thread || p_.lanes.overflow_of[lane] != kNoRow) continue;
      return states_.each(lane, time, [&](Interval part, Row slice) {
        if (const auto known = state_of(slice)) return add(part, known->cause, known->slice);
        on_other_threads(thread, lane + 1, part);
      });
    }
    add(time, IdleCause::outside, kNoRow);
  }

  struct State {
    IdleCause cause;
    Row slice;
  };

  // The cause by the innermost range and those around it; nothing in no range but the step.
  std::optional<State> state_of(Row innermost) const {
    std::optional<State> nearest;
    for (Row slice = innermost; slice != kNoRow; slice = p_.slices.parent[slice]) {
      const auto is_nearest = [&](IdleCause cause) {
        if (!nearest) nearest = State{cause, slice};
      };
      switch (p_.slices.kind[slice]) {
        case SliceKind::runtime:
          return State{std::binary_search(waits_.begin(), waits_.end(), slice) ? IdleCause::synchronization : IdleCause::call,
                       slice};
        case SliceKind::data_loading: return State{IdleCause::data_loading, innermost};
        case SliceKind::optimizer: return State{IdleCause::optimizer, innermost};
        case SliceKind::op:
        case SliceKind::host_communication: is_nearest(IdleCause::operators); break;
        case SliceKind::annotation: is_nearest(IdleCause::annotation); break;
        case SliceKind::module:
        case SliceKind::python: is_nearest(IdleCause::python); break;
        default: break;
      }
    }
    return nearest;
  }

  // ---- parts ----

  void add(Interval time, IdleCause cause, Row slice) {
    if (time.length() > 0) parts_.push_back({time, cause, slice, 0});
  }

  // Replaces what overlaps the profiler's own work.
  void cut_overhead() {
    if (overhead_.empty() || parts_.empty()) return;
    std::vector<IdlePart> cut;
    for (IdlePart part : parts_) {
      each_inside(overhead_, part.time, [&](Interval inside, Row slice) {
        if (inside.start > part.time.start) cut.push_back({{part.time.start, inside.start}, part.cause, part.slice, 0});
        cut.push_back({inside, IdleCause::profiler, slice, 0});
        part.time.start = inside.end;
      });
      if (part.time.length() > 0) cut.push_back(part);
    }
    parts_ = std::move(cut);
  }

  // What lies inside the steps.
  void put(const Gap& gap) {
    auto step = std::upper_bound(steps_.begin(), steps_.end(), gap.time.start,
                                 [](Time time, const Interval& each) { return time < each.end; });
    for (; step != steps_.end() && step->start < gap.time.end; ++step) {
      const Interval time{std::max(step->start, gap.time.start), std::min(step->end, gap.time.end)};
      if (time.length() <= 0) continue;
      const auto number = static_cast<std::uint32_t>(out_.gaps.size());
      out_.gaps.push_back({time, device_});
      for (const IdlePart& part : parts_) {
        const Interval inside{std::max(time.start, part.time.start), std::min(time.end, part.time.end)};
        if (inside.length() > 0) out_.parts.push_back({inside, part.cause, part.slice, number});
      }
    }
  }

  const Profile& p_;
  const IntervalSet& steps_;
  const HostStates states_;
  const std::vector<Row> chains_;  // by lane
  const HostCalls calls_;
  std::vector<Row> waits_;                        // slices, sorted
  std::vector<Row> overhead_;                     // slices, by start
  std::vector<Row> missing_graphs_;               // slices of the calls, by start
  std::map<Row, std::vector<Row>> device_waits_;  // by main lane of a stream: slices, by start
  Row main_thread_ = kNoRow;                      // lane
  std::int64_t device_ = kUnknown;
  std::vector<IdlePart> parts_;  // of the gap
  IdleTimes out_;
};

}  // namespace

const IdleCauseInfo& info_of(IdleCause cause) { return kInfo[static_cast<std::size_t>(cause)]; }

IdleTimes find_idle_causes(const Profile& profile, const IntervalSet& steps, const std::vector<WorkInterval>& work) {
  return CauseFinder(profile, steps).run(work);
}

}  // namespace sightline::analyses

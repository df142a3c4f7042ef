// Events: a wait on a stream names the call that recorded the event (a flow) and the stream that it was recorded on (a fact).
#include "analyses/whatif/work_links.h"

#include <algorithm>
#include <numeric>

#include "base/sort.h"
#include "base/text.h"
#include "model/stated_names.h"

namespace sightline::analyses {

namespace {

constexpr Row kNotWork = kNoRow;

Row work_of(const Profile& p, Row slice) {
  const auto& slices = p.device_work.slice;
  const auto found = std::lower_bound(slices.begin(), slices.end(), slice);
  return found != slices.end() && *found == slice ? static_cast<Row>(found - slices.begin()) : kNotWork;
}

// The stream that a wait names, as the number in its lane's track.
std::int64_t waited_stream(const Profile& p, Row wait) {
  const StringId name = p.strings.find(stated::kWaitedStream);
  const auto& facts = p.work_facts;
  auto at = std::lower_bound(facts.slice.begin(), facts.slice.end(), wait);
  for (; name != StringId::none && at != facts.slice.end() && *at == wait; ++at) {
    const auto fact = static_cast<std::size_t>(at - facts.slice.begin());
    if (facts.name[fact] == name) return static_cast<std::int64_t>(facts.number[fact]);
  }
  return kUnknown;
}

}  // namespace

WorkLinks::WorkLinks(const Profile& profile) {
  add_flows(profile);
  if (links_.empty()) return;
  sort_up(links_, &Link::to);
  first_.assign(profile.device_work.rows() + 1, 0);
  for (const Link& link : links_) ++first_[link.to + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

void WorkLinks::add_flows(const Profile& p) {
  bool events = false;
  for (std::size_t flow = 0; flow < p.flows.rows(); ++flow) {
    if (p.flows.kind[flow] != FlowKind::other) continue;
    const Row from = work_of(p, p.flows.from[flow]), to = work_of(p, p.flows.to[flow]);
    if (from != kNotWork && to != kNotWork && from != to) links_.push_back({from, to, EdgeKind::flow});
    events |= p.slices.kind[p.flows.to[flow]] == SliceKind::sync;
  }
  if (events) add_events(p);
}

// The work before the call that recorded the event, on the event's stream, must end before the work after the wait begins.
void WorkLinks::add_events(const Profile& p) {
  struct Launched {
    Time launched, start;
    Row work;
  };
  std::vector<std::vector<Launched>> by_lane(p.lanes.rows());
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    const Row slice = p.device_work.slice[work], launch = p.device_work.launch[work];
    if (launch == kNoRow) continue;
    by_lane[p.main_lane(p.slices.lane[slice])].push_back({p.slices.start[p.launches.slice[launch]], p.slices.start[slice], work});
  }
  for (auto& works : by_lane) {
    sort_up(works, &Launched::start);
  }
  const auto lane_of_stream = [&](Row wait_lane, std::int64_t stream) {
    for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
      const bool same_device = p.lanes.device[lane] == p.lanes.device[wait_lane];
      if (same_device && !by_lane[lane].empty() && whole_number<std::int64_t>(p.text(p.lanes.track[lane])) == stream) return lane;
    }
    return kNoRow;
  };
  for (std::size_t flow = 0; flow < p.flows.rows(); ++flow) {
    const Row wait = p.flows.to[flow], record = p.flows.from[flow];
    if (p.flows.kind[flow] != FlowKind::other || p.slices.kind[wait] != SliceKind::sync) continue;
    const std::int64_t stream = waited_stream(p, wait);
    const Row lane = p.main_lane(p.slices.lane[wait]);
    const Row recorded_on = stream == kUnknown ? kNoRow : lane_of_stream(lane, stream);
    if (recorded_on == kNoRow || recorded_on == lane) continue;
    const auto& before = by_lane[recorded_on];
    const auto waited_for = std::partition_point(before.begin(), before.end(),
                                                 [&](const Launched& work) { return work.launched <= p.slices.start[record]; });
    const auto& after = by_lane[lane];
    const auto waiting =
        std::partition_point(after.begin(), after.end(), [&](const Launched& work) { return work.start < p.slices.start[wait]; });
    if (waited_for == before.begin() || waiting == after.end()) continue;
    links_.push_back({std::prev(waited_for)->work, waiting->work, EdgeKind::event});
  }
}

}  // namespace sightline::analyses

// One pass over device work finds the calls that launched it, one over the slices those that wait.
#include "analyses/whatif/host_calls.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include "analyses/operators/host_tree.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kWaiting = "ynchroniz";  // in the names of calls that wait, in any vendor's runtime
constexpr std::string_view kEvent = "Event";        // in the names of those that wait for one event

// Whether a name, by its id, has a property; each name is looked at once.
class NameTest {
 public:
  NameTest(const Profile& profile, std::string_view part) : p_(profile), part_(part) {}
  bool operator()(StringId name) {
    const auto id = static_cast<std::size_t>(name);
    if (id >= known_.size()) known_.resize(id + 1, kNotAsked);
    if (known_[id] == kNotAsked) known_[id] = p_.text(name).find(part_) != std::string_view::npos ? kYes : kNo;
    return known_[id] == kYes;
  }

 private:
  static constexpr std::uint8_t kNotAsked = 0, kNo = 1, kYes = 2;
  const Profile& p_;
  std::string_view part_;
  std::vector<std::uint8_t> known_;
};

// The copy that the call waits for: its own, if that ended during the call.
bool is_awaited_copy(const Profile& p, Row work, Row call) {
  const Row slice = p.device_work.slice[work];
  return p.slices.kind[slice] == SliceKind::memcpy && p.slices.duration[call] > kShortestCopyWait &&
         p.end_of(slice) <= p.end_of(call) && p.end_of(call) - p.end_of(slice) <= kLongestTail;
}

}  // namespace

HostCalls::HostCalls(const Profile& profile) : p_(profile) {
  std::vector<bool> launched(p_.launches.rows());
  std::vector<Row> copy(p_.launches.rows(), kNoRow);
  for (Row work = 0; work < p_.device_work.rows(); ++work) {
    const Row launch = p_.device_work.launch[work];
    if (launch == kNoRow) continue;
    launched[launch] = true;
    if (is_awaited_copy(p_, work, p_.launches.slice[launch])) copy[launch] = work;
  }
  of_launch_.assign(p_.launches.rows(), kNoRow);
  NameTest waits(p_, kWaiting), for_event(p_, kEvent);
  Row launch = 0;
  for (Row slice = 0; slice < p_.slices.rows(); ++slice) {
    while (launch < p_.launches.rows() && p_.launches.slice[launch] < slice) ++launch;
    const bool is_launch = launch < p_.launches.rows() && p_.launches.slice[launch] == slice && launched[launch];
    const StringId name = p_.slices.name[slice];
    const bool synchronizes = p_.slices.kind[slice] == SliceKind::runtime && name != StringId::none && waits(name);
    if (!is_launch && !synchronizes) continue;
    if (is_launch) of_launch_[launch] = static_cast<Row>(calls_.size());
    const Row own_copy = is_launch ? copy[launch] : kNoRow;
    calls_.push_back({slice, synchronizes || own_copy != kNoRow, synchronizes && !for_event(name), own_copy});
  }
}

namespace {

// Disjoint sets of lanes; the first lane of a set stands for it.
struct LaneSets {
  std::vector<Row> above;
  Row first(Row lane) {
    while (above[lane] != lane) lane = above[lane] = above[above[lane]];
    return lane;
  }
  void join(Row a, Row b) {
    a = first(a), b = first(b);
    above[std::max(a, b)] = std::min(a, b);
  }
};

// Whether a host thread has calls of a runtime, and whether it has anything else.
struct LaneContent {
  bool calls = false, others = false;
};

// Some writers record the calls of a runtime apart from the rest of their thread: under another process, with the same number of
// the thread.
void join_layers(const Profile& p, LaneSets& sets) {
  std::vector<LaneContent> content(p.lanes.rows());
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    if (p.lanes.kind[lane] != LaneKind::host_thread) continue;
    LaneContent& of = content[p.main_lane(lane)];
    for (Row slice = p.lanes.first[lane]; slice < p.lanes.last[lane] && !(of.calls && of.others); ++slice)
      (p.slices.kind[slice] == SliceKind::runtime ? of.calls : of.others) = true;
  }
  std::map<StringId, Row> callers;  // by track: the lane that has calls only
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    if (content[lane].calls && !content[lane].others && p.lanes.track[lane] != StringId::none)
      callers.emplace(p.lanes.track[lane], lane);
  }
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    if (!content[lane].others || content[lane].calls) continue;
    const auto caller = callers.find(p.lanes.track[lane]);
    if (caller != callers.end() && p.lanes.process[lane] != p.lanes.process[caller->second]) sets.join(lane, caller->second);
  }
}

}  // namespace

std::vector<Row> joined_threads(const Profile& p) {
  LaneSets sets{std::vector<Row>(p.lanes.rows())};
  std::iota(sets.above.begin(), sets.above.end(), Row{0});
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) sets.join(lane, p.main_lane(lane));
  join_layers(p, sets);
  bool any = false;
  for (std::size_t flow = 0; flow < p.flows.rows(); ++flow) {
    if (p.flows.kind[flow] != FlowKind::forward_backward) continue;
    sets.join(p.slices.lane[p.flows.from[flow]], p.slices.lane[p.flows.to[flow]]);
    any = true;
  }
  // Without such flows, a thread with operators of the backward pass works for the one that marks the steps.
  std::optional<Row> main;
  for (const Row slice : p.steps.slice) {
    if (slice != kNoRow && p.lanes.kind[p.slices.lane[slice]] == LaneKind::host_thread) main = p.slices.lane[slice];
  }
  if (main && !any) {
    for (const Row slice : p.operators.slice) {
      if (p.slices.parent[slice] == kNoRow && is_backward(p.text(p.slices.name[slice]))) sets.join(*main, p.slices.lane[slice]);
    }
  }
  std::vector<Row> chains(p.lanes.rows());
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) chains[lane] = sets.first(lane);
  return chains;
}

}  // namespace sightline::analyses

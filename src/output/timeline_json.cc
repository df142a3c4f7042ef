// Lanes, search and flows of the timeline as JSON.
#include "output/timeline_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analyses/lane_titles.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "output/tiles.h"
#include "output/timeline_query.h"

namespace sightline::output {

namespace {

// A host thread with fewer slices than this is of no interest beside others that have more.
constexpr std::uint64_t kFewSlices = 5;

// In this order from top to bottom.
enum class Place : std::uint8_t { device, host, counters, minor };

struct Group {
  Row process = kNoRow;
  Place place = Place::counters;
  std::vector<const DrawnLane*> lanes;
  std::vector<std::size_t> counters;
};

// The host threads that hold next to nothing, by number of the drawn lane; none if that is true of all host threads.
std::vector<bool> few_slices(const Timeline& timeline) {
  std::vector<bool> few;
  bool all = true;
  for (const DrawnLane& lane : timeline.lanes()) {
    const bool on_host = !is_device_lane(timeline.profile(), lane.source);
    few.push_back(on_host && lane.slices < kFewSlices);
    all = all && (!on_host || few.back());
  }
  if (all) few.assign(few.size(), false);
  return few;
}

Place place_of_group(const Profile& p, const Group& group, const std::vector<bool>& few) {
  if (is_device_lane(p, group.lanes.front()->source)) return Place::device;
  const bool nothing =
      std::all_of(group.lanes.begin(), group.lanes.end(), [&](const DrawnLane* lane) { return few[lane->lane]; });
  return nothing || is_unnamed_place(p, group.process) ? Place::minor : Place::host;
}

// Devices first, then the processes of the host, each by the writer's sort key and then as the lanes table has them; then what
// has counters only; last, what holds next to nothing.
std::vector<Group> group_by_process(const Timeline& timeline, const std::vector<Counter>& counters,
                                    const std::vector<bool>& few) {
  const Profile& p = timeline.profile();
  std::map<std::tuple<bool, std::int64_t, Row>, Group> groups;
  for (const DrawnLane& lane : timeline.lanes()) {
    const Row process = p.lanes.process[lane.source];
    const std::int64_t key = process == kNoRow || p.processes.sort_key[process] == kUnknown ? 0 : p.processes.sort_key[process];
    groups[{!is_device_lane(p, lane.source), key, process}].lanes.push_back(&lane);
  }
  std::vector<Group> ordered;
  for (auto& [key, group] : groups) {
    group.process = std::get<2>(key);
    group.place = place_of_group(p, group, few);
    sort_up(group.lanes, [&](const DrawnLane* each) { return p.lanes.sort_key[each->source]; });
    ordered.push_back(std::move(group));
  }
  for (std::size_t counter = 0; counter < counters.size(); ++counter) {
    // A process may have a group of streams and one of host threads: counters belong to the former.
    const Row process = counters[counter].process;
    auto group = std::find_if(ordered.begin(), ordered.end(), [&](const Group& g) { return g.process == process; });
    if (group == ordered.end()) group = ordered.insert(group, Group{process, Place::counters, {}, {}});
    group->counters.push_back(counter);
  }
  sort_up(ordered, &Group::place);
  return ordered;
}

// A process named after a device may have host threads as well: these are distinguished.
Message group_title(const Profile& p, const Group& group, const std::vector<Group>& groups) {
  const auto of_process = [&](const Group& other) { return other.process == group.process; };
  const bool twin = std::count_if(groups.begin(), groups.end(), of_process) > 1;
  if (group.process == kNoRow && group.lanes.empty()) return "Other counters";  // of devices that did nothing
  const bool host = !group.lanes.empty() && !is_device_lane(p, group.lanes.front()->source);
  const Message title = process_title(p, group.process);
  return twin && host ? say("{}, host threads", title) : title;
}

SentCounter sent_counter(const Counter& counter, std::size_t number) {
  SentCounter sent{.counter = number,
                   .title = {counter.title},
                   .unit = counter.unit,
                   .doc = counter.doc,
                   .named = counter.named,
                   .most = kUnknownNumber};
  for (const CounterSeries& series : counter.series) {
    SentSeries own{.title = {counter.named ? own_title(series.title) : series.title}, .most = kUnknownNumber};
    for (const double value : series.value) own.most = std::fmax(own.most, value);
    sent.points += series.time.size();
    sent.most = std::fmax(sent.most, own.most);
    sent.series.push_back(std::move(own));
  }
  return sent;
}

SentLane sent_lane(const Profile& p, const DrawnLane& lane, bool minor) {
  return {.lane = lane.lane,
          .kind = p.lanes.kind[lane.source],
          .title = {lane_title(p, lane.source)},
          .part = lane.part == LanePart::python ? "python" : "ranges",
          .minor = minor,
          .rows = lane.rows.size(),
          .slices = lane.slices,
          .start = lane.start,
          .end = lane.end};
}

std::vector<SentGroup> sent_groups(const Timeline& timeline, const std::vector<Counter>& counters) {
  const Profile& p = timeline.profile();
  const std::vector<bool> few = few_slices(timeline);
  const std::vector<Group> groups = group_by_process(timeline, counters, few);
  std::vector<SentGroup> sent;
  for (const Group& group : groups) {
    const bool minor = group.place == Place::minor;
    sent.push_back({.title = {group_title(p, group, groups)}, .minor = minor});
    for (const DrawnLane* lane : group.lanes) sent.back().lanes.push_back(sent_lane(p, *lane, !minor && few[lane->lane]));
    for (const std::size_t counter : group.counters) sent.back().counters.push_back(sent_counter(counters[counter], counter));
  }
  return sent;
}

std::vector<SentStep> sent_steps(const Profile& p) {
  std::vector<SentStep> sent;
  for (std::size_t i = 0; i < p.steps.rows(); ++i) {
    sent.push_back({std::to_string(p.steps.number[i]), p.steps.start[i], p.steps.duration[i], {}});
    if (p.steps.slice[i] != kNoRow) sent.back().slice = p.steps.slice[i];
  }
  return sent;
}

}  // namespace

std::string timeline_json(const Timeline& timeline, const std::vector<Counter>& counters) {
  const Profile& p = timeline.profile();
  SentTimeline sent{.start = p.span_start, .end = p.span_end, .span = {p.span_start, p.span_end}};
  for (const DrawnLane& lane : timeline.lanes()) {
    sent.start = std::min(sent.start, lane.start);
    sent.end = std::max(sent.end, lane.end);
  }
  if (p.origin_unix_ns != kUnknown) sent.origin_unix_ns = std::to_string(p.origin_unix_ns);
  sent.groups = sent_groups(timeline, counters);
  sent.steps = sent_steps(p);
  sent.colours = {{"module", "Module", has_mark_group(p, MarkGroup::module)},
                  {"operator", "Operator", has_mark_group(p, MarkGroup::program_operator)},
                  {"layer", "Layer", has_mark_group(p, MarkGroup::layer)}};
  sent.waits = has_wait_lanes(p);
  return wire_json(sent);
}

std::string derived_timeline_json(const DerivedTimeline& derived, const Message& title) {
  const Profile& p = derived.timeline->profile();
  SentTimeline sent{.start = p.span_start, .end = p.span_end, .span = {p.span_start, p.span_end}};
  SentGroup group{.title = {title}};
  for (const DrawnLane& lane : derived.timeline->lanes()) {
    group.lanes.push_back(sent_lane(p, lane, false));
    group.lanes.back().title = {derived.lanes->titles()[lane.source]};
    sent.start = std::min(sent.start, lane.start);
    sent.end = std::max(sent.end, lane.end);
  }
  if (!group.lanes.empty()) sent.groups.push_back(std::move(group));
  return wire_json(sent);
}

std::string search_json(const Timeline& timeline, const HitsWanted& wanted) {
  const std::string& text = wanted.text;
  const Profile& p = timeline.profile();
  std::vector<std::uint8_t> matches(p.strings.size(), 2);  // by name: 1 yes, 0 no, 2 not checked yet
  std::vector<Row> hits;
  for (Row i = 0; i < p.slices.rows() && !text.empty(); ++i) {
    std::uint8_t& match = matches[static_cast<std::size_t>(p.slices.name[i])];
    if (match == 2) match = contains_text(p.text(p.slices.name[i]), text) ? 1 : 0;
    if (match == 1) hits.push_back(i);
  }
  const auto earlier = [&](Row a, Row b) {
    return p.slices.start[a] != p.slices.start[b] ? p.slices.start[a] < p.slices.start[b] : a < b;
  };
  const auto before = [&](Row i) { return p.slices.start[i] < wanted.from; };
  const auto passed = static_cast<std::size_t>(std::count_if(hits.begin(), hits.end(), before));
  const std::size_t first = std::min(hits.size(), std::max(wanted.offset, passed));
  const auto from = hits.begin() + static_cast<std::ptrdiff_t>(first);
  const auto to = from + static_cast<std::ptrdiff_t>(std::min(wanted.limit, hits.size() - first));
  if (from != hits.end()) std::nth_element(hits.begin(), from, hits.end(), earlier);
  std::partial_sort(from, to, hits.end(), earlier);
  SentHits sent{.count = hits.size(), .first = first};
  for (const Row i : std::vector<Row>(from, to)) {
    const DrawnPlace place = timeline.place_of(i);
    sent.hits.push_back({i, place.lane, place.row, p.slices.start[i], p.slices.duration[i], p.text(p.slices.name[i])});
  }
  return wire_json(sent);
}

std::string flows_json(const Timeline& timeline, const FlowRequest& request) {
  const FlowsInWindow found = flows_in(timeline, request);
  const Slices& s = timeline.profile().slices;
  SentFlows sent{.count = found.count, .shown = found.shown.size(), .lanes = request.lanes};
  SentFlowColumns& flows = sent.flows;
  for (const Flow& flow : found.shown) {
    const DrawnPlace from = timeline.place_of(flow.from), to = timeline.place_of(flow.to);
    flows.kind.push_back(flow.kind);
    flows.from.push_back(flow.from);
    flows.to.push_back(flow.to);
    flows.from_lane.push_back(from.lane);
    flows.from_row.push_back(from.row);
    flows.from_time.push_back(s.start[flow.from]);
    flows.to_lane.push_back(to.lane);
    flows.to_row.push_back(to.row);
    flows.to_time.push_back(s.start[flow.to]);
  }
  return wire_json(sent);
}

}  // namespace sightline::output

// Lanes and search of the timeline as JSON.
#include "output/timeline_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "analyses/words.h"
#include "base/json_writer.h"
#include "output/tiles.h"

namespace sightline::output {

namespace {

std::string_view lane_kind_name(LaneKind kind) {
  switch (kind) {
    case LaneKind::host_thread: return "host_thread";
    case LaneKind::device_stream: return "device_stream";
    case LaneKind::engine: return "engine";
    case LaneKind::queue: return "queue";
    case LaneKind::counter: return "counter";
    case LaneKind::other: return "other";
  }
  return "other";
}

Message process_title(const Profile& p, Row process) {
  if (process == kNoRow) return "";
  const std::string pid(p.text(p.processes.pid[process]));
  const std::string_view label = p.text(p.processes.label[process]);
  const std::string_view name = p.text(p.processes.name[process]);
  std::string title(label.empty() || label == "CPU" ? name : label);
  if (title.empty()) return say("process {}", pid);
  return Message::verbatim(title.find(pid) == std::string::npos ? title + " (" + pid + ")" : title);
}

Message lane_title(const Profile& p, Row lane) {
  const std::string_view name = p.text(p.lanes.name[lane]);
  if (!name.empty()) return Message::verbatim(name);
  const std::string track(p.text(p.lanes.track[lane]));
  const auto titled = [&](std::string_view what, Template<std::string> text) {
    return track.starts_with(what) ? Message::verbatim(track) : say(text, track);
  };
  if (p.lanes.kind[lane] == LaneKind::host_thread) return titled("thread ", "thread {}");
  if (p.lanes.kind[lane] == LaneKind::device_stream) return titled("stream ", "stream {}");
  return Message::verbatim(track);
}

struct Group {
  Row process = kNoRow;
  std::vector<const DrawnLane*> lanes;
  std::vector<std::size_t> counters;
};

// Host processes first, then devices, each by the writer's sort key and then as the lanes table has them. A process that has
// counters and no lanes comes last.
std::vector<Group> group_by_process(const Timeline& timeline, const std::vector<Counter>& counters) {
  const Profile& p = timeline.profile();
  std::map<std::tuple<bool, std::int64_t, Row>, Group> groups;
  for (const DrawnLane& lane : timeline.lanes()) {
    const Row process = p.lanes.process[lane.source];
    const std::int64_t key = process == kNoRow || p.processes.sort_key[process] == kUnknown ? 0 : p.processes.sort_key[process];
    groups[{p.lanes.kind[lane.source] != LaneKind::host_thread, key, process}].lanes.push_back(&lane);
  }
  std::vector<Group> ordered;
  for (auto& [key, group] : groups) {
    group.process = std::get<2>(key);
    std::stable_sort(group.lanes.begin(), group.lanes.end(), [&](const DrawnLane* a, const DrawnLane* b) {
      return p.lanes.sort_key[a->source] < p.lanes.sort_key[b->source];
    });
    ordered.push_back(std::move(group));
  }
  for (std::size_t counter = 0; counter < counters.size(); ++counter) {
    // A process may have a group of host threads and one of streams: counters belong to the latter.
    const Row process = counters[counter].process;
    auto group = std::find_if(ordered.rbegin(), ordered.rend(), [&](const Group& g) { return g.process == process; });
    if (group == ordered.rend()) {
      ordered.push_back({process, {}, {}});
      group = ordered.rbegin();
    }
    group->counters.push_back(counter);
  }
  return ordered;
}

// A process named after a device may have host threads as well: these are distinguished.
Message group_title(const Profile& p, const Group& group, const std::vector<Group>& groups) {
  const auto of_process = [&](const Group& other) { return other.process == group.process; };
  const bool twin = std::count_if(groups.begin(), groups.end(), of_process) > 1;
  if (group.process == kNoRow && group.lanes.empty()) return "Other counters";  // of devices that did nothing
  const bool host = !group.lanes.empty() && p.lanes.kind[group.lanes.front()->source] == LaneKind::host_thread;
  const Message title = process_title(p, group.process);
  return twin && host ? say("{}, host threads", title) : title;
}

void write_counter(JsonWriter& json, const Counter& counter, std::size_t number) {
  double most = std::numeric_limits<double>::quiet_NaN();
  std::size_t points = 0;
  json.begin_object().member("counter", static_cast<std::int64_t>(number)).key("title").said(counter.title);
  json.member("unit", unit_name(counter.unit)).member("doc", counter.doc).member("named", counter.named);
  json.key("series").begin_array();
  for (const CounterSeries& series : counter.series) {
    json.begin_object().key("title").said(counter.named ? Message::verbatim(series.title) : series.title).end_object();
    points += series.time.size();
    for (const double value : series.value) most = std::fmax(most, value);
  }
  json.end_array().key("most");
  if (std::isnan(most)) {
    json.null();
  } else {
    json.value(most);
  }
  json.member("points", static_cast<std::int64_t>(points)).end_object();
}

}  // namespace

std::string timeline_json(const Timeline& timeline, const std::vector<Counter>& counters) {
  const Profile& p = timeline.profile();
  Time start = p.span_start;
  Time end = p.span_end;
  for (const DrawnLane& lane : timeline.lanes()) {
    start = std::min(start, lane.start);
    end = std::max(end, lane.end);
  }
  std::string out;
  JsonWriter json(out);
  json.begin_object().member("start", start).member("end", end).key("span").begin_object();
  json.member("start", p.span_start).member("end", p.span_end).end_object().key("origin_unix_ns");
  if (p.origin_unix_ns == kUnknown) {
    json.null();
  } else {
    json.value(std::to_string(p.origin_unix_ns));
  }
  json.key("groups").begin_array();
  const std::vector<Group> groups = group_by_process(timeline, counters);
  for (const Group& group : groups) {
    json.begin_object().key("title").said(group_title(p, group, groups)).key("lanes").begin_array();
    for (const DrawnLane* lane : group.lanes) {
      json.begin_object().member("lane", std::int64_t{lane->lane}).member("kind", lane_kind_name(p.lanes.kind[lane->source]));
      json.key("title").said(lane_title(p, lane->source)).member("part", lane->part == LanePart::python ? "python" : "ranges");
      json.member("rows", static_cast<std::int64_t>(lane->rows.size()));
      json.member("slices", static_cast<std::int64_t>(lane->slices))
          .member("start", lane->start)
          .member("end", lane->end)
          .end_object();
    }
    json.end_array().key("counters").begin_array();
    for (const std::size_t counter : group.counters) write_counter(json, counters[counter], counter);
    json.end_array().end_object();
  }
  json.end_array();
  json.key("steps").begin_array();
  for (std::size_t i = 0; i < p.steps.rows(); ++i) {
    json.begin_object().member("title", std::to_string(p.steps.number[i])).member("start", p.steps.start[i]);
    json.member("duration", p.steps.duration[i]).key("slice");
    if (p.steps.slice[i] == kNoRow) {
      json.null();
    } else {
      json.value(std::int64_t{p.steps.slice[i]});
    }
    json.end_object();
  }
  json.end_array().key("colours").begin_array();
  constexpr std::array<std::tuple<std::string_view, std::string_view, MarkGroup>, 3> kGroups{
      {{"module", "Module", MarkGroup::module},
       {"operator", "Operator", MarkGroup::program_operator},
       {"layer", "Layer", MarkGroup::layer}}};
  for (const auto& [group, title, of] : kGroups)
    json.begin_object().member("group", group).member("title", title).member("available", has_mark_group(p, of)).end_object();
  json.end_array().messages().end_object();
  return out;
}

std::string search_json(const Timeline& timeline, const std::string& text, std::size_t limit) {
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
  const std::size_t shown = std::min(limit, hits.size());
  std::partial_sort(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(shown), hits.end(), earlier);
  std::string out;
  JsonWriter json(out);
  json.begin_object().member("count", static_cast<std::int64_t>(hits.size())).key("hits").begin_array();
  for (std::size_t k = 0; k < shown; ++k) {
    const Row i = hits[k];
    const DrawnPlace place = timeline.place_of(i);
    json.begin_object()
        .member("slice", std::int64_t{i})
        .member("lane", std::int64_t{place.lane})
        .member("row", std::int64_t{place.row});
    json.member("start", p.slices.start[i])
        .member("duration", p.slices.duration[i])
        .member("name", p.text(p.slices.name[i]))
        .end_object();
  }
  json.end_array().end_object();
  return out;
}

}  // namespace sightline::output

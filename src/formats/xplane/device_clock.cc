// The distance between the clocks is the one that most events agree on, within the drift of clocks; at each time the smallest
// of these, with straight lines between them. An event and everything inside it move by the same whole ns, so lengths and
// nesting stay as the device recorded them; and nothing moves back before what preceded it.
#include "formats/xplane/device_clock.h"

#include <algorithm>
#include <iterator>

namespace sightline::formats::xplane {

namespace {

constexpr Time kFarApart = 100'000'000'000'000'000;  // three years in ns; sums of such times do not overflow
constexpr Time kDriftPart = 10'000;                  // clocks of one machine drift by less than 1 part in this many

// An event with times of both clocks, in ns.
struct Timed {
  LineEvent* event;
  Time start, end;  // by the device
  Time apart;       // how much later the host's time is
};

// Two clocks at one moment.
struct Moment {
  Time stated;  // as the file converts it to the host's clock
  Time placed;  // as it is shown
};

bool device_times(const Facts* facts, Time& start, Time& end) {
  if (facts == nullptr) return false;
  const std::int64_t offset = (*facts)[Number::device_offset], duration = (*facts)[Number::device_duration];
  std::int64_t end_ps = 0;
  if (offset == kUnknown || duration < 0 || __builtin_add_overflow(offset, duration, &end_ps)) return false;
  start = floor_ns(offset);
  end = floor_ns(end_ps);
  return true;
}

std::vector<Timed> timed_events(std::vector<Line>& lines) {
  std::vector<Timed> timed;
  for (Line& line : lines) {
    for (LineEvent& event : line.events) {
      Timed one{&event, 0, 0, 0};
      if (!device_times(line.facts_of(event), one.start, one.end)) continue;
      one.apart = event.start - one.start;
      timed.push_back(one);
    }
  }
  std::stable_sort(timed.begin(), timed.end(),
                   [](const Timed& x, const Timed& y) { return x.start != y.start ? x.start < y.start : x.end > y.end; });
  return timed;
}

// The smallest of the distances that most events have, which lie within `width` of one another.
Time common_distance(const std::vector<Timed>& timed, Time width) {
  std::vector<Time> apart;
  apart.reserve(timed.size());
  for (const Timed& one : timed) apart.push_back(one.apart);
  std::sort(apart.begin(), apart.end());
  std::size_t best = 0, most = 0;
  for (std::size_t first = 0, end = 0; first < apart.size(); ++first) {
    while (end < apart.size() && apart[end] - apart[first] <= width) ++end;
    if (end - first > most) {
      most = end - first;
      best = first;
    }
  }
  return apart[best];
}

// Lowers the distances to the straight lines between the lowest of them (the lower convex hull): clocks drift evenly.
void straighten(std::vector<Timed>& timed) {
  const auto is_above = [&](std::size_t before, std::size_t at, std::size_t after) {  // the line from before to after
    const auto rise = [&](std::size_t i) { return static_cast<double>(timed[i].apart - timed[before].apart); };
    const auto run = [&](std::size_t i) { return static_cast<double>(timed[i].start - timed[before].start); };
    return rise(at) * run(after) >= rise(after) * run(at);
  };
  std::vector<std::size_t> low;
  for (std::size_t i = 0; i < timed.size(); ++i) {
    while (low.size() > 1 && is_above(low[low.size() - 2], low.back(), i)) low.pop_back();
    low.push_back(i);
  }
  for (std::size_t k = 1; k < low.size(); ++k) {
    const Timed from = timed[low[k - 1]], to = timed[low[k]];
    const double slope =
        static_cast<double>(to.apart - from.apart) / static_cast<double>(std::max<Time>(to.start - from.start, 1));
    for (std::size_t i = low[k - 1] + 1; i < low[k]; ++i)
      timed[i].apart = from.apart + static_cast<Time>(slope * static_cast<double>(timed[i].start - from.start));
  }
}

// For each event the smallest distance of the events around it, plus the drift between them; then straightened. Distances far
// from most are ignored.
void find_distance(std::vector<Timed>& timed) {
  const Time width = (timed.back().start - timed.front().start) / kDriftPart;
  const Time least = common_distance(timed, width);
  for (Timed& one : timed) {
    if (one.apart < least || one.apart - least > width) one.apart = least + width;
  }
  const auto lower = [](Timed& one, const Timed& other) {
    const Time between = one.start > other.start ? one.start - other.start : other.start - one.start;
    one.apart = std::min(one.apart, other.apart + between / kDriftPart);
  };
  for (std::size_t i = 1; i < timed.size(); ++i) lower(timed[i], timed[i - 1]);
  for (std::size_t i = timed.size(); i-- > 1;) lower(timed[i - 1], timed[i]);
  straighten(timed);
}

// Moves the events; returns the moments at which outermost ones began and ended, in order.
std::vector<Moment> place(const std::vector<Timed>& timed) {
  std::vector<Moment> moments;
  for (std::size_t i = 0; i < timed.size();) {
    Time apart = timed[i].apart, begin = timed[i].event->start;
    if (!moments.empty()) {
      apart = std::max(apart, moments.back().placed - timed[i].start);
      begin = std::max(begin, moments.back().stated);
    }
    moments.push_back({begin, timed[i].start + apart});
    Time end = timed[i].end, stated_end = begin;
    const std::size_t outermost = i;
    for (; i < timed.size() && (i == outermost || timed[i].start < end); ++i) {
      LineEvent& event = *timed[i].event;
      end = std::max(end, timed[i].end);
      stated_end = std::max(stated_end, event.start + event.duration);
      event.start = timed[i].start + apart;
      event.duration = timed[i].end - timed[i].start;
    }
    moments.push_back({stated_end, end + apart});
  }
  return moments;
}

// The place of a time of the file among the moments around it. If several moments have the same time in the file, the first
// one for a beginning and the last one for an end, so the interval contains everything that was done then.
Time placed(const std::vector<Moment>& moments, Time stated, bool begins) {
  const auto after = begins ? std::lower_bound(moments.begin(), moments.end(), stated,
                                               [](const Moment& moment, Time time) { return moment.stated < time; })
                            : std::upper_bound(moments.begin(), moments.end(), stated,
                                               [](Time time, const Moment& moment) { return time < moment.stated; });
  if (after == moments.begin() || (after != moments.end() && after->stated == stated))
    return stated + (after->placed - after->stated);
  const Moment& before = *std::prev(after);
  if (after == moments.end() || before.stated == stated) return stated + (before.placed - before.stated);
  const double part = static_cast<double>(stated - before.stated) / static_cast<double>(after->stated - before.stated);
  return before.placed + static_cast<Time>(part * static_cast<double>(after->placed - before.placed));
}

// The events of the line without times of the device's clock. Such an event ends before later events of its line begin.
void place_others(Line& line, const std::vector<Moment>& moments) {
  std::vector<LineEvent*> others;
  for (LineEvent& event : line.events) {
    Time start = 0, end = 0;
    if (!device_times(line.facts_of(event), start, end)) others.push_back(&event);
  }
  std::vector<Time> starts;
  starts.reserve(others.size());
  for (const LineEvent* event : others) starts.push_back(event->start);
  std::sort(starts.begin(), starts.end());
  for (LineEvent* event : others) {
    const Time stated_end = event->start + event->duration, start = placed(moments, event->start, true);
    Time end = event->duration == 0 ? start : placed(moments, stated_end, false);
    const auto next = std::lower_bound(starts.begin(), starts.end(), stated_end);
    if (next != starts.end()) end = std::min(end, placed(moments, *next, true));
    event->start = start;
    event->duration = std::max<Time>(end - start, 0);
  }
}

}  // namespace

bool has_device_clock(const Plane& plane) {
  return std::any_of(plane.stat_names.begin(), plane.stat_names.end(),
                     [](const auto& stat) { return stat.second == "device_offset_ps"; });
}

void place_by_device_clock(std::vector<Line>& lines) {
  std::vector<Timed> timed = timed_events(lines);
  const auto is_absurd = [](const Timed& one) { return one.apart > kFarApart || one.apart < -kFarApart; };
  if (timed.empty() || std::any_of(timed.begin(), timed.end(), is_absurd)) return;
  find_distance(timed);
  const std::vector<Moment> moments = place(timed);
  for (Line& line : lines) place_others(line, moments);
}

}  // namespace sightline::formats::xplane

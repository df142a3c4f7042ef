// Steps are, in this order: ranges of the host that the program marked as steps, on the thread that has most of them; the steps
// of the first device that recorded any; the calls of the compiled function that took the host most time, which is said.
//
// A call returns before its work is done. With a device, analyses stretch steps over what was launched in them; where threads of
// the host are the device, it is done here: a step lasts until what it asked for is done, and the next begins no sooner.
#include "readers/xplane/steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "model/stated_names.h"
#include "readers/xplane/executions.h"

namespace sightline::xplane {

namespace {

void set_steps(Profile& p, const std::vector<std::pair<Row, std::int64_t>>& numbered) {
  p.steps = Steps();
  for (const auto& [slice, number] : numbered) {
    p.steps.number.push_back(number == kUnknown ? static_cast<std::int64_t>(p.steps.rows()) : number);
    p.steps.start.push_back(p.slices.start[slice]);
    p.steps.duration.push_back(p.slices.duration[slice]);
    p.steps.slice.push_back(slice);
  }
}

void by_start(const Profile& p, std::vector<std::pair<Row, std::int64_t>>& numbered) {
  std::stable_sort(numbered.begin(), numbered.end(),
                   [&](const auto& x, const auto& y) { return p.slices.start[x.first] < p.slices.start[y.first]; });
}

bool inside(const Profile& p, Row slice, auto&& holds) {
  for (Row at = p.slices.parent[slice]; at != kNoRow; at = p.slices.parent[at]) {
    if (holds(at)) return true;
  }
  return false;
}

// Marked steps: outermost ones, of one thread.
void keep_one_thread(Profile& p) {
  std::map<Row, std::vector<std::pair<Row, std::int64_t>>> by_lane;
  for (Row i = 0; i < p.steps.rows(); ++i) {
    const Row slice = p.steps.slice[i];
    if (inside(p, slice, [&](Row at) { return p.slices.kind[at] == SliceKind::step; })) continue;
    by_lane[p.main_lane(p.slices.lane[slice])].emplace_back(slice, p.steps.number[i]);
  }
  const auto most = std::max_element(by_lane.begin(), by_lane.end(),
                                     [](const auto& x, const auto& y) { return x.second.size() < y.second.size(); });
  by_start(p, most->second);
  set_steps(p, most->second);
}

// Calls of the compiled function that took the host most time.
void take_calls(Profile& p) {
  struct Calls {
    Time total = 0;
    std::vector<std::pair<Row, std::int64_t>> slices;
  };
  std::map<std::pair<StringId, Row>, Calls> functions;  // by name and thread
  for (const Row slice : outermost_calls(p)) {
    Calls& calls = functions[{p.slices.name[slice], p.main_lane(p.slices.lane[slice])}];
    calls.total += p.slices.duration[slice];
    calls.slices.emplace_back(slice, kUnknown);
  }
  if (functions.empty()) return;
  auto& [function, calls] = *std::max_element(functions.begin(), functions.end(),
                                              [](const auto& x, const auto& y) { return x.second.total < y.second.total; });
  by_start(p, calls.slices);
  set_steps(p, calls.slices);
  p.add_problem(Severity::note, stated::kNoStepMarks,
                fmt::format("the program marked no steps: each call of {} is taken as one", p.text(function.first)),
                static_cast<std::int64_t>(calls.slices.size()), kUnknown);
}

void take_device_steps(Builder& b) {
  std::vector<std::pair<Row, std::int64_t>> numbered;
  for (const DeviceStep& step : b.device_steps) {
    if (step.device == b.device_steps.front().device) numbered.emplace_back(step.slice, step.number);
  }
  by_start(b.profile, numbered);
  set_steps(b.profile, numbered);
}

void stretch(Profile& p, std::vector<Dispatch> asked) {
  const auto thread = [&](Row slice) { return p.main_lane(p.slices.lane[slice]); };
  std::erase_if(asked, [&](const Dispatch& one) { return thread(one.call) != thread(p.steps.slice[0]); });
  std::sort(asked.begin(), asked.end(),
            [&](const Dispatch& x, const Dispatch& y) { return p.slices.start[x.call] < p.slices.start[y.call]; });
  auto next = asked.begin();
  Time previous_end = std::numeric_limits<Time>::min();
  for (Row i = 0; i < p.steps.rows(); ++i) {
    Time end = p.steps.start[i] + p.steps.duration[i];
    const Time begin = p.steps.start[i], returned = end;
    for (; next != asked.end() && p.slices.start[next->call] < returned; ++next) {
      if (p.slices.start[next->call] >= begin) end = std::max(end, next->end);
    }
    p.steps.start[i] = std::max(begin, previous_end);
    end = std::max(end, p.steps.start[i]);
    p.steps.duration[i] = end - p.steps.start[i];
    previous_end = end;
  }
}

}  // namespace

void add_steps(Builder& b) {
  Profile& p = b.profile;
  if (p.steps.rows() != 0)
    keep_one_thread(p);
  else if (!b.device_steps.empty())
    take_device_steps(b);
  else
    take_calls(p);
  if (p.device_work.rows() != 0 || b.program_uses.empty() || p.steps.rows() == 0) return;
  if (std::vector<Dispatch> asked = dispatches(b); !asked.empty()) return stretch(p, std::move(asked));
  p.add_problem(
      Severity::note, stated::kStepsMayEndEarly,
      "steps may end before their work does: the file does not tell which of them the programs that ran on threads of the "
      "host belong to",
      static_cast<std::int64_t>(p.steps.rows()), kUnknown);
}

}  // namespace sightline::xplane

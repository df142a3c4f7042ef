// Steps are, in this order: ranges of the host that the program marked as steps, on the thread that has most of them; the steps
// of the first device that recorded any; the calls of the compiled function that took the host most time, which is said.
#include "readers/xplane/steps.h"

#include <fmt/core.h>

#include <algorithm>

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

// Calls of the compiled function that took the host most time; not those inside another call of it.
void take_calls(Profile& p) {
  struct Calls {
    Time total = 0;
    std::vector<std::pair<Row, std::int64_t>> slices;
  };
  std::map<std::pair<StringId, Row>, Calls> functions;  // by name and thread
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    const StringId name = p.slices.name[slice];
    if (p.slices.kind[slice] != SliceKind::op || !p.text(name).starts_with("PjitFunction(")) continue;
    if (inside(p, slice, [&](Row at) { return p.slices.name[at] == name; })) continue;
    Calls& calls = functions[{name, p.main_lane(p.slices.lane[slice])}];
    calls.total += p.slices.duration[slice];
    calls.slices.emplace_back(slice, kUnknown);
  }
  if (functions.empty()) return;
  auto& [function, calls] = *std::max_element(functions.begin(), functions.end(),
                                              [](const auto& x, const auto& y) { return x.second.total < y.second.total; });
  by_start(p, calls.slices);
  set_steps(p, calls.slices);
  p.add_problem(Severity::note, "no_step_marks",
                fmt::format("the program marked no steps: each call of {} is taken as one", p.text(function.first)),
                static_cast<std::int64_t>(calls.slices.size()), kUnknown);
}

}  // namespace

void add_steps(Builder& b) {
  Profile& p = b.profile;
  if (p.steps.rows() != 0) return keep_one_thread(p);
  if (b.device_steps.empty()) return take_calls(p);
  std::vector<std::pair<Row, std::int64_t>> numbered;
  for (const DeviceStep& step : b.device_steps) {
    if (step.device == b.device_steps.front().device) numbered.emplace_back(step.slice, step.number);
  }
  by_start(p, numbered);
  set_steps(p, numbered);
}

}  // namespace sightline::xplane

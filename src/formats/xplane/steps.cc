// Steps are, in this order: ranges of the host that the program marked as steps, on the thread that has most of them; the steps
// of the first device that recorded any; the runs of the compiled program that took such a device most time; the calls of the
// compiled function that took the host most time. A note says that a step is a run or a call.
//
// A call returns before its work is done. With a device, analyses stretch steps over what was launched in them; where threads of
// the host are the device, it is done here: a step lasts until what it asked for is done, and the next begins no sooner.
#include "formats/xplane/steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "formats/xplane/executions.h"
#include "formats/xplane/runs.h"
#include "model/stated_names.h"

namespace sightline::formats::xplane {

namespace {

// A slice that is a step, and its number, where it has one.
using Mark = std::pair<Row, std::int64_t>;

bool inside(const Profile& p, Row slice, auto&& holds) {
  for (Row at = p.slices.parent[slice]; at != kNoRow; at = p.slices.parent[at]) {
    if (holds(at)) return true;
  }
  return false;
}

// Marked steps: outermost ones, of one thread.
std::vector<Mark> marked_steps(const Profile& p) {
  std::map<Row, std::vector<Mark>> by_lane;
  for (Row i = 0; i < p.steps.rows(); ++i) {
    const Row slice = p.steps.slice[i];
    if (inside(p, slice, [&](Row at) { return p.slices.kind[at] == SliceKind::step; })) continue;
    by_lane[p.main_lane(p.slices.lane[slice])].emplace_back(slice, p.steps.number[i]);
  }
  return std::max_element(by_lane.begin(), by_lane.end(),
                          [](const auto& x, const auto& y) { return x.second.size() < y.second.size(); })
      ->second;
}

std::vector<Mark> device_steps(const Builder& b) {
  std::vector<Mark> marks;
  for (const DeviceStep& step : b.device_steps) {
    if (step.device == b.device_steps.front().device) marks.emplace_back(step.slice, step.number);
  }
  return marks;
}

void note_stand_in(Profile& p, std::string_view what, std::ptrdiff_t steps) {
  p.add_problem(Severity::note, stated::kNoStepMarks, fmt::format("the program marked no steps: each {} counts as a step", what),
                steps, kUnknown);
}

// "jit_f(17)" is the program jit_f.
std::string_view program_of(std::string_view run) { return run.substr(0, run.rfind('(')); }

std::vector<Mark> runs(const Builder& b) {
  const std::vector<Row> slices = runs_of_main_program(b);
  std::vector<Mark> marks;
  marks.reserve(slices.size());
  for (const Row slice : slices) marks.emplace_back(slice, kUnknown);
  Profile& p = b.profile();
  const std::string_view device = p.text(p.processes.label[b.runs.front().process]);
  note_stand_in(p, fmt::format("run of {} on {}", program_of(p.text(p.slices.name[slices.front()])), device), std::ssize(marks));
  return marks;
}

// Calls of the compiled function that took the host most time.
std::vector<Mark> calls(Profile& p) {
  struct Calls {
    Time total = 0;
    std::vector<Mark> marks;
  };
  std::map<std::pair<StringId, Row>, Calls> functions;  // by name and thread
  for (const Row slice : outermost_calls(p)) {
    Calls& of = functions[{p.slices.name[slice], p.main_lane(p.slices.lane[slice])}];
    of.total += p.slices.duration[slice];
    of.marks.emplace_back(slice, kUnknown);
  }
  if (functions.empty()) return {};
  auto& [function, most] = *std::max_element(functions.begin(), functions.end(),
                                             [](const auto& x, const auto& y) { return x.second.total < y.second.total; });
  note_stand_in(p, fmt::format("call of {}", p.text(function.first)), std::ssize(most.marks));
  return std::move(most.marks);
}

// Threads are recorded from an earlier time on than devices are: what a step did before is not known, and would look like none.
void leave_out_early(Profile& p, std::vector<Mark>& marks) {
  Time first_launch = std::numeric_limits<Time>::max();
  for (const Row slice : p.launches.slice) first_launch = std::min(first_launch, p.slices.start[slice]);
  const auto is_early = [&](const Mark& mark) { return p.end_of(mark.first) <= first_launch; };
  const auto early = std::count_if(marks.begin(), marks.end(), is_early);
  if (p.launches.rows() == 0 || early == 0 || early == std::ssize(marks)) return;
  std::erase_if(marks, is_early);
  p.add_problem(Severity::note, stated::kStepsLeftOut,
                fmt::format("{} before the recording of devices began and {} left out",
                            early == 1 ? "1 step ended" : fmt::format("{} steps ended", early), early == 1 ? "is" : "are"),
                early, kUnknown);
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
  Profile& p = b.profile();
  std::vector<Mark> marks = p.steps.rows() != 0       ? marked_steps(p)
                            : !b.device_steps.empty() ? device_steps(b)
                            : !b.runs.empty()         ? runs(b)
                                                      : calls(p);
  leave_out_early(p, marks);
  std::stable_sort(marks.begin(), marks.end(),
                   [&](const Mark& x, const Mark& y) { return p.slices.start[x.first] < p.slices.start[y.first]; });
  p.steps = Steps();
  for (const auto& [slice, number] : marks) {
    p.steps.number.push_back(number == kUnknown ? static_cast<std::int64_t>(p.steps.rows()) : number);
    p.steps.start.push_back(p.slices.start[slice]);
    p.steps.duration.push_back(p.slices.duration[slice]);
    p.steps.slice.push_back(slice);
  }
  if (p.device_work.rows() != 0 || b.program_uses.empty() || p.steps.rows() == 0) return;
  if (std::vector<Dispatch> asked = dispatches(b); !asked.empty()) return stretch(p, std::move(asked));
  p.add_problem(
      Severity::note, stated::kStepsMayEndEarly,
      "steps may end before their work does: the file does not say to which step the programs that ran on host threads belong",
      static_cast<std::int64_t>(p.steps.rows()), kUnknown);
}

}  // namespace sightline::formats::xplane

// Runs of compiled programs, on threads of the host and on devices, the calls that requested them, and the steps of a recording.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sort.h"
#include "formats/xplane/arrows.h"
#include "formats/xplane/builder.h"
#include "model/interval.h"
#include "model/stated_names.h"

namespace sightline::formats::xplane {

// ---- executions on the host ----
// Executions of compiled programs on threads of the host, and the calls that requested them. A call returns before the program
// is done, or has begun.
//
// The slices of one execution have the same run_id, which counts up separately for each compilation of a function. The file
// names the call of only the first execution in a queue, whose work an arrow or the thread itself ties to the call; each
// further one is requested when the one before is done. So calls of a function f and executions of the module jit_f are
// paired by their starts, from the first pair that is tied; without a tied pair, from the first execution for which no
// program begins before its call.

namespace {

// The range of the host that requested an execution, and when that was done.
struct Dispatch {
  Row call;
  Time end;
};

constexpr std::string_view kCall = "PjitFunction(";
constexpr int kArrowsBack = 64;           // arrows followed back to the one that began an execution
constexpr std::size_t kMostQueued = 256;  // executions that may have been requested before the recording

bool is_call(const Profile& p, Row slice) {
  return p.slices.kind[slice] == SliceKind::op && p.text(p.slices.name[slice]).starts_with(kCall);
}

// "<lambda>" of a call is "_lambda_" of a module.
std::string letters(std::string_view name) {
  std::string kept;
  std::copy_if(name.begin(), name.end(), std::back_inserter(kept),
               [](unsigned char c) { return c >= 0x80 || std::isalnum(c) != 0; });
  return kept;
}

std::string function_of_call(std::string_view call) { return "jit" + letters(call.substr(kCall.size())); }

// Outermost calls of compiled functions (`PjitFunction(f)`), by lane and start.
std::vector<Row> outermost_calls(const Profile& p) {
  std::vector<Row> calls;
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (!is_call(p, slice)) continue;
    Row around = p.slices.parent[slice];
    while (around != kNoRow && !is_call(p, around)) around = p.slices.parent[around];
    if (around == kNoRow) calls.push_back(slice);
  }
  return calls;
}

class Dispatches {
 public:
  explicit Dispatches(const Builder& builder) : b_(builder), p_(builder.profile()) {}

  std::vector<Dispatch> run() {
    struct Function {
      std::vector<Row> calls;
      std::vector<const Execution*> executions;
    };
    std::unordered_map<std::string, Function> functions;
    for (const auto& [run, execution] : b_.executions) {
      if (execution.module != StringId::none) functions[letters(p_.text(execution.module))].executions.push_back(&execution);
    }
    if (functions.empty()) return {};
    for (const Row call : outermost_calls(p_)) {
      const auto of = functions.find(function_of_call(p_.text(p_.slices.name[call])));
      if (of != functions.end()) of->second.calls.push_back(call);
    }
    std::vector<Dispatch> found;
    for (auto& [name, function] : functions) {
      auto& [calls, executions] = function;
      sort_up(calls, [&](Row call) { return p_.slices.start[call]; });
      sort_up(executions, [&](const Execution* each) { return p_.slices.start[each->first]; });
      const std::optional<std::size_t> before = executions_before(calls, executions);
      if (!before) continue;
      for (std::size_t i = 0; i < calls.size() && *before + i < executions.size(); ++i)
        found.push_back({calls[i], executions[*before + i]->end});
    }
    return found;
  }

 private:
  // How many executions were requested before the first call; nothing if calls and executions do not match. Both by start.
  std::optional<std::size_t> executions_before(const std::vector<Row>& calls,
                                               const std::vector<const Execution*>& executions) const {
    std::unordered_map<Row, std::ptrdiff_t> place;  // of a call
    for (const Row call : calls) place.emplace(call, std::ssize(place));
    std::map<std::ptrdiff_t, std::size_t> votes;
    std::set<Row> tied;  // calls: each begins one execution, the first that is tied to it
    for (std::ptrdiff_t i = 0; i < std::ssize(executions); ++i) {
      const auto call = place.find(call_tied_to(executions[static_cast<std::size_t>(i)]->first));
      if (call != place.end() && tied.insert(call->first).second) ++votes[i - call->second];
    }
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
    if (most != votes.end()) return most->first < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(most->first));
    for (std::size_t before = 0; before < std::min(executions.size(), kMostQueued); ++before) {
      bool fits = true;
      for (std::size_t i = 0; fits && i < calls.size() && before + i < executions.size(); ++i)
        fits = p_.slices.start[executions[before + i]->first] >= p_.slices.start[calls[i]];
      if (fits) return before;
    }
    return std::nullopt;
  }

  // The outermost call around the slice.
  Row call_around(Row slice) const {
    Row call = kNoRow;
    for (Row at = slice; at != kNoRow; at = p_.slices.parent[at]) {
      if (is_call(p_, at)) call = at;
    }
    return call;
  }

  // The call that an execution runs in, by its first slice, or the start of the last arrow that reached its thread before
  // it.
  Row call_tied_to(Row first) const {
    if (const Row call = call_around(first); call != kNoRow) return call;
    auto arrow = std::lower_bound(b_.arrows.begin(), b_.arrows.end(), first, [](const Arrow& a, Row row) { return a.to < row; });
    for (int back = 0; arrow != b_.arrows.begin() && back < kArrowsBack; ++back) {
      --arrow;
      if (thread(arrow->to) != thread(first)) break;
      if (thread(arrow->from) != thread(first)) return call_around(arrow->from);
    }
    return kNoRow;
  }

  Row thread(Row slice) const { return p_.main_lane(p_.slices.lane[slice]); }

  const Builder& b_;
  const Profile& p_;
};

}  // namespace

void Builder::add_execution(Row slice, const Facts& facts) {
  if (facts[Number::run] == kUnknown) return;
  const Profile& p = profile();
  Execution& execution = executions[facts[Number::run]];
  if (execution.first == kNoRow || p.slices.start[slice] < p.slices.start[execution.first]) execution.first = slice;
  execution.end = std::max(execution.end, p.end_of(slice));
  if (execution.module == StringId::none) execution.module = facts[Text::hlo_module];
}

// Calls whose execution is known, in any order.
static std::vector<Dispatch> dispatches(const Builder& builder) { return Dispatches(builder).run(); }

// ---- runs on devices ----
// A run states the id under which a range of the host requested it, as an arrow does. Its operators state none: they are
// those that begin during the run.

namespace {

// A range of the host and the id of what it requested.
using Call = std::pair<Row, std::int64_t>;

// The calls of runs that have one: by row of Builder::runs.
std::map<std::size_t, Call> calls_of_runs(const Builder& b) {
  const Profile& p = b.profile();
  std::map<std::size_t, Call> calls;
  for (std::size_t i = 0; i < b.runs.size(); ++i) {
    if (b.runs[i].request == kUnknown || b.runs[i].request == 0) continue;
    for (const Arrow& arrow : arrows_to(b, b.runs[i].slice)) {
      if (p.lanes.kind[p.slices.lane[arrow.from]] == LaneKind::host_thread) calls[i] = {arrow.from, b.runs[i].request};
    }
  }
  return calls;
}

// Adds the calls to the launches, which are in the order of slices.
void add_launches(Builder& b, std::vector<Call> calls) {
  Profile& p = b.profile();
  const Launches known = std::exchange(p.launches, {});
  const std::vector<StringId> operators = std::exchange(b.launch_hlo, {});
  std::sort(calls.begin(), calls.end());
  calls.erase(std::unique(calls.begin(), calls.end(), [](const Call& x, const Call& y) { return x.first == y.first; }),
              calls.end());
  const auto add = [&](Row slice, std::int64_t correlation, StringId hlo_op) {
    const Row row = add_unknown_row(p.launches);
    p.launches.slice[row] = slice;
    p.launches.correlation[row] = correlation;
    b.launch_hlo.push_back(hlo_op);
  };
  auto call = calls.begin();
  for (Row row = 0; row < known.rows(); ++row) {
    for (; call != calls.end() && call->first < known.slice[row]; ++call) add(call->first, call->second, StringId::none);
    if (call != calls.end() && call->first == known.slice[row]) ++call;  // it has its own id
    add(known.slice[row], known.correlation[row], operators[row]);
  }
  for (; call != calls.end(); ++call) add(call->first, call->second, StringId::none);
  for (const auto& [slice, id] : calls) p.slices.kind[slice] = SliceKind::runtime;
}

}  // namespace

// The runs of the program that took most of the time of the first device that recorded any; by start.
static std::vector<Row> runs_of_main_program(const Builder& b) {
  struct Runs {
    Time total = 0;
    std::vector<Row> slices;
  };
  std::map<StringId, Runs> programs;
  const Slices& slices = b.profile().slices;
  for (const ProgramRun& run : b.runs) {
    if (run.process != b.runs.front().process) continue;
    Runs& of = programs[slices.name[run.slice]];
    of.total += slices.duration[run.slice];
    of.slices.push_back(run.slice);
  }
  if (programs.empty()) return {};
  auto& main = std::max_element(programs.begin(), programs.end(), [](const auto& x, const auto& y) {
                 return x.second.total < y.second.total;
               })->second.slices;
  sort_up(main, [&](Row each) { return slices.start[each]; });
  return main;
}

void add_run_launches(Builder& b) {
  const std::map<std::size_t, Call> calls = calls_of_runs(b);
  if (calls.empty()) return;
  Profile& p = b.profile();
  std::map<Row, std::map<Time, std::size_t>> runs;  // of each process, by start
  for (std::size_t i = 0; i < b.runs.size(); ++i) runs[b.runs[i].process][p.slices.start[b.runs[i].slice]] = i;
  std::vector<Call> launches;
  launches.reserve(calls.size());
  for (const auto& [run, call] : calls) launches.push_back(call);
  add_launches(b, std::move(launches));
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    const Row slice = p.device_work.slice[work];
    const auto of_process = runs.find(p.lanes.process[p.slices.lane[slice]]);
    if (of_process == runs.end() || p.device_work.correlation[work] != kUnknown) continue;
    auto run = of_process->second.upper_bound(p.slices.start[slice]);
    if (run == of_process->second.begin()) continue;
    const std::size_t at = std::prev(run)->second;
    const auto call = calls.find(at);
    if (call != calls.end() && p.slices.start[slice] < p.end_of(b.runs[at].slice))
      p.device_work.correlation[work] = call->second.second;
  }
}

// ---- the span ----
// Frames of Python that start and stop the profiler, around what was done.

namespace {

using Extent = std::optional<Interval>;

void widen(Extent& by, Time start, Time end) {
  by = by ? Interval{std::min(by->start, start), std::max(by->end, end)} : Interval{start, end};
}

}  // namespace

void find_span(Profile& p) {
  Extent all, work;
  std::optional<Time> started, stopped;  // the end of the first call that starts it, the start of the last that stops it
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    const Time start = p.slices.start[slice], end = p.end_of(slice);
    widen(all, start, end);
    if (is_device_work(p.slices.kind[slice])) widen(work, start, end);
    if (p.slices.kind[slice] != SliceKind::python) continue;
    const std::string_view name = p.text(p.slices.name[slice]);
    if (!name.starts_with("$profiler.py:")) continue;
    if (name.ends_with(" start_trace")) started = std::min(started.value_or(end), end);
    if (name.ends_with(" stop_trace")) stopped = std::max(stopped.value_or(start), start);
  }
  if (!all) return;
  for (Row step = 0; step < p.steps.rows(); ++step)
    widen(work, p.steps.start[step], p.steps.start[step] + p.steps.duration[step]);
  const Interval request{started.value_or(all->start), stopped.value_or(all->end)};
  Extent span = request.start < request.end ? request : *all;
  if (work) widen(span, work->start, work->end);
  p.span_start = span->start;
  p.span_end = span->end;
}

// ---- steps ----
// Steps are, in this order of preference: ranges of the host that the program marked as steps, on the thread with most of
// them; the steps of the first device that recorded any; the runs of the program that took most of that device's time; the
// calls of the compiled function that took most of the host's time. A note reports that a step is a run or a call.
//
// A call returns before its work is done. With a device, analyses extend steps over what was launched in them. If threads of
// the host are the device, it is done here: a step lasts until everything that it requested is done, and the next one begins
// no sooner.

namespace {

// A slice that is a step, and its number, if it has one.
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

// "jit_f(17)" is the program jit_f.
std::string_view program_of(std::string_view run) { return run.substr(0, run.rfind('(')); }

std::vector<Mark> runs(const Builder& b) {
  const std::vector<Row> slices = runs_of_main_program(b);
  std::vector<Mark> marks;
  marks.reserve(slices.size());
  for (const Row slice : slices) marks.emplace_back(slice, kUnknown);
  Profile& p = b.profile();
  const std::string_view device = p.text(p.processes.label[b.runs.front().process]);
  const std::string_view program = program_of(p.text(p.slices.name[slices.front()]));
  p.add_problem(Severity::note, stated::kNoStepMarks,
                say("the program marked no steps: each run of {} on {} counts as a step", program, device), std::ssize(marks),
                kUnknown);
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
  p.add_problem(Severity::note, stated::kNoStepMarks,
                say("the program marked no steps: each call of {} counts as a step", p.text(function.first)),
                std::ssize(most.marks), kUnknown);
  return std::move(most.marks);
}

// Threads are recorded from an earlier time on than devices. Earlier device work is missing, so such a step would seem to
// have none.
void leave_out_early(Profile& p, std::vector<Mark>& marks) {
  Time first_launch = std::numeric_limits<Time>::max();
  for (const Row slice : p.launches.slice) first_launch = std::min(first_launch, p.slices.start[slice]);
  const auto is_early = [&](const Mark& mark) { return p.end_of(mark.first) <= first_launch; };
  const auto early = std::count_if(marks.begin(), marks.end(), is_early);
  if (p.launches.rows() == 0 || early == 0 || early == std::ssize(marks)) return;
  std::erase_if(marks, is_early);
  p.add_problem(Severity::note, stated::kStepsLeftOut,
                early == 1 ? "1 step ended before the recording of devices began and is left out"
                           : say("{} steps ended before the recording of devices began and are left out", early),
                early, kUnknown);
}

void stretch(Profile& p, std::vector<Dispatch> request) {
  const auto thread = [&](Row slice) { return p.main_lane(p.slices.lane[slice]); };
  std::erase_if(request, [&](const Dispatch& one) { return thread(one.call) != thread(p.steps.slice[0]); });
  std::sort(request.begin(), request.end(),
            [&](const Dispatch& x, const Dispatch& y) { return p.slices.start[x.call] < p.slices.start[y.call]; });
  auto next = request.begin();
  Time previous_end = std::numeric_limits<Time>::min();
  for (Row i = 0; i < p.steps.rows(); ++i) {
    Time end = p.steps.start[i] + p.steps.duration[i];
    const Time begin = p.steps.start[i], returned = end;
    for (; next != request.end() && p.slices.start[next->call] < returned; ++next) {
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
  sort_up(marks, [&](const Mark& each) { return p.slices.start[each.first]; });
  p.steps = Steps();
  for (const auto& [slice, number] : marks) {
    p.steps.number.push_back(number == kUnknown ? static_cast<std::int64_t>(p.steps.rows()) : number);
    p.steps.start.push_back(p.slices.start[slice]);
    p.steps.duration.push_back(p.slices.duration[slice]);
    p.steps.slice.push_back(slice);
  }
  if (p.device_work.rows() != 0 || b.program_uses.empty() || p.steps.rows() == 0) return;
  if (std::vector<Dispatch> request = dispatches(b); !request.empty()) return stretch(p, std::move(request));
  p.add_problem(
      Severity::note, stated::kStepsMayEndEarly,
      "steps may end before their work does: the file does not say to which step the programs that ran on host threads belong",
      static_cast<std::int64_t>(p.steps.rows()), kUnknown);
}

}  // namespace sightline::formats::xplane

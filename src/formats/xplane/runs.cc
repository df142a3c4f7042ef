// A run states the id under which a range of the host asked for it, as an arrow does. Its operators state none: they are those
// that begin while it lasts.
#include "formats/xplane/runs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "formats/xplane/arrows.h"

namespace sightline::formats::xplane {

namespace {

// A range of the host and the id of what it asked for.
using Call = std::pair<Row, std::int64_t>;

// Of the runs that have one: by row of Builder::runs.
std::map<std::size_t, Call> calls_of_runs(const Builder& b) {
  const Profile& p = b.profile();
  std::map<std::size_t, Call> calls;
  for (std::size_t i = 0; i < b.runs.size(); ++i) {
    if (b.runs[i].asked == kUnknown || b.runs[i].asked == 0) continue;
    for (const Arrow& arrow : arrows_to(b, b.runs[i].slice)) {
      if (p.lanes.kind[p.slices.lane[arrow.from]] == LaneKind::host_thread) calls[i] = {arrow.from, b.runs[i].asked};
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
    if (call != calls.end() && call->first == known.slice[row]) ++call;  // it has an id of its own
    add(known.slice[row], known.correlation[row], operators[row]);
  }
  for (; call != calls.end(); ++call) add(call->first, call->second, StringId::none);
  for (const auto& [slice, id] : calls) p.slices.kind[slice] = SliceKind::runtime;
}

}  // namespace

std::vector<Row> runs_of_main_program(const Builder& b) {
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
  std::stable_sort(main.begin(), main.end(), [&](Row x, Row y) { return slices.start[x] < slices.start[y]; });
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

}  // namespace sightline::formats::xplane

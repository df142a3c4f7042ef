// The views count work to the step in which the host asked for it (analyses/step_windows), so a step is a time of the host where
// that is known.
#include "formats/ascend/kernel_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "model/stated_names.h"

namespace sightline::formats::ascend {

namespace {

struct Extent {
  Time start = std::numeric_limits<Time>::max(), end = std::numeric_limits<Time>::min();

  bool any() const { return start <= end; }
  void add(const Profile& p, Row slice) {
    start = std::min(start, p.slices.start[slice]);
    end = std::max(end, p.end_of(slice));
  }
};

struct Asked {
  Extent on_host, on_device;
};

// What asked for a piece of device work: the call, or the operator when it was over before a queue made the call.
Row asked_by(const Profile& p, Row work) {
  const Row launch = p.device_work.launch[work];
  if (launch == kNoRow) return kNoRow;
  const Row call = p.launches.slice[launch], owner = p.launches.owner[launch];
  return owner != kNoRow && p.end_of(owner) <= p.slices.start[call] ? owner : call;
}

}  // namespace

void add_steps_of_kernels(Profile& p) {
  const StringId title = std::max(p.strings.find("Step Id"), p.strings.find("Step ID"));
  if (p.steps.rows() != 0 || title == StringId::none) return;
  std::map<std::int64_t, Asked> steps;  // by number
  for (Row fact = 0, work = 0; fact < p.work_facts.rows(); ++fact) {
    const double number = p.work_facts.number[fact];
    if (p.work_facts.name[fact] != title || !std::isfinite(number)) continue;
    while (work < p.device_work.rows() && p.device_work.slice[work] < p.work_facts.slice[fact]) ++work;
    if (work == p.device_work.rows() || p.device_work.slice[work] != p.work_facts.slice[fact]) continue;
    Asked& step = steps[std::llround(number)];
    step.on_device.add(p, p.device_work.slice[work]);
    if (const Row asked = asked_by(p, work); asked != kNoRow) step.on_host.add(p, asked);
  }
  std::vector<std::pair<Extent, std::int64_t>> found;
  found.reserve(steps.size());
  for (const auto& [number, asked] : steps) found.emplace_back(asked.on_host.any() ? asked.on_host : asked.on_device, number);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first.start < b.first.start; });
  for (const auto& [extent, number] : found) {
    p.steps.number.push_back(number);
    p.steps.start.push_back(extent.start);
    p.steps.duration.push_back(extent.end - extent.start);
    p.steps.slice.push_back(kNoRow);
  }
  if (found.empty()) return;
  p.add_problem(Severity::note, stated::kNoStepMarks,
                "the trace has no step marks: each step here is the time of the kernels with its number in the table of kernels",
                static_cast<std::int64_t>(found.size()), kUnknown);
}

}  // namespace sightline::formats::ascend

// Each piece of device work is looked at once; the times of the parts are sums over disjoint intervals.
#include "analyses/serving/served_steps.h"

#include <algorithm>
#include <cmath>

#include "analyses/costs/costed_calls.h"
#include "model/interval.h"
#include "model/serving.h"

namespace sightline::analyses {

namespace {

class ServedSteps {
 public:
  explicit ServedSteps(const Profile& profile) : p_(profile) {}

  std::vector<ServedStep> run() {
    begin_steps();
    assign_work();
    add_windows();
    add_parts();
    add_costs();
    add_graphs();
    return std::move(steps_);
  }

 private:
  void begin_steps() {
    for (const Row row : main_serving_steps(p_)) {
      const Row slice = p_.serving_steps.slice[row];
      const Interval host{p_.slices.start[slice], p_.end_of(slice)};
      ServedStep step{.serving = row};
      step.step = {static_cast<std::int64_t>(steps_.size()), host, host};
      steps_.push_back(step);
      windows_.push_back(step.step);
    }
    number_as_recorded();
  }

  // The numbers that other views give these steps.
  void number_as_recorded() {
    const bool same = p_.steps.rows() == steps_.size();
    for (std::size_t i = 0; same && i < steps_.size(); ++i) steps_[i].step.number = p_.steps.number[i];
  }

  Interval time_of(Row work) const {
    const Row slice = p_.device_work.slice[work];
    return {p_.slices.start[slice], p_.end_of(slice)};
  }

  void assign_work() {
    work_.resize(steps_.size());
    for (Row work = 0; work < p_.device_work.rows(); ++work) {
      const std::size_t step = step_of(p_, windows_, work);
      if (step < steps_.size()) work_[step].push_back(work);
    }
  }

  void add_windows() {
    Time before = kUnknown, work_before = kUnknown;  // ends
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      StepWindow& step = steps_[i].step;
      step.device_events = std::ssize(work_[i]);
      step.window.start = std::max(step.host.start, before == kUnknown ? step.host.start : before);
      step.window.end = std::max(step.window.start, step.host.end);
      Interval work{};
      for (const Row row : work_[i]) {
        const Interval time = time_of(row);
        work =
            work.length() == 0 && work.end == 0 ? time : Interval{std::min(work.start, time.start), std::max(work.end, time.end)};
      }
      if (!work_[i].empty()) step.window.end = std::max(step.window.end, work.end);
      if (before != kUnknown) steps_[i].gap = step.window.start - before;
      if (!work_[i].empty() && work_before != kUnknown) steps_[i].bubble = std::max<Time>(0, work.start - work_before);
      before = step.window.end;
      if (!work_[i].empty()) work_before = std::max(work_before, work.end);
    }
  }

  void add_parts() {
    const std::vector<WorkPart> part_of = parts_of_work(p_);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      std::array<std::vector<Interval>, kWorkParts> all;
      for (const Row work : work_[i]) {
        const Interval time = time_of(work);
        const Interval& window = steps_[i].step.window;
        all[static_cast<std::size_t>(part_of[work])].push_back(
            {std::max(time.start, window.start), std::min(time.end, window.end)});
      }
      IntervalSet covered;
      for (std::size_t part = 0; part < kWorkParts; ++part) {
        const IntervalSet set = merge(std::move(all[part]));
        steps_[i].parts[part] = total_length(subtract(set, covered));
        steps_[i].busy += steps_[i].parts[part];
        covered = unite(covered, set);
      }
    }
  }

  void add_costs() {
    const CallCosts costs(p_);
    if (!costs.any()) return;
    const std::vector<Row> call_of = calls_of_work(p_);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      for (const Row work : work_[i]) {
        const Row call = call_of[work];
        if (call != kNoRow && p_.costed_calls.work[call] == p_.device_work.slice[work]) steps_[i].costs.add(costs.of(call));
      }
    }
  }

  void add_graphs() {
    const GraphLaunches& graphs = p_.graph_launches;
    for (Row row = 0; row < graphs.rows(); ++row) {
      const Time start = p_.slices.start[p_.launches.slice[graphs.launch[row]]];
      const auto after = std::partition_point(steps_.begin(), steps_.end(),
                                              [&](const ServedStep& each) { return each.step.host.start <= start; });
      if (after == steps_.begin() || (after - 1)->step.host.end <= start) continue;
      ServedStep& step = *(after - 1);
      ++step.graph_launches;
      step.graph_work += graphs.works[row] == kUnknown ? 0 : graphs.works[row];
      if (graphs.captured[row] != kNoRow)
        step.captured_batch = std::max(step.captured_batch, p_.captured_graphs.batch[graphs.captured[row]]);
    }
  }

  const Profile& p_;
  std::vector<ServedStep> steps_;
  std::vector<StepWindow> windows_;     // of the host
  std::vector<std::vector<Row>> work_;  // by step: rows of device_work
};

}  // namespace

std::vector<ServedStep> served_steps(const Profile& profile) { return ServedSteps(profile).run(); }

double Padding::waste() const {
  if (real == kUnknown || padded == kUnknown || padded <= 0 || real > padded) return kUnknownNumber;
  return 1 - static_cast<double>(real) / static_cast<double>(padded);
}

Padding padding_of(const Profile& profile, const ServedStep& step) {
  const ServingSteps& s = profile.serving_steps;
  if (s.padded_batch[step.serving] != kUnknown) return {s.requests[step.serving], s.padded_batch[step.serving]};
  if (step.captured_batch != kUnknown) return {s.tokens[step.serving], step.captured_batch};
  return {};
}

std::span<const ServedStep> steady_state(const Profile& profile, std::span<const ServedStep> steps) {
  constexpr std::size_t kFewest = 6;
  const auto requests = [&](const ServedStep& step) { return profile.serving_steps.requests[step.serving]; };
  std::int64_t most = kUnknown;
  for (const ServedStep& step : steps) most = std::max(most, requests(step));
  if (most == kUnknown) return steps;
  const auto slack = std::max(1.0, 0.1 * static_cast<double>(most));
  std::span<const ServedStep> longest;
  for (std::size_t first = 0; first < steps.size();) {
    std::size_t last = first;
    while (last < steps.size() && requests(steps[last]) != kUnknown && static_cast<double>(most - requests(steps[last])) <= slack)
      ++last;
    if (last - first > longest.size()) longest = steps.subspan(first, last - first);
    first = std::max(last, first + 1);
  }
  return longest.size() >= kFewest ? longest : steps;
}

}  // namespace sightline::analyses

#include "analyses/whatif/bound.h"

#include <algorithm>
#include <cmath>

#include "analyses/columns.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr double kMost = 0.5;           // of the path: this side bounds the steps
constexpr double kLeastGain = 0.005;    // of the step: a change that is worth naming
constexpr std::size_t kNamedGains = 2;  // in a sentence

// Sums of lengths on the path.
struct PathTimes {
  Time host = 0, collective = 0, device = 0, others = 0;
};

// The walk of CriticalPath::of, without its pieces.
void add_path(const Profile& p, const DependencyGraph& g, const GraphStep& step, PathTimes& sums) {
  Time at = step.window.end;
  const auto take = [&](Time from, Time& sum) {
    from = std::max(from, step.window.start);
    sum += std::max<Time>(0, at - from);
    at = std::min(at, from);
  };
  Node node = last_of(g, step);
  if (node != kNoNode) take(g.end_of(node), sums.others);
  while (node != kNoNode && at > step.window.start) {
    const bool is_work = g.kind[node] == NodeKind::work;
    const bool is_collective = is_work && p.slices.kind[g.slice[node]] == SliceKind::collective;
    if (is_work) take(g.time[node], is_collective ? sums.collective : sums.device);
    const auto edge = g.binding(node);
    if (!edge) break;
    const Time base = g.base(*edge);
    const EdgeKind kind = g.edge_kind[*edge];
    if (kind == EdgeKind::launch) take(std::max(base, p.end_of(g.slice[g.from[*edge]])), sums.others);
    const bool is_host = kind == EdgeKind::launch || kind == EdgeKind::thread;
    if (kind != EdgeKind::order) take(base, g.kind[node] == NodeKind::wait ? sums.others : is_host ? sums.host : sums.device);
    node = g.from[*edge];
  }
  take(step.window.start, sums.others);
}

Message gain_words(const BroadGain& gain) { return say("{} wins {}", gain.change, share_words(gain.gain)); }

}  // namespace

StepBound step_bound(const Profile& profile, const DependencyGraph& graph) {
  PathTimes sums;
  for (const GraphStep& step : graph.steps) add_path(profile, graph, step, sums);
  const Time all = sums.host + sums.collective + sums.device + sums.others;
  return {quotient(sums.host, all), quotient(sums.collective, all), quotient(sums.device, all)};
}

double scenario_gain(const ProfilePtr& profile, const DependencyGraph& graph, const WorkSelection& selection,
                     std::string_view change, double recorded) {
  const Result<Scenario> scenario = make_scenario(profile, graph, selection, change);
  return scenario ? quotient(recorded - predict(graph, scenario->change).mean, recorded) : kUnknownNumber;
}

std::vector<BroadGain> broad_gains(const ProfilePtr& profile, const DependencyGraph& graph, const WorkSelection& selection) {
  const double recorded = predict(graph, unchanged(graph)).mean;
  std::vector<BroadGain> gains;
  for (const char* change : {"host*0.5", "one-graph", "no-sync", "data-loading*0", "category:communication hidden"}) {
    const double gain = scenario_gain(profile, graph, selection, change, recorded);
    if (gain >= kLeastGain) gains.push_back({change, gain});
  }
  sort_down(gains, &BroadGain::gain);
  return gains;
}

Message bound_words(const StepBound& bound, const std::vector<BroadGain>& gains) {
  std::vector<Message> named;
  for (const BroadGain& gain : gains) {
    if (named.size() < kNamedGains) named.push_back(gain_words(gain));
  }
  const Message helps = named.empty() ? Message() : say("Of the broad changes, {}.", listed_messages("; ", named));
  const auto with_help = [&](Message why) { return helps.empty() ? why : sentences({std::move(why), helps}); };
  if (bound.host > kMost) {
    return with_help(
        say("The host bounds the steps: {} of the critical path is its code and its calls, so faster device work wins "
            "little.",
            share_words(bound.host)));
  }
  if (bound.collective > kMost) {
    return with_help(say("Collectives bound the steps: they are {} of the critical path.", share_words(bound.collective)));
  }
  if (bound.device > kMost) {
    return with_help(say("Device work bounds the steps: it is {} of the critical path, so a faster host wins little.",
                         share_words(bound.device)));
  }
  return helps;
}

Message no_gain_words(const StepBound& bound) {
  if (bound.host > kMost) {
    return say(
        "These changes gain nothing: the host bounds the steps. {} of the critical path is host code and calls, and none of "
        "these calls waits for this device work. A wait that the recording does not show counts as code of the host.",
        share_words(bound.host));
  }
  return "These changes gain nothing: no step ends earlier without this device work.";
}

}  // namespace sightline::analyses

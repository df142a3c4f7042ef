// Each change becomes new lengths of nodes. Factors on the host are gathered and applied together.
#include "analyses/whatif/scenario.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "analyses/costs/cost_sums.h"
#include "analyses/costs/costed_calls.h"
#include "analyses/whatif/host_calls.h"
#include "analyses/whatif/host_factors.h"
#include "base/fields.h"

namespace sightline::analyses {

namespace {

constexpr double kLargestFactor = 1000;
const std::string kGrammar =
    "kernel:NAME*0.5, operator:NAME*0.5, module:NAME*0.5, category:NAME*0.5, collective:NAME hidden, shorter:10us*0.5, host*0.5, "
    "host:NAME*0.5, "
    "data-loading*0, roofline, no-sync, one-graph; 'free' is *0, and device work may be at 'roofline'";

// ---- text ----

enum class Action : std::uint8_t { none, scale, hide, roofline };

// "kernel:gemm*0.5": what is selected, and what happens to it.
struct ChangeText {
  std::string_view subject;  // kernel, host, no-sync
  std::string_view name;     // gemm; empty: all
  Action action = Action::none;
  double factor = 1;
};

bool take_ending(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text = trimmed(text.substr(0, text.size() - ending.size()));
  return true;
}

// Takes the action off the end of `text`; false if a factor is out of range.
bool take_action(std::string_view& text, ChangeText& change) {
  if (take_ending(text, " free")) return change.action = Action::scale, change.factor = 0, true;
  if (take_ending(text, " hidden")) return change.action = Action::hide, true;
  if (take_ending(text, " roofline")) return change.action = Action::roofline, true;
  const std::size_t star = text.rfind('*');
  if (star == text.npos) return true;
  const std::string_view number = trimmed(text.substr(star + 1));
  double factor = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), factor);
  if (error != std::errc() || end != number.data() + number.size() || number.empty()) return true;  // part of a name
  change.action = Action::scale;
  change.factor = factor;
  text = trimmed(text.substr(0, star));
  return factor >= 0 && factor <= kLargestFactor;
}

// "10us" in ns.
std::optional<Time> time_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 3> kUnits{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}}};
  for (const auto& [unit, ns] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const std::string_view number = trimmed(text.substr(0, text.size() - unit.size()));
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc() && end == number.data() + number.size() && value > 0 && value < 1e9) return std::llround(value * ns);
  }
  return std::nullopt;
}

Error not_a_change(std::string_view text) {
  return {ErrorCode::invalid_argument, say("'{}' is no change; changes are: {}", std::string(text), kGrammar)};
}

Result<ChangeText> parse_change(std::string_view text) {
  ChangeText change;
  std::string_view rest = text;
  if (!take_action(rest, change))
    return Error{ErrorCode::invalid_argument, say("the factor of '{}' must be from 0 to 1000", std::string(text))};
  const std::size_t colon = rest.find(':');
  change.subject = trimmed(rest.substr(0, colon));
  if (colon != rest.npos) change.name = trimmed(rest.substr(colon + 1));
  if (change.name.size() > 1 && change.name.front() == '"' && change.name.back() == '"')
    change.name = change.name.substr(1, change.name.size() - 2);
  if (colon != rest.npos && change.name.empty()) return not_a_change(text);
  return change;
}

// ---- changes ----

class ScenarioMaker {
 public:
  ScenarioMaker(const ProfilePtr& profile, const DependencyGraph& graph, const WorkSelection& selection)
      : p_(*profile), g_(graph), selection_(selection) {
    made_.change = unchanged(graph);
  }

  Result<Scenario> make(std::string_view text) {
    for (const std::string_view one : split_changes(text)) {
      const Result<ChangeText> change = parse_change(one);
      if (!change) return change.error();
      part_ = {.text = std::string(one)};
      if (const auto error = apply(*change, one)) return *error;
      made_.parts.push_back(part_);
      made_.at_most |= part_.at_most;
    }
    std::vector<Time> recorded = g_.length;
    apply_host_factors(p_, g_, factors_, recorded);
    for (Node node = 0; node < g_.nodes(); ++node) {
      if (g_.kind[node] == NodeKind::work) continue;
      Time& length = made_.change.length[node];  // of a host: removed already, or as recorded
      length = length == g_.length[node] ? recorded[node] : std::min(length, recorded[node]);
    }
    if (const auto error = length_fault(made_.change)) return *error;
    return std::move(made_);
  }

 private:
  using Failure = std::optional<Error>;

  Failure apply(const ChangeText& change, std::string_view text) {
    if (change.name.empty() && change.action == Action::none) {
      if (change.subject == "no-sync") return remove_waits();
      if (change.subject == "one-graph") return join_launches();
      if (change.subject == "roofline") return to_roofline(all_work(), text);
    }
    if (change.action == Action::scale && change.subject == "host") return scale_host(change);
    if (change.action == Action::scale && change.subject == "data-loading" && change.name.empty()) return scale_loading(change);
    if (change.subject == "shorter" && change.action != Action::none) return apply_to_shorter(change, text);
    const auto group = std::find(kWorkGroupNames.begin(), kWorkGroupNames.end(), change.subject);
    if (group == kWorkGroupNames.end() || change.action == Action::none) return not_a_change(text);
    const auto selected = selection_.select(static_cast<WorkGroup>(group - kWorkGroupNames.begin()), change.name);
    if (!selected) return selected.error();
    part_.names = selected->names;
    return apply(change, text, selected->nodes);
  }

  // Kernels that take less than a time such as 10us.
  Failure apply_to_shorter(const ChangeText& change, std::string_view text) {
    const auto limit = time_of(change.name);
    if (!limit) return not_a_change(text);
    std::vector<Node> nodes;
    for (Node node = 0; node < g_.nodes(); ++node) {
      const bool is_kernel = g_.kind[node] == NodeKind::work && p_.slices.kind[g_.slice[node]] == SliceKind::kernel;
      if (is_kernel && g_.length[node] < *limit) nodes.push_back(node);
    }
    if (!nodes.empty()) return apply(change, text, nodes);
    return Error{ErrorCode::invalid_argument, say("no kernel takes less than {}", std::string(change.name))};
  }

  Failure apply(const ChangeText& change, std::string_view text, const std::vector<Node>& nodes) {
    count(nodes);
    if (change.action == Action::roofline) return to_roofline(nodes, text);
    if (change.action == Action::hide) return hide(nodes);
    part_.at_most = change.factor == 0;
    for (const Node node : nodes) scale(node, change.factor);
    return std::nullopt;
  }

  void count(const std::vector<Node>& nodes) {
    part_.works = std::ssize(nodes);
    for (const Node node : nodes) part_.time += g_.length[node];
  }

  void scale(Node node, double factor) {
    Time& length = made_.change.length[node];
    length = rounded(static_cast<double>(length) * factor);
  }

  std::vector<Node> all_work() {
    std::vector<Node> nodes;
    for (Node node = 0; node < g_.nodes(); ++node) {
      if (g_.kind[node] == NodeKind::work) nodes.push_back(node);
    }
    count(nodes);
    return nodes;
  }

  Failure hide(const std::vector<Node>& nodes) {
    part_.at_most = true;
    made_.change.hidden.resize(g_.nodes());
    for (const Node node : nodes) made_.change.hidden[node] = 1;
    return std::nullopt;
  }

  // Work of an operator with a cost takes the least time that the peaks allow, or its own if that is less.
  Failure to_roofline(const std::vector<Node>& nodes, std::string_view text) {
    part_.at_most = true;
    const CallCosts costs(p_);
    const std::vector<Row> call_of = calls_of_work(p_);
    std::vector<double> factor(p_.costed_calls.rows(), -1);
    std::int64_t changed = 0;
    for (const Node node : nodes) {
      const Row call = call_of[selection_.work_of(node)];
      if (call == kNoRow) continue;
      if (factor[call] < 0) {
        const CostSums sums = costs.of(call);
        const bool known = sums.attainable_time > 0 && sums.time > 0;
        factor[call] = known ? std::min(1.0, sums.attainable / static_cast<double>(sums.time)) : 1;
      }
      changed += factor[call] < 1;
      scale(node, factor[call]);
    }
    if (changed > 0) return std::nullopt;
    return Error{ErrorCode::invalid_argument,
                 say("'{}' changes nothing: no work here has a known cost and takes longer than the device's known peaks allow",
                     std::string(text))};
  }

  Failure remove_waits() {
    part_.at_most = true;
    made_.change.ignore_waits = true;
    for (Node node = 0; node < g_.nodes(); ++node) {
      if (g_.kind[node] != NodeKind::wait) continue;
      Time& length = made_.change.length[node];
      part_.time += std::max<Time>(0, length - kShortestWait);
      length = std::min(length, kShortestWait);
    }
    return std::nullopt;
  }

  // From the first launching call of each step to the last, the host does nothing but load data and wait.
  Failure join_launches() {
    part_.at_most = true;
    made_.change.ignore_launch_lag = true;
    std::vector<bool> launches(g_.nodes());
    for (Edge edge = 0; edge < g_.from.size(); ++edge)
      launches[g_.from[edge]] = launches[g_.from[edge]] || g_.edge_kind[edge] == EdgeKind::launch;
    HostFactor none{loading(), false, 0};
    std::vector<Time> length = g_.length;
    apply_host_factors(p_, g_, {none}, length);
    for (const GraphStep& step : g_.steps) {
      if (step.begin == kNoNode) continue;
      Node first = kNoNode, last = kNoNode;
      for (Node node = step.begin; node < step.end; ++node) {
        if (!launches[node]) continue;
        if (first == kNoNode) first = node;
        last = node;
      }
      for (Node node = first; first != kNoNode && node < last; ++node) {
        if (g_.kind[node + 1] == NodeKind::work || g_.kind[node + 1] == NodeKind::wait) continue;
        part_.time += made_.change.length[node + 1] - length[node + 1];
        made_.change.length[node + 1] = length[node + 1];
      }
    }
    return std::nullopt;
  }

  ChainSets loading() const {
    return host_intervals(p_, g_, [&](Row slice) { return p_.slices.kind[slice] == SliceKind::data_loading; });
  }

  Failure scale_loading(const ChangeText& change) {
    factors_.push_back({loading(), true, change.factor});
    part_.at_most = change.factor == 0;
    for (const auto& [chain, set] : factors_.back().sets) part_.time += total_length(set);
    if (part_.time > 0) return std::nullopt;
    return Error{ErrorCode::invalid_argument, "no range of this profile loads data"};
  }

  Failure scale_host(const ChangeText& change) {
    part_.at_most = change.factor == 0;
    if (change.name.empty()) {
      factors_.push_back({loading(), false, change.factor});
      for (Node node = 0; node < g_.nodes(); ++node) {
        if (g_.kind[node] != NodeKind::work && g_.kind[node] != NodeKind::wait) part_.time += g_.length[node];
      }
      return std::nullopt;
    }
    const StringId name = p_.strings.find(change.name);
    factors_.push_back({host_intervals(p_, g_, [&](Row slice) { return p_.slices.name[slice] == name; }), true, change.factor});
    part_.names = 1;
    for (const auto& [chain, set] : factors_.back().sets) part_.time += total_length(set);
    if (name != StringId::none && part_.time > 0) return std::nullopt;
    return Error{ErrorCode::invalid_argument,
                 say("nothing on the host is named '{}': give the whole name of an operator, a call or another range",
                     std::string(change.name))};
  }

  const Profile& p_;
  const DependencyGraph& g_;
  const WorkSelection& selection_;
  Scenario made_;
  ScenarioPart part_;
  std::vector<HostFactor> factors_;
};

}  // namespace

std::vector<std::string_view> split_changes(std::string_view text) {
  std::vector<std::string_view> changes;
  std::size_t first = 0;
  bool quoted = false;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '"') quoted = !quoted;
    if (at < text.size() && (quoted || (text[at] != ';' && text[at] != '\n'))) continue;
    if (const auto change = trimmed(text.substr(first, at - first)); !change.empty()) changes.push_back(change);
    first = at + 1;
  }
  return changes;
}

std::string change_of_name(std::string_view group, std::string_view name, std::string_view action) {
  if (name.find('"') != name.npos || name.empty()) return {};
  return std::string(group) + ":\"" + std::string(name) + "\"" + std::string(action);
}

std::optional<Error> length_fault(const GraphChange& change) {
  const double sum = std::accumulate(change.length.begin(), change.length.end(), 0.0);
  if (sum < kLongestNs) return std::nullopt;
  return Error{ErrorCode::invalid_argument, "the factors are too large: with them the work takes more than 30 years"};
}

Result<Scenario> make_scenario(const ProfilePtr& profile, const DependencyGraph& graph, const WorkSelection& selection,
                               std::string_view text) {
  return ScenarioMaker(profile, graph, selection).make(text);
}

Prediction predict(const DependencyGraph& graph, const GraphChange& change) {
  Prediction found{step_intervals(graph, change, replay(graph, change)), 0};
  found.mean = static_cast<double>(total_length(found.steps)) / static_cast<double>(std::max<std::size_t>(1, found.steps.size()));
  return found;
}

}  // namespace sightline::analyses

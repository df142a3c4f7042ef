#include "analyses/whatif/rank_scenario.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "analyses/columns.h"
#include "analyses/percentile.h"
#include "analyses/whatif/host_factors.h"
#include "analyses/whatif/rank_views.h"
#include "base/fields.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kRank = "rank:", kAsMedian = "as-median", kNoWaiting = "no-waiting";

// "rank:3 host*0.5": the rank, and the change on it. A name may be in double quotes.
struct RankText {
  std::string_view rank;  // empty: all
  std::string_view change;
};

RankText split_rank(std::string_view text) {
  if (!text.starts_with(kRank)) return {{}, text};
  text = trimmed(text.substr(kRank.size()));
  if (text.starts_with('"')) {
    const std::size_t end = text.find('"', 1);
    if (end != text.npos) return {text.substr(1, end - 1), trimmed(text.substr(end + 1))};
  }
  const std::size_t blank = std::min(text.find(' '), text.size());
  return {text.substr(0, blank), trimmed(text.substr(blank))};
}

// ---- as the median ----

// What a rank did in a step, beside collectives.
struct RankWork {
  std::map<std::string_view, Time> kernels;  // device work by name
  Time code = 0, loading = 0;                // of the host
};

// Nodes of the host inside a step: all but waits.
template <typename Visit>
void each_code(const GraphRank& rank, const GraphStep& step, Visit&& visit) {
  if (step.begin == kNoNode) return;
  for (Node node = step.begin + 1; node <= step.end; ++node) {
    const NodeKind kind = rank.graph->kind[node];
    if (kind == NodeKind::call || kind == NodeKind::mark) visit(node);
  }
}

template <typename Visit>
void each_kernel(const GraphRank& rank, const GraphStep& step, Visit&& visit) {
  const Profile& p = *rank.profile;
  for (std::uint32_t i = step.first_work; i < step.last_work; ++i) {
    const Node node = rank.graph->step_works[i];
    const Row slice = rank.graph->slice[node];
    if (p.slices.kind[slice] != SliceKind::collective) visit(node, p.text(p.slices.name[slice]));
  }
}

// By node: how much of its length is the loading of data.
std::vector<Time> loading_in(const GraphRank& rank) {
  const Profile& p = *rank.profile;
  std::vector<Time> length = rank.graph->length;
  const ChainSets sets =
      host_intervals(p, *rank.graph, [&](Row slice) { return p.slices.kind[slice] == SliceKind::data_loading; });
  apply_host_factors(p, *rank.graph, {{sets, false, 0}}, length);  // nothing but loading remains
  return length;
}

RankWork work_in(const GraphRank& rank, const GraphStep& step, const std::vector<Time>& loading) {
  RankWork work;
  each_kernel(rank, step, [&](Node node, std::string_view name) { work.kernels[name] += rank.graph->length[node]; });
  each_code(rank, step, [&](Node node) {
    work.loading += loading[node];
    work.code += rank.graph->length[node] - loading[node];
  });
  return work;
}

// Of the median of the others to its own; 1 where its own is 0 or no other has it.
double factor_of(Time own, std::vector<double> others) {
  if (own <= 0 || others.empty()) return 1;
  return median_of(others) / static_cast<double>(own);
}

Time scaled(Time length, double factor) { return rounded(static_cast<double>(length) * factor); }

class MedianMaker {
 public:
  MedianMaker(const RankGraph& graph, std::uint32_t rank) : g_(graph), rank_(rank), made_(unchanged(graph)) {
    for (const GraphRank& each : g_.ranks) loading_.push_back(loading_in(each));
  }

  RankChange make() {
    for (const JobStep& step : g_.steps) add(step);
    return std::move(made_);
  }

 private:
  void add(const JobStep& step) {
    RankWork own;
    std::map<std::string_view, std::vector<double>> kernels;
    std::vector<double> code, loading;
    for (std::uint32_t rank = 0; rank < g_.ranks.size(); ++rank) {
      if (g_.ranks[rank].summary->role != g_.ranks[rank_].summary->role) continue;  // other roles do other work
      RankWork work = work_in(g_.ranks[rank], g_.ranks[rank].graph->steps[step.steps[rank]], loading_[rank]);
      if (rank == rank_) {
        own = std::move(work);
        continue;
      }
      for (const auto& [name, time] : work.kernels) kernels[name].push_back(static_cast<double>(time));
      code.push_back(static_cast<double>(work.code));
      loading.push_back(static_cast<double>(work.loading));
    }
    const GraphRank& rank = g_.ranks[rank_];
    const GraphStep& mine = rank.graph->steps[step.steps[rank_]];
    std::vector<Time>& length = made_.ranks[rank_].length;
    each_kernel(rank, mine, [&](Node node, std::string_view name) {
      length[node] = scaled(rank.graph->length[node], factor_of(own.kernels[name], kernels[name]));
    });
    const double by_code = factor_of(own.code, code), by_loading = factor_of(own.loading, loading);
    each_code(rank, mine, [&](Node node) {
      const Time loads = loading_[rank_][node];
      length[node] = scaled(rank.graph->length[node] - loads, by_code) + scaled(loads, by_loading);
    });
  }

  const RankGraph& g_;
  const std::uint32_t rank_;
  RankChange made_;
  std::vector<std::vector<Time>> loading_;  // by rank and node
};

// ---- changes ----

// Adds what one change differs from the recording to another change.
void add_change(const DependencyGraph& graph, const GraphChange& from, GraphChange& to) {
  for (Node node = 0; node < graph.nodes(); ++node) {
    const Time recorded = graph.length[node];
    if (from.length[node] == recorded) continue;
    to.length[node] = to.length[node] == recorded || recorded == 0
                          ? from.length[node]
                          : scaled(to.length[node], static_cast<double>(from.length[node]) / static_cast<double>(recorded));
  }
  if (!from.hidden.empty()) {
    to.hidden.resize(graph.nodes());
    for (Node node = 0; node < graph.nodes(); ++node) to.hidden[node] |= from.hidden[node];
  }
  to.ignore_waits |= from.ignore_waits;
  to.ignore_launch_lag |= from.ignore_launch_lag;
}

class RankScenarioMaker {
 public:
  explicit RankScenarioMaker(const RankGraph& graph) : g_(graph) { made_.change = unchanged(graph); }

  Result<RankScenario> make(std::string_view text) {
    for (const std::string_view one : split_changes(text)) {
      const RankText of = split_rank(one);
      const auto ranks = ranks_of(of.rank);
      if (!ranks) return ranks.error();
      part_ = {.text = std::string(one)};
      if (const auto error = apply(of.change, *ranks)) return *error;
      made_.parts.push_back(part_);
      made_.at_most |= part_.at_most;
    }
    for (const GraphChange& change : made_.change.ranks) {
      if (const auto error = length_fault(change)) return *error;
    }
    return std::move(made_);
  }

 private:
  Result<std::vector<std::uint32_t>> ranks_of(std::string_view name) const {
    std::vector<std::uint32_t> found;
    std::string known;
    for (std::uint32_t i = 0; i < g_.ranks.size(); ++i) {
      const RankSummary& rank = *g_.ranks[i].summary;
      const std::string number = rank_name(g_.ranks[i]);
      if (name.empty() || number == name || rank.worker == name) found.push_back(i);
      known.append(known.empty() ? "" : ", ").append(number);
    }
    if (!found.empty()) return found;
    return Error{ErrorCode::invalid_argument,
                 say("no rank '{}' here; ranks with comparable clocks: {}", std::string(name), known)};
  }

  std::optional<Error> apply(std::string_view change, const std::vector<std::uint32_t>& ranks) {
    if (change == kAsMedian) {
      if (ranks.size() == g_.ranks.size())
        return Error{ErrorCode::invalid_argument, say("'{}' needs a rank: rank:N as-median", part_.text)};
      for (const std::uint32_t rank : ranks) add_median(rank);
      return std::nullopt;
    }
    if (change == kNoWaiting && ranks.size() == g_.ranks.size()) {
      made_.change.no_waiting = part_.at_most = true;
      part_.ranks = std::ssize(ranks);
      for (const std::uint32_t rank : ranks) part_.time += waiting_of(g_, rank);
      return std::nullopt;
    }
    return apply_on_each(change, ranks);
  }

  void add_median(std::uint32_t rank) {
    const DependencyGraph& graph = *g_.ranks[rank].graph;
    const RankChange median = as_median(g_, rank);
    for (Node node = 0; node < graph.nodes(); ++node) {
      const bool changed = median.ranks[rank].length[node] != graph.length[node];
      part_.works += changed && graph.kind[node] == NodeKind::work;
      part_.time += changed ? graph.length[node] : 0;
    }
    ++part_.ranks;
    add_change(graph, median.ranks[rank], made_.change.ranks[rank]);
  }

  // On the ranks that have what it names.
  std::optional<Error> apply_on_each(std::string_view change, const std::vector<std::uint32_t>& ranks) {
    std::optional<Error> first;
    for (const std::uint32_t rank : ranks) {
      const GraphRank& of = g_.ranks[rank];
      const WorkSelection selection(of.profile, *of.graph);
      const Result<Scenario> scenario = make_scenario(of.profile, *of.graph, selection, change);
      if (!scenario) {
        if (!first) first = scenario.error();
        continue;
      }
      for (const ScenarioPart& part : scenario->parts) {
        part_.works += part.works;
        part_.time += part.time;
        part_.at_most |= part.at_most;
      }
      ++part_.ranks;
      add_change(*of.graph, scenario->change, made_.change.ranks[rank]);
    }
    if (part_.ranks > 0) return std::nullopt;
    return first;
  }

  const RankGraph& g_;
  RankScenario made_;
  RankScenarioPart part_;
};

}  // namespace

bool is_about_ranks(std::string_view text) {
  const auto changes = split_changes(text);
  return std::any_of(changes.begin(), changes.end(),
                     [](std::string_view one) { return one.starts_with(kRank) || one == kNoWaiting; });
}

RankChange as_median(const RankGraph& graph, std::uint32_t rank) { return MedianMaker(graph, rank).make(); }

Time waiting_of(const RankGraph& graph, std::uint32_t rank) {
  Time waiting = 0;
  for (const JoinedCollective& one : graph.collectives) {
    for (const JoinedMember& member : graph.of(one)) {
      if (member.rank != rank || !member.waits) continue;
      waiting += std::max<Time>(0, one.arrival - (graph.ranks[rank].graph->time[member.node] + member.shift));
    }
  }
  return waiting;
}

Result<RankScenario> make_rank_scenario(const RankGraph& graph, std::string_view text) {
  return RankScenarioMaker(graph).make(text);
}

}  // namespace sightline::analyses

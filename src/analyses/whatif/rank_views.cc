#include "analyses/whatif/rank_views.h"

#include <algorithm>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

Message metric_text(const MetricDoc& of) { return of.text(); }

const std::string kJoined = "dependency graphs of the ranks, joined at their collectives";

std::int64_t joined(const RankGraph& graph) {
  return std::count_if(graph.collectives.begin(), graph.collectives.end(), [](const auto& one) { return one.members > 0; });
}

Time moved(const RankGraph& graph, const RankReplay& replayed) {
  Time most = 0;
  for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) {
    const DependencyGraph& own = *graph.ranks[rank].graph;
    for (Node node = 0; node < own.nodes(); ++node) most = std::max(most, std::abs(replayed.times[rank][node] - own.time[node]));
  }
  return most;
}

double recorded_mean(const RankGraph& graph) {
  Time all = 0;
  for (const JobStep& step : graph.steps) all += step.window.length();
  return quotient(static_cast<double>(all), static_cast<double>(graph.steps.size()));
}

}  // namespace

Result<RankGraph> rank_graph_of(const AnalysisInput& input) {
  std::vector<std::size_t> order(input.ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto number = [&](std::size_t i) { return input.ranks[i]->rank == kUnknown ? INT64_MAX : input.ranks[i]->rank; };
  sort_up(order, [&](std::size_t each) { return number(each); });
  if (input.ranks.size() < 2) return join_ranks_of(input.ranks, {});  // which says why it cannot
  const Result<std::vector<ProfilePtr>> opened = input.open_ranks();
  if (!opened) return opened.error();
  if (opened->size() != input.ranks.size())
    return Error{ErrorCode::unsupported, "the ranks of this span are sums of a job, without the profiles that could be joined",
                 ""};
  std::vector<RankSummaryPtr> ranks;
  std::vector<ProfilePtr> profiles;
  for (const std::size_t i : order) {
    ranks.push_back(input.ranks[i]);
    profiles.push_back((*opened)[i]);
  }
  return join_ranks_of(ranks, profiles);
}

std::string rank_name(const GraphRank& rank) {
  if (rank.summary->rank == kUnknown) return rank.summary->worker;
  const std::string number = std::to_string(rank.summary->rank);
  return rank.summary->role.empty() ? number : rank.summary->role + " " + number;
}

Message rank_scope(const RankGraph& graph) {
  const Message ranks = count_words(std::ssize(graph.ranks), "{} rank", "{} ranks");
  if (!graph.ranks.front().summary->has_recorded_steps) return say("{}, the whole recording", ranks);
  if (graph.steps.size() == 1) return say("{}, step {}", ranks, graph.steps.front().number);
  return say("{}, steps {} to {}", ranks, graph.steps.front().number, graph.steps.back().number);
}

std::vector<Note> rank_notes(const RankGraph& graph) {
  std::vector<Note> notes;
  for (const auto& [rank, why] : graph.left_out) {
    notes.push_back({Note::Level::warning,
                     say("{} is left out, because its clock cannot be compared with the others: {}", rank->worker, why)});
  }
  const std::int64_t partial = std::count_if(graph.collectives.begin(), graph.collectives.end(),
                                             [](const auto& one) { return one.members > 0 && one.partial; });
  if (partial > 0) {
    notes.push_back({Note::Level::warning,
                     say("{} with ranks that were not recorded: waiting for them counts as transfer and keeps its length.",
                         count_words(partial, "{} collective is", "{} collectives are"))});
  }
  if (graph.contradicting > 0) {
    notes.push_back(
        {Note::Level::warning,
         say("{} not joined, because they end on a rank before the last rank comes to them, or contradict the order of "
             "others. They keep their length.",
             count_words(graph.contradicting, "{} collective is", "{} collectives are"))});
  }
  const auto add_not_joined = [&](std::int64_t count, Message why) {
    if (count > 0)
      notes.push_back({Note::Level::info, say("{} not joined: {}. They keep their length.",
                                              count_words(count, "{} collective is", "{} collectives are"), std::move(why))});
  };
  add_not_joined(graph.unknown_roles, "the recording does not state which rank is the root or the sender");
  add_not_joined(graph.absent_root, "the rank that they go to or come from is not here");
  add_not_joined(graph.unmatched, "they are on one rank only, or it is not known which collective of another rank they are");
  add_not_joined(graph.on_host, "they ran on the host, where it is not recorded which thread waits for them");
  return notes;
}

FactSheet rank_facts(const RankGraph& graph) {
  const RankReplay replayed = replay(graph, unchanged(graph));
  FactSheet sheet;
  sheet.facts = {
      {"Recorded step", cell(recorded_mean(graph)), Unit::ns,
       metric_text(
           {"Mean length of the job's steps: from the end of the step before it on all ranks to its own end on all ranks.",
            "sum of lengths / number of steps", kJoined})},
      {"Replayed step", cell(replayed.mean), Unit::ns,
       metric_text({"The same after a replay without any change.", "sum of lengths / number of steps", kJoined})},
      {"Nodes", Cell{static_cast<std::int64_t>(graph.nodes())}, Unit::count,
       metric_text({"Calls, ends of waits, marks of steps and device work, of all ranks.", "number of nodes", kJoined})},
      {"Moved by at most", Cell{moved(graph, replayed)}, Unit::ns,
       metric_text({"How far the replay without any change moves a node of any rank. It checks the bookkeeping of the replay; it "
                    "does not show "
                    "how true a prediction is.",
                    "largest difference of a node's replayed and recorded time", kJoined})},
      {"Collectives joined", Cell{joined(graph)}, Unit::count,
       metric_text(
           {"Collectives that end on each rank only after the last rank has come to them.", "number of collectives", kJoined})},
      {"Not joined", Cell{graph.matched - joined(graph)}, Unit::count,
       metric_text(
           {"Other collectives that are matched across ranks: they keep their length.", "number of collectives", kJoined})}};
  return sheet;
}

std::optional<Message> joined_ranks_unavailable(const Profile& profile) {
  const auto is_on_device = [&](Row slice) { return profile.slices.kind[slice] == SliceKind::collective; };
  if (std::any_of(profile.collectives.slice.begin(), profile.collectives.slice.end(), is_on_device)) return std::nullopt;
  return "no collectives of a device in this profile: its ranks cannot be joined";
}

}  // namespace sightline::analyses

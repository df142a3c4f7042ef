#include "analyses/whatif/rank_graph.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "analyses/columns.h"
#include "analyses/facts.h"
#include "analyses/ranks/stuck_groups.h"
#include "model/stated_names.h"

namespace sightline::analyses {

namespace {

// ---- which ranks ----

void add_ranks(RankGraph& g, std::span<const RankSummaryPtr> ranks, std::span<const ProfilePtr> profiles,
               const std::vector<RankClock>& clocks) {
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (!clocks[i].is_known()) {
      g.left_out.emplace_back(ranks[i], clocks[i].why);
      continue;
    }
    auto graph = dependency_graph(profiles[i]);
    std::vector<std::uint32_t> none(graph->nodes(), kNoMember);
    g.ranks.push_back({profiles[i], ranks[i], std::move(graph), clocks[i], std::move(none)});
  }
}

// By slice: its node of device work.
std::vector<Node> nodes_of_slices(const GraphRank& rank) {
  std::vector<Node> nodes(rank.profile->slices.rows(), kNoNode);
  for (Node node = 0; node < rank.graph->nodes(); ++node) {
    if (rank.graph->kind[node] == NodeKind::work) nodes[rank.graph->slice[node]] = node;
  }
  return nodes;
}

// ---- which collectives ----

class Joiner {
 public:
  Joiner(RankGraph& graph, std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match)
      : g_(graph), ranks_(ranks), match_(match), rank_of_(ranks.size(), kNoMember) {
    for (std::uint32_t i = 0, known = 0; i < ranks.size() && known < g_.ranks.size(); ++i) {
      if (g_.ranks[known].summary == ranks[i]) rank_of_[i] = known++;
    }
    for (const GraphRank& rank : g_.ranks) nodes_.push_back(nodes_of_slices(rank));
  }

  void run() {
    for (const MatchedCollective& one : match_.matched) join(one);
    join_transfers();
  }

 private:
  // What a rank does in a collective.
  struct Role {
    bool waits, awaited;
  };

  const RankCollective& collective(const CollectiveMember& member) const {
    return ranks_[member.rank]->collectives[member.index];
  }

  void join(const MatchedCollective& one) {
    std::vector<CollectiveMember> here;
    for (const CollectiveMember& member : match_.of(one)) {
      if (rank_of_[member.rank] != kNoMember) here.push_back(member);
    }
    if (here.size() < 2) return;
    ++g_.matched;
    std::vector<JoinedMember> members;
    for (const CollectiveMember& member : here) {
      if (node_of(member) == kNoNode) {
        ++g_.on_host;
        return;
      }
      members.push_back(member_of(member));
    }
    if (set_roles(here, members)) add(std::move(members), one.partial || here.size() < one.members);
  }

  Node node_of(const CollectiveMember& member) const {
    const Row slice = collective(member).slice;
    return slice == kNoRow ? kNoNode : nodes_[rank_of_[member.rank]][slice];
  }

  JoinedMember member_of(const CollectiveMember& member) const {
    const std::uint32_t rank = rank_of_[member.rank];
    const Node node = node_of(member);
    const Time end = g_.ranks[rank].graph->end_of(node);
    return {.rank = rank, .collective = 0, .node = node, .shift = g_.ranks[rank].clock.on_axis(end) - end, .transfer = 0};
  }

  // ---- who waits for whom ----

  // False, and counted, if it is not known.
  bool set_roles(const std::vector<CollectiveMember>& here, std::vector<JoinedMember>& members) {
    const CollectiveKind kind = collective(here.front()).kind;
    if (ends_together(kind)) return true;
    bool any_awaited = false, any_waits = false;
    for (std::size_t i = 0; i < here.size(); ++i) {
      const auto role = role_of(here[i]);
      if (!role) {
        ++g_.unknown_roles;
        return false;
      }
      members[i].waits = role->waits;
      members[i].awaited = role->awaited;
      any_waits |= role->waits;
      any_awaited |= role->awaited;
    }
    if (any_waits && any_awaited) return true;
    ++g_.absent_root;
    return false;
  }

  std::optional<Role> role_of(const CollectiveMember& member) const {
    const CollectiveKind kind = collective(member).kind;
    if (kind == CollectiveKind::send) return Role{.waits = false, .awaited = true};
    if (kind == CollectiveKind::receive) return Role{.waits = true, .awaited = false};
    const bool from_root = kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter;
    const bool to_root = kind == CollectiveKind::reduce || kind == CollectiveKind::gather;
    if (!from_root && !to_root) return std::nullopt;
    const auto root = root_of(member);
    if (!root) return std::nullopt;
    const bool is_root = *root == ranks_[member.rank]->rank;
    return from_root ? Role{.waits = !is_root, .awaited = is_root} : Role{.waits = is_root, .awaited = true};
  }

  // A fact of the innermost range of the host around the call that has it; NaN if none has it.
  double fact_of(const CollectiveMember& member, std::string_view name) const {
    const Profile& p = *g_.ranks[rank_of_[member.rank]].profile;
    const FactName fact(p, {name});
    const auto& slices = p.device_work.slice;
    const auto work = std::lower_bound(slices.begin(), slices.end(), collective(member).slice);
    if (work == slices.end() || *work != collective(member).slice || !fact.is_known()) return kUnknownReal;
    for (Row range = p.device_work.owner[static_cast<std::size_t>(work - slices.begin())]; range != kNoRow;
         range = p.slices.parent[range]) {
      const double number = fact_number(p, range, fact);
      if (!std::isnan(number)) return number;
    }
    return kUnknownReal;
  }

  // The rank in the job of a collective's root. Only with the list of the group's ranks, because the root is an index of it.
  std::optional<std::int64_t> root_of(const CollectiveMember& member) const {
    const RankSummary& rank = *ranks_[member.rank];
    const std::vector<std::int64_t> group = ranks_in(rank.texts[collective(member).group_ranks]);
    const double root = fact_of(member, model::stated::kCollectiveRank);
    if (!(root >= 0 && root < static_cast<double>(group.size())) || rank.rank == kUnknown) return std::nullopt;
    return group[static_cast<std::size_t>(root)];
  }

  // ---- transfers from rank to rank in larger groups ----
  // The matching leaves these out. Where the calls state the other rank, the k-th transfer from a rank to another in a step of
  // the same number is one, if both have equally many there.

  struct TransferKey {
    std::string group;
    std::int64_t from, to, step;
    friend auto operator<=>(const TransferKey&, const TransferKey&) = default;
  };
  struct Transfers {
    std::vector<CollectiveMember> sends, receives;
  };

  void join_transfers() {
    std::map<TransferKey, Transfers> all;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      if (rank_of_[rank] == kNoMember) continue;
      for (std::uint32_t i = 0; i < ranks_[rank]->collectives.size(); ++i) {
        if (match_.match_of[rank][i] == kNoMatch) add_transfer({rank, i}, all);
      }
    }
    for (const auto& [key, transfers] : all) {
      const std::size_t sends = transfers.sends.size(), receives = transfers.receives.size();
      if (sends != receives) {
        g_.unmatched += static_cast<std::int64_t>(sends + receives);
        continue;
      }
      for (std::size_t i = 0; i < sends; ++i) join_transfer(transfers.sends[i], transfers.receives[i]);
    }
  }

  void add_transfer(const CollectiveMember& member, std::map<TransferKey, Transfers>& all) {
    const RankSummary& rank = *ranks_[member.rank];
    const RankCollective& one = collective(member);
    if (node_of(member) == kNoNode) return;
    const bool sends = one.kind == CollectiveKind::send;
    if ((!sends && one.kind != CollectiveKind::receive) || rank.rank == kUnknown) {
      ++g_.unmatched;
      return;
    }
    const double other = fact_of(member, sends ? model::stated::kTargetRank : model::stated::kSourceRank);
    if (std::isnan(other)) {
      ++g_.unmatched;
      return;
    }
    const auto peer = static_cast<std::int64_t>(other);
    Transfers& to = all[{.group = group_key(rank, one),
                         .from = sends ? rank.rank : peer,
                         .to = sends ? peer : rank.rank,
                         .step = one.step == kNoStep ? kUnknown : rank.steps[one.step].number}];
    (sends ? to.sends : to.receives).push_back(member);
  }

  void join_transfer(const CollectiveMember& send, const CollectiveMember& receive) {
    std::vector<JoinedMember> members{member_of(send), member_of(receive)};
    ++g_.matched;
    set_roles({send, receive}, members);
    add(std::move(members), false);
  }

  // ---- arrivals ----

  Time arrival_of(const JoinedMember& member) const { return g_.ranks[member.rank].graph->time[member.node] + member.shift; }

  void add(std::vector<JoinedMember> members, bool partial) {
    JoinedCollective made{.first = static_cast<std::uint32_t>(g_.members.size()),
                          .members = static_cast<std::uint32_t>(members.size()),
                          .awaited = 0,
                          .last = kNoMember,
                          .arrival = 0,
                          .partial = partial};
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      if (!members[i].awaited) continue;
      ++made.awaited;
      if (made.last == kNoMember || arrival_of(members[i]) > arrival_of(members[made.last])) made.last = i;
    }
    made.arrival = arrival_of(members[made.last]);
    made.last += made.first;
    for (JoinedMember& member : members) {
      member.collective = static_cast<std::uint32_t>(g_.collectives.size());
      const Time end = g_.ranks[member.rank].graph->end_of(member.node) + member.shift;
      member.transfer = end - std::max(made.arrival, arrival_of(member));
      const double spread = g_.ranks[member.rank].clock.spread;
      const double slack = static_cast<double>(kLeastLimit) + (std::isnan(spread) ? 0 : spread);
      if (member.waits && static_cast<double>(-member.transfer) > slack) {
        ++g_.contradicting;
        return;
      }
    }
    for (const JoinedMember& member : members) {
      g_.ranks[member.rank].member_of[member.node] = static_cast<std::uint32_t>(g_.members.size());
      g_.members.push_back(member);
    }
    g_.collectives.push_back(made);
  }

  RankGraph& g_;
  std::span<const RankSummaryPtr> ranks_;
  const CollectiveMatch& match_;
  std::vector<std::uint32_t> rank_of_;  // by rank of `ranks_`: of RankGraph::ranks
  std::vector<std::vector<Node>> nodes_;
};

// ---- the order ----

// Each rank goes on until it needs the end of a collective in which it waits for a rank that has not come to it. If all ranks
// wait, the collective that came first is not one: its matching, or an inferred dependency, is wrong.
class Scheduler {
 public:
  explicit Scheduler(RankGraph& graph) : g_(graph), next_(graph.ranks.size(), 0), came_(graph.collectives.size(), 0) {}

  void run() {
    while (!is_done()) {
      bool moved = false;
      for (std::uint32_t rank = 0; rank < g_.ranks.size(); ++rank) moved = go_on(rank) || moved;
      if (!moved) take_out_first();
    }
  }

 private:
  bool is_done() const {
    for (std::size_t rank = 0; rank < next_.size(); ++rank) {
      if (next_[rank] < g_.ranks[rank].graph->nodes()) return false;
    }
    return true;
  }

  // Whether the end of a member that has come is known.
  bool is_resolved(const JoinedMember& member) const {
    return !member.waits || came_[member.collective] == g_.collectives[member.collective].awaited;
  }

  // The collective that the node has to wait for; kNoMember: none.
  std::uint32_t missing(std::uint32_t rank, Node node) const {
    const DependencyGraph& graph = *g_.ranks[rank].graph;
    for (Edge edge = graph.first_edge[node]; edge < graph.first_edge[node + 1]; ++edge) {
      if (graph.edge_kind[edge] == EdgeKind::launch || graph.edge_kind[edge] == EdgeKind::order) continue;
      const std::uint32_t member = g_.ranks[rank].member_of[graph.from[edge]];
      if (member != kNoMember && !is_resolved(g_.members[member])) return g_.members[member].collective;
    }
    return kNoMember;
  }

  bool go_on(std::uint32_t rank) {
    const Node first = next_[rank];
    Node& node = next_[rank];
    for (; node < g_.ranks[rank].graph->nodes() && missing(rank, node) == kNoMember; ++node) {
      const std::uint32_t member = g_.ranks[rank].member_of[node];
      if (member != kNoMember) came_[g_.members[member].collective] += g_.members[member].awaited;
    }
    if (node > first) g_.turns.push_back({rank, node});
    return node > first;
  }

  void take_out_first() {
    std::uint32_t first = kNoMember;
    for (std::uint32_t rank = 0; rank < next_.size(); ++rank) {
      if (next_[rank] == g_.ranks[rank].graph->nodes()) continue;
      const std::uint32_t one = missing(rank, next_[rank]);
      if (first == kNoMember || g_.collectives[one].arrival < g_.collectives[first].arrival) first = one;
    }
    for (const JoinedMember& member : g_.of(g_.collectives[first])) g_.ranks[member.rank].member_of[member.node] = kNoMember;
    g_.collectives[first].members = g_.collectives[first].awaited = 0;
    came_[first] = 0;
    ++g_.contradicting;
  }

  RankGraph& g_;
  std::vector<Node> next_;
  std::vector<std::uint32_t> came_;  // by collective: how many of its awaited members
};

// ---- steps ----

// Numbers that all ranks have, once each.
void add_steps(RankGraph& g) {
  std::map<std::int64_t, JobStep> steps;
  for (std::uint32_t rank = 0; rank < g.ranks.size(); ++rank) {
    const auto& own = g.ranks[rank].graph->steps;
    for (std::uint32_t i = 0; i < own.size(); ++i) {
      JobStep& step = steps[own[i].number];
      step.number = own[i].number;
      if (step.steps.size() == rank) step.steps.push_back(i);
    }
  }
  for (auto& [number, step] : steps) {
    if (step.steps.size() == g.ranks.size()) g.steps.push_back(std::move(step));
  }
  std::vector<std::vector<Interval>> windows;
  for (const GraphRank& rank : g.ranks) {
    windows.emplace_back();
    for (const GraphStep& step : rank.graph->steps) windows.back().push_back(step.window);
  }
  const std::vector<Interval> job = job_intervals(g, windows);
  for (std::size_t i = 0; i < job.size(); ++i) g.steps[i].window = job[i];
}

Message names_and_reasons(const RankGraph& g) {
  std::vector<Message> reasons;
  for (const auto& [rank, why] : g.left_out) reasons.push_back(say("{}: {}", rank->worker, why));
  return listed_messages("; ", std::move(reasons));
}

}  // namespace

std::size_t RankGraph::nodes() const {
  return std::accumulate(ranks.begin(), ranks.end(), std::size_t{0},
                         [](std::size_t sum, const GraphRank& rank) { return sum + rank.graph->nodes(); });
}

std::vector<Interval> job_intervals(const RankGraph& g, const std::vector<std::vector<Interval>>& steps) {
  std::vector<Interval> job;
  for (std::size_t i = 0; i < g.steps.size(); ++i) {
    const JobStep& step = g.steps[i];
    Interval window{kUnknown, kUnknown};
    for (std::size_t rank = 0; rank < g.ranks.size(); ++rank) {
      const Interval own = steps[rank][step.steps[rank]];
      const Time start = g.ranks[rank].clock.on_axis(own.start), end = g.ranks[rank].clock.on_axis(own.end);
      window.start = rank == 0 ? start : std::min(window.start, start);
      window.end = rank == 0 ? end : std::max(window.end, end);
    }
    if (i > 0) {
      const bool follows = step.number == g.steps[i - 1].number + 1;
      window.start = follows ? job.back().end : std::max(window.start, job.back().end);
    }
    window.end = std::max(window.end, window.start);
    job.push_back(window);
  }
  return job;
}

Result<RankGraph> join_ranks_of(std::span<const RankSummaryPtr> ranks, std::span<const ProfilePtr> profiles) {
  RankGraph g;
  const auto refused = [](Message why) { return Error{ErrorCode::unsupported, std::move(why), ""}; };
  if (ranks.size() < 2) return refused("this span has one worker, so there is no other rank to wait for");
  const CollectiveMatch match = match_collectives(ranks);
  add_ranks(g, ranks, profiles, align_clocks(ranks, match));
  if (g.ranks.size() < 2) {
    return refused(
        say("the clocks of the ranks cannot be compared, so the last rank of a collective is unknown: {}", names_and_reasons(g)));
  }
  Joiner(g, ranks, match).run();
  if (g.collectives.empty()) {
    if (g.on_host > 0) return refused("the collectives of these ranks ran on the host: only those of devices are joined");
    if (g.unknown_roles > 0)
      return refused(
          "the recording does not state the root or the sender of the collectives that are matched across these ranks");
    return refused("no collective of a device is matched across these ranks, so no rank waits for another");
  }
  Scheduler(g).run();
  const auto is_joined = [](const JoinedCollective& one) { return one.members > 0; };
  if (std::none_of(g.collectives.begin(), g.collectives.end(), is_joined))
    return refused("the ranks run their collectives in contradicting orders, so none of them can be joined");
  add_steps(g);
  if (g.steps.empty()) return refused("the ranks have no step of the same number");
  return g;
}

RankChange unchanged(const RankGraph& graph) {
  RankChange change;
  for (const GraphRank& rank : graph.ranks) change.ranks.push_back(unchanged(*rank.graph));
  return change;
}

namespace {

// One joined collective during a replay: its awaited members that have come.
struct Arrivals {
  std::uint32_t came = 0;
  Time last = 0;  // on the axis
};

class RankReplayer {
 public:
  RankReplayer(const RankGraph& graph, RankChange& change)
      : g_(graph), change_(change), arrivals_(graph.collectives.size()), has_come_(graph.members.size()) {
    for (std::size_t rank = 0; rank < g_.ranks.size(); ++rank) ranks_.emplace_back(*g_.ranks[rank].graph, change_.ranks[rank]);
    next_.assign(g_.ranks.size(), 0);
  }

  std::vector<std::vector<Time>> run() {
    for (const RankGraph::Turn& turn : g_.turns) go_on(turn);
    std::vector<std::vector<Time>> times;
    for (Replayer& rank : ranks_) times.push_back(rank.take_times());
    return times;
  }

 private:
  // Stops at each joined collective: what comes after it may depend on its end.
  void go_on(const RankGraph::Turn& turn) {
    for (Node& node = next_[turn.rank]; node < turn.until; ++node) {
      const std::uint32_t member = g_.ranks[turn.rank].member_of[node];
      if (member == kNoMember) continue;
      ranks_[turn.rank].advance(node + 1);
      has_come_[member] = true;
      arrive(g_.members[member]);
    }
    ranks_[turn.rank].advance(turn.until);
  }

  Time start_of(const JoinedMember& member) const { return ranks_[member.rank].times()[member.node]; }

  void arrive(const JoinedMember& member) {
    Arrivals& here = arrivals_[member.collective];
    const JoinedCollective& one = g_.collectives[member.collective];
    if (!member.awaited) {
      if (here.came == one.awaited) set_length(member, here.last);
      return;
    }
    const Time came = start_of(member) + member.shift;
    here.last = here.came == 0 ? came : std::max(here.last, came);
    if (++here.came < one.awaited) return;
    for (std::uint32_t i = one.first; i < one.first + one.members; ++i) {
      if (has_come_[i]) set_length(g_.members[i], here.last);
    }
  }

  // As long after the last arrival as recorded; longer or shorter by the factor of the change.
  void set_length(const JoinedMember& member, Time arrival) {
    Time& length = change_.ranks[member.rank].length[member.node];
    const Time recorded = g_.ranks[member.rank].graph->length[member.node];
    if (!member.waits) return;
    Time transfer = member.transfer;
    if (length != recorded && recorded > 0)
      transfer = std::llround(static_cast<double>(transfer) * static_cast<double>(length) / static_cast<double>(recorded));
    const Time start = start_of(member);
    const Time from = change_.no_waiting ? start : std::max(start, arrival - member.shift);
    length = std::max<Time>(0, from + transfer - start);
  }

  const RankGraph& g_;
  RankChange& change_;
  std::vector<Arrivals> arrivals_;
  std::vector<bool> has_come_;  // by member
  std::vector<Replayer> ranks_;
  std::vector<Node> next_;
};

}  // namespace

RankReplay replay(const RankGraph& graph, RankChange change) {
  RankReplay found;
  found.times = RankReplayer(graph, change).run();
  for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank)
    found.steps.push_back(step_intervals(*graph.ranks[rank].graph, change.ranks[rank], found.times[rank]));
  for (GraphChange& rank : change.ranks) found.lengths.push_back(std::move(rank.length));
  found.job = job_intervals(graph, found.steps);
  found.mean = quotient(static_cast<double>(total_length(found.job)), static_cast<double>(found.job.size()));
  return found;
}

}  // namespace sightline::analyses

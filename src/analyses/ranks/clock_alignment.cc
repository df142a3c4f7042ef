// Pairs of ranks are edges, each with the differences of the ends that both have. Of a collective, each rank is paired with the
// first one, and with the first one of its host. The clocks follow from the reference along the edges with the least spread.
#include "analyses/ranks/clock_alignment.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <tuple>

#include "analyses/percentile.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::int64_t kFewestForDrift = 15;
constexpr Time kHopCost = 1'000;  // ns of spread that a way through fewer ranks is worth
constexpr std::ptrdiff_t kMostShift = 16;
constexpr std::size_t kMostInOrder = 20'000;
constexpr double kClearlyBetter = 4;  // spread of the second best shift / spread of the best

// ---- one pair ----

struct EndPair {
  Time at = 0;          // end on the second rank
  Time difference = 0;  // second - first, by the Unix times of the files where all have them
  Time length = 0;      // of the transfer
};

template <typename Value>
std::vector<double> values_of(std::span<const EndPair> pairs, Value&& value) {
  std::vector<double> values;
  values.reserve(pairs.size());
  for (const EndPair& pair : pairs) values.push_back(value(pair));
  return values;
}

struct Fit {
  std::int64_t ends = 0;
  double offset = 0, spread = 0, drift = kUnknownNumber;
  Time at = 0;  // of the second rank
  double limit = 0;

  bool accepted() const { return ends >= kFewestEnds && spread <= limit; }
};

// The slope between the medians of the first and the last third, which no single outlier moves.
double drift_of(std::span<const EndPair> pairs) {
  const std::size_t third = pairs.size() / 3;
  const auto centre = [](std::span<const EndPair> part) {
    return std::pair(median_of(values_of(part, [](const EndPair& p) { return static_cast<double>(p.at); })),
                     median_of(values_of(part, [](const EndPair& p) { return static_cast<double>(p.difference); })));
  };
  const auto [first_at, first] = centre(pairs.first(third));
  const auto [last_at, last] = centre(pairs.last(third));
  return (last - first) / (last_at - first_at);
}

Fit fit_of(std::vector<EndPair> pairs) {
  Fit fit{.ends = std::ssize(pairs)};
  std::sort(pairs.begin(), pairs.end(), [](const EndPair& a, const EndPair& b) { return a.at < b.at; });
  fit.at = pairs[pairs.size() / 2].at;
  const bool long_enough = pairs.back().at - pairs.front().at > kDriftFrom && fit.ends >= kFewestForDrift;
  if (long_enough) fit.drift = drift_of(pairs);
  const double slope = long_enough ? fit.drift : 0;
  std::vector<double> rest = values_of(
      pairs, [&](const EndPair& p) { return static_cast<double>(p.difference) - slope * static_cast<double>(p.at - fit.at); });
  std::sort(rest.begin(), rest.end());
  fit.offset = quantile(rest, 0.5);
  fit.spread = quantile(rest, 0.75) - quantile(rest, 0.25);
  const double length = median_of(values_of(pairs, [](const EndPair& p) { return static_cast<double>(p.length); }));
  fit.limit = std::max(static_cast<double>(kLeastLimit), kLimitShare * length);
  return fit;
}

struct Edge {
  std::uint32_t from = 0, to = 0;
  ClockRule rule = ClockRule::collective_ends;
  Fit fit;
  bool measured = true;  // else no collective tells the spread

  // One clock is better than two that were compared.
  double cost() const { return rule == ClockRule::one_clock ? 0 : static_cast<double>(kHopCost) + fit.spread; }
};

Message refusal(const Edge& edge) {
  if (edge.fit.ends < kFewestEnds) {
    return say("{} of the collectives that end together are matched with another rank; {} are needed", edge.fit.ends,
               kFewestEnds);
  }
  return say("the ends of {} matched collectives differ by {} (interquartile range), more than the limit of {}", edge.fit.ends,
             time_words(edge.fit.spread), time_words(edge.fit.limit));
}

// ---- all ranks ----

class Alignment {
 public:
  Alignment(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match, std::uint32_t reference)
      : ranks_(ranks), match_(match), reference_(reference), clocks_(ranks.size()) {
    const auto knows = [](const RankSummaryPtr& rank) { return rank->origin_unix_ns != kUnknown; };
    has_origins_ = std::all_of(ranks.begin(), ranks.end(), knows);
  }

  std::vector<RankClock> run() {
    for (std::uint32_t i = 0; i < ranks_.size(); ++i) clocks_[i].origin = origin(i) - origin(reference_);
    find_first_of_hosts();
    add_ends();
    add_one_clocks();
    clocks_[reference_].rule = ClockRule::reference;
    clocks_[reference_].offset = clocks_[reference_].spread = clocks_[reference_].drift = 0;
    clocks_[reference_].through = reference_;
    spread_from({reference_});
    add_by_order();
    for (std::uint32_t i = 0; i < ranks_.size(); ++i) {
      if (!clocks_[i].is_known() && clocks_[i].why.empty()) clocks_[i].why = why_unknown(i);
    }
    check_transfers();
    return std::move(clocks_);
  }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  Time origin(std::uint32_t rank) const { return has_origins_ ? ranks_[rank]->origin_unix_ns : 0; }
  const RankCollective& collective(const CollectiveMember& member) const {
    return ranks_[member.rank]->collectives[member.index];
  }

  void find_first_of_hosts() {
    std::map<std::string, std::uint32_t> first;
    for (std::uint32_t i = 0; i < ranks_.size(); ++i) {
      const std::string& host = ranks_[i]->host;
      first_of_host_.push_back(host.empty() || !has_origins_ ? i : first.try_emplace(host, i).first->second);
    }
  }

  EndPair pair_of(const CollectiveMember& a, const CollectiveMember& b, Time length) const {
    const Time first = collective(a).interval.end, second = collective(b).interval.end;
    return {second, (second - first) + (origin(b.rank) - origin(a.rank)), length};
  }

  // Without numbers and steps, the k-th of one rank may be the (k+1)-th of another, whose recording began earlier.
  bool is_surely_matched(const CollectiveMember& member) const {
    return collective(member).sequence != kUnknown || ranks_[member.rank]->has_recorded_steps;
  }

  void add_ends() {
    std::map<Pair, std::vector<EndPair>> ends;
    for (const MatchedCollective& one : match_.matched) {
      const auto members = match_.of(one);
      if (!ends_together(collective(members[0]).kind) || !is_surely_matched(members[0])) continue;
      for (const CollectiveMember& member : members.subspan(1)) {
        ends[{members[0].rank, member.rank}].push_back(pair_of(members[0], member, one.transfer));
      }
      add_ends_of_hosts(members, one.transfer, ends);
    }
    for (auto& [pair, list] : ends) add_edge({pair.first, pair.second, ClockRule::collective_ends, fit_of(std::move(list))});
  }

  // Also with the first rank of the same host, where that is not the first of all.
  void add_ends_of_hosts(std::span<const CollectiveMember> members, Time length, std::map<Pair, std::vector<EndPair>>& ends) {
    std::map<std::uint32_t, const CollectiveMember*> here;
    for (const CollectiveMember& member : members) {
      const std::uint32_t first = first_of_host_[member.rank];
      if (first == member.rank) here.emplace(first, &member);
      const auto at = here.find(first);
      if (at == here.end() || first == member.rank || first == members[0].rank) continue;
      ends[{first, member.rank}].push_back(pair_of(*at->second, member, length));
    }
  }

  void add_edge(const Edge& edge) {
    edges_.push_back(edge);
    by_pair_[{edge.from, edge.to}] = edges_.size() - 1;
  }

  // Ranks of one host have one clock, unless their collectives say otherwise, and say it clearly.
  void add_one_clocks() {
    for (std::uint32_t i = 0; i < ranks_.size(); ++i) {
      const std::uint32_t first = first_of_host_[i];
      if (first == i) continue;
      const auto known = by_pair_.find({first, i});
      if (known == by_pair_.end()) {
        edges_.push_back({first, i, ClockRule::one_clock, {.ends = kFewestEnds, .at = 0, .limit = 1}, false});
        continue;
      }
      Fit& fit = edges_[known->second].fit;
      if (fit.accepted() && std::abs(fit.offset) > fit.limit) continue;
      Edge same{first, i, ClockRule::one_clock, fit};
      same.measured = fit.accepted();
      same.fit.offset = 0;
      same.fit.drift = kUnknownNumber;
      edges_.push_back(same);
    }
  }

  bool is_usable(const Edge& edge) const { return edge.rule == ClockRule::one_clock || edge.fit.accepted(); }

  // Takes the clocks of further ranks from those that are known, the ways with the least spread first.
  void spread_from(const std::vector<std::uint32_t>& known) {
    std::vector<std::vector<std::size_t>> of(ranks_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (!is_usable(edges_[e])) continue;
      of[edges_[e].from].push_back(e);
      of[edges_[e].to].push_back(e);
    }
    using Way = std::tuple<double, std::size_t, std::uint32_t>;  // cost, edge, the rank at its end
    std::priority_queue<Way, std::vector<Way>, std::greater<>> ways;
    const auto add_ways = [&](std::uint32_t rank, double cost) {
      for (const std::size_t e : of[rank]) {
        const std::uint32_t other = edges_[e].from == rank ? edges_[e].to : edges_[e].from;
        if (!clocks_[other].is_known()) ways.emplace(cost + edges_[e].cost(), e, other);
      }
    };
    for (const std::uint32_t rank : known) add_ways(rank, 0);
    while (!ways.empty()) {
      const auto [cost, edge, rank] = ways.top();
      ways.pop();
      if (clocks_[rank].is_known()) continue;
      follow(edges_[edge], rank);
      add_ways(rank, cost);
    }
  }

  void follow(const Edge& edge, std::uint32_t to) {
    const std::uint32_t from = edge.from == to ? edge.to : edge.from;
    const RankClock& before = clocks_[from];
    RankClock& clock = clocks_[to];
    const double sign = edge.to == to ? 1 : -1;
    const Time moved = origin(edge.to) - origin(edge.from);
    clock.at = edge.to == to ? edge.fit.at : edge.fit.at + moved;
    const Time at_before = edge.to == to ? edge.fit.at + moved : edge.fit.at;
    const double drift_before = std::isnan(before.drift) ? 0 : before.drift;
    clock.offset = before.offset + drift_before * static_cast<double>(at_before - before.at) + sign * edge.fit.offset;
    clock.drift = std::isnan(edge.fit.drift) ? before.drift : drift_before + sign * edge.fit.drift;
    if (from == reference_ && std::isnan(edge.fit.drift)) clock.drift = kUnknownNumber;
    clock.spread = edge.measured ? before.spread + edge.fit.spread : kUnknownNumber;
    const std::int64_t ends = edge.measured ? edge.fit.ends : 0;
    clock.ends = from == reference_ ? ends : std::min(ends, before.ends);
    clock.through = from;
    clock.rule = edge.rule;
    clock.why = {};
  }

  // ---- by order ----

  // What is equal on all ranks of a collective that carries no number.
  std::vector<std::pair<std::string, const RankCollective*>> unnumbered(std::uint32_t number) const {
    const RankSummary& rank = *ranks_[number];
    std::vector<std::pair<std::string, const RankCollective*>> list;
    for (const RankCollective& one : rank.collectives) {
      if (!ends_together(one.kind) || one.sequence != kUnknown || list.size() == kMostInOrder) continue;
      list.emplace_back(group_key(rank, one) + '\n' + rank.texts[one.name] + '\n' + std::to_string(one.in_bytes), &one);
    }
    return list;
  }

  // The fit with the `shift`-th collective of the second rank as the first of the first; nothing if the names differ.
  template <typename List>
  std::optional<Fit> shifted_fit(std::uint32_t rank, const List& first, const List& second, std::ptrdiff_t shift) const {
    std::vector<EndPair> pairs;
    const Time moved = origin(rank) - origin(reference_);
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -shift); i < std::ssize(first) && i + shift < std::ssize(second); ++i) {
      const auto& [name, a] = first[static_cast<std::size_t>(i)];
      const auto& [other, b] = second[static_cast<std::size_t>(i + shift)];
      if (name != other) return std::nullopt;
      pairs.push_back(
          {b->interval.end, b->interval.end - a->interval.end + moved, std::min(a->interval.length(), b->interval.length())});
    }
    if (std::ssize(pairs) < kFewestEnds) return std::nullopt;
    return fit_of(std::move(pairs));
  }

  void add_by_order() {
    const auto first = unnumbered(reference_);
    if (first.empty()) return;
    std::vector<std::uint32_t> found;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      if (clocks_[rank].is_known()) continue;
      const auto second = unnumbered(rank);
      if (second.empty()) continue;
      std::optional<Fit> best;
      double next = std::numeric_limits<double>::infinity();
      for (std::ptrdiff_t shift = -kMostShift; shift <= kMostShift; ++shift) {
        const std::optional<Fit> fit = shifted_fit(rank, first, second, shift);
        if (!fit) continue;
        if (!best || fit->spread < best->spread) {
          if (best) next = best->spread;
          best = fit;
        } else {
          next = std::min(next, fit->spread);
        }
      }
      if (!best) continue;
      const Edge edge{reference_, rank, ClockRule::order_of_ends, *best};
      if (!best->accepted()) {
        clocks_[rank].why = refusal(edge);
      } else if (next < kClearlyBetter * std::max(best->spread, 1.0)) {
        clocks_[rank].why = "its collectives carry no number, and more than one order of them fits those of the reference";
      } else {
        edges_.push_back(edge);
        follow(edge, rank);
        found.push_back(rank);
      }
    }
    if (!found.empty()) spread_from(found);
  }

  // ---- why not ----

  Message why_unknown(std::uint32_t rank) const {
    const Edge* best = nullptr;
    bool has_accepted = false;
    for (const Edge& edge : edges_) {
      if (edge.from != rank && edge.to != rank) continue;
      has_accepted |= is_usable(edge);
      if (best == nullptr || edge.fit.ends > best->fit.ends) best = &edge;
    }
    if (best == nullptr) return "no collective that ends on all its ranks together is matched with another rank";
    if (has_accepted) return "its collectives are with ranks whose clocks are not known either";
    return refusal(*best);
  }

  // ---- transfers from rank to rank: a receiver ends after its sender has begun ----

  void check_transfers() {
    for (const MatchedCollective& one : match_.matched) {
      const auto members = match_.of(one);
      if (members.size() != 2) continue;
      for (const auto& [from, to] : {std::pair(members[0], members[1]), std::pair(members[1], members[0])}) {
        const RankCollective &sent = collective(from), &received = collective(to);
        const bool is_transfer = sent.kind == CollectiveKind::send && received.kind == CollectiveKind::receive;
        if (!is_transfer || !clocks_[from.rank].is_known() || !clocks_[to.rank].is_known()) continue;
        const double slack = std::max(sum_of_spreads(from.rank, to.rank), static_cast<double>(kLeastLimit));
        const Time early = clocks_[from.rank].on_axis(sent.interval.start) - clocks_[to.rank].on_axis(received.interval.end);
        for (const std::uint32_t rank : {from.rank, to.rank}) {
          ++clocks_[rank].checked;
          clocks_[rank].violated += static_cast<double>(early) > slack;
        }
      }
    }
  }

  double sum_of_spreads(std::uint32_t a, std::uint32_t b) const {
    const auto known = [](double spread) { return std::isnan(spread) ? 0 : spread; };
    return known(clocks_[a].spread) + known(clocks_[b].spread);
  }

  std::span<const RankSummaryPtr> ranks_;
  const CollectiveMatch& match_;
  std::uint32_t reference_;
  bool has_origins_ = false;
  std::vector<std::uint32_t> first_of_host_;  // by rank; itself where the host is not known
  std::vector<Edge> edges_;
  std::map<Pair, std::size_t> by_pair_;  // of the ends of collectives
  std::vector<RankClock> clocks_;
};

}  // namespace

bool ends_together(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
    case CollectiveKind::barrier: return true;
    default: return false;
  }
}

Time RankClock::on_axis(Time own) const {
  const double drifted = std::isnan(drift) ? 0 : drift * static_cast<double>(own - at);
  return own + origin - static_cast<Time>(std::llround(offset + drifted));
}

std::vector<RankClock> align_clocks(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match,
                                    std::uint32_t reference) {
  if (ranks.empty()) return {};
  return Alignment(ranks, match, reference).run();
}

}  // namespace sightline::analyses

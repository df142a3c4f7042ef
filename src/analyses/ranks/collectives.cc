// Matching by sorting: every collective gets a key that is equal on all ranks, and equal keys are together. Then sums, and times
// by worker and step.
#include "analyses/ranks/collectives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

#include "analyses/columns.h"
#include "model/kind_names.h"

namespace sightline::analyses {

// ---- matching ----

namespace {

// Send and receive are one operation of two ranks.
constexpr CollectiveKind kPointToPoint = CollectiveKind::send_receive;

CollectiveKind family(CollectiveKind kind) {
  return kind == CollectiveKind::send || kind == CollectiveKind::receive ? kPointToPoint : kind;
}

// Whether all ranks contribute the same number of bytes.
bool same_size_everywhere(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce: return true;
    default: return false;
  }
}

// The part of the key that is equal on all ranks, before calls with the same key are numbered.
struct Key {
  std::uint32_t group;
  MatchKey match;
  friend bool operator==(const Key&, const Key&) = default;
  friend auto operator<=>(const Key&, const Key&) = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t h = 0xcbf29ce484222325;
    const MatchKey& match = key.match;
    for (const std::uint64_t part : {std::uint64_t{key.group}, static_cast<std::uint64_t>(match.family) * 2 + match.by_order,
                                     static_cast<std::uint64_t>(match.number), static_cast<std::uint64_t>(match.bytes)}) {
      h = (h ^ part) * 0x9E3779B97F4A7C15;
      h ^= h >> 32;
    }
    return h;
  }
};

struct Entry {
  Key key;
  std::uint32_t occurrence;
  CollectiveMember member;
};

class Matching {
 public:
  explicit Matching(std::span<const RankSummaryPtr> ranks) : ranks_(ranks) {}

  CollectiveMatch run() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) add_rank(rank);
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.key, a.occurrence, a.member.rank) < std::tie(b.key, b.occurrence, b.member.rank);
    });
    for (std::size_t from = 0; from < entries_.size();) {
      std::size_t to = from;
      while (to < entries_.size() && entries_[to].key == entries_[from].key) ++to;
      match_key(std::span(entries_).subspan(from, to - from));
      from = to;
    }
    return std::move(match_);
  }

 private:
  const RankCollective& collective(const CollectiveMember& member) const {
    return ranks_[member.rank]->collectives[member.index];
  }

  // Groups of one name on different ranks stay separate.
  std::uint32_t group_of(const RankSummary& rank, const RankCollective& one) {
    const std::string text = group_key(rank, one);
    return groups_.try_emplace(text, static_cast<std::uint32_t>(groups_.size())).first->second;
  }

  void add_rank(std::uint32_t number) {
    const RankSummary& rank = *ranks_[number];
    std::unordered_map<Key, std::uint32_t, KeyHash> seen;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> groups;  // by the two texts
    match_.match_of.emplace_back(rank.collectives.size(), kNoMatch);
    match_.collectives += std::ssize(rank.collectives);
    for (std::uint32_t i = 0; i < rank.collectives.size(); ++i) {
      const RankCollective& one = rank.collectives[i];
      const std::optional<MatchKey> match = match_key_of(rank, one);
      if (!match) {
        ++match_.point_to_point;
        continue;
      }
      const auto [group, is_new] = groups.try_emplace({one.group, one.group_ranks}, 0);
      if (is_new) group->second = group_of(rank, one);
      const Key key{group->second, *match};
      entries_.push_back({key, seen[key]++, {number, i}});
    }
  }

  // All of one key: the k-th of each rank are one collective.
  void match_key(std::span<const Entry> entries) {
    if (entries.front().key.match.by_order && !equally_many(entries)) {
      match_.unequal += std::ssize(entries);
      return;
    }
    for (std::size_t from = 0; from < entries.size();) {
      std::size_t to = from;
      while (to < entries.size() && entries[to].occurrence == entries[from].occurrence) ++to;
      if (to - from > 1) {
        add_match(entries.subspan(from, to - from));
      } else {
        ++match_.alone;
      }
      from = to;
    }
  }

  static bool equally_many(std::span<const Entry> entries) {
    const auto first = std::count_if(entries.begin(), entries.end(), [](const Entry& e) { return e.occurrence == 0; });
    const std::uint32_t most = entries.back().occurrence;
    return std::ssize(entries) == first * (std::int64_t{most} + 1);
  }

  void add_match(std::span<const Entry> entries) {
    MatchedCollective one{.first = static_cast<std::uint32_t>(match_.members.size()),
                          .members = static_cast<std::uint32_t>(entries.size())};
    one.transfer = std::numeric_limits<Time>::max();
    Time second = std::numeric_limits<Time>::max(), sum = 0;
    for (const Entry& entry : entries) {
      match_.members.push_back(entry.member);
      match_.match_of[entry.member.rank][entry.member.index] = static_cast<std::uint32_t>(match_.matched.size());
      const Time length = collective(entry.member).interval.length();
      sum += length;
      one.longest = std::max(one.longest, length);
      if (length < one.transfer) {
        second = one.transfer;
        one.transfer = length;
        one.last_rank = entry.member.rank;
      } else {
        second = std::min(second, length);
      }
    }
    one.waited = sum - one.transfer * std::ssize(entries);
    one.delay = second - one.transfer;
    const std::int64_t size = collective(entries.front().member).group_size;
    one.partial = size != kUnknown && size > std::ssize(entries);
    if (entries.front().key.match.by_order) match_.by_order += std::ssize(entries);
    match_.matched.push_back(one);
  }

  std::span<const RankSummaryPtr> ranks_;
  std::unordered_map<std::string, std::uint32_t> groups_;
  std::vector<Entry> entries_;
  CollectiveMatch match_;
};

}  // namespace

std::string group_key(const RankSummary& rank, const RankCollective& one) {
  const std::string own = rank.texts[one.group] + '\n' + rank.texts[one.group_ranks];
  return rank.role.empty() ? own : rank.role + '\n' + own;
}

std::optional<MatchKey> match_key_of(const RankSummary& rank, const RankCollective& one) {
  const CollectiveKind of = family(one.kind);
  if (of == kPointToPoint && one.group_size != 2) return std::nullopt;
  if (one.sequence != kUnknown) return MatchKey{.family = of, .number = one.sequence};
  return MatchKey{.family = of,
                  .by_order = true,
                  .number = one.step == kNoStep ? kUnknown : rank.steps[one.step].number,
                  .bytes = same_size_everywhere(one.kind) ? one.in_bytes : 0};
}

CollectiveMatch match_collectives(std::span<const RankSummaryPtr> ranks) { return Matching(ranks).run(); }

std::int64_t message_bytes(const RankCollective& one, std::int64_t ranks) {
  const auto times_ranks = [&](std::int64_t bytes) {
    std::int64_t all = 0;
    const bool known = bytes != kUnknown && ranks != kUnknown && !__builtin_mul_overflow(bytes, ranks, &all);
    return known ? all : kUnknown;
  };
  const auto [in_bytes, out_bytes] = std::pair(one.in_bytes, one.out_bytes);
  switch (one.kind) {
    case CollectiveKind::all_gather: return out_bytes != kUnknown ? out_bytes : times_ranks(in_bytes);
    case CollectiveKind::gather: return times_ranks(in_bytes);
    case CollectiveKind::reduce_scatter: return in_bytes != kUnknown ? in_bytes : times_ranks(out_bytes);
    case CollectiveKind::scatter: return times_ranks(out_bytes);
    case CollectiveKind::receive: return out_bytes != kUnknown ? out_bytes : in_bytes;
    case CollectiveKind::barrier: return kUnknown;
    default: return in_bytes != kUnknown ? in_bytes : out_bytes;
  }
}

double bus_factor(CollectiveKind kind, std::int64_t ranks) {
  if (ranks < 2) return kUnknownNumber;
  const double n = static_cast<double>(ranks);
  switch (kind) {
    case CollectiveKind::all_reduce: return 2 * (n - 1) / n;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
    case CollectiveKind::gather:
    case CollectiveKind::scatter: return (n - 1) / n;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
    case CollectiveKind::send:
    case CollectiveKind::receive:
    case CollectiveKind::send_receive: return 1;
    case CollectiveKind::unknown:
    case CollectiveKind::barrier: break;
  }
  return kUnknownNumber;
}

// ---- sums by worker and operation, and over all workers by kind and size ----

namespace {

std::string group_words(const RankSummary& rank, const RankCollective& one) {
  const std::string& about = rank.texts[one.group_about];
  return about.empty() ? rank.texts[one.group] : about;
}

void add_call(OperationSums& sums, const RankCollective& one, const MatchedCollective* match) {
  ++sums.calls;
  sums.latency += one.interval.length();
  if (one.in_bytes != kUnknown) {
    ++sums.sized;
    sums.bytes += one.in_bytes;
  }
  if (match == nullptr) return;
  ++sums.matched;
  sums.transfer += match->transfer;
  sums.waiting += one.interval.length() - match->transfer;
}

}  // namespace

bool is_in_step(const RankSummary& rank, const RankCollective& one, std::optional<std::int64_t> step) {
  return !step || (one.step != kNoStep && rank.steps[one.step].number == *step);
}

std::vector<OperationSums> operation_sums(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match,
                                          std::optional<std::int64_t> step) {
  std::vector<OperationSums> all;
  for (std::uint32_t number = 0; number < ranks.size(); ++number) {
    const RankSummary& rank = *ranks[number];
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> known;  // name, group, the group's description
    for (std::size_t i = 0; i < rank.collectives.size(); ++i) {
      const RankCollective& one = rank.collectives[i];
      if (!is_in_step(rank, one, step)) continue;
      const auto [at, is_new] = known.try_emplace({one.name, one.group, one.group_about}, all.size());
      if (is_new) {
        const std::string& name = rank.texts[one.name];
        const bool is_known = one.kind != CollectiveKind::unknown;
        all.push_back({.rank = number,
                       .title = is_known ? std::string(collective_kind_name(one.kind)) : name,
                       .name = name,
                       .group = group_words(rank, one)});
      }
      const std::uint32_t matched = match.match_of[number][i];
      add_call(all[at->second], one, matched == kNoMatch ? nullptr : &match.matched[matched]);
    }
  }
  return all;
}

std::vector<BandwidthSums> bandwidth_sums(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match,
                                          std::optional<std::int64_t> step) {
  std::map<std::tuple<CollectiveKind, std::string, std::int64_t, std::int64_t>, BandwidthSums> sums;
  for (const MatchedCollective& one : match.matched) {
    const auto members = match.of(one);
    const RankSummary& rank = *ranks[members[0].rank];
    const RankCollective& first = rank.collectives[members[0].index];
    if (!is_in_step(rank, first, step)) continue;
    const std::int64_t size = first.group_size == kUnknown ? one.members : first.group_size;
    CollectiveKind kind = first.kind;
    std::int64_t bytes = kUnknown;  // ranks of an all_to_all may have different sizes: the largest takes longest
    for (const CollectiveMember& member : members) {
      const RankCollective& other = ranks[member.rank]->collectives[member.index];
      bytes = std::max(bytes, message_bytes(other, size));
      if (other.kind != first.kind) kind = CollectiveKind::send_receive;  // whichever end has the lower rank
    }
    const std::string& about = rank.texts[first.group_about];
    BandwidthSums& to = sums[{kind, about, size, bytes}];
    if (to.collectives++ == 0) {
      to.kind = kind;
      to.group = about;
      to.ranks = size;
      to.bytes = bytes;
    }
    to.waited += one.waited;
    to.members += one.members;
    if (one.transfer <= 0) continue;
    to.fastest = to.timed++ == 0 ? one.transfer : std::min(to.fastest, one.transfer);
    to.transfer += one.transfer;
  }
  std::vector<BandwidthSums> rows;
  rows.reserve(sums.size());
  for (auto& [key, row] : sums) rows.push_back(std::move(row));
  return rows;
}

double BandwidthSums::algorithm_bandwidth() const {
  if (bytes == kUnknown) return kUnknownNumber;
  return per_second(static_cast<double>(bytes) * static_cast<double>(timed), transfer);
}

double BandwidthSums::bus_bandwidth() const { return algorithm_bandwidth() * bus_factor(kind, ranks); }

double BandwidthSums::best_bus_bandwidth() const {
  if (bytes == kUnknown) return kUnknownNumber;
  return per_second(static_cast<double>(bytes), fastest) * bus_factor(kind, ranks);
}

// ---- outliers among a few figures ----
// Dixon's ratios. Critical values to 30 figures: Dixon 1951, confidence 99.5% on one side; above: the 99.5% quantile over 300,000
// samples of normal figures each, linear between the sizes that were sampled. collectives_test.cc samples again.

namespace {

constexpr std::array<double, 28> kCritical = {0.994, 0.926, 0.821, 0.740, 0.680, 0.725, 0.677, 0.639, 0.713, 0.675,
                                              0.649, 0.674, 0.647, 0.624, 0.605, 0.589, 0.575, 0.562, 0.551, 0.541,
                                              0.532, 0.524, 0.516, 0.508, 0.501, 0.495, 0.489, 0.483};
constexpr std::size_t kFewest = 3, kMost = 100;

struct Sampled {
  double figures, critical;
};
constexpr std::array<Sampled, 10> kSampled = {{{30, 0.483},
                                               {35, 0.460},
                                               {40, 0.439},
                                               {45, 0.424},
                                               {50, 0.410},
                                               {60, 0.389},
                                               {70, 0.372},
                                               {80, 0.359},
                                               {90, 0.349},
                                               {100, 0.342}}};

}  // namespace

double dixon_critical_value(std::size_t n) {
  if (n - kFewest < kCritical.size()) return kCritical[n - kFewest];
  const auto count = static_cast<double>(n);
  const auto* after = std::find_if(kSampled.begin(), kSampled.end(), [&](const Sampled& s) { return s.figures >= count; });
  const auto* before = after - 1;
  const double part = (count - before->figures) / (after->figures - before->figures);
  return before->critical + part * (after->critical - before->critical);
}

bool is_least_outlying(std::span<const double> x) {
  const std::size_t n = x.size();
  if (n < kFewest) return false;
  if (n > kMost) {
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(n);
    double squares = 0;
    for (const double figure : x) squares += (figure - mean) * (figure - mean);
    return x.front() < mean - 3 * std::sqrt(squares / static_cast<double>(n - 1));
  }
  const std::size_t next = n <= 10 ? 1 : 2;
  const std::size_t top = n <= 7 ? n - 1 : n <= 13 ? n - 2 : n - 3;
  const double range = x[top] - x[0];
  return range > 0 && (x[next] - x[0]) / range > dixon_critical_value(n);
}

// ---- RankTimes: what each worker did in each step, given the matched collectives ----

namespace {

constexpr double RankTimes::*kAll[] = {&RankTimes::total,         &RankTimes::computation, &RankTimes::overlap,
                                       &RankTimes::communication, &RankTimes::other,       &RankTimes::transfer,
                                       &RankTimes::waiting,       &RankTimes::unmatched,   &RankTimes::caused,
                                       &RankTimes::delay,         &RankTimes::last,        &RankTimes::outlying};

struct Parts {
  IntervalSet transfer, waiting, unmatched;
};

// A collective's data moves at its end, as long as on the rank that came last.
Parts parts_of(const RankSummary& rank, const std::vector<std::uint32_t>& match_of, const CollectiveMatch& match) {
  IntervalSet all, matched;
  std::vector<Interval> moving;
  for (std::size_t i = 0; i < rank.collectives.size(); ++i) {
    const Interval interval = rank.collectives[i].interval;
    extend(all, interval);
    if (match_of[i] == kNoMatch) continue;
    extend(matched, interval);
    moving.push_back({interval.end - match.matched[match_of[i]].transfer, interval.end});
  }
  Parts parts;
  parts.transfer = merge(std::move(moving));
  parts.waiting = subtract(matched, parts.transfer);
  parts.unmatched = subtract(all, matched);
  return parts;
}

double length_in(const IntervalSet& set, Interval window) { return static_cast<double>(length_within(set, window)); }

std::vector<RankTimes> times_of_steps(const RankSummary& rank, const Parts& parts) {
  std::vector<RankTimes> steps;
  for (const RankStep& step : rank.steps) {
    RankTimes times;
    times.total = static_cast<double>(step.window.length());
    times.computation = static_cast<double>(step.computation);
    times.overlap = static_cast<double>(step.overlap);
    times.communication = static_cast<double>(step.communication);
    times.other = static_cast<double>(step.other);
    times.transfer = length_in(parts.transfer, step.window);
    times.waiting = length_in(parts.waiting, step.window);
    times.unmatched = length_in(parts.unmatched, step.window);
    steps.push_back(times);
  }
  return steps;
}

// Whether the shortest time in it is an outlier: then its rank came so late that chance does not explain it. Only if all its
// ranks are here, and only for collectives in which every rank takes part.
bool is_last_outlying(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match, const MatchedCollective& one) {
  std::vector<double> lengths;
  for (const CollectiveMember& member : match.of(one)) {
    const RankCollective& call = ranks[member.rank]->collectives[member.index];
    if (one.partial || is_transfer(call.kind)) return false;
    lengths.push_back(static_cast<double>(call.interval.length()));
  }
  std::sort(lengths.begin(), lengths.end());
  return is_least_outlying(lengths);
}

void add_causes(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match, std::vector<TimesOfRank>& times) {
  for (const MatchedCollective& one : match.matched) {
    const auto members = match.of(one);
    const auto last = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.rank == one.last_rank; });
    const std::uint32_t step = ranks[last->rank]->collectives[last->index].step;
    if (step == kNoStep) continue;
    RankTimes& at = times[last->rank].steps[step];
    at.caused += static_cast<double>(one.waited);
    at.delay += static_cast<double>(one.delay);
    at.last += 1;
    at.outlying += is_last_outlying(ranks, match, one);
  }
}

void add_mean(TimesOfRank& times) {
  for (const RankTimes& step : times.steps) {
    if (step.total <= 0) continue;
    ++times.counted;
    for (const auto member : kAll) times.mean.*member += step.*member;
  }
  if (times.counted == 0) return;
  for (const auto member : kAll) times.mean.*member /= static_cast<double>(times.counted);
}

}  // namespace

std::vector<TimesOfRank> times_of_ranks(std::span<const RankSummaryPtr> ranks, const CollectiveMatch& match) {
  std::vector<TimesOfRank> times(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    times[i].steps = times_of_steps(*ranks[i], parts_of(*ranks[i], match.match_of[i], match));
  }
  add_causes(ranks, match, times);
  for (TimesOfRank& of_rank : times) add_mean(of_rank);
  return times;
}

}  // namespace sightline::analyses

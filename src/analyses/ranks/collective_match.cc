// Matching by sorting: every collective gets a key that is equal on all ranks, and equal keys are together.
#include "analyses/ranks/collective_match.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace sightline::analyses {

namespace {

// What two ranks do to send from one to the other.
constexpr CollectiveKind kPointToPoint = CollectiveKind::send_receive;

CollectiveKind family(CollectiveKind kind) {
  return kind == CollectiveKind::send || kind == CollectiveKind::receive ? kPointToPoint : kind;
}

// Whether all ranks put the same number of bytes in.
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

constexpr std::int64_t kNoNumber = std::numeric_limits<std::int64_t>::min();

// What is equal on all ranks, but for the count of such before it.
struct Key {
  std::uint32_t group;
  CollectiveKind family;
  bool by_order;
  std::int64_t number;  // in sequence; by order: of the step
  std::int64_t bytes;   // by order
  friend bool operator==(const Key&, const Key&) = default;
  friend auto operator<=>(const Key&, const Key&) = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t h = 0xcbf29ce484222325;
    for (const std::uint64_t part : {std::uint64_t{key.group}, static_cast<std::uint64_t>(key.family) * 2 + key.by_order,
                                     static_cast<std::uint64_t>(key.number), static_cast<std::uint64_t>(key.bytes)}) {
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

  // Groups by their name and the list of their ranks, so that groups of one name on different ranks stay apart.
  std::uint32_t group_of(const RankSummary& rank, const RankCollective& one) {
    const std::string text = rank.texts[one.group] + '\n' + rank.texts[one.group_ranks];
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
      if (family(one.kind) == kPointToPoint && one.group_size != 2) {
        ++match_.point_to_point;
        continue;
      }
      const auto [group, is_new] = groups.try_emplace({one.group, one.group_ranks}, 0);
      if (is_new) group->second = group_of(rank, one);
      Key key{.group = group->second,
              .family = family(one.kind),
              .by_order = one.sequence == kUnknown,
              .number = one.sequence,
              .bytes = 0};
      if (key.by_order) {
        key.number = one.step == kNoStep ? kNoNumber : rank.steps[one.step].number;
        if (same_size_everywhere(one.kind)) key.bytes = one.in_bytes;
      }
      entries_.push_back({key, seen[key]++, {number, i}});
    }
  }

  // All of one key: the k-th of each rank are one collective.
  void match_key(std::span<const Entry> entries) {
    if (entries.front().key.by_order && !equally_many(entries)) {
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
    if (entries.front().key.by_order) match_.by_order += std::ssize(entries);
    match_.matched.push_back(one);
  }

  std::span<const RankSummaryPtr> ranks_;
  std::unordered_map<std::string, std::uint32_t> groups_;
  std::vector<Entry> entries_;
  CollectiveMatch match_;
};

}  // namespace

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
  if (ranks < 2) return std::numeric_limits<double>::quiet_NaN();
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
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace sightline::analyses

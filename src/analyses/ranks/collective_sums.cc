// Sums of collectives, one pass over what was matched.
#include "analyses/ranks/collective_sums.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace sightline::analyses {

namespace {

std::string group_words(const RankSummary& rank, const RankCollective& one) {
  const std::string& about = rank.texts[one.group_about];
  return about.empty() ? rank.texts[one.group] : about;
}

double per_second(double bytes, Time ns) {
  return ns > 0 ? bytes / (static_cast<double>(ns) * 1e-9) : std::numeric_limits<double>::quiet_NaN();
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
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> known;  // name, group, what it is called
    for (std::size_t i = 0; i < rank.collectives.size(); ++i) {
      const RankCollective& one = rank.collectives[i];
      if (!is_in_step(rank, one, step)) continue;
      const auto [at, is_new] = known.try_emplace({one.name, one.group, one.group_about}, all.size());
      if (is_new) {
        all.push_back({.rank = number, .name = rank.texts[one.name], .group = group_words(rank, one)});
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
  if (bytes == kUnknown) return std::numeric_limits<double>::quiet_NaN();
  return per_second(static_cast<double>(bytes) * static_cast<double>(timed), transfer);
}

double BandwidthSums::bus_bandwidth() const { return algorithm_bandwidth() * bus_factor(kind, ranks); }

double BandwidthSums::best_bus_bandwidth() const {
  if (bytes == kUnknown) return std::numeric_limits<double>::quiet_NaN();
  return per_second(static_cast<double>(bytes), fastest) * bus_factor(kind, ranks);
}

}  // namespace sightline::analyses

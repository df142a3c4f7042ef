// Sums over the tables that hold what files state.
#include "analyses/ranks/rank_stated.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "analyses/ranks/link_kinds.h"

namespace sightline::analyses {

namespace {

// Adds what is known; a sum of nothing stays unknown.
void add(std::int64_t& sum, std::int64_t value) {
  if (value != kUnknown) sum = sum == kUnknown ? value : sum + value;
}

std::vector<StatedStep> steps_of(const Profile& profile) {
  const ReportedSteps& sums = profile.reported_steps;
  std::vector<StatedStep> steps;
  std::map<std::pair<StringId, std::int64_t>, std::size_t> known;
  const auto member_of = [](std::string_view name) -> Time StatedStep::* {
    if (name == "Computing") return &StatedStep::computing;
    if (name == "Overlapped") return &StatedStep::overlapped;
    if (name == "Communication") return &StatedStep::communication;
    if (name == "Communication(Not Overlapped)") return &StatedStep::exposed;
    return name == "Free" ? &StatedStep::free : nullptr;
  };
  for (Row i = 0; i < sums.rows(); ++i) {
    const auto member = member_of(profile.text(sums.name[i]));
    if (member == nullptr) continue;
    const auto [at, is_new] = known.try_emplace({sums.step[i], sums.device[i]}, steps.size());
    if (is_new) steps.push_back({.step = std::string(profile.text(sums.step[i])), .device = sums.device[i]});
    add(steps[at->second].*member, sums.duration[i]);
  }
  return steps;
}

std::vector<StatedOperation> operations_of(const Profile& profile) {
  const Communications& c = profile.communications;
  std::vector<std::int64_t> bytes(c.rows(), kUnknown);
  for (Row i = 0; i < profile.transfers.rows(); ++i) {
    const Row of = profile.transfers.communication[i];
    if (of != kNoRow) add(bytes[of], profile.transfers.bytes[i]);
  }
  std::vector<StatedOperation> operations;
  std::map<std::tuple<StringId, std::string_view, StringId>, std::size_t> known;
  for (Row i = 0; i < c.rows(); ++i) {
    const std::string_view name = operation_name(profile.text(c.name[i]));
    const auto [at, is_new] = known.try_emplace({c.step[i], name, c.group[i]}, operations.size());
    if (is_new) {
      operations.push_back({.step = std::string(profile.text(c.step[i])),
                            .name = std::string(name),
                            .group = std::string(profile.text(c.group[i]))});
    }
    StatedOperation& sums = operations[at->second];
    ++sums.calls;
    add(sums.elapsed, c.elapsed[i]);
    add(sums.transit, c.transit[i]);
    add(sums.wait, c.wait[i]);
    add(sums.synchronization, c.synchronization[i]);
    add(sums.bytes, bytes[i]);
  }
  return operations;
}

std::vector<StatedLink> links_of(const Profile& profile) {
  const Transfers& t = profile.transfers;
  std::vector<StatedLink> links;
  std::vector<std::size_t> link_of(t.rows(), 0);
  std::map<std::pair<StringId, StringId>, std::size_t> known;
  for (Row i = 0; i < t.rows(); ++i) {
    if (t.source[i] != kUnknown || t.target[i] != kUnknown) continue;
    const auto [at, is_new] = known.try_emplace({t.step[i], t.transport[i]}, links.size());
    if (is_new) {
      links.push_back({.step = std::string(profile.text(t.step[i])), .transport = std::string(profile.text(t.transport[i]))});
    }
    link_of[i] = at->second;
    if (t.bytes[i] != kUnknown) links[at->second].bytes += t.bytes[i];
    if (t.duration[i] != kUnknown) links[at->second].duration += t.duration[i];
  }
  const Packets& packets = profile.packets;
  for (Row i = 0; i < packets.rows() && !links.empty(); ++i) {
    const Row transfer = packets.transfer[i];
    if (packets.bytes[i] == kUnknown || packets.count[i] == kUnknown || t.source[transfer] != kUnknown) continue;
    StatedLink& link = links[link_of[transfer]];
    const std::int64_t all = packets.bytes[i] * packets.count[i];
    link.packets += packets.count[i];
    link.packet_bytes += all;
    if (packets.bytes[i] < small_packet_limit(link_reach(link.transport))) link.small_packet_bytes += all;
  }
  return links;
}

// "[0, 8]" as 0 and 8.
std::vector<std::int64_t> ranks_in(std::string_view list) {
  std::vector<std::int64_t> ranks;
  for (const char* at = list.data(); at < list.data() + list.size();) {
    std::int64_t rank = 0;
    const auto [end, error] = std::from_chars(at, list.data() + list.size(), rank);
    if (error == std::errc{}) ranks.push_back(rank);
    at = error == std::errc{} ? end : at + 1;
  }
  return ranks;
}

// Files state each operation and, beside some, the sum over all of a kind ("allreduce-total"): where there is a sum, it counts
// alone.
std::vector<StatedRoute> routes_of(const Profile& profile) {
  const Transfers& t = profile.transfers;
  constexpr std::string_view kTotal = "-total";
  std::set<std::tuple<StringId, StringId, std::string_view>> summed;  // step, group, kind
  const auto kind_of = [&](Row i) {
    const std::string_view name = profile.text(t.name[i]);
    return name.substr(0, name.rfind('-'));
  };
  for (Row i = 0; i < t.rows(); ++i) {
    if (profile.text(t.name[i]).ends_with(kTotal)) summed.emplace(t.step[i], t.group[i], kind_of(i));
  }
  std::vector<StatedRoute> routes;
  std::map<std::tuple<StringId, StringId, StringId, std::int64_t, std::int64_t>, std::size_t> known;
  for (Row i = 0; i < t.rows(); ++i) {
    if (t.source[i] == kUnknown || t.target[i] == kUnknown) continue;
    if (!profile.text(t.name[i]).ends_with(kTotal) && summed.contains({t.step[i], t.group[i], kind_of(i)})) continue;
    const auto [at, is_new] = known.try_emplace({t.step[i], t.group[i], t.transport[i], t.source[i], t.target[i]}, routes.size());
    if (is_new) {
      routes.push_back({.step = std::string(profile.text(t.step[i])),
                        .group = std::string(profile.text(t.group[i])),
                        .transport = std::string(profile.text(t.transport[i])),
                        .ranks = ranks_in(profile.text(t.group_ranks[i])),
                        .source = t.source[i],
                        .target = t.target[i]});
    }
    if (t.bytes[i] != kUnknown) routes[at->second].bytes += t.bytes[i];
    if (t.duration[i] != kUnknown) routes[at->second].duration += t.duration[i];
  }
  return routes;
}

std::vector<StatedLong> long_collectives(const Profile& profile) {
  const Transfers& t = profile.transfers;
  std::set<Row> over_network;  // rows of communications
  for (Row i = 0; i < t.rows(); ++i) {
    const bool counts = t.communication[i] != kNoRow && link_reach(profile.text(t.transport[i])) == LinkReach::network;
    if (counts) over_network.insert(t.communication[i]);
  }
  const Communications& c = profile.communications;
  std::vector<StatedLong> found;
  for (const Row i : over_network) {
    if (c.elapsed[i] == kUnknown || c.elapsed[i] <= kLongCollective) continue;
    found.push_back({std::string(profile.text(c.step[i])), std::string(profile.text(c.name[i])),
                     std::string(profile.text(c.group[i])), c.elapsed[i], c.transit[i]});
  }
  return found;
}

}  // namespace

RankStated stated_of(const Profile& profile) {
  return {.steps = steps_of(profile),
          .operations = operations_of(profile),
          .links = links_of(profile),
          .routes = routes_of(profile),
          .long_collectives = long_collectives(profile)};
}

bool is_stated_step(const std::string& step, std::optional<std::int64_t> number) {
  return !number || step == std::to_string(*number);
}

std::string_view operation_name(std::string_view collective) {
  const std::string_view name = collective.substr(0, collective.find_first_of("0123456789 "));
  return name.empty() ? collective : name;
}

}  // namespace sightline::analyses

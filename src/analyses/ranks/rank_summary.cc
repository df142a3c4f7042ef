// RankSummary: intervals of computing and communicating, cut by the steps; and sums over the tables with what files state.
#include "analyses/ranks/rank_summary.h"
#include "base/sort.h"
#include "base/text.h"

#include "analyses/ranks/stage_work.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "analyses/columns.h"
#include "analyses/steps/step_summary.h"
#include "analyses/steps/step_windows.h"
#include "model/kind_names.h"

namespace sightline::analyses {

// ---- kinds of links between ranks, by the names in the files ----
// The limits are those of the advisor of msprof-analyze (small packets of SDMA and RDMA).

LinkReach link_reach(std::string_view transport) {
  constexpr std::array<std::string_view, 2> kDevice = {"LOCAL", "ON_CHIP"};
  // vendor: files name links by their makers' names
  constexpr std::array<std::string_view, 10> kNode = {"HCCS", "HCCS_SW", "PCIE",   "SIO", "SDMA",
                                                      "PCIX", "PCIe",    "NVLINK", "P2P", "XGMI"};
  constexpr std::array<std::string_view, 6> kNetwork = {"RDMA", "ROCE", "RoCE", "IB", "NET", "TCP"};
  const auto is_one_of = [&](const auto& names) { return std::find(names.begin(), names.end(), transport) != names.end(); };
  if (is_one_of(kDevice)) return LinkReach::device;
  if (is_one_of(kNode)) return LinkReach::node;
  return is_one_of(kNetwork) ? LinkReach::network : LinkReach::unknown;
}

std::string_view reach_title(LinkReach reach) {
  switch (reach) {
    case LinkReach::device: return "within the device";
    case LinkReach::node: return "within a node";
    case LinkReach::network: return "between nodes";
    case LinkReach::unknown: return "not known";
  }
  return "not known";
}

std::int64_t small_packet_limit(LinkReach reach) {
  switch (reach) {
    case LinkReach::node: return 16'000'000;
    case LinkReach::network: return 1'000'000;
    default: return 0;
  }
}

// ---- RankStated: what a worker's files state about its steps, collectives and links ----

namespace {

// Adds known values; a sum without any stays unknown.
void add(std::int64_t& sum, std::int64_t value) {
  if (value != kUnknown) sum = sum == kUnknown ? value : sum + value;
}

// The rows that are about one rank, or all.
struct StatedRows {
  std::vector<Row> steps, communications, transfers, packets;
};

StatedRows all_stated_rows(const Profile& profile) {
  return {all_rows(profile.reported_steps.rows()), all_rows(profile.communications.rows()), all_rows(profile.transfers.rows()),
          all_rows(profile.packets.rows())};
}

// By rank. What moved between ranks is of the job, and in the list of the first of them.
std::map<std::int64_t, StatedRows> stated_rows_by_rank(const Profile& profile) {
  std::map<std::int64_t, StatedRows> rows;
  for (const std::int64_t rank : profile.job_ranks.rank) rows[rank];
  const auto of = [&](std::int64_t rank) -> StatedRows& { return rows.contains(rank) ? rows[rank] : rows.begin()->second; };
  for (Row i = 0; i < profile.reported_steps.rows(); ++i) of(profile.reported_steps.rank[i]).steps.push_back(i);
  for (Row i = 0; i < profile.communications.rows(); ++i) of(profile.communications.rank[i]).communications.push_back(i);
  const auto rank_of = [&](Row transfer) {
    const Row one = profile.transfers.communication[transfer];
    return one == kNoRow ? kUnknown : profile.communications.rank[one];
  };
  for (Row i = 0; i < profile.transfers.rows(); ++i) of(rank_of(i)).transfers.push_back(i);
  for (Row i = 0; i < profile.packets.rows(); ++i) of(rank_of(profile.packets.transfer[i])).packets.push_back(i);
  return rows;
}

std::vector<StatedStep> steps_of(const Profile& profile, const std::vector<Row>& rows) {
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
  for (const Row i : rows) {
    const auto member = member_of(profile.text(sums.name[i]));
    if (member == nullptr) continue;
    const auto [at, is_new] = known.try_emplace({sums.step[i], sums.device[i]}, steps.size());
    if (is_new) steps.push_back({.step = std::string(profile.text(sums.step[i])), .device = sums.device[i]});
    add(steps[at->second].*member, sums.duration[i]);
  }
  return steps;
}

std::vector<StatedOperation> operations_of(const Profile& profile, const StatedRows& rows) {
  const Communications& c = profile.communications;
  std::unordered_map<Row, std::int64_t> bytes;  // by communication
  for (const Row i : rows.transfers) {
    const Row of = profile.transfers.communication[i];
    if (of != kNoRow) add(bytes.try_emplace(of, kUnknown).first->second, profile.transfers.bytes[i]);
  }
  std::vector<StatedOperation> operations;
  std::map<std::tuple<StringId, std::string_view, StringId>, std::size_t> known;
  for (const Row i : rows.communications) {
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
    const auto moved = bytes.find(i);
    if (moved != bytes.end()) add(sums.bytes, moved->second);
  }
  return operations;
}

std::vector<StatedLink> links_of(const Profile& profile, const StatedRows& rows) {
  const Transfers& t = profile.transfers;
  std::vector<StatedLink> links;
  std::unordered_map<Row, std::size_t> link_of;
  std::map<std::pair<StringId, StringId>, std::size_t> known;
  for (const Row i : rows.transfers) {
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
  for (const Row i : rows.packets) {
    const Row transfer = packets.transfer[i];
    if (links.empty() || packets.bytes[i] == kUnknown || packets.count[i] == kUnknown || t.source[transfer] != kUnknown) continue;
    StatedLink& link = links[link_of[transfer]];
    const std::int64_t all = packets.bytes[i] * packets.count[i];
    link.packets += packets.count[i];
    link.packet_bytes += all;
    if (packets.bytes[i] < small_packet_limit(link_reach(link.transport))) link.small_packet_bytes += all;
  }
  return links;
}

// Files state each operation and, for some kinds, also the sum over all of that kind ("allreduce-total"): if there is a sum,
// only it counts.
std::vector<StatedRoute> routes_of(const Profile& profile, const std::vector<Row>& rows) {
  const Transfers& t = profile.transfers;
  constexpr std::string_view kTotal = "-total";
  std::set<std::tuple<StringId, StringId, std::string_view>> summed;  // step, group, kind
  const auto kind_of = [&](Row i) {
    const std::string_view name = profile.text(t.name[i]);
    return name.substr(0, name.rfind('-'));
  };
  for (const Row i : rows) {
    if (profile.text(t.name[i]).ends_with(kTotal)) summed.emplace(t.step[i], t.group[i], kind_of(i));
  }
  std::vector<StatedRoute> routes;
  std::map<std::tuple<StringId, StringId, StringId, std::int64_t, std::int64_t>, std::size_t> known;
  for (const Row i : rows) {
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

std::vector<StatedLong> long_collectives(const Profile& profile, const std::vector<Row>& rows) {
  const Transfers& t = profile.transfers;
  std::set<Row> over_network;  // rows of communications
  for (const Row i : rows) {
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

constexpr std::size_t kMostRanks = 1 << 20;  // of a list

std::vector<std::int64_t> ranks_in(std::string_view list) {
  std::vector<std::int64_t> ranks;
  if (!list.starts_with('[') || !list.ends_with(']')) return ranks;
  list = list.substr(1, list.size() - 2);
  while (!list.empty() && ranks.size() < kMostRanks) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view one = list.substr(0, end);
    while (one.starts_with(' ')) one.remove_prefix(1);
    const auto rank = whole_number<std::int64_t>(one);
    if (!rank || *rank < 0) return {};
    ranks.push_back(*rank);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return ranks;
}

static std::vector<StatedGroup> groups_of(const Profile& profile) {
  const ProcessGroups& all = profile.process_groups;
  std::vector<StatedGroup> groups;
  for (Row i = 0; i < all.rows(); ++i) {
    if (all.rank[i] != kUnknown) continue;
    groups.push_back({std::string(profile.text(all.name[i])), std::string(profile.text(all.about[i])),
                      std::string(profile.text(all.ranks[i])), all.group_size[i]});
  }
  return groups;
}

static RankStated stated_by(const Profile& profile, const StatedRows& rows) {
  return {.steps = steps_of(profile, rows.steps),
          .operations = operations_of(profile, rows),
          .links = links_of(profile, rows),
          .routes = routes_of(profile, rows.transfers),
          .groups = {},
          .long_collectives = long_collectives(profile, rows.transfers)};
}

RankStated stated_of(const Profile& profile) { return stated_by(profile, all_stated_rows(profile)); }

bool states_sums_of_ranks(const Profile& profile) {
  return profile.job_ranks.rows() > 0 &&
         profile.reported_steps.rows() + profile.communications.rows() + profile.transfers.rows() > 0;
}

std::vector<RankSummary> summarise_job(const Profile& profile) {
  std::vector<RankSummary> job;
  std::map<std::int64_t, StatedRows> rows = stated_rows_by_rank(profile);
  for (Row i = 0; i < profile.job_ranks.rows(); ++i) {
    RankSummary& one = job.emplace_back();
    one.rank = profile.job_ranks.rank[i];
    one.worker = "rank " + std::to_string(one.rank);
    one.host = profile.text(profile.job_ranks.host[i]);
    one.world_size = profile.world_size;
    one.origin_unix_ns = profile.origin_unix_ns;
    one.stated = stated_by(profile, rows[one.rank]);
  }
  if (!job.empty()) job.front().stated.groups = groups_of(profile);
  return job;
}

bool is_stated_step(const std::string& step, std::optional<std::int64_t> number) {
  return !number || step == std::to_string(*number);
}

std::string_view operation_name(std::string_view collective) {
  const std::string_view name = collective.substr(0, collective.find_first_of("0123456789 "));
  return name.empty() ? collective : name;
}

// ---- one worker ----

namespace {

// Rows of collectives by kind: on the device, or a host range that is not inside another one.
bool is_outer_host_range(const Profile& profile, Row slice) {
  if (profile.slices.kind[slice] != SliceKind::host_communication) return false;
  for (Row around = profile.slices.parent[slice]; around != kNoRow; around = profile.slices.parent[around]) {
    if (profile.slices.kind[around] == SliceKind::host_communication) return false;
  }
  return true;
}

class Texts {
 public:
  explicit Texts(std::vector<std::string>& texts) : texts_(texts) { of(""); }

  std::uint32_t of(std::string_view text) {
    const auto [at, is_new] = index_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.emplace_back(text);
    return at->second;
  }

 private:
  std::vector<std::string>& texts_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

Row row_of(const Column<Row>& slices, Row slice) {
  const auto at = std::lower_bound(slices.begin(), slices.end(), slice);
  return at != slices.end() && *at == slice ? static_cast<Row>(at - slices.begin()) : kNoRow;
}

// The step of a collective, which device work or the host ran.
std::uint32_t step_of_slice(const Profile& profile, const std::vector<StepWindow>& steps, Row slice) {
  const Row work = row_of(profile.device_work.slice, slice);
  std::size_t step = 0;
  if (work != kNoRow) {
    step = step_of(profile, steps, work);
  } else {
    while (step < steps.size() && !starts_in(steps[step], profile.slices.start[slice])) ++step;
  }
  return step == steps.size() ? kNoStep : static_cast<std::uint32_t>(step);
}

std::vector<RankCollective> collectives_of(const Profile& profile, const std::vector<StepWindow>& steps,
                                           std::vector<std::string>& all_texts) {
  const Collectives& c = profile.collectives;
  Texts texts(all_texts);
  std::vector<RankCollective> found;
  for (const Row slice : collective_slices(profile)) {
    const Row row = row_of(c.slice, slice);
    RankCollective one{.interval = {profile.slices.start[slice], profile.end_of(slice)}};
    one.slice = slice;
    one.step = step_of_slice(profile, steps, slice);
    if (row == kNoRow) {
      one.name = texts.of(collective_kind_name(one.kind));
      found.push_back(one);
      continue;
    }
    one.kind = c.kind[row];
    const std::string_view name = profile.text(c.name[row]);
    one.name = texts.of(name.empty() ? collective_kind_name(one.kind) : name);
    one.group = texts.of(profile.text(c.group[row]));
    one.group_about = texts.of(profile.text(c.group_about[row]));
    one.group_ranks = texts.of(profile.text(c.group_ranks[row]));
    one.group_size = c.group_size[row];
    one.sequence = c.sequence[row];
    one.in_bytes = c.in_bytes[row];
    one.out_bytes = c.out_bytes[row];
    found.push_back(one);
  }
  return found;
}

void cut_into_steps(const Profile& profile, const std::vector<StepWindow>& steps, RankSummary& summary) {
  std::vector<Interval> intervals;
  for (const RankCollective& one : summary.collectives) intervals.push_back(one.interval);
  const IntervalSet communicating = merge(std::move(intervals));
  const RoleSets roles = role_sets(profile);
  const IntervalSet& computing = roles[summary.computes_on_device ? Role::kernel : Role::host];
  const IntervalSet both = intersect(computing, communicating);
  for (const StepWindow& step : steps) {
    RankStep part{.number = step.number, .window = step.window};
    part.overlap = length_within(both, step.window);
    part.computation = length_within(computing, step.window) - part.overlap;
    part.communication = length_within(communicating, step.window) - part.overlap;
    part.other = step.window.length() - part.computation - part.overlap - part.communication;
    summary.steps.push_back(part);
  }
}

std::vector<RankDevice> devices_of(const Profile& profile) {
  const Devices& devices = profile.devices;
  std::vector<RankDevice> found;
  for (const std::int64_t ordinal : std::set(profile.device_work.device.begin(), profile.device_work.device.end())) {
    if (ordinal == kUnknown) continue;
    RankDevice device;
    device.ordinal = ordinal;
    const auto at = std::find(devices.ordinal.begin(), devices.ordinal.end(), ordinal);
    if (at != devices.ordinal.end()) {
      const auto i = static_cast<std::size_t>(at - devices.ordinal.begin());
      device = {ordinal,
                std::string(profile.text(devices.name[i])),
                devices.memory[i],
                devices.compute_major[i],
                devices.compute_minor[i],
                devices.cores[i]};
    }
    found.push_back(std::move(device));
  }
  return found;
}

// The process that runs on the host.
std::string_view host_process(const Profile& profile) {
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    const Row process = profile.lanes.process[lane];
    if (profile.lanes.kind[lane] == LaneKind::host_thread && process != kNoRow)
      return profile.text(profile.processes.pid[process]);
  }
  return {};
}

}  // namespace

std::vector<Row> collective_slices(const Profile& profile) {
  std::vector<Row> found;
  std::unordered_set<StringId> on_device;  // process groups
  bool any_unnamed = false;
  const auto group_of = [&](Row slice) {
    const Row row = row_of(profile.collectives.slice, slice);
    return row == kNoRow ? StringId::none : profile.collectives.group[row];
  };
  for (const Row slice : profile.device_work.slice) {
    if (profile.slices.kind[slice] != SliceKind::collective) continue;
    found.push_back(slice);
    on_device.insert(group_of(slice));
    any_unnamed |= group_of(slice) == StringId::none;
  }
  const bool any_on_device = !found.empty();
  for (const Row slice : profile.collectives.slice) {
    if (!is_outer_host_range(profile, slice)) continue;
    const StringId group = group_of(slice);
    // A range without a group may represent any of the device's, and any group for one of those without.
    const bool may_be_on_device = any_on_device && (group == StringId::none || any_unnamed || on_device.contains(group));
    if (!may_be_on_device) found.push_back(slice);
  }
  const Slices& slices = profile.slices;
  sort_up(found, [&](Row each) { return slices.start[each]; });
  return found;
}

// At most so many names are kept, the smallest hashes: as many of any two profiles are a fair sample of both.
constexpr std::size_t kMostNames = 4096;

// FNV-1a.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325ull;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  return hash;
}

std::vector<std::uint64_t> names_of_operators(const Profile& profile) {
  std::vector<bool> has(profile.strings.size());
  for (const Row slice : profile.operators.slice) has[static_cast<std::size_t>(profile.slices.name[slice])] = true;
  if (profile.operators.rows() == 0) {
    for (const Row slice : profile.device_work.slice) has[static_cast<std::size_t>(profile.slices.name[slice])] = true;
  }
  std::vector<std::uint64_t> hashes;
  for (std::size_t name = 0; name < has.size(); ++name) {
    if (has[name]) hashes.push_back(hash_of(profile.text(static_cast<StringId>(name))));
  }
  std::sort(hashes.begin(), hashes.end());
  if (hashes.size() > kMostNames) hashes.resize(kMostNames);
  return hashes;
}

RankSummary summarise_rank(const Profile& profile, std::string worker) {
  RankSummary summary;
  summary.worker = std::move(worker);
  summary.host = profile.host;
  summary.process = host_process(profile);
  summary.rank = profile.rank;
  summary.world_size = profile.world_size;
  summary.origin_unix_ns = profile.origin_unix_ns;
  const SliceKind* const kinds = profile.slices.kind.data();
  summary.computes_on_device = std::any_of(profile.device_work.slice.begin(), profile.device_work.slice.end(),
                                           [&](Row slice) { return kinds[slice] == SliceKind::kernel; });
  summary.devices = devices_of(profile);
  const StepWindows steps = step_windows(profile);
  summary.has_recorded_steps = steps.source == StepSource::recorded;
  summary.collectives = collectives_of(profile, steps.kept, summary.texts);
  cut_into_steps(profile, steps.kept, summary);
  summary.stage_work = stage_work_of(profile, summary);
  summary.stated = stated_of(profile);
  summary.activity = overview_of(activity_of(profile));
  summary.operators = names_of_operators(profile);
  return summary;
}

}  // namespace sightline::analyses

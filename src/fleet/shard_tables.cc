#include "fleet/shard_tables.h"

#include <algorithm>
#include <unordered_map>

#include "analyses/ranks/collectives.h"
#include "analyses/ranks/distributed_tables.h"
#include "analyses/ranks/rank_summary.h"
#include "base/message_parts.h"
#include "fleet/collective_rows.h"
#include "model/kind_names.h"

namespace sightline::fleet {

namespace {

constexpr std::string_view kSeverities[] = {"note", "warning", "error"};

// ---- kernels and operators by name ----

void add_by_name(LakeWriter& to, std::int64_t rank, const Profile& profile, const std::vector<Row>& slices) {
  std::unordered_map<StringId, std::size_t> known;
  std::vector<std::pair<StringId, std::vector<Time>>> names;
  for (const Row slice : slices) {
    const StringId name = profile.slices.name[slice];
    const auto [at, is_new] = known.try_emplace(name, names.size());
    if (is_new) names.push_back({name, {}});
    names[at->second].second.push_back(profile.slices.duration[slice]);
  }
  std::sort(names.begin(), names.end(),
            [&](const auto& a, const auto& b) { return profile.text(a.first) < profile.text(b.first); });
  for (auto& [name, times] : names) {
    std::sort(times.begin(), times.end());
    Time total = 0;
    for (const Time time : times) total += time;
    const std::size_t n = times.size();
    to.add(rank, profile.text(name), std::ssize(times), total, times.front(), times[(n - 1) / 2], times[(n * 99 + 99) / 100 - 1],
           times.back());
  }
}

std::vector<Row> kernels_of(const Profile& profile) {
  std::vector<Row> found;
  for (const Row slice : profile.device_work.slice) {
    if (profile.slices.kind[slice] == SliceKind::kernel) found.push_back(slice);
  }
  return found;
}

std::vector<Row> operators_of(const Profile& profile) { return {profile.operators.slice.begin(), profile.operators.slice.end()}; }

// ---- memory ----

void add_memory(LakeWriter& to, std::int64_t rank, const Profile& profile) {
  struct Peak {
    StringId name = StringId::none;
    std::int64_t allocated = kUnknown, reserved = kUnknown;
  };
  const MemoryEvents& events = profile.memory_events;
  std::map<std::int64_t, Peak> peaks;
  for (std::size_t i = 0; i < events.rows(); ++i) {
    Peak& peak = peaks[events.device[i]];
    peak.name = events.device_name[i];
    peak.allocated = std::max(peak.allocated, events.total_allocated[i]);
    peak.reserved = std::max(peak.reserved, events.total_reserved[i]);
  }
  for (const auto& [device, peak] : peaks) to.add(rank, device, profile.text(peak.name), peak.allocated, peak.reserved);
}

// ---- collectives ----

void add_groups(LakeWriter& to, std::int64_t rank, const RankSummary& summary, const CollectiveRows& rows) {
  for (const GroupRow& group : rows.groups) {
    const auto text = [&](std::uint32_t index) -> const std::string& { return summary.texts[index]; };
    to.add(rank, group.id, text(group.name), text(group.about), text(group.ranks), group.size, group.collectives);
  }
}

std::int64_t step_of(const RankCollective& one) { return one.step == kNoStep ? kUnknown : std::int64_t{one.step}; }

void add_collectives(LakeWriter& to, std::int64_t rank, const RankSummary& summary, const CollectiveRows& rows) {
  for (const CollectiveRow& row : rows.rows) {
    const RankCollective& one = summary.collectives[row.index];
    const std::int64_t message = message_bytes(one, kUnknown);
    const std::int64_t per_rank = message == kUnknown ? message_bytes(one, 1) : kUnknown;
    const bool matches = row.match_key != kUnknown;
    to.add(rank, step_of(one), row.operation, row.group, row.match_key,
           !matches       ? "none"
           : row.by_order ? "order"
                          : "sequence",
           row.occurrence, collective_kind_name(one.kind), one.sequence, one.interval.start, one.interval.length(), one.in_bytes,
           message, per_rank, one.group_size, row.apart, row.window_step, std::int64_t{one.slice});
  }
}

void add_problems(LakeWriter& to, std::int64_t rank, const Profile& profile) {
  const Problems& problems = profile.problems;
  for (std::size_t i = 0; i < problems.rows(); ++i) {
    to.add(rank, kSeverities[static_cast<std::size_t>(problems.severity[i])], profile.text(problems.code[i]),
           profile.text(problems.message[i]), problems.count[i], problems.offset[i]);
  }
}

// Whether a part of the trace is missing.
bool is_partial(const Profile& profile) {
  return std::any_of(profile.problems.severity.begin(), profile.problems.severity.end(),
                     [](Severity severity) { return severity == Severity::error; }) ||
         std::any_of(profile.problems.code.begin(), profile.problems.code.end(), [&](StringId code) {
           const std::string_view text = profile.text(code);
           return text == "truncated" || text == "memory_limit";
         });
}

}  // namespace

ShardTables::ShardTables(Topology topology) : topology_(std::move(topology)) {
  for (const LakeTableInfo& table : lake_tables()) {
    if (table.is_mapped()) writers_.emplace(table.name, LakeWriter(table));
  }
}

HostPlace ShardTables::place_of(const std::string& host) const {
  const auto found = topology_.find(host);
  return found == topology_.end() ? HostPlace() : found->second;
}

bool ShardTables::add(const RankSource& source, const Profile& profile, const std::string& profile_file) {
  const bool partial = is_partial(profile);
  RankSummary rank = summarise_rank(profile, source.worker);
  rank.role = source.role;
  const RankAddress address = address_of(rank);
  const CollectiveRows rows = collective_rows(rank);
  const HostPlace place = place_of(address.node);
  of("ranks").add(source.id, source.worker, rank.rank, rank.world_size, address.node, address.process,
                  partial ? "partial" : "read", rank.has_recorded_steps, std::ssize(rank.collectives), source.path, source.bytes,
                  profile.origin_unix_ns, place.rack, place.network_switch, rank.role, profile_file);
  for (const RankDevice& device : rank.devices) {
    of("devices").add(source.id, device.ordinal, device.name, device.memory, device.compute_major, device.compute_minor,
                      device.cores);
  }
  for (std::size_t i = 0; i < rank.steps.size(); ++i) {
    const RankStep& step = rank.steps[i];
    of("steps").add(source.id, static_cast<std::int64_t>(i), step.number, step.window.start, step.window.length(),
                    step.computation, step.overlap, step.communication, step.other);
  }
  for (std::size_t i = 0; i < rows.operations.size(); ++i) {
    const OperationRow& operation = rows.operations[i];
    of("operations").add(source.id, static_cast<std::int64_t>(i), operation.title, operation.name, operation.group);
  }
  add_groups(of("memberships"), source.id, rank, rows);
  add_collectives(of("collectives"), source.id, rank, rows);
  add_by_name(of("kernels"), source.id, profile, kernels_of(profile));
  add_by_name(of("operators"), source.id, profile, operators_of(profile));
  add_memory(of("memory"), source.id, profile);
  add_problems(of("problems"), source.id, profile);
  return partial;
}

void ShardTables::add_failed(const RankSource& source, const Error& error) {
  of("ranks").add(source.id, source.worker, kUnknown, kUnknown, "", "", "failed", false, kUnknown, source.path, source.bytes,
                  kUnknown, "", "", source.role, "");
  of("problems").add(source.id, "error", error_code_name(error.code), std::string(error.message), std::int64_t{1}, kUnknown);
}

Result<std::vector<ShardTables::Table>> ShardTables::finish() {
  std::vector<Table> tables;
  for (const LakeTableInfo& info : lake_tables()) {
    const auto writer = writers_.find(info.name);
    if (writer == writers_.end() || writer->second.rows() == 0) continue;
    Result<std::string> bytes = writer->second.finish();
    if (!bytes) return bytes.error();
    tables.push_back({info.name, writer->second.rows(), *std::move(bytes)});
  }
  return tables;
}

}  // namespace sightline::fleet

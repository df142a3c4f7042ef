// ProfileBuilder: sorts and nests slices, makes overflow lanes, then adds the rows that belong to the slices.
#include "formats/common/profile_builder.h"

#include <algorithm>
#include <limits>

#include "base/sort.h"
#include "model/nesting.h"
#include "model/tables.h"

namespace sightline::formats {

namespace {

constexpr Time kUnixTime = 100'000'000'000'000'000;  // 1973: a later time is not a time since the beginning of a profile

}  // namespace

// ---- lanes that are written at once ----

Row ProfileBuilder::add_process(std::string_view name) {
  const auto row = static_cast<Row>(p_.processes.rows());
  p_.processes.pid.push_back(text(name));
  p_.processes.name.push_back(text(name));
  p_.processes.label.push_back(StringId::none);
  p_.processes.sort_key.push_back(std::int64_t{row});
  return row;
}

Row ProfileBuilder::open_lane(const NewLane& lane, Row overflow_of) {
  const auto row = static_cast<Row>(p_.lanes.rows());
  p_.lanes.kind.push_back(lane.kind);
  p_.lanes.process.push_back(lane.process);
  p_.lanes.device.push_back(lane.device);
  p_.lanes.track.push_back(text(lane.track));
  p_.lanes.name.push_back(text(lane.name));
  p_.lanes.overflow_of.push_back(overflow_of);
  p_.lanes.sort_key.push_back(std::int64_t{overflow_of == kNoRow ? row : overflow_of});
  p_.lanes.first.push_back(static_cast<Row>(p_.slices.rows()));
  p_.lanes.last.push_back(static_cast<Row>(p_.slices.rows()));
  return row;
}

Row ProfileBuilder::add_counter_lane(const NewLane& lane) { return open_lane(lane, kNoRow); }

void ProfileBuilder::add_lane(const NewLane& lane, const std::vector<NewSlice>& slices,
                              const std::function<void(std::size_t, Row)>& placed) {
  const std::size_t n = slices.size();
  std::vector<Time> start(n), duration(n);
  for (std::size_t i = 0; i < n; ++i) {
    start[i] = slices[i].start;
    duration[i] = slices[i].duration;
  }
  const std::vector<std::uint32_t> order = order_by_start(start, duration);
  const auto at = [&](std::size_t i) { return order.empty() ? i : std::size_t{order[i]}; };
  for (std::size_t i = 0; i < n; ++i) {
    start[i] = slices[at(i)].start;
    duration[i] = slices[at(i)].duration;
  }
  std::vector<Row> parent(n), row(n);
  std::vector<std::uint16_t> depth(n);
  const Nesting nesting = nest(start, duration, 0, parent, depth);
  const std::vector<std::uint32_t> spread = order_by_sublane(nesting);
  Row main = kNoRow;
  for (std::size_t next = 0, pile = 0; pile < nesting.sublanes; ++pile) {
    const Row opened = open_lane(lane, main);
    if (main == kNoRow) main = opened;
    for (; next < n; ++next) {
      const std::size_t i = spread.empty() ? next : spread[next];
      if (!spread.empty() && nesting.sublane[i] != pile) break;
      row[i] = static_cast<Row>(p_.slices.rows());
      p_.slices.start.push_back(start[i]);
      p_.slices.duration.push_back(duration[i]);
      p_.slices.lane.push_back(opened);
      p_.slices.parent.push_back(parent[i] == kNoRow ? kNoRow : row[parent[i]]);
      p_.slices.name.push_back(slices[at(i)].name);
      p_.slices.kind.push_back(slices[at(i)].kind);
      p_.slices.depth.push_back(depth[i]);
      p_.slices.source.push_back(slices[at(i)].source);
      placed(at(i), row[i]);
    }
    p_.lanes.last[opened] = static_cast<Row>(p_.slices.rows());
  }
}

// ---- rows of other tables ----

void ProfileBuilder::add_work(Row slice, std::int64_t device, StringId core, CoreType type, StringId what, std::int64_t bytes) {
  DeviceWork& work = p_.device_work;
  const Row row = add_unknown_row(work);
  work.slice[row] = slice;
  work.device[row] = device;
  work.core_type[row] = type;
  work.core[row] = core;
  work.type[row] = what;
  work.bytes[row] = bytes;
}

void ProfileBuilder::add_cost(Row slice, const WorkCost& cost) {
  const bool known = cost.flops == cost.flops || cost.read != kUnknown || cost.written != kUnknown || cost.moved != kUnknown;
  if (!known) return;
  p_.work_costs.slice.push_back(slice);
  p_.work_costs.flops.push_back(cost.flops);
  p_.work_costs.bytes.push_back(cost.moved);
  p_.work_costs.bytes_read.push_back(cost.read);
  p_.work_costs.bytes_written.push_back(cost.written);
}

void ProfileBuilder::add_fine_time(Row slice, std::int64_t start, std::int64_t duration) {
  constexpr std::int64_t kNs = 1000;
  const auto beyond = [](std::int64_t ps) { return static_cast<std::int32_t>((ps % kNs + kNs) % kNs); };
  p_.fine_times.slice.push_back(slice);
  p_.fine_times.start.push_back(beyond(start));
  p_.fine_times.duration.push_back(beyond(duration));
}

void ProfileBuilder::add_program_work(Row slice, Row program_operator) {
  if (program_operator == kNoRow) return;
  p_.program_work.slice.push_back(slice);
  p_.program_work.program_operator.push_back(program_operator);
}

void ProfileBuilder::add_fact(Row slice, StringId name, double number, StringId text) {
  p_.work_facts.slice.push_back(slice);
  p_.work_facts.name.push_back(name);
  p_.work_facts.number.push_back(number);
  p_.work_facts.text.push_back(text);
}

void ProfileBuilder::add_flow(FlowKind kind, Row from, Row to) {
  p_.flows.kind.push_back(kind);
  p_.flows.from.push_back(from);
  p_.flows.to.push_back(to);
}

void ProfileBuilder::add_sample(Row lane, Time time, double value) {
  p_.counters.lane.push_back(lane);
  p_.counters.time.push_back(time);
  p_.counters.value.push_back(value);
}

void ProfileBuilder::add_memory(std::string_view device, std::string_view holder, std::int64_t bytes) {
  MemoryUsage& usage = p_.memory_usage;
  const Row row = add_unknown_row(usage);
  usage.time[row] = 0;
  usage.device_name[row] = text(device);
  usage.component[row] = text(holder);
  usage.allocated[row] = bytes;
}

void ProfileBuilder::report(Severity severity, std::string_view code, const char* message, std::int64_t offset) {
  const StringId known = text(code);
  const auto at = std::find(p_.problems.code.begin(), p_.problems.code.end(), known);
  if (at == p_.problems.code.end()) return p_.add_problem(severity, code, message, 1, offset);
  ++p_.problems.count[static_cast<Row>(at - p_.problems.code.begin())];
}

void ProfileBuilder::add_metadata(std::string_view key, std::string_view value) {
  if (value.empty()) return;
  p_.metadata.key.push_back(text(key));
  p_.metadata.value.push_back(text(value));
}

// ---- rows that are kept ----

ProfileBuilder::Lane& ProfileBuilder::lane(const LanePlace& place, const LaneFacts& about) {
  const auto [at, is_new] = lanes_.try_emplace(place);
  if (is_new) at->second.about = about;
  return at->second;
}

ProfileBuilder::Lane& ProfileBuilder::thread(std::string_view name) {
  LanePlace place;
  place.group.name = "Threads";
  place.title = name;
  LaneFacts about;
  about.kind = LaneKind::host_thread;
  about.track = name;
  about.device = kUnknown;
  return this->lane(place, about);
}

void ProfileBuilder::add(Lane& lane, const TableRow& row, const std::vector<RowFact>& facts) {
  lane.rows.push_back(row);
  lane.facts.insert(lane.facts.end(), facts.begin(), facts.end());
  lane.fact_end.push_back(static_cast<std::uint32_t>(lane.facts.size()));
  ++p_.events;
}

void ProfileBuilder::add(Lane& lane, const NewSlice& slice) {
  lane.slices.push_back(slice);
  ++p_.events;
}

void ProfileBuilder::add_sample(const LaneGroup& group, const std::string& name, Time time, double value) {
  counters_[{group, name}].emplace_back(time, value);
  ++p_.events;
}

void ProfileBuilder::add_dependency(int from_table, std::int64_t from, int to_table, std::int64_t to) {
  edges_.push_back({from_table, to_table, from, to});
}

std::int32_t ProfileBuilder::add_collective(const Collective& collective) {
  collectives_.push_back(collective);
  return static_cast<std::int32_t>(collectives_.size()) - 1;
}

// ---- writing them ----

// Times from 1973 on are Unix times; others count from the beginning of the recording.
void ProfileBuilder::find_origin() {
  Time first = std::numeric_limits<Time>::max();
  for (const auto& [place, lane] : lanes_) {
    for (const NewSlice& slice : lane.slices) first = std::min(first, slice.start);
    for (const TableRow& row : lane.rows) first = std::min(first, row.slice.start);
  }
  for (const auto& [place, samples] : counters_) {
    for (const auto& [time, value] : samples) first = std::min(first, time);
  }
  if (first == std::numeric_limits<Time>::max() || first < kUnixTime) return;
  origin_ = first;
  p_.origin_unix_ns = first;
}

Row ProfileBuilder::process_of(const LaneGroup& group) {
  const auto [at, is_new] = processes_.try_emplace(group, kNoRow);
  if (is_new) at->second = add_process(process_name(group));
  return at->second;
}

// What belongs to a slice except its facts.
void ProfileBuilder::write_row(Row slice, const TableRow& row, std::int64_t device, StringId core) {
  const SliceKind kind = row.slice.kind;
  if (is_device_work(kind)) add_work(slice, device, core, row.core_type, row.type, row.bytes);
  if (row.id != kUnknown) slice_of_[row.table].emplace(row.id, slice);
  add_cost(slice, row.cost);
  add_program_work(slice, row.program_operator);
  if (kind == SliceKind::op) p_.operators.slice[add_unknown_row(p_.operators)] = slice;
  if (row.collective >= 0) write_collective(slice, collectives_[static_cast<std::size_t>(row.collective)]);
}

void ProfileBuilder::write_collective(Row slice, const Collective& from) {
  Collectives& table = p_.collectives;
  const Row to = add_unknown_row(table);
  table.slice[to] = slice;
  table.kind[to] = from.kind;
  table.name[to] = from.name;
  table.group[to] = from.group;
  table.group_ranks[to] = from.ranks;
  table.dtype[to] = from.dtype;
  table.in_bytes[to] = from.in_bytes;
  table.out_bytes[to] = from.out_bytes;
}

// A lane is freed when it is written, so only one lane is in memory together with its rows at a time.
void ProfileBuilder::write_lane(const LanePlace& place, Lane lane) {
  const StringId core = text(lane.about.core);
  std::vector<NewSlice> slices = std::move(lane.slices);
  slices.reserve(lane.rows.size());
  for (const TableRow& row : lane.rows) slices.push_back(row.slice);
  for (NewSlice& slice : slices) slice.start -= origin_;
  const std::int64_t device = lane.about.device == kOwnDevice ? device_ : lane.about.device;
  const NewLane made{lane.about.kind, process_of(place.group), device, lane.about.track, place.title};
  add_lane(made, slices, [&](std::size_t i, Row slice) {
    if (lane.rows.empty()) return;
    write_row(slice, lane.rows[i], device, core);
    for (std::size_t f = i == 0 ? 0 : lane.fact_end[i - 1]; f < lane.fact_end[i]; ++f)
      add_fact(slice, lane.facts[f].name, lane.facts[f].number, lane.facts[f].text);
    placed(slice, lane.rows[i]);
  });
}

void ProfileBuilder::write_counters() {
  for (auto& [place, samples] : counters_) {
    const Row lane = add_counter_lane({LaneKind::counter, process_of(place.first), kUnknown, place.second, place.second});
    sort_up(samples, [](const auto& each) { return each.first; });
    for (const auto& [time, value] : samples) add_sample(lane, time - origin_, value);
  }
}

void ProfileBuilder::write_flows() {
  for (const Edge& edge : edges_) {
    const auto &from = slice_of_[edge.from_table], &to = slice_of_[edge.to_table];
    const auto a = from.find(edge.from), b = to.find(edge.to);
    if (a != from.end() && b != to.end()) add_flow(FlowKind::other, a->second, b->second);
  }
}

std::unique_ptr<Profile> ProfileBuilder::finish() {
  find_origin();
  for (auto& [place, lane] : lanes_) write_lane(place, std::move(lane));
  add_derived_lanes();
  write_counters();
  write_flows();
  return std::move(own_);
}

}  // namespace sightline::formats

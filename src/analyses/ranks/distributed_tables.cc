// The tables of the view across ranks.
#include "analyses/ranks/distributed_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analyses/columns.h"
#include "analyses/ranks/roles.h"
#include "model/kind_names.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kCollectiveTables =
    "collectives on the device; for a process group without any, the host ranges that represent them";
constexpr std::string_view kUnions = "lengths of unions of intervals, clipped to the step's window";
constexpr std::string_view kMatching =
    "collectives matched across workers by process group, kind and sequence number, or by their order in the step where none was "
    "recorded";
constexpr std::string_view kNoWaits = "no other worker recorded a collective of this worker";
constexpr std::string_view kHostRanges =
    "Collectives are recognised by their kernels, for every library; the TensorBoard plugin uses host ranges of ten names.";
constexpr std::string_view kShortest =
    "The TensorBoard plugin matches collectives by position, either all or none, and treats a worker without counterparts as "
    "never waiting.";

// Of a worker, or of a worker in a step.
struct TimesRow {
  const RankTimes* times;  // null: no such step, or none of any length
  bool know_waits;         // some collective is known on several workers

  // Where nothing was matched, nothing is known of waits; a worker may still communicate without a partner here.
  bool knows_parts() const { return know_waits && (times->transfer + times->waiting > 0 || times->unmatched == 0); }
};

// The functions give the cell of a member of RankTimes.
auto cell_of(double RankTimes::*value) {
  return [value](const TimesRow& row) { return row.times == nullptr ? kUnknownNumber : row.times->*value; };
}

auto cell_if_parts(double RankTimes::*value) {
  return [value](const TimesRow& row) { return row.times != nullptr && row.knows_parts() ? row.times->*value : kUnknownNumber; };
}

auto cell_if_waits(double RankTimes::*value) {
  return [value](const TimesRow& row) { return row.times != nullptr && row.know_waits ? row.times->*value : kUnknownNumber; };
}

Message source_of_times(std::string_view text, bool per_step) {
  return per_step ? say("{}; without a chosen step, the mean over the worker's steps that are not empty", Message(text))
                  : Message(text);
}

// The parts of a step: what the worker shows alone.
void add_parts(TableOf<TimesRow>& table, bool per_step) {
  const Message source = source_of_times(kUnions, per_step);
  table.add(
      real_column(
          "computation", "Computation", Unit::ns,
          {"At least one kernel computes, and no collective runs. For a worker without kernels: the host is in an operator.",
           "computing - overlap", source, kHostRanges})
          .with_category("kernel"),
      cell_of(&RankTimes::computation));
  table.add(real_column("overlap", "Overlapped", Unit::ns,
                        {"Computing and communicating at the same time: this part of a collective costs no time.",
                         "computing and communicating", source, kHostRanges}),
            cell_of(&RankTimes::overlap));
  table.add(real_column("communication", "Communication", Unit::ns,
                        {"At least one collective runs, and nothing computes.", "communicating - overlap", source, kHostRanges})
                .with_category("communication"),
            cell_of(&RankTimes::communication));
  table.add(real_column("other", "Other", Unit::ns,
                        {"Neither: copies, the host, data loading, idling.", "total - computation - overlap - communication",
                         source, kHostRanges})
                .with_category("other"),
            cell_of(&RankTimes::other));
  table.add(
      real_column("total", "Step", Unit::ns,
                  {"Length of the step, including its device work.", "computation + overlap + communication + other", source}),
      cell_of(&RankTimes::total));
}

// Its communication, and what others waited for it: needs the collectives of the other workers.
void add_waits(TableOf<TimesRow>& table, bool per_step) {
  const Message source = source_of_times(kMatching, per_step);
  table.add(real_column("transfer", "Data transfer", Unit::ns,
                        {"Data moves in at least one collective: all its ranks have arrived.",
                         "union of the last parts of collectives; a last part is as long as the shortest time that any rank was "
                         "in the collective",
                         source, kShortest})
                .with_category("communication")
                .with_unknown(kNoWaits),
            cell_if_parts(&RankTimes::transfer));
  table.add(real_column("waiting", "Synchronizing", Unit::ns,
                        {"It waits in collectives for other ranks, and no data moves.",
                         "overlap + communication - transfer - unmatched", source, kShortest})
                .with_category("idle")
                .with_unknown(kNoWaits),
            cell_if_parts(&RankTimes::waiting));
  table.add(real_column("unmatched", "Not matched", Unit::ns,
                        {"It is only in collectives that no other worker recorded: waiting and transfer cannot be separated.",
                         "union of these - union of the others", source})
                .with_category("other"),
            cell_of(&RankTimes::unmatched));
  table.add(real_column("caused", "Waiting caused", Unit::ns,
                        {"How long others waited for this worker: the sum of their waits in collectives in which it arrived "
                         "last. Ranks that wait at the same time are counted separately.",
                         "sum over these collectives and their other ranks of (time in it - shortest time in it)", source}),
            cell_if_waits(&RankTimes::caused));
  table.add(
      real_column(
          "delay", "Delay caused", Unit::ns,
          {"How much earlier these collectives would have ended if this worker had arrived together with the rank before it.",
           "sum over these collectives of (second shortest time in it - shortest)", source}),
      cell_if_waits(&RankTimes::delay));
}

// How often it came last.
void add_lates(TableOf<TimesRow>& table, bool per_step) {
  const Message source = source_of_times(kMatching, per_step);
  table.add(real_column("last", "Times last", Unit::count,
                        {"Collectives in which this worker arrived last; on ties, the first worker counts", "", source}),
            cell_if_waits(&RankTimes::last));
  table.add(
      real_column("outlying", "Times last by far", Unit::count,
                  {"The part of these in which it arrived later than chance explains: its time in the collective is an outlier "
                   "below the times of the other ranks. Needs at least three ranks, and all ranks of the group.",
                   "count of collectives with Dixon's ratio of the shortest time above its 99.5% value; of more than 100 ranks: "
                   "shortest < mean - 3 standard deviations",
                   source}),
      cell_if_waits(&RankTimes::outlying));
}

TableOf<TimesRow> time_columns(bool per_step) {
  TableOf<TimesRow> table;
  add_parts(table, per_step);
  add_waits(table, per_step);
  add_lates(table, per_step);
  return table;
}

ReportColumn worker_column() { return label_column("worker", "Worker", "Name of the worker, from its file's name"); }

ReportColumn rank_column() {
  return integer_column("rank", "Rank", Unit::id, {"Index in the job, as recorded", "", ""})
      .with_unknown("the file does not say");
}

ReportColumn kind_column(Message doc) { return label_column("kind", "Collective", doc); }

// The overview of the row's worker.
std::vector<RowLink> worker_links() {
  std::vector<RowLink> links{{"Overview of this worker", "overview", {}}, {"Timeline of this worker", "timeline", {}}};
  for (RowLink& link : links) link.worker = "$worker";
  return links;
}

// All ranks at the row's moment, by the clock of the row's worker.
RowLink axis_link() {
  return {.title = "All ranks at this moment",
          .view = "timeline",
          .parameters = {{"timeline.ranks", "span"}, {"timeline.window", "$moment"}},
          .worker = "$worker"};
}

const RankTimes* step_of(const RankSummary& rank, const TimesOfRank& times, std::int64_t number) {
  for (std::size_t i = 0; i < rank.steps.size(); ++i) {
    if (rank.steps[i].number == number) return &times.steps[i];
  }
  return nullptr;
}

// ---- hierarchy ----

std::string capability(const RankDevice& device) {
  if (device.compute_major == kUnknown || device.compute_minor == kUnknown) return "";
  return fmt::format("{}.{}", device.compute_major, device.compute_minor);
}

struct HierarchyRow {
  Message name;
  std::int64_t parent = kUnknown;
  const RankSummary* rank = nullptr;   // null: a node
  const RankDevice* device = nullptr;  // null: a node or a process
};

TableOf<HierarchyRow> hierarchy() {
  const auto of_device = [](std::int64_t RankDevice::*value) {
    return [value](const HierarchyRow& row) { return row.device == nullptr ? kUnknown : row.device->*value; };
  };
  TableOf<HierarchyRow> table({.key = "hierarchy", .title = "Nodes, processes, devices"});
  table.add(label_column("name", "Name", "The node, the process on it, the device that it uses"), &HierarchyRow::name);
  table.add(integer_column("parent", "Parent", Unit::id, {"The row it belongs to", "", ""}).hide(), &HierarchyRow::parent);
  table.add(code_column("worker", "Worker", "Name of the worker, from its file's name"),
            [](const HierarchyRow& row) { return row.rank == nullptr ? Cell{} : Cell{row.rank->worker}; });
  table.add(rank_column(), [](const HierarchyRow& row) { return row.rank == nullptr ? kUnknown : row.rank->rank; });
  table.add(text_column("device", "Device", "Product name"),
            [](const HierarchyRow& row) { return row.device == nullptr ? std::string() : row.device->name; });
  table.add(integer_column("memory", "Memory", Unit::bytes, {"Memory of the device, as recorded", "", ""}),
            of_device(&RankDevice::memory));
  table.add(text_column("compute_capability", "Compute capability", "As recorded"),
            [](const HierarchyRow& row) { return row.device == nullptr ? std::string() : capability(*row.device); });
  table.add(integer_column("cores", "Cores", Unit::count, {"Multiprocessors or compute units, as recorded", "", ""}),
            of_device(&RankDevice::cores));
  return table;
}

// ---- times ----

struct WorkerRow {
  const RankSummary* rank;
  TimesRow times;
  std::int64_t number;  // of the step, or of the steps that the times are the mean of
};

const std::string& worker_name(const WorkerRow& row) { return row.rank->worker; }

TableOf<WorkerRow> workers(bool with_roles) {
  TableOf<WorkerRow> table({.key = "workers", .title = "Workers", .row_links = worker_links()});
  table.add(worker_column(), worker_name);
  if (with_roles) table.add(role_column(), [](const WorkerRow& row) { return row.rank->role; });
  table.add(rank_column(), [](const WorkerRow& row) { return row.rank->rank; });
  table.add_all(time_columns(true), &WorkerRow::times);
  table.add(integer_column("steps", "Steps", Unit::count, {"Steps that the means cover: kept and not empty", "", "step windows"}),
            &WorkerRow::number);
  return table;
}

TableOf<WorkerRow> workers_by_steps() {
  TableOf<WorkerRow> table({.key = "worker_steps", .title = "Workers by steps", .row_links = worker_links()});
  table.add_link(axis_link());
  table.add(worker_column(), worker_name);
  table.add(integer_column("step", "Step number", Unit::id, {"Iteration number as recorded", "", ""}), &WorkerRow::number);
  table.add_all(time_columns(false), &WorkerRow::times);
  table.add(moment_column(), [](const WorkerRow& row) {
    const auto step = std::find_if(row.rank->steps.begin(), row.rank->steps.end(),
                                   [&](const RankStep& one) { return one.number == row.number; });
    return step == row.rank->steps.end() ? std::string() : window_around(step->window.start, step->window.end);
  });
  return table;
}

// ---- collectives ----

TableOf<OperationSums, Distributed> operations() {
  const Message known = say("for matched calls: {}", Message(kMatching));
  const std::string no_size = "the file does not say how large they are", no_waits(kNoWaits);
  TableOf<OperationSums, Distributed> table({.key = "operations", .title = "Collectives by worker", .sort_column = "latency"});
  table.add(label_column("name", "Collective", "Its kind; as recorded where the kind is not known"),
            even_empty(&OperationSums::title));
  table.add(code_column("worker", "Worker", "Name of the worker, from its file's name"),
            [](const Distributed& all, const OperationSums& of) { return all.ranks[of.rank]->worker; });
  table.add(code_column("recorded", "Recorded as", "Its name in the file"), even_empty(&OperationSums::name));
  table.add(text_column("group", "Process group", "Its name in the program, else its id"), &OperationSums::group);
  table.add(integer_column("calls", "Calls", Unit::count,
                           {"Collectives that this worker took part in", "", kCollectiveTables, kHostRanges}),
            &OperationSums::calls);
  table.add(integer_column("size", "Size", Unit::bytes,
                           {"Bytes that this worker put in.", "sum of elements x element size over calls of known size",
                            "the collective's arguments, else the inputs of the host range that launched it"})
                .with_unknown(no_size),
            [](const OperationSums& of) { return of.sized == 0 ? kUnknown : of.bytes; });
  table.add(real_column("size_mean", "Mean size", Unit::bytes, {"Bytes per call.", "size / calls of known size", "as size"})
                .with_unknown(no_size),
            [](const OperationSums& of) { return quotient(of.bytes, of.sized); });
  table.add(integer_column("latency", "Latency", Unit::ns,
                           {"Time in these collectives.", "sum of their durations", kCollectiveTables,
                            "The TensorBoard plugin takes the union of their host ranges."}),
            &OperationSums::latency);
  table.add(real_column("latency_mean", "Mean latency", Unit::ns, {"Time per call.", "latency / calls", kCollectiveTables}),
            [](const OperationSums& of) { return quotient(of.latency, of.calls); });
  table.add(integer_column(
                "transfer", "Data transfer", Unit::ns,
                {"Time in which data moved.", "sum over calls of the shortest time that any rank was in it", known, kShortest})
                .with_unknown(no_waits),
            [](const OperationSums& of) { return of.matched == 0 ? kUnknown : of.transfer; });
  table.add(real_column("transfer_mean", "Mean data transfer", Unit::ns,
                        {"Data transfer per call.", "transfer / matched calls", known, kShortest})
                .with_unknown(no_waits),
            [](const OperationSums& of) { return quotient(of.transfer, of.matched); });
  table.add(integer_column("waiting", "Synchronizing", Unit::ns,
                           {"Time waiting for other ranks.", "sum over calls of (duration - data transfer)", known, kShortest})
                .with_unknown(no_waits),
            [](const OperationSums& of) { return of.matched == 0 ? kUnknown : of.waiting; });
  table.add(integer_column("matched", "Matched calls", Unit::count, {"Calls that other workers recorded as well", "", kMatching})
                .hide(),
            &OperationSums::matched);
  return table;
}

TableOf<BandwidthSums> bandwidths() {
  constexpr std::string_view kAlgorithm = "sum of sizes / sum of transfer times";
  constexpr std::string_view kFactor =
      "n ranks; factor 2(n-1)/n for all_reduce, (n-1)/n for all_gather, reduce_scatter, all_to_all, gather and scatter, 1 for "
      "broadcast, reduce and point to point: what the slowest link carries per byte of the message, as nccl-tests count it";
  const std::string no_size = "the file does not say how large it is";
  TableOf<BandwidthSums> table({.key = "bandwidth", .title = "Bandwidth by collective and size", .sort_column = "size"});
  table.add(kind_column("What it does"), [](const BandwidthSums& of) { return collective_kind_name(of.kind); });
  table.add(text_column("group", "Process groups", "Their names in the program"), &BandwidthSums::group);
  table.add(integer_column("ranks", "Ranks", Unit::count, {"Ranks of the process group, as recorded, else those seen", "", ""}),
            &BandwidthSums::ranks);
  table.add(
      integer_column("size", "Size", Unit::bytes,
                     {"Size of the message: what a rank ends with for all_gather, what the root has for gather and scatter, "
                      "else "
                      "what a rank puts in; the largest among its ranks.",
                      "elements x element size", "the collective's arguments"})
          .with_unknown(no_size),
      &BandwidthSums::bytes);
  table.add(integer_column("collectives", "Collectives", Unit::count,
                           {"Number of collectives; one on several ranks counts once", "", kMatching}),
            &BandwidthSums::collectives);
  table.add(real_column(
                "transfer_mean", "Mean data transfer", Unit::ns,
                {"Time in which its data moved.", "mean of the shortest time that any rank was in it, where above 0", kMatching}),
            [](const BandwidthSums& of) { return quotient(of.transfer, of.timed); });
  table.add(real_column("waited_mean", "Mean wait", Unit::ns,
                        {"How long a rank waited for the last rank.", "mean over ranks of (time in it - shortest time in it)",
                         kMatching}),
            [](const BandwidthSums& of) { return quotient(of.waited, of.members); });
  table.add(real_column("algorithm_bandwidth", "Algorithm bandwidth", Unit::bytes_per_second,
                        {"Bytes of the message per second.", kAlgorithm, kMatching})
                .with_unknown(no_size),
            &BandwidthSums::algorithm_bandwidth);
  table.add(real_column("bus_bandwidth", "Bus bandwidth", Unit::bytes_per_second,
                        {"Compare it with the bandwidth of a hardware link.",
                         std::string("algorithm bandwidth x factor; ").append(kFactor), kMatching})
                .with_unknown(no_size),
            &BandwidthSums::bus_bandwidth);
  table.add(real_column("best_bus_bandwidth", "Best bus bandwidth", Unit::bytes_per_second,
                        {"Bus bandwidth of the fastest collective.", "size / shortest transfer time x factor", kMatching})
                .with_unknown(no_size),
            &BandwidthSums::best_bus_bandwidth);
  return table;
}

// A matched collective, and its call on the worker that came last.
struct WaitRow {
  const MatchedCollective* one;
  const RankSummary* rank;
  const RankCollective* call;
};

TableOf<WaitRow> waits() {
  TableOf<WaitRow> table(
      {.key = "waits",
       .title = "Collectives waited in longest",
       .sort_column = "waited",
       .row_links = {
           {.title = "Last worker on the timeline", .view = "timeline", .parameters = {{"slice", "$slice"}}, .worker = "$worker"},
           axis_link()}});
  table.add(kind_column("What it does"), [](const WaitRow& row) { return collective_kind_name(row.call->kind); });
  table.add(text_column("group", "Process group", "Its name"),
            [](const WaitRow& row) { return row.rank->texts[row.call->group]; });
  table.add(
      integer_column("sequence", "Sequence number", Unit::id, {"Sequence number within the process group, as recorded", "", ""})
          .with_unknown("none was recorded: it was matched by its order in the step"),
      [](const WaitRow& row) { return row.call->sequence; });
  table.add(integer_column("step", "Step number", Unit::id, {"Step of the worker that arrived last", "", ""}),
            [](const WaitRow& row) { return row.call->step == kNoStep ? kUnknown : row.rank->steps[row.call->step].number; });
  table.add(code_column("worker", "Last worker", "The worker that the others waited for; on ties, the first"),
            [](const WaitRow& row) { return row.rank->worker; });
  table.add(integer_column("waited", "Waited", Unit::ns,
                           {"Total wait of all other ranks.", "sum over ranks of (time in it - shortest time in it)", kMatching}),
            [](const WaitRow& row) { return row.one->waited; });
  table.add(integer_column("longest", "Longest wait", Unit::ns,
                           {"Wait of the rank that arrived first.", "longest time in it - shortest", kMatching}),
            [](const WaitRow& row) { return row.one->longest - row.one->transfer; });
  table.add(integer_column("delay", "Delay", Unit::ns,
                           {"How much later the last rank arrived than the rank before it.",
                            "second shortest time in it - shortest", kMatching}),
            [](const WaitRow& row) { return row.one->delay; });
  table.add(integer_column("transfer", "Data transfer", Unit::ns,
                           {"Time in which data moved.", "shortest time that any rank was in it", kMatching}),
            [](const WaitRow& row) { return row.one->transfer; });
  table.add(integer_column("ranks", "Ranks seen", Unit::count, {"Ranks that recorded it", "", kMatching}),
            [](const WaitRow& row) { return std::int64_t{row.one->members}; });
  table.add(integer_column("slice", "Slice", Unit::id, {"Slice on the worker that arrived last", "", "row of slices"}).hide(),
            [](const WaitRow& row) { return row.call->slice; });
  table.add(moment_column(),
            [](const WaitRow& row) { return window_around(row.call->interval.end - row.one->longest, row.call->interval.end); });
  return table;
}

}  // namespace

const RankTimes* Distributed::times_of(std::size_t rank) const {
  if (step) return step_of(*ranks[rank], times[rank], *step);
  return times[rank].counted > 0 ? &times[rank].mean : nullptr;
}

RankAddress address_of(const RankSummary& rank) {
  RankAddress address{rank.host, rank.process};
  const std::size_t own = rank.role.empty() ? 0 : rank.role.size() + 1;  // "actor host_12": the role is no part of the host
  const std::string worker = rank.worker.substr(std::min(own, rank.worker.size()));
  const std::size_t bar = worker.rfind('_');
  if (bar == std::string::npos || bar == 0) return address;
  const std::string number = worker.substr(bar + 1);
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || (!rank.process.empty() && rank.process != number)) return address;
  address.process = number;
  if (address.node.empty()) address.node = worker.substr(0, bar);
  return address;
}

std::vector<RankSummaryPtr> by_rank(std::span<const RankSummaryPtr> ranks) {
  std::vector<RankSummaryPtr> sorted(ranks.begin(), ranks.end());
  const auto number = [](const RankSummaryPtr& one) { return one->rank == kUnknown ? INT64_MAX : one->rank; };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const RankSummaryPtr& a, const RankSummaryPtr& b) {
    return a->role == b->role ? number(a) < number(b) : a->role < b->role;
  });
  return sorted;
}

std::int64_t world_size_of(std::span<const RankSummaryPtr> ranks) {
  std::map<std::string, std::int64_t> worlds;
  for (const RankSummaryPtr& rank : ranks) {
    std::int64_t& world = worlds.try_emplace(rank->role, kUnknown).first->second;
    world = std::max(world, rank->world_size);
  }
  std::int64_t sum = 0;
  for (const auto& [role, world] : worlds) {
    if (world == kUnknown) return kUnknown;
    sum += world;
  }
  return worlds.empty() ? kUnknown : sum;
}

Distributed match_ranks(std::span<const RankSummaryPtr> ranks, std::optional<std::int64_t> step) {
  Distributed all{.ranks = ranks, .match = match_collectives(ranks), .times = {}, .step = step};
  all.times = times_of_ranks(ranks, all.match);
  return all;
}

std::int64_t ranks_of_job(std::span<const RankSummaryPtr> ranks) {
  std::int64_t known = world_size_of(ranks);
  for (const RankSummaryPtr& rank : ranks) {
    known = std::max(known, rank->world_size);
    for (const StatedRoute& route : rank->stated.routes) {
      known = std::max({known, route.source + 1, route.target + 1});
      for (const std::int64_t each : route.ranks) known = std::max(known, each + 1);
    }
  }
  return known;
}

ReportTable blank_hierarchy() { return hierarchy().blank(); }

ReportTable hierarchy_table(std::span<const RankSummaryPtr> ranks) {
  std::map<std::string, std::int64_t> node_rows;
  std::vector<std::vector<const RankSummary*>> by_node;
  std::vector<std::string> nodes;
  for (const RankSummaryPtr& rank : ranks) {
    const std::string node = address_of(*rank).node;
    const auto [at, is_new] = node_rows.try_emplace(node, std::ssize(nodes));
    if (is_new) {
      nodes.push_back(node);
      by_node.emplace_back();
    }
    by_node[static_cast<std::size_t>(at->second)].push_back(rank.get());
  }
  std::vector<HierarchyRow> rows;
  const auto add = [&](HierarchyRow row) {
    rows.push_back(std::move(row));
    return std::ssize(rows) - 1;
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::int64_t node = add({nodes[i].empty() ? Message(kUnknownNode) : Message::verbatim(nodes[i])});
    for (const RankSummary* rank : by_node[i]) {
      const std::string process = address_of(*rank).process;
      const std::int64_t row =
          add({process.empty() || process.starts_with('-') ? Message("Process") : say("Process {}", process), node, rank});
      for (const RankDevice& device : rank->devices)
        add({device.ordinal == kUnknown ? Message("Device") : say("Device {}", device.ordinal), row, rank, &device});
    }
  }
  return hierarchy().of(rows);
}

ReportTable blank_workers() { return workers(true).blank(); }

ReportTable workers_table(const Distributed& all) {
  std::vector<WorkerRow> rows;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const RankTimes* times = all.times_of(i);
    const auto steps = static_cast<std::int64_t>(all.step ? times != nullptr : all.times[i].counted);
    rows.push_back({all.ranks[i].get(), {times, all.know_waits()}, steps});
  }
  return workers(has_roles(all.ranks)).of(rows);
}

ReportTable blank_worker_steps() { return workers_by_steps().blank(); }

ReportTable worker_steps_table(const Distributed& all) {
  std::vector<WorkerRow> rows;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    for (std::size_t step = 0; step < all.ranks[i]->steps.size(); ++step)
      rows.push_back({all.ranks[i].get(), {&all.times[i].steps[step], all.know_waits()}, all.ranks[i]->steps[step].number});
  }
  return workers_by_steps().of(rows);
}

ReportTable blank_operations() { return operations().blank(); }

ReportTable operations_table(const Distributed& all) {
  return operations().of(all, operation_sums(all.ranks, all.match, all.step));
}

ReportTable blank_bandwidth() { return bandwidths().blank(); }

ReportTable bandwidth_table(const Distributed& all) { return bandwidths().of(bandwidth_sums(all.ranks, all.match, all.step)); }

ReportTable blank_waits() { return waits().blank(); }

ReportTable waits_table(const Distributed& all) {
  std::vector<const MatchedCollective*> longest;
  const auto last_of = [&](const MatchedCollective& one) -> const CollectiveMember& {
    const auto members = all.match.of(one);
    return *std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.rank == one.last_rank; });
  };
  for (const MatchedCollective& one : all.match.matched) {
    const CollectiveMember& last = last_of(one);
    const RankSummary& rank = *all.ranks[last.rank];
    if (one.waited > 0 && is_in_step(rank, rank.collectives[last.index], all.step)) longest.push_back(&one);
  }
  const std::size_t count = std::min(longest.size(), kLongestWaits);
  const auto order = [&](const MatchedCollective& one) {
    const CollectiveMember& last = last_of(one);
    return std::tuple(-one.waited, last.rank, all.ranks[last.rank]->collectives[last.index].slice);
  };
  std::partial_sort(longest.begin(), longest.begin() + static_cast<std::ptrdiff_t>(count), longest.end(),
                    [&](const auto* a, const auto* b) { return order(*a) < order(*b); });
  std::vector<WaitRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const CollectiveMember& last = last_of(*longest[i]);
    const RankSummary& rank = *all.ranks[last.rank];
    rows.push_back({longest[i], &rank, &rank.collectives[last.index]});
  }
  return waits().of(rows);
}

}  // namespace sightline::analyses

// Sums as stated, by worker, operation, kind of link and route.
#include "analyses/ranks/distributed_stated.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analyses/columns.h"
#include "analyses/ranks/rank_summary.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kStepSums = "the sums of steps that the files state, mean over these steps";
constexpr std::string_view kCollectiveSums =
    "what the files state for each collective: summed over a step, mean over these steps";
constexpr std::string_view kOperationSums = "what the files state for each collective, summed over these";
constexpr std::string_view kLinkSums = "what the files state for each collective and kind of link";
constexpr std::string_view kRouteSums =
    "what the files state from rank to rank: the total of each kind of operation, or the sum of its operations if no total is "
    "stated";
constexpr std::string_view kNotInFiles = "the files do not state it";
constexpr std::string_view kTruncated =
    "The vendor's plugin truncates means over steps to whole µs, and counts a step without a number twice.";
constexpr std::string_view kTwice =
    "The vendor's plugin adds the sum of the links within a node (SDMA) to these links, and counts a MB as 2^20 bytes.";

double rate(std::int64_t bytes, Time ns) {
  return bytes == kUnknown || ns == kUnknown || ns <= 0 ? kUnknownNumber
                                                        : static_cast<double>(bytes) / (static_cast<double>(ns) * 1e-9);
}

ReportColumn stated_time_column(std::string_view key, Message title, std::string_view category, MetricDoc doc) {
  return real_column(key, title, Unit::ns, doc).with_category(category).with_unknown(kNotInFiles);
}

ReportColumn bandwidth_column(Message formula, std::string_view source) {
  return real_column("bandwidth", "Bandwidth", Unit::bytes_per_second,
                     {"Bytes moved per second, while they moved.", formula, source})
      .with_unknown("no time is stated");
}

std::string group_title(const std::string& group) { return group.empty() ? "the job" : group; }

}  // namespace

namespace {

// The mean of the sums of steps, over those that state a value; unknown if none does.
template <typename Step>
class StepMean {
 public:
  void add(const Step& step, double value) {
    if (std::isnan(value)) return;
    sum_ += value;
    steps_.insert(step);
  }
  double mean() const { return steps_.empty() ? kUnknownNumber : sum_ / static_cast<double>(steps_.size()); }

 private:
  double sum_ = 0;
  std::set<Step> steps_;
};

}  // namespace

StatedTimes stated_times(const RankStated& stated, std::optional<std::int64_t> step) {
  StepMean<const StatedStep*> computation, overlap, communication, free;  // each device has its own sums of a step
  StepMean<std::string_view> elapsed, transit, synchronization, waiting, idle;
  std::int64_t sums = 0;
  std::set<std::string_view> steps;
  for (const StatedStep& one : stated.steps) {
    if (!is_stated_step(one.step, step)) continue;
    ++sums;
    computation.add(&one, real_of(one.computing) - real_of(one.overlapped));
    overlap.add(&one, real_of(one.overlapped));
    communication.add(&one, real_of(one.exposed));
    free.add(&one, real_of(one.free));
  }
  for (const StatedOperation& one : stated.operations) {
    if (!is_stated_step(one.step, step)) continue;
    steps.insert(one.step);
    elapsed.add(one.step, real_of(one.elapsed));
    transit.add(one.step, real_of(one.transit));
    synchronization.add(one.step, real_of(one.synchronization));
    waiting.add(one.step, real_of(one.wait) - real_of(one.synchronization));
    idle.add(one.step, real_of(one.elapsed) - real_of(one.transit) - real_of(one.wait));
  }
  return {computation.mean(), overlap.mean(),         communication.mean(), free.mean(), elapsed.mean(),
          transit.mean(),     synchronization.mean(), waiting.mean(),       idle.mean(), std::max(sums, std::ssize(steps))};
}

namespace {

// A worker, its stated figures, and the computed ones where its collectives are matched.
struct StatedRow {
  const RankSummary* rank;
  StatedTimes stated;
  double transfer, waiting;
};

TableOf<StatedRow> stated_columns() {
  const auto of = [](double StatedTimes::*value) { return [value](const StatedRow& row) { return row.stated.*value; }; };
  const std::string not_matched = "no collective of this worker is matched";
  TableOf<StatedRow> table({.key = "stated", .title = "Times as the files state them"});
  table.add(label_column("worker", "Worker", "Name of the worker, from its file's name"),
            [](const StatedRow& row) { return row.rank->worker; });
  table.add(
      integer_column("rank", "Rank", Unit::id, {"Index in the job, as recorded", "", ""}).with_unknown("the file does not say"),
      [](const StatedRow& row) { return row.rank->rank; });
  table.add(stated_time_column("computation", "Computation", "kernel",
                               {"Computing, and no collective runs.", "Computing - Overlapped", kStepSums, kTruncated}),
            of(&StatedTimes::computation));
  table.add(stated_time_column("overlap", "Overlapped", "",
                               {"Computing and communicating at the same time.", "Overlapped", kStepSums, kTruncated}),
            of(&StatedTimes::overlap));
  table.add(stated_time_column("communication", "Communication", "communication",
                               {"Communicating, and nothing computes.", "Communication(Not Overlapped)", kStepSums, kTruncated}),
            of(&StatedTimes::communication));
  table.add(stated_time_column("free", "Free", "other", {"Neither computing nor communicating.", "Free", kStepSums, kTruncated}),
            of(&StatedTimes::free));
  table.add(stated_time_column("transit", "Transit", "communication",
                               {"Data moves.", "sum of Transit Time over the step's collectives", kCollectiveSums, kTruncated}),
            of(&StatedTimes::transit));
  table.add(stated_time_column(
                "synchronization", "Synchronization", "idle",
                {"Waiting for other ranks before any data moves.", "sum of Synchronization Time", kCollectiveSums, kTruncated}),
            of(&StatedTimes::synchronization));
  table.add(stated_time_column(
                "waiting", "Other waiting", "",
                {"Waiting for other ranks once data has moved.", "sum of (Wait Time - Synchronization Time)", kCollectiveSums}),
            of(&StatedTimes::waiting));
  table.add(stated_time_column("idle", "Idle", "other",
                               {"In a collective, but neither moving data nor waiting for a rank: launching its parts.",
                                "elapsed - transit - Wait Time", kCollectiveSums}),
            of(&StatedTimes::idle));
  table.add(stated_time_column("elapsed", "In collectives", "",
                               {"From their starts to their ends.", "sum of Elapse Time", kCollectiveSums}),
            of(&StatedTimes::elapsed));
  table.add(
      stated_time_column(
          "transfer", "Data transfer, matched", "communication",
          {"For comparison, the value from matching the collectives of the ranks: data moves once the last rank has arrived.",
           "as in Workers: Data transfer", "slices of all workers"})
          .with_unknown(not_matched),
      &StatedRow::transfer);
  table.add(stated_time_column("synchronizing", "Synchronizing, matched", "idle",
                               {"The same for waiting for other ranks.", "as in Workers: Synchronizing", "slices of all workers"})
                .with_unknown(not_matched),
            &StatedRow::waiting);
  table.add(integer_column("steps", "Steps", Unit::count, {"Steps that the means cover, as stated", "", ""}),
            [](const StatedRow& row) { return row.stated.steps; });
  return table;
}

// Collectives of one name and group on one worker.
struct OperationRow {
  std::string name, worker, group;
  StatedOperation sums;

  double mean(std::int64_t sum) const { return real_of(sum) / static_cast<double>(sums.calls); }
  Time idle() const {
    const bool parts = sums.elapsed != kUnknown && sums.transit != kUnknown && sums.wait != kUnknown;
    return parts ? sums.elapsed - sums.transit - sums.wait : kUnknown;
  }
};

TableOf<OperationRow> operation_columns() {
  const std::string unknown(kNotInFiles);
  TableOf<OperationRow> table(
      {.key = "stated_operations", .title = "Collectives as the files state them", .sort_column = "elapsed"});
  table.add(label_column("name", "Operation", "Name of the collectives, without their numbers"), even_empty(&OperationRow::name));
  table.add(code_column("worker", "Worker", "Name of the worker, from its file's name"), &OperationRow::worker);
  table.add(text_column("group", "Process group", "As the file names it"), &OperationRow::group);
  table.add(integer_column("calls", "Calls", Unit::count, {"Collectives", "", kOperationSums}),
            [](const OperationRow& row) { return row.sums.calls; });
  table.add(integer_column("size", "Moved", Unit::bytes,
                           {"Bytes over all links.", "sum of Transit Size over the kinds of link, each once; MB = 10^6",
                            kOperationSums, kTwice})
                .with_unknown(unknown),
            [](const OperationRow& row) { return row.sums.bytes; });
  table.add(real_column("size_mean", "Mean moved", Unit::bytes, {"Bytes per call.", "moved / calls", kOperationSums, kTwice})
                .with_unknown(unknown),
            [](const OperationRow& row) { return row.mean(row.sums.bytes); });
  table.add(
      integer_column("elapsed", "Elapsed", Unit::ns, {"From their starts to their ends.", "sum of Elapse Time", kOperationSums})
          .with_unknown(unknown),
      [](const OperationRow& row) { return row.sums.elapsed; });
  table.add(real_column("elapsed_mean", "Mean elapsed", Unit::ns, {"Per call.", "elapsed / calls", kOperationSums})
                .with_unknown(unknown),
            [](const OperationRow& row) { return row.mean(row.sums.elapsed); });
  table.add(integer_column("transit", "Transit", Unit::ns, {"Data moves.", "sum of Transit Time", kOperationSums})
                .with_unknown(unknown),
            [](const OperationRow& row) { return row.sums.transit; });
  table.add(real_column("transit_mean", "Mean transit", Unit::ns, {"Per call.", "transit / calls", kOperationSums})
                .with_unknown(unknown),
            [](const OperationRow& row) { return row.mean(row.sums.transit); });
  table.add(integer_column("synchronization", "Synchronization", Unit::ns,
                           {"Waiting for other ranks before any data moves.", "sum of Synchronization Time", kOperationSums})
                .with_unknown(unknown),
            [](const OperationRow& row) { return row.sums.synchronization; });
  table.add(integer_column("wait", "Wait", Unit::ns,
                           {"Waiting for other ranks, synchronization included.", "sum of Wait Time", kOperationSums})
                .with_unknown(unknown),
            [](const OperationRow& row) { return row.sums.wait; });
  table.add(
      integer_column("idle", "Idle", Unit::ns, {"The rest.", "elapsed - transit - wait", kOperationSums}).with_unknown(unknown),
      &OperationRow::idle);
  table.add(bandwidth_column("moved / transit: over all links at once", kOperationSums),
            [](const OperationRow& row) { return rate(row.sums.bytes, row.sums.transit); });
  return table;
}

// Links of one kind on one worker.
struct LinkRow {
  std::string worker, transport;
  StatedLink sums;

  LinkReach reach() const { return link_reach(transport); }
};

TableOf<LinkRow> link_columns() {
  const std::string no_packets = "sizes of packets are not stated";
  TableOf<LinkRow> table({.key = "links", .title = "Links by worker", .sort_column = "bytes"});
  table.add(label_column("worker", "Worker", "Name of the worker, from its file's name"), &LinkRow::worker);
  table.add(text_column("transport", "Link", "Kind of link, as the file names it"), &LinkRow::transport);
  table.add(text_column("reach", "Reach", "Within a device, within a node, or between nodes"),
            [](const LinkRow& row) { return reach_title(row.reach()); });
  table.add(integer_column("bytes", "Moved", Unit::bytes,
                           {"Bytes over this kind of link.", "sum of Transit Size; MB = 10^6", kLinkSums}),
            [](const LinkRow& row) { return row.sums.bytes; });
  table.add(
      integer_column("duration", "Time", Unit::ns,
                     {"Time in which they moved. Links work in parallel, so this may exceed the transit time of the collectives.",
                      "sum of Transit Time of the links", kLinkSums}),
      [](const LinkRow& row) { return row.sums.duration; });
  table.add(bandwidth_column("moved / time", kLinkSums),
            [](const LinkRow& row) { return rate(row.sums.bytes, row.sums.duration); });
  table.add(
      integer_column("packets", "Packets", Unit::count, {"Packets in which data moved", "", kLinkSums}).with_unknown(no_packets),
      [](const LinkRow& row) { return row.sums.packets > 0 ? row.sums.packets : kUnknown; });
  table.add(real_column("packet_mean", "Mean packet", Unit::bytes, {"Bytes per packet.", "bytes in packets / packets", kLinkSums})
                .with_unknown(no_packets),
            [](const LinkRow& row) {
              return row.sums.packets > 0 ? quotient(row.sums.packet_bytes, row.sums.packets) : kUnknownNumber;
            });
  table.add(
      real_column("large_share", "In large packets", Unit::share,
                  {"Share of the bytes in packets that are large enough to use the link well.",
                   "bytes in packets of 16 MB or more within a node, of 1 MB or more between nodes / bytes in packets; MB = 10^6",
                   kLinkSums})
          .with_unknown(no_packets),
      [](const LinkRow& row) {
        const bool sized = row.sums.packets > 0 && small_packet_limit(row.reach()) > 0;
        return sized ? quotient(row.sums.packet_bytes - row.sums.small_packet_bytes, row.sums.packet_bytes) : kUnknownNumber;
      });
  return table;
}

}  // namespace

ReportTable blank_stated() { return stated_columns().blank(); }

ReportTable stated_table(const Distributed& all) {
  std::vector<StatedRow> rows;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const StatedTimes stated = stated_times(all.ranks[i]->stated, all.step);
    if (stated.steps == 0) continue;
    const RankTimes* ours = all.know_waits() ? all.times_of(i) : nullptr;
    const bool some = ours != nullptr && ours->transfer + ours->waiting > 0;
    rows.push_back({all.ranks[i].get(), stated, some ? ours->transfer : kUnknownNumber, some ? ours->waiting : kUnknownNumber});
  }
  return stated_columns().of(rows);
}

ReportTable blank_stated_operations() { return operation_columns().blank(); }

ReportTable stated_operations_table(const Distributed& all) {
  std::vector<OperationRow> rows;
  for (const RankSummaryPtr& rank : all.ranks) {
    std::map<std::tuple<std::string, std::string>, StatedOperation> sums;
    const auto add = [](std::int64_t& sum, std::int64_t value) {
      if (value != kUnknown) sum = sum == kUnknown ? value : sum + value;
    };
    for (const StatedOperation& one : rank->stated.operations) {
      if (!is_stated_step(one.step, all.step)) continue;
      StatedOperation& sum = sums[{one.name, one.group}];
      sum.calls += one.calls;
      add(sum.elapsed, one.elapsed);
      add(sum.transit, one.transit);
      add(sum.wait, one.wait);
      add(sum.synchronization, one.synchronization);
      add(sum.bytes, one.bytes);
    }
    for (const auto& [key, sum] : sums) rows.push_back({std::get<0>(key), rank->worker, std::get<1>(key), sum});
  }
  return operation_columns().of(rows);
}

ReportTable blank_links() { return link_columns().blank(); }

ReportTable links_table(const Distributed& all) {
  std::vector<LinkRow> rows;
  for (const RankSummaryPtr& rank : all.ranks) {
    std::map<std::string, StatedLink> sums;
    for (const StatedLink& one : rank->stated.links) {
      if (!is_stated_step(one.step, all.step)) continue;
      StatedLink& sum = sums[one.transport];
      sum.bytes += one.bytes;
      sum.duration += one.duration;
      sum.packets += one.packets;
      sum.packet_bytes += one.packet_bytes;
      sum.small_packet_bytes += one.small_packet_bytes;
    }
    for (const auto& [transport, sum] : sums) rows.push_back({rank->worker, transport, sum});
  }
  return link_columns().of(rows);
}

namespace {

// For a process group whose ranks no file lists.
struct GroupLinks {
  std::map<std::int64_t, std::set<std::int64_t>> own;  // number within the group -> ranks of the job that state only its links
  std::set<std::int64_t> holders;                      // ranks of the job that state any of its links
  std::int64_t last = 0;                               // the highest number within the group
  std::vector<std::int64_t> ranks;                     // of the job, by number within the group; empty unless all are known

  bool is_one_group() const {
    return std::all_of(own.begin(), own.end(), [](const auto& one) { return one.second.size() == 1; });
  }

  void find_ranks() {
    if (std::ssize(holders) != last + 1 || !is_one_group()) return;
    if (std::ssize(own) != last + 1) ranks.assign(holders.begin(), holders.end());
    if (!ranks.empty()) return;
    for (const auto& [number, of_job] : own) ranks.push_back(*of_job.begin());
  }
};

// By name. A worker that states a group's links is in the group; most state the links that start at them.
std::map<std::string, GroupLinks> groups_without_lists(std::span<const RankSummaryPtr> ranks) {
  std::map<std::string, GroupLinks> groups;
  for (const RankSummaryPtr& rank : ranks) {
    std::map<std::string, std::set<std::int64_t>> sources;
    for (const StatedRoute& one : rank->stated.routes) {
      if (!one.ranks.empty()) continue;
      sources[one.group].insert(one.source);
      GroupLinks& group = groups[one.group];
      group.last = std::max({group.last, one.source, one.target});
      if (rank->rank != kUnknown) group.holders.insert(rank->rank);
    }
    for (const auto& [group, numbers] : sources) {
      if (numbers.size() == 1 && rank->rank != kUnknown) groups[group].own[*numbers.begin()].insert(rank->rank);
    }
  }
  for (auto& [name, group] : groups) group.find_ranks();
  return groups;
}

// The name of a group whose ranks are unknown. Several groups may have the same name, or none: then each worker has a separate
// one.
Message counted_in(const std::string& group, const GroupLinks& links, const std::string& worker) {
  const Message name = group.empty() ? Message("a group without a name") : Message::verbatim(group);
  return links.is_one_group() ? name : say("{}, as {} counts", name, worker);
}

}  // namespace

std::vector<Route> routes_of(const Distributed& all) {
  const std::map<std::string, GroupLinks> unlisted = groups_without_lists(all.ranks);
  std::vector<Route> routes;
  std::set<std::tuple<std::string, std::string, std::string, std::string, std::int64_t, std::int64_t>> taken;
  std::map<std::tuple<std::string, std::int64_t, std::int64_t, std::string>, std::size_t> known;
  for (const RankSummaryPtr& rank : all.ranks) {
    for (const StatedRoute& one : rank->stated.routes) {
      if (!is_stated_step(one.step, all.step)) continue;
      const auto group = one.ranks.empty() ? unlisted.find(one.group) : unlisted.end();
      const std::vector<std::int64_t>& members = group == unlisted.end() ? one.ranks : group->second.ranks;
      const auto size = std::ssize(members);
      const bool mapped = one.source < size && one.target < size;
      const std::string counted = mapped                    ? ""
                                  : group == unlisted.end() ? one.group
                                                            : counted_in(one.group, group->second, rank->worker);
      std::string ranks;
      for (const std::int64_t each : members) ranks += std::to_string(each) + ' ';
      const std::string stated_by = counted.empty() ? one.group : counted;
      if (!taken.emplace(one.step, stated_by, ranks, one.transport, one.source, one.target).second) continue;
      const auto in_job = [&](std::int64_t local) { return mapped ? members[static_cast<std::size_t>(local)] : local; };
      const Route route{counted, in_job(one.source), in_job(one.target), one.transport};
      const auto [at, is_new] = known.try_emplace({route.group, route.from, route.to, route.transport}, routes.size());
      if (is_new) routes.push_back(route);
      routes[at->second].bytes += one.bytes;
      routes[at->second].duration += one.duration;
    }
  }
  return routes;
}

static TableOf<StatedGroup> stated_groups() {
  TableOf<StatedGroup> table({.key = "process_groups", .title = "Process groups"});
  table.add(label_column("group", "Process group", "As the file names it"), even_empty(&StatedGroup::name));
  table.add(text_column("about", "Description", "Of the group in the program, such as tp"), &StatedGroup::about);
  table.add(integer_column("size", "Ranks", Unit::count, {"Ranks of the group.", "number of ranks", "the list of its ranks"}),
            &StatedGroup::size);
  table.add(text_column("ranks", "Which", "Their numbers"), &StatedGroup::ranks);
  return table;
}

ReportTable blank_process_groups() { return stated_groups().blank(); }

ReportTable process_groups_table(const Distributed& all) {
  std::vector<StatedGroup> rows;
  for (const RankSummaryPtr& rank : all.ranks) rows.insert(rows.end(), rank->stated.groups.begin(), rank->stated.groups.end());
  return stated_groups().of(rows);
}

static TableOf<Route> route_columns() {
  TableOf<Route> table({.key = "routes", .title = "From rank to rank", .sort_column = "bytes"});
  table.add(text_column("group", "Ranks of",
                        "\"the job\" if the files map ranks of process groups to ranks of the job; else the process group that "
                        "numbers the ranks")
                .with_role(ColumnRole::label)
                .with_words("own_name"),
            [](const Route& route) { return group_title(route.group); });
  table.add(integer_column("from", "From rank", Unit::id, {"Sending rank", "", kRouteSums}), &Route::from);
  table.add(integer_column("to", "To rank", Unit::id, {"Receiving rank", "", kRouteSums}), &Route::to);
  table.add(text_column("transport", "Link", "Kind of link, as the file names it"), &Route::transport);
  table.add(integer_column("bytes", "Moved", Unit::bytes,
                           {"Bytes from the first to the second.", "sum of Transit Size; MB = 10^6", kRouteSums}),
            &Route::bytes);
  table.add(integer_column("duration", "Time", Unit::ns, {"Time in which they moved.", "sum of Transit Time", kRouteSums}),
            &Route::duration);
  table.add(bandwidth_column("moved / time", kRouteSums), [](const Route& route) { return rate(route.bytes, route.duration); });
  table.add(own_name_column(), [](const Route& route) { return route.group.empty(); });
  return table;
}

ReportTable blank_routes() { return route_columns().blank(); }

ReportTable routes_table(const std::vector<Route>& routes) { return route_columns().of(routes); }

std::vector<std::string> route_groups(const std::vector<Route>& routes) {
  std::map<std::string, std::int64_t> bytes;
  for (const Route& route : routes) {
    if (link_reach(route.transport) != LinkReach::device) bytes[route.group] += route.bytes;
  }
  std::vector<std::string> groups;
  groups.reserve(bytes.size());
  for (const auto& [group, sum] : bytes) groups.push_back(group);
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const auto& a, const auto& b) { return a.empty() != b.empty() ? a.empty() : bytes[a] > bytes[b]; });
  return groups;
}

// All links between two ranks together; kUnknown: nothing is stated.
struct RankPair {
  std::int64_t from, to;
  std::int64_t bytes = kUnknown;
  Time duration = kUnknown;
};

static TableOf<RankPair> rank_pairs() {
  const std::string unknown = "nothing is stated between the two";
  TableOf<RankPair> table({.key = "route_map", .title = "Links between ranks"});
  table.add(integer_column("from", "From rank", Unit::id, {"Sending rank", "", kRouteSums}), &RankPair::from);
  table.add(integer_column("to", "To rank", Unit::id, {"Receiving rank", "", kRouteSums}), &RankPair::to);
  table.add(bandwidth_column("moved / time, over all kinds of link between the two", kRouteSums).with_unknown(unknown),
            [](const RankPair& pair) { return rate(pair.bytes, pair.duration); });
  table.add(
      integer_column("bytes", "Moved", Unit::bytes, {"Bytes from the first to the second.", "sum of Transit Size", kRouteSums})
          .with_unknown(unknown),
      &RankPair::bytes);
  table.add(integer_column("duration", "Time", Unit::ns, {"Time in which they moved.", "sum of Transit Time", kRouteSums})
                .with_unknown(unknown),
            &RankPair::duration);
  return table;
}

ReportTable blank_route_map() { return rank_pairs().blank(); }

ReportTable route_map_table(const std::vector<Route>& routes, const std::string& group) {
  std::set<std::int64_t> receivers;
  std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::int64_t, Time>> sums;  // bytes and ns
  for (const Route& route : routes) {
    if (route.group != group || link_reach(route.transport) == LinkReach::device || route.from == route.to) continue;
    receivers.insert(route.to);
    auto& [bytes, duration] = sums[{route.from, route.to}];
    bytes += route.bytes;
    duration += route.duration;
  }
  // The first sender's row has all receivers, so that both axes of a map have their ranks in order; ranks that send nothing have
  // no row.
  std::vector<RankPair> pairs;
  if (sums.empty()) return blank_route_map();
  const std::int64_t first = sums.begin()->first.first;
  for (const std::int64_t to : receivers) {
    const auto sum = sums.find({first, to});
    pairs.push_back(sum == sums.end() ? RankPair{first, to} : RankPair{first, to, sum->second.first, sum->second.second});
  }
  for (const auto& [ends, sum] : sums) {
    if (ends.first != first) pairs.push_back({ends.first, ends.second, sum.first, sum.second});
  }
  return rank_pairs().of(pairs);
}

}  // namespace sightline::analyses

// Sums as stated, by worker, operation, kind of link and route.
#include "analyses/ranks/distributed_stated.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "analyses/columns.h"
#include "analyses/ranks/link_kinds.h"

namespace sightline {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kStepSums = "the sums of steps that the files state, mean over these steps";
constexpr std::string_view kCollectiveSums = "what the files state for each collective, sum over a step's, mean over these steps";
constexpr std::string_view kOperationSums = "what the files state for each collective, sum over these";
constexpr std::string_view kLinkSums = "what the files state for each collective and kind of link";
constexpr std::string_view kRouteSums =
    "what the files state from rank to rank: the total of each kind of operation, or the sum of its operations where none is "
    "stated";
constexpr std::string_view kNotStated = "the files do not state it";
constexpr std::string_view kTruncated =
    "The vendor's plugin cuts means over steps to whole us, and counts a step without a number twice.";
constexpr std::string_view kTwice =
    "The vendor's plugin adds the sum of the links within a node (SDMA) to these links, and counts a MB as 2^20 bytes.";

double real(std::int64_t value) { return value == kUnknown ? kNaN : static_cast<double>(value); }

double rate(std::int64_t bytes, Time ns) {
  return bytes == kUnknown || ns == kUnknown || ns <= 0 ? kNaN : static_cast<double>(bytes) / (static_cast<double>(ns) * 1e-9);
}

ReportColumn stated_time_column(std::string_view key, Message title, std::string_view category, MetricDoc doc) {
  ReportColumn column = real_column(key, title, Unit::ns, doc);
  column.category = category;
  column.unknown = kNotStated;
  return column;
}

ReportColumn bandwidth_column(Message formula, std::string_view source) {
  ReportColumn column = real_column("bandwidth", "Bandwidth", Unit::bytes_per_second,
                                    {"Bytes moved per second, while they moved.", formula, source});
  column.unknown = "no time is stated";
  return column;
}

std::string group_title(const std::string& group) { return group.empty() ? "the job" : group; }

}  // namespace

StatedTimes stated_times(const RankStated& stated, std::optional<std::int64_t> step) {
  StatedTimes t{kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, 0};
  const auto add = [](double value, double& sum) {
    if (!std::isnan(value)) sum = std::isnan(sum) ? value : sum + value;
  };
  std::int64_t sums = 0;
  for (const StatedStep& one : stated.steps) {
    if (!is_stated_step(one.step, step)) continue;
    ++sums;
    add(real(one.computing) - real(one.overlapped), t.computation);
    add(real(one.overlapped), t.overlap);
    add(real(one.exposed), t.communication);
    add(real(one.free), t.free);
  }
  std::set<std::string> steps;
  for (const StatedOperation& one : stated.operations) {
    if (!is_stated_step(one.step, step)) continue;
    steps.insert(one.step);
    add(real(one.elapsed), t.elapsed);
    add(real(one.transit), t.transit);
    add(real(one.synchronization), t.synchronization);
    add(real(one.wait) - real(one.synchronization), t.waiting);
    add(real(one.elapsed) - real(one.transit) - real(one.wait), t.idle);
  }
  for (double* each : {&t.computation, &t.overlap, &t.communication, &t.free}) *each /= static_cast<double>(sums);
  for (double* each : {&t.elapsed, &t.transit, &t.synchronization, &t.waiting, &t.idle})
    *each /= static_cast<double>(steps.size());
  t.steps = std::max(sums, std::ssize(steps));
  return t;
}

ReportTable blank_stated() {
  ReportTable table{.key = "stated", .title = "Times as the files state them"};
  table.columns = {
      label_column("worker", "Worker", "Name of the worker, from its file's name"),
      integer_column("rank", "Rank", Unit::id, {"Index in the job, as recorded", "", ""}),
      stated_time_column("computation", "Computation", "kernel",
                         {"Computing, and no collective runs.", "Computing - Overlapped", kStepSums, kTruncated}),
      stated_time_column("overlap", "Overlapped", "",
                         {"Computing and communicating at the same time.", "Overlapped", kStepSums, kTruncated}),
      stated_time_column("communication", "Communication", "communication",
                         {"Communicating, and nothing computes.", "Communication(Not Overlapped)", kStepSums, kTruncated}),
      stated_time_column("free", "Free", "other", {"Neither.", "Free", kStepSums, kTruncated}),
      stated_time_column("transit", "Transit", "communication",
                         {"Data moves.", "sum of Transit Time over the step's collectives", kCollectiveSums, kTruncated}),
      stated_time_column(
          "synchronization", "Synchronization", "idle",
          {"Waiting for other ranks before any data moves.", "sum of Synchronization Time", kCollectiveSums, kTruncated}),
      stated_time_column(
          "waiting", "Other waiting", "",
          {"Waiting for other ranks once data has moved.", "sum of (Wait Time - Synchronization Time)", kCollectiveSums}),
      stated_time_column("idle", "Idle", "other",
                         {"In a collective, but neither moving data nor waiting for a rank: launching its parts.",
                          "elapsed - transit - Wait Time", kCollectiveSums}),
      stated_time_column("elapsed", "In collectives", "",
                         {"From their starts to their ends.", "sum of Elapse Time", kCollectiveSums}),
      stated_time_column(
          "transfer", "Data transfer, matched", "communication",
          {"For comparison, the value from matching the collectives of the ranks: data moves once the last rank has arrived.",
           "as Workers: Data transfer", "slices of all workers"}),
      stated_time_column("synchronizing", "Synchronizing, matched", "idle",
                         {"Likewise: waiting for other ranks.", "as Workers: Synchronizing", "slices of all workers"}),
      integer_column("steps", "Steps", Unit::count, {"Steps that the means cover, as stated", "", ""})};
  for (const std::size_t matched : {11U, 12U}) table.columns[matched].unknown = "no collective of this worker is matched";
  table.columns[1].unknown = "the file does not say";
  return table;
}

ReportTable stated_table(const Distributed& all) {
  ReportTable table = blank_stated();
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const RankSummary& rank = *all.ranks[i];
    const StatedTimes t = stated_times(rank.stated, all.step);
    if (t.steps == 0) continue;
    std::vector<Cell> cells{Cell{rank.worker}, cell(rank.rank)};
    for (const double value :
         {t.computation, t.overlap, t.communication, t.free, t.transit, t.synchronization, t.waiting, t.idle, t.elapsed}) {
      cells.push_back(cell(value));
    }
    const RankTimes* ours = all.know_waits() ? all.times_of(i) : nullptr;
    const bool some = ours != nullptr && ours->transfer + ours->waiting > 0;
    cells.push_back(some ? Cell{ours->transfer} : Cell{});
    cells.push_back(some ? Cell{ours->waiting} : Cell{});
    cells.emplace_back(t.steps);
    table.add_row(std::move(cells));
  }
  return table;
}

ReportTable blank_stated_operations() {
  ReportTable table{.key = "stated_operations", .title = "Collectives as the files state them"};
  table.columns = {
      label_column("name", "Operation", "Name of the collectives, without their numbers"),
      code_column("worker", "Worker", "Name of the worker, from its file's name"),
      text_column("group", "Process group", "As the file names it"),
      integer_column("calls", "Calls", Unit::count, {"Collectives", "", kOperationSums}),
      integer_column(
          "size", "Moved", Unit::bytes,
          {"Bytes over all links.", "sum of Transit Size over the kinds of link, each once; MB = 10^6", kOperationSums, kTwice}),
      real_column("size_mean", "Mean moved", Unit::bytes, {"Bytes per call.", "moved / calls", kOperationSums, kTwice}),
      integer_column("elapsed", "Elapsed", Unit::ns, {"From their starts to their ends.", "sum of Elapse Time", kOperationSums}),
      real_column("elapsed_mean", "Mean elapsed", Unit::ns, {"Per call.", "elapsed / calls", kOperationSums}),
      integer_column("transit", "Transit", Unit::ns, {"Data moves.", "sum of Transit Time", kOperationSums}),
      real_column("transit_mean", "Mean transit", Unit::ns, {"Per call.", "transit / calls", kOperationSums}),
      integer_column("synchronization", "Synchronization", Unit::ns,
                     {"Waiting for other ranks before any data moves.", "sum of Synchronization Time", kOperationSums}),
      integer_column("wait", "Wait", Unit::ns,
                     {"Waiting for other ranks, synchronization included.", "sum of Wait Time", kOperationSums}),
      integer_column("idle", "Idle", Unit::ns, {"The rest.", "elapsed - transit - wait", kOperationSums}),
      bandwidth_column("moved / transit: over all links at once", kOperationSums)};
  for (std::size_t i = 4; i < 13; ++i) table.columns[i].unknown = kNotStated;
  table.sort_column = "elapsed";
  return table;
}

ReportTable stated_operations_table(const Distributed& all) {
  ReportTable table = blank_stated_operations();
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
    for (const auto& [key, sum] : sums) {
      const auto mean = [calls = sum.calls](std::int64_t value) { return cell(real(value) / static_cast<double>(calls)); };
      const bool parts = sum.elapsed != kUnknown && sum.transit != kUnknown && sum.wait != kUnknown;
      table.add_row({Cell{std::get<0>(key)}, Cell{rank->worker}, cell(std::string_view(std::get<1>(key))), Cell{sum.calls},
                     cell(sum.bytes), mean(sum.bytes), cell(sum.elapsed), mean(sum.elapsed), cell(sum.transit), mean(sum.transit),
                     cell(sum.synchronization), cell(sum.wait), parts ? Cell{sum.elapsed - sum.transit - sum.wait} : Cell{},
                     cell(rate(sum.bytes, sum.transit))});
    }
  }
  return table;
}

ReportTable blank_links() {
  ReportTable table{.key = "links", .title = "Links by worker"};
  table.columns = {
      label_column("worker", "Worker", "Name of the worker, from its file's name"),
      text_column("transport", "Link", "Kind of link, as the file names it"),
      text_column("reach", "Reach", "Within a device, within a node, or between nodes"),
      integer_column("bytes", "Moved", Unit::bytes,
                     {"Bytes over this kind of link.", "sum of Transit Size; MB = 10^6", kLinkSums}),
      integer_column("duration", "Time", Unit::ns,
                     {"Time in which they moved. Links work in parallel, so this may exceed the transit time of the collectives.",
                      "sum of Transit Time of the links", kLinkSums}),
      bandwidth_column("moved / time", kLinkSums),
      integer_column("packets", "Packets", Unit::count, {"Packets in which data moved", "", kLinkSums}),
      real_column("packet_mean", "Mean packet", Unit::bytes, {"Bytes per packet.", "bytes in packets / packets", kLinkSums}),
      real_column("large_share", "In large packets", Unit::share,
                  {"Share of the bytes in packets that are large enough to use the link well.",
                   "bytes in packets of 16 MB or more within a node, of 1 MB or more between nodes / bytes in packets; MB = 10^6",
                   kLinkSums})};
  for (const std::size_t packet : {6U, 7U, 8U}) table.columns[packet].unknown = "sizes of packets are not stated";
  table.sort_column = "bytes";
  return table;
}

ReportTable links_table(const Distributed& all) {
  ReportTable table = blank_links();
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
    for (const auto& [transport, sum] : sums) {
      const LinkReach reach = link_reach(transport);
      const bool packets = sum.packets > 0;
      const bool sized = packets && small_packet_limit(reach) > 0;
      table.add_row({Cell{rank->worker}, Cell{transport}, Cell{std::string(reach_title(reach))}, Cell{sum.bytes},
                     Cell{sum.duration}, cell(rate(sum.bytes, sum.duration)), packets ? Cell{sum.packets} : Cell{},
                     packets ? share_cell(sum.packet_bytes, sum.packets) : Cell{},
                     sized ? share_cell(sum.packet_bytes - sum.small_packet_bytes, sum.packet_bytes) : Cell{}});
    }
  }
  return table;
}

namespace {

// Of a process group whose ranks no file lists.
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

// By name. Who states a group's links is in it, and mostly each states those that go out from itself.
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

// What a group is called whose ranks are not known. Several groups may have one name, or none: then each worker's is its own.
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

ReportTable blank_routes() {
  ReportTable table{.key = "routes", .title = "From rank to rank"};
  table.columns = {
      text_column(
          "group", "Ranks of",
          "\"the job\" where the files tell which rank of the job each rank of a process group is; else the group that the "
          "ranks are counted in"),
      integer_column("from", "From rank", Unit::id, {"Who sends", "", kRouteSums}),
      integer_column("to", "To rank", Unit::id, {"Who receives", "", kRouteSums}),
      text_column("transport", "Link", "Kind of link, as the file names it"),
      integer_column("bytes", "Moved", Unit::bytes,
                     {"Bytes from the first to the second.", "sum of Transit Size; MB = 10^6", kRouteSums}),
      integer_column("duration", "Time", Unit::ns, {"Time in which they moved.", "sum of Transit Time", kRouteSums}),
      bandwidth_column("moved / time", kRouteSums)};
  table.columns[0].role = ColumnRole::label;
  add_own_name_column(table.columns, "group");
  table.sort_column = "bytes";
  return table;
}

ReportTable routes_table(const std::vector<Route>& routes) {
  ReportTable table = blank_routes();
  for (const Route& route : routes) {
    table.add_row({Cell{group_title(route.group)}, Cell{route.from}, Cell{route.to}, Cell{route.transport}, Cell{route.bytes},
                   Cell{route.duration}, cell(rate(route.bytes, route.duration)), Cell{route.group.empty()}});
  }
  return table;
}

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

ReportTable blank_route_map() {
  ReportTable table{.key = "route_map", .title = "Links between ranks"};
  table.columns = {
      integer_column("from", "From rank", Unit::id, {"Who sends", "", kRouteSums}),
      integer_column("to", "To rank", Unit::id, {"Who receives", "", kRouteSums}),
      bandwidth_column("moved / time, over all kinds of link between the two", kRouteSums),
      integer_column("bytes", "Moved", Unit::bytes, {"Bytes from the first to the second.", "sum of Transit Size", kRouteSums}),
      integer_column("duration", "Time", Unit::ns, {"Time in which they moved.", "sum of Transit Time", kRouteSums})};
  for (std::size_t i = 2; i < 5; ++i) table.columns[i].unknown = "nothing is stated between the two";
  return table;
}

ReportTable route_map_table(const std::vector<Route>& routes, const std::string& group) {
  ReportTable table = blank_route_map();
  std::set<std::int64_t> receivers;
  std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::int64_t, Time>> sums;  // bytes and ns
  for (const Route& route : routes) {
    if (route.group != group || link_reach(route.transport) == LinkReach::device || route.from == route.to) continue;
    receivers.insert(route.to);
    auto& [bytes, duration] = sums[{route.from, route.to}];
    bytes += route.bytes;
    duration += route.duration;
  }
  // The first sender's row has all who receive, so that both sides of a map have their ranks in order; who sends nothing has no
  // row.
  const auto add = [&](std::int64_t from, std::int64_t to) {
    const auto sum = sums.find({from, to});
    if (sum == sums.end()) {
      table.add_row({Cell{from}, Cell{to}, Cell{}, Cell{}, Cell{}});
    } else {
      const auto [bytes, duration] = sum->second;
      table.add_row({Cell{from}, Cell{to}, cell(rate(bytes, duration)), Cell{bytes}, Cell{duration}});
    }
  };
  if (sums.empty()) return table;
  const std::int64_t first = sums.begin()->first.first;
  for (const std::int64_t to : receivers) add(first, to);
  for (const auto& [ends, sum] : sums) {
    if (ends.first != first) add(ends.first, ends.second);
  }
  return table;
}

}  // namespace sightline

// The tables of the view across ranks.
#include "analyses/ranks/distributed_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "analyses/columns.h"
#include "model/collective_kind_name.h"

namespace sightline {

namespace {

constexpr std::string_view kCollectiveTables =
    "device work that is a collective; for a process group without any on the device, the host ranges that represent it";
constexpr std::string_view kUnions = "lengths of unions of intervals, cut by the step's window";
constexpr std::string_view kMatching =
    "collectives matched across workers by process group, kind and sequence number, or by their order in the step where none was "
    "recorded";
constexpr std::string_view kPerStep = "; without a chosen step, the mean over the worker's steps that are not empty";
constexpr std::string_view kNoWaits = "no collective of this worker is known on another one";
constexpr std::string_view kHostRanges =
    "Collectives are recognised by their kernels, for every library; the TensorBoard plugin uses host ranges of ten names.";
constexpr std::string_view kShortest =
    "The TensorBoard plugin matches by position, in all or none, and counts a worker that is alone as never waiting.";

ReportColumn rank_time_column(std::string_view key, Message title, std::string_view category, MetricDoc doc) {
  ReportColumn column = real_column(key, title, Unit::ns, doc);
  column.category = category;
  return column;
}

// What RankTimes holds, one column each; REQUIRES: the order of append_times().
std::vector<ReportColumn> time_columns(std::string_view more) {
  const std::string own_source = std::string(kUnions) + std::string(more);
  const std::string match_source = std::string(kMatching) + std::string(more);
  std::vector<ReportColumn> columns{
      rank_time_column(
          "computation", "Computation", "kernel",
          {"At least one kernel computes, and no collective runs. For a worker without kernels: the host is in an operator.",
           "computing - overlap", own_source, kHostRanges}),
      rank_time_column("overlap", "Overlapped", "",
                       {"Computing and communicating at the same time: this part of a collective costs no time.",
                        "computing and communicating", own_source, kHostRanges}),
      rank_time_column(
          "communication", "Communication", "communication",
          {"At least one collective runs, and nothing computes.", "communicating - overlap", own_source, kHostRanges}),
      rank_time_column("other", "Other", "other",
                       {"Neither: copies, the host, data loading, idling.", "total - computation - overlap - communication",
                        own_source, kHostRanges}),
      real_column(
          "total", "Step", Unit::ns,
          {"Length of the step, including its device work.", "computation + overlap + communication + other", own_source}),
      rank_time_column("transfer", "Data transfer", "communication",
                       {"Data moves in at least one collective: all its ranks have arrived.",
                        "union of the last parts of collectives, each as long as on the rank that was in it the shortest",
                        match_source, kShortest}),
      rank_time_column("waiting", "Synchronizing", "idle",
                       {"It waits in collectives for other ranks, and no data moves.",
                        "overlap + communication - transfer - unmatched", match_source, kShortest}),
      rank_time_column(
          "unmatched", "Not matched", "other",
          {"It is only in collectives that are not known on any other worker: waiting and transfer cannot be separated.",
           "union of these - union of the others", match_source}),
      real_column("caused", "Waiting caused", Unit::ns,
                  {"How long others waited for this worker: the sum of their waits in collectives that it came to last. Ranks "
                   "that wait at the same time are counted separately.",
                   "sum over these collectives and their other ranks of (time in it - shortest time in it)", match_source}),
      real_column("delay", "Delay caused", Unit::ns,
                  {"How much earlier those collectives would have ended if this worker had come together with the one before it.",
                   "sum over these collectives of (second shortest time in it - shortest)", match_source}),
      real_column("last", "Times last", Unit::count,
                  {"Collectives that this worker came to last; the first of equals", "", match_source}),
      real_column("outlying", "Times last by far", Unit::count,
                  {"Those of them to which it came later than chance explains: its time in them is an outlier below the times of "
                   "the others. Needs at least three ranks, and all ranks of the group.",
                   "count of collectives with Dixon's ratio of the shortest time above its 99.5% value; of more than 100 ranks: "
                   "shortest < mean - 3 standard deviations",
                   match_source})};
  for (ReportColumn& column : columns) {
    if (column.key == "transfer" || column.key == "waiting") column.unknown = kNoWaits;
  }
  return columns;
}

void append_times(std::vector<Cell>& cells, const RankTimes* times, bool know_waits) {
  constexpr std::size_t kColumns = 12;
  if (times == nullptr) {
    cells.resize(cells.size() + kColumns);
    return;
  }
  // Where nothing was matched, nothing is known of waits; a worker may still communicate without a partner here.
  const bool some = know_waits && (times->transfer + times->waiting > 0 || times->unmatched == 0);
  const auto known = [&](double value) { return some ? Cell{value} : Cell{}; };
  for (const double value : {times->computation, times->overlap, times->communication, times->other, times->total}) {
    cells.emplace_back(value);
  }
  for (const double value : {times->transfer, times->waiting}) cells.push_back(known(value));
  cells.emplace_back(times->unmatched);
  for (const double value : {times->caused, times->delay, times->last, times->outlying})
    cells.push_back(know_waits ? Cell{value} : Cell{});
}

ReportColumn worker_column() { return label_column("worker", "Worker", "Name of the worker, from its file's name"); }

ReportColumn rank_column() {
  ReportColumn column = integer_column("rank", "Rank", Unit::id, {"Index in the job, as recorded", "", ""});
  column.unknown = "the file does not say";
  return column;
}

ReportColumn kind_column(Message doc) { return label_column("kind", "Collective", doc); }

// The overview of the row's worker.
std::vector<RowLink> worker_links() {
  std::vector<RowLink> links{{"Overview of this worker", "overview", {}}, {"Timeline of this worker", "timeline", {}}};
  for (RowLink& link : links) link.worker = "$worker";
  return links;
}

const RankTimes* step_of(const RankSummary& rank, const TimesOfRank& times, std::int64_t number) {
  for (std::size_t i = 0; i < rank.steps.size(); ++i) {
    if (rank.steps[i].number == number) return &times.steps[i];
  }
  return nullptr;
}

// ---- hierarchy ----

struct Address {
  std::string node, process;
};

// As recorded, else what is in a worker's name, "<node>_<process id>"; empty when neither tells.
Address address_of(const RankSummary& rank) {
  Address address{rank.host, rank.process};
  const std::size_t bar = rank.worker.rfind('_');
  if (bar == std::string::npos || bar == 0) return address;
  const std::string number = rank.worker.substr(bar + 1);
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || (!rank.process.empty() && rank.process != number)) return address;
  address.process = number;
  if (address.node.empty()) address.node = rank.worker.substr(0, bar);
  return address;
}

std::string capability(const RankDevice& device) {
  if (device.compute_major == kUnknown || device.compute_minor == kUnknown) return "";
  return fmt::format("{}.{}", device.compute_major, device.compute_minor);
}

}  // namespace

const RankTimes* Distributed::times_of(std::size_t rank) const {
  if (step) return step_of(*ranks[rank], times[rank], *step);
  return times[rank].counted > 0 ? &times[rank].mean : nullptr;
}

ReportTable blank_hierarchy() {
  ReportTable table{.key = "hierarchy", .title = "Nodes, processes, devices"};
  table.columns = {label_column("name", "Name", "The node, the process on it, the device that it uses"),
                   integer_column("parent", "Parent", Unit::id, {"The row it belongs to", "", ""}),
                   code_column("worker", "Worker", "Name of the worker, from its file's name"),
                   rank_column(),
                   text_column("device", "Device", "Product name"),
                   integer_column("memory", "Memory", Unit::bytes, {"Memory of the device, as recorded", "", ""}),
                   text_column("compute_capability", "Compute capability", "As recorded"),
                   integer_column("cores", "Cores", Unit::count, {"Multiprocessors or compute units, as recorded", "", ""})};
  table.columns[1].hidden = true;
  return table;
}

ReportTable hierarchy_table(std::span<const RankSummaryPtr> ranks) {
  ReportTable table = blank_hierarchy();
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
  const auto add = [&](const Message& name, Cell parent, std::vector<Cell> more) {
    std::vector<Cell> cells{table.words(name), std::move(parent)};
    cells.insert(cells.end(), more.begin(), more.end());
    cells.resize(table.columns.size());
    table.add_row(std::move(cells));
    return static_cast<std::int64_t>(table.rows()) - 1;
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Cell node = add(nodes[i].empty() ? Message(kUnknownNode) : Message::verbatim(nodes[i]), {}, {});
    for (const RankSummary* rank : by_node[i]) {
      const std::string process = address_of(*rank).process;
      const Cell row =
          add(process.empty() ? Message("Process") : say("Process {}", process), node, {Cell{rank->worker}, cell(rank->rank)});
      for (const RankDevice& device : rank->devices) {
        add(device.ordinal == kUnknown ? Message("Device") : say("Device {}", device.ordinal), row,
            {Cell{rank->worker}, cell(rank->rank), cell(std::string_view(device.name)), cell(device.memory),
             cell(std::string_view(capability(device))), cell(device.cores)});
      }
    }
  }
  return table;
}

// ---- times ----

ReportTable blank_workers() {
  ReportTable table{.key = "workers", .title = "Workers"};
  table.columns = {worker_column(), rank_column()};
  for (ReportColumn& column : time_columns(kPerStep)) table.columns.push_back(std::move(column));
  table.columns.push_back(
      integer_column("steps", "Steps", Unit::count, {"Steps that the means cover: kept and not empty", "", "step windows"}));
  table.row_links = worker_links();
  return table;
}

ReportTable workers_table(const Distributed& all) {
  ReportTable table = blank_workers();
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    std::vector<Cell> cells{Cell{all.ranks[i]->worker}, cell(all.ranks[i]->rank)};
    append_times(cells, all.times_of(i), all.know_waits());
    cells.emplace_back(static_cast<std::int64_t>(all.step ? all.times_of(i) != nullptr : all.times[i].counted));
    table.add_row(std::move(cells));
  }
  return table;
}

ReportTable blank_worker_steps() {
  ReportTable table{.key = "worker_steps", .title = "Workers by steps"};
  table.columns = {worker_column(), integer_column("step", "Step number", Unit::id, {"Iteration number as recorded", "", ""})};
  for (ReportColumn& column : time_columns("")) table.columns.push_back(std::move(column));
  table.row_links = worker_links();
  return table;
}

ReportTable worker_steps_table(const Distributed& all) {
  ReportTable table = blank_worker_steps();
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    for (std::size_t step = 0; step < all.ranks[i]->steps.size(); ++step) {
      std::vector<Cell> cells{Cell{all.ranks[i]->worker}, Cell{all.ranks[i]->steps[step].number}};
      append_times(cells, &all.times[i].steps[step], all.know_waits());
      table.add_row(std::move(cells));
    }
  }
  return table;
}

// ---- collectives ----

ReportTable blank_operations() {
  ReportTable table{.key = "operations", .title = "Collectives by worker"};
  const std::string known = std::string("of those that are matched: ") + std::string(kMatching);
  table.columns = {
      label_column("name", "Collective", "As recorded"),
      code_column("worker", "Worker", "Name of the worker, from its file's name"),
      text_column("group", "Process group", "Its name in the program, else its id"),
      integer_column("calls", "Calls", Unit::count, {"How many this worker took part in", "", kCollectiveTables, kHostRanges}),
      integer_column("size", "Size", Unit::bytes,
                     {"Bytes that this worker put in.", "sum of elements x element size over calls of known size",
                      "the collective's arguments, else the inputs of the host range that launched it"}),
      real_column("size_mean", "Mean size", Unit::bytes, {"Bytes per call.", "size / calls of known size", "as size"}),
      integer_column("latency", "Latency", Unit::ns,
                     {"Time in these collectives.", "sum of their durations", kCollectiveTables,
                      "The TensorBoard plugin takes the union of their host ranges."}),
      real_column("latency_mean", "Mean latency", Unit::ns, {"Time per call.", "latency / calls", kCollectiveTables}),
      integer_column(
          "transfer", "Data transfer", Unit::ns,
          {"Time in which data moved.", "sum over calls of the shortest time that any rank was in it", known, kShortest}),
      real_column("transfer_mean", "Mean data transfer", Unit::ns,
                  {"Data transfer per call.", "transfer / matched calls", known, kShortest}),
      integer_column("waiting", "Synchronizing", Unit::ns,
                     {"Time waiting for other ranks.", "sum over calls of (duration - data transfer)", known, kShortest}),
      integer_column("matched", "Matched calls", Unit::count, {"Calls that are known on other workers, too", "", kMatching})};
  table.columns[11].hidden = true;
  for (const std::size_t size : {4U, 5U}) table.columns[size].unknown = "the file does not say how large they are";
  for (const std::size_t time : {8U, 9U, 10U}) table.columns[time].unknown = kNoWaits;
  table.sort_column = "latency";
  return table;
}

ReportTable operations_table(const Distributed& all) {
  ReportTable table = blank_operations();
  const auto mean = [](std::int64_t sum, std::int64_t count) {
    return count == 0 ? Cell{} : Cell{static_cast<double>(sum) / static_cast<double>(count)};
  };
  for (const OperationSums& sums : operation_sums(all.ranks, all.match, all.step)) {
    const auto known = [&](std::int64_t value) { return sums.matched == 0 ? Cell{} : Cell{value}; };
    table.add_row({Cell{sums.name}, Cell{all.ranks[sums.rank]->worker}, cell(std::string_view(sums.group)), Cell{sums.calls},
                   sums.sized == 0 ? Cell{} : Cell{sums.bytes}, mean(sums.bytes, sums.sized), Cell{sums.latency},
                   mean(sums.latency, sums.calls), known(sums.transfer), mean(sums.transfer, sums.matched), known(sums.waiting),
                   Cell{sums.matched}});
  }
  return table;
}

ReportTable blank_bandwidth() {
  ReportTable table{.key = "bandwidth", .title = "Bandwidth by collective and size"};
  constexpr std::string_view kAlgorithm = "sum of sizes / sum of transfer times";
  constexpr std::string_view kFactor =
      "n ranks; factor 2(n-1)/n for all_reduce, (n-1)/n for all_gather, reduce_scatter, all_to_all, gather and scatter, 1 for "
      "broadcast, reduce and point to point: what the slowest link carries per byte of the message, as nccl-tests count it";
  table.columns = {
      kind_column("What it does"),
      text_column("group", "Process groups", "Their names in the program"),
      integer_column("ranks", "Ranks", Unit::count, {"Ranks of the process group, as recorded, else those seen", "", ""}),
      integer_column("size", "Size", Unit::bytes,
                     {"Size of the message: what a rank ends with for all_gather, what the root has for gather and scatter, else "
                      "what a rank puts in; the largest among its ranks.",
                      "elements x element size", "the collective's arguments"}),
      integer_column("collectives", "Collectives", Unit::count, {"Each counted once, on all its ranks", "", kMatching}),
      real_column(
          "transfer_mean", "Mean data transfer", Unit::ns,
          {"Time in which its data moved.", "mean of the shortest time that any rank was in it, where above 0", kMatching}),
      real_column(
          "waited_mean", "Mean wait", Unit::ns,
          {"How long a rank waited for the last one.", "mean over ranks of (time in it - shortest time in it)", kMatching}),
      real_column("algorithm_bandwidth", "Algorithm bandwidth", Unit::bytes_per_second,
                  {"Bytes of the message per second.", kAlgorithm, kMatching}),
      real_column("bus_bandwidth", "Bus bandwidth", Unit::bytes_per_second,
                  {"To be compared with what a link of the hardware can do.",
                   std::string("algorithm bandwidth x factor; ").append(kFactor), kMatching}),
      real_column("best_bus_bandwidth", "Best bus bandwidth", Unit::bytes_per_second,
                  {"The same, of the fastest one.", "size / shortest transfer time x factor", kMatching})};
  for (const std::size_t rate : {3U, 7U, 8U, 9U}) table.columns[rate].unknown = "the file does not say how large it is";
  table.sort_column = "size";
  return table;
}

ReportTable bandwidth_table(const Distributed& all) {
  ReportTable table = blank_bandwidth();
  for (const BandwidthSums& sums : bandwidth_sums(all.ranks, all.match, all.step)) {
    const auto mean = [](Time sum, std::int64_t count) {
      return count == 0 ? Cell{} : Cell{static_cast<double>(sum) / static_cast<double>(count)};
    };
    table.add_row({Cell{std::string(collective_kind_name(sums.kind))}, cell(std::string_view(sums.group)), cell(sums.ranks),
                   cell(sums.bytes), Cell{sums.collectives}, mean(sums.transfer, sums.timed), mean(sums.waited, sums.members),
                   cell(sums.algorithm_bandwidth()), cell(sums.bus_bandwidth()), cell(sums.best_bus_bandwidth())});
  }
  return table;
}

ReportTable blank_waits() {
  ReportTable table{.key = "waits", .title = "Collectives waited in longest"};
  table.columns = {
      kind_column("What it does"),
      text_column("group", "Process group", "Its name"),
      integer_column("sequence", "Sequence number", Unit::id, {"Within the process group, as recorded", "", ""}),
      integer_column("step", "Step number", Unit::id, {"Of the worker that came last", "", ""}),
      code_column("worker", "Last worker", "The worker that the others waited for; the first of equals"),
      integer_column("waited", "Waited", Unit::ns,
                     {"By all other ranks together.", "sum over ranks of (time in it - shortest time in it)", kMatching}),
      integer_column("longest", "Longest wait", Unit::ns,
                     {"By the rank that came first.", "longest time in it - shortest", kMatching}),
      integer_column(
          "delay", "Delay", Unit::ns,
          {"How much later the last one came than the one before it.", "second shortest time in it - shortest", kMatching}),
      integer_column("transfer", "Data transfer", Unit::ns,
                     {"Time in which data moved.", "shortest time that any rank was in it", kMatching}),
      integer_column("ranks", "Ranks seen", Unit::count, {"Ranks that it is known on", "", kMatching})};
  table.columns[2].unknown = "none was recorded: it was matched by its order in the step";
  table.columns.push_back(integer_column("slice", "Slice", Unit::id, {"On the worker that came last", "", "row of slices"}));
  table.columns.back().hidden = true;
  table.row_links = {{"Last worker on the timeline", "timeline", {{"slice", "$slice"}}}};
  table.row_links[0].worker = "$worker";
  table.sort_column = "waited";
  return table;
}

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
  std::partial_sort(longest.begin(), longest.begin() + static_cast<std::ptrdiff_t>(count), longest.end(),
                    [](const auto* a, const auto* b) { return a->waited != b->waited ? a->waited > b->waited : a < b; });
  ReportTable table = blank_waits();
  for (std::size_t i = 0; i < count; ++i) {
    const MatchedCollective& one = *longest[i];
    const CollectiveMember& last = last_of(one);
    const RankSummary& rank = *all.ranks[last.rank];
    const RankCollective& call = rank.collectives[last.index];
    table.add_row({Cell{std::string(collective_kind_name(call.kind))}, cell(std::string_view(rank.texts[call.group])),
                   cell(call.sequence), call.step == kNoStep ? Cell{} : Cell{rank.steps[call.step].number}, Cell{rank.worker},
                   Cell{one.waited}, Cell{one.longest - one.transfer}, Cell{one.delay}, Cell{one.transfer},
                   Cell{std::int64_t{one.members}}, Cell{std::int64_t{call.slice}}});
  }
  return table;
}

}  // namespace sightline

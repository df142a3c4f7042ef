// Graphs: how often each graph of device work was launched, how long its work took, and which capture shows what it runs.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "analyses/columns.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "model/interval.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kWorkOfLaunches = "device work that the launches enqueued";
constexpr std::string_view kNotRecorded = "the recording does not show what ran";
constexpr std::string_view kNoNodes = "the recording does not state which node of the graph depends on which";

// ---- one launch ----

struct LaunchOfGraph {
  Row row = kNoRow;        // of graph_launches
  std::vector<Row> works;  // rows of device_work
};

std::vector<LaunchOfGraph> launches_of_graphs(const Profile& p) {
  std::vector<LaunchOfGraph> launches(p.graph_launches.rows());
  std::unordered_map<Row, Row> of_launch;
  for (Row row = 0; row < p.graph_launches.rows(); ++row) {
    launches[row].row = row;
    of_launch.emplace(p.graph_launches.launch[row], row);
  }
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    const auto at = of_launch.find(p.device_work.launch[work]);
    if (at != of_launch.end()) launches[at->second].works.push_back(work);
  }
  const auto start = [&](Row work) { return p.slices.start[p.device_work.slice[work]]; };
  for (LaunchOfGraph& launch : launches) {
    sort_up(launch.works, [&](Row each) { return start(each); });
  }
  return launches;
}

struct LaunchTimes {
  Time device = 0;                                // sum of durations
  Time gaps = 0;                                  // between the first start and the last end, when none ran
  Time delay = 0;                                 // from the start of the call to that of the first work
  Time captured = 0;                              // the part of `device` with an owner from the capture
  Time first = std::numeric_limits<Time>::max();  // start of the first work
};

LaunchTimes times_of(const Profile& p, const LaunchOfGraph& launch) {
  LaunchTimes times;
  Time busy_until = kUnknown;
  for (const Row work : launch.works) {
    const Row slice = p.device_work.slice[work];
    const Time start = p.slices.start[slice], duration = p.slices.duration[slice];
    times.device += duration;
    if (p.device_work.rule[work] == OwnerRule::captured) times.captured += duration;
    if (busy_until != kUnknown && start > busy_until) times.gaps += start - busy_until;
    busy_until = std::max(busy_until, start + duration);
    times.first = std::min(times.first, start);
  }
  times.delay = times.first - p.slices.start[p.launches.slice[p.graph_launches.launch[launch.row]]];
  return times;
}

// The dependencies between pieces of device work, as the recording states them.
std::unordered_map<Row, std::vector<Row>> work_before(const Profile& p) {
  std::unordered_map<Row, std::vector<Row>> before;  // by slice
  for (Row flow = 0; flow < p.flows.rows(); ++flow) {
    const Row from = p.flows.from[flow], to = p.flows.to[flow];
    if (is_device_work(p.slices.kind[from]) && is_device_work(p.slices.kind[to])) before[to].push_back(from);
  }
  return before;
}

// The longest sum of durations along dependencies; kUnknown if none are stated.
Time longest_path(const Profile& p, const LaunchOfGraph& launch, const std::unordered_map<Row, std::vector<Row>>& before) {
  std::unordered_map<Row, Time> until;  // by slice of the launch, in order of start
  Time longest = kUnknown;
  bool any = false;
  for (const Row work : launch.works) {
    const Row slice = p.device_work.slice[work];
    Time path = 0;
    if (const auto sources = before.find(slice); sources != before.end()) {
      for (const Row source : sources->second) {
        const auto known = until.find(source);
        if (known == until.end()) continue;  // of another launch, or it began later
        any = true;
        path = std::max(path, known->second);
      }
    }
    until[slice] = path + p.slices.duration[slice];
    longest = std::max(longest, until[slice]);
  }
  return any ? longest : kUnknown;
}

// ---- graphs ----

// A row: the launches of one graph that were matched in the same way.
struct GraphRow {
  std::string name;
  std::int64_t graph = kUnknown, batch = kUnknown;
  GraphMatch match = GraphMatch::no_capture;
  std::int64_t launches = 0, works = 0;
  Time device = 0, gaps = 0, delay = 0, captured = 0;
  Time path = 0, path_work = 0;  // of the launches with dependencies
  std::int64_t paths = 0;
  Row longest = kNoRow;  // slice of the launch whose work took the longest
  Time most = -1;
  bool recorded() const { return works > 0; }
};

std::string graph_name(const Profile& p, Row captured, const std::map<StringId, std::int64_t>& parts) {
  const StringId name = p.captured_graphs.name[captured];
  std::string words(p.text(name));
  if (parts.at(name) > 1) words += " #" + std::to_string(p.captured_graphs.part[captured]);
  return words;
}

// By name of the range around a capture: the most captures in one.
std::map<StringId, std::int64_t> parts_by_name(const Profile& p) {
  std::map<StringId, std::int64_t> parts;
  for (Row row = 0; row < p.captured_graphs.rows(); ++row) {
    std::int64_t& most = parts[p.captured_graphs.name[row]];
    most = std::max(most, p.captured_graphs.part[row] + 1);
  }
  return parts;
}

void add_launch(GraphRow& row, const Profile& p, const LaunchOfGraph& launch,
                const std::unordered_map<Row, std::vector<Row>>& before) {
  ++row.launches;
  const Row slice = p.launches.slice[p.graph_launches.launch[launch.row]];
  if (row.longest == kNoRow) row.longest = slice;
  if (launch.works.empty()) return;
  const LaunchTimes times = times_of(p, launch);
  row.works += static_cast<std::int64_t>(launch.works.size());
  row.device += times.device;
  row.gaps += times.gaps;
  row.delay += times.delay;
  row.captured += times.captured;
  if (times.device > row.most) {
    row.most = times.device;
    row.longest = slice;
  }
  if (const Time path = longest_path(p, launch, before); path != kUnknown) {
    row.path += path;
    row.path_work += times.device;
    ++row.paths;
  }
}

std::vector<GraphRow> graph_rows(const Profile& p) {
  const GraphLaunches& all = p.graph_launches;
  const std::map<StringId, std::int64_t> parts = parts_by_name(p);
  const auto before = work_before(p);
  std::map<std::tuple<Row, StringId, std::int64_t, std::int64_t, GraphMatch>, std::size_t> known;
  std::vector<GraphRow> rows;
  for (const LaunchOfGraph& launch : launches_of_graphs(p)) {
    const Row captured = all.captured[launch.row];
    const StringId call = p.slices.name[p.launches.slice[all.launch[launch.row]]];
    // A graph that is updated keeps its id and may change its work.
    const auto key =
        std::tuple(captured, call, all.graph[launch.row], captured == kNoRow ? all.works[launch.row] : 0, all.match[launch.row]);
    const auto [at, is_new] = known.try_emplace(key, rows.size());
    if (is_new) {
      rows.push_back({.name = captured == kNoRow ? std::string(p.text(call)) : graph_name(p, captured, parts),
                      .graph = all.graph[launch.row],
                      .batch = captured == kNoRow ? kUnknown : p.captured_graphs.batch[captured],
                      .match = all.match[launch.row]});
    }
    add_launch(rows[at->second], p, launch, before);
  }
  sort_down(rows, &GraphRow::device);
  return rows;
}

std::string_view match_words(GraphMatch match) {
  switch (match) {
    case GraphMatch::by_name: return "by the names of the kernels";
    case GraphMatch::by_order: return "by order";
    case GraphMatch::without_shapes: return "by names; captures of other shapes fit too";
    case GraphMatch::part_by_name: return "a part, by the names of the kernels";
    case GraphMatch::no_capture: return "no: no capture was recorded";
    case GraphMatch::not_recorded: return "no: its device work is not in the recording";
    case GraphMatch::counts_differ: return "no: no capture has as many calls";
    case GraphMatch::names_differ: return "no: captures launch other kernels";
    case GraphMatch::several_fit: return "no: different captures fit";
    case GraphMatch::several_streams: return "no: several streams, and no order of nodes";
    case GraphMatch::nested_graph: return "no: the capture launches a graph";
    case GraphMatch::unfinished: break;
  }
  return "no: the recording ends before the capture";
}

Time if_recorded(const GraphRow& row, Time GraphRow::*time) { return row.recorded() ? row.*time : kUnknown; }

TableOf<GraphRow> graph_table() {
  TableOf<GraphRow> table({.key = "graphs", .title = "Graphs", .sort_column = "device"});
  table.add(label_column("name", "Graph", "The range around its capture, and the number of the capture within it; else the call"),
            even_empty(&GraphRow::name));
  table.add(integer_column("graph", "Id", Unit::id, {"Id of the graph, as the file writes it.", "", "the profiler"}),
            &GraphRow::graph);
  table.add(integer_column("batch", "Captured for", Unit::count,
                           {"Tokens that it was captured for.", "", "name of the range around its capture"}),
            &GraphRow::batch);
  table.add(words_column("match", "Matched", "How its launches were matched to a capture, or why not"),
            [](const GraphRow& row) { return match_words(row.match); });
  table.add(
      integer_column("launches", "Launches", Unit::count, {"How often it was launched.", "number of calls", "runtime calls"}),
      &GraphRow::launches);
  table.add(real_column("works", "Work per launch", Unit::count,
                        {"Kernels, copies and fills that one launch ran.", "pieces of device work / launches", kWorkOfLaunches})
                .with_unknown(kNotRecorded),
            [](const GraphRow& row) { return row.recorded() ? quotient(row.works, row.launches) : kUnknownNumber; });
  table.add(integer_column("device", "Device time", Unit::ns, {"Time of its device work.", "sum of durations", kWorkOfLaunches})
                .with_unknown(kNotRecorded),
            [](const GraphRow& row) { return if_recorded(row, &GraphRow::device); });
  table.add(integer_column("gaps", "Gaps inside", Unit::ns,
                           {"Time between the first and the last work of a launch in which none of it ran.",
                            "sum over launches of: end of the last work - start of the first - length of the union of the work",
                            kWorkOfLaunches})
                .with_unknown(kNotRecorded),
            [](const GraphRow& row) { return if_recorded(row, &GraphRow::gaps); });
  table.add(real_column("delay", "To the first work", Unit::ns,
                        {"Mean time from the start of the launching call to the start of the first work; it includes waiting for "
                         "earlier work of the stream.",
                         "sum of (start of the first work - start of the call) / launches", "launches and their device work"})
                .with_unknown(kNotRecorded),
            [](const GraphRow& row) { return quotient(if_recorded(row, &GraphRow::delay), row.launches); });
  table.add(real_column("coverage", "With an operator", Unit::share,
                        {"Share of its device time for which the capture shows the operator, module or annotation.",
                         "device time attributed by the capture / device time", "attribution of device work"})
                .with_unknown(kNotRecorded),
            [](const GraphRow& row) { return quotient(if_recorded(row, &GraphRow::captured), row.device); });
  table.add(real_column("path", "Longest path", Unit::ns,
                        {"Mean over launches of the longest chain of work in which each piece depends on the one before.",
                         "largest sum of durations along dependencies of nodes", "dependencies of graph nodes"})
                .with_unknown(kNoNodes),
            [](const GraphRow& row) { return row.paths == 0 ? kUnknownNumber : quotient(row.path, row.paths); });
  table.add(real_column("parallelism", "Parallelism", Unit::none,
                        {"How much of its work could run at the same time, at most.", "device time / longest path",
                         "dependencies of graph nodes"})
                .with_unknown(kNoNodes),
            [](const GraphRow& row) { return row.paths == 0 ? kUnknownNumber : quotient(row.path_work, row.path); });
  table.add(longest_slice_column("launch"), &GraphRow::longest);
  return table;
}

// ---- captures ----

struct CaptureRow {
  Row row;
  std::int64_t launches;
};

TableOf<CaptureRow, Profile> capture_table() {
  TableOf<CaptureRow, Profile> table({.key = "captures", .title = "Captures", .sort_column = "launches"});
  table.add(label_column("name", "Capture", "The named range around it, or the file"),
            even_empty([](const Profile& p, const CaptureRow& of) { return p.text(p.captured_graphs.name[of.row]); }));
  table.add(integer_column("part", "Number", Unit::id, {"Number of the capture within the range.", "", "order of time"}),
            [](const Profile& p, const CaptureRow& of) { return p.captured_graphs.part[of.row]; });
  table.add(integer_column("batch", "Captured for", Unit::count, {"Tokens that it was captured for.", "", "name of the range"}),
            [](const Profile& p, const CaptureRow& of) { return p.captured_graphs.batch[of.row]; });
  table.add(integer_column("calls", "Calls", Unit::count,
                           {"Calls that put device work into the graph.", "number of launching calls", "runtime calls"}),
            [](const Profile& p, const CaptureRow& of) { return p.captured_graphs.calls[of.row]; });
  table.add(integer_column("launches", "Launches", Unit::count,
                           {"Launches of graphs that were matched to it.", "number of launches", "matching of graphs"}),
            &CaptureRow::launches);
  table.add(words_column("usable", "Usable", "Whether its kernels are named, or why it cannot be matched"),
            [](const Profile& p, const CaptureRow& of) { return match_words(p.captured_graphs.match[of.row]); });
  table.add(code_column("file", "File", "File that recorded it").with_unknown("this recording"),
            [](const Profile& p, const CaptureRow& of) { return p.captured_graphs.file[of.row]; });
  return table;
}

std::vector<CaptureRow> capture_rows(const Profile& p) {
  std::vector<CaptureRow> rows;
  for (Row row = 0; row < p.captured_graphs.rows(); ++row) rows.push_back({row, 0});
  for (const Row captured : p.graph_launches.captured) {
    if (captured != kNoRow) ++rows[captured].launches;
  }
  return rows;
}

// ---- the report ----

Panel facts_panel(const Profile& p, const std::vector<GraphRow>& rows) {
  Time device = 0, captured = 0, gaps = 0, all = 0;
  std::int64_t launches = 0, matched = 0, unseen = 0;
  for (const GraphRow& row : rows) {
    device += row.device;
    captured += row.captured;
    gaps += row.gaps;
    launches += row.launches;
    if (is_matched(row.match)) matched += row.launches;
    if (!row.recorded()) unseen += row.launches;
  }
  for (const Row slice : p.device_work.slice) all += p.slices.duration[slice];
  FactSheet sheet;
  const auto doc = [](const MetricDoc& of) { return of.text(); };
  sheet.facts = {
      {"Launches", Cell{launches}, Unit::count, doc({"Calls that launched a graph.", "number of calls", "runtime calls"})},
      {"Matched", Cell{matched}, Unit::count,
       doc({"Launches whose work was matched to the calls of a recorded capture.", "number of launches", "matching of graphs"})},
      {"Not recorded", Cell{unseen}, Unit::count,
       doc({"Launches without recorded device work. The activity of the device during them is unknown.",
            "number of launches without device work", "launches and their device work"})},
      {"Device time in graphs", share_cell(device, all), Unit::share,
       doc({"Share of all device time that launches of graphs ran.", "device time of launches of graphs / device time",
            kWorkOfLaunches})},
      {"With an operator", share_cell(captured, device), Unit::share,
       doc({"Share of its device time for which the capture shows the operator, module or annotation.",
            "device time attributed by the capture / device time", "attribution of device work"})},
      {"Gaps inside", device > 0 ? Cell{gaps} : Cell{}, Unit::ns,
       doc({"Time between the first and the last work of a launch in which none of it ran.",
            "sum over launches of: end of the last work - start of the first - length of the union of the work",
            kWorkOfLaunches})}};
  return {.id = "facts", .title = "Launches", .content = std::move(sheet)};
}

void add_notes(Report& report, const Profile& p) {
  for (Row row = 0; row < p.problems.rows(); ++row) {
    const std::string_view code = p.text(p.problems.code[row]);
    if (code.starts_with("graph_") || code.starts_with("capture_") || code.starts_with("annotations_"))
      report.notes.push_back({Note::Level::warning, say("{} ({})", p.problem(row), count_words(p.problems.count[row]))});
  }
  if (p.captured_graphs.rows() == 0) {
    report.notes.push_back(
        {Note::Level::info,
         "No capture was recorded, so the operators inside graphs are unknown. Record the start of the process as well, or put "
         "recordings of the captures into a folder capture_traces beside this file."});
  }
}

Result<Report> run_graphs(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const std::vector<GraphRow> rows = graph_rows(profile);
  Report report{.view = "graphs", .title = "Graphs"};
  report.scope = say("{} of {}", count_words(std::ssize(profile.graph_launches.launch), "{} launch", "{} launches"),
                     count_words(std::ssize(rows), "{} graph", "{} graphs"));
  add_notes(report, profile);
  if (!rows.empty()) report.panels.push_back(facts_panel(profile, rows));
  report.tables.push_back(graph_table().of(rows));
  hide_unknown_columns(report.tables.back());
  report.tables.back().row_links = timeline_links();
  Panel chart{.id = "device_time",
              .title = "Device time",
              .content = BreakdownChart{.table = "graphs", .label = "name", .value = "device", .top = 10}};
  chart.doc = report.tables.back().find("device")->doc;
  chart.empty = "No device work of a graph was recorded.";
  if (rows.size() > 1) report.panels.push_back(std::move(chart));
  Panel table{.id = "graphs", .title = "Graphs", .content = PlainTable{"graphs"}};
  table.empty = "No graph was launched.";
  report.panels.push_back(std::move(table));
  if (profile.captured_graphs.rows() > 0) {
    report.tables.push_back(capture_table().of(profile, capture_rows(profile)));
    hide_unknown_columns(report.tables.back());
    report.panels.push_back({.id = "captures", .title = "Captures", .content = PlainTable{"captures"}});
  }
  return report;
}

std::optional<Message> graphs_unavailable(const Profile& profile) {
  if (profile.graph_launches.rows() > 0 || profile.captured_graphs.rows() > 0) return std::nullopt;
  return "no graphs of device work in this profile: none was launched or captured";
}

std::vector<ReportTable> graphs_tables() { return {graph_table().blank(), capture_table().blank()}; }

}  // namespace

Analysis graphs_analysis() {
  return {.id = "graphs",
          .title = "Graphs",
          .group = ViewGroup::where_time_went,
          .doc = "What ran inside graphs of device work, which a call launches as a whole.",
          .parameters = {},
          .unavailable = graphs_unavailable,
          .run = run_graphs,
          .tables = graphs_tables};
}

}  // namespace sightline::analyses

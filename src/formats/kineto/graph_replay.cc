// Replayed graphs: the files, the rows that are inserted, and the problems.
#include "formats/kineto/graph_replay.h"

#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/input_file.h"
#include "base/remote/remote_path.h"
#include "base/sort.h"
#include "base/text.h"
#include "formats/common/attribution.h"
#include "formats/common/rank_in_name.h"
#include "formats/kineto/graph_capture.h"
#include "formats/kineto/graph_matching.h"
#include "formats/trace_events/assemble.h"
#include "formats/trace_events/trace_file.h"

namespace sightline::formats::kineto {

// ---- files ----

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCaptureFolder = "capture_traces";
constexpr std::string_view kDetails = "execution_details.json";
constexpr std::size_t kMostAnnotationBytes = std::size_t{64} << 20;

bool is_trace_name(std::string_view name) { return (name.ends_with(".json") || name.ends_with(".json.gz")) && name != kDetails; }

std::vector<std::string> files_in(const fs::path& folder) {
  Result<std::vector<std::string>> files = files_in_folder(folder.string());
  return files ? *std::move(files) : std::vector<std::string>();
}

// "kernel_annotations_rank3_*.json" in the folder above that of "3.*.pt.trace.json" or "000003.*".
std::string annotations_of(const fs::path& trace) {
  const std::string name = trace.filename().string();
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  if (digits == 0 || digits > kLongestRank || !std::string_view(name).substr(digits).starts_with('.')) return "";
  const std::string wanted = "kernel_annotations_rank" + std::to_string(std::stoll(name.substr(0, digits))) + "_";
  for (const std::string& file : files_in(trace.parent_path().parent_path())) {
    const std::string found = fs::path(file).filename().string();
    if (found.starts_with(wanted) && found.ends_with(".json")) return file;
  }
  return "";
}

}  // namespace

GraphFiles graph_files_beside(const std::string& path) {
  GraphFiles files;
  std::error_code failed;
  const fs::path trace = fs::absolute(path, failed), folder = trace.parent_path();
  if (is_remote(path) || folder.filename() == kCaptureFolder) return files;
  const auto rank = rank_in_name(trace.filename().string());
  for (const std::string& file : files_in(folder / kCaptureFolder)) {
    const std::string name = fs::path(file).filename().string();
    const auto other = rank_in_name(name);
    if (name == kDetails) files.details = file;
    if (is_trace_name(name) && (!rank || !other || *rank == *other)) files.captures.push_back(file);
  }
  files.annotations = annotations_of(trace);
  return files;
}

namespace {

// By name of a file: the tokens that its graphs were captured for. A file that cannot be read states nothing.
std::map<std::string, std::int64_t> batches_in(const std::string& details) {
  std::map<std::string, std::int64_t> batches;
  if (details.empty()) return batches;
  const Result<std::string> text = read_head(details, kMostAnnotationBytes);
  simdjson::dom::parser parser;
  simdjson::dom::array entries;
  if (!text || parser.parse(*text).get_array().get(entries) != simdjson::SUCCESS) return batches;
  for (const simdjson::dom::element entry : entries) {
    std::string_view name;
    std::int64_t batch = 0;
    const bool has_name = entry["file"].get_string().get(name) == simdjson::SUCCESS;
    if (has_name && entry["batch_size"].get_int64().get(batch) == simdjson::SUCCESS && batch > 0) batches.emplace(name, batch);
  }
  return batches;
}

// Adds the captures in another file. Errors and damage become problems.
void add_capture_file(const std::string& file, const ReadContext& context, Profile& profile, std::vector<CapturedGraph>& graphs) {
  ReadOptions options = context.options();
  ReadProgress progress;
  if (context.progress() != nullptr) progress.memory.begin(context.progress()->memory.bytes());
  options.progress = &progress;
  const std::string name = fs::path(file).filename().string();
  Result<trace_events::TraceFile> trace = trace_events::read_trace_file(file, options);
  if (!trace) {
    profile.add_problem(Severity::warning, "capture_unreadable",
                        say("the recording of a graph's capture, {}, cannot be read: {}", name, trace.error().message), 1,
                        kUnknown);
    return;
  }
  trace_events::Assembled assembled = trace_events::assemble(std::move(trace->parsed), trace->members, options.threads);
  const Profile& from = *assembled.profile;
  if (from.rank != kUnknown && profile.rank != kUnknown && from.rank != profile.rank) return;
  attribute(*assembled.profile, std::move(assembled.ids));
  add_captured_graphs(from, assembled.launched_kernels, name, profile, graphs);
}

// ---- annotations of nodes ----

StringId annotation_name(Profile& profile, std::string_view key) { return profile.strings.intern(key == "str" ? "name" : key); }

StringId annotation_text(Profile& profile, simdjson::dom::element value) {
  std::string_view text;
  if (value.get_string().get(text) == simdjson::SUCCESS) return profile.strings.intern(text);
  return profile.strings.intern(simdjson::to_string(value));
}

// By id of a node: names and values; of a name that occurs twice, the last counts.
using Annotations = std::map<double, std::map<StringId, StringId>>;

Annotations read_annotations(simdjson::dom::element root, Profile& profile) {
  Annotations all;
  simdjson::dom::object nodes;
  if (root.get_object().get(nodes) != simdjson::SUCCESS) return all;
  for (const auto& [id, entries] : nodes) {
    simdjson::dom::array list;
    const auto number = whole_number<std::int64_t>(id);
    if (!number || entries.get_array().get(list) != simdjson::SUCCESS) continue;
    auto& of_node = all[static_cast<double>(*number)];
    for (const simdjson::dom::element entry : list) {
      simdjson::dom::object fields;
      if (entry.get_object().get(fields) != simdjson::SUCCESS) {
        of_node[annotation_name(profile, "name")] = annotation_text(profile, entry);
        continue;
      }
      for (const auto& [key, value] : fields) of_node[annotation_name(profile, key)] = annotation_text(profile, value);
    }
  }
  return all;
}

void add_annotations(const std::string& file, Profile& profile) {
  const StringId node = profile.strings.find("graph node id");
  if (node == StringId::none) return;
  const std::string name = fs::path(file).filename().string();
  const auto fail = [&](const Message& why) {
    profile.add_problem(Severity::warning, "annotations_unreadable",
                        say("the annotations of graph nodes in {} cannot be read: {}", name, why), 1, kUnknown);
  };
  const Result<std::string> text = read_head(file, kMostAnnotationBytes + 1);
  if (!text) return fail(text.error().message);
  if (text->size() > kMostAnnotationBytes) return fail("the file is longer than 64 MiB");
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(*text).get(root) != simdjson::SUCCESS) return fail("it is not JSON");
  const Annotations annotations = read_annotations(root, profile);
  std::vector<trace_events::SliceFact> added;
  const WorkFacts& facts = profile.work_facts;
  for (Row fact = 0; fact < facts.rows(); ++fact) {
    if (facts.name[fact] != node) continue;
    const auto of_node = annotations.find(facts.number[fact]);
    if (of_node == annotations.end()) continue;
    for (const auto& [key, value] : of_node->second) added.push_back({facts.slice[fact], key, kUnknownReal, value});
  }
  trace_events::put_facts(std::move(added), profile);
}

// ---- rows ----
// Insertion: each matched launch gets the ranges of its capture as instants inside it. All columns of rows of slices follow.

// The ranges of one launch.
struct Inserted {
  Row before;  // old row of slices that they precede
  const GraphReplay* replay;
  const CapturedGraph* graph;
  Row first = 0;  // new row of slices of the first
  Row rows() const { return static_cast<Row>(graph->ranges->slices.rows()); }
};

class Insertion {
 public:
  Insertion(Profile& profile, const std::vector<CapturedGraph>& graphs, const std::vector<GraphReplay>& replays) : p_(profile) {
    for (const GraphReplay& replay : replays) {
      if (!is_matched(replay.match)) continue;
      const Row slice = p_.launches.slice[replay.launch], lane = p_.slices.lane[slice];
      const Time* const starts = p_.slices.start.data();
      const Time* const next = std::upper_bound(starts + slice, starts + p_.lanes.last[lane], p_.slices.start[slice]);
      inserted_.push_back({static_cast<Row>(next - starts), &replay, &graphs[replay.graph]});
    }
    sort_up(inserted_, &Inserted::before);
    for (Inserted& one : inserted_) {
      one.first = one.before + count_;
      count_ += one.rows();
    }
  }

  void run() {
    if (inserted_.empty()) return;
    move_lanes();
    move_references();
    insert_slices();
    add_attributes();
    own_device_work();
  }

 private:
  // The new row of an old row of slices.
  Row moved(Row row) const {
    const auto after =
        std::partition_point(inserted_.begin(), inserted_.end(), [&](const Inserted& one) { return one.before <= row; });
    return after == inserted_.begin() ? row : row + (after - 1)->first + (after - 1)->rows() - (after - 1)->before;
  }

  void move_lanes() {
    Row shift = 0;
    auto next = inserted_.begin();
    for (Row lane = 0; lane < p_.lanes.rows(); ++lane) {
      const Row last = p_.lanes.last[lane];
      p_.lanes.first[lane] += shift;
      while (next != inserted_.end() && lane_of(*next) == lane) shift += (next++)->rows();
      p_.lanes.last[lane] = last + shift;
    }
  }

  // REQUIRES: the slices are not moved yet.
  Row lane_of(const Inserted& one) const { return p_.slices.lane[p_.launches.slice[one.replay->launch]]; }

  void move_references() {
    Profile::visit_tables(p_, [&](auto& table) {
      table.for_each_column([&]<typename T>(const ColumnInfo& info, Column<T>& column) {
        if constexpr (std::is_same_v<T, Row>) {
          if (info.reference->to != TableId::slices || info.reference->refers == Refers::or_end) return;
          for (Row& row : column) {
            if (row != kNoRow) row = moved(row);
          }
        }
      });
    });
  }

  // Copies the old rows around gaps, then fills the gaps.
  void insert_slices() {
    const std::size_t old = p_.slices.rows();
    p_.slices.for_each_column([&]<typename T>(const ColumnInfo&, Column<T>& column) {
      Column<T> wider;
      wider.resize(old + count_);
      Row from = 0, to = 0;
      for (const Inserted& one : inserted_) {
        std::copy(column.begin() + from, column.begin() + one.before, wider.begin() + to);
        to = one.first + one.rows();
        from = one.before;
      }
      std::copy(column.begin() + from, column.end(), wider.begin() + to);
      column.swap(wider);
    });
    for (const Inserted& one : inserted_) fill(one);
  }

  void fill(const Inserted& one) {
    Slices& s = p_.slices;
    const Slices& from = one.graph->ranges->slices;
    const Row launch = p_.launches.slice[one.replay->launch];
    for (Row i = 0; i < one.rows(); ++i) {
      const Row row = one.first + i;
      s.start[row] = s.start[launch];
      s.duration[row] = 0;
      s.lane[row] = s.lane[launch];
      s.parent[row] = from.parent[i] == kNoRow ? launch : one.first + from.parent[i];
      s.depth[row] = static_cast<std::uint16_t>(std::min(s.depth[s.parent[row]] + 1, 65535));
      s.name[row] = from.name[i];
      s.kind[row] = from.kind[i];
      s.source[row] = kUnknown;
      p_.replayed_ranges.slice.push_back(row);
      p_.replayed_ranges.launch.push_back(one.replay->launch);
      p_.replayed_ranges.source.push_back(from.source[i]);
    }
  }

  void add_attributes() {
    const std::size_t operators = p_.operators.rows(), modules = p_.modules.rows(), facts = p_.work_facts.rows();
    for (const Inserted& one : inserted_) {
      append(p_.operators, one.graph->ranges->operators, one.first);
      append(p_.modules, one.graph->ranges->modules, one.first);
      append(p_.work_facts, one.graph->ranges->work_facts, one.first);
      if (one.replay->match == GraphMatch::without_shapes) forget_shapes(one.graph->ranges->operators.rows());
    }
    merge(p_.operators, operators);
    merge(p_.modules, modules);
    merge(p_.work_facts, facts);
  }

  // Of the last rows of operators: what inputs they had. Stacks stay.
  void forget_shapes(std::size_t rows) {
    p_.operators.for_each_column([&]<typename T>(const ColumnInfo& info, Column<T>& column) {
      if constexpr (std::is_same_v<T, StringId>) {
        if (info.name != "call_stack") std::fill(column.end() - static_cast<std::ptrdiff_t>(rows), column.end(), StringId::none);
      }
    });
  }

  template <typename Table>
  static void append(Table& to, const Table& from, Row first) {
    std::vector<void*> columns;
    to.for_each_column([&](const ColumnInfo&, auto& column) { columns.push_back(&column); });
    std::size_t next = 0;
    from.for_each_column([&]<typename T>(const ColumnInfo&, const Column<T>& column) {
      auto& target = *static_cast<Column<T>*>(columns[next++]);
      for (const T value : column) target.push_back(value);
    });
    for (std::size_t i = to.rows() - from.rows(); i < to.rows(); ++i) to.slice[i] += first;
  }

  // Merges the rows from `old` on with those before, by slice.
  template <typename Table>
  static void merge(Table& table, std::size_t old) {
    if (old == table.rows()) return;
    std::vector<Row> order(table.rows());
    for (Row i = 0; i < order.size(); ++i) order[i] = i;
    std::inplace_merge(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(old), order.end(),
                       [&](Row a, Row b) { return table.slice[a] < table.slice[b]; });
    table.for_each_column([&]<typename T>(const ColumnInfo& info, Column<T>& column) {
      if (info.name == "slice") return;
      reorder(column, order);
    });
    reorder(table.slice, order);
  }

  template <typename T>
  static void reorder(Column<T>& column, const std::vector<Row>& order) {
    Column<T> sorted;
    sorted.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = column[order[i]];
    column.swap(sorted);
  }

  void own_device_work() {
    for (const Inserted& one : inserted_) {
      const GraphReplay& replay = *one.replay;
      const std::vector<GraphNode>& nodes = replay.of_all_threads ? one.graph->of_all_threads : one.graph->nodes;
      for (std::size_t i = 0; i < replay.works.size(); ++i) {
        const Row range = nodes[replay.first_node + i].range;
        if (range == kNoRow) continue;
        p_.device_work.owner[replay.works[i]] = one.first + range;
        p_.device_work.rule[replay.works[i]] = OwnerRule::captured;
      }
    }
  }

  Profile& p_;
  std::vector<Inserted> inserted_;
  Row count_ = 0;  // rows inserted
};

// ---- tables and problems ----

void describe_graphs(const std::vector<CapturedGraph>& graphs, const std::vector<GraphReplay>& replays, Profile& profile) {
  for (const CapturedGraph& graph : graphs) {
    const Row row = add_unknown_row(profile.captured_graphs);
    profile.captured_graphs.name[row] = graph.name;
    profile.captured_graphs.part[row] = graph.part;
    profile.captured_graphs.file[row] = graph.file;
    profile.captured_graphs.batch[row] = graph.batch;
    profile.captured_graphs.calls[row] = static_cast<std::int64_t>(graph.nodes.size());
    profile.captured_graphs.match[row] = graph.match;
  }
  const StringId graph_id = profile.strings.find("graph id");
  const WorkFacts& facts = profile.work_facts;
  const auto id_of = [&](Row work) {
    const Row slice = profile.device_work.slice[work];
    for (auto at = std::lower_bound(facts.slice.begin(), facts.slice.end(), slice); at != facts.slice.end() && *at == slice;
         ++at) {
      const auto fact = static_cast<Row>(at - facts.slice.begin());
      if (facts.name[fact] == graph_id && facts.number[fact] < 9e15) return static_cast<std::int64_t>(facts.number[fact]);
    }
    return kUnknown;
  };
  for (const GraphReplay& replay : replays) {
    const Row row = add_unknown_row(profile.graph_launches);
    profile.graph_launches.launch[row] = replay.launch;
    if (is_matched(replay.match)) profile.graph_launches.captured[row] = static_cast<Row>(replay.graph);
    if (graph_id != StringId::none && !replay.works.empty()) profile.graph_launches.graph[row] = id_of(replay.works.front());
    profile.graph_launches.works[row] = static_cast<std::int64_t>(replay.works.size());
    profile.graph_launches.match[row] = replay.match;
  }
}

struct RefusalText {
  GraphMatch match;
  Severity severity;
  std::string_view code;
  const char* message;
};

constexpr RefusalText kRefusedLaunches[] = {
    {GraphMatch::not_recorded, Severity::warning, "graph_not_recorded",
     "graphs were launched whose device work is not in the file; what the device did meanwhile is unknown"},
    {GraphMatch::counts_differ, Severity::warning, "graph_not_matched",
     "launches of graphs were not matched: no recorded capture has as many calls as they have pieces of device work"},
    {GraphMatch::names_differ, Severity::warning, "graph_not_matched",
     "launches of graphs were not matched: the recorded captures with as many calls launch other kernels"},
    {GraphMatch::several_fit, Severity::warning, "graph_not_matched",
     "launches of graphs were not matched: different recorded captures fit them"},
    {GraphMatch::several_streams, Severity::warning, "graph_not_matched",
     "launches of graphs were not matched: they ran on several streams, and the file has neither ids of graph nodes nor the "
     "names of the captured kernels"},
};

constexpr RefusalText kRefusedCaptures[] = {
    {GraphMatch::nested_graph, Severity::warning, "capture_refused",
     "captures that launch a graph themselves cannot be matched to launches"},
    {GraphMatch::unfinished, Severity::warning, "capture_refused",
     "captures that the recording does not show to their end cannot be matched to launches"},
};

void report_refusals(Profile& profile) {
  const auto report = [&](const RefusalText& text, const auto& matches) {
    const auto count = std::count(matches.begin(), matches.end(), text.match);
    if (count > 0) profile.add_problem(text.severity, text.code, text.message, count, kUnknown);
  };
  for (const RefusalText& text : kRefusedLaunches) report(text, profile.graph_launches.match);
  for (const RefusalText& text : kRefusedCaptures) report(text, profile.captured_graphs.match);
}

}  // namespace

void replay_graphs(const ReadContext& context, std::span<const StringId> kernels, Profile& profile) {
  std::vector<CapturedGraph> graphs;
  add_captured_graphs(profile, kernels, "", profile, graphs);
  std::vector<GraphReplay> replays = graph_replays(profile);
  if (graphs.empty() && replays.empty()) return;
  const GraphFiles files = replays.empty() ? GraphFiles() : graph_files_beside(context.path());
  const std::map<std::string, std::int64_t> batches = batches_in(files.details);
  for (const std::string& file : files.captures) {
    if (context.is_cancelled()) return;
    const std::size_t first = graphs.size();
    add_capture_file(file, context, profile, graphs);
    const auto batch = batches.find(fs::path(file).filename().string());
    for (std::size_t i = first; i < graphs.size() && batch != batches.end(); ++i) {
      if (graphs[i].batch == kUnknown) graphs[i].batch = batch->second;
    }
  }
  if (!files.annotations.empty()) add_annotations(files.annotations, profile);
  match_replays(profile, graphs, replays);
  describe_graphs(graphs, replays, profile);
  report_refusals(profile);
  Insertion(profile, graphs, replays).run();
}

}  // namespace sightline::formats::kineto

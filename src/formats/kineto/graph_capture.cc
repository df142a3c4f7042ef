// Captures: one pass over the calls in order of time, then the ranges around each call.
#include "formats/kineto/graph_capture.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

#include "base/sort.h"

namespace sightline::formats::kineto {

// ---- names ----

GraphCall graph_call(std::string_view name) {
  for (const std::string_view library : {"cuda", "hip", "cu"}) {
    if (!name.starts_with(library)) continue;
    const std::string_view call = name.substr(library.size());
    const auto has = [&](std::string_view part) { return call.find(part) != std::string_view::npos; };
    if (call.starts_with("StreamBeginCapture")) return GraphCall::begin_capture;
    if (call.starts_with("StreamEndCapture")) return GraphCall::end_capture;
    if (call.starts_with("GraphLaunch")) return GraphCall::launch_graph;
    if (has("Launch") && has("Kernel")) return GraphCall::kernel;
    if (call.starts_with("Memcpy") && has("Async")) return GraphCall::copy;
    if (call.starts_with("Memset") && has("Async")) return GraphCall::fill;
    return GraphCall::other;
  }
  return GraphCall::other;
}

namespace {

// The number at the beginning of the text, which it is cut from.
std::int64_t take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return kUnknown;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// "1(5)": the number in parentheses.
std::int64_t take_tokens(std::string_view& text) {
  if (take_number(text) == kUnknown || !text.starts_with('(')) return kUnknown;
  text.remove_prefix(1);
  const std::int64_t tokens = take_number(text);
  if (!text.starts_with(')')) return kUnknown;
  text.remove_prefix(1);
  return tokens;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::int64_t batch_of_capture(std::string_view name) { return take(name, "capture_") ? take_number(name) : kUnknown; }

std::int64_t batch_of_step(std::string_view name) {
  if (std::string_view of = name; take(of, "execute_context_")) {
    const std::int64_t context = take_tokens(of);
    if (context == kUnknown || !take(of, "_generation_")) return kUnknown;
    const std::int64_t generation = take_tokens(of);
    return generation == kUnknown ? kUnknown : context + generation;
  }
  if (std::string_view of = name; take(of, "execute_")) {
    const std::int64_t tokens = take_number(of);
    return of.starts_with("_context_") ? tokens : kUnknown;
  }
  const std::size_t size = name.find("[bs=") != std::string_view::npos ? name.find("[bs=") + 4 : name.find(" bs=") + 4;
  if (!(name.starts_with("step[") || name.starts_with("decode[")) || size < 5 || size > name.size()) return kUnknown;
  name.remove_prefix(size);
  return take_number(name);
}

// ---- captures ----

namespace {

bool is_shown(SliceKind kind) {
  return kind == SliceKind::op || kind == SliceKind::module || kind == SliceKind::annotation || kind == SliceKind::optimizer ||
         kind == SliceKind::host_communication;
}

// Appends row `row` of `from`; texts are translated by `text`.
template <typename Table, typename Text>
void append_row(Table& to, const Table& from, Row row, Text&& text) {
  std::vector<void*> columns;
  to.for_each_column([&](const ColumnInfo&, auto& column) { columns.push_back(&column); });
  std::size_t next = 0;
  from.for_each_column([&]<typename T>(const ColumnInfo&, const Column<T>& column) {
    auto& target = *static_cast<Column<T>*>(columns[next++]);
    if constexpr (std::is_same_v<T, StringId>) {
      target.push_back(text(column[row]));
    } else {
      target.push_back(column[row]);
    }
  });
}

class Captures {
 public:
  Captures(const Profile& from, std::span<const StringId> kernels, std::string_view file, Profile& into,
           std::vector<CapturedGraph>& graphs)
      : p_(from), kernels_(kernels), file_(file), into_(into), graphs_(graphs), known_(from.strings.size(), kNotLooked) {}

  void run() {
    const bool any = std::any_of(p_.launches.slice.begin(), p_.launches.slice.end(),
                                 [&](Row slice) { return what_is(p_.slices.name[slice]) == GraphCall::begin_capture; });
    if (!any) return;
    for (Row lane = 0; lane < p_.lanes.rows(); ++lane) lanes_of_thread_[p_.main_lane(lane)].push_back(lane);
    find_calls();
    std::map<Row, std::size_t> open;  // by thread: the call that began a capture
    std::vector<Found> found;
    for (std::size_t at = 0; at < calls_.size(); ++at) {
      const Call& call = calls_[at];
      if (call.what == GraphCall::begin_capture) open[call.thread] = at;
      if (call.what != GraphCall::end_capture || !open.contains(call.thread)) continue;
      found.push_back({open[call.thread], at});
      open.erase(call.thread);
    }
    for (const auto& [thread, begin] : open) found.push_back({begin, calls_.size()});
    if (found.empty()) return;
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.begin < b.begin; });
    find_usual_kernels();
    for (const Found& one : found) add_graph(one);
  }

 private:
  struct Call {
    Row launch;  // row of launches
    Row thread;  // main lane
    GraphCall what;
  };
  // Indices of calls: the one that begins the capture, and the one that ends it or the number of calls.
  struct Found {
    std::size_t begin, end;
  };

  // Around one call: each is a row of slices for each launch, so that damaged files cannot take all memory.
  static constexpr std::size_t kMostNested = 24;
  static constexpr auto kNotLooked = static_cast<GraphCall>(255);

  GraphCall what_is(StringId name) {
    GraphCall& known = known_[static_cast<std::size_t>(name)];
    if (known == kNotLooked) known = graph_call(p_.text(name));
    return known;
  }

  static bool adds_node(GraphCall call) {
    return call == GraphCall::kernel || call == GraphCall::copy || call == GraphCall::fill;
  }

  // A call inside another one that enqueues is part of it.
  bool is_inner(Row slice) {
    const Row around = p_.slices.parent[slice];
    return around != kNoRow && p_.slices.kind[around] == SliceKind::runtime &&
           what_is(p_.slices.name[around]) != GraphCall::other;
  }

  void find_calls() {
    for (Row launch = 0; launch < p_.launches.rows(); ++launch) {
      const Row slice = p_.launches.slice[launch];
      const GraphCall what = what_is(p_.slices.name[slice]);
      if (what == GraphCall::other || is_inner(slice)) continue;
      calls_.push_back({launch, p_.main_lane(p_.slices.lane[slice]), what});
    }
    sort_up(calls_, [&](const Call& each) { return p_.slices.start[p_.launches.slice[each.launch]]; });
  }

  StringId text(StringId id) {
    if (&p_ == &into_ || id == StringId::none) return id;
    const auto [at, is_new] = texts_.try_emplace(id, StringId::none);
    if (is_new) at->second = into_.strings.intern(p_.text(id));
    return at->second;
  }

  // ---- what operators launch outside of captures ----

  using OperatorKey = std::pair<StringId, StringId>;  // name, input shapes

  Row operator_row(Row slice) const {
    const auto& rows = p_.operators.slice;
    const auto at = std::lower_bound(rows.begin(), rows.end(), slice);
    return at != rows.end() && *at == slice ? static_cast<Row>(at - rows.begin()) : kNoRow;
  }

  void find_usual_kernels() {
    for (Row work = 0; work < p_.device_work.rows(); ++work) {
      const Row launch = p_.device_work.launch[work], owner = p_.device_work.owner[work], slice = p_.device_work.slice[work];
      if (launch == kNoRow || owner == kNoRow || p_.slices.kind[slice] != SliceKind::kernel) continue;
      if (what_is(p_.slices.name[p_.launches.slice[launch]]) != GraphCall::kernel) continue;
      const Row row = operator_row(owner);
      if (row == kNoRow) continue;
      std::vector<StringId>& names = usual_[{p_.slices.name[owner], p_.operators.input_shapes[row]}];
      const StringId name = p_.slices.name[slice];
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }

  std::vector<StringId> usual_kernels(Row owner) {
    const Row row = owner == kNoRow ? kNoRow : operator_row(owner);
    std::vector<StringId> names;
    if (row == kNoRow) return names;
    const auto at = usual_.find({p_.slices.name[owner], p_.operators.input_shapes[row]});
    if (at == usual_.end()) return names;
    for (const StringId name : at->second) names.push_back(text(name));
    return names;
  }

  // ---- one capture ----

  void add_graph(const Found& found) {
    const Call& begin = calls_[found.begin];
    begin_ = p_.slices.start[p_.launches.slice[begin.launch]];
    CapturedGraph graph;
    graph.file = file_.empty() ? StringId::none : into_.strings.intern(file_);
    name_root(begin, graph);
    if (found.end == calls_.size()) graph.match = GraphMatch::unfinished;
    std::vector<Call> nodes;
    bool all_on_thread = true;
    for (std::size_t at = found.begin + 1; at < found.end && graph.match != GraphMatch::unfinished; ++at) {
      const Call& call = calls_[at];
      if (call.what == GraphCall::launch_graph && call.thread == begin.thread) graph.match = GraphMatch::nested_graph;
      if (!adds_node(call.what)) continue;
      nodes.push_back(call);
      all_on_thread &= call.thread == begin.thread;
    }
    const std::map<Row, Row> row_of = add_ranges(nodes, graph);
    for (const Call& call : nodes) {
      const GraphNode node = node_of(call, row_of);
      if (call.thread == begin.thread) graph.nodes.push_back(node);
      if (!all_on_thread) graph.of_all_threads.push_back(node);
      if (node.kernel == StringId::none && node.call == GraphCall::kernel && graph.match == GraphMatch::by_name)
        graph.match = GraphMatch::by_order;
    }
    graphs_.push_back(std::move(graph));
  }

  GraphNode node_of(const Call& call, const std::map<Row, Row>& row_of) {
    GraphNode node{.call = call.what, .kernel = StringId::none, .usual = {}, .range = kNoRow};
    if (call.launch < kernels_.size()) node.kernel = text(kernels_[call.launch]);
    const Row owner = p_.launches.owner[call.launch];
    if (node.kernel == StringId::none && call.what == GraphCall::kernel) node.usual = usual_kernels(owner);
    for (Row around = owner; around != kNoRow; around = range_around(around)) {
      const auto at = row_of.find(around);
      if (at == row_of.end()) continue;
      node.range = at->second;
      break;
    }
    return node;
  }

  // The range around the capture that names its batch, else the outermost annotation, else the file.
  void name_root(const Call& begin, CapturedGraph& graph) {
    Row root = kNoRow;
    for (Row around = range_around(p_.launches.slice[begin.launch]); around != kNoRow; around = range_around(around)) {
      if (p_.slices.kind[around] != SliceKind::annotation) continue;
      root = around;
      graph.batch = batch_of_capture(p_.text(p_.slices.name[around]));
      if (graph.batch != kUnknown) break;
    }
    const bool is_new = graphs_.empty() || root != last_root_ || !started_;
    last_root_ = root;
    started_ = true;
    const Row named = root == kNoRow ? p_.launches.slice[begin.launch] : root;
    graph.name = root == kNoRow && graph.file != StringId::none ? graph.file : text(p_.slices.name[named]);
    graph.root = graphs_.empty() ? 0 : graphs_.back().root + (is_new ? 1 : 0);
    graph.part = is_new ? 0 : graphs_.back().part + 1;
  }

  // Fills graph.ranges; result: by slice here, the row there.
  std::map<Row, Row> add_ranges(const std::vector<Call>& nodes, CapturedGraph& graph) {
    std::set<Row> shown;
    for (const Call& call : nodes) {
      std::size_t nested = 0;
      for (Row around = p_.launches.owner[call.launch]; is_within(around) && nested < kMostNested;
           around = range_around(around)) {
        if (!is_shown(p_.slices.kind[around])) continue;
        if (!shown.insert(around).second) break;
        ++nested;
      }
    }
    std::vector<Row> outer_first(shown.begin(), shown.end());
    std::sort(outer_first.begin(), outer_first.end(), [&](Row a, Row b) { return is_before(a, b); });
    std::map<Row, Row> row_of;
    Profile& to = *graph.ranges;
    for (const Row slice : outer_first) {
      const Row row = static_cast<Row>(to.slices.rows());
      row_of.emplace(slice, row);
      add_unknown_row(to.slices);
      to.slices.name[row] = text(p_.slices.name[slice]);
      to.slices.kind[row] = p_.slices.kind[slice];
      to.slices.source[row] = p_.slices.source[slice];
      for (Row around = range_around(slice); is_within(around); around = range_around(around)) {
        if (const auto at = row_of.find(around); at != row_of.end()) {
          to.slices.parent[row] = at->second;
          break;
        }
      }
      add_attributes(slice, row, to);
    }
    return row_of;
  }

  // ---- ranges of a thread ----

  bool is_before(Row a, Row b) const {
    const Slices& s = p_.slices;
    if (s.start[a] != s.start[b]) return s.start[a] < s.start[b];
    return s.duration[a] != s.duration[b] ? s.duration[a] > s.duration[b] : a < b;
  }

  // The innermost slice of its thread that encloses a slice: ranges that overlap Python functions are on other lanes.
  Row range_around(Row slice) {
    const Row main = p_.main_lane(p_.slices.lane[slice]);
    if (lanes_of_thread_[main].size() == 1) return p_.slices.parent[slice];
    const auto [at, is_new] = around_.try_emplace(slice, kNoRow);
    if (!is_new) return at->second;
    Row best = kNoRow;
    for (const Row lane : lanes_of_thread_[main]) {
      const Time* const starts = p_.slices.start.data();
      const Time* const next =
          std::upper_bound(starts + p_.lanes.first[lane], starts + p_.lanes.last[lane], p_.slices.start[slice]);
      Row row = next == starts + p_.lanes.first[lane] ? kNoRow : static_cast<Row>(next - starts) - 1;
      while (row != kNoRow && !(p_.end_of(row) >= p_.end_of(slice) && is_before(row, slice))) row = p_.slices.parent[row];
      if (row != kNoRow && (best == kNoRow || is_before(best, row))) best = row;
    }
    return around_[slice] = best;
  }

  bool is_within(Row slice) const { return slice != kNoRow && p_.slices.start[slice] >= begin_; }

  void add_attributes(Row slice, Row row, Profile& to) {
    const auto translated = [this](StringId id) { return this->text(id); };
    if (const Row op = operator_row(slice); op != kNoRow) {
      append_row(to.operators, p_.operators, op, translated);
      to.operators.slice[to.operators.rows() - 1] = row;
      StringId& stack = to.operators.call_stack[to.operators.rows() - 1];
      if (stack == StringId::none) stack = stack_of(slice);
    }
    const auto& modules = p_.modules.slice;
    const auto module = std::lower_bound(modules.begin(), modules.end(), slice);
    if (module != modules.end() && *module == slice) {
      append_row(to.modules, p_.modules, static_cast<Row>(module - modules.begin()), translated);
      to.modules.slice[to.modules.rows() - 1] = row;
    }
    const auto& facts = p_.work_facts.slice;
    for (auto at = std::lower_bound(facts.begin(), facts.end(), slice); at != facts.end() && *at == slice; ++at) {
      append_row(to.work_facts, p_.work_facts, static_cast<Row>(at - facts.begin()), translated);
      to.work_facts.slice[to.work_facts.rows() - 1] = row;
    }
  }

  // The Python functions around it within the capture, innermost first.
  StringId stack_of(Row slice) {
    std::string stack;
    for (Row around = range_around(slice); is_within(around); around = range_around(around)) {
      if (p_.slices.kind[around] != SliceKind::python) continue;
      if (!stack.empty()) stack += ';';
      stack += p_.text(p_.slices.name[around]);
    }
    return stack.empty() ? StringId::none : into_.strings.intern(stack);
  }

  const Profile& p_;
  std::span<const StringId> kernels_;
  std::string_view file_;
  Profile& into_;
  std::vector<CapturedGraph>& graphs_;
  std::vector<GraphCall> known_;  // by StringId of a name
  std::vector<Call> calls_;       // in order of time
  std::map<OperatorKey, std::vector<StringId>> usual_;
  std::unordered_map<StringId, StringId> texts_;
  std::map<Row, std::vector<Row>> lanes_of_thread_;  // by main lane: itself and its overflow lanes
  std::unordered_map<Row, Row> around_;              // what range_around() found
  Time begin_ = 0;                                   // of the capture under way
  Row last_root_ = kNoRow;                           // the range around the capture before it
  bool started_ = false;
};

}  // namespace

void add_captured_graphs(const Profile& from, std::span<const StringId> kernels, std::string_view file, Profile& into,
                         std::vector<CapturedGraph>& graphs) {
  Captures(from, kernels, file, into, graphs).run();
}

}  // namespace sightline::formats::kineto

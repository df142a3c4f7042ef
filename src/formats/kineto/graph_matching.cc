// Matching: launches in one range, an engine's step, match the captures in one range; else each launch is matched alone.
#include "formats/kineto/graph_matching.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>

#include "base/sort.h"

namespace sightline::formats::kineto {

// ---- launches ----

namespace {

// The graph's own order of its nodes, if the recording states it for all of them.
bool sort_by_node(const Profile& p, std::vector<Row>& works) {
  const StringId node = p.strings.find("graph node id");
  if (node == StringId::none) return false;
  const WorkFacts& facts = p.work_facts;
  std::vector<std::pair<double, Row>> ids;
  for (const Row work : works) {
    const Row slice = p.device_work.slice[work];
    auto at = std::lower_bound(facts.slice.begin(), facts.slice.end(), slice);
    while (at != facts.slice.end() && *at == slice && facts.name[static_cast<Row>(at - facts.slice.begin())] != node) ++at;
    if (at == facts.slice.end() || *at != slice) return false;
    ids.emplace_back(facts.number[static_cast<Row>(at - facts.slice.begin())], work);
  }
  sort_up(ids, [](const auto& each) { return each.first; });
  for (std::size_t i = 0; i < ids.size(); ++i) works[i] = ids[i].second;
  return true;
}

}  // namespace

std::vector<GraphReplay> graph_replays(const Profile& p) {
  std::vector<GraphReplay> replays;
  std::unordered_map<Row, std::size_t> replay_of;  // by row of launches
  std::unordered_map<StringId, bool> is_graph_launch;
  const auto launches_graph = [&](Row slice) {
    const auto [known, is_new] = is_graph_launch.try_emplace(p.slices.name[slice], false);
    if (is_new) known->second = graph_call(p.text(p.slices.name[slice])) == GraphCall::launch_graph;
    return known->second;
  };
  for (Row launch = 0; launch < p.launches.rows(); ++launch) {
    if (!launches_graph(p.launches.slice[launch])) continue;
    replay_of.emplace(launch, replays.size());
    replays.push_back({.launch = launch, .works = {}});
  }
  for (Row work = 0; work < p.device_work.rows() && !replays.empty(); ++work) {
    const auto at = replay_of.find(p.device_work.launch[work]);
    if (at != replay_of.end()) replays[at->second].works.push_back(work);
  }
  // A call inside another one is the same launch; the work has the id of one of them.
  std::erase_if(replays, [&](const GraphReplay& replay) {
    if (!replay.works.empty()) return false;
    const Row slice = p.launches.slice[replay.launch], around = p.slices.parent[slice];
    const bool is_inner = around != kNoRow && p.slices.kind[around] == SliceKind::runtime && launches_graph(around);
    const Row inner = slice + 1;
    const bool has_inner = inner < p.slices.rows() && p.slices.parent[inner] == slice &&
                           p.slices.kind[inner] == SliceKind::runtime && launches_graph(inner);
    return is_inner || has_inner;
  });
  const auto start = [&](Row work) { return p.slices.start[p.device_work.slice[work]]; };
  const auto lane = [&](Row work) { return p.main_lane(p.slices.lane[p.device_work.slice[work]]); };
  for (GraphReplay& replay : replays) {
    sort_up(replay.works, [&](Row each) { return start(each); });
    const bool one_stream =
        std::all_of(replay.works.begin(), replay.works.end(), [&](Row work) { return lane(work) == lane(replay.works.front()); });
    replay.in_order = sort_by_node(p, replay.works) || one_stream;
  }
  return replays;
}

// ---- matching ----

namespace {

GraphCall call_for(SliceKind kind) {
  return kind == SliceKind::memcpy ? GraphCall::copy : kind == SliceKind::memset ? GraphCall::fill : GraphCall::kernel;
}

// Whether two captures replay the same ranges; with `shapes`, of the same shapes and types.
bool same_ranges(const CapturedGraph& a, const CapturedGraph& b, bool shapes) {
  const Profile &x = *a.ranges, &y = *b.ranges;
  const bool names = x.slices.name == y.slices.name && x.slices.kind == y.slices.kind && x.slices.parent == y.slices.parent;
  return names && (!shapes || (x.operators.slice == y.operators.slice && x.operators.input_shapes == y.operators.input_shapes &&
                               x.operators.input_types == y.operators.input_types));
}

class Matching {
 public:
  Matching(const Profile& profile, const std::vector<CapturedGraph>& graphs, std::vector<GraphReplay>& replays)
      : p_(profile), graphs_(graphs), replays_(replays) {}

  void run() {
    index_graphs();
    find_ranges();
    for (std::size_t i = 0; i < replays_.size(); ++i) {
      GraphReplay& replay = replays_[i];
      if (replay.works.empty()) replay.match = GraphMatch::not_recorded;
      if (replay.works.empty() || by_count_.empty() || done_.contains(i)) continue;
      if (!match_with_range(i)) match_alone(i);
    }
    match_cut_replays();
  }

 private:
  // A capture that a launch fits.
  struct Fit {
    std::size_t graph;
    bool of_all_threads;
    GraphMatch match;
  };

  void index_graphs() {
    parts_.assign(graphs_.size(), 0);
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      const CapturedGraph& graph = graphs_[i];
      ++parts_[i - static_cast<std::size_t>(graph.part)];
      if (!is_matched(graph.match)) continue;
      by_count_[graph.nodes.size()].emplace_back(i, false);
      if (!graph.of_all_threads.empty()) by_count_[graph.of_all_threads.size()].emplace_back(i, true);
    }
    by_count_.erase(0);
  }

  // The named ranges around each launch, and the launches in each range.
  void find_ranges() {
    ranges_.resize(replays_.size());
    for (std::size_t i = 0; i < replays_.size(); ++i) {
      const Row slice = p_.launches.slice[replays_[i].launch];
      for (Row around = p_.slices.parent[slice]; around != kNoRow; around = p_.slices.parent[around]) {
        const SliceKind kind = p_.slices.kind[around];
        if (kind != SliceKind::annotation && kind != SliceKind::step) continue;
        ranges_[i].push_back(around);
        inside_[around].push_back(i);
      }
    }
  }

  const std::vector<GraphNode>& nodes_of(std::size_t graph, bool of_all_threads) const {
    return of_all_threads ? graphs_[graph].of_all_threads : graphs_[graph].nodes;
  }

  // ---- one launch and one capture ----

  // names_differ, or whether the names were compared.
  GraphMatch compare(std::span<const GraphNode> nodes, std::span<const Row> works) const {
    bool by_order = false;
    for (std::size_t i = 0; i < works.size(); ++i) {
      const Fitting fitting = fits(nodes[i], works[i]);
      if (fitting == Fitting::no) return GraphMatch::names_differ;
      by_order |= fitting == Fitting::maybe;
    }
    return by_order ? GraphMatch::by_order : GraphMatch::by_name;
  }

  enum class Fitting { no, maybe, yes };

  Fitting fits(const GraphNode& node, Row work) const {
    const Row slice = p_.device_work.slice[work];
    if (node.call != call_for(p_.slices.kind[slice])) return Fitting::no;
    if (node.call != GraphCall::kernel) return Fitting::yes;
    const StringId name = p_.slices.name[slice];
    if (node.kernel != StringId::none) return node.kernel == name ? Fitting::yes : Fitting::no;
    if (node.usual.empty()) return Fitting::maybe;
    return std::find(node.usual.begin(), node.usual.end(), name) != node.usual.end() ? Fitting::yes : Fitting::no;
  }

  // The works in the order of the nodes, if each stream ran its own in that order; empty if they do not fit.
  std::vector<Row> merged_streams(std::span<const GraphNode> nodes, const std::vector<Row>& works) const {
    std::map<Row, std::vector<Row>> streams;  // each with its next work last
    for (auto work = works.rbegin(); work != works.rend(); ++work) {
      streams[p_.main_lane(p_.slices.lane[p_.device_work.slice[*work]])].push_back(*work);
    }
    std::vector<Row> order;
    for (const GraphNode& node : nodes) {
      std::vector<Row>* from = nullptr;
      for (auto& [lane, rest] : streams) {
        if (rest.empty() || fits(node, rest.back()) != Fitting::yes) continue;
        if (from == nullptr || start_of(rest.back()) < start_of(from->back())) from = &rest;
      }
      if (from == nullptr) return {};
      order.push_back(from->back());
      from->pop_back();
    }
    return order;
  }

  Time start_of(Row work) const { return p_.slices.start[p_.device_work.slice[work]]; }

  GraphMatch match_of(const GraphReplay& replay, std::span<const GraphNode> nodes) const {
    const GraphMatch match = compare(nodes, replay.works);
    if (replay.in_order || match == GraphMatch::by_name) return match;
    if (!merged_streams(nodes, replay.works).empty()) return GraphMatch::by_name;
    const bool all_named = std::all_of(nodes.begin(), nodes.end(), [](const GraphNode& node) {
      return node.call != GraphCall::kernel || node.kernel != StringId::none || !node.usual.empty();
    });
    return all_named ? GraphMatch::names_differ : GraphMatch::several_streams;
  }

  // What replays with equal works share.
  std::string signature(const GraphReplay& replay) const {
    std::string signature;
    const auto add = [&](std::uint32_t value) { signature.append(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const Row work : replay.works) {
      const Row slice = p_.device_work.slice[work];
      add(static_cast<std::uint32_t>(p_.slices.name[slice]));
      add(static_cast<std::uint32_t>(p_.slices.kind[slice]));
      if (!replay.in_order) add(p_.main_lane(p_.slices.lane[slice]));
    }
    signature += replay.in_order ? 'o' : 's';
    return signature;
  }

  // The captures that a launch fits; sets its match to the reason if there are none.
  const std::vector<Fit>& fits_of(std::size_t i) {
    GraphReplay& replay = replays_[i];
    const auto [at, is_new] = known_fits_.try_emplace(signature(replay));
    Known& known = at->second;
    if (is_new) {
      const auto candidates = by_count_.find(replay.works.size());
      known.reason = GraphMatch::counts_differ;
      for (const auto& [graph, all] :
           candidates == by_count_.end() ? std::vector<std::pair<std::size_t, bool>>() : candidates->second) {
        const GraphMatch match = match_of(replay, nodes_of(graph, all));
        if (is_matched(match)) {
          const bool again = !known.fits.empty() && known.fits.back().graph == graph;
          if (!again) known.fits.push_back({graph, all, match});
        } else if (known.reason != GraphMatch::several_streams) {
          known.reason = match;
        }
      }
    }
    if (known.fits.empty()) replay.match = known.reason;
    return known.fits;
  }

  const Fit* fit_with(std::size_t i, std::size_t graph) {
    const std::vector<Fit>& fits = fits_of(i);
    const auto at = std::find_if(fits.begin(), fits.end(), [&](const Fit& fit) { return fit.graph == graph; });
    return at == fits.end() ? nullptr : &*at;
  }

  // ---- several captures ----

  // Captures that belong together: the first of each and how many.
  struct Choice {
    std::size_t first;
    bool without_shapes;
  };

  std::int64_t batch_around(std::size_t i) const {
    for (const Row range : ranges_[i]) {
      const std::int64_t batch = batch_of_step(p_.text(p_.slices.name[range]));
      if (batch != kUnknown) return batch;
    }
    return kUnknown;
  }

  // Of captures for several numbers of tokens, the smallest that is enough for the step ran.
  std::optional<Choice> choose(std::vector<std::size_t> firsts, std::size_t parts, std::int64_t batch) const {
    if (batch != kUnknown) {
      std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
      for (const std::size_t first : firsts) {
        if (graphs_[first].batch != kUnknown && graphs_[first].batch >= batch)
          smallest = std::min(smallest, graphs_[first].batch);
      }
      if (smallest != std::numeric_limits<std::int64_t>::max())
        std::erase_if(firsts, [&](std::size_t first) { return graphs_[first].batch != smallest; });
    }
    if (firsts.empty()) return std::nullopt;
    const auto all_same = [&](bool shapes) {
      return std::all_of(firsts.begin(), firsts.end(), [&](std::size_t other) {
        for (std::size_t part = 0; part < parts; ++part) {
          if (!same_ranges(graphs_[firsts.front() + part], graphs_[other + part], shapes)) return false;
        }
        return true;
      });
    };
    if (all_same(true)) return Choice{firsts.front(), false};
    if (all_same(false)) return Choice{firsts.front(), true};
    return std::nullopt;
  }

  // ---- launches ----

  // The launches in one range around this one, the innermost first, as all parts of one capture in their order.
  bool match_with_range(std::size_t i) {
    for (const Row range : ranges_[i]) {
      const std::vector<std::size_t>& launches = inside_[range];
      if (tried_.insert(range).second && match_group(launches)) return true;
    }
    return false;
  }

  bool match_group(const std::vector<std::size_t>& launches) {
    std::vector<std::size_t> firsts;
    for (const std::size_t i : launches) {
      if (replays_[i].works.empty() || done_.contains(i)) return false;
    }
    for (const Fit& fit : fits_of(launches.front())) {
      if (graphs_[fit.graph].part != 0 || parts_[fit.graph] != launches.size()) continue;
      bool all = true;
      for (std::size_t part = 1; part < launches.size() && all; ++part)
        all = fit_with(launches[part], fit.graph + part) != nullptr;
      if (all) firsts.push_back(fit.graph);
    }
    const std::optional<Choice> choice = choose(firsts, launches.size(), batch_around(launches.front()));
    if (!choice) return false;
    for (std::size_t part = 0; part < launches.size(); ++part) {
      settle(launches[part], *fit_with(launches[part], choice->first + part), choice->without_shapes);
    }
    return true;
  }

  void match_alone(std::size_t i) {
    std::vector<std::size_t> firsts;
    for (const Fit& fit : fits_of(i)) firsts.push_back(fit.graph);
    if (firsts.empty()) return;
    const std::optional<Choice> choice = choose(firsts, 1, batch_around(i));
    if (!choice) {
      replays_[i].match = GraphMatch::several_fit;
      return;
    }
    settle(i, *fit_with(i, choice->first), choice->without_shapes);
  }

  void settle(std::size_t i, const Fit& fit, bool without_shapes) {
    GraphReplay& replay = replays_[i];
    done_.insert(i);
    replay.graph = fit.graph;
    replay.of_all_threads = fit.of_all_threads;
    replay.match = without_shapes ? GraphMatch::without_shapes : fit.match;
    const std::vector<GraphNode>& nodes = nodes_of(fit.graph, fit.of_all_threads);
    if (!replay.in_order && compare(nodes, replay.works) != GraphMatch::by_name)
      replay.works = merged_streams(nodes, replay.works);
  }

  // ---- launches whose device work is cut off ----

  // The recording of the device may begin within the first launch, and end within the last.
  void match_cut_replays() {
    const DeviceWork& work = p_.device_work;
    Time first = std::numeric_limits<Time>::max(), last = std::numeric_limits<Time>::min();
    for (Row row = 0; row < work.rows(); ++row) {
      first = std::min(first, start_of(row));
      last = std::max(last, start_of(row));
    }
    for (GraphReplay& replay : replays_) {
      if (replay.match != GraphMatch::counts_differ || !replay.in_order || replay.works.size() < 2) continue;
      if (start_of(replay.works.front()) == first) match_part(replay, true);
      if (replay.match == GraphMatch::counts_differ && start_of(replay.works.back()) == last) match_part(replay, false);
    }
  }

  void match_part(GraphReplay& replay, bool end) {
    std::size_t found = 0;
    GraphReplay matched;
    for (const auto& [count, graphs] : by_count_) {
      if (count <= replay.works.size()) continue;
      const std::size_t first = end ? count - replay.works.size() : 0;
      for (const auto& [graph, all] : graphs) {
        const std::span<const GraphNode> nodes(nodes_of(graph, all));
        if (compare(nodes.subspan(first), replay.works) != GraphMatch::by_name) continue;
        ++found;
        matched.graph = graph;
        matched.of_all_threads = all;
        matched.first_node = first;
      }
    }
    if (found > 1) replay.match = GraphMatch::several_fit;
    if (found != 1) return;
    replay.match = GraphMatch::part_by_name;
    replay.graph = matched.graph;
    replay.of_all_threads = matched.of_all_threads;
    replay.first_node = matched.first_node;
  }

  struct Known {
    std::vector<Fit> fits;
    GraphMatch reason = GraphMatch::counts_differ;
  };

  const Profile& p_;
  const std::vector<CapturedGraph>& graphs_;
  std::vector<GraphReplay>& replays_;
  std::vector<std::size_t> parts_;  // by the first capture of a range: how many are in it
  std::map<std::size_t, std::vector<std::pair<std::size_t, bool>>> by_count_;  // by number of nodes
  std::unordered_map<std::string, Known> known_fits_;
  std::vector<std::vector<Row>> ranges_;                      // by launch: the named ranges around it, the innermost first
  std::unordered_map<Row, std::vector<std::size_t>> inside_;  // by range: the launches in it, in order
  std::set<std::size_t> done_;
  std::set<Row> tried_;
};

}  // namespace

void match_replays(const Profile& profile, const std::vector<CapturedGraph>& graphs, std::vector<GraphReplay>& replays) {
  Matching(profile, graphs, replays).run();
}

}  // namespace sightline::formats::kineto

// Two sets of times for the same nodes: those of the recording and those of the replay.
#include "analyses/whatif/before_after.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/lane_titles.h"
#include "model/kind_names.h"

namespace sightline::analyses {

namespace {

constexpr Time kPixels = 1'000;     // of the whole axis: what is shorter than one is joined
constexpr Time kLongestJoined = 8;  // pixels
constexpr std::size_t kDeviceLanes = 8, kHostLanes = 2;

using Lanes = std::map<Row, std::vector<LanePiece>>;

// What each chain of threads does inside the step: nodes are the ends of code or of waiting.
void add_host(Lanes& lanes, const DependencyGraph& g, const Profile& p, const std::vector<Time>& times, Interval step) {
  std::map<Row, Node> before;  // by chain
  for (Node node = 0; node < g.nodes(); ++node) {
    const auto edge = g.binding(node);
    if (g.kind[node] == NodeKind::work || !edge || g.slice[node] == kNoRow) continue;
    const Row chain = g.chain_of_lane[p.slices.lane[g.slice[node]]];
    const auto [last, is_first] = before.try_emplace(chain, node);
    const Time from = std::max(times[last->second], step.start), until = std::min(times[node], step.end);
    last->second = node;
    if (is_first || from >= until) continue;
    lanes[chain].push_back(
        {.lane = chain, .start = from - step.start, .length = until - from, .waits = g.kind[node] == NodeKind::wait});
  }
}

void add_device(Lanes& lanes, const DependencyGraph& g, const Profile& p, const std::vector<Time>& times,
                const std::vector<Time>& lengths, const GraphStep& of, Interval step) {
  for (std::uint32_t i = of.first_work; i < of.last_work; ++i) {
    const Node work = g.step_works[i];
    const Row lane = p.main_lane(p.slices.lane[g.slice[work]]);
    if (lengths[work] > 0) {
      lanes[lane].push_back({.lane = lane, .start = times[work] - step.start, .length = lengths[work], .slice = g.slice[work]});
    }
  }
}

Time busy(const std::vector<LanePiece>& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), Time{0},
                         [](Time sum, const LanePiece& piece) { return sum + piece.length; });
}

// Short pieces that follow each other are one.
std::vector<LanePiece> joined(std::vector<LanePiece> pieces, const Profile& p, Time pixel) {
  std::stable_sort(pieces.begin(), pieces.end(), [](const LanePiece& a, const LanePiece& b) { return a.start < b.start; });
  std::vector<LanePiece> out;
  bool is_short = false;  // the last one consists of short ones
  for (const LanePiece& piece : pieces) {
    LanePiece* const last = out.empty() ? nullptr : &out.back();
    const bool continues = last != nullptr && piece.start - (last->start + last->length) < pixel;
    const bool is_same_host = continues && piece.slice == kNoRow && last->waits == piece.waits;
    const bool is_same_blur =
        continues && is_short && piece.length < pixel && last->length < kLongestJoined * pixel && piece.slice != kNoRow;
    if (!is_same_host && !is_same_blur) {
      out.push_back(piece);
      is_short = piece.length < pixel;
      continue;
    }
    if (piece.slice != kNoRow && p.slices.duration[piece.slice] > p.slices.duration[last->slice]) last->slice = piece.slice;
    last->length = std::max(last->length, piece.start + piece.length - last->start);
    last->pieces += piece.pieces;
  }
  return out;
}

std::vector<Row> busiest(const Lanes& lanes, const Profile& p, bool host, std::size_t most, std::int64_t& left_out) {
  std::vector<Row> found;
  for (const auto& [lane, pieces] : lanes) {
    if ((p.lanes.kind[lane] == LaneKind::host_thread) == host) found.push_back(lane);
  }
  std::stable_sort(found.begin(), found.end(), [&](Row a, Row b) { return busy(lanes.at(a)) > busy(lanes.at(b)); });
  if (found.size() > most) {
    left_out += static_cast<std::int64_t>(found.size() - most);
    found.resize(most);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::size_t usual_step(const DependencyGraph& graph) {
  std::vector<std::size_t> order(graph.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto middle = order.begin() + std::ssize(order) / 2;
  const auto length = [&](std::size_t step) { return graph.steps[step].window.length(); };
  std::nth_element(order.begin(), middle, order.end(), [&](std::size_t a, std::size_t b) { return length(a) < length(b); });
  return *middle;
}

BeforeAfter before_and_after(const Profile& profile, const DependencyGraph& graph, const GraphChange& change, std::size_t step) {
  const GraphStep& of = graph.steps[step];
  const std::vector<Time> times = replay(graph, change);
  const Interval after = step_intervals(graph, change, times)[step];
  BeforeAfter found{.step = of.number, .recorded = of.window.length(), .predicted = after.length(), .pieces = {}, .left_out = 0};
  Lanes recorded, predicted;
  add_host(recorded, graph, profile, graph.time, of.window);
  add_device(recorded, graph, profile, graph.time, graph.length, of, of.window);
  add_host(predicted, graph, profile, times, after);
  add_device(predicted, graph, profile, times, change.length, of, after);
  std::vector<Row> shown = busiest(recorded, profile, true, kHostLanes, found.left_out);
  const std::vector<Row> devices = busiest(recorded, profile, false, kDeviceLanes, found.left_out);
  shown.insert(shown.end(), devices.begin(), devices.end());
  const Time pixel = std::max<Time>(1, std::max(found.recorded, found.predicted) / kPixels);
  for (Lanes* lanes : {&recorded, &predicted}) {
    for (const Row lane : shown) {
      for (LanePiece piece : joined((*lanes)[lane], profile, pixel)) {
        piece.predicted = lanes == &predicted;
        found.pieces.push_back(piece);
      }
    }
  }
  return found;
}

TableOf<LanePiece, Profile> piece_lanes_table() {
  TableOf<LanePiece, Profile> table({.key = "before_after", .title = "One step, before and after"});
  const auto whose = [](const LanePiece& piece) { return piece.predicted ? Message("Predicted") : Message("As recorded"); };
  table.add(words_column("times", "Times", "As recorded, or as predicted with the changes"), whose);
  table.add(words_column("lane", "Lane", "The thread of the host, or the stream or engine of a device"),
            [](const Profile& p, const LanePiece& piece) -> Message {
              const Message title = lane_title(p, piece.lane);
              if (p.devices.rows() < 2 || p.lanes.process[piece.lane] == kNoRow) return title;
              return say("{}, {}", process_title(p, p.lanes.process[piece.lane]), title);
            });
  table.add(integer_column("start", "Start", Unit::ns, {"From the begin of the step.", "", "dependency graph"}),
            &LanePiece::start);
  table.add(integer_column("length", "Length", Unit::ns, {"How long it takes.", "end - start", "dependency graph"}),
            &LanePiece::length);
  table.add(label_column("name", "Name", "Device work; where several short pieces are drawn as one, the longest"),
            even_empty([](const Profile& p, const LanePiece& piece) {
              return piece.slice == kNoRow ? std::string_view() : p.text(p.slices.name[piece.slice]);
            }));
  table.add(
      integer_column("pieces", "Pieces", Unit::count,
                     {"How many short pieces that follow each other are drawn as one.", "number of pieces", "dependency graph"}),
      &LanePiece::pieces);
  table.add(words_column("hue", "Hue", "Category that gives its colour").with_role(ColumnRole::category).hide(),
            [](const Profile& p, const LanePiece& piece) -> std::string_view {
              if (piece.slice == kNoRow) return piece.waits ? "idle" : "host";
              const SliceKind kind = p.slices.kind[piece.slice];
              return kind == SliceKind::collective ? "communication" : slice_kind_name(kind);
            });
  return table;
}

}  // namespace sightline::analyses
